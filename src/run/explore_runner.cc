#include "run/explore_runner.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string_view>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "explore/in_band.h"
#include "explore/prefix.h"
#include "explore/settle.h"
#include "policy/schedule.h"
#include "record/band.h"
#include "report/json.h"
#include "run/exit_status.h"
#include "run/try_alone.h"
#include "trace/load.h"
#include "trace_program/from_events.h"

namespace vouch {
namespace {

std::atomic<bool> g_interrupted{false};

// Before the words of why it left its schedule, and the summary.
struct ReportHeader {
  std::int32_t status;
  std::uint32_t left;
};

std::string read_all(int fd) {
  std::string text;
  char part[65536];
  ::lseek(fd, 0, SEEK_SET);
  for (ssize_t got; (got = ::read(fd, part, sizeof(part))) != 0;) {
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) break;
    text.append(part, static_cast<std::size_t>(got));
  }
  return text;
}

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = ::write(fd, text.data(), text.size());
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(put));
  }
  return true;
}

// "[host:1234] ...": what Open MPI says for itself, with the number of a process that is another
// one in each run.
bool is_of_library(const std::string& line) {
  const std::size_t end = line.find(']'), colon = line.rfind(':', end);
  if (line.empty() || line[0] != '[' || end == std::string::npos || colon == std::string::npos)
    return false;
  return colon + 1 < end && line.find_first_not_of("0123456789", colon + 1) == end;
}

// Ranks print in any order: the lines count, not their order.
std::uint64_t hash_lines(const std::string& text) {
  std::uint64_t sum = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (is_of_library(line)) continue;
    std::uint64_t h = 0xcbf29ce484222325u;
    for (const char c : line) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    sum += h * h + h;
  }
  return sum;
}

explore::Observation observation_of(RunProgram run) {
  explore::Observation seen;
  seen.program = std::move(run.program);
  seen.met = std::move(run.met);
  seen.members = std::move(run.members);
  for (const RunProgram::Mark& m : run.marks) seen.marks.push_back({m.abstracted, m.region});
  for (const RunProgram::Asked& a : run.asked)
    seen.asked.push_back({a.call, a.thread, a.comm, a.picks, a.data});
  for (RunProgram::Choice& c : run.choices)
    if (c.pick < explore::kFirstPick)
      seen.choices.push_back({c.wait, c.pick, c.several, std::move(c.chosen), std::move(c.open)});
  seen.picks.resize(static_cast<std::size_t>(seen.program.processes()));
  for (auto& [rank, mine] : run.schedule.ranks)
    if (static_cast<std::size_t>(rank) < seen.picks.size())
      seen.picks[static_cast<std::size_t>(rank)] = std::move(mine.picks);
  seen.whole = run.whole;
  return seen;
}

// What no schedule decides.
void add_left_open(const RunProgram& run, Summary& summary) {
  if (run.cancels)
    summary.not_checked.push_back(
        {"MPI_Cancel", "whether it or a message came first was left as it happened", 1, {}, {}});
  if (run.spawned)
    summary.not_checked.push_back(
        {std::string(explore::kSpawned),
         "the order of the messages that they take part in was left as it happened",
         1,
         {},
         {}});
}

}  // namespace

void ReplayRunner::interrupt() { g_interrupted = true; }
bool ReplayRunner::interrupted() { return g_interrupted; }

void ReplayRunner::close_files(Child& child) {
  for (const int fd : {child.report, child.trace, child.output, child.clocks})
    if (fd >= 0) ::close(fd);
}

ReplayRunner::~ReplayRunner() {
  for (Child& child : children_) {
    if (child.pid > 0) {
      ::kill(child.pid, SIGTERM);
      while (::waitpid(child.pid, nullptr, 0) < 0 && errno == EINTR) {
      }
    }
    close_files(child);
  }
}

void ReplayRunner::start(const explore::Job& job) {
  Child& child = children_.emplace_back();
  child.job = job;
  start(child);
}

void ReplayRunner::start(Child& child) {
  child.report = ::memfd_create("vouch-report", MFD_CLOEXEC);
  child.trace = ::memfd_create("vouch-trace", MFD_CLOEXEC);
  child.output = ::memfd_create("vouch-output", MFD_CLOEXEC);
  if (in_band_ != nullptr) {
    child.clocks = in_band_->make();
    child.told = in_band_->told(child.clocks);
  }
  child.pid = ::fork();
  if (child.pid == 0) run(child);
}

// In a process of its own.
void ReplayRunner::run(const Child& child) const {
  // A group of its own, so that Ctrl-C reaches the explorer alone: it decides what becomes of runs.
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::signal(signal, SIG_DFL);
  const int nothing = ::open("/dev/null", O_RDWR);
  ::dup2(nothing, 0);
  ::dup2(nothing, 2);  // what is to be said is in the summary
  const bool free = child.job.forced.empty() && child.job.number == 0;
  const Session& session =
      in_band_ != nullptr ? session_.with(kBandVariable, child.told) : session_;
  SessionRun shown = session.run(
      child.schedule ? *child.schedule
      : free         ? first_
             : explore::schedule_of(child.job.forced, child.job.from.get(), child.job.until),
      child.trace, true);
  if (!shown.failed.empty()) {
    write_all(child.output, shown.failed);
    ::_exit(kExitInternal);
  }
  const ReportHeader header{shown.status, static_cast<std::uint32_t>(shown.left.size())};
  const bool written =
      write_all(child.report, {reinterpret_cast<const char*>(&header), sizeof(header)}) &&
      write_all(child.report, shown.left) &&
      write_all(child.report, write_json_line(shown.summary)) &&
      write_all(child.output, shown.output);
  ::_exit(written ? 0 : kExitInternal);
}

