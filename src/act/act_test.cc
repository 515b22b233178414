#include "act/act.h"

#include <gtest/gtest.h>

#include "act/text.h"
#include "event/text.h"
#include "model/replay.h"

namespace vouch {
namespace {

// The acts of a text, one per line; calls are renumbered in the order of the text.
class Acts : public Replay::Listener {
 public:
  explicit Acts(const std::string& text, bool poisons = false) : poisons_(poisons) {
    const Result<TextTrace> trace = read_text(text);
    if (!trace.ok()) {
      said = trace.error();
      return;
    }
    Replay(world_).run(*trace, this);
  }
  void on_enter(Process& p, Call& call) override {
    if (!ActReader::sees(call.info().role)) return;
    call.poisoned = poisons_;
    say(p, call, reader_.enter(p, call));
  }
  void on_leave(Process& p, Call& call, const Event& leave) override {
    if (ActReader::sees(call.info().role)) say(p, call, reader_.leave(p, call, leave));
  }
  std::string said;

 private:
  void say(const Process& p, const Call& call, std::span<const Act> acts) {
    if (first_ == 0) first_ = call.seq();
    for (const Act& act : acts) {
      std::string text = to_text(p, call, act);
      // Numbers count from the first call: records before it are the library's.
      for (std::size_t at = text.find('#'); at != std::string::npos; at = text.find('#', at + 1)) {
        std::size_t digits = 0;
        const auto n = static_cast<std::uint32_t>(std::stoul(text.substr(at + 1), &digits));
        text.replace(at + 1, digits, std::to_string(number(n)));
      }
      said += text + "\n";
    }
  }
  std::uint32_t number(std::uint32_t seq) {
    const auto found = std::find(seqs_.begin(), seqs_.end(), seq);
    if (found != seqs_.end()) return static_cast<std::uint32_t>(found - seqs_.begin()) + 1;
    seqs_.push_back(seq);
    return static_cast<std::uint32_t>(seqs_.size());
  }

