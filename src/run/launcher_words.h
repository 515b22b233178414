// A launcher's own words among all that a job writes to standard error, and whom they blame.
//
// A launcher that fails itself (no such host, no descriptors, a wrong option) ends the processes it
// has started, and these then look as if they had been killed. Its words tell the two apart: where
// a process failed, every launcher says so.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vouch {

struct LauncherWords {
  std::vector<std::string> own;  // its lines, without frames of dashes
  bool blames_process = false;   // a process exited, crashed or called MPI_Abort
  int signal = 0;                // that ended that process; 0: it does not say (Open MPI does)
  int process = 0;               // the first that it saw end badly; 0: it does not say (Hydra does)
  bool status_is_own = false;    // it lost its way, so its status is that of no process (Hydra)
};
// `frames`: it prints its help between lines of dashes (Open MPI).
LauncherWords launcher_words(std::string_view text, bool frames);

// The lines that say most, as one sentence; "": it said nothing.
std::string in_short(const std::vector<std::string>& lines);

}  // namespace vouch
