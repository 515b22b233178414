// With --stacks: one site for each call path, not only for each call.
//
// The path is found by walking up the stack with a rule per return address (unwind_rule.h). Rules
// and paths that were seen before are found in tables without lock, allocation or system call; what
// is new takes the slow path once and is told as a site with its callers (Meta::site).
//
// Every word that is read lies between the wrapper's own frame and the end of the stack, and each
// frame above the one before: a wrong rule ends the path, it never faults.
// Misses: functions whose frames have no rule, and what stands above them.

#pragma once

#include <cstdint>

#include "event/call_path.h"
#include "shim/core/runtime.h"
#include "shim/core/sites.h"

namespace vouch::shim {

// Class of a place whose sites are its paths.
inline constexpr Caller kByPath = static_cast<Caller>(wire::kCallerByPath);
static_assert(static_cast<std::uint64_t>(Caller::user) == wire::kCallerUser);
static_assert(kByPath > Caller::python && kByPath < Caller::callback);
inline constexpr unsigned kMaxPath = 32;

// Frames of a path that are told apart, 0: none are.
extern unsigned path_length;

// Reads the variable; before the first site is made.
void start_paths();

// The site of a call by the way to it. `frame`: of the wrapper; `caller`: the return address that
// is the call's place; `site`: that of the call alone, taken where there is no path.
std::uint32_t path_site(Thread& t, std::uint64_t frame, std::uint64_t caller, std::uint32_t site);

// For paths of another kind: the site of what `hash` stands for, 0 if it is new; and keeps it.
// False: there is no room.
std::uint32_t find_path(std::uint64_t hash);
bool keep_path(std::uint64_t hash, std::uint32_t site);

constexpr std::uint64_t mix_path(std::uint64_t h, std::uint64_t v) {
  h = (h ^ v) * 0x9E3779B97F4A7C15u;
  return h ^ (h >> 32);
}

}  // namespace vouch::shim
