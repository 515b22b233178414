#include "analysis/assertion/assertion.h"

#include <gtest/gtest.h>

#include "analysis/testing/run_text.h"

namespace vouch {
namespace {

TEST(Assertion, that_does_not_hold_is_told_with_its_line_and_values) {
  const char* text =
      "0 Recv source=1 @a.c:5\n"
      "0 assert \"x == 4 && y < x\" names=\"x, y,\" terms=[0x100,4,3,0x108,264,2] holds=0 @a.c:6\n"
      "0 assert \"x > 0\" names=\"x\" terms=[0x100,4,3] holds=1 @a.c:7\n";
  EXPECT_EQ(run<Assertion>(text), "assertion/violated ranks=0 @a.c:6\n");
  EXPECT_EQ(run_messages<Assertion>(text),
            "assertion/violated: x == 4 && y < x does not hold: x is 3, y is 2\n");
}

TEST(Assertion, names_that_are_not_given_are_numbers) {
  EXPECT_EQ(run_messages<Assertion>("0 assert \"$1 == 4\" terms=[0x100,4,3] holds=0 @a.f90:6\n"),
            "assertion/violated: $1 == 4 does not hold: $1 is 3\n");
}

TEST(Assertion, an_assumption_that_does_not_hold_is_a_gap) {
  EXPECT_EQ(run<Assertion>("0 assume \"x\" names=\"x\" terms=[0x100,4,0] holds=0 @a.c:6\n"),
            "not-checked VOUCH_ASSUME(x)\n");
}

}  // namespace
}  // namespace vouch
