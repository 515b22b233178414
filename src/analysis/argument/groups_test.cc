#include "analysis/argument/argument.h"
#include "analysis/testing/cases.h"

namespace vouch {
namespace {

constexpr const char* kGroup = "0 world size=4\n0 Comm_group group=g\n";
std::string with_group(const char* line) { return std::string(kGroup) + line; }

TEST(ArgumentGroup, ranks_of_a_new_group) {
  for (const char* bad : {
           "0 Group_incl group=g ranks=[0,0] @a\n",
           "0 Group_incl group=g ranks=[4] @a\n",
           "0 Group_excl group=g ranks=[-1] @a\n",
           "0 Group_range_incl group=g ranges=[0,3,0] @a\n",
           "0 Group_range_incl group=g ranges=[0,2,1,2,3,1] @a\n",
           "0 Group_range_excl group=g ranges=[0,4,1] @a\n",
           "0 Group_range_incl group=g ranges=[3,0,1] @a\n",
           "0 Group_translate_ranks group1=g ranks1=[4] group2=g @a\n",
       }) {
    EXPECT_EQ(run<Argument>(with_group(bad)), "argument/group ranks=0 @a\n") << bad;
  }
  for (const char* good : {
           "0 Group_incl group=g ranks=[]\n",
           "0 Group_incl group=g n=0 ranks=NULL\n",
           "0 Group_incl group=g ranks=[3,0,1]\n",
           "0 Group_excl group=g ranks=[0,1,2,3]\n",
           "0 Group_range_incl group=g ranges=[0,3,2]\n",
           "0 Group_range_incl group=g ranges=[3,0,-1]\n",
           "0 Group_range_incl group=g ranges=[0,1,1,2,3,1]\n",
           "0 Group_translate_ranks group1=g ranks1=[0,PROC_NULL,3] group2=g\n",
           "0 Group_union group1=g group2=GROUP_EMPTY\n",
       }) {
    EXPECT_EQ(run<Argument>(with_group(good)), "") << good;
  }
}

TEST(ArgumentGroup, must_lie_in_the_communicator) {
  EXPECT_EQ(run<Argument>(
                "0 world size=4\n0 Comm_group group=g\n0 Comm_create comm=COMM_SELF group=g @a\n"),
            "argument/group ranks=0 @a\n");
  // [U37]: disjoint groups, an empty one.
  EXPECT_EQ(
      run<Argument>(
          "0 world size=4\n0 Comm_group group=g\n0 Group_incl group=g ranks=[0,1] newgroup=h\n"
          "0 Comm_create group=h newcomm=c\n"
          "2 Comm_group group=g\n2 Group_incl group=g ranks=[2,3] newgroup=h\n2 Comm_create "
          "group=h newcomm=c\n"
          "3 Comm_create group=GROUP_EMPTY newcomm=COMM_NULL\n"),
      "");
  EXPECT_EQ(
      run<Argument>("0 Comm_group comm=COMM_SELF group=g\n0 Comm_create_group group=g tag=3\n"),
      "");
}

}  // namespace
}  // namespace vouch
