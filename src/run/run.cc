#include "run/run.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/agent.h"
#include "launch/direct.h"
#include "report/identity.h"
#include "report/json.h"
#include "report/suppressions.h"
#include "report/text.h"
#include "run/launchers.h"
#include "run/program.h"
#include "run/replay.h"
#include "run/supervise.h"
#include "run/surroundings.h"
#include "run/unseen.h"
#include "run/wrappers.h"
#include "trace/writer.h"

namespace vouch {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSanitizerVariable = "ASAN_OPTIONS";

int complain(int status, const std::string& sentence) {
  fmt::print(stderr, "vouch: {}\n", sentence);
  return status;
}

// Opened before the run, so that a wrong name does not cost one.
class OutputFile {
 public:
  OutputFile(const char* what, const std::string& path) : what_(what), path_(path) {
    if (path.empty()) return;
    fd_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (fd_ < 0) why_ = errno;
  }
  ~OutputFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  std::string problem() const {
    return why_ == 0 ? "" : fmt::format("cannot write to {}: {}", path_, std::strerror(why_));
  }
  // "" or one sentence.
  std::string write(const std::string& text) {
    if (fd_ < 0) return "";
    struct stat info;
    const bool regular = ::fstat(fd_, &info) == 0 && S_ISREG(info.st_mode);
    if (regular && ::ftruncate(fd_, 0) != 0) why_ = errno;
    for (std::size_t at = 0; at < text.size() && why_ == 0;) {
      const ssize_t put = ::write(fd_, text.data() + at, text.size() - at);
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) why_ = errno;
      if (put > 0) at += static_cast<std::size_t>(put);
    }
    if (::close(std::exchange(fd_, -1)) != 0 && why_ == 0) why_ = errno;
    return why_ == 0 ? ""
                     : fmt::format("{} could not be written to {}: {}", what_, path_,
                                   std::strerror(why_));
  }

 private:
  const char* const what_;
  const std::string path_;
  int fd_ = -1, why_ = 0;
};

bool write_stderr(std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = ::write(2, text.data(), text.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return errno == EPIPE;  // nobody reads: no failure of ours
    text.remove_prefix(static_cast<std::size_t>(put));
  }
  return true;
}

bool use_colour(RunOptions::Colour choice) {
  if (choice != RunOptions::Colour::automatic) return choice == RunOptions::Colour::always;
  const char* terminal = std::getenv("TERM");
  const char* refused = std::getenv("NO_COLOR");
  return ::isatty(2) != 0 && (refused == nullptr || *refused == 0) && terminal != nullptr &&
         std::string_view(terminal) != "dumb";
}

// The words with which the job is started, and how.
struct Start {
  std::vector<std::string> command;
  int direct = 0;
};

// The program that has the library, as it was typed.
const std::string& called(const RunOptions& options, const Program& program) {
  return program.inner.empty() ? options.command[0] : program.inner;
}

Result<Start> command_line(const RunOptions& options) {
  const auto program = examine(options.command);
  if (!program.ok()) return Error{program.error()};
  if (options.ranks == 0) return Start{options.command};
  const MpiKind found = program.value().mpi.kind;
  if (options.mpi != MpiKind::none && found != MpiKind::none && found != options.mpi) {
    return Error{fmt::format("{} uses {} ({}), not {}", called(options, program.value()),
                             name(found), program.value().mpi.path, name(options.mpi))};
  }
  if (options.mpi == MpiKind::none && !program.value().mpi.second.empty()) {
    return Error{fmt::format(
        "{} is linked with two MPI libraries, {} and {}: link all of its parts with one, or say "
        "which one it calls with --mpi",
        called(options, program.value()), program.value().mpi.path, program.value().mpi.second)};
  }
  const MpiKind kind = options.mpi != MpiKind::none ? options.mpi : found;
  if (options.quick && kind == MpiKind::mpich) return Start{options.command, options.ranks};
  const auto launcher = find_launcher(kind);
  if (!launcher.ok()) return Error{launcher.error()};
  return Start{launch_line(launcher.value(), options.ranks, options.command)};
}

