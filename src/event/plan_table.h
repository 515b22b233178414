// What a part of vouch has worked out about every procedure, from the table of procedures.
//
// Made once per process and shared: there may be many analyses of a kind, one after the other (an
// exploration, a test), and looking up parameters by name takes most of the time of making one.

#pragma once

#include <vector>

#include "event/proc.h"

namespace vouch {

template <auto make>
const auto& plan_table() {
  using Plan = decltype(make(Proc::none));
  static const std::vector<Plan> table = [] {
    std::vector<Plan> all(static_cast<std::size_t>(Proc::count_));
    for (std::size_t i = 1; i < all.size(); ++i) all[i] = make(static_cast<Proc>(i));
    return all;
  }();
  return table;
}

}  // namespace vouch
