#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/completion.h"
#include "cli/options.h"

namespace vouch {
namespace {

using Type = ValueKind::Type;

constexpr const char* kFunctions = R"sh(# Words of a list that begin like $cur.
_vouch_words() {
  mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur")
  [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace 2>/dev/null
  return 0
}

# The same behind the last comma.
_vouch_list() {
  local before=
  [[ $cur == *,* ]] && before=${cur%,*},
  mapfile -t COMPREPLY < <(compgen -P "$before" -W "$1" -- "${cur##*,}")
}

# The same; a minus may stand before a word.
_vouch_checks() {
  local before= word=${cur##*,}
  [[ $cur == *,* ]] && before=${cur%,*},
  [[ $word == -* ]] && before+=-
  mapfile -t COMPREPLY < <(compgen -P "$before" -W "$1" -- "${word#-}")
}

# Files; with endings only those, and folders on the way to them.
_vouch_files() {
  local ending
  compopt -o filenames 2>/dev/null
  if [[ $# -eq 0 ]]; then
    mapfile -t COMPREPLY < <(compgen -f -- "$cur")
    return
  fi
  mapfile -t COMPREPLY < <(compgen -d -- "$cur"; for ending; do compgen -f -X "!*$ending" -- "$cur"; done)
}

_vouch_folders() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -d -- "$cur")
}

# The program, and behind it what its own completion knows.
_vouch_program() {
  if (( $1 < COMP_CWORD )) && declare -F _command_offset >/dev/null; then
    _command_offset "$1"
  elif (( $1 < COMP_CWORD )); then
    _vouch_files
  else
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$cur"; [[ $cur == */* ]] || compgen -c -- "$cur")
  fi
}

)sh";

constexpr const char* kMain = R"sh(_vouch() {
  local cur=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]-} option= last= word i program= counted=
  COMPREPLY=()
  if (( COMP_CWORD == 1 )); then
    _vouch_words "$_vouch_commands help --help --version"
    return
  fi
  # bash takes --json=x apart into three words.
  for (( i = 2; i < COMP_CWORD; ++i )); do
    word=${COMP_WORDS[i]}
    if [[ $word == = ]]; then
      option=$last
    elif [[ -n $option ]]; then
      option=
    elif [[ $word == -- ]]; then
      program=$((i + 1))
      break
    elif [[ $word == -* ]]; then
      last=$word
      [[ $word == -n* || $word == --np ]] && counted=1
      _vouch_takes_value "$command" "$word" && option=$word
    elif [[ $command == replay && $i -eq 2 ]] || [[ $command == predict && -z $counted ]]; then
      continue
    else
      program=$i
      break
    fi
  done
  [[ $cur == = ]] && cur= && option=$last
  if [[ -n $option ]]; then
    _vouch_value "$command" "$option"
  elif [[ -z $program && $cur == -* ]]; then
    _vouch_words "$(_vouch_options "$command")"
  else
    case $command in
      help) (( COMP_CWORD == 2 )) && _vouch_words "$_vouch_commands" ;;
      trace) if (( COMP_CWORD == 2 )); then _vouch_words dump; else _vouch_files; fi ;;
      doctor) ;;
      replay) if (( COMP_CWORD == 2 )); then _vouch_files; else _vouch_program "${program:-$COMP_CWORD}"; fi ;;
      predict) if [[ -n $counted ]]; then _vouch_program "${program:-$COMP_CWORD}"; else _vouch_files; fi ;;
      run | record | explore) _vouch_program "${program:-$COMP_CWORD}" ;;
    esac
  fi
}

complete -F _vouch vouch
)sh";

// "--color --colour"
std::vector<std::string> spellings(const OptionRow& row) {
  std::vector<std::string> all;
  if (row.letter != 0) all.push_back({'-', row.letter});
  all.push_back(fmt::format("--{}", row.option));
  for (const std::string_view alias : aliases(row.id)) all.push_back(fmt::format("--{}", alias));
  return all;
}

// "run/--json | record/--json"
std::string pattern(const OptionRow& row) {
  std::vector<std::string> all;
  for (const Subcommand command : all_commands())
    if (row.in(command))
      for (const std::string& spelling : spellings(row))
        all.push_back(fmt::format("{}/{}", name(command), spelling));
  return fmt::format("{}", fmt::join(all, " | "));
}

// What completes its value; "": nothing does.
std::string action(const ValueKind& kind) {
  switch (kind.type) {
    case Type::file:
      return kind.words.empty() ? "_vouch_files" : fmt::format("_vouch_files {}", kind.words);
    case Type::folder:
      return "_vouch_folders";
    case Type::list:
      return fmt::format("_vouch_list '{}'", kind.words);
    case Type::checks:
      return fmt::format("_vouch_checks '{}'", kind.words);
    default:
      return kind.words.empty() ? "" : fmt::format("_vouch_words '{}'", kind.words);
  }
}

}  // namespace

std::string completion_bash() {
  std::string out = "# Completion of vouch for bash. Made from src/cli/options.def.\n\n";
  std::vector<std::string_view> commands;
  for (const Subcommand command : all_commands()) commands.push_back(name(command));
  out += fmt::format("_vouch_commands='{}'\n\n", fmt::join(commands, " "));
  out += kFunctions;
  out += "_vouch_options() {\n  case $1 in\n";
  for (const Subcommand command : all_commands()) {
    std::vector<std::string> all;
    for (const OptionRow* row : options_of(command)) {
      if (row->letter != 0) all.push_back({'-', row->letter});
      all.push_back(fmt::format("--{}", row->option));
    }
    out += fmt::format("    {}) echo '{}' ;;\n", name(command), fmt::join(all, " "));
  }
  out += "  esac\n}\n\n_vouch_takes_value() {\n  case $1/$2 in\n";
  for (const OptionRow& row : all_options())
    if (row.kind.type != Type::flag && !row.kind.optional)
      out += fmt::format("    {}) return 0 ;;\n", pattern(row));
  out += "  esac\n  return 1\n}\n\n_vouch_value() {\n  case $1/$2 in\n";
  for (const OptionRow& row : all_options())
    if (const std::string how = action(row.kind); !how.empty())
      out += fmt::format("    {}) {} ;;\n", pattern(row), how);
  out += "  esac\n}\n\n";
  return out + kMain;
}

}  // namespace vouch
