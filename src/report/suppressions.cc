#include "report/suppressions.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <fnmatch.h>

#include "base/read_file.h"
#include "report/shown_file.h"

namespace vouch {

namespace {

constexpr std::string_view kBlanks = " \t\r";

bool glob(const std::string& pattern, const std::string& text) {
  return fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

// A file is meant by its path as shown or by its name alone.
bool file_matches(const std::string& pattern, const std::string& file) {
  return glob(pattern, file) || glob(pattern, file.substr(file.rfind('/') + 1));
}

bool frame_matches(const std::string& file_glob, const std::string& function_glob,
                   const std::string& file, const std::string& function) {
  // By its path, or as the report shows it.
  return !file.empty() &&
         (file_matches(file_glob, file) || file_matches(file_glob, shown_file(file))) &&
         (function_glob.empty() || glob(function_glob, function));
}

bool some_rule_matches(const std::string& pattern) {
  for (int rule = 0; rule < static_cast<int>(Rule::count_); ++rule)
    if (glob(pattern, info(static_cast<Rule>(rule)).id)) return true;
  return false;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

// A comment starts with `#` at the beginning of a line or after a blank.
std::string_view without_comment(std::string_view line) {
  for (std::size_t i = 0; i < line.size(); ++i)
    if (line[i] == '#' && (i == 0 || kBlanks.find(line[i - 1]) != std::string_view::npos))
      return line.substr(0, i);
  return line;
}

// For a message, whatever bytes the file has.
std::string shown(std::string text) {
  std::replace_if(
      text.begin(), text.end(),
      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, '?');
  return text;
}

std::string_view take_word(std::string_view& rest) {
  const std::size_t end = std::min(rest.find_first_of(kBlanks), rest.size());
  const std::string_view word = rest.substr(0, end);
  rest = trimmed(rest.substr(end));
  return word;
}

}  // namespace

Result<Suppressions> Suppressions::parse(std::string_view text, const std::string& name) {
  Suppressions result;
  int number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view rest = trimmed(without_comment(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (rest.empty()) continue;

    Line line;
    line.text = fmt::format("{}:{}: {}", name, number, rest);
    line.rule = take_word(rest);
    line.file = take_word(rest);
    line.function = rest;  // may hold blanks: "operator new"
    if (line.rule.find('/') == std::string::npos && line.rule != "*")
      return Error{
          fmt::format("{}:{}: '{}' is no rule: write family/name, such as leak/datatype or leak/*",
                      name, number, shown(line.rule))};
    if (!some_rule_matches(line.rule))
      return Error{fmt::format("{}:{}: there is no rule '{}'", name, number, shown(line.rule))};
    result.lines_.push_back(std::move(line));
  }
  return result;
}

Result<Suppressions> Suppressions::load(const std::string& path) {
  const auto text = read_file(path);
  if (!text) return Error{fmt::format("cannot read the suppressions file '{}'", path)};
  return parse(*text, path);
}

void Suppressions::add(Suppressions other) {
  std::move(other.lines_.begin(), other.lines_.end(), std::back_inserter(lines_));
}

bool Suppressions::matches(const Line& line, const Finding& finding) {
  if (!glob(line.rule, finding.rule)) return false;
  if (line.file.empty()) return true;
  return std::any_of(finding.locations.begin(), finding.locations.end(),
                     [&line](const Location& l) {
                       return frame_matches(line.file, line.function, l.file, l.function) ||
                              frame_matches(line.file, line.function, l.from_file, l.from_function);
                     });
}

bool Suppressions::matches(const Finding& finding) {
  bool any = false;
  for (Line& line : lines_) {
    if (!matches(line, finding)) continue;
    line.used = true;
    any = true;
  }
  return any;
}

void Suppressions::apply(Summary& summary) {
  const auto kept = std::remove_if(summary.findings.begin(), summary.findings.end(),
                                   [this](const Finding& finding) { return matches(finding); });
  summary.suppressed += static_cast<std::uint64_t>(summary.findings.end() - kept);
  summary.findings.erase(kept, summary.findings.end());
  // Of what was only counted we cannot tell whether it would have been suppressed.
  for (const Omitted& rest : summary.omitted) {
    const bool some_left = std::any_of(summary.findings.begin(), summary.findings.end(),
                                       [&rest](const Finding& f) { return f.rule == rest.rule; });
    if (!some_left)
      summary.not_checked.push_back(
          {rest.rule, "too many findings to compare each with the suppressions", rest.count});
  }
  for (const Line& line : lines_)
    if (!line.used) summary.unused_suppressions.push_back(line.text);
  summary.verdict = judge(summary);
}

}  // namespace vouch
