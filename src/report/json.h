// The contract for scripts, and how the agent hands its findings to the vouch process.
//
// Schema 1: verdict, command, ranks, findings, exploration, statistics, not_checked as promised in
// the manual; more keys may come, these stay. Text that is no UTF-8 (a file name, an argument) has
// its bad bytes replaced.

#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "report/finding.h"

namespace vouch {

inline constexpr int kJsonSchema = 1;

std::string write_json(const Summary&);       // several lines, ends with one
std::string write_json_line(const Summary&);  // one line without its end, for a pipe
std::string write_json_line(const Finding&);
Result<Summary> read_json(std::string_view);
Result<Finding> read_json_finding(std::string_view);

}  // namespace vouch
