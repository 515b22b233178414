#include "run/supervise.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <random>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/agent.h"
#include "agent/channel.h"
#include "agent/job.h"
#include "base/read_file.h"
#include "base/shared_word.h"
#include "launch/direct.h"
#include "net/key.h"
#include "record/handshake.h"
#include "report/json.h"
#include "run/launcher_words.h"
#include "run/surroundings.h"
#include "run/tee.h"

namespace vouch {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr auto kReadyWait = std::chrono::seconds(2);  // for the agent to note where the ranks are
constexpr auto kTermGrace = std::chrono::seconds(2);  // between TERM and KILL
constexpr auto kAgentWait =
    std::chrono::seconds(120);  // for the agent to read and judge what is left
constexpr auto kStuck =
    std::chrono::seconds(10);  // a launcher that leaves a dead child alone so long is stuck
constexpr int kLook = 1000;    // milliseconds between two looks at the launcher
constexpr int kForwarded[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

std::string unique_name() {
  std::random_device random;
  return fmt::format("vouch-{}-{:08x}{:08x}", ::getpid(), random(), random());
}

int shell_status(int wait_status) {
  return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
}

// The state letter of /proc/PID/stat: R running, Z dead and not waited for, T stopped ...
char state_of(const std::string& pid) {
  const std::string text = read_file("/proc/" + pid + "/stat").value_or("");
  const std::size_t name_end = text.rfind(')');
  return name_end != std::string::npos && name_end + 2 < text.size() ? text[name_end + 2] : '?';
}

// Of one that is dead and not waited for: its exit status or signal, as wait() gives it; 0 also
// where the system does not say.
int wait_status_of(const std::string& pid) {
  const std::string text = read_file("/proc/" + pid + "/stat").value_or("");
  const std::size_t last = text.find_last_of(' ');
  return last == std::string::npos ? 0 : std::atoi(text.c_str() + last + 1);
}

// Children of a running process that are dead and not waited for. None while it is stopped itself.
// `failed`: only those that did not end well.
std::vector<int> dead_children(pid_t parent, bool failed) {
  std::vector<int> dead;
  const std::string self = std::to_string(parent);
  const char state = state_of(self);
  if (state == 'T' || state == 't') return dead;
  std::ifstream in("/proc/" + self + "/task/" + self + "/children");
  for (std::string pid; in >> pid;) {
    if (state_of(pid) == 'Z' && (!failed || wait_status_of(pid) != 0))
      dead.push_back(std::stoi(pid));
  }
  return dead;
}

class Supervisor {
 public:
  explicit Supervisor(const Job& job) : job_(job) {}
  ~Supervisor();
  Outcome run();

 private:
  bool set_up();
  bool start_agent();
  void await_invitation();
  bool start_launcher();
  [[noreturn]] void become_launcher(int error_pipe);
  void loop();
  void on_signal();
  void reap();
  void on_agent_bytes();
  void on_deadlock(const std::string& ranks);
  void keep_time();
  void watch_launcher();
  void watch_agent();
  int wait_ms() const;
  void launcher_is_over(int wait_status);
  void hear_launcher();
  void hear_stuck_launcher();
  void tell(const Command& command) {
    if (control_ >= 0) send_command(control_, command);
  }

  const Job& job_;
  const pid_t self_ = ::getpid();
  Outcome outcome_;
  std::string socket_;
  std::string invitation_;  // for agents on other nodes
  int listening_ = -1, control_ = -1, agent_end_ = -1, signals_ = -1;
  pid_t agent_ = -1, launcher_ = -1;
  sigset_t old_mask_{};
  std::unique_ptr<Tee> tee_;  // of the launcher's standard error
  LineReader lines_;
  bool launcher_alive_ = false, agent_alive_ = false, invited_ = false;
  std::shared_ptr<std::atomic<std::uint32_t>> steps_ = shared_word();  // of the agent
  std::optional<AgentWatch> agent_watch_;
  bool agent_stood_ = false;  // still, and was ended
  LauncherWords words_;       // the launcher's, once it has ended
  enum class Stopping { no, asked_agent, terminated, killed } stopping_ = Stopping::no;
  std::map<int, Clock::time_point>
      dead_;  // children of the launcher that it has not taken notice of
  std::optional<Clock::time_point> next_step_;  // of the time limit, then of the end of the agent
};

Supervisor::~Supervisor() {
  for (const int fd : {listening_, control_, signals_}) {
    if (fd >= 0) ::close(fd);
  }
  ::sigprocmask(SIG_SETMASK, &old_mask_, nullptr);
}

bool Supervisor::set_up() {
  socket_ = unique_name();
  listening_ = listen_for_ranks(socket_.c_str());
  int ends[2];
  if (listening_ < 0 || ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    outcome_.internal = fmt::format("cannot make a socket: {}", std::strerror(errno));
    return false;
  }
  control_ = ends[0];
  agent_end_ = ends[1];
  sigset_t mask;
  ::sigemptyset(&mask);
  ::sigaddset(&mask, SIGCHLD);
  for (const int signal : kForwarded) {
    // What the caller chose to ignore (nohup) stays ignored, here and in the launcher.
    struct sigaction now;
    if (::sigaction(signal, nullptr, &now) == 0 && now.sa_handler != SIG_IGN)
      ::sigaddset(&mask, signal);
  }
  ::sigprocmask(SIG_BLOCK, &mask, &old_mask_);
  // Ranks whose launcher was killed become our children, so that no dead process stays in the
  // process table.
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  signals_ = ::signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
  if (signals_ < 0)
    outcome_.internal = fmt::format("cannot watch signals: {}", std::strerror(errno));
  return signals_ >= 0;
}

// The launcher takes it to other nodes in its environment.
void Supervisor::await_invitation() {
  for (const auto until = Clock::now() + kReadyWait;
       !invited_ && control_ >= 0 && Clock::now() < until;) {
    pollfd wait{control_, POLLIN, 0};
    ::poll(&wait, 1, 100);
    on_agent_bytes();
  }
}

bool Supervisor::start_agent() {
  int ready[2];
  if (::pipe2(ready, O_CLOEXEC) != 0) {
    outcome_.internal = fmt::format("no pipe: {}", std::strerror(errno));
    return false;
  }
  agent_ = ::fork();
  if (agent_ < 0) {
    outcome_.internal = fmt::format("cannot start the agent: {}", std::strerror(errno));
    for (const int end : ready) ::close(end);
    return false;
  }
  if (agent_ == 0) {
    ::close(control_);
    // It must not keep the application's pipes open, nor read its input.
    const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    ::dup2(nothing, 0);
    ::dup2(nothing, 1);
    const bool ends = job_.on_deadlock == OnDeadlock::end || job_.on_deadlock == OnDeadlock::abort;
    AgentOptions options{listening_, socket_, agent_end_, self_, job_.buffering};
    options.most_unexpected = job_.most_unexpected;
    options.checks = job_.checks;
    options.ends_deadlocks = ends;
    options.trace = job_.trace;
    options.trace_path = job_.trace_path;
    options.schedule = job_.schedule;
    options.invites = job_.several;
    options.net = job_.net;
    options.fanout = job_.fanout;
    options.ranks = job_.ranks;
    options.known_launcher = job_.known_launcher;
    options.steps = steps_.get();
    options.ready = ready[1];
    ::_exit(run_agent(options));
  }
  agent_alive_ = true;
  ::close(ready[1]);
  await_agent(ready[0]);
  agent_watch_.emplace(agent_, static_cast<int>(job_.patience.count()), kLook,
                       AgentWatch::Counts::stopped);
  ::close(agent_end_);
  // Only the agent listens: if it dies, ranks that come later see at once that nobody is there.
  ::close(listening_);
  listening_ = -1;
  return true;
}

void Supervisor::become_launcher(int error_pipe) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != self_) ::_exit(127);  // vouch died in between
  give_back_signals();
  if (job_.known_launcher) keep_standard_descriptors();
  for (const auto& [name, value] : job_.environment) ::setenv(name.c_str(), value.c_str(), 1);
  ::setenv(kSocketVariable, socket_.c_str(), 1);
  if (job_.several) ::setenv(net::kInvitationVariable, invitation_.c_str(), 1);
  if (job_.output >= 0) {
    ::dup2(job_.output, 1);
    ::dup2(job_.output, 2);
  } else if (tee_ != nullptr) {
    ::dup2(tee_->take_write_end(), 2);
  }
  if (job_.direct > 0) {
    ::close(error_pipe);
    ::sigprocmask(SIG_SETMASK, &old_mask_, nullptr);
    ::_exit(launch::run_ranks(job_.direct, job_.command));
  }
  std::vector<char*> argv;
  for (const std::string& word : job_.command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  ::sigprocmask(SIG_SETMASK, &old_mask_, nullptr);
  ::execvp(argv[0], argv.data());
  const int why = errno;
  [[maybe_unused]] const ssize_t sent = ::write(error_pipe, &why, sizeof(why));
  ::_exit(127);
}

bool Supervisor::start_launcher() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    outcome_.internal = fmt::format("no pipe: {}", std::strerror(errno));
    return false;
  }
  // A program without a launcher keeps its own standard error: it may ask whether that is a
  // terminal. Ranks of a launcher write into a pipe of it anyway.
  if (job_.known_launcher && job_.output < 0) tee_ = Tee::start();
  launcher_ = ::fork();
  if (launcher_ == 0) become_launcher(ends[1]);
  ::close(ends[1]);
  if (tee_ != nullptr) ::close(tee_->take_write_end());
  if (launcher_ < 0) {
    ::close(ends[0]);
    outcome_.internal = fmt::format("cannot start {}: {}", job_.command[0], std::strerror(errno));
    return false;
  }
  int why = 0;
  ssize_t got;
  while ((got = ::read(ends[0], &why, sizeof(why))) < 0 && errno == EINTR) {
  }
  ::close(ends[0]);
  if (got == sizeof(why)) {
    outcome_.not_started = fmt::format("cannot start {}: {}", job_.command[0], std::strerror(why));
    ::waitpid(launcher_, nullptr, 0);
    return false;
  }
  launcher_alive_ = true;
  if (job_.timeout) next_step_ = Clock::now() + *job_.timeout;
  return true;
}

