#include "cli/options.h"

#include <algorithm>
#include <array>

#include "analysis/checks.h"
#include "base/check.h"
#include "cli/nearest.h"

namespace vouch {
namespace {

using Type = ValueKind::Type;

constexpr std::string_view kNames[] = {"run", "record", "replay", "explore", "predict",
                                       "cc",  "cxx",    "fc",     "trace",   "doctor"};
static_assert(std::size(kNames) == static_cast<std::size_t>(Subcommand::count_));

constexpr Subcommand kCommands[] = {Subcommand::run,     Subcommand::record,  Subcommand::replay,
                                    Subcommand::explore, Subcommand::predict, Subcommand::cc,
                                    Subcommand::cxx,     Subcommand::fc,      Subcommand::trace,
                                    Subcommand::doctor};

template <typename... C>
constexpr unsigned set(C... commands) {
  return (... | (1U << static_cast<unsigned>(commands)));
}

// The words of options.def.
constexpr unsigned kRecord = set(Subcommand::record), kExplore = set(Subcommand::explore),
                   kPredict = set(Subcommand::predict),
                   kRuns = set(Subcommand::run, Subcommand::record, Subcommand::replay),
                   kReports = kRuns | kExplore | kPredict,
                   kCompiles = set(Subcommand::cc, Subcommand::cxx, Subcommand::fc),
                   kAll = kReports | kCompiles | set(Subcommand::trace, Subcommand::doctor);
constexpr bool kept = true, free = false;

constexpr ValueKind flag() { return {.type = Type::flag}; }
constexpr ValueKind text(std::string_view offered = {}) {
  return {.type = Type::text, .words = offered};
}
constexpr ValueKind number(std::string_view of, long low, long high = -1) {
  return {.type = Type::number, .of = of, .low = low, .high = high};
}
constexpr ValueKind maybe_number(std::string_view of, long low, long high) {
  return {.type = Type::number, .of = of, .low = low, .high = high, .optional = true};
}
constexpr ValueKind duration(long hours = -1) { return {.type = Type::duration, .high = hours}; }
constexpr ValueKind choice(std::string_view words) {
  return {.type = Type::choice, .words = words};
}
constexpr ValueKind list(std::string_view words) { return {.type = Type::list, .words = words}; }
constexpr ValueKind buffering(std::string_view words) {
  return {.type = Type::buffering, .words = words};
}
ValueKind checks() { return {.type = Type::checks, .words = Checks::words()}; }
constexpr ValueKind file(std::string_view endings = {}) {
  return {.type = Type::file, .words = endings};
}
constexpr ValueKind files() { return {.type = Type::file, .repeated = true}; }
constexpr ValueKind folder() { return {.type = Type::folder}; }

const OptionRow kRows[] = {
#define VOUCH_OPTION(id, commands, name, letter, value, kind, fallback, state, help) \
  {Option::id, commands, name, letter, value, kind, fallback, state, help},
#define VOUCH_ALIAS(id, name)
#include "cli/options.def"
#undef VOUCH_ALIAS
#undef VOUCH_OPTION
};

struct Alias {
  Option id;
  std::string_view name;
};
constexpr Alias kAliases[] = {
#define VOUCH_OPTION(...)
#define VOUCH_ALIAS(id, name) {Option::id, name},
#include "cli/options.def"
#undef VOUCH_ALIAS
#undef VOUCH_OPTION
};

}  // namespace

std::string_view name(Subcommand command) { return kNames[static_cast<std::size_t>(command)]; }
std::span<const Subcommand> all_commands() { return kCommands; }

std::span<const OptionRow> all_options() { return kRows; }

const OptionRow& row(Option id) {
  const OptionRow& found = kRows[static_cast<std::size_t>(id)];
  VOUCH_CHECK(found.id == id);
  return found;
}

std::vector<const OptionRow*> options_of(Subcommand command) {
  std::vector<const OptionRow*> rows;
  for (const OptionRow& row : kRows)
    if (row.in(command)) rows.push_back(&row);
  return rows;
}

std::vector<std::string_view> aliases(Option id) {
  std::vector<std::string_view> names;
  for (const Alias& alias : kAliases)
    if (alias.id == id) names.push_back(alias.name);
  return names;
}

std::string spelled(const OptionRow& row) {
  return row.letter != 0 ? std::string{'-', row.letter} : "--" + std::string(row.option);
}

const OptionRow* option_spelled(std::string_view word, Subcommand command) {
  for (const OptionRow* row : options_of(command)) {
    if (row->letter != 0 && word == std::string{'-', row->letter}) return row;
    if (!word.starts_with("--")) continue;
    const std::string_view long_form = word.substr(2);
    if (long_form == row->option) return row;
    for (const std::string_view alias : aliases(row->id))
      if (long_form == alias) return row;
  }
  return nullptr;
}

bool takes_next_word(std::string_view word, Subcommand command) {
  const OptionRow* row = option_spelled(word, command);
  return row != nullptr && row->kind.type != Type::flag && !row->kind.optional;
}

std::vector<std::string> split_words(std::string_view list) {
  std::vector<std::string> words;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(' '), list.size());
    if (end > 0) words.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return words;
}

std::string meant(std::string_view typed, Subcommand command) {
  std::vector<std::string> known;
  for (const OptionRow* row : options_of(command)) known.push_back("--" + std::string(row->option));
  return nearest(typed.substr(0, typed.find('=')), known);
}

Subcommand command_named(std::string_view typed) {
  const auto* found = std::find(std::begin(kNames), std::end(kNames), typed);
  return static_cast<Subcommand>(found - std::begin(kNames));
}

std::string command_meant(std::string_view typed) {
  std::vector<std::string> known(std::begin(kNames), std::end(kNames));
  known.insert(known.end(), {"help", "--help", "--version"});
  return nearest(typed, known);
}

}  // namespace vouch
