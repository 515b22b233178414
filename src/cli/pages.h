// The pages of the manual, without their options: those are rows of options.def.
//
// A page is data. manual.h writes it for a terminal (--help) and for man; completion.h takes what a
// command does in a few words.

#pragma once

#include <string_view>
#include <vector>

#include "cli/options.h"

namespace vouch {

// A term and what it means: an exit status, a variable, an example.
struct PageRow {
  std::string_view term, text;
};

struct Page {
  Subcommand command = Subcommand::count_;  // count_: the page of vouch itself
  std::string_view does;                    // "check one run of an MPI program"
  std::vector<std::string_view> synopsis;
  // Paragraphs with a blank line between them. One that begins with four blanks stays as it is.
  std::string_view description;
  std::string_view options_note{};  // a paragraph before the options
  std::vector<PageRow> status{}, environment{}, examples{};
};

// Of vouch itself first, then those of all commands in the order of the manual.
const std::vector<Page>& pages();
const Page& page_of(Subcommand);

}  // namespace vouch
