#include "cli/explore.h"

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <thread>

#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include "cli/help.h"
#include "cli/schedules.h"
#include "cli/values.h"
#include "explore/campaign.h"
#include "explore/journal.h"
#include "explore/match_sets.h"
#include "record/band.h"
#include "report/json.h"
#include "report/suppressions.h"
#include "report/text.h"
#include "run/confirm.h"
#include "run/explore_runner.h"

namespace vouch {
namespace {

int wrong(const std::string& sentence) {
  fmt::print(stderr, "vouch: {} (see vouch explore --help)\n", sentence);
  return kExitUsage;
}

struct Line {
  std::string mpi, engine = "clocks", sends = "buffered", clocks = "lvcp", outcomes = "auto",
                   mixing, order, timeout, run_timeout, buffering, color = "auto";
  std::string json, state, resume, first, clocks_file;
  std::vector<std::string> suppressions;
  int ranks = 0, jobs = 1, iterations = 0, error_exitcode = kExitError;
  std::size_t max_runs = 0;
  bool first_error = false, prove = false, in_band = false, strict = false, info = false,
       quiet = false, help = false;
};

void describe(CLI::App& app, Line& line) {
  app.set_help_flag();
  app.prefix_command();
  app.add_flag("-h,--help", line.help);
  app.add_option("-n,--np", line.ranks)->check(CLI::PositiveNumber);
  app.add_option("--mpi", line.mpi)->check(CLI::IsMember({"openmpi", "mpich"}));
  app.add_option("--engine", line.engine)->check(CLI::IsMember({"clocks", "poe"}));
  app.add_option("--sends", line.sends)->check(CLI::IsMember({"buffered", "synchronous"}));
  app.add_option("--clocks", line.clocks)->check(CLI::IsMember({"llcp", "lvcp"}));
  app.add_flag("--clocks-in-band", line.in_band);
  app.add_option("--clocks-file", line.clocks_file);
  app.add_option("--outcomes", line.outcomes)->check(CLI::IsMember({"auto", "sources", "waits"}));
  app.add_option("-k,--mixing", line.mixing);
  app.add_option("--order", line.order)->check(CLI::IsMember({"depth", "novel"}));
  app.add_option("--loops", line.iterations)->check(CLI::PositiveNumber);
  app.add_option("--max-runs", line.max_runs)->check(CLI::PositiveNumber);
  app.add_option("--timeout", line.timeout);
  app.add_option("--run-timeout", line.run_timeout);
  app.add_option("--jobs", line.jobs)->check(CLI::Range(1, 1024));
  app.add_flag("--first-error", line.first_error);
  app.add_flag("--prove", line.prove);
  app.add_option("--first", line.first);
  app.add_option("--state", line.state);
  app.add_option("--resume", line.resume);
  app.add_option("--buffering", line.buffering);
  app.add_option("--json", line.json);
  app.add_option("--suppressions", line.suppressions)->allow_extra_args(false);
  app.add_flag("--strict", line.strict);
  app.add_flag("--info", line.info);
  app.add_flag("--quiet", line.quiet);
  app.add_option("--error-exitcode", line.error_exitcode)->check(CLI::Range(0, 255));
  app.add_option("--color,--colour", line.color)->check(CLI::IsMember({"auto", "always", "never"}));
}

// "2", "3=0,2": a bound of its own for region 3. False: it makes no sense.
bool parse_mixing(const std::string& text, explore::Bounds& bounds) {
  const auto number = [](std::string_view word, int& value) {
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    return error == std::errc() && end == word.data() + word.size() && value >= 0;
  };
  std::istringstream items(text);
  for (std::string item; std::getline(items, item, ',');) {
    const std::size_t equals = item.find('=');
    int region = 0, bound = 0;
    if (equals == std::string::npos ? !number(item, bound)
                                    : !number(std::string_view(item).substr(0, equals), region) ||
                                          !number(std::string_view(item).substr(equals + 1), bound))
      return false;
    (equals == std::string::npos ? bounds.mixing : bounds.mixing_of[region]) = bound;
  }
  return true;
}

// One line that is written over and over, on a terminal.
class ProgressLine {
 public:
  explicit ProgressLine(bool shown) : shown_(shown) {}
  void show(const explore::Progress& p) {
    const auto now = std::chrono::steady_clock::now();
    if (!shown_ || now - last_ < std::chrono::milliseconds(100)) return;
    last_ = now;
    const double rate = p.seconds > 0 ? static_cast<double>(p.done) / p.seconds : 0;
    fmt::print(stderr,
               "\r\033[Kvouch: {} schedules done, {} open, about {:.0f} in all, {:.1f}/s, {} {}",
               p.done, p.open, p.estimate, rate, p.errors, p.errors == 1 ? "error" : "errors");
    std::fflush(stderr);
    written_ = true;
  }
  void end() {
    if (written_) fmt::print(stderr, "\r\033[K");
  }

