#include "cli/values.h"

#include <gtest/gtest.h>

namespace vouch {
namespace {

long long ms(std::string_view text) {
  const auto parsed = parse_duration(text);
  return parsed ? parsed->count() : -1;
}

TEST(Buffering, three_ways) {
  using Mode = wait::Buffering::Mode;
  EXPECT_EQ(parse_buffering("strict")->mode, Mode::strict);
  EXPECT_EQ(parse_buffering("as-run")->mode, Mode::as_run);
  EXPECT_EQ(parse_buffering("limit=64k")->bytes, 65536u);
  EXPECT_EQ(parse_buffering("limit=12")->bytes, 12u);
  for (const char* wrong : {"", "limit", "limit=", "limit=x", "limit=-1", "limit=1x", "eager"})
    EXPECT_FALSE(parse_buffering(wrong)) << wrong;
}

TEST(Duration, units) {
  EXPECT_EQ(ms("90"), 90'000);
  EXPECT_EQ(ms("1.5"), 1500);
  EXPECT_EQ(ms("90s"), 90'000);
  EXPECT_EQ(ms("250ms"), 250);
  EXPECT_EQ(ms("2m"), 120'000);
  EXPECT_EQ(ms("1h"), 3'600'000);
  EXPECT_EQ(ms(".5s"), 500);
}

TEST(Duration, what_is_none) {
  for (const char* text : {"", "s", "abc", "-1", "0", "0s", "1x", "1 s", "1e3", "nan", "inf", "1s2",
                           "99999999h", "+3"}) {
    EXPECT_EQ(ms(text), -1) << text;
  }
}

TEST(ShellQuoted, a_shell_reads_it_back) {
  EXPECT_EQ(shell_quoted({"vouch", "run", "-n", "4", "./app"}), "vouch run -n 4 ./app");
  EXPECT_EQ(shell_quoted({"echo", "a b", "it's", ""}), "echo 'a b' 'it'\\''s' ''");
}

}  // namespace
}  // namespace vouch
