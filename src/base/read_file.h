// A whole file, or nothing: what cannot be opened, cannot be read to its end or does not end
// within 256 MiB is not half read.
//
// A stream's own iterators throw when a read fails (a directory, the /proc entry of a process
// that dies meanwhile); this does not.

#pragma once

#include <optional>
#include <string>

namespace vouch {

std::optional<std::string> read_file(const std::string& path);

}  // namespace vouch