// Open MPI's mpirun now and then misses the death of a rank that is killed while it starts, and
// waits forever, with or without vouch. A child that is dead and not waited for shows it; a
// launcher takes note of a death at once. Over several nodes its children are remote shells, and
// Hydra leaves those of nodes that are done until all are.
void Supervisor::watch_launcher() {
  if (!job_.known_launcher || !launcher_alive_ || outcome_.launcher_stuck) return;
  const auto now = Clock::now();
  const std::vector<int> zombies = dead_children(launcher_, job_.several);
  std::erase_if(dead_, [&](const auto& entry) {
    return std::find(zombies.begin(), zombies.end(), entry.first) == zombies.end();
  });
  for (const int pid : zombies) {
    if (now - dead_.emplace(pid, now).first->second < kStuck) continue;
    outcome_.launcher_stuck = true;
    hear_stuck_launcher();
    if (stopping_ == Stopping::no) {
      stopping_ = Stopping::asked_agent;
      next_step_ = now;
    }
    return;
  }
}

// One that is stopped holds up ranks whose rings are full, and the end of the run. When it is gone
// they go on.
void Supervisor::watch_agent() {
  if (!agent_alive_ || agent_stood_ || steps_ == nullptr) return;
  agent_stood_ = agent_watch_->gave_out(steps_->load(std::memory_order_relaxed));
  if (agent_stood_) ::kill(agent_, SIGKILL);
}

