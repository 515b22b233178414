// Calls in, deadlocks out [D1-D5, D7-D9, D14-D16].

#include "analysis/deadlock/deadlock.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "analysis/argument/argument.h"
#include "analysis/testing/run_text.h"
#include "analysis/thread/thread_use.h"
#include "report/json.h"
#include "report/text.h"

namespace vouch {
namespace {

std::string of(const char* text) { return run<DeadlockSearch>(text); }

TEST(Deadlock, two_receives_facing_each_other) {
  EXPECT_EQ(of("0 Recv source=1 tag=7 @a.c:1 ...\n"
               "1 Recv source=0 tag=7 @a.c:2 ...\n"),
            "deadlock/wait-cycle ranks=0 @a.c:1\n");
  EXPECT_EQ(of("0 Recv source=1 tag=7 @a.c:1 -> status=(1,7,4)\n0 Send dest=1 tag=7 @a.c:2\n"
               "1 Send dest=0 tag=7 @a.c:3\n1 Recv source=0 tag=7 @a.c:4 -> status=(0,7,4)\n"),
            "");
}

TEST(Deadlock, the_words) {
  EXPECT_EQ(run_messages<DeadlockSearch>("0 Recv source=1 @a.c:1 ...\n"
                                         "1 Recv source=0 @a.c:1 ...\n"
                                         "2 Recv source=1 @a.c:1 ...\n"),
            "deadlock/wait-cycle: ranks wait for each other: 0 -> 1 -> 0; rank 2 waits for them\n");
}

TEST(Deadlock, buffered_sends_might_have_blocked) {
  EXPECT_EQ(
      run_messages<DeadlockSearch>("0 Send dest=1 @a.c:1\n0 Recv source=1 @a.c:2\n0 Finalize\n"
                                   "1 Send dest=0 @a.c:1\n1 Recv source=0 @a.c:2\n1 Finalize\n"),
      "deadlock/wait-cycle: ranks wait for each other: 0 -> 1 -> 0; this time the library "
      "buffered a message or left early\n");
  EXPECT_EQ(of("0 Bsend dest=1 @a.c:1\n0 Recv source=1 @a.c:2\n0 Finalize\n"
               "1 Send dest=0 @a.c:3\n1 Recv source=0 @a.c:4\n1 Finalize\n"),
            "");
}

// MPI-4.1 4.2.1
TEST(Deadlock, a_partition_that_is_never_marked_ready) {
  const std::string begin =
      "0 Psend_init partitions=4 dest=1 tag=7 request=s @a.c:1\n0 Start request=s\n"
      "1 Precv_init partitions=4 source=0 tag=7 request=r @a.c:2\n1 Start request=r\n"
      "0 Pready partition=0 request=s\n";
  const std::string wait = "0 Wait request=s @a.c:3 ...\n1 Wait request=r @a.c:4 ...\n";
  EXPECT_EQ(
      run_messages<DeadlockSearch>(begin +
                                   "0 Pready_list array_of_partitions=[1,3] "
                                   "request=s\n" +
                                   wait),
      "deadlock/wait-cycle: rank 0 waits for a partitioned send of which partition 2 of 4 was "
      "never marked ready\n");
  EXPECT_EQ(run<DeadlockSearch>(
                begin + "0 Pready_range partition_low=1 partition_high=3 request=s\n" + wait),
            "");
  // Another thread may mark it yet.
  EXPECT_EQ(run<DeadlockSearch>("0 Init_thread required=THREAD_MULTIPLE -> "
                                "provided=THREAD_MULTIPLE\n" +
                                begin + wait +
                                "0.1 Pready_range partition_low=1 partition_high=3 request=s\n"),
            "");
}

// MPI-4.1 13.2
TEST(Deadlock, a_generalized_request_that_is_never_completed) {
  const std::string begin = "0 Grequest_start request=g @a.c:1\n";
  const std::string wait = "0 Wait request=g @a.c:2 ...\n1 Recv source=0 @a.c:3 ...\n";
  EXPECT_EQ(
      run_messages<DeadlockSearch>(begin + wait),
      "deadlock/wait-cycle: rank 0 waits for a generalized request that it has not completed\n");
  EXPECT_EQ(run<DeadlockSearch>(begin + "0 Grequest_complete request=g\n" + wait), "");
  // Another thread may complete it yet.
  EXPECT_EQ(run<DeadlockSearch>("0 Init_thread required=THREAD_MULTIPLE -> "
                                "provided=THREAD_MULTIPLE\n" +
                                begin + wait + "0.1 Grequest_complete request=g\n"),
            "");
}

TEST(Deadlock, a_message_that_a_probe_has_taken_out) {
  const std::string begin =
      "0 Send dest=1 tag=5 @a.c:1\n0 Recv source=1 tag=6 @a.c:2 ...\n"
      "1 Mprobe source=0 tag=5 @a.c:3 -> message=m status=(0,5,4)\n";
  EXPECT_EQ(run_messages<DeadlockSearch>(begin + "1 Recv source=0 tag=5 @a.c:4 ...\n"),
            "deadlock/wait-cycle: ranks wait for each other: 0 -> 1 -> 0; rank 1 has matched such "
            "a message with MPI_Mprobe and not received it\n");
  EXPECT_EQ(run_messages<DeadlockSearch>(begin + "1 Recv source=0 tag=7 @a.c:4 ...\n"),
            "deadlock/wait-cycle: ranks wait for each other: 0 -> 1 -> 0\n");
}

// [D16], MPI-4.1 3.8.2: the sender goes on once the matched message is received, not once it is
// matched.
TEST(Deadlock, a_matched_message_is_not_received) {
  const std::string begin = "1 Mprobe source=0 tag=5 @a.c:3 -> message=m status=(0,5,4)\n";
  const std::string late = "1 Recv source=0 tag=6 @a.c:4 ...\n";
  const std::string words =
      "deadlock/wait-cycle: ranks wait for each other: 0 -> 1 -> 0; rank 1 has matched the message "
      "of rank 0 with MPI_Mprobe and not received it\n";
  EXPECT_EQ(run_messages<DeadlockSearch>("0 Ssend dest=1 tag=5 @a.c:1 ...\n" + begin + late),
            words);
  EXPECT_EQ(run_messages<DeadlockSearch>("0 Isend dest=1 tag=5 request=r @a.c:1\n"
                                         "0 Wait request=r @a.c:2 ...\n" +
                                         begin + late),
            words);
  EXPECT_EQ(run<DeadlockSearch>("0 Ssend dest=1 tag=5 @a.c:1 ...\n" + begin +
                                "1 Mrecv message=m @a.c:5\n" + late),
            "");
  EXPECT_EQ(run<DeadlockSearch>("0 Ssend dest=1 tag=5 @a.c:1 ...\n" + begin +
                                "1 Imrecv message=m request=r @a.c:5\n" + late),
            "");
  // The same with a probe that asks, and any source.
  EXPECT_EQ(run<DeadlockSearch>("0 Ssend dest=1 tag=5 @a.c:1 ...\n"
                                "1 Improbe source=ANY_SOURCE tag=ANY_TAG -> flag=1 message=m "
                                "status=(0,5,4)\n" +
                                late),
            "deadlock/wait-cycle ranks=0 @a.c:1\n");
  // The library buffered it.
  EXPECT_EQ(run<DeadlockSearch>("0 Send dest=1 tag=5 @a.c:1\n0 Send dest=1 tag=6 @a.c:2\n" + begin +
                                "1 Recv source=0 tag=6 @a.c:4\n1 Mrecv message=m @a.c:5\n"
                                "0 Finalize\n1 Finalize\n"),
            "deadlock/wait-cycle ranks=0 @a.c:1\n");
}

// The message that is waited for went to a wildcard before.
TEST(Deadlock, a_wildcard_has_taken_the_message) {
  const std::string end = "1 Send dest=0 tag=5 @a.c:3\n1 Finalize\n";
  const std::string waits = "deadlock/finished-rank: rank 0 waits for rank 1, which has finished";
  EXPECT_EQ(run_messages<DeadlockSearch>("0 Recv source=1 tag=ANY_TAG @a.c:1 -> status=(1,5,4)\n"
                                         "0 Recv source=1 tag=5 @a.c:2 ...\n" +
                                         end),
            waits + "; MPI_Recv with MPI_ANY_TAG has taken such a message of rank 1 before\n");
  EXPECT_EQ(run_messages<DeadlockSearch>("0 Irecv source=ANY_SOURCE tag=5 request=r @a.c:1\n"
                                         "0 Wait request=r @a.c:4 -> status=(1,5,4)\n"
                                         "0 Recv source=1 tag=5 @a.c:2 ...\n" +
                                         end),
            waits + "; MPI_Irecv with MPI_ANY_SOURCE has taken such a message of rank 1 before\n");
  EXPECT_EQ(run_messages<DeadlockSearch>("0 Irecv source=1 tag=ANY_TAG request=r @a.c:1\n"
                                         "0 Recv source=1 tag=5 @a.c:2 ...\n" +
                                         end),
            waits + "; MPI_Irecv with MPI_ANY_TAG has taken such a message of rank 1 before\n");
  EXPECT_EQ(run_messages<DeadlockSearch>("0 Recv source=1 tag=ANY_TAG @a.c:1 -> status=(1,5,4)\n"
                                         "0 Recv source=1 tag=6 @a.c:2 ...\n" +
                                         end),
            waits + "\n");
}

// The n-th send with an envelope meets the n-th receive, whatever is started first.
TEST(Deadlock, partitioned_pairs_by_their_order_of_making) {
  const std::string made =
      "0 Psend_init partitions=1 dest=1 request=a\n0 Psend_init partitions=1 dest=1 request=b\n"
      "1 Precv_init partitions=1 source=0 request=c\n1 Precv_init partitions=1 source=0 request=d\n"
      "1 Start request=c\n1 Start request=d\n";
  EXPECT_EQ(run<DeadlockSearch>(made + "0 Start request=b\n0 Pready partition=0 request=b\n"
                                       "0 Recv source=1 tag=9 @a.c:1 ...\n1 Wait request=d ...\n"),
            "");
  EXPECT_EQ(
      run<DeadlockSearch>(made + "0 Start request=b\n0 Pready partition=0 request=b\n"
                                 "0 Recv source=1 tag=9 @a.c:1 ...\n1 Wait request=c @a.c:2 ...\n"),
      "deadlock/wait-cycle ranks=0 @a.c:1\n");
}

TEST(Deadlock, everybody_waits_for_anybody) {
  EXPECT_EQ(of("0 Recv source=ANY_SOURCE @a.c:1 ...\n"
               "1 Recv source=ANY_SOURCE @a.c:1 ...\n"
               "2 Recv source=ANY_SOURCE @a.c:1 ...\n"),
            "deadlock/wildcard-knot ranks=0 @a.c:1\n");
}

TEST(Deadlock, for_a_finished_rank) {
  EXPECT_EQ(of("0 Recv source=1 @a.c:1 ...\n1 Finalize @a.c:2\n"),
            "deadlock/finished-rank ranks=0 @a.c:1\n");
  // That its message was not taken either is no second finding.
  EXPECT_EQ(of("0 Recv source=1 tag=2 @a.c:1 ...\n1 Send dest=0 tag=1 @a.c:2\n1 Finalize @a.c:3\n"),
            "deadlock/finished-rank ranks=0 @a.c:1\n");
}

TEST(Deadlock, barrier_against_receive) {
  EXPECT_EQ(of("0 Barrier @a.c:1 ...\n1 Recv source=0 @a.c:2 ...\n"),
            "deadlock/wait-cycle ranks=0 @a.c:1\n");
}

TEST(Deadlock, waitall_needs_all_and_waitany_one) {
  EXPECT_EQ(of("0 Irecv source=1 request=a @a.c:1\n0 Irecv source=2 request=b @a.c:2\n"
               "0 Waitall array_of_requests=[a,b] @a.c:3 ...\n"
               "1 Finalize\n2 Send dest=0 @a.c:4\n2 Finalize\n"),
            "deadlock/finished-rank ranks=0 @a.c:3\n");
  EXPECT_EQ(of("0 Irecv source=1 request=a @a.c:1\n0 Irecv source=2 request=b @a.c:2\n"
               "0 Waitany array_of_requests=[a,b] @a.c:3 ...\n"
               "1 Finalize\n2 Send dest=0 @a.c:4\n2 Finalize\n"),
            "");
}

TEST(Deadlock, sendrecv_is_one_call) {
  EXPECT_EQ(
      of("0 Sendrecv dest=1 source=1 sendtag=0 recvtag=0 @a.c:1 -> status=(1,0,4)\n0 Finalize\n"
         "1 Sendrecv dest=0 source=0 sendtag=0 recvtag=0 @a.c:1 -> status=(0,0,4)\n1 "
         "Finalize\n"),
      "");
  EXPECT_EQ(of("0 Sendrecv dest=1 source=1 sendtag=0 recvtag=0 @a.c:1 ...\n"
               "1 Recv source=0 tag=0 @a.c:2 -> status=(0,0,4)\n1 Finalize\n"),
            "deadlock/finished-rank ranks=0 @a.c:1\n");
}

TEST(Deadlock, probe_for_nothing) {
  EXPECT_EQ(of("0 Probe source=1 tag=3 @a.c:1 ...\n1 Send dest=0 tag=4 @a.c:2 ...\n"),
            "deadlock/wait-cycle ranks=0 @a.c:1\n");
  EXPECT_EQ(of("0 Probe source=1 tag=4 @a.c:1 -> status=(1,4,4)\n0 Recv source=1 tag=4 @a.c:3\n0 "
               "Finalize\n1 Send dest=0 tag=4 @a.c:2\n1 Finalize\n"),
            "");
}

TEST(Deadlock, a_cancelled_receive_does_not_wait) {
  EXPECT_EQ(of("0 Irecv source=1 request=a @a.c:1\n0 Cancel request=a\n0 Wait request=a @a.c:2 -> "
               "status=(-1,-1,0,0,1)\n0 Finalize\n1 Finalize\n"),
            "");
}

TEST(Deadlock, an_earlier_receive_took_the_message) {
  for (const char* any : {"source=1 tag=ANY_TAG", "source=ANY_SOURCE tag=5"}) {
    const std::string program =
        fmt::format("0 Irecv {} request=a @a.c:1\n0 Recv source=1 tag=5 @a.c:2 ...\n", any);
    EXPECT_EQ(of((program + "1 Send dest=0 tag=5 @a.c:3\n1 Finalize\n").c_str()),
              "deadlock/finished-rank ranks=0 @a.c:2\n");
    EXPECT_EQ(of((program + "1 Send dest=0 tag=5 @a.c:3\n1 Send dest=0 tag=5 @a.c:4\n"
                            "1 Finalize\n")
                     .c_str()),
              "");
  }
}

// Asks each second of half a minute, after all has been read; the ranks use the processor for a
// tenth of the time, or as a test says.
class Silent : public DeadlockSearch {
 public:
  using DeadlockSearch::DeadlockSearch;
  void finish() override {
    for (int second = 0; second < 30 && told_after < 0; ++second) {
      const std::chrono::steady_clock::time_point now{std::chrono::seconds(second)};
      const auto worked = [&](std::size_t) {
        return std::chrono::nanoseconds(std::chrono::milliseconds(busy * second));
      };
      if (on_pause({now, {}, {}, worked}).run().empty()) continue;
      on_stuck().run();
      told_after = second;
    }
    DeadlockSearch::finish();
  }
  static inline int busy = 100, told_after = -1;
};

std::string in_silence(const std::string& text, int busy = 100) {
  Silent::busy = busy;
  Silent::told_after = -1;
  return run_messages<Silent>(text.c_str());
}

constexpr const char* kUsedUp =
    "0 Irecv source=ANY_SOURCE request=a @a.c:1\n0 Send dest=1 @a.c:2 ...\n"
    "1 Irecv source=ANY_SOURCE request=a @a.c:1\n1 Send dest=0 @a.c:2 ...\n"
    "2 Send dest=0 @a.c:3\n2 Send dest=1 @a.c:4\n2 Finalize\n";

TEST(Deadlock, what_the_library_chose_shows_in_silence) {
  EXPECT_EQ(in_silence(kUsedUp),
            "deadlock/wait-cycle: ranks wait for each other: 0 -> 1 -> 0; with other messages in "
            "receives of any source posted before it could go on\n");
  EXPECT_LE(Silent::told_after, 4);
  // Who has not had the processor has had no chance to go on.
  in_silence(kUsedUp, 1);
  EXPECT_GE(Silent::told_after, 10);
}

TEST(Deadlock, no_silence_while_somebody_may_act) {
  // A third rank is in no call.
  EXPECT_EQ(in_silence(std::string(kUsedUp) + "3 Barrier comm=SELF\n"), "");
  // However long it takes: the receive gets this message and no other.
  EXPECT_EQ(in_silence("0 Irecv source=ANY_SOURCE request=a @a.c:1\n0 Wait request=a @a.c:2 ...\n"
                       "1 Send dest=0 @a.c:3 ...\n2 Barrier @a.c:4 ...\n"),
            "");
}

// Asks four times a second for 20 seconds, while both ranks poll 100 times in between; what else
// they do is as a test says.
class Polls : public DeadlockSearch {
 public:
  using DeadlockSearch::DeadlockSearch;
  void finish() override {
    for (int i = 0; i < 80 && stuck_ranks().empty(); ++i) {
      const std::chrono::steady_clock::time_point now{std::chrono::milliseconds(250 * (i + 1))};
      const std::vector<std::uint64_t> polls(2, static_cast<std::uint64_t>(i) * 100);
      Pause pause{now, polls};
      pause.time_use = [&](std::size_t) { return use(i); };
      pause.worked = [&](std::size_t) { return 100 * i * per_poll; };
      pause.one_acts = [&](std::size_t) { return !acts(i); };
      pause.has_child = [&](std::size_t process) { return process == parent; };
      if (!on_pause(pause).run().empty()) on_stuck().run();
    }
    DeadlockSearch::finish();
  }
  static inline std::function<Pause::TimeUse(int look)> use;
  static inline std::chrono::nanoseconds per_poll{500};                          // of the processor
  static inline std::function<bool(int look)> acts = [](int) { return false; };  // another thread
  static inline std::size_t parent = 9;
};

std::string polling(std::function<Pause::TimeUse(int)> use) {
  Polls::use = std::move(use);
  const std::string funnelled =
      " Init_thread required=THREAD_FUNNELED -> provided=THREAD_FUNNELED\n";
  return run<Polls>("0" + funnelled + "1" + funnelled +
                    "0 Irecv source=1 request=a @a.c:1\n0 Test request=a @a.c:2 -> flag=0\n"
                    "1 Irecv source=0 request=a @a.c:1\n1 Test request=a @a.c:2 -> flag=0\n");
}

TEST(Livelock, whether_the_loop_may_end_is_seen_from_what_it_does) {
  const std::string error = "deadlock/livelock ranks=0 @a.c:2 (error)\n";
  const std::string warning = "deadlock/livelock ranks=0 @a.c:2\n";
  EXPECT_EQ(polling([](int) { return Pause::TimeUse{}; }), error);
  // It has read clocks before the loop, the last time right before it.
  EXPECT_EQ(polling([](int look) { return Pause::TimeUse{look == 0 ? 6u : 7u, false}; }), error);
  // It reads one now and then.
  EXPECT_EQ(polling([](int look) {
              return Pause::TimeUse{static_cast<std::uint64_t>(look / 8), false};
            }),
            warning);
  EXPECT_EQ(polling([](int) { return Pause::TimeUse{3, true}; }), warning);
}

TEST(Livelock, a_message_that_comes_close_to_what_it_asks_for) {
  Polls::use = [](int) { return Pause::TimeUse{}; };
  EXPECT_EQ(
      run_messages<Polls>("0 Init_thread required=THREAD_FUNNELED -> provided=THREAD_FUNNELED\n"
                          "1 Send dest=0 tag=8 @a.c:3\n1 Finalize\n"
                          "0 Irecv source=1 tag=7 request=a @a.c:1\n"
                          "0 Test request=a @a.c:2 -> flag=0\n"),
      "deadlock/livelock: rank 0 waits for rank 1, which has finished; rank 1 has sent such a "
      "message with tag 8, not 7; nobody does anything else any more\n");
}

TEST(Livelock, the_loop_may_end_by_work_by_a_thread_or_by_a_child) {
  const std::string error = "deadlock/livelock ranks=0 @a.c:2 (error)\n";
  const std::string warning = "deadlock/livelock ranks=0 @a.c:2\n";
  const auto nothing = [](int) { return Pause::TimeUse{}; };
  const auto with = [&](auto& setting, auto value) {
    const auto before = std::exchange(setting, value);
    const std::string told = polling(nothing);
    setting = before;
    return told;
  };
  EXPECT_EQ(with(Polls::per_poll, std::chrono::nanoseconds(5'000)), error);
  EXPECT_EQ(with(Polls::per_poll, std::chrono::nanoseconds(50'000)), warning);
  EXPECT_EQ(with(Polls::parent, std::size_t{1}), warning);
  EXPECT_EQ(with(Polls::acts, [](int) { return true; }), warning);
  // It ends after four seconds; what it has left behind is seen soon, or never.
  EXPECT_EQ(with(Polls::acts, [](int look) { return look < 16; }), error);
  EXPECT_EQ(with(Polls::acts, [](int look) { return look < 60; }), warning);
}

// Asks four times a second for 9 seconds, and rank 0 asks once in between, until 4 seconds before
// the end, when it has no processor for a while.
class Starved : public DeadlockSearch {
 public:
  using DeadlockSearch::DeadlockSearch;
  void finish() override {
    std::uint64_t asked = 0;
    for (int i = 0; i < 36; ++i) {
      const bool silent = i >= 20 && i < 30;
      if (!silent) ++asked;
      const std::vector<std::uint64_t> polls{asked, 0};
      Pause pause{std::chrono::steady_clock::time_point{std::chrono::milliseconds(250 * (i + 1))},
                  polls};
      pause.time_use = [](std::size_t) { return Pause::TimeUse{3, true}; };
      pause.worked = [&](std::size_t) {
        return std::chrono::milliseconds(works || !silent ? i * 100 : 2000);
      };
      pause.runnable = [&](std::size_t) { return runs; };
      on_pause(pause).run();
    }
    DeadlockSearch::finish();
  }
  static inline bool runs = false, works = false;
};

TEST(Livelock, a_rank_that_waits_for_a_processor_still_asks) {
  const auto with = [](bool runs, bool works) {
    Starved::runs = runs;
    Starved::works = works;
    return run<Starved>(
        "0 Irecv source=1 request=a @a.c:1\n0 Test request=a @a.c:2 -> flag=0\n"
        "1 Finalize ...\n");
  };
  EXPECT_EQ(with(true, false), "deadlock/livelock ranks=0 @a.c:2\n");
  EXPECT_EQ(with(true, true), "");    // it computes
  EXPECT_EQ(with(false, false), "");  // it sleeps
}

// All stand still for two seconds before the end, and who looks goes on first.
class Halted : public DeadlockSearch {
 public:
  using DeadlockSearch::DeadlockSearch;
  void finish() override {
    for (int i = 0; i < 20; ++i) {
      const std::chrono::milliseconds at(250 * (i + 1) + (i < 18 ? 0 : 2000));
      const std::vector<std::uint64_t> polls{static_cast<std::uint64_t>(std::min(i, 17)), 0};
      Pause pause{std::chrono::steady_clock::time_point{at}, polls};
      pause.time_use = [](std::size_t) { return Pause::TimeUse{3, true}; };
      on_pause(pause).run();
    }
    DeadlockSearch::finish();
  }
};

TEST(Livelock, a_machine_that_stood_still_says_nothing_of_a_loop) {
  EXPECT_EQ(run<Halted>("0 Irecv source=1 request=a @a.c:1\n0 Test request=a @a.c:2 -> flag=0\n"
                        "1 Finalize ...\n"),
            "deadlock/livelock ranks=0 @a.c:2\n");
}

// Looks twice before the end; other threads of the ranks in `awake` are not at rest.
class Threads : public DeadlockSearch {
 public:
  using DeadlockSearch::DeadlockSearch;
  void finish() override {
    const auto rest = [](std::size_t process, std::span<const Pause::OpenCall>) {
      return !awake.contains(process);
    };
    for (int second = 0; second < 2; ++second) {
      const std::chrono::steady_clock::time_point now{std::chrono::seconds(second)};
      if (!on_pause({.now = now, .polls = {}, .others_rest = rest}).run().empty()) on_stuck().run();
    }
    DeadlockSearch::finish();
  }
  static inline std::set<std::size_t> awake;
};

std::string with_threads(const std::string& text, std::set<std::size_t> awake = {}) {
  Threads::awake = std::move(awake);
  std::string init;
  for (int r = 0; r < 2; ++r)
    init += fmt::format("{} Init_thread required=THREAD_MULTIPLE -> provided=THREAD_MULTIPLE\n", r);
  return run<Threads>("0 world size=2\n" + init + text);
}

TEST(Deadlock, a_thread_outside_may_send_what_others_wait_for) {
  const std::string program =
      "0.1 Recv source=ANY_SOURCE @a.c:1 ...\n1.1 Recv source=ANY_SOURCE @a.c:1 ...\n";
  EXPECT_EQ(with_threads(program, {0}), "");
  EXPECT_EQ(with_threads(program, {1}), "");
  EXPECT_EQ(with_threads(program), "deadlock/wildcard-knot ranks=0 @a.c:1\n");
}

TEST(Deadlock, all_threads_of_all_ranks_wait) {
  EXPECT_EQ(with_threads("0 Recv source=1 tag=1 @a.c:1 ...\n0.1 Recv source=1 tag=2 @a.c:2 ...\n"
                         "1 Recv source=0 tag=1 @a.c:1 ...\n1.1 Recv source=0 tag=2 @a.c:2 ...\n"),
            "deadlock/wait-cycle ranks=0 @a.c:1\n");
  // One of them has what it waits for.
  EXPECT_EQ(with_threads("0 Recv source=1 tag=1 @a.c:1 ...\n0.1 Recv source=1 tag=2 @a.c:2 ...\n"
                         "1.1 Send dest=0 tag=2 @a.c:3\n1 Recv source=0 tag=1 @a.c:1 ...\n"),
            "");
}

TEST(Deadlock, a_thread_in_a_call_that_is_not_followed_may_come_back) {
  EXPECT_EQ(with_threads("0.1 Recv source=1 @a.c:1 ...\n0 Comm_rank ...\n"
                         "1 Recv source=0 @a.c:2 ...\n"),
            "");
}

// Which of two threads a message has gone to only the library knows.
TEST(Deadlock, threads_that_ask_for_one_message) {
  EXPECT_EQ((run<ThreadUse, DeadlockSearch>(
                "0 world size=2\n"
                "0 Init_thread required=THREAD_MULTIPLE -> provided=THREAD_MULTIPLE\n"
                "0 Recv source=1 @a.c:1 ...\n0.1 Recv source=1 @a.c:2 ...\n"
                "1 Send dest=0 @a.c:3\n1 Recv source=0 @a.c:4 -> status=(0,0,4)\n"
                "0.1 return -> status=(1,0,4)\n0.1 Send dest=1 @a.c:5\n"
                "1 Send dest=0 @a.c:6\n0 return -> status=(1,0,4)\n0 Finalize\n1 Finalize\n")),
            "");
}

TEST(Deadlock, persistent_requests_wait_when_started) {
  EXPECT_EQ(of("0 Recv_init source=1 request=a @a.c:1\n0 Wait request=a @a.c:2\n0 Start request=a "
               "@a.c:3\n"
               "0 Wait request=a @a.c:4 ...\n1 Finalize\n"),
            "deadlock/finished-rank ranks=0 @a.c:4\n");
}

TEST(Deadlock, a_nonblocking_collective_waits_in_its_wait) {
  EXPECT_EQ(
      of("0 Ibarrier request=a @a.c:1\n0 Wait request=a @a.c:2 ...\n1 Recv source=0 @a.c:3 ...\n"),
      "deadlock/wait-cycle ranks=0 @a.c:2\n");
  EXPECT_EQ(
      of("0 Ibarrier request=a @a.c:1\n0 Send dest=1 @a.c:4\n0 Wait request=a @a.c:2\n0 Finalize\n"
         "1 Recv source=0 @a.c:3 -> status=(0,0,4)\n1 Ibarrier request=a @a.c:1\n1 Wait "
         "request=a @a.c:2\n1 Finalize\n"),
      "");
}

// [D8]: no deadlock, since the message that was taken proves that the reduction did not wait.
TEST(Deadlock, unexpected_match) {
  EXPECT_EQ(of("2 Reduce root=1 @a.c:6\n2 Send dest=1 @a.c:7\n2 Finalize\n"
               "0 Send dest=1 @a.c:1\n"
               "1 Recv source=ANY_SOURCE @a.c:3 -> status=(2,0,4)\n1 Reduce root=1 @a.c:4\n"
               "0 Reduce root=1 @a.c:2\n0 Finalize\n"
               "1 Recv source=ANY_SOURCE @a.c:5 -> status=(0,0,4)\n1 Finalize\n"),
            "");
}

// Both requests have one handle, and a copy of it does not tell which of them is meant.
TEST(Deadlock, copies_of_a_shared_handle) {
  EXPECT_EQ(of("0 Isend dest=0 tag=0 request=r&0x100\n0 Isend dest=0 tag=1 request=r&0x108\n"
               "0 Recv source=0 tag=0 -> status=(0,0,4)\n"
               "0 Waitany array_of_requests=[r,r]&0x200 -> index=0\n"
               "0 Recv source=0 tag=1 -> status=(0,1,4)\n"
               "0 Waitany array_of_requests=[REQUEST_NULL,r]&0x200 -> index=1\n0 Finalize\n"),
            "");
  EXPECT_EQ(of("0 Isend dest=0 tag=0 request=r&0x100\n0 Isend dest=0 tag=1 request=r&0x108\n"
               "0 Waitany array_of_requests=[r,r]&0x200 @a.c:3 ...\n"),
            "deadlock/wait-cycle ranks=0 @a.c:3\n");
}

TEST(Deadlock, what_is_waited_for_and_what_comes_close) {
  EXPECT_EQ(run_messages<DeadlockSearch>("0 Irecv source=1 tag=7 request=r @a.c:1\n"
                                         "0 Wait request=r @a.c:2 ...\n"
                                         "1 Send dest=0 tag=8 @a.c:3\n1 Finalize\n"),
            "deadlock/finished-rank: rank 0 waits for rank 1, which has finished; rank 1 has sent "
            "such a message with tag 8, not 7\n");
  EXPECT_EQ(run_messages<DeadlockSearch>("0 Send dest=1 tag=7 @a.c:1\n0 Finalize\n"
                                         "1 Recv source=2 tag=7 @a.c:2 ...\n"
                                         "2 Finalize\n"),
            "deadlock/finished-rank: rank 1 waits for rank 2, which has finished; rank 0 waits for "
            "it; rank 0 has sent such a message, but rank 2 is asked for it\n");
}

// MPI-4.1 7.4.3
TEST(Deadlock, freeing_a_communicator_is_normally_local) {
  EXPECT_EQ(of("0 Comm_dup newcomm=c\n1 Comm_dup newcomm=c\n"
               "0 Comm_free comm=c @a.c:2\n0 Send dest=1 @a.c:3\n0 Finalize\n"
               "1 Recv source=0 @a.c:4 -> status=(0,0,4)\n1 Comm_free comm=c\n1 Finalize\n"),
            "deadlock/wait-cycle ranks=0 @a.c:2 (warning)\n");
}

TEST(Deadlock, a_buffer_is_detached_when_its_messages_are_gone) {
  const std::string nonblocking = "0 Ibsend dest=1 request=r @a.c:1\n0 Wait request=r\n";
  const std::string persistent =
      "0 Bsend_init dest=1 request=r @a.c:1\n0 Start request=r\n0 Wait request=r\n";
  for (const std::string& send : {nonblocking, persistent}) {
    EXPECT_EQ(of((send + "0 Buffer_detach @a.c:2 ...\n1 Finalize\n").c_str()),
              "deadlock/finished-rank ranks=0 @a.c:2\n");
    EXPECT_EQ(of((send + "0 Buffer_detach @a.c:2\n0 Barrier\n0 Finalize\n"
                         "1 Barrier\n1 Recv source=0 -> status=(0,0,4)\n1 Finalize\n")
                     .c_str()),
              "");
    EXPECT_EQ(of((send + "0 Barrier\n0 Buffer_detach @a.c:2\n0 Finalize\n"
                         "1 Recv source=0 -> status=(0,0,4)\n1 Barrier\n1 Finalize\n")
                     .c_str()),
              "");
  }
  EXPECT_EQ(of("0 Bsend dest=1 @a.c:1\n0 Buffer_detach @a.c:2 ...\n1 Finalize\n"),
            "deadlock/finished-rank ranks=0 @a.c:2\n");
  EXPECT_EQ(of("0 Bsend dest=1 @a.c:1\n0 Buffer_detach @a.c:2\n0 Barrier\n0 Finalize\n"
               "1 Barrier\n1 Recv source=0 -> status=(0,0,4)\n1 Finalize\n"),
            "");
}

// [U51]
TEST(Deadlock, what_follows_from_a_broken_call_is_no_finding) {
  EXPECT_EQ((run<Argument, DeadlockSearch>("0 Send dest=7 @a.c:1 !ERR_RANK\n0 Finalize\n"
                                           "1 Recv source=0 @a.c:2 ...\n")),
            "argument/rank ranks=0 @a.c:1\n");
}

// [D2]: the program may end well; the ring of sends is found all the same, and only that.
TEST(Deadlock, sends_that_only_a_buffer_lets_go_on) {
  std::string text =
      "0 world size=3\n0 Send dest=1 @a.c:1\n2 Send dest=1 @a.c:1\n"
      "1 Recv source=ANY_SOURCE @a.c:2 -> status=(2,0,4)\n"
      "1 Recv source=ANY_SOURCE @a.c:3 -> status=(0,0,4)\n";
  for (const char* line :
       {"Barrier @a.c:4", "Send dest={} @a.c:5", "Recv source={} @a.c:6", "Finalize"}) {
    for (int r = 0; r < 3; ++r) {
      const bool sends = std::string_view(line).starts_with("Send");
      text += std::to_string(r) + " " +
              fmt::format(fmt::runtime(line), sends ? (r + 1) % 3 : (r + 2) % 3) + "\n";
    }
  }
  EXPECT_EQ(of(text.c_str()), "deadlock/wait-cycle ranks=0 @a.c:5\n");
}

// [D7]: what is told of a knot does not grow with the square of its ranks.
TEST(Deadlock, a_knot_of_many_ranks_is_one_place) {
  const auto report = [](int ranks) {
    std::string text = fmt::format("0 world size={}\n", ranks);
    for (int r = 0; r < ranks; ++r)
      text += fmt::format("{} Recv source=ANY_SOURCE @a.c:1 ...\n", r);
    Summary summary = run_text_summary(text, [](World& world, Sink& sink) {
      Analyses one;
      one.add<DeadlockSearch>(world, sink);
      return one;
    });
    EXPECT_EQ(summary.findings.size(), 1u);
    EXPECT_EQ(summary.findings.at(0).locations.size(), 1u);
    EXPECT_EQ(summary.findings.at(0).ranks.size(), static_cast<std::size_t>(ranks));
    EXPECT_LT(write_text(summary.findings.at(0)).size(), 1000u);
    return write_json_line(summary).size();
  };
  const auto start = std::clock();
  const std::size_t small = report(64), large = report(256);
  EXPECT_LT(std::clock() - start, 5 * CLOCKS_PER_SEC);  // of the processor: the machine may be busy
  EXPECT_LT(large, small + 16u * 256);                  // numbers of ranks
}

}  // namespace
}  // namespace vouch
