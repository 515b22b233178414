// Which parts of a program were built with `vouch cc`, and what the report says of the others.
//
// Nothing where no part was: then nobody expects loads and stores to be seen.

#pragma once

#include <set>
#include <string>
#include <vector>

namespace vouch {

struct ProgramParts {
  std::set<std::string> instrumented;  // paths of modules
  std::set<std::string> callers;       // of those that call MPI for the user
};
// One sentence for each module that is not, or only in part.
std::vector<std::string> unseen_parts(const ProgramParts&);

}  // namespace vouch
