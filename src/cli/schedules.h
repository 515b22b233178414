// Schedules on the command line: where they come from, and where they go.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "policy/schedule.h"

namespace vouch {

// A schedule as it stands, or a file (with or without @ before it): text written by vouch record,
// or a trace of a run. The error is one sentence.
Result<policy::Schedule> find_schedule(const std::string& word);

// A file for `vouch replay @FILE`.
std::string schedule_file(const std::string& schedule, const std::vector<std::string>& typed);

// The command that shows the findings of this run again: `vouch replay` with the schedule that it
// followed if its outcomes depended on chance. `file` holds the schedule too, "" if none does.
std::vector<std::string> again_command(const std::vector<std::string>& typed,
                                       const std::string& schedule, const std::string& file);

}  // namespace vouch
