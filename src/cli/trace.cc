#include "cli/trace.h"

#include <cstdio>

#include <fmt/format.h>

#include "cli/help.h"
#include "run/exit_status.h"
#include "trace/dump.h"
#include "trace/load.h"

namespace vouch {
namespace {

int wrong(const std::string& sentence) {
  fmt::print(stderr, "vouch: {} (see vouch trace --help)\n", sentence);
  return kExitUsage;
}

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

int trace_command(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (word != "-h" && word != "--help") continue;
    fmt::print("{}", help_trace());
    return 0;
  }
  if (words.empty()) return wrong("trace needs a word: dump");
  if (words[0] != "dump") return wrong(fmt::format("there is no trace {}", words[0]));
  if (words.size() != 2) return wrong("trace dump needs one file");
  return dump_file(words[1]);
}

}  // namespace vouch
