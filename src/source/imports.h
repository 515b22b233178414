// What an ELF file asks other libraries for, read from its file.

#pragma once

#include <string>

namespace vouch {

// Whether the program or library at `path` can know that time passes: it calls a function that
// reads a clock, sleeps or sets a timer. Also if its file cannot be read.
// Misses: what it does by system calls or instructions of its own, or through another library.
bool knows_time(const std::string& path);

// Whether a function of this name does one of these.
bool is_about_time(const std::string& function);

}  // namespace vouch