 private:
  const bool shown_;
  bool written_ = false;
  std::chrono::steady_clock::time_point last_{};
};

std::string text_of(const Summary& summary, const Line& line) {
  const bool colour =
      line.color == "always" || (line.color == "auto" && ::isatty(STDERR_FILENO) != 0);
  const TextOptions how{.colour = colour, .info = line.info};
  std::string text;
  if (!line.quiet) return write_text(summary, how);
  for (const Finding& f : summary.findings)
    if (f.severity != Severity::info || line.info) text += write_text(f, how);
  return text;
}

// What was covered, in a sentence.
std::string coverage_of(const Summary& s, const explore::Search& search, std::uint64_t proved,
                        bool lamport) {
  const std::size_t left = search.open() + search.running();
  std::string text = fmt::format("{} {} run", s.exploration.schedules,
                                 s.exploration.schedules == 1 ? "schedule was" : "schedules were");
  if (proved > 0) text += fmt::format("; {} more were proved to be like them", proved);
  if (s.exploration.exhausted)
    text += lamport ? "; these are all that Lamport clocks show, others may exist"
                    : "; these are all outcomes of its message races";
  if (left > 0) text += fmt::format("; at least {} more are known", left);
  if (s.exploration.pruned > 0)
    text += fmt::format("; {} alternatives were left out by bounds", s.exploration.pruned);
  return text;
}

}  // namespace

int explore_command(std::vector<std::string> words, const std::vector<std::string>& typed) {
  CLI::App app;
  Line line;
  describe(app, line);
  try {
    std::reverse(words.begin(), words.end());  // CLI11 wants them so
    app.parse(std::move(words));
  } catch (const CLI::Error& error) {
    const std::string text = error.what();
    return wrong(text.substr(0, text.find('\n')));
  }
  if (line.help) {
    fmt::print("{}", help_explore());
    return 0;
  }
  RunOptions options;
  options.command = app.remaining();
  if (!options.command.empty() && options.command[0] == "--")
    options.command.erase(options.command.begin());
  if (options.command.empty()) return wrong("no program to explore");
  if (line.ranks == 0) return wrong("-n says with how many ranks to run");
  options.ranks = line.ranks;
  if (line.mpi == "openmpi") options.mpi = MpiKind::openmpi;
  if (line.mpi == "mpich") options.mpi = MpiKind::mpich;
  std::vector<std::string> replay;  // options that a replay needs as well
  if (!line.mpi.empty()) replay.insert(replay.end(), {"--mpi", line.mpi});
  if (!line.buffering.empty()) {
    const auto buffering = parse_buffering(line.buffering);
    if (!buffering)
      return wrong(
          fmt::format("--buffering is strict, as-run or limit=BYTES, not '{}'", line.buffering));
    options.buffering = *buffering;
    replay.insert(replay.end(), {"--buffering", line.buffering});
  }
  if (!line.run_timeout.empty()) {
    options.timeout = parse_duration(line.run_timeout);
    if (!options.timeout)
      return wrong(fmt::format("--run-timeout needs a time such as 90s, 2m or 1h, not '{}'",
                               line.run_timeout));
  }

  explore::Bounds bounds;
  if (!line.mixing.empty() && !parse_mixing(line.mixing, bounds))
    return wrong(fmt::format("-k is a number, or REGION=NUMBER, not '{}'", line.mixing));
  bounds.iterations = line.iterations;
  using Picks = explore::Bounds::Picks;
  bounds.picks = line.outcomes == "waits"  ? Picks::all
                 : line.outcomes == "auto" ? Picks::few
                                           : Picks::none;
  const bool poe = line.engine == "poe";
  if (poe && line.clocks != "lvcp") return wrong("--engine poe has no Lamport clocks");
  bounds.match_sets = poe;
  if (line.sends == "synchronous") {
    if (line.prove) return wrong("--prove is for sends that are buffered");
    bounds.sends = explore::Bounds::Sends::synchronous;
    forbid_buffering(options);
    // So does a replay.
    if (line.buffering.empty()) replay.insert(replay.end(), {"--buffering", "strict"});
  }
  if (line.in_band && line.prove)
    return wrong("--prove runs ranks alone: no messages carry clocks");
  if (!line.in_band && !line.clocks_file.empty())
    return wrong("--clocks-file needs --clocks-in-band");
  if (line.in_band && line.clocks == "lvcp" && line.ranks > kMostBandWords)
    return wrong(
        fmt::format("messages carry vector clocks of up to {} ranks; --clocks llcp of any number",
                    kMostBandWords));
  explore::Limits limits;
  limits.runs = line.max_runs;
  limits.jobs = static_cast<std::size_t>(line.jobs);
  limits.prove = line.prove;
  limits.no_buffering = options.buffering.mode != wait::Buffering::Mode::as_run;
  limits.stop_at_error = line.first_error;
  if (!line.timeout.empty()) {
    const auto time = parse_duration(line.timeout);
    if (!time)
      return wrong(
          fmt::format("--timeout needs a time such as 90s, 2m or 1h, not '{}'", line.timeout));
    limits.until = std::chrono::steady_clock::now() + *time;
  }
  Suppressions suppressions;
  for (const std::string& path : line.suppressions) {
    auto loaded = Suppressions::load(path);
    if (!loaded.ok()) {
      fmt::print(stderr, "vouch: {}\n", loaded.error());
      return kExitUsage;
    }
    suppressions.add(std::move(*loaded));
  }

  // Who does not want all schedules wants different ones; who goes on does it as it was begun.
  if (line.order.empty() && !line.resume.empty())
    line.order = explore::Journal::order_of(line.resume);
  if (line.order.empty())
    line.order = limits.runs > 0 || limits.until || limits.stop_at_error ? "novel" : "depth";
  if (line.order == "novel") bounds.order = explore::Bounds::Order::novel;

  const bool lamport = line.clocks == "llcp";
  explore::Search search(lamport ? explore::Protocol::lamport : explore::Protocol::vector, bounds);
  options.environment.emplace_back("VOUCH_VALUES", "2");
  Session session = Session::open(options);
  if (session.refusal()) {
    fmt::print(stderr, "vouch: {}\n", session.refusal().why);
    return session.refusal().status;
  }
  ReplayRunner runner(std::move(session));
  InBand in_band(line.ranks, lamport ? explore::Protocol::lamport : explore::Protocol::vector);
  if (line.in_band) runner.carry_clocks(&in_band);
  if (!line.clocks_file.empty() && !in_band.write_to(line.clocks_file))
    return wrong(fmt::format("{} cannot be written", line.clocks_file));
  if (limits.until) runner.until(*limits.until);
  if (!line.first.empty()) {
    auto schedule = find_schedule(line.first);
    if (!schedule.ok()) return wrong(schedule.error());
    runner.first(std::move(*schedule));
  }
  explore::Campaign campaign(search, runner, limits);
  campaign.again([&](const std::string& schedule) {
    std::vector<std::string> again{"vouch", "replay", schedule};
    again.insert(again.end(), replay.begin(), replay.end());
    again.insert(again.end(), {"-n", std::to_string(line.ranks)});
    again.insert(again.end(), options.command.begin(), options.command.end());
    return shell_quoted(again);
  });
  campaign.otherwise(shell_quoted(typed));
  ProgressLine progress(!line.quiet && ::isatty(STDERR_FILENO) != 0);
  campaign.on_progress([&](const explore::Progress& p) { progress.show(p); });

  const explore::Subject subject{
      options.command, line.ranks,
      fmt::format("{} {} {} {} -k {} --loops {} {}{}", line.engine, line.sends, line.clocks,
                  line.outcomes, line.mixing, line.iterations, line.buffering,
                  line.prove ? " --prove" : ""),
      line.order};
  explore::Journal journal;
  if (!line.resume.empty()) {
    auto resumed = explore::Journal::resume(line.resume, subject);
    if (!resumed.ok()) {
      fmt::print(stderr, "vouch: {}\n", resumed.error());
      return kExitUsage;
    }
    for (explore::Ran& ran : resumed->runs) campaign.take(std::move(ran));
    journal = std::move(resumed->journal);
  } else if (!line.state.empty()) {
    auto created = explore::Journal::create(line.state, subject);
    if (!created.ok()) {
      fmt::print(stderr, "vouch: {}\n", created.error());
      return kExitUsage;
    }
    journal = std::move(*created);
  }
  explore::Barriers barriers;
  campaign.on_run([&](const explore::Ran& ran) {
    journal.add(ran);
    if (poe && ran.unusable.empty()) barriers.add(ran.seen);
  });

  struct sigaction action {};
  action.sa_handler = [](int) { ReplayRunner::interrupt(); };
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaction(signal, &action, nullptr);
  campaign.run();
  progress.end();
  if (!runner.refused().empty()) {
    fmt::print(stderr, "vouch: {}\n", runner.refused());
    return kExitInternal;
  }

  Summary summary = campaign.summary();
  summary.command = typed;
  for (Finding& f : summary.findings)
    if (f.again.empty()) f.again = shell_quoted(typed);
  summary.strict = line.strict;
  if (ReplayRunner::interrupted())
    summary.not_checked.push_back({"the exploration", "it was interrupted", 1, {}, {}});
  if (lamport && summary.exploration.exhausted)
    summary.not_checked.push_back(
        {"schedules", "Lamport clocks may miss some; --clocks lvcp does not", 1, {}, {}});
  in_band.tell(summary);
  if (journal.broken())
    summary.not_checked.push_back({"the state file", "it could not be written", 1, {}, {}});
  summary.notes.insert(summary.notes.begin(),
                       coverage_of(summary, search, campaign.proved(), lamport));
  if (poe && summary.exploration.exhausted)
    for (const std::string& place : barriers.irrelevant())
      summary.notes.push_back("the barrier at " + place +
                              " keeps no receive from getting another message");
  suppressions.apply(summary);  // judges too
  fmt::print("{}", runner.first_output());
  std::fflush(stdout);
  fmt::print(stderr, "{}", text_of(summary, line));
  if (!line.json.empty()) {
    std::ofstream file(line.json);
    file << write_json(summary);
    if (!file.flush()) {
      fmt::print(stderr, "vouch: the report could not be written to {}\n", line.json);
      return kExitInternal;
    }
  }
  if (!in_band.wrong().empty()) {
    fmt::print(stderr, "vouch: internal error: {}\n", in_band.wrong());
    return kExitInternal;
  }
  if (summary.verdict == Verdict::error) return line.error_exitcode;
  if (summary.verdict == Verdict::inconclusive) return kExitInconclusive;
  return campaign.status();
}

}  // namespace vouch
