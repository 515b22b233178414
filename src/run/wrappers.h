// Commands that run another command: valgrind, numactl, env, timeout, bash -c, scripts.
//
// Which MPI library a job uses decides which launcher can start it, and it is the innermost program
// that has one. Known wrappers are rows of a table; a shell's words are read as far as they can be
// understood without running them. Nothing is executed.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vouch {

using Words = std::vector<std::string>;

// What a command will run.
struct Wrapped {
  // Each a command of its own, in the order in which a shell would come to them. Empty: the command
  // runs nothing else, or what it runs cannot be told.
  std::vector<Words> commands;
  // The table knows how this command reads its words: there is one command, and this is it.
  bool sure = false;
};
Wrapped wrapped_by(const Words& command);
// The same of a script that is a command itself: by the #! line of its file.
Wrapped script_of(const Words& command);

// The simple commands of a piece of shell text, without redirections, assignments and keywords.
// Words with expansions are kept as they stand, but for $@ and $*, which stand for `arguments`,
// and $0, which is `self`.
std::vector<Words> shell_commands(std::string_view text, const std::string& self,
                                  const Words& arguments);

// A regular file. Of a pipe, what is read would be missing to the program, or never come.
bool is_regular(const std::string& path);

// The words of the `#!` line of a file; empty: it has none.
Words shebang_of(const std::string& path);

// The part of a path behind its last slash.
std::string_view base_name(std::string_view path);

}  // namespace vouch