// Open MPI hands its own environment to local ranks; a list of names takes it to other nodes too.
// It refuses the list beside -x, so it is left out where the user passes variables himself.
void add_open_mpi(Job& job, bool picked, bool checks, const Environment& more) {
  if (picked && ::geteuid() == 0) {
    job.environment.emplace_back("OMPI_ALLOW_RUN_AS_ROOT", "1");
    job.environment.emplace_back("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
  }
  for (const std::string& word : job.command) {
    if (word == "-x" || word.ends_with("-tune") || word.ends_with("-am") ||
        word == "mca_base_env_list")
      return;
  }
  const char* before = std::getenv("OMPI_MCA_mca_base_env_list");
  std::string names = fmt::format("LD_PRELOAD;VOUCH_SOCKET;{}", kSanitizerVariable);
  if (job.several) names += ";VOUCH_JOIN";
  if (checks) names += ";VOUCH_CHECK_BUFFERS";  // it must be set: the list complains otherwise
  for (const auto& [name, value] : more) names += ';' + name;
  job.environment.emplace_back(
      "OMPI_MCA_mca_base_env_list",
      before != nullptr && *before != 0 ? fmt::format("{};{}", before, names) : names);
}

// The words of LD_PRELOAD are separated by blanks and colons. Where the folder's name has one, it
// is reached through a descriptor of this process, which lives as long as the run.
std::string preloadable(const std::string& shim) {
  if (shim.find_first_of(" \t\n:") == std::string::npos) return shim;
  const fs::path path = shim;
  const int folder = ::open(path.parent_path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return shim;
  return fmt::format("/proc/{}/fd/{}/{}", ::getpid(), folder, path.filename().string());
}

// The runtime of the address sanitizer ends a program whose first library it is not; a preloaded
// one comes before it. What it needs is that its functions are found before those of the C library,
// and libvouch.so passes on to it what it takes. (MPI programs of any depth behind a launcher get
// this, and only that runtime reads it.)
std::string sanitizer_options() {
  constexpr std::string_view kOrder = "verify_asan_link_order";
  const char* before = std::getenv(kSanitizerVariable);
  std::string options = before != nullptr ? before : "";
  if (options.find(kOrder) != std::string::npos) return options;
  return fmt::format("{}{}{}=0", options, options.empty() ? "" : ":", kOrder);
}

Job make_job(const RunOptions& options, Start start, const std::string& shim) {
  Job job;
  job.command = std::move(start.command);
  job.direct = start.direct;
  if (options.quick) job.environment = launch::quick_start_environment();
  job.timeout = options.timeout;
  job.buffering = options.buffering;
  job.on_deadlock = options.on_deadlock;
  job.schedule = options.schedule;
  const char* before = std::getenv("LD_PRELOAD");
  std::string preloads = shim;
  if (options.check_buffers) {
    preloads += ':' + (fs::path(shim).parent_path() / "libvouch_heap.so").string();
    job.environment.emplace_back("VOUCH_CHECK_BUFFERS", "1");
  }
  job.environment.emplace_back("LD_PRELOAD", before != nullptr && *before != 0
                                                 ? fmt::format("{}:{}", before, preloads)
                                                 : preloads);
  job.environment.emplace_back(kSanitizerVariable, sanitizer_options());
  job.environment.insert(job.environment.end(), options.environment.begin(),
                         options.environment.end());
  job.several = options.net != "none" && (!options.net.empty() || may_span_nodes(job.command));
  job.net = options.net == "auto" ? "" : options.net;
  job.fanout = options.fanout;
  if (options.patience) job.patience = *options.patience;
  const bool picked = options.ranks > 0;
  job.ranks = options.ranks;
  const Words launched = job.direct == 0 ? launcher_behind(job.command) : Words();
  job.known_launcher = job.direct == 0 && is_launcher(job.command[0]);
  job.frames = !launched.empty() && launcher_kind(launched[0]) == MpiKind::openmpi;
  // What a script gives its launchers besides is not known: there local ranks inherit all.
  const bool typed = !launched.empty() && std::find(job.command.begin(), job.command.end(),
                                                    launched[0]) != job.command.end();
  if (job.frames && typed) add_open_mpi(job, picked, options.check_buffers, options.environment);
  return job;
}

// Nobody has told it to end. A program without a launcher is its own.
bool launcher_died(const Outcome& o, const Job& job) {
  return job.known_launcher && o.signal != 0 && o.interrupted == 0 && !o.timed_out &&
         !o.deadlocked && !o.launcher_stuck;
}

// What the report is made of: the agent's word, or what it had told before it died.
// What kept vouch from seeing the program, if anything did, in the words of who knows it.
void name_obstacles(const Outcome& outcome, const Job& job, Summary& summary) {
  const auto nothing = std::find_if(summary.not_checked.begin(), summary.not_checked.end(),
                                    [](const NotChecked& n) { return n.reason == kNoMpi; });
  // One that was ended at a time limit has something to say about that, too: it counts only where
  // there was nothing else.
  const bool unseen = nothing != summary.not_checked.end();
  if (!outcome.launcher_said.empty() && (unseen || !outcome.timed_out)) {
    if (unseen) summary.not_checked.erase(nothing);
    summary.not_checked.insert(summary.not_checked.begin(),
                               {"the launcher",
                                fmt::format("{} failed itself, with status {}: {}", job.command[0],
                                            outcome.status, outcome.launcher_said),
                                1,
                                {},
                                {}});
    return;
  }
  if (!unseen) return;
  if (std::string why = why_unseen(job.command, !job.several); !why.empty())
    nothing->reason += fmt::format(" ({})", why);
}

Summary settle(Outcome& outcome, const Job& job, const RunOptions& options) {
  Summary summary;
  if (outcome.summary) {
    summary = std::move(*outcome.summary);
  } else {
    summary.findings = std::move(outcome.findings);
    summary.not_checked.push_back(
        {"the run",
         fmt::format("the agent of vouch {}: what came after is not checked", outcome.agent_end),
         1,
         {},
         {}});
  }
  if (outcome.timed_out) {
    summary.not_checked.insert(
        summary.not_checked.begin(),
        {"the run",
         fmt::format("it was ended at the time limit of {} s", options.timeout->count() / 1000.0),
         1,
         {},
         {}});
  }
  if (outcome.launcher_stuck) {
    summary.not_checked.push_back(
        {"the launcher", "it did not notice that a process had died, and was ended", 1, {}, {}});
  }
  if (launcher_died(outcome, job)) {
    summary.not_checked.push_back(
        {"the launcher",
         fmt::format("it was killed by SIG{}", ::sigabbrev_np(outcome.signal)),
         1,
         {},
         {}});
  }
  name_obstacles(outcome, job, summary);
  summary.command = options.typed;
  summary.strict = options.strict;
  for (Finding& f : summary.findings) {
    if (f.again.empty())
      f.again = shell_quoted(again_command(options.typed, summary.schedule, options.record));
  }
  return summary;
}

TextOptions text_options(const RunOptions& options) {
  TextOptions how;
  how.colour = use_colour(options.colour);
  how.info = options.info;
  return how;
}

std::string text_of(const Summary& summary, const RunOptions& options, const TextOptions& how) {
  if (!options.quiet) return write_text(summary, how);
  std::string text;
  for (const Finding& f : summary.findings) {
    if (f.severity == Severity::info && !options.info) continue;
    const auto before = how.shown.find(identity(f));
    text += before == how.shown.end() ? write_text(f, how) : follow_up(f, before->second, how);
  }
  return text;
}

// Of the first finding that has one.
std::string picture_of(const Summary& summary, const std::string& path) {
  Picture picture{"digraph waits {\n}\n", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>\n"};
  for (auto f = summary.findings.rbegin(); f != summary.findings.rend(); ++f) {
    if (!f->picture.empty()) picture = f->picture;
  }
  return path.ends_with(".svg") ? picture.svg : picture.dot;
}

}  // namespace

std::string find_shim() {
  std::error_code none;
  const fs::path self = own_path();
  const fs::path prefix = self.parent_path().parent_path();
  for (const fs::path& candidate :
       {prefix / "lib" / "libvouch.so", prefix / VOUCH_LIBDIR / "vouch" / "libvouch.so",
        prefix / VOUCH_LIBDIR / "libvouch.so", prefix / "lib" / "vouch" / "libvouch.so",
        self.parent_path() / "libvouch.so"}) {
    if (fs::exists(candidate, none)) return candidate.string();
  }
  return "";
}

std::string find_back_end(MpiKind kind) {
  const std::string shim = find_shim();
  if (shim.empty()) return "";
  const char* file = kind == MpiKind::openmpi ? "libvouch_openmpi.so" : "libvouch_mpich.so";
  const fs::path path = fs::path(shim).parent_path() / file;
  std::error_code none;
  return fs::exists(path, none) ? path.string() : "";
}

Prepared prepare(const RunOptions& options) {
  auto command = command_line(options);
  if (!command.ok()) return {complain(kExitUsage, command.error())};
  const std::string shim = find_shim();
  if (shim.empty())
    return {complain(kExitInternal,
                     "libvouch.so is missing: it belongs in ../lib beside the folder of vouch")};
  Prepared prepared{0, make_job(options, std::move(*command), preloadable(shim))};
  if (options.trace.empty()) return prepared;
  const auto file = trace::Writer::open(options.trace);
  if (!file.ok()) return {complain(kExitUsage, file.error())};
  prepared.job.trace = file.value();
  prepared.job.trace_path = options.trace;
  return prepared;
}

Ran run_prepared(const Prepared& prepared, const RunOptions& options) {
  Outcome outcome = supervise(prepared.job);
  if (!outcome.internal.empty()) return {complain(kExitInternal, outcome.internal)};
  if (!outcome.not_started.empty()) return {complain(kExitUsage, outcome.not_started)};
  Summary summary = settle(outcome, prepared.job, options);
  return {0, outcome.status, std::move(summary),
          launcher_died(outcome, prepared.job) ? outcome.signal : 0};
}

int run(const RunOptions& options) {
  Suppressions suppressions;
  for (const std::string& path : options.suppressions) {
    auto loaded = Suppressions::load(path);
    if (!loaded.ok()) return complain(kExitUsage, loaded.error());
    suppressions.add(std::move(*loaded));
  }
  Prepared prepared = prepare(options);
  if (prepared.refused != 0) return prepared.refused;
  OutputFile json("the report", options.json), record("the schedule", options.record),
      picture("the picture", options.picture);
  for (const OutputFile* file : {&json, &record, &picture}) {
    if (const std::string problem = file->problem(); !problem.empty())
      return complain(kExitUsage, problem);
  }
  // A deadlock is told when it is known; to end the job may take its launcher a while.
  TextOptions how = text_options(options);
  prepared.job.show = [&](const std::vector<Finding>& findings) {
    const auto before = std::signal(SIGPIPE, SIG_IGN);
    for (const Finding& f : findings) {
      if (Suppressions(suppressions).matches(f)) continue;
      const auto [at, is_new] = how.shown.try_emplace(identity(f), f);
      const std::string text = is_new ? write_text(f, how) : follow_up(f, at->second, how);
      at->second = f;
      if (!text.empty()) write_stderr(text + (options.quiet ? "" : "\n"));
    }
    std::signal(SIGPIPE, before);
  };
  Ran ran = run_prepared(prepared, options);
  if (ran.refused != 0) return ran.refused;

  std::signal(SIGPIPE, SIG_IGN);  // nobody reads the report: the exit status still tells
  Summary& summary = ran.summary;
  suppressions.apply(summary);  // judges too
  bool delivered = write_stderr(text_of(summary, options, how));
  const auto deliver = [&](OutputFile& file, const std::string& text) {
    const std::string problem = file.write(text);
    if (!problem.empty()) complain(kExitInternal, problem);
    delivered = delivered && problem.empty();
  };
  deliver(json, write_json(summary));
  deliver(picture, picture_of(summary, options.picture));
  if (!options.record.empty()) deliver(record, schedule_file(summary.schedule, options.typed));
  if (!delivered) return kExitInternal;
  switch (summary.verdict) {
    case Verdict::error:
      return options.error_exitcode;
    case Verdict::inconclusive:
      return kExitInconclusive;
    case Verdict::clean:
      break;
  }
  return ran.status;
}

}  // namespace vouch
