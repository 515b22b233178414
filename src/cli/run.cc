#include "cli/run.h"

#include <memory>
#include <utility>

#include "analysis/checks.h"
#include "cli/common.h"
#include "cli/deliver.h"
#include "cli/schedules.h"
#include "cli/values.h"
#include "net/address.h"
#include "record/agent_watch.h"
#include "run/confirm.h"
#include "run/run_job.h"

namespace vouch {
namespace {

// Of the first finding that has one.
std::string picture_of(const Summary& summary, const std::string& path) {
  Picture picture{"digraph waits {\n}\n", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>\n"};
  for (auto f = summary.findings.rbegin(); f != summary.findings.rend(); ++f) {
    if (!f->picture.empty()) picture = f->picture;
  }
  return path.ends_with(".svg") ? picture.svg : picture.dot;
}

// What only these commands have.
struct RunFiles {
  std::string record;   // the schedule of the run
  std::string picture;  // the graph of a deadlock: .svg or .dot
};

OnDeadlock on_deadlock_of(const std::string& word) {
  return word == "report"  ? OnDeadlock::report
         : word == "abort" ? OnDeadlock::abort
         : word == "pause" ? OnDeadlock::pause
                           : OnDeadlock::end;
}

// The error is one sentence.
Result<RunOptions> run_options_of(const CommandLine& line) {
  auto options = program_of(line);
  if (!options.ok()) return options;
  options->trace = line.text(Option::trace);
  options->timeout = line.time(Option::timeout);
  options->buffering = *parse_buffering(line.text(Option::buffering));
  options->checks = *Checks::parse(line.text(Option::checks));
  if (!options->checks.all())  // for agents that ranks start on other nodes
    options->environment.emplace_back(kChecksVariable, options->checks.text());
  options->on_deadlock = on_deadlock_of(line.text(Option::on_deadlock));
  options->net = line.text(Option::net);
  // Agents of other nodes reach this one by such an address.
  if (const std::string& net = options->net; !net.empty() && net != "auto" && net != "none") {
    const auto chosen = net::choose(net::local_addresses(), net);
    if (!chosen.ok()) return Error{"--net " + net + ": " + chosen.error()};
  }
  options->fanout = line.number(Option::fanout);
  options->most_unexpected = static_cast<std::uint64_t>(line.number(Option::most_unexpected));
  options->check_buffers = line.has(Option::check_buffers);
  if (line.has(Option::patience)) {
    options->patience = line.time(Option::patience);
    options->environment.emplace_back(kPatienceVariable,
                                      std::to_string(options->patience->count()));
  }
  if (line.has(Option::stacks))
    options->environment.emplace_back("VOUCH_STACKS", std::to_string(line.number(Option::stacks)));
  const bool strict = options->buffering.mode == wait::Buffering::Mode::strict;
  if (line.command() == Subcommand::replay && line.has(Option::buffering) && strict)
    forbid_buffering(*options);
  return options;
}

int run(const RunOptions& options, const Common& common, const RunFiles& files) {
  Prepared prepared = prepare(options);
  if (prepared.refusal) return complain(prepared.refusal);
  auto delivery = Delivery::open(common);
  if (!delivery.ok()) return complain(kExitUsage, delivery.error());
  for (const std::string& problem :
       {delivery->also("the picture", files.picture,
                       [&](const Summary& s) { return picture_of(s, files.picture); }),
        delivery->also("the schedule", files.record, [&](const Summary& s) {
          return schedule_file(s.schedule, common.typed);
        })}) {
    if (!problem.empty()) return complain(kExitUsage, problem);
  }
  prepared.job.show = [&](const std::vector<Finding>& findings) { delivery->show(findings); };
  JobResult ran = run_job(prepared.job);
  if (ran.refusal) return complain(ran.refusal);
  for (Finding& f : ran.summary.findings)
    if (f.again.empty())
      f.again = shell_quoted(again_command(common.typed, ran.summary.schedule, files.record));
  return delivery->deliver(std::move(ran.summary), ran.status);
}

}  // namespace

int run_command(const CommandLine& line, const std::vector<std::string>& typed) {
  const Subcommand command = line.command();
  if (command == Subcommand::replay && line.schedule().empty())
    return wrong_usage("no schedule to replay: it stands first", command);
  auto options = run_options_of(line);
  if (!options.ok()) return wrong_usage(options.error(), command);
  const RunFiles files{line.text(Option::output), line.text(Option::picture)};
  if (command == Subcommand::record && files.record.empty())
    return wrong_usage("no file for the schedule: give one with -o FILE", command);
  if (command == Subcommand::replay) {
    auto schedule = find_schedule(line.schedule());
    if (!schedule.ok()) return wrong_usage(schedule.error(), command);
    options->schedule = std::make_shared<policy::Schedule>(std::move(*schedule));
  }
  return run(*options, common_of(line, typed), files);
}

}  // namespace vouch