int Supervisor::wait_ms() const {
  if (!next_step_) return kLook;
  const auto left =
      std::chrono::duration_cast<milliseconds>(*next_step_ - Clock::now()).count() + 1;
  return static_cast<int>(std::clamp<long long>(left, 0, kLook));
}

void Supervisor::on_signal() {
  signalfd_siginfo info;
  while (::read(signals_, &info, sizeof(info)) == sizeof(info)) {
    if (info.ssi_signo == SIGCHLD) {
      reap();
      continue;
    }
    const int signal = static_cast<int>(info.ssi_signo);
    const bool ends = signal != SIGUSR1 && signal != SIGUSR2;
    if (ends && outcome_.interrupted == 0) {
      outcome_.interrupted = signal;
      tell({CommandKind::interrupted, signal, 0});
    }
    // Positive: from the kernel, that is the terminal, which sent it to the whole group.
    if (info.ssi_code <= 0 && launcher_alive_) ::kill(launcher_, signal);
    if (ends && job_.discarded && launcher_alive_ && stopping_ == Stopping::no) {
      ::kill(launcher_, SIGCONT);
      stopping_ = Stopping::terminated;
      next_step_ = Clock::now() + kTermGrace;
    }
  }
}

// Why it had lost a child may be in its words: Hydra's mpiexec waits forever where ssh knows no
// such host.
void Supervisor::hear_stuck_launcher() {
  if (tee_ == nullptr) return;
  const LauncherWords words = launcher_words(tee_->settle(), job_.frames);
  if (!words.blames_process) outcome_.stuck_said = in_short(words.own);
}

