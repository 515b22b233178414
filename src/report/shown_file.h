// A source file as people name it: relative to where they stand, or just its name. Findings hold
// the path as the debug information has it.

#pragma once

#include <string>

namespace vouch {

std::string shown_file(const std::string& path);

}  // namespace vouch
