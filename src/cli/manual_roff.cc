#include <fmt/format.h>

#include "cli/manual.h"
#include "cli/pages.h"
#include "cli/wrap.h"
#include "report/version.h"

namespace vouch {
namespace {

constexpr std::size_t kWidth = 78;

// Characters that roff, or a terminal, would make something else of.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '\\':
        out += "\\(rs";
        break;
      case '-':
        out += "\\-";
        break;
      case '\'':
        out += "\\(aq";
        break;
      case '`':
        out += "\\(ga";
        break;
      case '^':
        out += "\\(ha";
        break;
      case '~':
        out += "\\(ti";
        break;
      case '"':
        out += "\\(dq";
        break;
      default:
        out += c;
    }
  }
  return out;
}

// A line that begins with a dot would be a request.
std::string line_of(std::string_view text) {
  return fmt::format("{}{}\n", text.starts_with('.') ? "\\&" : "", escaped(text));
}

std::string bold(std::string_view text) { return fmt::format("\\fB{}\\fR", escaped(text)); }
std::string italic(std::string_view text) { return fmt::format("\\fI{}\\fR", escaped(text)); }

void add_text(std::string& out, std::string_view text) {
  for (const std::string& line : wrapped(text, kWidth)) out += line_of(line);
}

void add_paragraphs(std::string& out, std::string_view text) {
  bool first = true;
  for (const std::string& paragraph : paragraphs(text)) {
    if (!first) out += ".PP\n";
    first = false;
    if (is_verbatim(paragraph)) {
      out += ".RS 4\n.nf\n" + line_of(paragraph.substr(4)) + ".fi\n.RE\n";
    } else {
      add_text(out, paragraph);
    }
  }
}

// `term` is roff.
void add_row(std::string& out, const std::string& term, std::string_view text) {
  out += fmt::format(".TP\n{}\n", term);
  add_text(out, text);
}

void add_rows(std::string& out, const char* heading, const std::vector<PageRow>& rows) {
  if (rows.empty()) return;
  out += fmt::format(".SH {}\n", heading);
  for (const PageRow& row : rows) add_row(out, bold(row.term), row.text);
}

std::string term_of(const OptionRow& row) {
  std::string term = row.letter != 0 ? bold(std::string{'-', row.letter}) + ", " : "";
  term += bold(fmt::format("--{}", row.option));
  if (row.value.empty()) return term;
  return term +
         (row.kind.optional ? fmt::format("[={}]", italic(row.value)) : " " + italic(row.value));
}

void add_synopsis(std::string& out, const Page& page) {
  const std::string title = title_of(page.command);
  out += ".SH SYNOPSIS\n.nf\n";
  for (const std::string_view line : page.synopsis)
    out += fmt::format("{}{}\n", bold(title), escaped(line.substr(title.size())));
  out += ".fi\n";
}

void add_options(std::string& out, const Page& page) {
  out += ".SH OPTIONS\n";
  add_paragraphs(out, page.options_note);
  for (const OptionRow* row : options_of(page.command)) add_row(out, term_of(*row), help_of(*row));
}

void add_commands(std::string& out) {
  out += ".SH COMMANDS\n";
  for (const Subcommand command : all_commands())
    add_row(out, fmt::format("{}(1)", bold(page_name(command))), page_of(command).does);
}

void add_checks(std::string& out, Subcommand command) {
  const auto rows = rows_of_checks(command);
  if (!rows.empty()) out += ".SH CHECKS\n";
  for (const auto& [term, text] : rows) add_row(out, bold(term), text);
}

void add_see_also(std::string& out, Subcommand of) {
  out += ".SH SEE ALSO\n";
  std::string all;
  for (const Page& page : pages())
    if (page.command != of)
      all += fmt::format("{}{}(1)", all.empty() ? "" : ",\n", bold(page_name(page.command)));
  out += all + "\n";
}

}  // namespace

std::string page_name(Subcommand command) {
  return command == Subcommand::count_ ? "vouch" : fmt::format("vouch-{}", name(command));
}

std::string manual_roff(Subcommand command) {
  const Page& page = page_of(command);
  const std::string file = escaped(page_name(command));
  std::string out =
      fmt::format(".TH \"{}\" 1 \"\" \"vouch {}\" \"User Commands\"\n", file, version());
  out += ".nh\n.ad l\n";  // words are names here: none is broken
  out += fmt::format(".SH NAME\n{} \\- {}\n", file, escaped(page.does));
  add_synopsis(out, page);
  out += ".SH DESCRIPTION\n";
  add_paragraphs(out, page.description);
  if (command == Subcommand::count_) {
    add_commands(out);
  } else {
    add_options(out, page);
  }
  add_checks(out, command);
  add_rows(out, "EXIT STATUS", page.status);
  add_rows(out, "ENVIRONMENT", page.environment);
  add_rows(out, "EXAMPLES", page.examples);
  add_see_also(out, command);
  return out;
}

}  // namespace vouch
