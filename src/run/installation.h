// Where the parts of this vouch are, in the build tree or installed.

#pragma once

#include <string>

#include "run/elf.h"

namespace vouch {

// libvouch.so that belongs to this vouch; "" if it is missing.
std::string find_shim();
// What `vouch cc` links, beside it; "" if it is missing.
std::string find_access_library();
// The back end for a library, beside libvouch.so; "" if it was not built.
std::string find_back_end(MpiKind);

}  // namespace vouch
