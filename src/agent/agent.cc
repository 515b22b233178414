#include "agent/agent.h"

#include <cerrno>
#include <csignal>
#include <memory>
#include <utility>

#include <poll.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "agent/alone.h"
#include "agent/guest.h"
#include "agent/job.h"
#include "agent/rank_host.h"
#include "agent/root.h"

namespace vouch {
namespace {

int parent_pid = 0;

// The parent-death signal: the main loop sees the end of file on its channel. Should it be stuck,
// the alarm ends us.
void on_term(int) {
  if (::getppid() != parent_pid) ::alarm(15);
}

// One node and its role, turn after turn.
class Agent {
 public:
  explicit Agent(const AgentOptions& options) : options_(options), host_(options) {}

  int run() {
    if (!begin()) return 1;
    while (role_->stage() != JobStage::over && !role_->lost()) {
      if (!role_->awaits() && role_->finished()) {
        // A connection may have come in the same moment in which the launcher ended.
        host_.catch_up();
        host_.read_rings();
        host_.bury();
        role_->end();
      }
      turn();
    }
    if (!role_->lost()) return role_->exit_status();
    host_.stop();
    // Without the root nobody hears us: our ranks go on alone, and their launcher ends them.
    if (options_.control >= 0) end_job(options_.socket, false);
    return 1;
  }

 private:
  // False: the root is not to be found.
  bool begin() {
    if (options_.control < 0) {
      auto guest = Guest::join(host_);
      if (guest.ok()) become(std::move(*guest));
      return guest.ok();
    }
    if (options_.invites) {
      auto root = Root::found(host_);
      send_line(options_.control, LineKind::invitation, root.ok() ? (*root)->invitation() : "");
      if (root.ok()) become(std::move(*root));
    }
    if (role_ == nullptr) become(std::make_unique<Alone>(host_));
    return true;
  }

  void become(std::unique_ptr<AgentRole> role) {
    host_.serve(*role);
    role_ = std::move(role);
  }

  void turn() {
    host_.step();
    role_->talk();
    if (role_->is_alone()) become(std::make_unique<Alone>(host_));
    if (role_->stage() == JobStage::over || role_->lost() || role_->awaits()) return;
    const std::size_t read = host_.read_rings();
    if (host_.asks()) return;
    host_.bury();
    role_->judge_deaths();
    host_.end_leftovers();
    host_.let_go_on(read);
    if (host_.asks()) return;
    role_->look_about(read);
    if (host_.asks()) return;
    host_.keep_trace(read);
    host_.sleep(read);
  }

  const AgentOptions& options_;
  RankHost host_;
  std::unique_ptr<AgentRole> role_;
};

}  // namespace

void await_agent(int ready) {
  constexpr int kLongest = 2000;  // milliseconds
  pollfd wait{ready, POLLIN, 0};
  while (::poll(&wait, 1, kLongest) < 0 && errno == EINTR) {
  }
  ::close(ready);
}

int run_agent(const AgentOptions& options) {
  parent_pid = options.parent;
  listen_as_agent(options.listening);
  if (options.ready >= 0) ::close(options.ready);
  ::prctl(PR_SET_NAME, "vouch-agent");
  // Ctrl-C goes to the whole foreground group; the agent has still to tell what it knows.
  // Ctrl-Z stops that group, but where a launcher does not pass it on the ranks run on and fill
  // their rings.
  for (const int signal :
       {SIGINT, SIGQUIT, SIGHUP, SIGPIPE, SIGUSR1, SIGUSR2, SIGTSTP, SIGTTIN, SIGTTOU})
    std::signal(signal, SIG_IGN);
  std::signal(SIGTERM, on_term);
  if (options.control >= 0) ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  if (options.control >= 0 && ::getppid() != options.parent) return 1;
  Agent agent(options);
  return agent.run();
}

}  // namespace vouch