// Whether it was the launcher that failed and not one of its processes, by its own words. What it
// then did to the processes is not theirs. One that we have told to end is not asked.
void Supervisor::hear_launcher() {
  if (tee_ == nullptr) return;
  words_ = launcher_words(tee_->settle(), job_.frames);
  if (outcome_.status == 0 || outcome_.interrupted != 0 || words_.blames_process) return;
  if (stopping_ != Stopping::no && !outcome_.timed_out) return;
  outcome_.launcher_said = in_short(words_.own);
  if (!outcome_.launcher_said.empty() && stopping_ == Stopping::no)
    tell({CommandKind::launcher_failed, outcome_.status, launcher_});
}

void Supervisor::launcher_is_over(int wait_status) {
  launcher_alive_ = false;
  outcome_.status = shell_status(wait_status);
  outcome_.signal = WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : 0;
  hear_launcher();
  // One that we ended because it was stuck did not bring its ranks down: the rank whose death it
  // missed did.
  // Where it names the signal of the first process that failed, its status may be another's.
  const int told =
      WIFEXITED(wait_status) && words_.signal != 0 ? (128 + words_.signal) << 8 : wait_status;
  tell({CommandKind::launcher_ended, outcome_.launcher_stuck ? 1 << 8 : told,
        outcome_.launcher_stuck || words_.status_is_own ? 0 : launcher_, words_.process});
  next_step_ = Clock::now() + kAgentWait;
  if (job_.discarded && outcome_.interrupted != 0) next_step_ = Clock::now();
}

void Supervisor::reap() {
  int status = 0;
  for (pid_t pid; (pid = ::waitpid(-1, &status, WNOHANG)) > 0;) {
    if (pid == launcher_) launcher_is_over(status);
    if (pid == agent_) {
      on_agent_bytes();
      agent_alive_ = false;
      if (!outcome_.summary) {
        outcome_.agent_end =
            agent_stood_ ? fmt::format("had done nothing for {} s and was ended",
                                       static_cast<double>(job_.patience.count()) / 1000.0)
            : WIFSIGNALED(status)
                ? fmt::format("was killed by SIG{}", ::sigabbrev_np(WTERMSIG(status)))
                : fmt::format("ended with status {}", WEXITSTATUS(status));
      }
    }
  }
}

void Supervisor::on_agent_bytes() {
  char buffer[65536];
  while (control_ >= 0) {
    const ssize_t got = ::recv(control_, buffer, sizeof(buffer), MSG_DONTWAIT);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) break;
    if (got <= 0) {
      ::close(control_);
      control_ = -1;
      break;
    }
    lines_.add({buffer, static_cast<std::size_t>(got)});
  }
  while (auto line = lines_.next()) {
    if (line->kind == LineKind::finding) {
      if (auto finding = read_json_finding(line->json))
        outcome_.findings.push_back(std::move(*finding));
    } else if (line->kind == LineKind::summary) {
      if (auto summary = read_json(line->json)) outcome_.summary = std::move(*summary);
    } else if (line->kind == LineKind::invitation) {
      invitation_ = std::move(line->json);
      invited_ = true;
    } else if (line->kind == LineKind::deadlock) {
      on_deadlock(line->json);
    } else if (line->kind == LineKind::notice) {
      fmt::print(stderr, "vouch: {}\n", line->json);
    } else if (line->kind == LineKind::ready && stopping_ == Stopping::asked_agent) {
      next_step_ = Clock::now();
    }
  }
}

