#include "run/prepare.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "launch/direct.h"
#include "run/installation.h"
#include "run/launchers.h"
#include "run/program.h"
#include "run/wrappers.h"
#include "trace/writer.h"

namespace vouch {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSanitizerVariable = "ASAN_OPTIONS";

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

// What the user preloads stays before what vouch does, but for the runtimes of sanitizers: those
// take malloc and its kin without passing them on, and what comes behind them would see no block.
std::string add_preloads(std::string_view before, const std::string& ours) {
  constexpr std::string_view kRuntimes[] = {"libasan.", "libubsan.", "liblsan.", "libtsan.",
                                            "libclang_rt."};
  std::string first, last;
  for (std::size_t at = 0; at < before.size();) {
    const std::size_t end = std::min(before.find_first_of(" :", at), before.size());
    const std::string_view path = before.substr(at, end - at);
    const std::string_view name = path.substr(path.rfind('/') + 1);
    at = end + 1;
    if (path.empty()) continue;
    const bool runtime = std::any_of(std::begin(kRuntimes), std::end(kRuntimes),
                                     [&](auto prefix) { return name.starts_with(prefix); });
    if (runtime) {
      last += fmt::format(":{}", path);
    } else {
      first += fmt::format("{}:", path);
    }
  }
  return first + ours + last;
}

Job make_job(const RunOptions& options, Start start, const std::string& shim) {
  Job job;
  job.command = std::move(start.command);
  job.direct = start.direct;
  if (options.quick) job.environment = launch::quick_start_environment();
  job.timeout = options.timeout;
  job.buffering = options.buffering;
  job.most_unexpected = options.most_unexpected;
  job.on_deadlock = options.on_deadlock;
  job.checks = options.checks;
  job.schedule = options.schedule;
  const char* before = std::getenv("LD_PRELOAD");
  std::string preloads = shim;
  if (options.check_buffers) {
    preloads += ':' + (fs::path(shim).parent_path() / "libvouch_heap.so").string();
    job.environment.emplace_back("VOUCH_CHECK_BUFFERS", "1");
  }
  job.environment.emplace_back("LD_PRELOAD",
                               add_preloads(before != nullptr ? before : "", preloads));
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

}  // namespace

Prepared prepare(const RunOptions& options) {
  auto command = command_line(options);
  if (!command.ok()) return {{kExitUsage, command.error()}};
  const std::string shim = find_shim();
  if (shim.empty())
    return {
        {kExitInternal, "libvouch.so is missing: it belongs in ../lib beside the folder of vouch"}};
  Prepared prepared{{}, make_job(options, std::move(*command), preloadable(shim))};
  if (options.trace.empty()) return prepared;
  const auto file = trace::Writer::open(options.trace);
  if (!file.ok()) return {{kExitUsage, file.error()}};
  prepared.job.trace = file.value();
  prepared.job.trace_path = options.trace;
  return prepared;
}

}  // namespace vouch
