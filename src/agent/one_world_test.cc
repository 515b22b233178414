#include "agent/one_world.h"

#include <memory>

#include <gtest/gtest.h>

namespace vouch {
namespace {

std::unique_ptr<Process> process(std::size_t index, int rank, int size, End end = End::alive) {
  auto p = std::make_unique<Process>(index, 100 + static_cast<int>(index), WorldRank{rank});
  p->world_size = size;
  p->end = end;
  p->library = wire::Library::mpich;
  return p;
}

TEST(OneWorld, ranks_of_one_world) {
  OneWorld world(2);
  const auto a = process(0, 0, 2), b = process(1, 1, 2);
  EXPECT_FALSE(world.came(*a, 2, {a.get()}));
  EXPECT_FALSE(world.came(*b, 2, {a.get(), b.get()}));
  EXPECT_FALSE(world.broken());
}

TEST(OneWorld, a_singleton_among_several_is_known_at_once) {
  OneWorld told(2);
  const auto a = process(0, 0, 1);
  EXPECT_TRUE(told.came(*a, 0, {a.get()}));
  EXPECT_NE(told.why().find("alone in an MPI_COMM_WORLD of size 1 though 2"), std::string::npos);
  EXPECT_NE(told.why().find("MPICH"), std::string::npos);
  EXPECT_FALSE(told.in_turn());
  OneWorld hinted(0);
  EXPECT_TRUE(hinted.came(*a, 3, {a.get()}));
}

TEST(OneWorld, two_of_one_rank) {
  OneWorld world(0);
  const auto a = process(0, 0, 1), b = process(1, 0, 1);
  EXPECT_FALSE(world.came(*a, 0, {a.get()}));
  EXPECT_TRUE(world.came(*b, 0, {a.get(), b.get()}));
  EXPECT_FALSE(world.in_turn());
}

TEST(OneWorld, a_job_after_another) {
  OneWorld world(0);
  const auto a = process(0, 0, 2, End::exited), b = process(1, 0, 2);
  EXPECT_TRUE(world.came(*b, 0, {a.get(), b.get()}));
  EXPECT_TRUE(world.in_turn());
}

TEST(OneWorld, spawned_processes_have_a_world_of_their_own) {
  OneWorld world(2);
  const auto a = process(0, 0, 2), b = process(1, 0, 1);
  b->spawned = true;
  EXPECT_FALSE(world.came(*b, 2, {a.get(), b.get()}));
}

}  // namespace
}  // namespace vouch
