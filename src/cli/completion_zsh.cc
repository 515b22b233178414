#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/completion.h"
#include "cli/pages.h"

namespace vouch {
namespace {

using Type = ValueKind::Type;

constexpr const char* kFunctions = R"sh(# Words as they stand; one that ends in = goes on.
_vouch_words() {
  local word
  for word; do
    if [[ $word == *= ]]; then compadd -S '' -- $word; else compadd -- $word; fi
  done
}

# Words of a list; a minus may stand before one.
_vouch_checks() {
  compset -P '*,'
  compset -P '-'
  compadd -S '' -- $@
}

# The program, and behind it what its own completion knows.
_vouch_program() {
  if (( CURRENT == 1 )); then
    _alternative 'commands:command:_command_names -e' 'files:file:_files'
  else
    _normal -p vouch
  fi
}

)sh";

constexpr const char* kMain = R"sh(_vouch() {
  local -a commands
  _vouch_commands
  if (( CURRENT == 2 )); then
    if [[ $PREFIX == -* ]]; then compadd -- --help --version; else _describe -t commands command commands; fi
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  # The schedule stands before the options.
  if [[ $command == replay && $words[2] != -* ]]; then
    if (( CURRENT == 2 )); then _files; return; fi
    shift words
    (( CURRENT-- ))
  fi
  local -a options
  _vouch_options $command
  case $command in
    run | record | replay | explore) _arguments -s -S -A '-*' : $options '*::program:_vouch_program' ;;
    predict)
      if (( ${words[(I)(-n*|--np|--np=*)]} )); then
        _arguments -s -S -A '-*' : $options '*::program:_vouch_program'
      else
        _arguments -s -S : $options '1:trace:_files'
      fi ;;
    trace) _arguments -s -S : $options '1:what to do:(dump)' '2:trace:_files' ;;
    doctor) _arguments -s -S : $options ;;
    help) _describe -t commands command commands ;;
  esac
}

_vouch "$@"
)sh";

// Inside single quotes, in a specification of _arguments or _describe.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c == '\'' ? "'\\''" : std::string(1, c);
  }
  return out;
}

// The first clause of a help text.
std::string_view brief(std::string_view help) {
  help = help.substr(0, help.find_first_of(";:("));
  help = help.substr(0, help.find(". "));
  while (help.ends_with(' ')) help.remove_suffix(1);
  return help;
}

std::string action(const ValueKind& kind) {
  switch (kind.type) {
    case Type::file:
      return kind.words.empty()
                 ? "_files"
                 : fmt::format("_files -g \"*({})\"", fmt::join(split_words(kind.words), "|"));
    case Type::folder:
      return "_files -/";
    case Type::list:
      return fmt::format(" _values -s , values {}", kind.words);
    case Type::checks:
      return fmt::format(" _vouch_checks {}", kind.words);
    default:
      return kind.words.empty() ? " " : fmt::format(" _vouch_words {}", kind.words);
  }
}

// One spelling of an option as _arguments reads it; `others`: all of them, which exclude it.
std::string specification(const OptionRow& row, const std::string& spelling,
                          const std::string& others) {
  std::string text = row.kind.repeated ? "*" : fmt::format("({})", others);
  text += spelling;
  if (!row.value.empty()) text += row.kind.optional ? "=-" : spelling.starts_with("--") ? "=" : "+";
  text += fmt::format("[{}]", escaped(brief(row.help)));
  if (!row.value.empty())
    text += fmt::format("{}{}:{}", row.kind.optional ? "::" : ":", escaped(row.value),
                        action(row.kind));
  return fmt::format("'{}'", text);
}

std::string specifications(const OptionRow& row) {
  const std::string name = fmt::format("--{}", row.option);
  if (row.letter == 0) return "    " + specification(row, name, name) + "\n";
  const std::string letter{'-', row.letter}, both = letter + " " + name;
  return fmt::format("    {}\n    {}\n", specification(row, letter, both),
                     specification(row, name, both));
}

}  // namespace

std::string completion_zsh() {
  std::string out =
      "#compdef vouch\n# Completion of vouch for zsh. Made from src/cli/options.def.\n\n";
  out += kFunctions;
  out += "_vouch_commands() {\n  commands=(\n";
  for (const Subcommand command : all_commands())
    out += fmt::format("    '{}:{}'\n", name(command), escaped(page_of(command).does));
  out += "    'help:the manual of a command'\n  )\n}\n\n_vouch_options() {\n  case $1 in\n";
  for (const Subcommand command : all_commands()) {
    out += fmt::format("  {}) options=(\n", name(command));
    for (const OptionRow* row : options_of(command)) out += specifications(*row);
    out += "  ) ;;\n";
  }
  out += "  esac\n}\n\n";
  return out + kMain;
}

}  // namespace vouch
