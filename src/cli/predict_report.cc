#include "cli/predict_report.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "cli/values.h"
#include "report/collector.h"
#include "run/confirm.h"
#include "trace_program/forced.h"

namespace vouch {
namespace {

using predict::Prediction;

constexpr double kLeastReplay = 10'000, kMostReplay = 600'000;  // milliseconds

bool is_race(const Prediction& p) { return p.what == Prediction::What::race; }

bool needs_no_buffer(const Prediction& p) {
  return p.what == Prediction::What::deadlock && p.buffering == predict::Buffering::zero;
}

// One prediction as the report shows it.
Finding finding_of(const Prediction& prediction, SiteTable& sites) {
  Collector alone(sites);
  alone.report(prediction.report);
  return alone.summary().findings.at(0);
}

bool stands_at(const Finding& f, const Location& at) {
  return std::any_of(f.locations.begin(), f.locations.end(),
                     [&](const Location& l) { return l.rank == at.rank && where(l) == where(at); });
}

}  // namespace

Summary PredictionReport::summary(const predict::Predicted& predicted, SiteTable& sites) const {
  Collector collector(sites);
  for (const NotChecked& n : predicted.undecided) collector.not_checked(n);
  for (const NotChecked& n : trace_.not_checked) collector.not_checked(n);
  // The run was judged with sends that are not buffered: nothing else can happen in this program.
  const bool live = !run_.options.command.empty();
  if (!live || trace_.chance)
    for (const NotChecked& n : trace_.not_shown) collector.not_checked(n);
  for (const Prediction& p : predicted.predictions)
    if (is_race(p)) collector.report(p.report);
  Summary summary = collector.summary();
  const std::vector<Finding> races = std::exchange(summary.findings, {});
  for (const Prediction& p : predicted.predictions)
    if (!is_race(p)) add(p, sites, summary);
  summary.findings.insert(summary.findings.end(), races.begin(), races.end());
  // What the run itself has shown comes first. That only a buffer saved it is said better by a
  // prediction.
  Summary& run = run_.summary;
  if (std::any_of(predicted.predictions.begin(), predicted.predictions.end(), needs_no_buffer))
    std::erase_if(run.findings,
                  [](const Finding& f) { return f.potential && f.rule.starts_with("deadlock/"); });
  summary.findings.insert(summary.findings.begin(), run.findings.begin(), run.findings.end());
  summary.not_checked.insert(summary.not_checked.begin(), run.not_checked.begin(),
                             run.not_checked.end());
  summary.ranks = trace_.program.processes();
  summary.statistics = predicted.statistics;
  return summary;
}

void PredictionReport::add(const Prediction& prediction, SiteTable& sites, Summary& summary) const {
  Finding finding = finding_of(prediction, sites);
  finding.again = shell_quoted(typed_);
  if (run_has_shown(prediction, finding)) return;
  if (!trace_.wildcards.empty()) try_out(prediction, finding, summary);
  summary.findings.push_back(std::move(finding));
}

bool PredictionReport::run_has_shown(const Prediction& prediction, const Finding& finding) const {
  if (prediction.what != Prediction::What::deadlock) return false;
  const auto same = [&](const Finding& f) {
    return f.rule.starts_with("deadlock/") && !f.potential && f.severity == Severity::error &&
           std::any_of(finding.locations.begin(), finding.locations.end(),
                       [&](const Location& l) { return stands_at(f, l); });
  };
  auto& findings = run_.summary.findings;
  const auto shown = std::find_if(findings.begin(), findings.end(), same);
  if (shown == findings.end()) return false;
  if (prediction.always) {
    shown->message += "; in every schedule";
    shown->again = shell_quoted(replay_words(run_.options, forced(trace_, prediction.schedule),
                                             needs_no_buffer(prediction)));
  }
  return true;
}

// What the run only warned of has come true then.
void PredictionReport::add_error_of_replay(Finding error, const std::string& again,
                                           Summary& summary) const {
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

void PredictionReport::try_out(const Prediction& prediction, Finding& finding,
                               Summary& summary) const {
  finding.potential = true;
  if (run_.options.command.empty()) {
    finding.message += "; not confirmed: there is only a trace";
    return;
  }
  const policy::Schedule schedule = forced(trace_, prediction.schedule);
  const bool synchronous = prediction.buffering == predict::Buffering::zero;
  finding.again = shell_quoted(replay_words(run_.options, schedule, synchronous));
  if (!confirm_) {
    finding.message += "; not confirmed";
    return;
  }
  RunOptions options = run_.options;
  options.timeout = std::chrono::milliseconds(
      static_cast<int>(std::clamp(10'000 * run_.seconds, kLeastReplay, kMostReplay)));
  const bool deadlock = prediction.what == Prediction::What::deadlock;
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
      for (const Finding& error : seen.errors) add_error_of_replay(error, finding.again, summary);
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

}  // namespace vouch
