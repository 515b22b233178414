// What predictions become in a report.
//
// A prediction about a real program is a potential error until a replay has shown it: what a
// program does may depend on which messages it gets.

#pragma once

#include <string>
#include <vector>

#include "cli/predict_input.h"
#include "predict/questions/findings.h"
#include "report/finding.h"

namespace vouch {

class PredictionReport {
 public:
  // `run` is that of the program, or an empty one where there is only a trace. What its findings
  // say is completed by what is predicted.
  PredictionReport(const TraceProgram& trace, TracedRun& run, const std::vector<std::string>& typed,
                   bool confirm)
      : trace_(trace), run_(run), typed_(typed), confirm_(confirm) {}

  // All of them, together with what the run itself has shown.
  Summary summary(const predict::Predicted&, SiteTable&) const;

 private:
  void add(const predict::Prediction&, SiteTable&, Summary&) const;
  // The run itself ended in this deadlock.
  bool run_has_shown(const predict::Prediction&, const Finding&) const;
  // Whether a replay shows it.
  void try_out(const predict::Prediction&, Finding&, Summary&) const;
  void add_error_of_replay(Finding, const std::string& again, Summary&) const;

  const TraceProgram& trace_;
  TracedRun& run_;
  const std::vector<std::string>& typed_;
  const bool confirm_;
};

}  // namespace vouch
