// A trace as text that read_text (event/text.h) takes back.

#pragma once

#include <functional>
#include <string_view>

#include "event/text.h"

namespace vouch::trace {

// Line by line, without line ends. Calls of different ranks stand in the order of the trace; a call
// and its return share a line where nothing of the rank came between.
void dump(const TextTrace&, const std::function<void(std::string_view)>& line);

}  // namespace vouch::trace
