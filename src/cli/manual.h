// The manual of vouch and of each command, from pages.h and options.def: for a terminal and for
// man.

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/options.h"

namespace vouch {

// What --help prints. Subcommand::count_: vouch itself.
std::string manual_text(Subcommand);
// vouch.1, vouch-run.1 ... in roff, with the macros of man(7).
std::string manual_roff(Subcommand);

// "-n, --np N", "--stacks[=N]", "--strict": an option as a manual shows it.
std::string shown(const OptionRow&);
// Its help with the fallback behind it.
std::string help_of(const OptionRow&);
// The rows of the section CHECKS of a command that has --checks: names, and what they look at.
std::vector<std::pair<std::string, std::string>> rows_of_checks(Subcommand);
// docs/checks.md.
std::string checks_markdown();
// "vouch run"; "vouch".
std::string title_of(Subcommand);
// "vouch-run"; "vouch".
std::string page_name(Subcommand);

}  // namespace vouch
