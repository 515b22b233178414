#include "analysis/race/race.h"

#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "analysis/testing/run_text.h"
#include "analysis/unmatched/unmatched.h"

namespace vouch {
namespace {

std::string found(const std::string& text, int ranks) {
  std::string all = text;
  for (int r = 0; r < ranks; ++r) all += std::to_string(r) + " Finalize\n";
  return run<MessageRace>(all);
}
std::string harm(const std::string& text, int ranks) {
  std::string all = text;
  for (int r = 0; r < ranks; ++r) all += std::to_string(r) + " Finalize\n";
  return run_messages<MessageRace>(all);
}

// What is no mere race/message.
std::string without_info(const std::string& text, int ranks) {
  std::istringstream lines(found(text, ranks));
  std::string harmful;
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("race/message-harmful")) harmful += line + "\n";
  return harmful;
}

const std::string kTwoSenders = "1 Send dest=0 tag=5 @s1\n2 Send dest=0 tag=5 @s2\n";
std::string any(const std::string& at, int source, const std::string& more = {}) {
  return "0 Recv source=ANY_SOURCE tag=5 " + more + " @" + at + " -> status=(" +
         std::to_string(source) + ",5,4)\n";
}

TEST(MessageRace, two_senders) {
  const std::string race = "race/message ranks=0 @r1\n";
  EXPECT_EQ(found(kTwoSenders + any("r1", 1) + any("r2", 2), 3), race);
  // Whichever rank is read first.
  EXPECT_EQ(found(any("r1", 1) + any("r2", 2) + kTwoSenders, 3), race);
  EXPECT_EQ(
      found("1 Send dest=0 tag=5 @s1\n" + any("r1", 1) + any("r2", 2) + "2 Send dest=0 tag=5 @s2\n",
            3),
      race);
}

TEST(MessageRace, one_sender_or_another_tag) {
  EXPECT_EQ(found("1 Send dest=0 tag=5\n1 Send dest=0 tag=5\n" + any("r1", 1) + any("r2", 1), 2),
            "");
  EXPECT_EQ(
      found("1 Send dest=0 tag=5\n2 Send dest=0 tag=6\n" + any("r1", 1) + "0 Recv source=2 tag=6\n",
            3),
      "");
}

TEST(MessageRace, ordered_by_a_reply) {  // [T23]
  const std::string rest = "0 Send dest=2 tag=1\n" + any("r2", 2) +
                           "1 Send dest=0 tag=5\n2 Recv source=0 tag=1\n2 Send dest=0 tag=5\n";
  EXPECT_EQ(found(any("r1", 1) + rest, 3), "");
  EXPECT_EQ(
      found(rest.substr(rest.find("1 Send")) + any("r1", 1) + rest.substr(0, rest.find("1 Send")),
            3),
      "");
  // Posted before, but its wait comes last: it may still have been open [T24].
  EXPECT_EQ(found("0 Irecv source=ANY_SOURCE tag=5 request=q @r1\n" + rest +
                      "0 Wait request=q -> status=(1,5,4)\n",
                  3),
            "race/message ranks=0 @r1\n");
}

TEST(MessageRace, a_barrier_orders_only_what_is_complete) {  // [T1]
  const std::string sends =
      "1 Send dest=0 tag=5\n1 Barrier\n2 Barrier\n2 Send dest=0 tag=5 @late\n";
  EXPECT_EQ(found(any("r1", 1) + "0 Barrier\n" + any("r2", 2) + sends, 3), "");
  EXPECT_EQ(found("0 Irecv source=ANY_SOURCE tag=5 request=q @r1\n0 Barrier\n" + any("r2", 2) +
                      "0 Wait request=q -> status=(1,5,4)\n" + sends,
                  3),
            "race/message ranks=0 @r1\n");
}

TEST(MessageRace, a_broadcast_orders_its_root_first_and_nothing_else) {  // [T29]
  const std::string program =
      "3 Send dest=1 tag=5\n3 Bcast root=0\n2 Bcast root=0\n2 Send dest=1 tag=5\n0 Bcast root=0\n"
      "1 Recv source=ANY_SOURCE tag=5 @r1 -> status=(3,5,4)\n1 Bcast root=0\n"
      "1 Recv source=ANY_SOURCE tag=5 @r2 -> status=(2,5,4)\n";
  EXPECT_EQ(found(program, 4), "race/message ranks=1 @r1\n");
  // The root's receive happens before everybody's return.
  const std::string from_root =
      "1 Send dest=0 tag=5\n1 Bcast root=0\n2 Bcast root=0\n2 Send dest=0 tag=5\n" + any("r1", 1) +
      "0 Bcast root=0\n" + any("r2", 2);
  EXPECT_EQ(found(from_root, 3), "");
}

TEST(MessageRace, reductions_scans_and_nonblocking_collectives) {
  const auto program = [](const std::string& call, int first, int second) {
    return std::to_string(first) + " Send dest=1 tag=5\n0 " + call + "\n" +
           "1 Recv source=ANY_SOURCE tag=5 @r1 -> status=(" + std::to_string(first) + ",5,4)\n1 " +
           call + "\n2 " + call + "\n" + std::to_string(second) +
           " Send dest=1 tag=5\n1 Recv source=ANY_SOURCE tag=5 @r2 -> status=(" +
           std::to_string(second) + ",5,4)\n";
  };
  const std::string race = "race/message ranks=1 @r1\n";
  EXPECT_EQ(found(program("Reduce root=0", 2, 0), 3), "");
  EXPECT_EQ(found(program("Reduce root=0", 0, 2), 3), race);  // [T30]
  EXPECT_EQ(found(program("Scan", 0, 2), 3), "");
  EXPECT_EQ(found(program("Scan", 2, 0), 3), race);
  EXPECT_EQ(found(program("Allreduce", 0, 2), 3), "");
  const std::string ibarrier =
      "2 Send dest=1 tag=5\n1 Recv source=ANY_SOURCE tag=5 @r1 -> status=(2,5,4)\n"
      "0 Ibarrier request=q\n1 Ibarrier request=q\n2 Ibarrier request=q\n";
  const std::string after =
      "1 Recv source=ANY_SOURCE tag=5 @r2 -> status=(0,5,4)\n"
      "1 Wait request=q\n2 Wait request=q\n";
  EXPECT_EQ(found(ibarrier + "0 Wait request=q\n0 Send dest=1 tag=5\n" + after, 3), "");
  EXPECT_EQ(found(ibarrier + "0 Send dest=1 tag=5\n0 Wait request=q\n" + after, 3), race);
}

// MPI-4.1 8.6: each gets something of its sources, and of nobody else.
TEST(MessageRace, neighbourhood_collectives_order_neighbours) {
  const auto on_all = [](const std::string& call) {
    return "0 " + call + "\n1 " + call + "\n2 " + call + "\n";
  };
  // The first sender, then the receiver enters the collective with its message, then the second.
  const auto program = [&](const std::string& comm, const std::string& calls, int receiver,
                           int first, int second) {
    const std::string r = std::to_string(receiver), a = std::to_string(first),
                      b = std::to_string(second);
    return comm + a + " Send dest=" + r + " tag=5\n" + r +
           " Recv source=ANY_SOURCE tag=5 @r1 -> status=(" + a + ",5,4)\n" + calls + b +
           " Send dest=" + r + " tag=5\n" + r + " Recv source=ANY_SOURCE tag=5 @r2 -> status=(" +
           b + ",5,4)\n";
  };
  const auto grid = [&](const char* period) {
    std::string text =
        on_all("Cart_create ndims=1 dims=[3] periods=[" + std::string(period) + "] comm_cart=g");
    for (int r = 0; r < 3; ++r)
      text += std::to_string(r) + " comm g size=3 rank=" + std::to_string(r) +
              " members=0,1,2 topology=cart indegree=2 outdegree=2\n";
    return text;
  };
  const std::string call = on_all("Neighbor_allgather comm=g");
  const auto race = [](int rank) {
    return "race/message ranks=" + std::to_string(rank) + " @r1\n";
  };
  EXPECT_EQ(found(program(grid("0"), call, 0, 1, 2), 3), race(0)) << "the ends of a line";
  EXPECT_EQ(found(program(grid("0"), call, 0, 2, 1), 3), "");
  EXPECT_EQ(found(program(grid("1"), call, 0, 1, 2), 3), "") << "a ring";
  const auto graph = [&](const std::vector<std::string>& sources,
                         const std::vector<std::string>& destinations) {
    std::string text;
    for (std::size_t r = 0; r < 3; ++r) {
      const std::string who = std::to_string(r) + " ";
      const auto degree = [](const std::string& list) {
        return std::to_string(list.empty() ? 0 : (list.size() + 1) / 2);
      };
      text += who + "Dist_graph_create_adjacent indegree=" + degree(sources[r]) + " sources=[" +
              sources[r] + "] outdegree=" + degree(destinations[r]) + " destinations=[" +
              destinations[r] + "] comm_dist_graph=g\n" + who +
              "comm g size=3 rank=" + std::to_string(r) +
              " members=0,1,2 topology=dist_graph indegree=" + degree(sources[r]) +
              " outdegree=" + degree(destinations[r]) + "\n";
    }
    return text;
  };
  // 0 -> 2 and 1 -> 2.
  const std::string both = graph({"", "", "0,1"}, {"2", "2", ""});
  EXPECT_EQ(found(program(both, call, 0, 1, 2), 3), "");
  EXPECT_EQ(found(program(both, call, 2, 0, 1), 3), race(2)) << "the other way";
  const std::string only = graph({"", "", "1"}, {"", "2", ""});
  EXPECT_EQ(found(program(only, call, 0, 1, 2), 3), race(0)) << "not of the receiver";
  const auto blocks = [&](const std::string& counts) {
    const std::string v = " Neighbor_alltoallv comm=g sendtype=INT recvtype=INT ";
    return "0" + v + "sendcounts=[" + counts.substr(0, 1) + "] recvcounts=[]\n1" + v +
           "sendcounts=[" + counts.substr(2) + "] recvcounts=[]\n2" + v +
           "sendcounts=[] recvcounts=[" + counts + "]\n";
  };
  EXPECT_EQ(found(program(both, blocks("1,0"), 0, 1, 2), 3), "");
  EXPECT_EQ(found(program(both, blocks("0,1"), 0, 1, 2), 3), race(0)) << "nothing of rank 0";
  // Nonblocking: when it is complete.
  const std::string begun = on_all("Ineighbor_allgather comm=g request=q");
  const std::string waited = on_all("Wait request=q");
  EXPECT_EQ(found(program(both, begun + waited, 0, 1, 2), 3), "");
  EXPECT_EQ(found(program(both, begun, 0, 1, 2) + waited, 3), race(0));
}

TEST(MessageRace, calls_of_all_that_order_nobody) {
  const auto program = [](const std::string& before, const std::string& call) {
    const auto on_all = [](const std::string& c) {
      return c.empty() ? "" : "0 " + c + "\n1 " + c + "\n2 " + c + "\n";
    };
    return on_all(before) + "2 Send dest=1 tag=5\n" +
           "1 Recv source=ANY_SOURCE tag=5 @r1 -> status=(2,5,4)\n" + on_all(call) +
           "0 Send dest=1 tag=5\n1 Recv source=ANY_SOURCE tag=5 @r2 -> status=(0,5,4)\n";
  };
  const std::string race = "race/message ranks=1 @r1\n";
  EXPECT_EQ(found(program("Comm_dup newcomm=c", "Comm_free comm=c"), 3), race);
  EXPECT_EQ(found(program("", "Comm_dup newcomm=c"), 3), "");
  const std::string window = "Win_create base=0x1000 size=64 disp_unit=1 win=w";
  EXPECT_EQ(found(program(window, "Win_free win=w"), 3), "");
  // MPI-4.1 12.2.5.
  std::string hints;
  for (int r = 0; r < 3; ++r)
    hints += std::to_string(r) + " Info_create info=i\n" + std::to_string(r) +
             " Info_set info=i key=\"no_locks\" value=\"true\"\n";
  EXPECT_EQ(found(hints + program(window + " info=i", "Win_free win=w"), 3), race);
}

TEST(MessageRace, synchronous_sends_know_of_their_receive) {  // [T13], in small
  const std::string rest =
      "1 Recv source=2 tag=1\n1 Send dest=0 tag=5\n" + any("r1", 2) + any("r2", 1);
  EXPECT_EQ(found("2 Ssend dest=0 tag=5\n2 Send dest=1 tag=1\n" + rest, 3), "");
  EXPECT_EQ(found("2 Send dest=0 tag=5\n2 Send dest=1 tag=1\n" + rest, 3),
            "race/message ranks=0 @r1\n");
}

TEST(MessageRace, probes) {  // [T26]
  const auto look = [](const char* call, int source) {
    return std::string("0 ") + call + " source=ANY_SOURCE tag=5 @p" + std::to_string(source) +
           " -> status=(" + std::to_string(source) +
           ",5,4)\n0 Recv source=" + std::to_string(source) + " tag=5 @r" + std::to_string(source) +
           "\n";
  };
  EXPECT_EQ(found(kTwoSenders + look("Probe", 1) + look("Probe", 2), 3),
            "race/message ranks=0 @p1\n");
  EXPECT_EQ(found(kTwoSenders + "0 Iprobe source=ANY_SOURCE tag=5 @p -> flag=1 status=(1,5,4)\n"
                                "0 Recv source=1 tag=5\n0 Recv source=2 tag=5\n",
                  3),
            "race/message ranks=0 @p\n");
  EXPECT_EQ(found(kTwoSenders + "0 Iprobe source=ANY_SOURCE tag=5 @p -> flag=0\n"
                                "0 Recv source=1 tag=5\n0 Recv source=2 tag=5\n",
                  3),
            "");
  EXPECT_EQ(found(kTwoSenders + "0 Mprobe source=ANY_SOURCE tag=5 message=m @p -> status=(1,5,4)\n"
                                "0 Mrecv message=m @r1\n0 Recv source=2 tag=5\n",
                  3),
            "race/message ranks=0 @r1\n");
}

TEST(MessageRace, a_message_that_nobody_received) {  // [T27]
  EXPECT_EQ(found(kTwoSenders + any("r1", 1), 3), "race/message ranks=0 @r1\n");
}

TEST(MessageRace, order_that_is_not_seen_is_no_race) {
  EXPECT_EQ(found("0 Win_create win=w\n1 Win_create win=w\n2 Win_create win=w\n" + any("r1", 1) +
                      "0 Win_lock rank=0 win=w\n1 Send dest=0 tag=5\n"
                      "2 Win_lock rank=0 win=w\n2 Send dest=0 tag=5\n" +
                      any("r2", 2),
                  3),
            "");
}

const char* const kIgnored = "status=STATUS_IGNORE";

TEST(MessageRaceHarmful, truncation_and_mismatch) {
  const std::string senders =
      "1 Send count=1 type=INT dest=0 tag=5 @s1\n2 Send count=2 type=INT dest=0 tag=5 @s2\n";
  const std::string receives = any("r1", 1, "count=1 type=INT") + any("r2", 2, "count=2 type=INT");
  EXPECT_EQ(found(senders + receives, 3), "race/message-harmful ranks=0 @r1\n");
  EXPECT_NE(harm(senders + receives, 3).find("8 bytes arrive where there is room for 4"),
            std::string::npos);
  EXPECT_EQ(found(senders + any("r1", 1, "count=2 type=INT") + any("r2", 2, "count=2 type=INT"), 3),
            "race/message ranks=0 @r1\n");
  EXPECT_NE(harm("1 Send count=1 type=INT dest=0 tag=5\n2 Send count=1 type=FLOAT dest=0 tag=5\n" +
                     any("r1", 1, "count=1 type=INT") + any("r2", 2, "count=1 type=FLOAT"),
                 3)
                .find("sent as MPI_FLOAT and received as MPI_INT"),
            std::string::npos);
}

// r1 has room for both; what it gives up comes to the receive that lost its message.
TEST(MessageRaceHarmful, in_exchange) {
  const std::string senders =
      "1 Send count=2 type=INT dest=0 tag=5 @s1\n2 Send count=1 type=INT dest=0 tag=5 @s2\n";
  const auto program = [&](const std::string& first, const std::string& second) {
    return senders + any("r1", 1, "count=2 type=INT " + first) + second;
  };
  const std::string ignored = kIgnored;
  const std::string second = any("r2", 2, "count=1 type=INT");
  EXPECT_EQ(found(program(ignored, second), 3), "race/message-harmful ranks=0 @r1\n");
  EXPECT_NE(harm(program(ignored, second), 3).find("8 bytes arrive where there is room for 4"),
            std::string::npos);
  // The program knows whom it has heard, or asks for the other one by name.
  EXPECT_EQ(found(program("", second), 3), "race/message ranks=0 @r1\n");
  EXPECT_EQ(found(program(ignored, any("r2", 2, "count=2 type=INT")), 3),
            "race/message ranks=0 @r1\n");
  // Another receive must take it first: messages of one sender do not overtake.
  const std::string between = any("r3", 1, "count=2 type=INT");
  EXPECT_EQ(
      found("1 Send count=2 type=INT dest=0 tag=5 @s1\n" + program(ignored, between + second), 3),
      "race/message ranks=0 @r1\nrace/message ranks=0 @r3\n");
}

// r1 can take the second message of rank 2 only after the first, for which it has room.
TEST(MessageRaceHarmful, not_with_a_message_behind_another) {
  const std::string first = any("r1", 1, "count=1 type=INT"),
                    own = "0 Recv source=2 tag=5 count=2 type=INT @r2 -> status=(2,5,4)\n",
                    last = any("r3", 2, "count=2 type=INT");
  const std::string senders =
      "1 Send count=1 type=INT dest=0 tag=5 @s1\n2 Send count=1 type=INT dest=0 tag=5 @s2\n"
      "2 Send count=2 type=INT dest=0 tag=5 @s3\n";
  EXPECT_EQ(found(senders + first + own + last, 3), "race/message ranks=0 @r1\n");
  EXPECT_EQ(found(first + own + last + senders, 3), "race/message ranks=0 @r1\n");
}

TEST(MessageRaceHarmful, deadlock) {  // [U46]: seen from the run that went well
  const std::string bad = kTwoSenders + any("r1", 2, kIgnored) + "0 Recv source=1 tag=5 @r2\n";
  EXPECT_EQ(found(bad, 3), "race/message-harmful ranks=0 @r1\n");
  EXPECT_NE(harm(bad, 3).find("waits forever"), std::string::npos);
  // Any will do.
  EXPECT_EQ(found(kTwoSenders + any("r1", 2, kIgnored) + any("r2", 1, kIgnored), 3),
            "race/message ranks=0 @r1\n");
  // The program knows whom it has heard.
  EXPECT_EQ(found(kTwoSenders + any("r1", 2) + "0 Recv source=1 tag=5 @r2\n", 3),
            "race/message ranks=0 @r1\n");
  // Not proved: the run did not end.
  EXPECT_EQ(run<MessageRace>(bad), "race/message ranks=0 @r1\n");
}

// Without a status a matched probe tells the program nothing: it is as good as a receive.
TEST(MessageRaceHarmful, matched_probes) {
  const auto program = [](const std::string& probe, const std::string& receive) {
    return kTwoSenders + "0 Mprobe source=ANY_SOURCE tag=5 message=m " + probe +
           " @p -> status=(2,5,4)\n0 Mrecv message=m count=1 type=INT " + receive +
           " @r1 -> status=(2,5,4)\n0 Recv source=1 tag=5 @r2\n";
  };
  EXPECT_EQ(found(program(kIgnored, kIgnored), 3), "race/message-harmful ranks=0 @r1\n");
  EXPECT_NE(harm(program(kIgnored, kIgnored), 3).find("waits forever"), std::string::npos);
  EXPECT_EQ(found(program("", kIgnored), 3), "race/message ranks=0 @r1\n");
  EXPECT_EQ(found(program(kIgnored, ""), 3), "race/message ranks=0 @r1\n");
  const auto sized = [](const std::string& probe) {
    return "1 Send count=2 type=INT dest=0 tag=5 @s1\n2 Send count=1 type=INT dest=0 tag=5 @s2\n"
           "0 Mprobe source=ANY_SOURCE tag=5 message=m " +
           probe + " @p -> status=(2,5,4)\n0 Mrecv message=m count=1 type=INT @r1\n" +
           any("r2", 1, "count=2 type=INT");
  };
  EXPECT_EQ(found(sized(kIgnored), 3), "race/message-harmful ranks=0 @r1\n");
  EXPECT_EQ(found(sized(""), 3), "race/message ranks=0 @r1\n");
}

// The room follows what the probe told, and a receive from any source may take the other message.
TEST(MessageRaceHarmful, a_receive_that_may_take_another_message_than_the_probe_saw) {
  const auto take = [](int rank, const std::string& source) {
    const std::string from = std::to_string(rank), count = std::to_string(rank);
    return "0 Probe source=ANY_SOURCE tag=5 @p -> status=(" + from + ",5," +
           std::to_string(4 * rank) + ")\n0 Recv count=" + count + " type=INT source=" + source +
           " tag=5 " + kIgnored + " @r" + from + " -> status=(" + from + ",5," +
           std::to_string(4 * rank) + ")\n";
  };
  const std::string senders =
      "1 Send count=1 type=INT dest=0 tag=5 @s1\n2 Send count=2 type=INT dest=0 tag=5 @s2\n";
  const std::string any = "ANY_SOURCE";
  // Whichever came first in this run.
  EXPECT_EQ(found(senders + take(1, any) + take(2, any), 3),
            "race/message ranks=0 @p\nrace/message-harmful ranks=0 @r1\n");
  EXPECT_EQ(found(senders + take(2, any) + take(1, any), 3),
            "race/message ranks=0 @p\nrace/message-harmful ranks=0 @r2\n");
  EXPECT_NE(harm(senders + take(2, any) + take(1, any), 3)
                .find("may see the one message and this receive take the other: 8 bytes where "
                      "there is room for 4"),
            std::string::npos);
  // As the library did: the probe saw the one message, the receive took the other.
  EXPECT_EQ(found(senders +
                      "0 Probe source=ANY_SOURCE tag=5 @p -> status=(2,5,8)\n"
                      "0 Recv count=2 type=INT source=ANY_SOURCE tag=5 " +
                      kIgnored + " @r1 -> status=(1,5,4)\n" + take(2, any),
                  3),
            "race/message ranks=0 @p\nrace/message-harmful ranks=0 @r1\n");
  // The source that the status has told.
  EXPECT_EQ(found(senders + take(1, "1") + take(2, "2"), 3), "race/message ranks=0 @p\n");
}

TEST(MessageRaceHarmful, a_chain_of_others_helps) {
  // 1 sends twice: the named receive takes its second one, and the last receive the one of 2.
  EXPECT_EQ(found(kTwoSenders + "1 Send dest=0 tag=5 @s3\n" + any("r1", 2, kIgnored) +
                      "0 Recv source=1 tag=5 @r2\n" + any("r3", 1, kIgnored),
                  3),
            "race/message ranks=0 @r1\n");
  EXPECT_EQ(found(kTwoSenders + "1 Send dest=0 tag=5 @s3\n" + any("r1", 2, kIgnored) +
                      "0 Recv source=1 tag=5 @r2\n0 Recv source=1 tag=5 @r3\n",
                  3),
            "race/message-harmful ranks=0 @r1\n");
}

// Two choices that are harmless alone: whichever of these messages came first in the run.
TEST(MessageRaceHarmful, deadlock_in_two_steps) {
  const std::string sends =
      "1 Send dest=0 tag=5 @s1\n2 Send dest=0 tag=5 @s2\n3 Send dest=0 tag=5 @s3\n"
      "3 Send dest=0 tag=5 @s4\n";
  const auto run_of = [&](int first, int second, const std::string& third, int last) {
    return sends + any("r1", first, kIgnored) + any("r2", second, kIgnored) + third +
           any("r4", last, kIgnored);
  };
  const std::string named = "0 Recv source=3 tag=5 @r3\n";
  const std::string bad = "race/message-harmful ranks=0 @r2\n";
  EXPECT_EQ(without_info(run_of(1, 2, named, 3), 4), bad);
  EXPECT_EQ(without_info(run_of(3, 1, named, 2), 4), bad);
  EXPECT_EQ(without_info(run_of(1, 3, named, 2), 4), bad);
  EXPECT_EQ(without_info(run_of(1, 2, any("r3", 3, kIgnored), 3), 4), "");
  // The program knows whom it has heard.
  EXPECT_EQ(without_info(
                sends + any("r1", 1) + any("r2", 2, kIgnored) + named + any("r4", 3, kIgnored), 4),
            "");
  // The second message of rank 3 answers what follows the first receive.
  EXPECT_EQ(without_info("1 Send dest=0 tag=5 @s1\n2 Send dest=0 tag=5 @s2\n"
                         "3 Send dest=0 tag=5 @s3\n" +
                             any("r1", 1, kIgnored) +
                             "0 Send dest=3 tag=7 @q\n3 Recv source=0 tag=7 @q\n"
                             "3 Send dest=0 tag=5 @s4\n" +
                             any("r2", 2, kIgnored) + named + any("r4", 3, kIgnored),
                         4),
            "");
}

TEST(MessageRaceHarmful, unmatched) {
  const std::string program = kTwoSenders +
                              "0 Irecv source=ANY_SOURCE tag=5 request=a @r1\n"
                              "0 Irecv source=1 tag=5 request=b @r2\n"
                              "0 Wait request=a status=STATUS_IGNORE -> status=(2,5,4)\n";
  EXPECT_NE(harm(program + "0 Cancel request=b\n0 Wait request=b -> status=(1,5,4)\n", 3)
                .find("nobody receives the message of rank 2"),
            std::string::npos);
  EXPECT_NE(harm(program + "0 Wait request=b -> status=(1,5,4)\n", 3).find("waits forever"),
            std::string::npos);
  // It polls: nobody knows what it would have done.
  EXPECT_EQ(found(program + "0 Test request=b -> flag=1 status=(1,5,4)\n", 3),
            "race/message ranks=0 @r1\n");
}

TEST(MessageRace, memory_is_bounded) {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += kTwoSenders + any("r1", 1) + any("r2", 2);
  EXPECT_EQ(found(text, 3), "race/message ranks=0 @r1\nrace/message ranks=0 @r2\n");
}

}  // namespace
}  // namespace vouch
