#include "cli/schedules.h"

#include <filesystem>
#include <sstream>

#include <fmt/format.h>

#include "base/read_file.h"
#include "cli/options.h"
#include "cli/values.h"
#include "policy/recorder.h"
#include "trace/load.h"

namespace vouch {
namespace {

constexpr std::size_t kPasteable = 240;  // characters of a schedule in a command

// Lines that begin with # are for people; the rest is one schedule, in as many lines as one likes.
std::string without_comments(const std::string& text) {
  std::istringstream in(text);
  std::string all;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('#')) continue;
    for (const char c : line) {
      if (c != ' ' && c != '\t' && c != '\r') all += c;
    }
  }
  return all;
}

Result<policy::Schedule> from_file(const std::string& path) {
  if (trace::is_trace(path)) {
    const auto loaded = trace::load_file(path);
    if (!loaded.ok()) return Error{loaded.error()};
    return policy::schedule_of(loaded.value().trace);
  }
  const auto text = read_file(path);
  if (!text) return Error{fmt::format("{} cannot be read", path)};
  auto schedule = policy::parse_schedule(without_comments(*text));
  if (!schedule.ok()) return Error{fmt::format("{} is no schedule: {}", path, schedule.error())};
  return schedule;
}

}  // namespace

Result<policy::Schedule> find_schedule(const std::string& word) {
  if (word.starts_with('@')) return from_file(word.substr(1));
  auto schedule = policy::parse_schedule(word);
  if (schedule.ok()) return schedule;
  std::error_code none;
  if (std::filesystem::exists(word, none)) return from_file(word);
  return Error{fmt::format("'{}' is no schedule: {}", word, schedule.error())};
}

std::string schedule_file(const std::string& schedule, const std::vector<std::string>& typed) {
  return fmt::format("# {}\n{}\n", shell_quoted(typed), schedule);
}

std::vector<std::string> again_command(const std::vector<std::string>& typed,
                                       const std::string& schedule, const std::string& file) {
  const bool decided = schedule.size() > 1;  // more than the version
  const Subcommand command = typed.size() > 1 ? command_named(typed[1]) : Subcommand::count_;
  if (!decided || (command != Subcommand::run && command != Subcommand::record)) return typed;
  if (schedule.size() > kPasteable && file.empty()) return typed;
  std::vector<std::string> again = {typed[0], "replay",
                                    schedule.size() > kPasteable ? "@" + file : schedule};
  // Words of the program itself stay as they are.
  const auto is_output = [&](const std::string& word) {
    return command == Subcommand::record &&
           (word.starts_with("-o") || word.starts_with("--output"));
  };
  bool own = true;
  for (std::size_t i = 2; i < typed.size(); ++i) {
    own = own && (typed[i].starts_with("-") || takes_next_word(typed[i - 1], command)) &&
          typed[i] != "--";
    if (!own || !is_output(typed[i])) {
      again.push_back(typed[i]);
    } else if (takes_next_word(typed[i], command)) {
      ++i;
    }
  }
  return again;
}

}  // namespace vouch
