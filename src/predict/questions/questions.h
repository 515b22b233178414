// The questions of prediction, asked about one trace program.
//
// An answer is `witnessed` (there is an execution, and here is its schedule), `proved` (there is
// none, for this program) or `inconclusive`, with the reason: time or memory over, not witnessed up
// to a bound below the largest, the recorded path cannot be followed, a value nobody knows.
//
// Deadlock goes through stages, from quick to exact (deadlock_quick.h): the counting machine (every
// execution is stuck), receives that could starve (without any there is no deadlock), runs steered
// towards one, and in the end the cut encoding, which is the authority.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "predict/encoding/encoding.h"
#include "predict/encoding/reference.h"
#include "predict/encoding/solver.h"
#include "predict/pairs/sections.h"

namespace vouch::predict {

enum class Outcome : std::uint8_t { witnessed, proved, inconclusive };
enum class Stage : std::uint8_t { none, quick, always, encoding };

struct QuestionOptions {
  MatchRule pairs = MatchRule::source_aware;
  bool sections = false;     // grow the bound from 1; else the whole superset at once
  int largest_bound = 0;     // stop there; 0: the largest that means something
  bool quick_stages = true;  // else the encoding alone decides
  EncodingKind encoding = EncodingKind::unified;
  SolverLimits limits = {};
};

struct Reply {
  Outcome outcome = Outcome::inconclusive;
  std::string reason{};           // of inconclusive, a phrase: "the time is over"
  Stage stage = Stage::none;      // that gave the answer; always: it holds for every execution
  std::vector<Match> matching{};  // of the witness
  Schedule schedule{};            // "
  int bound = 0;                  // of sections, the last one tried; 0: none
  std::size_t pairs = 0;          // in the last question asked
  double seconds = 0;
};

// A receive that different executions give different messages.
struct Race {
  OpId receive = kNoOp;
  std::vector<OpId> sends{};  // at least two, each proved possible
  Schedule schedule{};        // to the second one
};
struct RaceReply {
  Outcome outcome = Outcome::inconclusive;  // witnessed: there are races
  std::string reason{};                     // receives are left undecided
  std::vector<Race> races{};
  std::vector<OpId> undecided{};
  double seconds = 0;
};

struct SteeredRun;

class Predictor {
 public:
  explicit Predictor(const Program&, QuestionOptions = {});

  // Some complete execution follows the recorded path (and is possible at all).
  Reply reachable(Buffering);
  // Such an execution breaks an assertion. If the path cannot be followed: inconclusive.
  Reply violation(Buffering);
  // Such an execution keeps all assertions.
  Reply satisfaction(Buffering);
  // Some execution ends in a deadlock. Conditions play no part.
  Reply deadlock(Buffering);
  // Which receives race. Executions need not be complete.
  RaceReply races(Buffering);

  Solver& solver() { return solver_; }
  const Program& program() const { return program_; }

 private:
  enum class Goal : std::uint8_t { path, violate, satisfy };

  Reply ask(Buffering, Goal);
  Reply ask_with(Buffering, Goal, const MatchPairs&);
  // Who wants to see what an encoding or a bound says shall see that.
  bool quick_allowed() const {
    return options_.quick_stages && options_.encoding == EncodingKind::unified &&
           !options_.sections;
  }
  std::optional<Reply> ask_quickly(Buffering);  // about deadlock
  Reply complete_with(Buffering, Goal, const MatchPairs&);
  Reply stuck_with(Buffering, const MatchPairs&);
  RaceReply find_races(Buffering);
  bool violates(const SteeredRun&) const;
  std::optional<Reply> violated_by_a_run(Buffering);
  std::optional<Reply> violated_near_a_run(Buffering);
  template <typename Ask>
  Reply guarded(Ask ask);
  template <typename Ask>
  Reply by_bounds(Ask ask);
  std::vector<z3::expr> times_to_write(const Encoding&) const;
  void give_up(Reply&) const;

  const Program& program_;
  const QuestionOptions options_;
  Solver solver_;
};

// The schedule of an execution with just these matches, as far as it goes. Not ok: there is none,
// which would be a defect of ours.
Result<Schedule> schedule_of(const Program&, Buffering, const std::vector<Match>&);

}  // namespace vouch::predict
