#include "cli/predict.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include "base/read_file.h"
#include "cli/help.h"
#include "cli/values.h"
#include "predict/findings.h"
#include "predict/state.h"
#include "report/collector.h"
#include "report/json.h"
#include "report/text.h"
#include "run/confirm.h"
#include "run/exit_status.h"
#include "run/run_job.h"
#include "trace/load.h"
#include "trace_program/forced.h"

namespace vouch {
namespace {

constexpr const char* kManual = "vouch predict --help";
constexpr double kLeastReplay = 10'000, kMostReplay = 600'000;  // milliseconds

int wrong(const std::string& sentence) {
  fmt::print(stderr, "vouch: {} (see {})\n", sentence, kManual);
  return kExitUsage;
}

int failed(const std::string& sentence) {
  fmt::print(stderr, "vouch: {}\n", sentence);
  return kExitUsage;
}

int refuse(const Refusal& refusal) {
  fmt::print(stderr, "vouch: {}\n", refusal.why);
  return refusal.status;
}

struct Line {
  std::string file, json, smtlib, schedules, timeout = "60s";
  std::string mpi, trace, run_timeout;  // of a run
  int ranks = 0;
  bool no_confirm = false;
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

// A program, and what it does not show.
using Input = Result<TraceProgram>;

Input from_trace(const std::string& path, const std::string& name) {
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

// A trace of a run, its dump, or the text of a trace program.
Input from_file(const std::string& path) {
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

// What a run of the program itself has shown, and its trace.
struct Live {
  int refused = 0;
  Summary summary{};
  Input input{Error{}};
  RunOptions options{};  // of that run
  double seconds = 0;
};

Live from_run(const Line& line, std::vector<std::string> command,
              const std::vector<std::string>& typed) {
  RunOptions options;
  if (!command.empty() && command[0] == "--") command.erase(command.begin());
  if (command.empty()) return {wrong("no program to run")};
  options.command = std::move(command);
  options.ranks = line.ranks;
  options.mpi = line.mpi == "openmpi" ? MpiKind::openmpi
                : line.mpi == "mpich" ? MpiKind::mpich
                                      : MpiKind::none;
  if (!line.mpi.empty() && options.mpi == MpiKind::none)
    return {wrong(fmt::format("--mpi is openmpi or mpich, not '{}'", line.mpi))};
  options.trace = line.trace;
  options.environment.emplace_back("VOUCH_VALUES", "1");
  if (!line.run_timeout.empty()) {
    options.timeout = parse_duration(line.run_timeout);
    if (!options.timeout)
      return {wrong(fmt::format("--run-timeout needs a time such as 90s, 2m or 1h, not '{}'",
                                line.run_timeout))};
  }
  Prepared prepared = prepare(options);
  if (prepared.refusal) return {refuse(prepared.refusal)};
  // Without a name in any folder nothing is left behind.
  if (line.trace.empty()) {
    prepared.job.trace = ::memfd_create("vouch-trace", MFD_CLOEXEC);
    prepared.job.trace_path = "memory";
  }
  const auto start = std::chrono::steady_clock::now();
  JobResult ran = run_job(prepared.job);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  if (ran.refusal) return {refuse(ran.refusal)};
  for (Finding& f : ran.summary.findings)
    if (f.again.empty()) f.again = shell_quoted(typed);
  const std::string path =
      line.trace.empty() ? fmt::format("/proc/self/fd/{}", prepared.job.trace) : line.trace;
  options.trace.clear();
  return {0, std::move(ran.summary), from_trace(path, "the trace of the run"), std::move(options),
          took.count()};
}

// One prediction as the report shows it.
Finding finding_of(const predict::Prediction& prediction, SiteTable& sites) {
  Collector alone(sites);
  alone.report(prediction.report);
  return alone.summary().findings.at(0);
}

// What predictions become in the report. Those of a real program are potential ones until a replay
// has shown them: what a program does may depend on which messages it gets.
class Teller {
 public:
  Teller(const TraceProgram& trace, const Line& line, Live& run,
         const std::vector<std::string>& typed)
      : trace_(trace), line_(line), run_(run), typed_(typed) {}

  void tell(const predict::Prediction& prediction, SiteTable& sites, Summary& summary) const {
    Finding finding = finding_of(prediction, sites);
    finding.again = shell_quoted(typed_);
    if (has_shown(prediction, finding)) return;
    if (!trace_.wildcards.empty()) look(prediction, finding, summary);
    summary.findings.push_back(std::move(finding));
  }

 private:
  // The run itself ended in this deadlock.
  bool has_shown(const predict::Prediction& prediction, const Finding& finding) const {
    if (prediction.what != predict::Prediction::What::deadlock) return false;
    const auto same = [&](const Finding& f) {
      return f.rule.starts_with("deadlock/") && !f.potential && f.severity == Severity::error &&
             std::any_of(finding.locations.begin(), finding.locations.end(),
                         [&](const Location& l) { return stands_at(f, l); });
    };
    const auto shown =
        std::find_if(run_.summary.findings.begin(), run_.summary.findings.end(), same);
    if (shown == run_.summary.findings.end()) return false;
    if (prediction.always) {
      shown->message += "; in every schedule";
      shown->again = shell_quoted(replay_words(run_.options, forced(trace_, prediction.schedule),
                                               prediction.buffering == predict::Buffering::zero));
    }
    return true;
  }

  static bool stands_at(const Finding& f, const Location& at) {
    return std::any_of(f.locations.begin(), f.locations.end(), [&](const Location& l) {
      return l.rank == at.rank && where(l) == where(at);
    });
  }

  // An error that a replay has shown. What the run only warned of has come true then.
  void add(Finding error, const std::string& again, Summary& summary) const {
    error.again = again;
    if (error.locations.empty()) return summary.findings.push_back(std::move(error));
    for (Finding& f : run_.summary.findings) {
      if (f.rule == error.rule && !f.potential && stands_at(f, error.locations[0])) return;
      const bool harmful = f.rule == info(Rule::race_message_harmful).id && !f.locations.empty();
      if (!harmful || f.locations[0].rank != error.locations[0].rank ||
          where(f.locations[0]) != where(error.locations[0]))
        continue;
      if (f.potential)
        f.message += fmt::format("; a replay has shown it ({}: {})", error.rule, error.message);
      f.potential = false;
      f.again = again;
      return;
    }
    summary.findings.push_back(std::move(error));
  }

  void look(const predict::Prediction& prediction, Finding& finding, Summary& summary) const {
    finding.potential = true;
    if (run_.options.command.empty()) {
      finding.message += "; not confirmed: there is only a trace";
      return;
    }
    const policy::Schedule schedule = forced(trace_, prediction.schedule);
    const bool synchronous = prediction.buffering == predict::Buffering::zero;
    finding.again = shell_quoted(replay_words(run_.options, schedule, synchronous));
    if (line_.no_confirm) {
      finding.message += "; not confirmed";
      return;
    }
    RunOptions options = run_.options;
    options.timeout = std::chrono::milliseconds(
        static_cast<int>(std::clamp(10'000 * run_.seconds, kLeastReplay, kMostReplay)));
    const bool deadlock = prediction.what == predict::Prediction::What::deadlock;
    const Confirmation seen =
        confirm(options, schedule, synchronous, deadlock ? "deadlock/" : finding.rule);
    switch (seen.fate) {
      case Fate::confirmed:
        finding.potential = false;
        finding.message += "; a replay has shown it";
        break;
      case Fate::otherwise:
        finding.severity = Severity::info;
        finding.message +=
            "; a replay did not come to that, it ended in another error: " + seen.errors[0].rule;
        for (const Finding& error : seen.errors) add(error, finding.again, summary);
        break;
      case Fate::refuted:
        finding.severity = Severity::info;
        finding.message += "; a replay did not show it: " + seen.why;
        summary.not_checked.push_back(
            {prediction.name, "predicted, but a replay did not show it: " + seen.why, 1, {}, {}});
        break;
      case Fate::unknown:
        finding.message += "; a replay could not tell: " + seen.why;
        break;
    }
  }

  const TraceProgram& trace_;
  const Line& line_;
  Live& run_;
  const std::vector<std::string>& typed_;
};

}  // namespace

int predict_command(std::vector<std::string> words, const std::vector<std::string>& typed) {
  CLI::App app;
  Line line;
  app.set_help_flag();
  app.add_flag("-h,--help", line.help);
  // A program's own words are none of ours.
  const bool live = std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return word == "-n" || word == "--np";
  });
  if (live)
    app.prefix_command();
  else
    app.add_option("file", line.file);
  app.add_option("-n,--np", line.ranks)->check(CLI::PositiveNumber);
  app.add_option("--mpi", line.mpi);
  app.add_option("--trace", line.trace);
  app.add_option("--run-timeout", line.run_timeout);
  app.add_flag("--no-confirm", line.no_confirm);
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
  if (!live && line.file.empty()) return wrong("no trace to decide");
  predict::QuestionOptions options;
  predict::Asked asked;
  if (const auto problem = understand(line, options, asked); !problem.empty())
    return wrong(problem);
  Live run;
  if (live) run = from_run(line, app.remaining(), typed);
  if (run.refused != 0) return run.refused;
  const auto input = live ? std::move(run.input) : from_file(line.file);
  if (!input.ok()) return failed(input.error());
  const predict::Program& program = input.value().program;

  asked.answers = input.value().answers;

  SiteTable sites;
  Collector collector(sites);
  const auto predicted = predict::predict(program, options, asked, sites);
  for (const NotChecked& n : predicted.undecided) collector.not_checked(n);
  for (const NotChecked& n : input.value().not_checked) collector.not_checked(n);
  // The run was judged with sends that are not buffered: nothing else can happen in this program.
  if (!live || input.value().chance)
    for (const NotChecked& n : input.value().not_shown) collector.not_checked(n);
  const auto is_race = [](const predict::Prediction& p) {
    return p.what == predict::Prediction::What::race;
  };
  for (const auto& p : predicted.predictions)
    if (is_race(p)) collector.report(p.report);
  Summary summary = collector.summary();
  const std::vector<Finding> races = std::exchange(summary.findings, {});
  const Teller teller(input.value(), line, run, typed);
  for (const auto& p : predicted.predictions)
    if (!is_race(p)) teller.tell(p, sites, summary);
  summary.findings.insert(summary.findings.end(), races.begin(), races.end());
  // What the run itself has shown comes first. That only a buffer saved it is said better by a
  // prediction.
  const auto said = [&](const predict::Prediction& p) {
    return p.what == predict::Prediction::What::deadlock && p.buffering == predict::Buffering::zero;
  };
  if (std::any_of(predicted.predictions.begin(), predicted.predictions.end(), said))
    std::erase_if(run.summary.findings,
                  [](const Finding& f) { return f.potential && f.rule.starts_with("deadlock/"); });
  summary.findings.insert(summary.findings.begin(), run.summary.findings.begin(),
                          run.summary.findings.end());
  summary.not_checked.insert(summary.not_checked.begin(), run.summary.not_checked.begin(),
                             run.summary.not_checked.end());
  summary.command = typed;
  summary.ranks = program.processes();
  summary.statistics = predicted.statistics;
  summary.strict = line.strict;
  summary.verdict = judge(summary);
  const auto report = show(summary, line);
  std::fwrite(report.data(), 1, report.size(), stderr);
  if (!line.json.empty() && !write_file(line.json, write_json(summary)))
    return failed(fmt::format("{} cannot be written", line.json));
  if (!line.schedules.empty()) {
    std::string all;
    for (const auto& p : predicted.predictions) {
      all += fmt::format("; {}\n", p.name);
      if (!input.value().wildcards.empty())
        all +=
            fmt::format("; vouch replay {}\n", policy::to_text(forced(input.value(), p.schedule)));
      all += predict::print_schedule(program, p.schedule) + "\n";
    }
    if (!write_file(line.schedules, all))
      return failed(fmt::format("{} cannot be written", line.schedules));
  }
  return summary.verdict == Verdict::error          ? line.error_exitcode
         : summary.verdict == Verdict::inconclusive ? kExitInconclusive
                                                    : 0;
}

}  // namespace vouch
