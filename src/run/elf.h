// What an executable is made of, read from its file: nothing is executed.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace vouch {

enum class MpiKind { none, openmpi, mpich, unknown };
const char* name(MpiKind);  // "Open MPI"

struct ElfFile {
  std::string path;
  bool executable = false;   // a program, position independent or not; no library
  bool dynamic = false;      // has a dynamic section
  bool interpreted = false;  // asks for a dynamic linker
  int machine = 0;
  bool native = false;  // 64-bit x86, the only architecture that vouch is built for
  std::vector<std::string> needed;
  std::vector<std::string> rpath, runpath;
  bool defines_mpi = false;     // MPI_Init or MPI_Finalize stands in it, not only as a layer
  MpiKind mpi = MpiKind::none;  // of the library that it is, if it defines MPI
};

bool is_elf(const std::string& path);
Result<ElfFile> read_elf(const std::string& path);

// A library by its soname, of the same architecture as this program; "" if the dynamic linker does
// not know it.
std::string find_library(const std::string& soname);

// The MPI library that `path` brings in through its dependencies, the way the dynamic linker would
// find them.
struct MpiLibrary {
  MpiKind kind = MpiKind::none;
  std::string path;  // of the library
  // Another one that comes with it and stands behind it in the search order; "": none, as it should
  // be.
  std::string second{};
};
MpiLibrary find_mpi(const std::string& path);

}  // namespace vouch
