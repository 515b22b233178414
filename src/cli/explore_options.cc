#include "cli/explore_options.h"

#include <charconv>
#include <sstream>

#include <fmt/format.h>

#include "cli/common.h"
#include "cli/schedules.h"
#include "cli/values.h"
#include "record/band.h"
#include "run/confirm.h"

namespace vouch {
namespace {

// "2", "3=0,2": a bound of its own for region 3. False: it is malformed.
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

// "" or what does not go together.
std::string contradiction(const CommandLine& line) {
  const bool in_band = line.has(Option::clocks_in_band);
  const bool lamport = line.text(Option::clocks) == "llcp";
  if (line.text(Option::engine) == "poe" && lamport) return "--engine poe has no Lamport clocks";
  if (line.text(Option::sends) == "synchronous" && line.has(Option::prove))
    return "--prove is for sends that are buffered";
  if (in_band && line.has(Option::prove))
    return "--prove runs ranks alone: no messages carry clocks";
  if (!in_band && line.has(Option::clocks_file)) return "--clocks-file needs --clocks-in-band";
  if (in_band && !lamport && line.number(Option::ranks) > kMostBandWords)
    return fmt::format(
        "messages carry vector clocks of up to {} ranks; --clocks llcp of any number",
        kMostBandWords);
  if (line.has(Option::state) && line.has(Option::resume))
    return "--resume goes on in the file it reads: it needs no --state";
  return "";
}

// Who does not want all schedules wants different ones; who resumes keeps the order as it was
// begun.
std::string order_of(const CommandLine& line) {
  if (line.has(Option::order)) return line.text(Option::order);
  if (line.has(Option::resume))
    if (std::string order = explore::Journal::order_of(line.text(Option::resume)); !order.empty())
      return order;
  const bool partly = line.has(Option::max_runs) || line.has(Option::explore_timeout) ||
                      line.has(Option::first_error);
  return partly ? "novel" : "depth";
}

Result<explore::Bounds> bounds_of(const CommandLine& line) {
  explore::Bounds bounds;
  const std::string mixing = line.text(Option::mixing), outcomes = line.text(Option::outcomes);
  if (!parse_mixing(mixing, bounds))
    return Error{fmt::format("-k is a number, or REGION=NUMBER, not '{}'", mixing)};
  using Picks = explore::Bounds::Picks;
  bounds.iterations = line.number(Option::loops);
  bounds.picks = outcomes == "waits" ? Picks::all : outcomes == "auto" ? Picks::few : Picks::none;
  bounds.match_sets = line.text(Option::engine) == "poe";
  if (line.text(Option::sends) == "synchronous") bounds.sends = explore::Bounds::Sends::synchronous;
  if (order_of(line) == "novel") bounds.order = explore::Bounds::Order::novel;
  return bounds;
}

explore::Limits limits_of(const CommandLine& line) {
  explore::Limits limits;
  limits.runs = static_cast<std::size_t>(line.number(Option::max_runs));
  limits.jobs = static_cast<std::size_t>(line.number(Option::jobs));
  limits.prove = line.has(Option::prove);
  limits.no_buffering =
      parse_buffering(line.text(Option::buffering))->mode != wait::Buffering::Mode::as_run;
  limits.stop_at_error = line.has(Option::first_error);
  if (const auto time = line.time(Option::explore_timeout))
    limits.until = std::chrono::steady_clock::now() + *time;
  return limits;
}

// Every option that decides which schedules there are, as the table says.
explore::Subject subject_of(const CommandLine& line) {
  explore::Subject subject{line.rest(), line.number(Option::ranks), {}, order_of(line)};
  for (const OptionRow* row : options_of(Subcommand::explore)) {
    const bool flag = row->kind.type == ValueKind::Type::flag;
    if (!row->kept || (!line.has(row->id) && row->fallback.empty())) continue;
    subject.options[fmt::format("--{}", row->option)] = flag ? "" : line.text(row->id);
  }
  return subject;
}

}  // namespace

Result<ExploreOptions> explore_options_of(const CommandLine& line) {
  auto run = program_of(line);
  if (!run.ok()) return Error{run.error()};
  if (!line.has(Option::ranks)) return Error{"-n says with how many ranks to run"};
  if (const std::string sentence = contradiction(line); !sentence.empty()) return Error{sentence};
  auto bounds = bounds_of(line);
  if (!bounds.ok()) return Error{bounds.error()};
  ExploreOptions options;
  options.run = std::move(*run);
  options.bounds = std::move(*bounds);
  options.limits = limits_of(line);
  if (line.text(Option::clocks) == "llcp") options.protocol = explore::Protocol::lamport;
  options.run.timeout = line.time(Option::explore_run_timeout);
  options.run.buffering = *parse_buffering(line.text(Option::buffering));
  options.run.environment.emplace_back("VOUCH_VALUES", "2");
  for (const Option also : {Option::mpi, Option::buffering})
    if (line.has(also))
      options.of_replay.insert(options.of_replay.end(), {spelled(row(also)), line.text(also)});
  if (options.bounds.sends == explore::Bounds::Sends::synchronous) {
    forbid_buffering(options.run);
    // So must a replay.
    if (!line.has(Option::buffering))
      options.of_replay.insert(options.of_replay.end(), {"--buffering", "strict"});
  }
  if (line.has(Option::first)) {
    auto schedule = find_schedule(line.text(Option::first));
    if (!schedule.ok()) return Error{schedule.error()};
    options.first = std::move(*schedule);
  }
  options.clocks_in_band = line.has(Option::clocks_in_band);
  options.clocks_file = line.text(Option::clocks_file);
  options.state = line.text(Option::state);
  options.resume = line.text(Option::resume);
  options.subject = subject_of(line);
  return options;
}

}  // namespace vouch
