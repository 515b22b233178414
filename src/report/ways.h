// Places that name another way to the offender's line (--stacks).

#pragma once

#include <string>

#include "report/finding.h"

namespace vouch {

inline constexpr char kAlsoCalledFrom[] = "also called from ";

// The role of a place with a call path of at least two frames: "also called from solver.cpp:12".
inline std::string also_called_from(const Location& way) {
  const Caller& caller = way.stack[1];
  Location from;
  from.file = caller.file, from.function = caller.function;
  from.line = caller.line, from.offset = caller.offset;
  return kAlsoCalledFrom + where(from);
}

}  // namespace vouch
