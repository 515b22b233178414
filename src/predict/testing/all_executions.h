// All executions of a small trace program: the oracle of prediction.
//
// It knows nothing of encodings, match pairs or patterns; it takes every possible step in every
// order and remembers the states it has seen. Posting, issuing and passing never prevent anything
// (more messages and later receives leave every match possible that was), so after each match they
// are all done at once, and only the matches are chosen. `Choices::every_step` does not use that:
// it tries these steps in every order too, and exists to show that it makes no difference.

#pragma once

#include <cstddef>
#include <set>
#include <vector>

#include "predict/program/ctp.h"

namespace vouch::predict {

enum class Choices : std::uint8_t { matches, every_step };

struct Outcomes {
  std::set<std::vector<Match>> complete;    // final matchings where all processes end
  std::set<std::vector<Match>> deadlocked;  // final matchings where some process is stuck
  std::set<Match> pairs;                    // that occur in some execution
  std::size_t states = 0;
  bool capped = false;  // more states than allowed: the sets above are not all
};

Outcomes explore(const Program&, Buffering, Choices = Choices::matches,
                 std::size_t max_states = 1'000'000);

// In some complete execution all assumptions hold and some assertion does not.
bool violated(const Program&, const Outcomes&);
// In some complete execution all assumptions hold.
bool path_feasible(const Program&, const Outcomes&);
// Receives that take different messages in different executions, complete or not.
std::set<OpId> racing_receives(const Outcomes&);

}  // namespace vouch::predict
