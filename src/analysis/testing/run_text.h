// Tests of analyses: text in, findings out.
//
//     EXPECT_EQ(run<Argument>("0 Send dest=5 @a.c:1\n"), "argument/rank ranks=0 @a.c:1\n");
//
// The text is that of event/text.h. One line per finding, sorted: rule, ranks, place of the
// offender; a severity that is not the rule's own is appended as " (warning)". What an analysis
// could not check is a line "not-checked WHAT". A rank that returned from MPI_Finalize ends with
// status 0 unless its text says otherwise; one whose text just stops is still alive.

#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/analyses.h"

namespace vouch {

using MakeAnalyses = std::function<Analyses(World&, Sink&)>;

// Findings of the analyses, which run in the order given. A text that cannot be read gives its
// error.
std::string run_text(std::string_view text, const MakeAnalyses&);
// The same with the messages, for tests of wording: "argument/rank: dest=5 is not in …".
std::string run_text_messages(std::string_view text, const MakeAnalyses&);

// The reports as the analyses make them.
struct TextReports {
  std::vector<Report> reports;
  std::set<std::string> unchecked;
  std::vector<std::string> sites;  // by number
};
TextReports run_text_reports(std::string_view text, const MakeAnalyses&);

// What a run would report: the findings as the collector makes them, sites and all.
Summary run_text_summary(std::string_view text, const MakeAnalyses&);

template <class... A>
std::string run(std::string_view text) {
  return run_text(text, [](World& world, Sink& sink) {
    Analyses analyses;
    (analyses.add<A>(world, sink), ...);
    return analyses;
  });
}

template <class... A>
std::string run_messages(std::string_view text) {
  return run_text_messages(text, [](World& world, Sink& sink) {
    Analyses analyses;
    (analyses.add<A>(world, sink), ...);
    return analyses;
  });
}

}  // namespace vouch
