// How shells complete a command line of vouch, from options.def and pages.h.
//
// Commands, options, and the values of options; behind the options what the shell knows of the
// program that stands there.

#pragma once

#include <string>

namespace vouch {

std::string completion_bash();
std::string completion_zsh();

}  // namespace vouch