// `ranks`: how to attach to each, separated by tabs.
void Supervisor::on_deadlock(const std::string& ranks) {
  std::vector<Finding> found;
  for (const Finding& f : outcome_.findings) {
    if (f.rule.starts_with("deadlock/") || f.rule.starts_with("collective/")) found.push_back(f);
  }
  if (job_.show) job_.show(found);
  switch (job_.on_deadlock) {
    case OnDeadlock::abort:
      for (const int pid : job_ranks(socket_)) ::kill(pid, SIGABRT);
      [[fallthrough]];
    case OnDeadlock::end:
      outcome_.deadlocked = true;
      if (!launcher_alive_ || stopping_ != Stopping::no) return;
      stopping_ = Stopping::asked_agent;
      next_step_ = Clock::now();
      return;
    case OnDeadlock::report:
    case OnDeadlock::pause:
      break;
  }
  std::string text = "vouch: these ranks are stuck; the job is left as it is\n";
  if (job_.on_deadlock == OnDeadlock::pause) {
    text += "  ";
    for (const char c : ranks) text += c == '\t' ? std::string("\n  ") : std::string(1, c);
    text += "end the job with Ctrl-C\n";
  }
  fmt::print(stderr, "{}", text);
}

// The steps of a time limit: the agent notes where everybody is, then the job is told to end, then
// made to.
void Supervisor::keep_time() {
  if (!next_step_ || Clock::now() < *next_step_) return;
  next_step_.reset();
  if (!launcher_alive_) {
    // The agent does not come to an end.
    if (agent_alive_) ::kill(agent_, SIGKILL);
    return;
  }
  switch (stopping_) {
    case Stopping::no:
      outcome_.timed_out = true;
      stopping_ = Stopping::asked_agent;
      tell({CommandKind::time_limit, static_cast<std::int32_t>(job_.timeout->count()), 0});
      next_step_ = Clock::now() + (control_ >= 0 ? milliseconds(kReadyWait) : milliseconds(0));
      break;
    case Stopping::asked_agent:
      stopping_ = Stopping::terminated;
      ::kill(launcher_, SIGTERM);
      // One that is stopped takes no signal. Open MPI's mpirun says so of each that it gets.
      if (state_of(std::to_string(launcher_)) == 'T') ::kill(launcher_, SIGCONT);
      next_step_ = Clock::now() + kTermGrace;
      break;
    case Stopping::terminated:
      stopping_ = Stopping::killed;
      ::kill(launcher_, SIGKILL);
      break;
    case Stopping::killed:
      break;
  }
}

void Supervisor::loop() {
  while (launcher_alive_ || (agent_alive_ && !outcome_.summary)) {
    pollfd waits[2] = {{signals_, POLLIN, 0},
                       {control_, POLLIN, 0}};  // a negative descriptor is left out
    ::poll(waits, 2, wait_ms());
    on_agent_bytes();
    on_signal();
    watch_launcher();
    watch_agent();
    keep_time();
  }
}

Outcome Supervisor::run() {
  if (!set_up() || !start_agent()) return std::move(outcome_);
  if (job_.several) await_invitation();
  if (!start_launcher()) {
    if (agent_alive_) ::kill(agent_, SIGKILL);
    ::waitpid(agent_, nullptr, 0);
    return std::move(outcome_);
  }
  loop();
  while (agent_alive_) {  // it has told all and is on its way out
    pollfd wait{signals_, POLLIN, 0};
    ::poll(&wait, 1, kLook);
    on_signal();
    watch_agent();
  }
  // What was stopped from outside must be gone. A job that ended by itself may leave what it likes,
  // but for its ranks, and those the agent has seen to.
  if (outcome_.timed_out || outcome_.deadlocked || outcome_.launcher_stuck ||
      outcome_.interrupted != 0 || outcome_.signal != 0) {
    end_job(socket_, false);
  } else if (!outcome_.agent_end.empty()) {
    end_job(socket_, true);
  }
  while (::waitpid(-1, nullptr, WNOHANG) > 0) {
  }
  return std::move(outcome_);
}

}  // namespace

Outcome supervise(const Job& job) { return Supervisor(job).run(); }

}  // namespace vouch
