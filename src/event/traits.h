// Traits of procedures for the shim, which has no table of names.

#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>

#include "event/proc.h"

namespace vouch {

inline constexpr std::uint32_t kTraits[] = {
#include "event/trait_table.inc"
};
static_assert(std::size(kTraits) == static_cast<std::size_t>(Proc::count_));

inline bool has_trait(Proc proc, Trait trait) {
  return (kTraits[static_cast<std::size_t>(proc)] & bit(trait)) != 0;
}

}  // namespace vouch
