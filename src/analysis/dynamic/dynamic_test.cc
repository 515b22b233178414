#include "analysis/dynamic/dynamic.h"

#include <gtest/gtest.h>

#include "analysis/leak/leak.h"
#include "analysis/testing/run_text.h"

namespace vouch {
namespace {

const std::string kSpawn =
    "0 Comm_spawn command=\"child\" maxprocs=1 intercomm=i @a\n0 comm i size=1 rank=0 remote=1 "
    "members=0\n";

// [U66]
TEST(Disconnect, left_connected) {
  EXPECT_EQ((run<Dynamic, Leak>(kSpawn + "0 Finalize\n")),
            "dynamic/disconnect ranks=0 @a\n");  // and no leak besides
  EXPECT_EQ((run<Dynamic, Leak>(kSpawn + "0 Comm_disconnect comm=i\n0 Finalize\n")), "");
  EXPECT_EQ((run<Dynamic, Leak>(kSpawn + "0 Comm_free comm=i\n0 Finalize\n")), "");
  EXPECT_EQ((run<Dynamic, Leak>("0 Comm_get_parent -> parent=COMM_NULL\n0 Finalize\n")), "");
}

// [U66]
TEST(Disconnect, own_requests_pending) {
  EXPECT_EQ(
      run<Dynamic>(kSpawn + "0 Irecv comm=i source=0 request=r\n0 Comm_disconnect comm=i @b\n"),
      "dynamic/disconnect ranks=0 @b (error)\n");
  EXPECT_EQ(run<Dynamic>(kSpawn + "0 Irecv comm=i source=0 request=r\n0 Wait request=r\n"
                                  "0 Comm_disconnect comm=i\n"),
            "");
  // Another communicator's.
  EXPECT_EQ(run<Dynamic>(kSpawn + "0 Irecv source=0 request=r\n0 Comm_disconnect comm=i\n0 Wait "
                                  "request=r\n"),
            "");
}

}  // namespace
}  // namespace vouch
