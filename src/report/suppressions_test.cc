#include "report/suppressions.h"

#include <gtest/gtest.h>

namespace vouch {
namespace {

Finding finding(const char* rule, const char* file, const char* function) {
  Finding f;
  f.rule = rule;
  f.locations.push_back({.rank = 0,
                         .call = "MPI_Comm_dup",
                         .role = {},
                         .file = file,
                         .function = function,
                         .line = 3});
  return f;
}

bool suppressed(const char* text, const Finding& f) {
  auto parsed = Suppressions::parse(text, "s");
  EXPECT_TRUE(parsed.ok()) << (parsed.ok() ? "" : parsed.error());
  return parsed.value().matches(f);
}

TEST(Suppressions, rule_file_and_function_are_globs) {
  const Finding f = finding("leak/communicator", "src/halo.c", "halo_init");
  EXPECT_TRUE(suppressed("leak/communicator", f));
  EXPECT_TRUE(suppressed("leak/*", f));
  EXPECT_TRUE(suppressed("*", f));
  EXPECT_FALSE(suppressed("leak/datatype", f));
  EXPECT_TRUE(suppressed("leak/* halo.c", f));
  EXPECT_TRUE(suppressed("leak/* src/halo.c", f));
  EXPECT_TRUE(suppressed("leak/* src/*", f));
  EXPECT_FALSE(suppressed("leak/* lib/*", f));
  EXPECT_FALSE(suppressed("leak/* alo.c", f));
  EXPECT_TRUE(suppressed("leak/* halo.c halo_*", f));
  EXPECT_FALSE(suppressed("leak/* halo.c main", f));
  EXPECT_FALSE(suppressed("leak/* main.c halo_init", f));
  EXPECT_FALSE(suppressed("", f));
}

TEST(Suppressions, any_place_counts_and_the_applications_frame) {
  Finding f = finding("leak/communicator", "libx.so", "x_dup");
  f.locations.push_back({.rank = 0,
                         .call = "MPI_Finalize",
                         .role = {},
                         .file = "app.c",
                         .function = "main",
                         .line = 9});
  f.locations[0].from_file = "driver.c";
  f.locations[0].from_function = "drive";
  EXPECT_TRUE(suppressed("leak/* app.c", f));
  EXPECT_TRUE(suppressed("leak/* driver.c drive", f));
  EXPECT_FALSE(suppressed("leak/* driver.c main", f)) << "file and function of one place";
}

TEST(Suppressions, function_may_hold_blanks) {
  EXPECT_TRUE(suppressed("leak/* *  main program  # gfortran",
                         finding("leak/op", "a.f90", "main program")));
}

TEST(Suppressions, comments_and_blank_lines) {
  const Finding f = finding("leak/op", "a#b.c", "f");
  EXPECT_TRUE(suppressed("# all of it\n\n  leak/op\ta#b.c  # known\r\n", f));
  EXPECT_FALSE(suppressed("# leak/op\n", f));
}

TEST(Suppressions, mistakes_name_their_line) {
  auto error = [](const char* text) {
    auto parsed = Suppressions::parse(text, "app.supp");
    return parsed.ok() ? "" : parsed.error();
  };
  EXPECT_EQ(error("leak/op\n# x\nleek/op\n"), "app.supp:3: there is no rule 'leek/op'");
  EXPECT_EQ(error("halo.c leak/op"),
            "app.supp:1: 'halo.c' is no rule: write family/name, such as leak/datatype or leak/*");
  EXPECT_FALSE(Suppressions::load("/nonexistent/x.supp").ok());
}

TEST(Suppressions, apply_counts_judges_and_lists_unused) {
  Summary s;
  s.findings = {finding("argument/rank", "a.c", "f"), finding("argument/rank", "b.c", "g"),
                finding("leak/op", "a.c", "f")};
  s.findings[2].severity = Severity::warning;
  s.verdict = judge(s);
  ASSERT_EQ(s.verdict, Verdict::error);
  auto all = Suppressions::parse("argument/* a.c\nargument/* b.c\nleak/* none.c", "s");
  ASSERT_TRUE(all.ok());
  all->apply(s);
  EXPECT_EQ(s.findings.size(), 1u);
  EXPECT_EQ(s.suppressed, 2u);
  EXPECT_EQ(s.verdict, Verdict::clean);
  EXPECT_EQ(s.unused_suppressions, std::vector<std::string>{"s:3: leak/* none.c"});
}

TEST(Suppressions, what_was_only_counted_forbids_clean) {
  Summary s;
  s.findings = {finding("argument/rank", "a.c", "f")};
  s.omitted = {{"argument/rank", 7}};
  auto all = Suppressions::parse("argument/* a.c", "s");
  all->apply(s);
  EXPECT_EQ(s.verdict, Verdict::inconclusive);
}

}  // namespace
}  // namespace vouch
