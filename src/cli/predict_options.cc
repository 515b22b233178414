#include "cli/predict_options.h"

#include <chrono>

#include <fmt/format.h>

#include "cli/common.h"
#include "cli/values.h"

namespace vouch {
namespace {

predict::EncodingKind encoding_of(const std::string& word) {
  using predict::EncodingKind;
  return word == "e1"   ? EncodingKind::e1
         : word == "e2" ? EncodingKind::e2
         : word == "e3" ? EncodingKind::e3
                        : EncodingKind::unified;
}

predict::MatchRule pairs_of(const std::string& word) {
  using predict::MatchRule;
  return word == "rank"       ? MatchRule::rank
         : word == "endpoint" ? MatchRule::endpoint
                              : MatchRule::source_aware;
}

predict::QuestionOptions questions_of(const CommandLine& line) {
  predict::QuestionOptions options;
  options.encoding = encoding_of(line.text(Option::encoding));
  options.pairs = pairs_of(line.text(Option::pairs));
  options.limits.seconds =
      std::chrono::duration<double>(*line.time(Option::predict_timeout)).count();
  options.limits.smtlib = line.text(Option::smtlib);
  options.largest_bound = line.number(Option::bound);
  options.sections = line.has(Option::sections) || options.largest_bound > 0;
  return options;
}

// A published encoding is one for buffered sends or for none: it decides what is asked.
predict::Asked asked_of(const CommandLine& line) {
  using predict::EncodingKind;
  const std::string questions = "," + line.text(Option::questions) + ",";
  const auto has = [&](const char* word) {
    return questions.find(fmt::format(",{},", word)) != std::string::npos;
  };
  predict::Asked asked;
  asked.races = has("race");
  asked.assertions = has("assertion");
  asked.deadlock = has("deadlock");
  const EncodingKind encoding = encoding_of(line.text(Option::encoding));
  asked.infinite = encoding != EncodingKind::e3;
  asked.zero = encoding == EncodingKind::e3 || (encoding == EncodingKind::unified &&
                                                line.text(Option::predict_buffering) == "strict");
  return asked;
}

// "" or what does not go together.
std::string contradiction(const CommandLine& line, const predict::Asked& asked) {
  const std::string encoding = line.text(Option::encoding);
  if (encoding == "unified") return "";
  if (asked.races || asked.deadlock)
    return "the published encodings answer --questions=assertion only";
  if (!line.has(Option::predict_buffering)) return "";
  if (encoding == "e3" && line.text(Option::predict_buffering) == "as-run")
    return "e3 is an encoding for --buffering strict";
  if (encoding != "e3" && line.text(Option::predict_buffering) == "strict")
    return "e1 and e2 are encodings for --buffering as-run";
  return "";
}

}  // namespace

Result<PredictOptions> predict_options_of(const CommandLine& line) {
  PredictOptions options;
  options.live = line.has(Option::ranks);
  if (options.live) {
    auto run = program_of(line);
    if (!run.ok()) return Error{run.error()};
    options.run = std::move(*run);
    options.run.trace = line.text(Option::trace);
    options.run.timeout = line.time(Option::predict_run_timeout);
    options.run.buffering = *parse_buffering(line.text(Option::predict_buffering));
    options.run.environment.emplace_back("VOUCH_VALUES", "1");
  } else {
    if (const std::string sentence = line.unknown_option(); !sentence.empty())
      return Error{sentence};
    if (line.rest().empty()) return Error{"no trace to decide"};
    if (line.rest().size() > 1)
      return Error{fmt::format("there is one trace to decide, not also {}", line.rest()[1])};
    for (const Option option : {Option::mpi, Option::trace, Option::predict_run_timeout})
      if (line.has(option))
        return Error{fmt::format("{} is for a program that is run: give its ranks with -n",
                                 spelled(row(option)))};
    options.file = line.rest()[0];
  }
  options.questions = questions_of(line);
  options.asked = asked_of(line);
  if (const std::string sentence = contradiction(line, options.asked); !sentence.empty())
    return Error{sentence};
  options.confirm = !line.has(Option::no_confirm);
  options.schedules = line.text(Option::schedules);
  return options;
}

}  // namespace vouch
