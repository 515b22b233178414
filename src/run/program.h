// What the user asked to run: a program, a script, a launcher; and which MPI library it will use.
//
// The library is that of the innermost program (wrappers.h). Found out by reading files. Of Python
// only the interpreter is asked where mpi4py lies; the program itself is never executed.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "run/elf.h"

namespace vouch {

struct Program {
  std::string path;     // of the first word of the command
  MpiLibrary mpi;       // none: not known, or it uses none
  std::string inner{};  // the program that has it, where the first word is a wrapper or a script
  bool python = false;
  bool script = false;
};

// mpirun, mpiexec, orterun, prterun, srun and their like, also with a suffix (mpirun.openmpi,
// mpiexec-mpich-mp).
bool is_launcher(std::string_view command);

// Where the shell would find it; "" if nowhere.
std::string find_in_path(const std::string& command);

// The error is one sentence: why this cannot be run or cannot be checked.
Result<Program> examine(const std::vector<std::string>& command);

// The extension module of mpi4py that this Python would import; "" if it has none.
std::string mpi4py_of(const std::string& python);

}  // namespace vouch
