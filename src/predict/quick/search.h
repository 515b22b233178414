// Depth-first search for an execution that ends in a certain way, on states as far as they matter
// for the future.
//
// Which receive took which message does not matter for what can happen next; only who stands where
// and what is still unmatched. So many executions meet in one state. Where states are few this
// decides; where they are many it stops and says so. A match that nothing else can replace (a
// receive with a named source) is done at once, it never closes a way.

#pragma once

#include <cstddef>

#include "predict/program/state.h"

namespace vouch::predict {

enum class SearchEnd : std::uint8_t { found, none, limit };

struct SearchResult {
  SearchEnd end = SearchEnd::limit;
  Schedule schedule{};  // of found: to its end
  std::size_t states = 0;
};

SearchResult search(const Program&, Buffering, End wanted, std::size_t max_states);

}  // namespace vouch::predict
