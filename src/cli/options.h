// The options of all commands: a row of options.def each.
//
// A row is data: command_line.h reads words by it, the manual (manual.h) and the completions of
// shells (completion.h) are written from it, and so is what an exploration notes of its options.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vouch {

enum class Subcommand : std::uint8_t {
  run,
  record,
  replay,
  explore,
  predict,
  cc,
  cxx,
  fc,
  trace,
  doctor,
  count_
};
std::string_view name(Subcommand);
// All of them, in the order of the manual.
std::span<const Subcommand> all_commands();

enum class Option : std::uint8_t {
#define VOUCH_OPTION(id, ...) id,
#define VOUCH_ALIAS(id, name)
#include "cli/options.def"
#undef VOUCH_ALIAS
#undef VOUCH_OPTION
  count_
};

// Which values an option has.
struct ValueKind {
  enum class Type : std::uint8_t {
    flag,
    text,
    number,
    duration,
    choice,
    list,
    file,
    folder,
    buffering,
    checks
  };
  Type type = Type::text;
  // Separated by blanks: the values of a choice or a list; endings of a file's name; for others
  // what a shell offers. A word that ends in "=" goes on.
  std::string_view words{};
  std::string_view of{};    // number: "ranks"
  long low = 0, high = -1;  // number, or hours of a duration; high < low: no upper bound
  bool optional = false;    // --stacks or --stacks=4
  bool repeated = false;    // may be given more than once
};

struct OptionRow {
  Option id;
  unsigned commands;  // 1 << Subcommand each
  std::string_view option;
  char letter;
  std::string_view value;
  ValueKind kind;
  std::string_view fallback;
  bool kept;
  std::string_view help;

  bool in(Subcommand command) const {
    return (commands >> static_cast<unsigned>(command) & 1) != 0;
  }
};

std::span<const OptionRow> all_options();
const OptionRow& row(Option);
std::vector<const OptionRow*> options_of(Subcommand);
// The spellings that no manual has.
std::vector<std::string_view> aliases(Option);

// "-n", or "--json": as sentences name it.
std::string spelled(const OptionRow&);
// The option of a command that is spelled so, "-n" or "--np"; nullptr: there is none.
const OptionRow* option_spelled(std::string_view, Subcommand);
// It is one, and its value is the next word.
bool takes_next_word(std::string_view, Subcommand);
// The words of a list that is separated by blanks.
std::vector<std::string> split_words(std::string_view);

// The option that a typo was meant to be: "--json" for "--jsno"; "": none is near.
std::string meant(std::string_view typed, Subcommand);
Subcommand command_named(std::string_view);  // Subcommand::count_: there is none
std::string command_meant(std::string_view typed);

}  // namespace vouch
