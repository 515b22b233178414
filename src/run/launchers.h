// Which launcher starts N ranks of a program, and with which words.

#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "run/elf.h"

namespace vouch {

struct Launcher {
  std::string command;  // as it is found in PATH
  MpiKind mpi = MpiKind::none;
};

// Names that a launcher of this library goes by, the telling ones first.
const std::vector<std::string>& launcher_names(MpiKind);
// Which library's it is: by its name or the file behind it, else by what it says of itself. none:
// it is not there.
MpiKind launcher_kind(const std::string& command);
// MpiKind::none: any.
Result<Launcher> find_launcher(MpiKind);
// The whole command line. Root and more ranks than cores are seen to.
std::vector<std::string> launch_line(const Launcher&, int ranks,
                                     const std::vector<std::string>& command);

// The words from the launcher on, where one stands in the command, perhaps behind wrappers
// (timeout, env, bash -c) or in a script; empty: none.
std::vector<std::string> launcher_behind(const std::vector<std::string>& command);

// Whether ranks may come to other nodes: the launcher is told hosts, or a batch system has given
// several or decides itself (srun from a login node).
bool may_span_nodes(const std::vector<std::string>& command);

// Cores, not hardware threads: what Open MPI counts as slots.
int physical_cores();

}  // namespace vouch
