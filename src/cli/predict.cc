#include "cli/predict.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include "cli/help.h"
#include "cli/options.h"
#include "predict/findings.h"
#include "predict/state.h"
#include "report/collector.h"
#include "report/json.h"
#include "report/text.h"

namespace vouch {
namespace {

constexpr const char* kManual = "vouch predict --help";

int wrong(const std::string& sentence) {
  fmt::print(stderr, "vouch: {} (see {})\n", sentence, kManual);
  return kExitUsage;
}

int failed(const std::string& sentence) {
  fmt::print(stderr, "vouch: {}\n", sentence);
  return kExitUsage;
}

struct Line {
  std::string file, json, smtlib, schedules, timeout = "60s";
  std::string questions = "race,assertion,deadlock", buffering = "both";
  std::string encoding = "unified", pairs = "source-aware", color = "auto";
  int bound = 0, error_exitcode = kExitError;
  bool sections = false, strict = false, info = false, quiet = false, help = false;
};

template <typename T>
bool choose(const std::map<std::string, T>& known, const std::string& word, T& value) {
  const auto found = known.find(word);
  if (found == known.end()) return false;
  value = found->second;
  return true;
}

// "" or what is wrong with the words.
std::string understand(const Line& line, predict::QuestionOptions& options, predict::Asked& asked) {
  using predict::EncodingKind;
  using predict::MatchRule;
  if (!choose<EncodingKind>({{"unified", EncodingKind::unified},
                             {"e1", EncodingKind::e1},
                             {"e2", EncodingKind::e2},
                             {"e3", EncodingKind::e3}},
                            line.encoding, options.encoding))
    return fmt::format("--encoding is unified, e1, e2 or e3, not '{}'", line.encoding);
  if (!choose<MatchRule>({{"source-aware", MatchRule::source_aware},
                          {"rank", MatchRule::rank},
                          {"endpoint", MatchRule::endpoint}},
                         line.pairs, options.pairs))
    return fmt::format("--pairs is source-aware, rank or endpoint, not '{}'", line.pairs);
  const auto time = parse_duration(line.timeout);
  if (!time)
    return fmt::format("--timeout needs a time such as 90s, 2m or 1h, not '{}'", line.timeout);
  options.limits.seconds = std::chrono::duration<double>(*time).count();
  options.limits.smtlib = line.smtlib;
  options.sections = line.sections || line.bound > 0;
  options.largest_bound = line.bound;
  if (line.buffering != "infinite" && line.buffering != "zero" && line.buffering != "both")
    return fmt::format("--buffering is infinite, zero or both, not '{}'", line.buffering);
  asked = {.races = false, .assertions = false, .deadlock = false};
  asked.infinite = line.buffering != "zero";
  asked.zero = line.buffering != "infinite";
  std::istringstream words(line.questions);
  for (std::string word; std::getline(words, word, ',');) {
    if (word == "race")
      asked.races = true;
    else if (word == "assertion")
      asked.assertions = true;
    else if (word == "deadlock")
      asked.deadlock = true;
    else
      return fmt::format("--questions are race, assertion and deadlock, not '{}'", word);
  }
  if (options.encoding != EncodingKind::unified && (asked.races || asked.deadlock))
    return "the dissertation's encodings answer --questions=assertion only";
  if (options.encoding == EncodingKind::e3 && asked.infinite)
    return "e3 is an encoding for --buffering=zero";
  if (options.encoding != EncodingKind::unified && options.encoding != EncodingKind::e3 &&
      asked.zero)
    return "e1 and e2 are encodings for --buffering=infinite";
  return {};
}

std::string show(const Summary& summary, const Line& line) {
  const bool colour =
      line.color == "always" || (line.color == "auto" && ::isatty(STDERR_FILENO) != 0);
  const TextOptions how{.colour = colour, .info = line.info};
  if (!line.quiet) return write_text(summary, how);
  std::string text;
  for (const Finding& f : summary.findings)
    if (f.severity != Severity::info || line.info) text += write_text(f, how);
  return text;
}

bool write_file(const std::string& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  return static_cast<bool>(file.flush());
}

}  // namespace

int predict_command(std::vector<std::string> words, const std::vector<std::string>& typed) {
  CLI::App app;
  Line line;
  app.set_help_flag();
  app.add_flag("-h,--help", line.help);
  app.add_option("file", line.file);
  app.add_option("--questions", line.questions);
  app.add_option("--buffering", line.buffering);
  app.add_option("--encoding", line.encoding);
  app.add_option("--pairs", line.pairs);
  app.add_flag("--sections", line.sections);
  app.add_option("--bound", line.bound)->check(CLI::PositiveNumber);
  app.add_option("--smtlib", line.smtlib)->check(CLI::ExistingDirectory);
  app.add_option("--schedules", line.schedules);
  app.add_option("--json", line.json);
  app.add_option("--timeout", line.timeout);
  app.add_flag("--strict", line.strict);
  app.add_flag("--info", line.info);
  app.add_flag("--quiet", line.quiet);
  app.add_option("--error-exitcode", line.error_exitcode)->check(CLI::Range(0, 255));
  app.add_option("--color,--colour", line.color);
  try {
    std::reverse(words.begin(), words.end());  // CLI11 wants them so
    app.parse(std::move(words));
  } catch (const CLI::Error& error) {
    const std::string text = error.what();
    return wrong(text.substr(0, text.find('\n')));
  }
  if (line.help) {
    fmt::print("{}", help_predict());
    return 0;
  }
  if (line.file.empty()) return wrong("no trace to decide");
  predict::QuestionOptions options;
  predict::Asked asked;
  if (const auto problem = understand(line, options, asked); !problem.empty())
    return wrong(problem);

  std::ifstream file(line.file, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) return failed(fmt::format("{} cannot be read", line.file));
  const auto program = predict::parse(text.str());
  if (!program.ok()) return failed(fmt::format("{}:{}", line.file, program.error()));

  SiteTable sites;
  Collector collector(sites);
  const auto predicted = predict::predict(program.value(), options, asked, sites, collector);
  Summary summary = collector.summary();
  summary.command = typed;
  summary.ranks = program.value().processes();
  summary.statistics = predicted.statistics;
  summary.strict = line.strict;
  summary.verdict = judge(summary);
  const auto report = show(summary, line);
  std::fwrite(report.data(), 1, report.size(), stderr);
  if (!line.json.empty() && !write_file(line.json, write_json(summary)))
    return failed(fmt::format("{} cannot be written", line.json));
  if (!line.schedules.empty()) {
    std::string all;
    for (const auto& [what, schedule] : predicted.schedules)
      all += fmt::format("; {}\n{}\n", what, predict::print_schedule(program.value(), schedule));
    if (!write_file(line.schedules, all))
      return failed(fmt::format("{} cannot be written", line.schedules));
  }
  return summary.verdict == Verdict::error          ? line.error_exitcode
         : summary.verdict == Verdict::inconclusive ? kExitInconclusive
                                                    : 0;
}

}  // namespace vouch
