// A command's words, read and checked by the rows of options.def.
//
// Options stand before the program; what follows belongs to it. Where there is no program, they may
// stand anywhere. A value that an option does not have is refused here, so whoever asks for one
// gets one that can be used.

#pragma once

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/options.h"

namespace vouch {

class CommandLine {
 public:
  // `words`: those behind the command. The error is one sentence.
  static Result<CommandLine> parse(Subcommand, const std::vector<std::string>& words);

  Subcommand command() const { return command_; }
  bool has(Option option) const { return !all(option).empty(); }  // it was given
  // The value, or the fallback of the row.
  std::string text(Option) const;
  int number(Option) const;                                     // 0: none
  std::optional<std::chrono::milliseconds> time(Option) const;  // nullopt: none
  const std::vector<std::string>& all(Option option) const {
    return given_[static_cast<std::size_t>(option)];
  }

  // replay: the word that stands first. "": there is none.
  const std::string& schedule() const { return schedule_; }
  // The program and its words, or files.
  const std::vector<std::string>& rest() const { return rest_; }
  // It was said with "--" that they are a program's: none of them is an option.
  bool dashes() const { return dashes_; }
  // There is an option that this command does not have: one sentence. "": there is none.
  std::string unknown_option() const;

 private:
  explicit CommandLine(Subcommand command) : command_(command) {}
  // "" or one sentence.
  std::string read(const std::vector<std::string>& words);
  std::string read_options(const std::vector<std::string>& words);
  bool takes_program() const;
  std::string check() const;  // "" or what is wrong with a value

  Subcommand command_;
  std::array<std::vector<std::string>, static_cast<std::size_t>(Option::count_)> given_{};
  std::string schedule_{};
  std::vector<std::string> rest_{};
  bool dashes_ = false;
};

// The same for all commands: what is wrong, and where the manual is. Returns the exit status.
int wrong_usage(const std::string& sentence, Subcommand);

}  // namespace vouch
