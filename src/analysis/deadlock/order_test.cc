// Records of different ranks are read in any order, and the question may come at any moment: a
// correct program never has a finding, and a deadlock is found whoever was read last.

#include <random>
#include <span>
#include <sstream>

#include <gtest/gtest.h>

#include "analysis/deadlock/deadlock.h"
#include "analysis/testing/run_text.h"

namespace vouch {
namespace {

// Asks after every call, as if each had taken a second.
class Restless : public DeadlockSearch {
 public:
  using DeadlockSearch::DeadlockSearch;
  void on_enter_acts(Process& process, Call& call, std::span<const Act> acts) override {
    DeadlockSearch::on_enter_acts(process, call, acts);
    ask();
  }
  void on_leave_acts(Process& process, Call& call, const Event& leave,
                     std::span<const Act> acts) override {
    DeadlockSearch::on_leave_acts(process, call, leave, acts);
    ask();
  }

 private:
  void ask() {
    now_ += std::chrono::seconds(1);
    if (!on_pause({now_, {}}).run().empty()) on_stuck().run();
  }
  std::chrono::steady_clock::time_point now_;
};

using Lines = std::vector<std::string>;

std::vector<Lines> by_rank(const std::string& text, int ranks) {
  std::vector<Lines> lists(static_cast<std::size_t>(ranks));
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    lists[static_cast<std::size_t>(std::stoi(line))].push_back(line);
  return lists;
}

// The lines of `late` after all others, theirs mixed at random.
std::string merged(const std::vector<Lines>& lists, int late, std::mt19937& random) {
  std::string text;
  std::vector<std::size_t> next(lists.size());
  const auto take = [&](std::size_t r) { text += lists[r][next[r]++] + "\n"; };
  for (;;) {
    std::vector<std::size_t> left;
    for (std::size_t r = 0; r < lists.size(); ++r) {
      if (static_cast<int>(r) != late && next[r] < lists[r].size()) left.push_back(r);
    }
    if (left.empty()) break;
    take(left[random() % left.size()]);
  }
  if (late >= 0) {
    const auto r = static_cast<std::size_t>(late);
    while (next[r] < lists[r].size()) take(r);
  }
  return text;
}

std::string each(int ranks, const std::string& line) {
  std::string text;
  for (int r = 0; r < ranks; ++r) text += std::to_string(r) + " " + line + "\n";
  return text;
}

void expect_in_any_order(const std::string& text, int ranks, const std::string& findings) {
  // What the text reader has to know comes first.
  const std::string world = "0 world size=" + std::to_string(ranks) + "\n";
  const std::vector<Lines> lists = by_rank(text, ranks);
  std::mt19937 random(7);
  for (int late = -1; late < ranks; ++late) {
    for (int i = 0; i < 20; ++i) {
      const std::string order = world + merged(lists, late, random);
      ASSERT_EQ(run<Restless>(order), findings) << order;
      ASSERT_EQ(run<DeadlockSearch>(order), findings) << order;
    }
  }
}

// Two halves of four ranks, and an inter-communicator 0x61 between them. The second member of each
// knows its identity only once its leader's records were read.
std::string halves() {
  std::string text;
  for (const char r : {'0', '1', '2', '3'}) {
    const bool low = r < '2';
    const std::string me(1, r);
    text += me + " Comm_split color=" + (low ? "0" : "1") + " newcomm=0x60\n" + me +
            " comm 0x60 members=" + (low ? "0,1" : "2,3") + "\n" + me +
            " Intercomm_create local_comm=0x60 local_leader=0 remote_leader=" + (low ? "2" : "0") +
            " tag=5 newintercomm=0x61\n";
    text += me + " comm 0x61 members=" + (low ? "0,1" : "2,3") + " remote=2" + "\n";
  }
  return text;
}

// An inter-communicator that was freed before anybody asked left its users behind.
TEST(DeadlockOrder, after_an_inter_communicator_is_gone) {
  const std::string used = halves() +
                           "1 Send dest=1 comm=0x61 @a.c:1\n"
                           "3 Recv source=1 comm=0x61 @a.c:2\n" +
                           each(4, "Barrier comm=0x61") + each(4, "Comm_free comm=0x61") +
                           each(4, "Comm_free comm=0x60");
  expect_in_any_order(used + each(4, "Finalize"), 4, "");
  expect_in_any_order(used +
                          "0 Recv source=3 tag=7 @a.c:3 ...\n"
                          "3 Recv source=0 tag=7 @a.c:4 ...\n"
                          "1 Finalize\n2 Finalize\n",
                      4, "deadlock/wait-cycle ranks=0 @a.c:3\n");
}

// Members whose records were read before and after the leader's knew what was made from an
// inter-communicator by two names.
TEST(DeadlockOrder, of_what_was_made_from_an_inter_communicator) {
  std::string text = halves();
  for (const char r : {'0', '1', '2', '3'}) {
    const std::string me(1, r);
    text += me + " Intercomm_merge intercomm=0x61 high=" + (r < '2' ? "0" : "1") +
            " newintracomm=0x62\n" + me + " comm 0x62 members=0,1,2,3\n" + me +
            " Comm_dup comm=0x62 newcomm=0x63\n" + me + " comm 0x63 members=0,1,2,3\n";
  }
  text += each(4, "Barrier comm=0x62") + each(4, "Allreduce comm=0x63") +
          "2 Send dest=1 comm=0x63 @a.c:1\n1 Recv source=2 comm=0x63 @a.c:2\n" +
          each(4, "Comm_free comm=0x63") + each(4, "Comm_free comm=0x62") +
          each(4, "Comm_free comm=0x61") + each(4, "Comm_free comm=0x60");
  expect_in_any_order(text + each(4, "Finalize"), 4, "");
  expect_in_any_order(text + "0 Recv source=1 @a.c:3 ...\n1 Finalize\n2 Finalize\n3 Finalize\n", 4,
                      "deadlock/finished-rank ranks=0 @a.c:3\n");
}

// The communicator over which two leaders meet may have come from an inter-communicator itself.
TEST(DeadlockOrder, of_an_inter_communicator_over_what_was_made_from_another) {
  std::string text = halves();
  for (const char r : {'0', '1', '2', '3'}) {
    const bool even = r == '0' || r == '2';
    const std::string me(1, r), group = even ? "0,2" : "1,3";
    text += me + " Intercomm_merge intercomm=0x61 high=" + (r < '2' ? "0" : "1") +
            " newintracomm=0x62\n" + me + " comm 0x62 members=0,1,2,3\n" + me +
            " Comm_split comm=0x62 color=" + (even ? "0" : "1") + " newcomm=0x64\n" + me +
            " comm 0x64 members=" + group + "\n" + me +
            " Intercomm_create local_comm=0x64 local_leader=0 peer_comm=0x62 remote_leader=" +
            (even ? "1" : "0") + " tag=6 newintercomm=0x65\n" + me + " comm 0x65 members=" + group +
            " remote=2\n";
  }
  text += each(4, "Barrier comm=0x65") +
          "2 Send dest=1 comm=0x65 @a.c:1\n3 Recv source=1 comm=0x65 @a.c:2\n" +
          each(4, "Barrier comm=0x62");
  expect_in_any_order(text + each(4, "Finalize"), 4, "");
  expect_in_any_order(text + "0 Recv source=1 @a.c:3 ...\n1 Finalize\n2 Finalize\n3 Finalize\n", 4,
                      "deadlock/finished-rank ranks=0 @a.c:3\n");
}

// Three groups of two ranks, 0,3 and 1,4 and 2,5. Each creates inter-communicators with the group
// `first` steps ahead, as given per group, and then with the other one.
std::string ring_of_groups(const int (&first)[3], const char* end) {
  std::string text;
  for (int r = 0; r < 6; ++r) {
    const int mine = r % 3;
    const std::string me = std::to_string(r) + " ";
    const std::string members = std::to_string(mine) + "," + std::to_string(mine + 3);
    text += me + "Comm_split color=" + std::to_string(mine) + " newcomm=0x60\n" + me +
            "comm 0x60 members=" + members + "\n";
    for (int i = 0; i < 2; ++i) {
      const int other = (mine + (i == 0 ? first[mine] : 3 - first[mine])) % 3;
      const std::string made = std::to_string(0x61 + i);
      text += me + "Intercomm_create local_comm=0x60 local_leader=0 remote_leader=" +
              std::to_string(other) + " tag=" + std::to_string(mine + other) +
              " newintercomm=" + made + " @a.c:" + std::to_string(10 * (i + 1) + r) + end + "\n";
      if (*end != '\0') break;
      text += me + "comm " + made + " members=" + members + " remote=2\n";
    }
  }
  return text;
}

TEST(DeadlockOrder, of_inter_communicators_made_in_a_circle) {
  expect_in_any_order(ring_of_groups({1, 1, 1}, " ..."), 6,
                      "deadlock/wait-cycle ranks=0 @a.c:10\n");
  expect_in_any_order(ring_of_groups({1, 2, 2}, "") + each(6, "Finalize"), 6, "");
}

// Collective over both groups, whoever leads them.
TEST(DeadlockOrder, of_the_members_of_both_groups) {
  std::string text;
  for (const char r : {'0', '1', '2', '3'}) {
    const bool low = r < '2';
    const std::string me(1, r);
    text += me + " Comm_split color=" + (low ? "0" : "1") + " newcomm=0x60\n" + me +
            " comm 0x60 members=" + (low ? "0,1" : "2,3") + "\n";
    if (r == '3') text += "3 Recv source=1 tag=7 @a.c:1 ...\n";
    if (r != '3')
      text += me + " Intercomm_create local_comm=0x60 local_leader=0 remote_leader=" +
              (low ? "2" : "0") + " tag=5 newintercomm=0x61 @a.c:1" + me + " ...\n";
  }
  expect_in_any_order(text, 4, "deadlock/wait-cycle ranks=1 @a.c:11\n");
}

// The same without a peer communicator: the leaders meet by their groups.
TEST(DeadlockOrder, of_inter_communicators_from_groups) {
  const auto text = [](const char* last) {
    std::string lines;
    for (const char r : {'0', '1', '2', '3'}) {
      const bool low = r < '2';
      const std::string me(1, r);
      lines += me + " Comm_group group=w\n" + me +
               " Group_incl group=w ranks=[0,1] newgroup=" + (low ? "g" : "h") + "\n" + me +
               " Group_incl group=w ranks=[2,3] newgroup=" + (low ? "h" : "g") + "\n";
      lines += me + " Intercomm_create_from_groups local_group=g local_leader=0 remote_group=" +
               (r == '1' || r == '3' ? "GROUP_EMPTY" : "h") +
               " remote_leader=0 stringtag=\"bridge\" newintercomm=0x61 @a.c:1\n" + me +
               " comm 0x61 members=" + (low ? "0,1" : "2,3") + " remote=2\n";
    }
    lines += "1 Send dest=1 comm=0x61 @a.c:2\n3 Recv source=1 comm=0x61 @a.c:3\n" +
             each(4, "Barrier comm=0x61");
    return lines + last;
  };
  expect_in_any_order(text("") + each(4, "Finalize"), 4, "");
  expect_in_any_order(text("1 Recv source=3 comm=COMM_WORLD @a.c:4 ...\n"
                           "3 Recv source=1 comm=COMM_WORLD @a.c:5 ...\n"
                           "0 Finalize\n2 Finalize\n"),
                      4, "deadlock/wait-cycle ranks=1 @a.c:4\n");
}

// A communicator may be freed while a receive on it is pending (MPI-4.1 7.4.3).
TEST(DeadlockOrder, a_wildcard_of_a_freed_communicator) {
  const std::string text = each(2, "Comm_dup newcomm=0x60") + each(2, "comm 0x60 members=0,1") +
                           "0 Irecv source=ANY_SOURCE comm=0x60 request=a @a.c:1\n"
                           "0 Comm_free comm=0x60\n"
                           "0 Wait request=a @a.c:2 -> status=(1,0,4)\n"
                           "1 Send dest=0 comm=0x60 @a.c:3\n1 Comm_free comm=0x60\n";
  expect_in_any_order(text + each(2, "Finalize"), 2, "");
  expect_in_any_order(text + "0 Recv source=1 @a.c:4 ...\n1 Recv source=0 @a.c:5 ...\n", 2,
                      "deadlock/wait-cycle ranks=0 @a.c:4\n");
}

// Everything that waits, in one program.
TEST(DeadlockOrder, of_a_correct_program) {
  std::string text;
  for (int r = 0; r < 4; ++r) {
    const std::string me = std::to_string(r), right = std::to_string((r + 1) % 4),
                      left = std::to_string((r + 3) % 4);
    text += me + " Isend dest=" + right + " tag=1 request=a\n" + me + " Recv source=" + left +
            " tag=1 -> status=(" + left + ",1,4)\n" + me + " Wait request=a\n" + me +
            " Sendrecv dest=" + right + " source=" + left + " sendtag=2 recvtag=2 -> status=(" +
            left + ",2,4)\n" + me + " Barrier\n" + me + " Ibarrier request=a\n" + me +
            " Irecv source=" + left + " tag=3 request=b\n" + me + " Issend dest=" + right +
            " tag=3 request=c\n" + me + " Waitall array_of_requests=[a,b,c]\n" + me +
            " Recv_init source=" + left + " tag=4 request=p\n" + me + " Start request=p\n" + me +
            " Bsend dest=" + right + " tag=4\n" + me + " Wait request=p\n" + me +
            " Start request=p\n" + me + " Isend dest=" + right + " tag=4 request=d\n" + me +
            " Wait request=d\n" + me + " Wait request=p\n" + me + " Request_free request=p\n" + me +
            " Allreduce\n";
  }
  // A farm: who asks first is served first.
  text +=
      "1 Send dest=0 tag=5\n2 Send dest=0 tag=5\n3 Send dest=0 tag=5\n"
      "0 Recv source=ANY_SOURCE tag=5 -> status=(3,5,4)\n0 Send dest=3 tag=6\n"
      "0 Probe source=ANY_SOURCE tag=5 -> status=(1,5,4)\n"
      "0 Recv source=1 tag=5 -> status=(1,5,4)\n0 Send dest=1 tag=6\n"
      "0 Recv source=ANY_SOURCE tag=ANY_TAG -> status=(2,5,4)\n0 Send dest=2 tag=6\n"
      "1 Recv source=0 tag=6\n2 Recv source=0 tag=6\n3 Recv source=0 tag=6\n";
  expect_in_any_order(text + each(4, "Barrier") + each(4, "Finalize"), 4, "");
}

}  // namespace
}  // namespace vouch
