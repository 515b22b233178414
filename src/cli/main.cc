// The command line.

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/doctor.h"
#include "cli/explore.h"
#include "cli/help.h"
#include "cli/predict.h"
#include "cli/run.h"
#include "cli/schedules.h"
#include "cli/trace.h"
#include "cli/values.h"
#include "report/version.h"
#include "run/agent_command.h"
#include "run/confirm.h"
#include "run/exit_status.h"
#include "run/probe.h"
#include "run/surroundings.h"

namespace {

using namespace vouch;

int wrong(const std::string& sentence, const char* manual) {
  fmt::print(stderr, "vouch: {} (see {})\n", sentence, manual);
  return kExitUsage;
}

int print(std::string_view text) {
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0
             ? 0
             : kExitInternal;
}

// One sentence without the program's name and line ends.
std::string sentence(const CLI::Error& error) {
  std::string text = error.what();
  text = text.substr(0, text.find('\n'));
  if (!text.empty() && text.back() == '.') text.pop_back();
  return text;
}

struct RunLine {
  std::string mpi, timeout, patience, color = "auto", ranks, buffering, on_deadlock = "end",
                                      schedule;
  int stacks = 0;
  bool help = false;
};

void describe_run(CLI::App& app, RunOptions& options, ReportOptions& report, RunLine& line) {
  app.set_help_flag();
  app.prefix_command();
  app.add_flag("-h,--help", line.help);
  app.add_option("-n,--np", line.ranks);
  app.add_option("--mpi", line.mpi);
  app.add_option("--json", report.json);
  app.add_option("--trace", options.trace);
  app.add_option("--picture", report.picture);
  app.add_option("--suppressions", report.suppressions)->allow_extra_args(false);
  app.add_flag("--strict", report.strict);
  app.add_flag("--info", report.info);
  app.add_flag("--quiet", report.quiet);
  app.add_flag("--check-buffers", options.check_buffers);
  app.add_flag("--stacks{8}", line.stacks);
  app.add_option("--timeout", line.timeout);
  app.add_option("--patience", line.patience);
  app.add_option("--buffering", line.buffering);
  app.add_option("--most-unexpected", options.most_unexpected)
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 40));
  app.add_option("--on-deadlock", line.on_deadlock);
  app.add_option("--net", options.net);
  app.add_option("--fanout", options.fanout)->check(CLI::Range(1, 1024));
  app.add_option("--error-exitcode", report.error_exitcode)->check(CLI::Range(0, 255));
  app.add_option("--color,--colour", line.color);
}

