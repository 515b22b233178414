// How to get from a frame to its caller's, for one return address: read once from the unwind tables
// (.eh_frame), then kept.
//
// x86-64 only. A rule is what compilers write in practice: the frame's top lies at a distance from
// rsp or rbp, the return address right below it, and the caller's rbp is either unchanged or saved
// at a distance from the top. Anything else (signal frames, functions that realign their stack by
// expressions) has no rule, and a path ends there.

#pragma once

#include <cstdint>

namespace vouch::shim {

struct UnwindRule {
  enum Kind : std::uint8_t {
    none,      // no rule: the path ends here
    by_stack,  // top = rsp + top_offset
    by_frame,  // top = rbp + top_offset
  };
  Kind kind = none;
  bool saves_rbp = false;       // at top + rbp_offset
  std::int32_t top_offset = 0;  // the canonical frame address of DWARF
  std::int32_t rbp_offset = 0;
};

// Where a walk up the stack stands: in the frame to which `at` returns.
struct Registers {
  std::uint64_t stack, rbp, at;
};

// To the caller's frame. Reads nothing below the frame and nothing from `high` on. False: there is
// no way up.
[[gnu::always_inline]] inline bool step_up(const UnwindRule& rule, Registers& r,
                                           std::uint64_t high) {
  const auto word = [](std::uint64_t at) { return *reinterpret_cast<const std::uint64_t*>(at); };
  const auto moved = [](std::uint64_t from, std::int32_t by) {
    return from + static_cast<std::uint64_t>(std::int64_t{by});
  };
  if (rule.kind == UnwindRule::none) return false;
  const std::uint64_t top =
      moved(rule.kind == UnwindRule::by_frame ? r.rbp : r.stack, rule.top_offset);
  // A frame has at least a return address, and lies above the one before.
  if (top < r.stack + 8 || top > high || (top & 7) != 0) return false;
  if (rule.saves_rbp) {
    const std::uint64_t saved = moved(top, rule.rbp_offset);
    if (saved < r.stack || saved > high - 8 || (saved & 7) != 0) return false;
    r.rbp = word(saved);
  }
  r.at = word(top - 8);
  r.stack = top;
  return r.at != 0;
}

// `address`: a return address. Reads the tables of the object it lies in; allocates nothing. An
// object without tables gets the rule of a function that keeps a frame pointer, which whoever walks
// must check anyway.
UnwindRule find_unwind_rule(std::uint64_t address);

// The same from given tables, for tests. `header`: .eh_frame_hdr, in memory.
UnwindRule find_unwind_rule(std::uint64_t address, const std::uint8_t* header);

}  // namespace vouch::shim