  bool poisons_;
  World world_;
  ActReader reader_;
  std::uint32_t first_ = 0;
  std::vector<std::uint32_t> seqs_;
};

std::string acts(const std::string& text) { return Acts(text).said; }

TEST(Act, blocking_receive_posts_when_it_is_entered) {
  EXPECT_EQ(acts("0 Recv source=ANY_SOURCE tag=7 status=(1,7,4)\n"),
            "0#1 posted recv any:7\n"
            "0#1 returned from 1:7\n");
  EXPECT_EQ(acts("0 Recv source=1 tag=7 ...\n"), "0#1 posted recv 1:7\n");
}

TEST(Act, failed_call_is_withdrawn_unless_its_message_was_too_long) {
  EXPECT_EQ(acts("0 Recv source=1 tag=7 !ERR_OTHER\n"),
            "0#1 posted recv 1:7\n"
            "0#1 withdrawn\n");
  EXPECT_EQ(acts("0 Recv source=1 tag=7 !ERR_TRUNCATE\n"),
            "0#1 posted recv 1:7\n"
            "0#1 returned\n");
}

TEST(Act, poisoned_call_posts_when_it_has_returned) {
  EXPECT_EQ(Acts("0 Ssend dest=1 tag=7\n", true).said,
            "0#1 called synchronous send 1:7\n"
            "0#1 posted synchronous send 1:7\n"
            "0#1 returned\n");
  EXPECT_EQ(Acts("0 Ssend dest=1 tag=7 !ERR_OTHER\n", true).said,
            "0#1 called synchronous send 1:7\n"
            "0#1 withdrawn\n");
}

TEST(Act, request_stands_for_its_operation_until_it_is_complete) {
  EXPECT_EQ(acts("0 Irecv source=ANY_SOURCE tag=ANY_TAG -> request=r\n"
                 "0 Test request=r flag=0\n"
                 "0 Wait request=r -> status=(1,7,4)\n"
                 "0 Wait request=REQUEST_NULL\n"),
            "0#1 called recv any:any\n"
            "0#1 posted recv any:any\n"
            "0#2 asked #1\n"
            "0#3 awaited #1\n"
            "0#3 completed #1 from 1:7\n"
            "0#4 awaited\n"
            "0#4 completed\n");
}

TEST(Act, cancelled_receive) {
  EXPECT_EQ(acts("0 Irecv source=1 tag=7 -> request=r\n"
                 "0 Cancel request=r\n"
                 "0 Wait request=r -> status=(1,7,4,0,1)\n"),
            "0#1 called recv 1:7\n"
            "0#1 posted recv 1:7\n"
            "0#2 cancelled #1\n"
            "0#2 cancelled #1\n"
            "0#3 awaited #1\n"
            "0#3 completed #1 cancelled\n");
}

TEST(Act, each_start_begins_the_pattern_again) {
  EXPECT_EQ(acts("0 Bsend_init dest=1 tag=7 -> request=a\n"
                 "0 Recv_init source=1 tag=8 -> request=b\n"
                 "0 Startall requests=[a,b]\n"
                 "0 Waitall requests=[a,b]\n"
                 "0 Start request=b\n"
                 "0 Request_free request=b\n"),
            "0#1 prepared buffered send 1:7\n"
            "0#2 prepared recv 1:8\n"
            "0#3.1 started #1\n"
            "0#3.2 started #2\n"
            "0#4 awaited #3.1 #3.2\n"
            "0#4 completed #3.1 #3.2\n"
            "0#5.1 started #2\n"
            "0#6 freed #5.1\n"
            "0#6 freed #5.1\n");
}

TEST(Act, failed_start_is_withdrawn) {
  EXPECT_EQ(acts("0 Recv_init source=1 tag=8 -> request=b\n"
                 "0 Start request=b !ERR_OTHER\n"
                 "0 Start request=b\n"),
            "0#1 prepared recv 1:8\n"
            "0#2.1 started #1\n"
            "0#2.1 withdrawn\n"
            "0#3.1 started #1\n");
}

TEST(Act, waitsome_completes_what_it_names) {
  EXPECT_EQ(acts("0 Irecv source=1 tag=7 -> request=a\n"
                 "0 Irecv source=2 tag=8 -> request=b\n"
                 "0 Waitany requests=[a,b] index=1 status=(2,8,4)\n"
                 "0 Waitany requests=[a,b] index=0 status=(1,7,4)\n"),
            "0#1 called recv 1:7\n"
            "0#1 posted recv 1:7\n"
            "0#2 called recv 2:8\n"
            "0#2 posted recv 2:8\n"
            "0#3 awaited #1 #2\n"
            "0#3 completed #1 pending #2 from 2:8\n"
            "0#4 awaited #1\n"
            "0#4 completed #1 from 1:7\n");
}

TEST(Act, matched_message_is_received_by_its_probe) {
  EXPECT_EQ(acts("0 Improbe source=ANY_SOURCE tag=7 flag=0\n"
                 "0 Improbe source=ANY_SOURCE tag=7 flag=1 message=m status=(1,7,4)\n"
                 "0 Mrecv message=m\n"
                 "0 Probe source=1 tag=ANY_TAG status=(1,9,4)\n"),
            "0#1 asked match any:7\n"
            "0#2 posted match any:7\n"
            "0#2 returned from 1:7\n"
            "0#2 received\n"
            "0#3 posted look 1:any\n"
            "0#3 returned from 1:9\n");
}

TEST(Act, partitions_that_become_ready) {
  EXPECT_EQ(acts("0 Psend_init partitions=4 dest=1 tag=7 -> request=r\n"
                 "0 Start request=r\n"
                 "0 Pready partition=1 request=r\n"
                 "0 Pready_range partition_low=1 partition_high=2 request=r\n"
                 "0 Pready_list partitions=[0,3] request=r\n"),
            "0#1 prepared send 1:7 partitions 4\n"
            "0#2.1 started #1\n"
            "0#2.1 ready 1\n"
            "0#2.1 ready 1\n"
            "0#2.1 ready 2\n");
}

TEST(Act, requests_that_share_a_handle_are_told_apart) {
  EXPECT_EQ(acts("0 Isend dest=1 tag=1 request=c&0x100\n"
                 "0 Isend dest=1 tag=2 request=c&0x108\n"
                 "0 Wait request=c&0x100\n"
                 "0 Wait request=c&0x108\n"),
            "0#1 called send 1:1\n"
            "0#1 posted send 1:1\n"
            "0#2 called send 1:2\n"
            "0#2 posted send 1:2\n"
            "0#3 awaited #1\n"
            "0#3 completed #1\n"
            "0#4 awaited #2\n"
            "0#4 completed #2\n");
}

TEST(Act, nothing_goes_to_or_comes_from_no_process) {
  EXPECT_EQ(acts("0 Sendrecv dest=PROC_NULL sendtag=1 source=1 recvtag=2 status=(1,2,4)\n"),
            "0#1 posted recv 1:2\n"
            "0#1 returned from 1:2\n");
  EXPECT_EQ(acts("0 Send dest=-5 tag=1\n"),
            "0#1 posted send -5:1 unsound\n"
            "0#1 returned\n");
}

}  // namespace
}  // namespace vouch
