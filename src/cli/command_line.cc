#include "cli/command_line.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "analysis/checks.h"
#include "cli/values.h"
#include "run/exit_status.h"

namespace vouch {
namespace {

using Type = ValueKind::Type;

constexpr long kMost = 1'000'000'000;

std::optional<long> parse_number(const std::string& text) {
  long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// "a", "a or b", "a, b or c".
std::string any_of(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i].ends_with('=') ? words[i] + "BYTES" : words[i];
  }
  return text;
}

bool is_one_of(const std::string& word, const std::vector<std::string>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string check_number(const ValueKind& kind, const std::string& value) {
  const auto number = parse_number(value);
  const bool bounded = kind.high >= kind.low;
  if (number && *number >= kind.low && *number <= (bounded ? kind.high : kMost)) return "";
  if (kind.of.empty()) return fmt::format("needs a number from {} to {}", kind.low, kind.high);
  return bounded ? fmt::format("needs a number of {}, {} to {}", kind.of, kind.low, kind.high)
                 : fmt::format("needs a number of {}, {} or more", kind.of, kind.low);
}

std::string check_duration(const ValueKind& kind, const std::string& value) {
  const auto time = parse_duration(value);
  const bool bounded = kind.high > 0;
  if (time && (!bounded || *time <= std::chrono::hours(kind.high))) return "";
  return bounded ? fmt::format("needs a time of at most {}h such as 90s, 2m or 1h", kind.high)
                 : "needs a time such as 90s, 2m or 1h";
}

std::string check_list(const std::vector<std::string>& words, std::string_view value) {
  for (bool more = true; more;) {
    const std::size_t comma = value.find(',');
    if (!is_one_of(std::string(value.substr(0, comma)), words))
      return fmt::format("is {}, or several of them separated by commas", any_of(words));
    more = comma != std::string_view::npos;
    if (more) value.remove_prefix(comma + 1);
  }
  return "";
}

std::string check_checks(std::string_view list) {
  const auto checks = Checks::parse(list);
  if (checks.ok()) return "";
  return fmt::format(
      "{}: it is {}, or several of them separated by commas, each with - before it to leave it out",
      checks.error(), any_of(split_words(Checks::words())));
}

// "" or how the sentence goes on behind the option: "is openmpi or mpich".
std::string check_value(const ValueKind& kind, const std::string& value) {
  const std::vector<std::string> words = split_words(kind.words);
  switch (kind.type) {
    case Type::number:
      return check_number(kind, value);
    case Type::duration:
      return check_duration(kind, value);
    case Type::choice:
      return is_one_of(value, words) ? "" : "is " + any_of(words);
    case Type::list:
      return check_list(words, value);
    case Type::checks:
      return check_checks(value);
    case Type::buffering:
      return parse_buffering(value) ? "" : "is " + any_of(words);
    case Type::folder: {
      std::error_code none;
      return std::filesystem::is_directory(value, none) ? "" : "needs a folder that exists";
    }
    case Type::file: {
      const auto fits = [&](const std::string& ending) { return value.ends_with(ending); };
      if (words.empty() || std::any_of(words.begin(), words.end(), fits)) return "";
      return "needs a file that ends in " + any_of(words);
    }
    case Type::flag:
    case Type::text:
      break;
  }
  return "";
}

// As CLI11 wants them: "-n,--np".
std::string names_of(const OptionRow& row) {
  std::string names = row.letter != 0 ? fmt::format("-{},", row.letter) : "";
  names += fmt::format("--{}", row.option);
  for (const std::string_view alias : aliases(row.id)) names += fmt::format(",--{}", alias);
  return names;
}

CLI::Option* describe(CLI::App& app, const OptionRow& row) {
  if (row.kind.type == Type::flag || row.kind.optional) return app.add_flag(names_of(row));
  CLI::Option* option = app.add_option(names_of(row));
  option->type_size(1)->expected(1)->allow_extra_args(false);
  return option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

// "--json=": CLI11 would take the next word for its value. "" or the sentence.
std::string empty_value(Subcommand command, const std::vector<std::string>& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (!word.starts_with("-") || word == "--") break;  // the program
    if (word.ends_with("=")) {
      const OptionRow* row =
          option_spelled(std::string_view(word).substr(0, word.size() - 1), command);
      if (row == nullptr) break;
      return row->value.empty() ? fmt::format("{} takes no value", spelled(*row))
                                : fmt::format("{} needs a value: {}", spelled(*row), row->value);
    }
    if (takes_next_word(word, command)) ++i;
  }
  return "";
}

constexpr const char* kFlagSet = "true";  // what CLI11 notes of a flag without a value

}  // namespace

Result<CommandLine> CommandLine::parse(Subcommand command, const std::vector<std::string>& words) {
  CommandLine line(command);
  const bool scheduled =
      command == Subcommand::replay && !words.empty() && !words[0].starts_with("-");
  if (scheduled) line.schedule_ = words[0];
  if (std::string sentence = line.read({words.begin() + (scheduled ? 1 : 0), words.end()});
      !sentence.empty())
    return Error{std::move(sentence)};
  if (line.has(Option::help)) return line;
  if (std::string sentence = line.check(); !sentence.empty()) return Error{std::move(sentence)};
  return line;
}

bool CommandLine::takes_program() const {
  if (command_ == Subcommand::trace || command_ == Subcommand::doctor) return false;
  return command_ != Subcommand::predict || has(Option::ranks);
}

std::string CommandLine::read(const std::vector<std::string>& words) {
  std::vector<std::string> before;  // words that are no options
  for (std::vector<std::string> rest = words;;) {
    if (std::string sentence = read_options(rest); !sentence.empty()) return sentence;
    if (takes_program() && !before.empty()) return "-n stands before the program";
    if (takes_program() || dashes_ || rest_.empty() || rest_[0].starts_with("-")) break;
    before.push_back(rest_[0]);
    rest.assign(rest_.begin() + 1, rest_.end());
  }
  rest_.insert(rest_.begin(), before.begin(), before.end());
  return "";
}

std::string CommandLine::read_options(const std::vector<std::string>& words) {
  if (std::string sentence = empty_value(command_, words); !sentence.empty()) return sentence;
  CLI::App app;
  app.set_help_flag();
  app.prefix_command();
  std::vector<std::pair<const OptionRow*, CLI::Option*>> described;
  for (const OptionRow* row : options_of(command_))
    described.emplace_back(row, describe(app, *row));
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // CLI11 wants them so
  } catch (const CLI::ArgumentMismatch& error) {
    for (const auto& [row, option] : described)
      if (std::string_view(error.what()).starts_with(option->get_name() + ":"))
        return fmt::format("{} needs a value: {}", spelled(*row), row->value);
    return error.what();
  } catch (const CLI::Error& error) {
    const std::string text = error.what();
    return text.substr(0, text.find('\n'));
  }
  for (const auto& [row, option] : described)
    for (const std::string& value : option->results())
      given_[static_cast<std::size_t>(row->id)].push_back(
          row->kind.optional && value == kFlagSet ? std::string(row->fallback) : value);
  rest_ = app.remaining();
  dashes_ = !rest_.empty() && rest_[0] == "--";
  if (dashes_) rest_.erase(rest_.begin());
  return "";
}

