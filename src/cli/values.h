// Values of options and words of commands, from text and back.

#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wait/operation.h"

namespace vouch {

// "90", "1.5", "90s", "2m", "1h", "250ms"; more than nothing and less than a year.
std::optional<std::chrono::milliseconds> parse_duration(std::string_view);

// "strict", "as-run", "limit=4096", "limit=64k".
std::optional<wait::Buffering> parse_buffering(std::string_view);

// As a shell would read it back.
std::string shell_quoted(const std::vector<std::string>& words);

}  // namespace vouch
