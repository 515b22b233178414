#include <algorithm>

#include <fmt/format.h>

#include "cli/manual.h"
#include "cli/pages.h"
#include "cli/wrap.h"

namespace vouch {
namespace {

constexpr std::size_t kWidth = 90, kIndent = 2, kWidestTerm = 24;

std::string indented(const std::string& line, std::size_t by) {
  return std::string(by, ' ') + line + '\n';
}

void add_paragraphs(std::string& out, std::string_view text) {
  bool first = true;
  for (const std::string& paragraph : paragraphs(text)) {
    if (!first) out += '\n';
    first = false;
    if (is_verbatim(paragraph)) {
      out += indented(paragraph, kIndent);
    } else {
      for (const std::string& line : wrapped(paragraph, kWidth - kIndent))
        out += indented(line, kIndent);
    }
  }
}

// A term, and beside it or below what it means.
void add_row(std::string& out, const std::string& term, std::string_view text, std::size_t column) {
  std::string line = std::string(kIndent, ' ') + term;
  for (const std::string& part : wrapped(text, kWidth - column)) {
    if (line.size() + 2 > column && !line.empty()) {
      out += line + '\n';
      line.clear();
    }
    line.resize(column, ' ');
    out += line + part + '\n';
    line.clear();
  }
  if (!line.empty()) out += line + '\n';
}

using Rows = std::vector<std::pair<std::string, std::string>>;

void add_rows(std::string& out, const char* heading, const Rows& rows) {
  if (rows.empty()) return;
  out += *heading != 0 ? fmt::format("\n{}\n", heading) : "\n";
  std::size_t widest = 0;
  for (const auto& [term, text] : rows)
    if (term.size() <= kWidestTerm) widest = std::max(widest, term.size());
  for (const auto& [term, text] : rows) add_row(out, term, text, kIndent + widest + 2);
}

Rows rows_of(const std::vector<PageRow>& rows) {
  Rows all;
  for (const PageRow& row : rows) all.emplace_back(row.term, row.text);
  return all;
}

Rows rows_of_commands() {
  Rows all;
  for (const Subcommand command : all_commands())
    all.emplace_back(name(command), page_of(command).does);
  all.emplace_back("help", "the manual of a command; the same as COMMAND --help");
  return all;
}

Rows rows_of_options(Subcommand command) {
  Rows all;
  for (const OptionRow* row : options_of(command)) all.emplace_back(shown(*row), help_of(*row));
  return all;
}

}  // namespace

std::string shown(const OptionRow& row) {
  std::string text = row.letter != 0 ? fmt::format("-{}, ", row.letter) : "";
  text += fmt::format("--{}", row.option);
  if (row.value.empty()) return text;
  return text +
         (row.kind.optional ? fmt::format("[={}]", row.value) : fmt::format(" {}", row.value));
}

std::string help_of(const OptionRow& row) {
  return row.fallback.empty() ? std::string(row.help)
                              : fmt::format("{}. Default: {}", row.help, row.fallback);
}

std::string title_of(Subcommand command) {
  return command == Subcommand::count_ ? "vouch" : fmt::format("vouch {}", name(command));
}

std::string manual_text(Subcommand command) {
  const Page& page = page_of(command);
  std::string out = fmt::format("NAME\n  {} - {}\n\nSYNOPSIS\n", title_of(command), page.does);
  for (const std::string_view line : page.synopsis) out += indented(std::string(line), kIndent);
  out += "\nDESCRIPTION\n";
  add_paragraphs(out, page.description);
  if (command == Subcommand::count_) {
    add_rows(out, "COMMANDS", rows_of_commands());
  } else {
    if (!page.options_note.empty()) {
      out += "\nOPTIONS\n";
      add_paragraphs(out, page.options_note);
    }
    add_rows(out, page.options_note.empty() ? "OPTIONS" : "", rows_of_options(command));
  }
  add_rows(out, "CHECKS", rows_of_checks(command));
  add_rows(out, "EXIT STATUS", rows_of(page.status));
  add_rows(out, "ENVIRONMENT", rows_of(page.environment));
  add_rows(out, "EXAMPLES", rows_of(page.examples));
  return out;
}

}  // namespace vouch