// 0: the time is over.
int ReplayRunner::wait_for_child(int& status) const {
  if (!until_) return ::waitpid(-1, &status, 0);
  constexpr auto kLook = std::chrono::milliseconds(5);
  for (;;) {
    const int pid = ::waitpid(-1, &status, WNOHANG);
    if (pid != 0 || std::chrono::steady_clock::now() >= *until_) return pid;
    std::this_thread::sleep_for(kLook);
    if (g_interrupted) return 0;
  }
}

std::optional<explore::Ran> ReplayRunner::wait() {
  for (;;) {
    if (g_interrupted || !refused_.empty()) return std::nullopt;
    int status = 0;
    const int pid = wait_for_child(status);
    if (pid < 0 && errno == EINTR) continue;
    if (pid <= 0) return std::nullopt;
    const auto at = std::find_if(children_.begin(), children_.end(),
                                 [&](const Child& c) { return c.pid == pid; });
    if (at == children_.end()) continue;
    explore::Ran ran = finish(*at, status);
    close_files(*at);
    children_.erase(at);
    if (!refused_.empty()) return std::nullopt;
    return ran;
  }
}

std::optional<Summary> ReplayRunner::repeat(const std::string& schedule) {
  auto parsed = policy::parse_schedule(schedule);
  if (!parsed.ok() || !children_.empty() || in_band_ != nullptr) return {};
  Child& child = children_.emplace_back();
  child.schedule = std::move(*parsed);
  start(child);
  auto ran = wait();
  if (!ran || !ran->unusable.empty()) return {};
  return std::move(ran->summary);
}

explore::Alone ReplayRunner::alone(const explore::Ran& ran, const explore::AlonePlan& plan) {
  constexpr std::uint32_t kSeconds = 600;
  explore::Alone result;
  const auto schedule = policy::parse_schedule(ran.schedule);
  if (!schedule.ok()) return result;
  const TriedAlone tried = try_alone(session_, plan, schedule.value(), kSeconds, [this] {
    return g_interrupted.load() || (until_ && std::chrono::steady_clock::now() >= *until_);
  });
  result.whole = tried.whole;
  result.same = tried.same;
  result.sources_vary = tried.sources_vary;
  result.why = tried.why;
  for (const auto& path : tried.differing) {
    explore::Decisions decisions = ran.job.forced;
    for (const auto& [event, source] : path)
      decisions.push_back(explore::decided(ran.seen, {plan.rank, event}, source));
    result.differing.push_back(std::move(decisions));
  }
  return result;
}

explore::Ran ReplayRunner::finish(Child& child, int status) {
  explore::Ran ran;
  ran.job = std::move(child.job);
  if (take_report(child, status, ran)) take_events(child, ran);
  return ran;
}

bool ReplayRunner::take_report(const Child& child, int status, explore::Ran& ran) {
  const std::string output = read_all(child.output), report = read_all(child.report);
  ReportHeader header{};
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || report.size() < sizeof(header)) {
    // What was written then says why it could not be run.
    const bool said = WIFEXITED(status) && WEXITSTATUS(status) == kExitInternal && !output.empty();
    ran.unusable = said ? output : "they left no report";
    if (!seen_output_) refused_ = output.empty() ? "the program could not be run" : output;
    return false;
  }
  std::memcpy(&header, report.data(), sizeof(header));
  ran.diverged = report.substr(sizeof(header), header.left);
  ran.status = header.status;
  if (!seen_output_) first_output_ = output;
  seen_output_ = true;
  ran.output = hash_lines(output);
  auto summary = read_json(std::string_view(report).substr(sizeof(header) + header.left));
  if (!summary.ok()) {
    ran.unusable = "their report is damaged";
    return false;
  }
  ran.summary = std::move(*summary);
  ran.schedule = ran.summary.schedule;
  return true;
}

void ReplayRunner::take_events(const Child& child, explore::Ran& ran) {
  std::ifstream file(fmt::format("/proc/self/fd/{}", child.trace), std::ios::binary);
  const auto loaded = trace::load(file);
  if (!loaded.ok()) {
    ran.unusable = "their trace: " + loaded.error();
    return;
  }
  auto run = run_of(loaded.value().trace);
  if (!run.ok()) {
    ran.unusable = run.error();
    return;
  }
  std::vector<bool> stands = run->stands;
  const bool unfinished = run->unfinished;
  add_left_open(*run, ran.summary);
  ran.seen = observation_of(std::move(*run));
  ran.seen.cut = !loaded.value().cut.empty() || unfinished || explore::ended_early(ran.summary);
  if (const auto followed = policy::parse_schedule(ran.schedule); followed.ok())
    explore::take_known(ran.seen, followed.value(), stands);
  if (in_band_ == nullptr) {
    explore::settle(ran.seen, ran.job.forced, stands);
  } else {
    const auto carried = in_band_->read(child.clocks);
    explore::settle(ran.seen, explore::with_told(ran.job.forced, ran.seen, carried), stands);
    in_band_->look(carried, ran);
  }
}

}  // namespace vouch
