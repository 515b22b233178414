#include "agent/launch_names.h"

#include <gtest/gtest.h>

#include <unistd.h>

namespace vouch {
namespace {

using std::string_literals::operator""s;

TEST(LaunchNames, a_spawned_process_names_its_parent) {
  const LaunchNames parent =
      launch_names("PMIX_NAMESPACE=70001\0PMIX_RANK=1\0OMPI_COMM_WORLD_SIZE=2\0"s);
  const LaunchNames child = launch_names(
      "HOME=/\0PMIX_RANK=0\0PMIX_NAMESPACE=70002\0OMPI_PARENT_PORT=70001.1:4711\0OMPI_COMM_WORLD_SIZE=3"s);
  EXPECT_EQ(parent.rank, 1);
  EXPECT_EQ(parent.size, 2);
  EXPECT_EQ(parent.parent, 0u);
  EXPECT_EQ(child.rank, 0);
  EXPECT_EQ(child.size, 3);
  EXPECT_NE(child.world, parent.world);
  EXPECT_EQ(child.parent, parent.process);
  EXPECT_NE(child.parent, child.process);
}

TEST(LaunchNames, what_is_missing_or_malformed_names_nobody) {
  const LaunchNames none = launch_names("PMI_RANK=1\0PMIX_RANK=x1\0OMPI_PARENT_PORT=7\0"s);
  EXPECT_EQ(none.world, 0u);
  EXPECT_EQ(none.process, 0u);
  EXPECT_EQ(none.parent, 0u);
  EXPECT_EQ(none.rank, -1);
  EXPECT_EQ(launch_names("").world, 0u);
  EXPECT_EQ(launch_names("PMIX_NAMESPACE").world, 0u);
  EXPECT_EQ(launch_names_of(-1).world, 0u);
  launch_names_of(::getpid());
}

}  // namespace
}  // namespace vouch
