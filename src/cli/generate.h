// What is made of the table of options when vouch is built: manual pages, completions, a listing.
//
//     vouch __generate man run          one page; "vouch" for that of vouch itself
//     vouch __generate bash | zsh       a completion
//     vouch __generate options          the rows, for tests: command, option, letter, value, type,
//                                       words and fallback with tabs between them
//     vouch __generate all FOLDER       all pages and completions as files to be installed

#pragma once

#include <string>
#include <vector>

namespace vouch {

inline constexpr char kGenerateCommand[] = "__generate";

// The words behind it. Returns the exit status.
int generate(const std::vector<std::string>& words);

}  // namespace vouch