std::string CommandLine::check() const {
  for (const OptionRow* row : options_of(command_)) {
    const std::vector<std::string>& values = all(row->id);
    for (const std::string& value : values) {
      if (row->kind.type == Type::flag) {
        if (value == kFlagSet) continue;
        return fmt::format("{} takes no value", spelled(*row));
      }
      if (const std::string rest = check_value(row->kind, value); !rest.empty())
        return fmt::format("{} {}, not '{}'", spelled(*row), rest, value);
    }
    if (values.size() > 1 && !row->kind.repeated && row->kind.type != Type::flag)
      return fmt::format("{} is given twice", spelled(*row));
  }
  return "";
}

std::string CommandLine::unknown_option() const {
  const auto found = std::find_if(rest_.begin(), rest_.end(), [this](const std::string& word) {
    return word.starts_with("-") || takes_program();
  });
  if (dashes_ || found == rest_.end() || !found->starts_with("-")) return "";
  const std::string typed = found->substr(0, found->find('='));
  if (const std::string near = meant(typed, command_); !near.empty())
    return fmt::format("there is no option {}: did you mean {}?", typed, near);
  for (const OptionRow& row : all_options()) {
    if (typed != fmt::format("--{}", row.option) || row.in(command_)) continue;
    for (const Subcommand other : all_commands())
      if (row.in(other))
        return fmt::format("there is no option {} here, but in vouch {}", typed, name(other));
  }
  return fmt::format("there is no option {}", typed);
}

std::string CommandLine::text(Option option) const {
  return has(option) ? all(option).back() : std::string(row(option).fallback);
}

int CommandLine::number(Option option) const {
  return static_cast<int>(parse_number(text(option)).value_or(0));
}

std::optional<std::chrono::milliseconds> CommandLine::time(Option option) const {
  return parse_duration(text(option));
}

int wrong_usage(const std::string& sentence, Subcommand command) {
  fmt::print(stderr, "vouch: {} (see vouch {} --help)\n", sentence, name(command));
  return kExitUsage;
}

}  // namespace vouch
