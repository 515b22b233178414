// A schedule that a run could not follow (kTheSchedule in finding.h), because a send or a
// collective waits that need not: how the reason begins. Who explores leaves such a schedule out.

#pragma once

#include <string_view>

namespace vouch {

inline constexpr std::string_view kCannotHappen = "it cannot happen with this library";

}  // namespace vouch
