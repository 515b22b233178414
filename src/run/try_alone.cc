#include "run/try_alone.h"

#include <cerrno>
#include <csignal>
#include <new>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/futex.h"
#include "record/solo.h"

namespace vouch {
namespace {

constexpr std::uint64_t kLogBytes = 256 << 20, kResultInts = 1 << 20;
constexpr std::uint32_t kMostCalls = 1 << 18;
// Looks without progress, each of which takes at least kLook: on a busy machine we look less often,
// too.
constexpr int kLook = 200, kMostLooks = 200;  // milliseconds

// The file that both share; pages that nobody touches cost nothing.
class Shared {
 public:
  Shared(const explore::AlonePlan& plan, std::uint32_t seconds) {
    SoloHeader layout{};
    std::uint64_t at = sizeof(SoloHeader);
    const auto part = [&](std::uint64_t bytes) {
      const std::uint64_t here = (at + 63) & ~std::uint64_t{63};
      at = here + bytes;
      return here;
    };
    layout.events_at = part(sizeof(SoloEvent) * plan.events.size());
    layout.messages_at = part(sizeof(SoloMessage) * plan.messages.size());
    layout.calls_at = part(sizeof(SoloCall) * kMostCalls);
    layout.path_at = part(8 * (plan.events.size() + 1));
    layout.results_at = part(4 * kResultInts);
    layout.log_at = part(kLogBytes);
    bytes_ = at;
    fd_ = ::memfd_create("vouch-alone", MFD_CLOEXEC);
    if (fd_ < 0 || ::ftruncate(fd_, static_cast<off_t>(bytes_)) != 0) return;
    void* memory = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0);
    if (memory == MAP_FAILED) return;
    header_ = new (memory) SoloHeader{};
    header_->events_at = layout.events_at;
    header_->messages_at = layout.messages_at;
    header_->calls_at = layout.calls_at;
    header_->path_at = layout.path_at;
    header_->results_at = layout.results_at;
    header_->log_at = layout.log_at;
    header_->rank = plan.rank;
    header_->events = static_cast<std::uint32_t>(plan.events.size());
    header_->messages = static_cast<std::uint32_t>(plan.messages.size());
    header_->most_calls = kMostCalls;
    header_->first = plan.first;
    header_->sends = plan.sends;
    header_->seconds = seconds;
    header_->owner = ::getpid();
    header_->bytes = bytes_;
    header_->result_room = kResultInts;
    auto* events = solo_part<SoloEvent>(header_, header_->events_at);
    for (const auto& e : plan.events) *events++ = {e.source, e.fixed ? 1 : 0};
    auto* messages = solo_part<SoloMessage>(header_, header_->messages_at);
    for (const auto& m : plan.messages)
      *messages++ = {m.source, m.tag, m.order, m.need, 0, 0, 0, 0, 0};
    header_->magic = kSoloMagic;
  }
  ~Shared() {
    if (header_ != nullptr) {
      header_->go.store(2);
      futex_wake_all(header_->go);
      if (const pid_t copy = header_->copy.load(); copy > 0 && header_->over.load() == 0)
        ::kill(-copy, SIGKILL);
      ::munmap(header_, bytes_);
    }
    if (fd_ >= 0) ::close(fd_);
  }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;

  SoloHeader* operator->() const { return header_; }
  SoloHeader* get() const { return header_; }
  std::string path() const { return fmt::format("/proc/{}/fd/{}", ::getpid(), fd_); }

 private:
  int fd_ = -1;
  SoloHeader* header_ = nullptr;
  std::uint64_t bytes_ = 0;
};

// The job, in a process of its own, as other runs are.
bool run_job(const Session& session, const policy::Schedule& schedule) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::signal(signal, SIG_DFL);
    const int nothing = ::open("/dev/null", O_RDWR);
    ::dup2(nothing, 0);
    ::dup2(nothing, 2);
    const SessionRun shown = session.run(schedule, -1, true);
    ::_exit(shown.failed.empty() && shown.left.empty() ? 0 : 1);
  }
  int status = 1;
  while (pid > 0 && ::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

const char* phrase(SoloEnd why) {
  switch (why) {
    case SoloEnd::unlike:
      return "the rank alone does not do what it did among the others";
    case SoloEnd::limit:
      return "there are too many orders for the time or memory given";
    default:
      return "the rank could not be tried";
  }
}

}  // namespace

TriedAlone try_alone(const Session& session, const explore::AlonePlan& plan,
                     const policy::Schedule& schedule, std::uint32_t seconds,
                     const std::function<bool()>& stop) {
  TriedAlone tried;
  tried.why = "the rank could not be copied";
  const Shared shared(plan, seconds);
  if (shared.get() == nullptr) return tried;
  if (!run_job(session.with(kSoloVariable, shared.path()), schedule)) {
    tried.why = "the run could not be repeated";
    return tried;
  }
  if (shared->copy.load() <= 0 || shared->logged.load() == 0) return tried;
  shared->go.store(1);
  futex_wake_all(shared->go);
  std::uint64_t steps = 0;
  int looks = 0;  // without progress
  while (shared->over.load() == 0) {
    futex_wait(shared->over, 0, kLook);
    ++looks;
    if (const std::uint64_t seen = shared->steps.load(); seen != steps) {
      steps = seen;
      looks = 0;
    }
    if (looks > kMostLooks) {
      tried.why = "the rank alone does not come to an end";
      return tried;
    }
    if (stop()) {
      tried.why = "it was interrupted";
      return tried;
    }
  }
  if (shared->over.load() != 1) {
    tried.why = phrase(static_cast<SoloEnd>(shared->why.load()));
    return tried;
  }
  tried.whole = true;
  tried.why.clear();
  tried.same = shared->leaves;
  tried.sources_vary = shared->sources_vary != 0;
  const auto* results = solo_part<std::int32_t>(shared.get(), shared->results_at);
  for (std::uint64_t at = 0; at + 2 <= shared->results;) {
    const auto decisions = static_cast<std::uint64_t>(results[at + 1]);
    auto& path = tried.differing.emplace_back();
    for (std::uint64_t i = 0; i < decisions; ++i)
      path.emplace_back(results[at + 2 + 2 * i], results[at + 3 + 2 * i]);
    at += 2 + 2 * decisions;
  }
  return tried;
}

}  // namespace vouch
