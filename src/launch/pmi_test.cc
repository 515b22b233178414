#include "launch/pmi.h"

#include <gtest/gtest.h>

namespace vouch::launch {
namespace {

std::string said(PmiServer& server, int rank, std::string_view line) {
  std::string all;
  for (const auto& [to, text] : server.take(rank, line)) all += std::to_string(to) + ":" + text;
  return all;
}

TEST(Pmi, a_rank_says_hello) {
  PmiServer server(2);
  EXPECT_TRUE(server.in_order(0));  // it may be no MPI program at all
  EXPECT_EQ(said(server, 0, "cmd=init pmi_version=1 pmi_subversion=1"),
            "0:cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0\n");
  EXPECT_FALSE(server.in_order(0));
  EXPECT_EQ(said(server, 0, "cmd=get_my_kvsname"), "0:cmd=my_kvsname kvsname=kvs rc=0\n");
  EXPECT_EQ(said(server, 0, "cmd=finalize"), "0:cmd=finalize_ack rc=0\n");
  EXPECT_TRUE(server.in_order(0));
}

TEST(Pmi, what_one_puts_others_get) {
  PmiServer server(2);
  EXPECT_EQ(said(server, 0, "cmd=put kvsname=kvs key=addr-0 value=a b=c"),
            "0:cmd=put_result rc=0 msg=success\n");
  EXPECT_EQ(said(server, 1, "cmd=get kvsname=kvs key=addr-0"),
            "1:cmd=get_result rc=0 msg=success value=a b=c\n");
  EXPECT_EQ(said(server, 1, "cmd=get kvsname=kvs key=addr-1"),
            "1:cmd=get_result rc=-1 msg=key_not_found value=unknown\n");
  EXPECT_EQ(said(server, 1, "cmd=get kvsname=kvs key=PMI_process_mapping"),
            "1:cmd=get_result rc=0 msg=success value=(vector,(0,1,2))\n");
}

TEST(Pmi, a_barrier_ends_when_all_have_come) {
  PmiServer server(3);
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(said(server, 0, "cmd=barrier_in"), "");
    EXPECT_EQ(said(server, 0, "cmd=barrier_in"), "");  // one rank counts once
    EXPECT_EQ(said(server, 2, "cmd=barrier_in"), "");
    EXPECT_EQ(said(server, 1, "cmd=barrier_in"),
              "0:cmd=barrier_out rc=0\n1:cmd=barrier_out rc=0\n2:cmd=barrier_out rc=0\n");
  }
}

TEST(Pmi, abort_and_what_is_not_served) {
  PmiServer server(1);
  EXPECT_EQ(said(server, 0, "cmd=spawn nprocs=2"), "0:cmd=spawn rc=-1 msg=not_supported\n");
  EXPECT_FALSE(server.aborted());
  EXPECT_EQ(said(server, 0, "cmd=abort exitcode=7"), "");
  EXPECT_TRUE(server.aborted());
  EXPECT_EQ(server.abort_code(), 7);
  EXPECT_EQ(said(server, 0, ""), "0:cmd= rc=-1 msg=not_supported\n");
}

}  // namespace
}  // namespace vouch::launch
