#include "run/confirm.h"

#include <algorithm>

#include "run/session.h"

namespace vouch {

void forbid_buffering(RunOptions& options) {
  options.environment.emplace_back("VOUCH_SYNCHRONOUS", "1");
}

std::vector<std::string> replay_words(const RunOptions& options, const policy::Schedule& schedule,
                                      bool synchronous) {
  std::vector<std::string> words{"vouch", "replay", policy::to_text(schedule)};
  if (synchronous) words.insert(words.end(), {"--buffering", "strict"});
  if (options.mpi != MpiKind::none)
    words.insert(words.end(), {"--mpi", options.mpi == MpiKind::mpich ? "mpich" : "openmpi"});
  words.insert(words.end(), {"-n", std::to_string(options.ranks)});
  words.insert(words.end(), options.command.begin(), options.command.end());
  return words;
}

Confirmation confirm(const RunOptions& of_the_run, const policy::Schedule& schedule,
                     bool synchronous, const std::string& rule) {
  RunOptions options = of_the_run;
  if (synchronous) forbid_buffering(options);
  const Session session = Session::open(options);
  if (session.refusal()) return {Fate::unknown, session.refusal().why, {}};
  const SessionRun shown = session.run(schedule, -1, true);
  if (!shown.failed.empty()) return {Fate::unknown, shown.failed, {}};
  const auto shows = [&](const Finding& f) { return f.rule.starts_with(rule) && !f.potential; };
  if (std::any_of(shown.summary.findings.begin(), shown.summary.findings.end(), shows))
    return {Fate::confirmed, {}, {}};
  std::vector<Finding> errors;
  for (const Finding& f : shown.summary.findings)
    if (f.severity == Severity::error && !f.potential) errors.push_back(f);
  if (!errors.empty()) return {Fate::otherwise, {}, std::move(errors)};
  if (!shown.left.empty()) return {Fate::unknown, shown.left, {}};
  const auto& gaps = shown.summary.not_checked;
  const auto ended = std::find_if(gaps.begin(), gaps.end(),
                                  [](const NotChecked& n) { return n.what == "the run"; });
  if (ended != gaps.end()) return {Fate::unknown, ended->reason, {}};
  return {Fate::refuted, "what the program does depends on which messages it gets", {}};
}

}  // namespace vouch
