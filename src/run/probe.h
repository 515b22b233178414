// A tiny MPI program inside vouch: opens an MPI library and calls it. vouch doctor runs it under
// vouch.

#pragma once

#include <string>

namespace vouch {

inline constexpr char kProbeCommand[] = "__probe";

// "version": prints MPI_Get_library_version; "run": MPI_Init, MPI_Finalize. Returns the exit
// status.
int probe(const std::string& library, const std::string& what);

}  // namespace vouch
