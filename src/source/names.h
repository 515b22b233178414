// Names from a symbol table, as the user wrote them.

#pragma once

#include <string>
#include <string_view>

namespace vouch {

// C++ demangled, without parameters; gfortran's `__halo_MOD_exchange`, `exchange_`, `MAIN__` and
// the compiler's own suffixes (`.isra.0`) undone.
std::string readable_name(std::string_view symbol);

// A header of the C++ library: what it does, the program does by naming a container, a lock …
bool of_cxx_library(std::string_view path);

}  // namespace vouch
