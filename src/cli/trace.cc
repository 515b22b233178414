#include "cli/trace.h"

#include <cstdio>

#include <fmt/format.h>

#include "run/exit_status.h"
#include "trace/dump.h"
#include "trace/load.h"

namespace vouch {
namespace {

int dump_file(const std::string& path) {
  const auto loaded = trace::load_file(path);
  if (!loaded.ok()) {
    fmt::print(stderr, "vouch: {}\n", loaded.error());
    return kExitUsage;
  }
  bool good = true;
  trace::dump(loaded.value().trace, [&](std::string_view line) {
    if (!good) return;
    good = std::fwrite(line.data(), 1, line.size(), stdout) == line.size() &&
           std::fputc('\n', stdout) != EOF;
  });
  if (std::fflush(stdout) != 0 || !good) {
    fmt::print(stderr, "vouch: the output could not be written\n");
    return kExitInternal;
  }
  if (!loaded.value().cut.empty()) fmt::print(stderr, "vouch: {}: {}\n", path, loaded.value().cut);
  if (loaded.value().lost > 0)
    fmt::print(stderr, "vouch: {}: {} records are missing\n", path, loaded.value().lost);
  return loaded.value().cut.empty() && loaded.value().lost == 0 ? 0 : kExitInconclusive;
}

}  // namespace

int trace_command(const CommandLine& line) {
  if (const std::string sentence = line.unknown_option(); !sentence.empty())
    return wrong_usage(sentence, Subcommand::trace);
  const std::vector<std::string>& words = line.rest();
  if (words.empty()) return wrong_usage("trace needs a word: dump", Subcommand::trace);
  if (words[0] != "dump")
    return wrong_usage(fmt::format("there is no trace {}", words[0]), Subcommand::trace);
  if (words.size() != 2) return wrong_usage("trace dump needs one file", Subcommand::trace);
  return dump_file(words[1]);
}

}  // namespace vouch
