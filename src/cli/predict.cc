#include "cli/predict.h"

#include <fmt/format.h>

#include "cli/common.h"
#include "cli/deliver.h"
#include "cli/predict_options.h"
#include "cli/predict_report.h"
#include "predict/program/state.h"
#include "trace_program/forced.h"

namespace vouch {
namespace {

// For --schedules.
std::string schedules_of(const TraceProgram& trace, const predict::Predicted& predicted) {
  std::string all;
  for (const predict::Prediction& p : predicted.predictions) {
    all += fmt::format("; {}\n", p.name);
    if (!trace.wildcards.empty())
      all += fmt::format("; vouch replay {}\n", policy::to_text(forced(trace, p.schedule)));
    all += predict::print_schedule(trace.program, p.schedule) + "\n";
  }
  return all;
}

}  // namespace

int predict_command(const CommandLine& line, const std::vector<std::string>& typed) {
  auto options = predict_options_of(line);
  if (!options.ok()) return wrong_usage(options.error(), Subcommand::predict);
  const Common common = common_of(line, typed);
  Result<TraceProgram> trace = Error{};
  Prepared prepared;
  if (options->live) {
    prepared = prepare(options->run);
    if (prepared.refusal) return complain(prepared.refusal);
  } else {
    trace = program_from_file(options->file);
    if (!trace.ok()) return complain(kExitUsage, trace.error());
  }
  predict::Predicted predicted;
  auto delivery = Delivery::open(common);
  if (!delivery.ok()) return complain(kExitUsage, delivery.error());
  if (const std::string problem =
          delivery->also("the schedules", options->schedules,
                         [&](const Summary&) { return schedules_of(trace.value(), predicted); });
      !problem.empty())
    return complain(kExitUsage, problem);
  TracedRun run;
  if (options->live) {
    run = program_from_run(std::move(prepared), options->run);
    if (run.refusal) return complain(run.refusal);
    trace = std::move(run.trace);
    if (!trace.ok()) return complain(kExitUsage, trace.error());
  }
  predict::Asked asked = options->asked;
  asked.answers = trace.value().answers;
  SiteTable sites;
  predicted = predict::predict(trace.value().program, options->questions, asked, sites);
  const PredictionReport report(trace.value(), run, typed, options->confirm);
  return delivery->deliver(report.summary(predicted, sites), 0);
}

}  // namespace vouch
