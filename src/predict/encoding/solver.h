// The solver behind the questions: Z3, asked in small independent parts, each part once.
//
// Constraints that share no variable are solved apart. A part that was asked before, in this or in
// an earlier question (other bound, other property), is answered from memory. Every question can be
// written as SMT-LIB. When the time is over, or the memory, the answer is `unknown` with the
// reason.

#pragma once

#include <z3++.h>

#include <chrono>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace vouch::predict {

enum class Answer : std::uint8_t { sat, unsat, unknown };

// What the constraints speak of: Booleans; points in time, which are only compared; values, which
// are calculated with. Constants of values have names with this prefix.
enum class Logic : std::uint8_t { none, times, values };
inline constexpr const char* kValuePrefix = "value.";

struct SolverLimits {
  double seconds = 60;      // for everything this solver is asked
  unsigned memory = 320;    // megabytes
  std::string smtlib = {};  // folder where each question is written; "": nowhere
};

class Solver {
 public:
  explicit Solver(SolverLimits = {});
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  // Made when it is first asked for: many questions are answered without it.
  z3::context& context() { return context_ ? *context_ : context_.emplace(); }
  double seconds_left() const;
  bool writes() const { return !limits_.smtlib.empty(); }
  bool out_of_time() const { return seconds_left() <= 0; }

  struct Statistics {
    std::uint64_t questions = 0, parts = 0, remembered = 0, constraints = 0;
    double seconds = 0;
  };
  const Statistics& statistics() const { return statistics_; }
  // Why the last answer was unknown: "time", "memory" or what the solver says.
  const std::string& reason() const { return reason_; }

 private:
  friend class Question;

  struct Part {
    Answer answer = Answer::unknown;
    std::vector<unsigned> trues;        // constants that are true in the model, sorted
    std::vector<z3::expr> constraints;  // keeps them alive: their numbers are the key
  };
  struct KeyHash {
    std::size_t operator()(const std::vector<unsigned>&) const;
  };

  Answer ask(z3::solver&, const z3::expr_vector& assumptions, std::vector<unsigned>& trues);
  void write(const std::vector<z3::expr>& constraints, const std::vector<z3::expr>& more);

  std::optional<z3::context> context_;
  SolverLimits limits_;
  std::chrono::steady_clock::time_point start_;
  std::unordered_map<std::vector<unsigned>, Part, KeyHash> known_;
  Statistics statistics_;
  std::string reason_;
};

// One set of constraints, asked once or again and again under further assumptions.
class Question {
 public:
  // Independent parts are solved apart; what stands `together` is in one part, so that later
  // additions can speak of it. `also_written` goes into the SMT-LIB file only: what will be added
  // bit by bit, said at once.
  Question(Solver&, const std::vector<z3::expr>& constraints,
           const std::vector<std::vector<z3::expr>>& together = {},
           const std::vector<z3::expr>& also_written = {});

  Answer check(const std::vector<z3::expr>& assumptions = {});
  bool value(const z3::expr& literal) const;  // after sat; false also for what is not constrained
  // Over literals of one part. It holds from the next check on.
  void add(const z3::expr&);

  std::size_t parts() const { return parts_.size(); }

 private:
  struct Part {
    std::vector<z3::expr> constraints{};
    std::vector<unsigned> key{};
    Logic logic = Logic::none;
    std::vector<z3::solver> solver{};  // none yet: was answered from memory
    Answer answer = Answer::unknown;   // without assumptions
    bool asked = false;
    std::vector<unsigned> trues{};  // of the last model
  };

  Answer base(Part&);
  z3::solver& solver_of(Part&);

  Solver& owner_;
  std::vector<Part> parts_;
  std::unordered_map<unsigned, std::size_t> part_of_;  // constant: its part
};

}  // namespace vouch::predict
