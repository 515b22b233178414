// What the caller has left this process with: descriptors that are closed, signals, its own path.

#pragma once

#include <string>

namespace vouch {

// To be called first. A standard descriptor that the caller closed (`2>&-`) leads to /dev/null, so
// that no file or socket of ours gets its number and what is printed. Programs that are executed
// find it closed again, but for launchers. Where files may not grow (ulimit -f), writing fails
// instead of ending us.
void settle_in();
// In a child that will be a launcher: Hydra fails where one of them is closed, and processes that
// it starts have pipes instead.
void keep_standard_descriptors();
// In a child that will be another program: signals are as the caller had them.
void give_back_signals();

// Where this program is; also where there is no /proc. "" if nobody knows.
std::string own_path();

}  // namespace vouch
