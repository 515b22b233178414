#include "analysis/rma/rma.h"

#include <gtest/gtest.h>

#include "analysis/argument/argument.h"
#include "analysis/collective/orders_test.h"
#include "analysis/testing/cases.h"
#include "analysis/testing/run_text.h"

namespace vouch {
namespace {

// Two processes, 64 bytes each, units of a byte.
const std::string kMade = "0 Win_create size=64 win=w\n1 Win_create size=64 win=w\n";
std::string found(const std::string& text) { return run<Rma>(kMade + text); }
std::string found(const char* made, const std::string& text) { return run<Rma>(made + text); }

const char* const kMissing = "rma/epoch-missing ranks=0 @a\n";
const char* const kNested = "rma/epoch-nested ranks=0 @a\n";
const char* const kRange = "rma/target-range ranks=0 @a\n";
const char* const kSignature = "rma/signature ranks=0 @a\n";
const std::string kFence = "0 Win_fence\n";
const std::string kPut = "0 Put target_rank=1\n";

// [W1]
TEST(RmaEpoch, data_need_one) {
  for (const char* call :
       {"Put", "Get", "Accumulate", "Get_accumulate", "Fetch_and_op", "Compare_and_swap"}) {
    const std::string line = std::string("0 ") + call + " target_rank=1 @a\n";
    EXPECT_EQ(found(line), kMissing) << call;
    EXPECT_EQ(found(kFence + line), "") << call;
    EXPECT_EQ(found("0 Win_lock rank=1\n" + line + "0 Win_unlock rank=1\n"), "") << call;
    EXPECT_EQ(found("0 Win_lock_all\n" + line + "0 Win_unlock_all\n"), "") << call;
    EXPECT_EQ(found("0 Win_lock rank=0\n" + line), kMissing) << call;
    EXPECT_EQ(found("0 Win_lock rank=1\n0 Win_unlock rank=1\n" + line), kMissing) << call;
    EXPECT_EQ(found(std::string("0 ") + call + " target_rank=PROC_NULL\n"), "") << call;
  }
}

// [W1]
TEST(RmaEpoch, requests_need_passive_target) {
  for (const char* call : {"Rput", "Rget", "Raccumulate", "Rget_accumulate"}) {
    const std::string line = std::string("0 ") + call + " target_rank=1 @a\n";
    EXPECT_EQ(found(kFence + line), kMissing) << call;
    EXPECT_EQ(found("0 Comm_group group=g\n0 Win_start\n" + line), kMissing) << call;
    EXPECT_EQ(found("0 Win_lock rank=1\n" + line), "") << call;
    EXPECT_EQ(found("0 Win_lock_all\n" + line), "") << call;
    EXPECT_EQ(found(std::string("0 ") + call + " target_rank=PROC_NULL\n"), "") << call;
  }
}

// [W2]
TEST(RmaEpoch, open_at_the_end) {
  const std::string end = "0 Finalize\n";
  EXPECT_EQ(found("0 Win_lock rank=1 @a\n" + kPut + end), kNested);
  EXPECT_EQ(found("0 Win_lock_all @a\n0 Win_flush_all\n" + end), kNested);
  EXPECT_EQ(found("0 Comm_group group=g\n0 Win_start @a\n" + end), kNested);
  EXPECT_EQ(found("0 Comm_group group=g\n0 Win_post @a\n" + end), kNested);
  EXPECT_EQ(found("0 Win_fence @a\n" + kPut + end), kNested);
  EXPECT_EQ(found(kFence + end), "");
  EXPECT_EQ(found(kFence + kPut + kFence + end), "");
  EXPECT_EQ(found("0 Win_lock rank=1\n0 Win_unlock rank=1\n" + end), "");
  EXPECT_EQ(found("0 Comm_group group=g\n0 Win_post\n0 Win_test -> flag=1\n" + end), "");
}

// [W2]
TEST(RmaEpoch, fences) {
  EXPECT_EQ(found("0 Win_fence assert=MODE_NOSUCCEED\n0 Put target_rank=1 @a\n"), kMissing);
  EXPECT_EQ(found("0 Win_fence assert=MODE_NOPRECEDE\n" + kPut + "0 Win_fence\n0 Win_free\n"), "");
  EXPECT_EQ(found(kFence + kPut + "0 Win_fence assert=MODE_NOPRECEDE @a\n"), kNested);
  EXPECT_EQ(found(kFence + "0 Win_fence assert=MODE_NOPRECEDE\n"), "");
  EXPECT_EQ(found(kFence + kFence + kFence + "0 Win_free\n"), "");
  EXPECT_EQ(found(kFence + kPut + "0 Win_free @a\n"), kNested);
  EXPECT_EQ(found(kFence + kPut + kFence + "0 Win_free\n"), "");
  // A fence after which nothing is moved has opened nothing.
  const std::string locked = "0 Win_lock rank=1\n" + kPut + "0 Win_unlock rank=1\n";
  EXPECT_EQ(found(kFence + locked + "0 Win_free\n"), "");
  EXPECT_EQ(found(kFence + locked + kFence + kPut + kFence), "");
  EXPECT_EQ(found(kFence + locked + "0 Put target_rank=1 @a\n"), kMissing);
  EXPECT_EQ(found(kFence + kPut + "0 Win_lock rank=1 @a\n"), kNested);
  EXPECT_EQ(found(kFence + kPut + "0 Win_lock_all @a\n"), kNested);
  EXPECT_EQ(found(kFence + kPut + "0 Comm_group group=g\n0 Win_start @a\n"), kNested);
  for (const char* open : {"Win_lock rank=0", "Win_lock_all", "Win_start", "Win_post"})
    EXPECT_EQ(found("0 Comm_group group=g\n0 " + std::string(open) + "\n0 Win_fence @a\n"), kNested)
        << open;
}

TEST(RmaEpoch, post_start_complete_wait) {
  const std::string group = "0 Comm_group group=g\n";
  EXPECT_EQ(found(group + "0 Win_post\n0 Win_start\n" + kPut + "0 Win_complete\n0 Win_wait\n"), "");
  EXPECT_EQ(found(group + "0 Win_start\n0 Win_post\n0 Win_wait\n0 Win_complete\n"), "");
  EXPECT_EQ(found(group + "0 Win_start\n0 Win_start @a\n"), kNested);
  EXPECT_EQ(found(group + "0 Win_post\n0 Win_post @a\n"), kNested);
  EXPECT_EQ(found(group + "0 Win_start\n0 Win_lock rank=1 @a\n"), kNested);
  EXPECT_EQ(found(group + "0 Win_start\n0 Win_lock_all @a\n"), kNested);
  EXPECT_EQ(found("0 Win_complete @a\n"), kMissing);
  EXPECT_EQ(found("0 Win_wait @a\n"), kMissing);
  EXPECT_EQ(found("0 Win_test flag=0 @a\n"), kMissing);
  EXPECT_EQ(found(group + "0 Win_post\n0 Win_test flag=0\n0 Win_test flag=1\n0 Win_post\n"), "");
  EXPECT_EQ(found(group + "0 Win_post\n0 Win_test flag=1\n0 Win_wait @a\n"), kMissing);
  EXPECT_EQ(found(group + "0 Win_start\n0 Win_free @a\n"), kNested);
  EXPECT_EQ(found(group + "0 Win_post\n0 Win_free @a\n"), kNested);
  EXPECT_EQ(found("0 Win_post group=GROUP_EMPTY\n0 Win_start group=GROUP_EMPTY\n0 Win_complete\n"
                  "0 Win_wait\n"),
            "");
  // Only the processes of the group; it may be freed in between.
  const std::string self = group +
                           "0 Group_incl group=g ranks=[0] newgroup=h\n0 Win_start group=h\n"
                           "0 Group_free group=h\n";
  EXPECT_EQ(found(self + "0 Put target_rank=0\n0 Win_complete\n"), "");
  EXPECT_EQ(found(self + "0 Put target_rank=1 @a\n0 Win_complete\n"), kMissing);
}

std::string in_all_orders(const std::string& text) {
  const std::string result = found(text);
  for (int seed = 1; seed < 8; ++seed)
    EXPECT_EQ(found(in_order(text, seed)), result) << in_order(text, seed);
  return result;
}

// [W2]
TEST(RmaAsserts, no_put) {
  const std::string promise = "1 Win_fence assert=MODE_NOPUT @p\n0 Win_fence\n";
  const std::string end = kFence + "1 Win_fence\n";
  for (const char* call :
       {"Put", "Accumulate", "Get_accumulate", "Fetch_and_op", "Compare_and_swap"}) {
    const std::string line = std::string("0 ") + call + " target_rank=1 @a\n";
    EXPECT_EQ(in_all_orders(promise + line + end), kNested) << call;
    // Before and after it, at another target, of nothing, under a lock.
    EXPECT_EQ(in_all_orders(kFence + "1 Win_fence\n" + line + promise + end + line + end), "");
    EXPECT_EQ(in_all_orders(promise + std::string("0 ") + call + " target_rank=0\n" + end), "");
    EXPECT_EQ(found(promise + end + "0 Win_lock rank=1\n" + line + "0 Win_unlock rank=1\n"), "");
  }
  EXPECT_EQ(in_all_orders(promise + "0 Get target_rank=1\n" + end), "");
  EXPECT_EQ(in_all_orders(promise + "0 Put target_rank=1 target_count=0 origin_count=0\n" + end),
            "");
  EXPECT_EQ(in_all_orders(promise + "0 Fetch_and_op target_rank=1 op=NO_OP\n" + end), "");
  EXPECT_EQ(in_all_orders(promise + "1 Put target_rank=1 @a\n" + end),
            "rma/epoch-nested ranks=1 @a\n");
  // The last fence: nothing comes after it.
  EXPECT_EQ(in_all_orders(end + kPut + "1 Win_fence assert=MODE_NOPUT\n0 Win_fence\n"), "");
}

const std::string kGroups =
    "0 Comm_group group=g\n1 Comm_group group=g\n"
    "0 Group_incl group=g ranks=[1] newgroup=o\n"
    "1 Group_incl group=g ranks=[0] newgroup=o\n";

std::string posted(const std::string& post, const std::string& start, const char* call = "Put") {
  return kGroups + "1 Win_post group=o " + post + "\n0 Win_start group=o " + start + " @a\n0 " +
         call + " target_rank=1 @b\n0 Win_complete\n1 Win_wait\n";
}

// [W2]
TEST(RmaAsserts, post_and_start) {
  EXPECT_EQ(in_all_orders(posted("", "")), "");
  EXPECT_EQ(in_all_orders(posted("assert=MODE_NOPUT", "")), "rma/epoch-nested ranks=0 @b\n");
  EXPECT_EQ(in_all_orders(posted("assert=MODE_NOPUT", "", "Get")), "");
  EXPECT_EQ(in_all_orders(posted("assert=MODE_NOPUT", "", "Get") + posted("", "")), "");
  EXPECT_EQ(in_all_orders(posted("", "") + posted("assert=MODE_NOPUT", "", "Get")), "");
  EXPECT_EQ(in_all_orders(posted("assert=MODE_NOCHECK", "assert=MODE_NOCHECK")), "");
  EXPECT_EQ(in_all_orders(posted("assert=MODE_NOCHECK", "")), kNested);
  EXPECT_EQ(in_all_orders(posted("", "assert=MODE_NOCHECK")), kNested);
  EXPECT_EQ(in_all_orders(posted("", "") + posted("", "assert=MODE_NOCHECK")), kNested);
  // A post of another target has nothing to do with it.
  EXPECT_EQ(in_all_orders(kGroups + "0 Win_post group=o assert=MODE_NOCHECK\n" +
                          posted("", "").substr(kGroups.size())),
            "");
}

// [W2]
TEST(RmaAsserts, all_say_it_or_none) {
  for (const char* bit : {"MODE_NOPRECEDE", "MODE_NOSUCCEED"}) {
    const std::string says = std::string("Win_fence assert=") + bit;
    EXPECT_EQ(in_all_orders("0 " + says + " @a\n1 Win_fence\n"), kNested);
    EXPECT_EQ(in_all_orders("1 " + says + " @a\n0 Win_fence\n"), "rma/epoch-nested ranks=1 @a\n");
    EXPECT_EQ(in_all_orders("0 " + says + "\n1 " + says + "\n"), "");
    EXPECT_EQ(in_all_orders("0 Win_fence\n1 Win_fence\n0 " + says + "\n1 " + says + "\n"), "");
  }
  EXPECT_EQ(in_all_orders("0 Win_fence assert=MODE_NOSTORE\n1 Win_fence assert=MODE_NOPUT\n"), "");
}

// What waits is bounded by what others are behind.
TEST(RmaAsserts, a_loop_of_promises) {
  std::string text;
  for (int i = 0; i < 5000; ++i)
    text += "0 Win_fence assert=MODE_NOPUT\n1 Win_fence\n0 Put target_rank=1\n";
  EXPECT_EQ(found(text), "");
}

// [W2]
TEST(RmaEpoch, locks) {
  EXPECT_EQ(found("0 Win_lock rank=1\n0 Win_lock rank=0\n0 Win_unlock rank=1\n0 Win_unlock rank=0\n"
                  "0 Win_free\n"),
            "");
  EXPECT_EQ(found("0 Win_lock rank=1\n0 Win_lock rank=1 @a\n"), kNested);
  EXPECT_EQ(found("0 Win_lock rank=1\n0 Win_lock_all @a\n"), kNested);
  EXPECT_EQ(found("0 Win_lock_all\n0 Win_lock rank=1 @a\n"), kNested);
  EXPECT_EQ(found("0 Win_lock_all\n0 Win_lock_all @a\n"), kNested);
  EXPECT_EQ(found("0 Win_lock rank=1\n0 Win_unlock rank=0 @a\n"), kMissing);
  EXPECT_EQ(found("0 Win_lock rank=1\n0 Win_unlock_all @a\n"), kMissing);
  EXPECT_EQ(found("0 Win_lock_all\n0 Win_unlock rank=1 @a\n"), kMissing);
  EXPECT_EQ(found("0 Win_unlock_all @a\n"), kMissing);
  EXPECT_EQ(found("0 Win_lock rank=1\n0 Win_free @a\n"), kNested);
  EXPECT_EQ(found("0 Win_lock_all\n0 Win_free @a\n"), kNested);
  EXPECT_EQ(found("0 Win_lock rank=PROC_NULL\n0 Win_flush rank=PROC_NULL\n"
                  "0 Win_unlock rank=PROC_NULL\n"),
            "");
}

// MPI-4.1 12.5.3 [W2]
TEST(RmaEpoch, own_memory_is_not_locked_and_exposed_at_once) {
  const std::string post = "0 Win_post group=GROUP_EMPTY\n";
  EXPECT_EQ(found("0 Win_lock rank=0\n0 Win_post group=GROUP_EMPTY @a\n"), kNested);
  EXPECT_EQ(found("0 Win_lock_all\n0 Win_post group=GROUP_EMPTY @a\n"), kNested);
  EXPECT_EQ(found(post + "0 Win_lock rank=0 @a\n"), kNested);
  EXPECT_EQ(found(post + "0 Win_lock_all @a\n"), kNested);
  EXPECT_EQ(found(post + "0 Win_lock rank=1\n0 Win_unlock rank=1\n0 Win_wait\n0 Win_lock rank=0\n"
                         "0 Win_unlock rank=0\n"),
            "");
}

// Between the same two fences, in whatever order the records come.
TEST(RmaEpoch, locks_of_a_window_that_others_access_by_fence) {
  const std::string made = kMade + "2 Win_create size=64 win=w\n";
  const std::string fences = "0 Win_fence\n1 Win_fence\n2 Win_fence\n";
  const std::string lock = "2 Win_lock rank=1 @a\n2 Win_unlock rank=1\n";
  const std::string all = "2 Win_lock_all @a\n2 Win_unlock_all\n";
  const char* const exposed = "rma/epoch-nested ranks=2 @a (warning)\n";
  EXPECT_EQ(run<Rma>(made + fences + kPut + lock), exposed);
  EXPECT_EQ(run<Rma>(made + fences + lock + kPut), exposed);
  EXPECT_EQ(run<Rma>(made + fences + kPut + all), exposed);
  EXPECT_EQ(run<Rma>(made + fences + all + kPut), exposed);
  // In another interval, of another target, by a fence that need be no barrier.
  EXPECT_EQ(run<Rma>(made + fences + kPut + fences + lock), "");
  EXPECT_EQ(run<Rma>(made + lock + fences + kPut + fences), "");
  EXPECT_EQ(run<Rma>(made + fences + kPut + "2 Win_lock rank=0\n2 Win_unlock rank=0\n"), "");
  const std::string first = "assert=MODE_NOPRECEDE\n";
  EXPECT_EQ(run<Rma>(made + "0 Win_fence " + first + "1 Win_fence " + first + "2 Win_fence " +
                     first + kPut + lock),
            "");
}

// [W1]
TEST(RmaEpoch, flushes_need_a_lock) {
  for (const char* call :
       {"Win_flush rank=1", "Win_flush_local rank=1", "Win_flush_all", "Win_flush_local_all"}) {
    const std::string line = std::string("0 ") + call + " @a\n";
    EXPECT_EQ(found(line), kMissing) << call;
    EXPECT_EQ(found(kFence + line), kMissing) << call;
    EXPECT_EQ(found("0 Win_lock_all\n" + line), "") << call;
    EXPECT_EQ(found("0 Win_lock rank=1\n" + line), "") << call;
  }
  EXPECT_EQ(found("0 Win_lock rank=0\n0 Win_flush rank=1 @a\n"), kMissing);
  EXPECT_EQ(found("0 Win_lock rank=0\n0 Win_flush_all\n"), "");
  EXPECT_EQ(found("0 Win_sync\n"), "");
}

// [U4, U9, W6]: what follows from a wrong or failed call is not told again.
TEST(RmaEpoch, one_cause_one_finding) {
  EXPECT_EQ(found("0 Win_lock rank=1\n0 Win_unlock rank=0 @a\n0 Win_free\n"), kMissing);
  EXPECT_EQ(found("0 Win_lock rank=1\n0 Win_lock rank=1 @a\n0 Win_unlock rank=1\n"
                  "0 Win_unlock rank=1\n"),
            kNested);
  EXPECT_EQ(found("0 Put target_rank=1 @a\n0 Win_lock rank=1 @b\n0 Put target_rank=1\n"
                  "0 Win_unlock rank=1\n"),
            kMissing);
  EXPECT_EQ(found("0 Win_lock rank=1 !ERR_OTHER\n0 Put target_rank=1\n"),
            "not-checked epochs of a window\n");
  EXPECT_EQ((run<Argument, Rma>(kMade + "0 Win_lock rank=7 @a !ERR_RANK\n0 Win_unlock rank=1\n")),
            "argument/rank ranks=0 @a\n");
}

TEST(RmaEpoch, windows_and_processes_are_apart) {
  const std::string two = kMade + "0 Win_create win=v\n1 Win_create win=v\n";
  EXPECT_EQ(run<Rma>(two + "0 Win_lock win=w rank=1\n0 Win_lock win=v rank=1\n"
                           "0 Put win=w target_rank=1\n0 Win_fence win=v @a\n"),
            kNested);
  EXPECT_EQ(run<Rma>(two + "0 Win_lock win=w rank=1\n0 Put win=v target_rank=1 @a\n"), kMissing);
  EXPECT_EQ(found("1 Win_lock rank=1\n0 Put target_rank=1 @a\n"), kMissing);
  // A handle that is issued again is another window.
  EXPECT_EQ(run<Rma>("0 Win_create comm=COMM_SELF win=w\n0 Win_lock rank=0\n0 Put target_rank=0\n"
                     "0 Win_unlock rank=0\n0 Win_free\n0 Win_create comm=COMM_SELF win=w\n"
                     "0 Put target_rank=0 @a\n"),
            kMissing);
}

// One thread opens, another uses the epoch; nothing tells that the opening call has returned.
TEST(RmaEpoch, threads_share_them) {
  EXPECT_EQ(found("0 Win_lock rank=1 ...\n0.1 Put target_rank=1\n0.1 Win_unlock rank=1 ...\n"
                  "0.2 Win_lock rank=1\n"),
            "");
}

// [W3]
TEST(RmaRange, bytes_of_the_target) {
  const char* made =  // 16 bytes in units of 4, and none at all
      "0 Win_allocate size=16 disp_unit=4 win=w\n1 Win_allocate size=0 disp_unit=1 win=w\n"
      "0 Win_fence\n";
  EXPECT_EQ(found(made, "0 Put target_rank=0 target_disp=3\n"), "");
  EXPECT_EQ(found(made, "0 Put target_rank=0 target_disp=4 @a\n"), kRange);
  EXPECT_EQ(found(made, "0 Put target_rank=0 target_disp=-1 @a\n"), kRange);
  EXPECT_EQ(found(made, "0 Get origin_count=5 target_rank=0 target_count=5 @a\n"), kRange);
  EXPECT_EQ(found(made, "0 Get target_rank=1 @a\n"), kRange);
  EXPECT_EQ(found(made, "0 Get origin_count=0 target_count=0 target_rank=1 target_disp=99\n"), "");
  EXPECT_EQ(found(made, "0 Get target_rank=PROC_NULL target_disp=99\n"), "");
  EXPECT_EQ(found(made, "0 Fetch_and_op target_rank=0 target_disp=4 @a\n"), kRange);
  EXPECT_EQ(found(made, "0 Compare_and_swap target_rank=0 target_disp=3\n"), "");
  EXPECT_EQ(found(made, "0 Put target_rank=0 target_disp=0x4000000000000000 @a\n"), kRange);
}

TEST(RmaRange, holes_may_lie_outside) {
  const char* made =
      "0 Win_create size=16 win=w\n1 Win_create size=16 win=w\n0 Win_fence\n"
      "0 Type_vector count=2 blocklength=1 stride=3 oldtype=MPI_INT newtype=v\n"
      "0 Type_create_resized oldtype=v lb=-8 extent=64 newtype=r\n0 Type_commit datatype=r\n";
  const auto put = [](const std::string& rest) {
    return "0 Put origin_count=2 target_rank=1 target_datatype=r " + rest;
  };
  EXPECT_EQ(found(made, put("\n")), "");
  EXPECT_EQ(found(made, put("target_disp=1 @a\n")), kRange);
  EXPECT_EQ(found(made, put("target_count=2 @a\n")), kRange);
}

// [W3]
TEST(RmaRange, any_order_of_records) {
  const std::string bad =
      "0 Win_create size=64 win=w\n1 Win_create size=8 win=w\n0 Win_fence\n1 Win_fence\n"
      "0 Put target_rank=1 target_disp=8 @a\n1 Put target_rank=0 target_disp=8\n0 Win_fence\n"
      "1 Win_fence\n0 Win_free\n1 Win_free\n";
  for (int seed = 0; seed < 20; ++seed) EXPECT_EQ(run<Rma>(in_order(bad, seed)), kRange) << seed;
  // A process that never tells.
  EXPECT_EQ(
      run<Rma>("0 world size=2\n0 Win_create win=w\n0 Win_lock rank=1\n0 Put target_rank=1\n"),
      "not-checked target ranges of one-sided calls\n");
}

TEST(RmaRange, several_windows_of_a_communicator) {
  const std::string text =
      "0 Win_create size=64 win=a\n1 Win_create size=8 win=b\n"
      "0 Win_create size=64 win=c\n1 Win_create size=64 win=a\n"
      "0 Win_lock_all win=a\n0 Win_lock_all win=c\n"
      "0 Put win=a target_rank=1 target_disp=8 @a\n0 Put win=c target_rank=1 target_disp=8\n";
  for (int seed = 0; seed < 10; ++seed) EXPECT_EQ(run<Rma>(in_order(text, seed)), kRange) << seed;
}

// A constructor that failed at one process counts like those of the others.
TEST(RmaRange, after_a_broken_constructor) {
  EXPECT_EQ((run<Argument, Rma>("0 Win_create size=-8 @a !ERR_SIZE\n1 Win_create size=8 win=a\n"
                                "0 Win_create size=64 win=b\n1 Win_create size=64 win=b\n"
                                "0 Win_lock_all win=b\n0 Put win=b target_rank=1 target_disp=8\n")),
            "argument/count ranks=0 @a\n");
}

TEST(RmaRange, attached_memory) {
  const std::string made =
      "0 Win_create_dynamic win=w\n1 Win_create_dynamic win=w\n0 Win_lock_all\n";
  const std::string attach =
      "1 Win_attach base=0x1000 size=16\n1 Win_attach base=0x1010 size=16\n"
      "1 Win_attach base=0x2000 size=4\n1 Win_detach base=0x2000\n";
  const auto put = [](const std::string& disp) {
    return "0 Put target_rank=1 target_disp=" + disp + " @a\n";
  };
  for (int seed = 0; seed < 12; ++seed) {
    for (const char* disp : {"0x1000", "0x100c", "0x100e", "0x101c", "0x2000"})
      EXPECT_EQ(run<Rma>(in_order(made + attach + put(disp), seed)), "") << disp;
    for (const char* disp : {"0", "0x101d", "0xffe", "0x2001"})
      EXPECT_EQ(run<Rma>(in_order(made + attach + put(disp), seed)), kRange) << disp;
  }
  // Its own memory is not the target's.
  EXPECT_EQ(run<Rma>(made + "0 Win_attach base=0x3000 size=64\n" + put("0x3000")), kRange);
  EXPECT_EQ(run<Rma>(made + "0 Win_attach base=0x3000 size=64\n0 Put target_rank=0 "
                            "target_disp=0x3000\n"),
            "");
}

// [W4]
TEST(RmaWindow, flavours) {
  const auto bad = [](const std::string& text) {
    EXPECT_EQ(run<Rma>(text), "rma/window ranks=0 @a\n") << text;
  };
  const std::string dynamic = "0 Win_create_dynamic win=w\n";
  bad(dynamic + "0 Win_detach base=0x10 @a\n");
  bad(dynamic + "0 Win_attach base=0x10 size=64\n0 Win_detach base=0x18 @a\n");
  bad(dynamic +
      "0 Win_attach base=0x10 size=8\n0 Win_detach base=0x10\n0 Win_detach base=0x10 @a\n");
  bad("0 Win_create win=w\n0 Win_attach @a\n");
  bad("0 Win_allocate win=w\n0 Win_detach @a\n");
  bad(dynamic + "0 Win_shared_query @a\n");
  EXPECT_EQ(run<Rma>(dynamic + "0 Win_attach base=0x10 size=8\n0 Win_detach base=0x10\n"
                               "0 Win_attach base=0x10 size=8\n0 Win_detach base=0x10\n"),
            "");
  EXPECT_EQ(run<Rma>("0 Win_allocate_shared win=w\n0 Win_shared_query\n"
                     "0 Win_shared_query rank=PROC_NULL\n"),
            "");
  // Null and freed ones.
  EXPECT_EQ((run<Argument, Rma>("0 Win_fence win=WIN_NULL @a\n")), "rma/window ranks=0 @a\n");
}

// MPI-4.1 12.2.4 [W4]
TEST(RmaWindow, attached_once) {
  const std::string made = "0 Win_create_dynamic win=w\n0 Win_attach base=0x1000 size=16\n";
  const auto attach = [&](const char* what) {
    return run<Rma>(made + "0 Win_attach " + what + " @a\n");
  };
  for (const char* what : {"base=0x1000 size=16", "base=0x1008 size=16", "base=0xff8 size=9",
                           "base=0x100f size=1", "base=0xff0 size=64"})
    EXPECT_EQ(attach(what), "rma/window ranks=0 @a\n") << what;
  for (const char* what : {"base=0x1010 size=16", "base=0xff0 size=16", "base=0x1008 size=0"})
    EXPECT_EQ(attach(what), "") << what;
  EXPECT_EQ(run<Rma>(made + "0 Win_detach base=0x1000\n0 Win_attach base=0x1008 size=8\n"), "");
}

// MPI-4.1 12.2.1 [W4]
TEST(RmaWindow, promises) {
  const auto made = [](const std::string& key, const std::string& first,
                       const std::string& second) {
    std::string text;
    for (const char* rank : {"0", "1"})
      text += std::string(rank) + " Info_create info=i\n" + rank + " Info_set info=i key=\"" + key +
              "\" value=\"true\"\n";
    return text + "0 Win_create info=i " + first + " win=w @a\n1 Win_create info=i " + second +
           " win=w @b\n";
  };
  EXPECT_EQ(run<Rma>(made("no_locks", "", "") + "0 Win_lock rank=1 @l\n"),
            "rma/window ranks=0 @l\n");
  EXPECT_EQ(run<Rma>(made("no_locks", "", "") + "0 Win_lock_all @l\n"), "rma/window ranks=0 @l\n");
  EXPECT_EQ(run<Rma>(made("same_size", "size=8", "size=16")), "rma/window ranks=1 @b\n");
  EXPECT_EQ(run<Rma>(made("same_size", "size=8 disp_unit=1", "size=8 disp_unit=2")), "");
  EXPECT_EQ(run<Rma>(made("same_disp_unit", "disp_unit=1", "disp_unit=2")),
            "rma/window ranks=1 @b\n");
  EXPECT_EQ(run<Rma>(made("same_disp_unit", "size=8", "size=16")), "");
}

// It is told when the target is known, or at the end.
TEST(RmaSignature, the_target_may_come_later) {
  const std::string call = "0 Win_create size=64 win=w\n" + kFence +
                           "0 Put origin_datatype=MPI_FLOAT target_rank=1 @a\n";
  EXPECT_EQ(run<Rma>(call + "1 Win_create size=64 win=w\n"), kSignature);
  EXPECT_EQ(run<Rma>(call),
            kSignature + std::string("not-checked target ranges of one-sided calls\n"));
}

// [W5]
TEST(RmaSignature, origin_and_target) {
  const std::string fence = kFence +
                            "0 Type_contiguous count=2 oldtype=MPI_INT newtype=two\n"
                            "0 Type_commit datatype=two\n";
  const auto bad = [&](const std::string& call) {
    EXPECT_EQ(found(fence + "0 " + call + " target_rank=1 @a\n"), kSignature) << call;
  };
  const auto good = [&](const std::string& call) {
    EXPECT_EQ(found(fence + "0 " + call + " target_rank=1 @a\n"), "") << call;
  };
  bad("Put origin_datatype=MPI_FLOAT");
  bad("Put origin_count=2");
  bad("Put target_count=0");
  bad("Get target_count=2");
  bad("Get origin_count=3 target_datatype=two target_count=2");
  bad("Accumulate origin_datatype=MPI_FLOAT target_datatype=MPI_INT");
  bad("Get_accumulate result_datatype=MPI_FLOAT");
  bad("Get_accumulate origin_count=2 target_count=2");
  good("Put target_count=2");  // a message may be shorter than its room
  good("Get origin_count=2");
  good("Put origin_count=2 target_datatype=two");
  good("Put origin_count=0");
  good("Get_accumulate origin_count=2 result_count=2 target_count=2");
  good("Get_accumulate op=MPI_NO_OP origin_count=77 origin_datatype=MPI_FLOAT");
  good("Get_accumulate op=MPI_NO_OP origin_count=-5 origin_datatype=DATATYPE_NULL");
  EXPECT_EQ(found(fence + "0 Put target_rank=1 origin_count=4 origin_datatype=MPI_BYTE @a\n"),
            "rma/signature ranks=0 @a (warning)\n");
  EXPECT_EQ(found(fence + "0 Put target_rank=PROC_NULL origin_count=2\n"), "");
}

// [W5]
TEST(RmaSignature, elements_of_one_type) {
  const std::string types =
      kFence +
      "0 Type_create_struct array_of_blocklengths=[1,1] array_of_displacements=[0,4] "
      "array_of_types=[MPI_FLOAT,MPI_INT] newtype=mixed\n0 Type_commit datatype=mixed\n"
      "0 Type_contiguous count=2 oldtype=MPI_FLOAT_INT newtype=pairs\n0 Type_commit "
      "datatype=pairs\n"
      "0 Type_dup oldtype=MPI_INT newtype=dup\n";
  const auto both = [&](const char* call, const std::string& type, const char* op) {
    return found(types + "0 " + call + " target_rank=1 op=" + op + " origin_datatype=" + type +
                 " target_datatype=" + type + " @a\n");
  };
  EXPECT_EQ(both("Accumulate", "mixed", "MPI_REPLACE"), kSignature);
  EXPECT_EQ(both("Accumulate", "pairs", "MPI_MAXLOC"), "");
  EXPECT_EQ(both("Accumulate", "MPI_FLOAT_INT", "MPI_MAXLOC"), "");
  EXPECT_EQ(found(types + "0 Put target_rank=1 origin_datatype=mixed target_datatype=mixed\n"), "");
  const auto one = [&](const char* call, const char* type) {
    return found(types + "0 " + call + " target_rank=1 datatype=" + type + " @a\n");
  };
  EXPECT_EQ(one("Fetch_and_op", "pairs"), kSignature);
  EXPECT_EQ(one("Fetch_and_op", "MPI_DOUBLE"), "");
  EXPECT_EQ(one("Fetch_and_op", "dup"), "");
  for (const char* type : {"MPI_DOUBLE", "pairs", "MPI_FLOAT_INT", "MPI_C_FLOAT_COMPLEX"})
    EXPECT_EQ(one("Compare_and_swap", type), kSignature) << type;
  for (const char* type : {"MPI_INT", "MPI_LOGICAL", "MPI_INTEGER", "MPI_BYTE", "MPI_AINT", "dup"})
    EXPECT_EQ(one("Compare_and_swap", type), "") << type;
}

}  // namespace
}  // namespace vouch
