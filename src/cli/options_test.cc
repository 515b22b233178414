#include "cli/options.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "cli/command_line.h"
#include "cli/manual.h"
#include "cli/nearest.h"
#include "cli/pages.h"

namespace vouch {
namespace {

bool plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

TEST(Options, no_command_has_two_of_one_spelling) {
  for (const Subcommand command : all_commands()) {
    std::set<std::string> seen;
    for (const OptionRow* row : options_of(command)) {
      EXPECT_TRUE(seen.insert(std::string(row->option)).second) << row->option;
      if (row->letter != 0) {
        EXPECT_TRUE(seen.insert(std::string(1, row->letter)).second) << row->letter;
      }
      for (const std::string_view alias : aliases(row->id))
        EXPECT_TRUE(seen.insert(std::string(alias)).second) << alias;
    }
  }
}

TEST(Options, rows_are_whole) {
  using Type = ValueKind::Type;
  for (const OptionRow& row : all_options()) {
    EXPECT_EQ(row.value.empty(), row.kind.type == Type::flag) << row.option;
    EXPECT_NE(row.commands, 0u) << row.option;
    EXPECT_FALSE(row.help.empty()) << row.option;
    EXPECT_TRUE(plain(row.help)) << row.option;
    EXPECT_NE(row.help.back(), '.') << row.option;
    EXPECT_EQ(row.help.find("  "), std::string_view::npos) << row.option;
    if (row.kind.type == Type::choice || row.kind.type == Type::list) {
      EXPECT_FALSE(row.kind.words.empty()) << row.option;
      for (const std::string& word : split_words(row.kind.words))
        EXPECT_NE(row.help.find(word), std::string_view::npos) << row.option << " " << word;
    }
  }
}

TEST(Options, fallbacks_are_values) {
  for (const Subcommand command : all_commands()) {
    for (const OptionRow* row : options_of(command)) {
      if (row->fallback.empty()) continue;
      const auto line = CommandLine::parse(
          command, {"--" + std::string(row->option) + "=" + std::string(row->fallback)});
      EXPECT_TRUE(line.ok()) << row->option << ": " << line.error();
    }
  }
}

TEST(Options, every_check_is_in_the_manual) {
  const auto rows = rows_of_checks(Subcommand::run);
  ASSERT_FALSE(rows.empty());
  EXPECT_TRUE(rows_of_checks(Subcommand::doctor).empty());
  const std::string text = manual_text(Subcommand::run), roff = manual_roff(Subcommand::run);
  const std::string page = checks_markdown();
  for (const auto& [name, what] : rows) {
    EXPECT_TRUE(CommandLine::parse(Subcommand::run, {"--checks=" + name}).ok()) << name;
    EXPECT_TRUE(CommandLine::parse(Subcommand::run, {"--checks", "all,-" + name}).ok()) << name;
    EXPECT_NE(text.find("\n  " + name + " "), std::string::npos) << name;
    EXPECT_NE(roff.find("\\fB" + name + "\\fR"), std::string::npos) << name;
    EXPECT_NE(page.find("| `" + name + "` |"), std::string::npos) << name;
    EXPECT_TRUE(plain(what)) << what;
  }
}

TEST(Options, a_check_that_there_is_not_is_named_with_those_that_are) {
  const auto wrong = CommandLine::parse(Subcommand::run, {"--checks", "all,-oi"});
  ASSERT_FALSE(wrong.ok());
  EXPECT_TRUE(wrong.error().starts_with("--checks has no check '-oi': it is all, low, "));
  EXPECT_TRUE(wrong.error().ends_with(
      "leak or crash, or several of them separated by commas, each with - before it to leave it "
      "out, not 'all,-oi'"))
      << wrong.error();
  const auto nothing = CommandLine::parse(Subcommand::run, {"--checks", "io,-io"});
  EXPECT_TRUE(nothing.error().starts_with("--checks leaves nothing to check: it is all, "));
}

TEST(Options, every_one_is_in_the_manual) {
  for (const Subcommand command : all_commands()) {
    const std::string text = manual_text(command);
    for (const OptionRow* row : options_of(command))
      EXPECT_NE(text.find("\n  " + shown(*row)), std::string::npos) << row->option;
  }
}

TEST(Pages, fit_a_terminal) {
  for (const Page& page : pages()) {
    const std::string text = manual_text(page.command);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      ASSERT_NE(end, std::string::npos);
      const std::string line = text.substr(at, end - at);
      EXPECT_LE(line.size(), 90u) << line;
      EXPECT_TRUE(plain(line)) << line;
      EXPECT_TRUE(line.empty() || line.back() != ' ') << line;
      at = end + 1;
    }
  }
}

TEST(Nearest, typos_and_beginnings) {
  const std::vector<std::string> known = {"--json", "--info", "--suppressions", "--state",
                                          "--stacks"};
  EXPECT_EQ(nearest("--jsno", known), "--json");
  EXPECT_EQ(nearest("--supp", known), "--suppressions");
  EXPECT_EQ(nearest("--supressions", known), "--suppressions");
  EXPECT_EQ(nearest("--sta", known), "");  // which one?
  EXPECT_EQ(nearest("--nothing-like-it", known), "");
  EXPECT_EQ(nearest("-x", known), "");
  EXPECT_EQ(nearest("", known), "");
}

}  // namespace
}  // namespace vouch
