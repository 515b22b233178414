// What prediction found, in the common form of findings.

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "predict/questions.h"
#include "report/sink.h"
#include "source/site_table.h"

namespace vouch::predict {

struct Asked {
  bool races = true, assertions = true, deadlock = true;
  bool infinite = true, zero = true;  // with which buffering
};

struct Predicted {
  std::vector<std::pair<std::string, Schedule>> schedules{};  // of each witness: what it shows
  std::vector<std::pair<std::string, std::uint64_t>> statistics{};
};

// Asks, and reports findings and what could not be decided. Finding and schedule are in one order.
Predicted predict(const Program&, const QuestionOptions&, const Asked&, SiteTable&, Sink&);

// "receive r0 from any process, tag 7".
std::string describe(const Program&, OpId);

}  // namespace vouch::predict
