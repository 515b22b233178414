#include <gtest/gtest.h>

#include "analysis/buffer/buffer.h"
#include "analysis/testing/run_text.h"

namespace vouch {
namespace {

const std::string kPost = "0 Irecv count=4 type=INT source=1 tag=1 buf=0x1000 request=q @r\n";
const std::string kAsk = "0 Send count=4 type=INT dest=1 tag=2 buf=0x1000 @s\n";
const std::string kWait = "0 Wait request=q\n";

// [U56]
TEST(EarlyOverlap, the_answer_can_only_come_after_the_question) {
  const std::string answer =
      "1 Recv count=4 type=INT source=0 tag=2 buf=0x2000\n"
      "1 Send count=4 type=INT dest=0 tag=1 buf=0x2000\n";
  const std::string harmless = "buffer/pending-overlap ranks=0 @s (warning)\n";
  EXPECT_EQ(run<BufferUse>(kPost + kAsk + kWait + answer), harmless);
  EXPECT_EQ(run<BufferUse>(answer + kPost + kAsk + kWait), harmless);
}

TEST(EarlyOverlap, a_message_that_may_come_at_any_time) {
  const std::string error = "buffer/pending-overlap ranks=0 @s\n";
  EXPECT_EQ(run<BufferUse>(kPost + kAsk + kWait +
                           "1 Send count=4 type=INT dest=0 tag=1 buf=0x2000\n"
                           "1 Recv count=4 type=INT source=0 tag=2 buf=0x2000\n"),
            error);
  EXPECT_EQ(run<BufferUse>(kPost + kAsk), error);  // it never met
  // Another write of the buffer is no question.
  EXPECT_EQ(
      run<BufferUse>(kPost + "0 Recv count=4 type=INT source=1 tag=2 buf=0x1000 @s\n" + kWait),
      error);
}

}  // namespace
}  // namespace vouch
