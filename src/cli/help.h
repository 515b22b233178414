// The manual: what --help prints.

#pragma once

#include <string_view>

namespace vouch {

std::string_view help_main();
std::string_view help_run();
std::string_view help_explore();
std::string_view help_predict();
std::string_view help_doctor();
std::string_view help_trace();
// "": the overview; empty result: no such command.
std::string_view help_of(std::string_view command);

}  // namespace vouch
