#include <gtest/gtest.h>

#include "analysis/testing/run_text.h"
#include "analysis/unmatched/unmatched.h"

namespace vouch {
namespace {

std::string found(const std::string& text) {
  return run<Unmatched>(text + "0 Finalize\n1 Finalize\n2 Finalize\n");
}
const std::string kBad = "unmatched/ready-send ranks=0 @s\n";

TEST(ReadySend, a_receive_that_is_not_surely_posted) {
  EXPECT_EQ(found("0 Rsend dest=1 @s\n1 Recv source=0\n"), kBad);
  EXPECT_EQ(found("1 Recv source=0\n0 Rsend dest=1 @s\n"), kBad);
  EXPECT_EQ(found("1 Irecv source=0 request=q\n1 Wait request=q\n0 Rsend dest=1 @s\n"), kBad);
  EXPECT_EQ(found("0 Rsend dest=PROC_NULL\n"), "");
}

// [U30]
TEST(ReadySend, a_barrier_or_a_message_after_the_posting) {
  const std::string post = "1 Irecv source=0 tag=5 request=q\n";
  const std::string rest = "0 Rsend dest=1 tag=5 @s\n1 Wait request=q\n";
  const std::string barrier = "0 Barrier\n1 Barrier\n2 Barrier\n";
  EXPECT_EQ(found(post + barrier + rest), "");
  EXPECT_EQ(found(barrier + post + rest), kBad);
  EXPECT_EQ(found(post + "1 Send dest=0 tag=1\n0 Recv source=1 tag=1\n" + rest), "");
  EXPECT_EQ(found("1 Send dest=0 tag=1\n" + post + "0 Recv source=1 tag=1\n" + rest), kBad);
  // By way of a third.
  EXPECT_EQ(found(post +
                  "1 Send dest=2 tag=1\n2 Recv source=1 tag=1\n2 Send dest=0 tag=1\n0 Recv "
                  "source=2 tag=1\n" +
                  rest),
            "");
  // A reduction tells its root only.
  EXPECT_EQ(found(post + "0 Reduce root=0\n1 Reduce root=0\n2 Reduce root=0\n" + rest), "");
  EXPECT_EQ(found(post + "0 Reduce root=2\n1 Reduce root=2\n2 Reduce root=2\n" + rest), kBad);
}

// [U30]
TEST(ReadySend, whichever_rank_is_read_first) {
  const std::string receiver =
      "1 Irecv source=0 tag=5 request=q\n1 Send dest=0 tag=1\n1 Wait request=q\n";
  const std::string sender = "0 Recv source=1 tag=1\n0 Rsend dest=1 tag=5 @s\n";
  EXPECT_EQ(found(receiver + sender), "");
  EXPECT_EQ(found(sender + receiver), "");
}

TEST(ReadySend, persistent_and_nonblocking) {
  const std::string receiver =
      "1 Recv_init source=0 tag=5 request=q\n1 Start request=q\n1 Barrier\n1 Wait request=q\n1 "
      "Request_free request=q\n";
  EXPECT_EQ(found(receiver + "0 Barrier\n2 Barrier\n0 Irsend dest=1 tag=5 request=r @s\n0 Wait "
                             "request=r\n"),
            "");
  EXPECT_EQ(found(receiver + "0 Irsend dest=1 tag=5 request=r @s\n0 Barrier\n2 Barrier\n0 Wait "
                             "request=r\n"),
            kBad);
}

TEST(ReadySend, one_after_another) {
  std::string text;
  for (int i = 0; i < 200; ++i)
    text +=
        "1 Irecv source=0 tag=5 request=q\n0 Barrier\n1 Barrier\n2 Barrier\n0 Rsend dest=1 tag=5\n"
        "1 Wait request=q\n";
  EXPECT_EQ(found(text), "");
}

TEST(ReadySend, not_judged_if_order_is_not_seen) {
  EXPECT_EQ(found("0 Win_create win=w\n1 Win_create win=w\n2 Win_create win=w\n0 Win_lock rank=0 "
                  "win=w\n0 Rsend dest=1\n1 Recv source=0\n"),
            "not-checked ready sends\n");
}

}  // namespace
}  // namespace vouch
