// What prediction found, in the common form of findings.

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "predict/questions/questions.h"
#include "report/sink.h"
#include "source/site_table.h"

namespace vouch::predict {

struct Asked {
  bool races = true, assertions = true, deadlock = true;
  bool infinite = true, zero = true;  // with which buffering
  // The program is a run in which tests and calls on several requests answered something: with
  // other answers it might have gone another way.
  bool answers = false;
};

// Something that happens in a schedule other than the recorded one, and that schedule.
struct Prediction {
  enum class What : std::uint8_t { race, assertion, deadlock };
  What what = What::race;
  Buffering buffering = Buffering::infinite;
  Report report;
  Schedule schedule{};
  std::string name{};   // "deadlock", "race of r0"
  bool always = false;  // deadlock: no schedule of the program is without it
};

struct Predicted {
  std::vector<Prediction> predictions{};
  std::vector<NotChecked> undecided{};
  std::vector<std::pair<std::string, std::uint64_t>> statistics{};
};

// Asks all that is asked.
Predicted predict(const Program&, const QuestionOptions&, const Asked&, SiteTable&);
// Tells the sink all of it.
void report(const Predicted&, Sink&);

// "receive r0 from any rank, tag 7"; without the name if it has a line.
std::string describe(const Program&, OpId);

}  // namespace vouch::predict
