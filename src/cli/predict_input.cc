#include "cli/predict_input.h"

#include <cctype>
#include <chrono>
#include <fstream>
#include <utility>

#include <fmt/format.h>
#include <sys/mman.h>

#include "base/read_file.h"
#include "trace/load.h"

namespace vouch {
namespace {

Result<TraceProgram> from_trace(const std::string& path, const std::string& name) {
  std::ifstream file(path, std::ios::binary);
  const auto loaded = trace::load(file);
  if (!loaded.ok()) return Error{fmt::format("{}: {}", name, loaded.error())};
  auto program = program_of(loaded.value().trace);
  if (!program.ok()) return Error{fmt::format("{}: {}", name, program.error())};
  if (!loaded.value().cut.empty())
    program->not_checked.push_back({name, loaded.value().cut, 1, {}, {}});
  if (loaded.value().lost > 0)
    program->not_checked.push_back({name, "calls are missing in it", loaded.value().lost, {}, {}});
  return program;
}

}  // namespace

Result<TraceProgram> program_from_file(const std::string& path) {
  if (trace::is_trace(path)) return from_trace(path, path);
  const auto bytes = read_file(path);
  if (!bytes) return Error{fmt::format("{} cannot be read", path)};
  const std::string& text = *bytes;
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string::npos && std::isdigit(static_cast<unsigned char>(text[first])) != 0) {
    const auto events = read_text(text);  // lines of calls begin with a rank
    if (!events.ok()) return Error{fmt::format("{}:{}", path, events.error())};
    auto program = program_of(events.value());
    if (!program.ok()) return Error{fmt::format("{}: {}", path, program.error())};
    return program;
  }
  auto program = predict::parse(text);
  if (!program.ok()) return Error{fmt::format("{}:{}", path, program.error())};
  TraceProgram traced;
  traced.program = std::move(*program);
  return traced;
}

TracedRun program_from_run(Prepared prepared, RunOptions options) {
  // Without a name in any folder nothing is left behind.
  if (options.trace.empty()) {
    prepared.job.trace = ::memfd_create("vouch-trace", MFD_CLOEXEC);
    prepared.job.trace_path = "memory";
  }
  const auto start = std::chrono::steady_clock::now();
  JobResult ran = run_job(prepared.job);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  if (ran.refusal) return {std::move(ran.refusal)};
  const std::string path =
      options.trace.empty() ? fmt::format("/proc/self/fd/{}", prepared.job.trace) : options.trace;
  options.trace.clear();
  return {{},
          std::move(ran.summary),
          from_trace(path, "the trace of the run"),
          std::move(options),
          took.count()};
}

}  // namespace vouch
