// How a site tells the way to a call, with --stacks (docs/design/013-stacks.md). Without the flag
// none of this is written.
//
// Meta::site: the caller class is kCallerByPath, and the frames above the call are part of what the
// site is. Meta::python_site: behind file and function follow, for each caller, innermost first,
// text: file, text: function, text: line in decimal digits.

#pragma once

#include <cstdint>

namespace vouch::wire {

inline constexpr std::uint64_t kCallerUser = 0, kCallerByPath = 4;

// Of the rank: how many callers of each call are recorded; not set: none.
inline constexpr char kStacksVariable[] = "VOUCH_STACKS";

}  // namespace vouch::wire
