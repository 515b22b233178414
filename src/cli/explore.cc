#include "cli/explore.h"

#include <csignal>
#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/common.h"
#include "cli/deliver.h"
#include "cli/explore_options.h"
#include "cli/progress_line.h"
#include "cli/values.h"
#include "explore/poe.h"
#include "run/explore_runner.h"

namespace vouch {
namespace {

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

class ExploreRun {
 public:
  ExploreRun(const ExploreOptions& options, const Common& common, Session session)
      : options_(options),
        common_(common),
        search_(options.protocol, options.bounds),
        runner_(std::move(session)),
        in_band_(options.run.ranks, options.protocol),
        campaign_(search_, runner_, options.limits) {}

  // Opens what is written on the way, and takes what an earlier exploration has run.
  Refusal set_up();
  // Until all is covered, a limit is met or the user has had enough. False: no run can be made.
  void run();
  Summary summary() const;

  const ReplayRunner& runner() const { return runner_; }
  const InBand& in_band() const { return in_band_; }
  int status() const { return campaign_.status(); }

 private:
  Refusal open_journal();
  std::string replay_of(const std::string& schedule) const;

  const ExploreOptions& options_;
  const Common& common_;
  explore::Search search_;
  ReplayRunner runner_;
  InBand in_band_;
  explore::Campaign campaign_;
  explore::Journal journal_{};
  explore::Barriers barriers_{};
};

Refusal ExploreRun::set_up() {
  if (options_.clocks_in_band) runner_.carry_clocks(&in_band_);
  if (!options_.clocks_file.empty() && !in_band_.write_to(options_.clocks_file))
    return {kExitUsage, fmt::format("cannot write to {}", options_.clocks_file)};
  if (options_.limits.until) runner_.until(*options_.limits.until);
  if (options_.first) runner_.first(*options_.first);
  campaign_.again([this](const std::string& schedule) { return replay_of(schedule); });
  campaign_.otherwise(shell_quoted(common_.typed));
  return open_journal();
}

Refusal ExploreRun::open_journal() {
  if (!options_.resume.empty()) {
    auto resumed = explore::Journal::resume(options_.resume, options_.subject);
    if (!resumed.ok()) return {kExitUsage, resumed.error()};
    for (explore::Ran& ran : resumed->runs) campaign_.take(std::move(ran));
    journal_ = std::move(resumed->journal);
  } else if (!options_.state.empty()) {
    auto created = explore::Journal::create(options_.state, options_.subject);
    if (!created.ok()) return {kExitUsage, created.error()};
    journal_ = std::move(*created);
  }
  return {};
}

std::string ExploreRun::replay_of(const std::string& schedule) const {
  std::vector<std::string> words{"vouch", "replay", schedule};
  words.insert(words.end(), options_.of_replay.begin(), options_.of_replay.end());
  words.insert(words.end(), {"-n", std::to_string(options_.run.ranks)});
  words.insert(words.end(), options_.run.command.begin(), options_.run.command.end());
  return shell_quoted(words);
}

void ExploreRun::run() {
  ProgressLine progress(!common_.quiet && ::isatty(STDERR_FILENO) != 0);
  campaign_.on_progress([&](const explore::Progress& p) { progress.show(p); });
  campaign_.on_run([this](const explore::Ran& ran) {
    journal_.add(ran);
    if (options_.bounds.match_sets && ran.unusable.empty()) barriers_.add(ran.seen);
  });
  struct sigaction action {};
  action.sa_handler = [](int) { ReplayRunner::interrupt(); };
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaction(signal, &action, nullptr);
  campaign_.run();
  progress.end();
}

Summary ExploreRun::summary() const {
  Summary summary = campaign_.summary();
  const auto gap = [&](const char* what, const char* reason) {
    summary.not_checked.push_back({what, reason, 1, {}, {}});
  };
  if (ReplayRunner::interrupted()) gap("the exploration", "it was interrupted");
  if (options_.lamport() && summary.exploration.exhausted)
    gap("schedules", "Lamport clocks may miss some; --clocks lvcp does not");
  in_band_.tell(summary);
  if (journal_.broken()) gap("the state file", "it could not be written");
  summary.notes.insert(summary.notes.begin(),
                       coverage_of(summary, search_, campaign_.proved(), options_.lamport()));
  if (options_.bounds.match_sets && summary.exploration.exhausted)
    for (const std::string& place : barriers_.irrelevant())
      summary.notes.push_back("the barrier at " + place +
                              " keeps no receive from getting another message");
  return summary;
}

}  // namespace

int explore_command(const CommandLine& line, const std::vector<std::string>& typed) {
  const auto options = explore_options_of(line);
  if (!options.ok()) return wrong_usage(options.error(), Subcommand::explore);
  const Common common = common_of(line, typed);
  Session session = Session::open(options.value().run);
  if (session.refusal()) return complain(session.refusal());
  auto delivery = Delivery::open(common);
  if (!delivery.ok()) return complain(kExitUsage, delivery.error());
  ExploreRun exploration(options.value(), common, std::move(session));
  if (const Refusal refusal = exploration.set_up()) return complain(refusal);
  exploration.run();
  if (!exploration.runner().refused().empty())
    return complain(kExitInternal, exploration.runner().refused());

  std::fputs(exploration.runner().first_output().c_str(), stdout);
  std::fflush(stdout);
  const int status = delivery->deliver(exploration.summary(), exploration.status());
  if (!exploration.in_band().wrong().empty())
    return complain(kExitInternal, "internal error: " + exploration.in_band().wrong());
  return status;
}

}  // namespace vouch
