// Which translation units of a module were built with `vouch cc`, read from its file.
//
// The names of the units stand in the symbol table, each before its own local symbols; one that is
// instrumented has a constructor whose name its compiler chose. A module without symbols tells
// nothing.

#pragma once

#include <string>
#include <vector>

namespace vouch {

struct ModuleUnits {
  int instrumented = 0;
  std::vector<std::string> others;  // "solver.c", in order, each once; not those of the compiler
};
ModuleUnits read_units(const std::string& path);

}  // namespace vouch