int do_run(const std::string& command, const CLI::App& app, RunOptions& options,
           ReportOptions& report, const RunLine& line) {
  const std::string manual = "vouch " + command + " --help";
  const char* const kManual = manual.c_str();
  if (line.help) return print(help_of(command));
  if (!line.ranks.empty()) {
    const bool digits = line.ranks.find_first_not_of("0123456789") == std::string::npos;
    options.ranks = digits && line.ranks.size() < 8 ? std::stoi(line.ranks) : 0;
    if (options.ranks < 1)
      return wrong(fmt::format("-n needs a number of ranks, 1 or more, not '{}'", line.ranks),
                   kManual);
  }
  if (line.mpi == "openmpi") options.mpi = MpiKind::openmpi;
  if (line.mpi == "mpich") options.mpi = MpiKind::mpich;
  if (!line.mpi.empty() && options.mpi == MpiKind::none) {
    return wrong(fmt::format("--mpi is openmpi or mpich, not '{}'", line.mpi), kManual);
  }
  if (line.color == "always") report.colour = ReportOptions::Colour::always;
  if (line.color == "never") report.colour = ReportOptions::Colour::never;
  if (report.colour == ReportOptions::Colour::automatic && line.color != "auto") {
    return wrong(fmt::format("--color is auto, always or never, not '{}'", line.color), kManual);
  }
  if (!line.timeout.empty()) {
    options.timeout = parse_duration(line.timeout);
    if (!options.timeout)
      return wrong(
          fmt::format("--timeout needs a time such as 90s, 2m or 1h, not '{}'", line.timeout),
          kManual);
  }
  if (!line.patience.empty()) {
    options.patience = parse_duration(line.patience);
    if (!options.patience || *options.patience > std::chrono::hours(24))
      return wrong(fmt::format("--patience needs a time of at most 24h such as 5s or 1m, not '{}'",
                               line.patience),
                   kManual);
    options.environment.emplace_back(kPatienceVariable, std::to_string(options.patience->count()));
  }
  if (!line.buffering.empty()) {
    const auto buffering = parse_buffering(line.buffering);
    if (!buffering)
      return wrong(
          fmt::format("--buffering is strict, as-run or limit=BYTES, not '{}'", line.buffering),
          kManual);
    options.buffering = *buffering;
    if (command == "replay" && buffering->mode == wait::Buffering::Mode::strict)
      forbid_buffering(options);
  }
  if (app.count("--stacks") > 0) {
    if (line.stacks < 1 || line.stacks > 32)
      return wrong("--stacks needs a number of callers, 1 to 32", kManual);
    options.environment.emplace_back("VOUCH_STACKS", std::to_string(line.stacks));
  }
  constexpr std::string_view kOnDeadlock[] = {"end", "report", "abort", "pause"};
  const auto* choice = std::find(std::begin(kOnDeadlock), std::end(kOnDeadlock), line.on_deadlock);
  if (choice == std::end(kOnDeadlock))
    return wrong(
        fmt::format("--on-deadlock is end, report, abort or pause, not '{}'", line.on_deadlock),
        kManual);
  options.on_deadlock = static_cast<OnDeadlock>(choice - std::begin(kOnDeadlock));
  if (!report.picture.empty() && !report.picture.ends_with(".svg") &&
      !report.picture.ends_with(".dot"))
    return wrong(
        fmt::format("--picture needs a file that ends in .svg or .dot, not '{}'", report.picture),
        kManual);
  options.command = app.remaining();
  if (command == "replay") {
    if (line.schedule.empty()) return wrong("no schedule to replay: it stands first", kManual);
    const auto schedule = find_schedule(line.schedule);
    if (!schedule.ok()) return wrong(schedule.error(), kManual);
    options.schedule = std::make_shared<policy::Schedule>(schedule.value());
  }
  if (command == "record" && report.record.empty())
    return wrong("no file for the schedule: give one with -o FILE", kManual);
  const bool dashes = !options.command.empty() && options.command[0] == "--";
  if (dashes) options.command.erase(options.command.begin());
  if (options.command.empty()) return wrong("no program to run", kManual);
  if (!dashes && options.command[0].starts_with("-")) {
    return wrong(fmt::format("there is no option {}", options.command[0]), kManual);
  }
  return run(options, report);
}

int main_of(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty()) {
    print(help_main());
    return kExitUsage;
  }
  const std::string command = words[0];
  if (command == "--version" || command == "version")
    return print(fmt::format("vouch {}\n", version()));
  if (command == "agent" && words.size() == 1) return agent_command();
  if (command == kProbeCommand && words.size() == 3) return probe(words[1], words[2]);
  if (command == "--help" || command == "-h") return print(help_main());
  if (command == "help") {
    const std::string about = words.size() > 1 ? words[1] : "";
    const std::string_view text = help_of(about);
    return text.empty() ? wrong(fmt::format("there is no command {}", about), "vouch --help")
                        : print(text);
  }

  if (command == "trace") return trace_command({words.begin() + 1, words.end()});
  if (command == "predict" || command == "explore") {
    std::vector<std::string> typed = words;
    typed.insert(typed.begin(), "vouch");
    const auto run = command == "predict" ? predict_command : explore_command;
    return run({words.begin() + 1, words.end()}, typed);
  }

  CLI::App app;
  RunOptions options;
  ReportOptions report;
  RunLine line;
  bool help = false;
  const bool is_run = command == "run" || command == "replay" || command == "record";
  if (is_run) {
    describe_run(app, options, report, line);
    if (command == "record") app.add_option("-o,--output", report.record);
  } else if (command == "doctor") {
    app.set_help_flag();
    app.add_flag("-h,--help", help);
  } else {
    const char* kind = command.starts_with("-") ? "option" : "command";
    return wrong(fmt::format("there is no {} {}", kind, command), "vouch --help");
  }
  report.typed = words;
  report.typed.insert(report.typed.begin(), "vouch");
  if (command == "replay" && words.size() > 1 && !words[1].starts_with("-")) {
    line.schedule = words[1];
    words.erase(words.begin() + 1);
  }
  try {
    std::vector<std::string> rest(words.rbegin(), words.rend() - 1);  // CLI11 wants them in reverse
    app.parse(std::move(rest));
  } catch (const CLI::Error& error) {
    return wrong(sentence(error), ("vouch " + command + " --help").c_str());
  }
  if (is_run) return do_run(command, app, options, report, line);
  return help ? print(help_doctor()) : doctor();
}

}  // namespace

int main(int argc, char** argv) {
  vouch::settle_in();
  try {
    return main_of(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "vouch: internal error: {}\n", error.what());
    return vouch::kExitInternal;
  }
}
