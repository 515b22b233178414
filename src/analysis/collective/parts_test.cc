#include "analysis/collective/parts.h"

#include <gtest/gtest.h>

#include "analysis/collective/orders_test.h"
#include "analysis/testing/run_text.h"

namespace vouch {
namespace {

std::string found(const std::string& text) {
  const std::string result = run<PartConstructors>(text);
  const std::string said = run_messages<PartConstructors>(text);
  for (int seed = 1; seed < 6; ++seed) {
    EXPECT_EQ(run<PartConstructors>(in_order(text, seed)), result) << in_order(text, seed);
    EXPECT_EQ(run_messages<PartConstructors>(in_order(text, seed)), said);
  }
  return result;
}

// Each rank of a world of three: the group it names, and its call.
std::string member(int rank, const std::string& ranks, const std::string& rest) {
  const std::string who = std::to_string(rank) + " ";
  return (rank == 0 ? "0 world size=3\n" : std::string()) + who + "Comm_group group=w\n" + who +
         "Group_incl group=w ranks=[" + ranks + "] newgroup=g\n" + who +
         "Comm_create_group group=g " + rest + "\n";
}

TEST(CreateGroup, as_its_members_see_it) {
  EXPECT_EQ(found(member(0, "0,1", "tag=5 @a ...") + member(1, "1,0", "tag=5 @a ...")),
            "collective/constructor ranks=0,1 @a\n");
  EXPECT_EQ(found(member(0, "0,1", "tag=5 @a") + member(1, "0,1", "tag=5 @a")), "");
  EXPECT_EQ(found(member(0, "0,1", "tag=5 @a ...") + member(1, "0,1", "tag=6 @a ...")),
            "collective/constructor ranks=0,1 @a\n");
  EXPECT_EQ(found(member(0, "0,1", "tag=5 @a ...") + member(1, "0,1,2", "tag=5 @a ...")),
            "collective/constructor ranks=0,1 @a\n");
  // One that has returned waits for nobody.
  EXPECT_EQ(found(member(0, "0,1", "tag=5 @a") + member(1, "0,1", "tag=6 @a ...")), "");
}

TEST(CreateGroup, only_members) {
  EXPECT_EQ(found(member(0, "1,2", "tag=5 @a")), "collective/constructor ranks=0 @a\n");
}

TEST(CreateGroup, the_same_again_and_other_groups_between) {
  EXPECT_EQ(found(member(0, "0,1", "tag=5 @a") + member(0, "0,2", "tag=5 @a") +
                  member(0, "0,1", "tag=5 @a") + member(1, "0,1", "tag=5 @a") +
                  member(1, "0,1", "tag=5 @a") + member(2, "0,2", "tag=5 @a")),
            "");
}

std::string split(int rank, int colour, const std::string& members, int me) {
  const std::string who = std::to_string(rank) + " ";
  return (rank == 0 ? "0 world size=4\n" : std::string()) + who +
         "Comm_split color=" + std::to_string(colour) + " newcomm=c\n" + who +
         "comm c size=2 rank=" + std::to_string(me) + " members=" + members + "\n";
}
std::string leader(int rank, int remote, int tag, const char* end) {
  return std::to_string(rank) +
         " Intercomm_create local_comm=c local_leader=0 peer_comm=COMM_WORLD remote_leader=" +
         std::to_string(remote) + " tag=" + std::to_string(tag) + " @a" + end + "\n";
}
const std::string kFour =
    split(0, 0, "0,1", 0) + split(1, 0, "0,1", 1) + split(2, 1, "2,3", 0) + split(3, 1, "2,3", 1);

TEST(Intercomm, leaders_name_each_other) {
  EXPECT_EQ(found(kFour + leader(0, 2, 5, "") + leader(2, 0, 5, "")), "");
  EXPECT_EQ(found(kFour + leader(0, 2, 5, " ...") + leader(2, 1, 5, " ...")),
            "collective/constructor ranks=0,2 @a\n");
  EXPECT_EQ(found(kFour + leader(0, 2, 5, " ...") + leader(2, 0, 6, " ...")),
            "collective/constructor ranks=0,2 @a\n");
  EXPECT_EQ(found(kFour + leader(0, 1, 5, " ...")), "collective/constructor ranks=0 @a\n");
}

// Who names a third group may wait for it; that is no disagreement.
TEST(Intercomm, leaders_of_three_groups) {
  std::string text = "0 world size=3\n";
  for (int r = 0; r < 3; ++r) {
    text += std::to_string(r) + " Intercomm_create local_comm=COMM_SELF local_leader=0 " +
            "peer_comm=COMM_WORLD remote_leader=" + std::to_string((r + 1) % 3) + " tag=5 @a ...\n";
  }
  EXPECT_EQ(found(text), "");
}

TEST(Intercomm, what_leaders_disagree_on) {
  const auto said = [](const std::string& text) { return run_messages<PartConstructors>(text); };
  EXPECT_EQ(said(kFour + leader(0, 2, 5, " ...") + leader(2, 0, 6, " ...")),
            "collective/constructor: tag=5 on rank 0; tag=6 on rank 2\n");
  EXPECT_EQ(
      said(kFour + leader(0, 2, 5, " ...") + leader(2, 1, 5, " ...")),
      "collective/constructor: rank 2 names rank 1 as the other leader, but rank 0 leads that "
      "group\n");
}

TEST(Intercomm, groups_have_no_member_in_common) {
  const std::string overlapping =
      split(0, 0, "0,1", 0) + split(1, 0, "0,1", 1) + split(2, 1, "2,1", 0) + split(3, 1, "2,3", 1);
  EXPECT_EQ(found(overlapping + leader(0, 2, 5, " ...") + leader(2, 0, 5, " ...")),
            "collective/constructor ranks=0,2 @a\n");
}

}  // namespace
}  // namespace vouch
