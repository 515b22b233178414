#include "model/table.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "model/objects.h"

namespace vouch {
namespace {

TEST(Table, live_stale_unknown) {
  Table<Group> t;
  EXPECT_EQ(t.find(5), nullptr);
  EXPECT_FALSE(t.knows(5));
  t.insert(5).size = 3;
  ASSERT_NE(t.find(5), nullptr);
  EXPECT_EQ(t.find(5)->size, 3);
  EXPECT_EQ(t.stale(5), nullptr);
  EXPECT_TRUE(t.erase(5, Site{7}, Proc::group_free));
  EXPECT_FALSE(t.erase(5, Site{8}, Proc::group_free));
  EXPECT_EQ(t.find(5), nullptr);
  ASSERT_NE(t.stale(5), nullptr);
  EXPECT_EQ(t.stale(5)->freed, Site{7});
  EXPECT_EQ(t.stale(5)->size, 3);
  EXPECT_TRUE(t.knows(5));
}

TEST(Table, a_reissued_handle_is_the_new_object) {
  Table<Group> t;
  t.insert(5).size = 3;
  t.erase(5, {}, Proc::none);
  EXPECT_EQ(t.insert(5).size, 0);
  EXPECT_EQ(t.find(5)->generation, 2u);
  EXPECT_EQ(t.stale(5), nullptr);
}

TEST(Table, addresses_stay) {
  Table<Group> t;
  Group* first = &t.insert(1);
  for (std::uint64_t i = 2; i < 5000; ++i) t.insert(i * 64);
  EXPECT_EQ(t.find(1), first);
}

TEST(Table, agrees_with_a_map) {
  Table<Group> t;
  std::map<std::uint64_t, int> live;
  std::mt19937_64 random(3);
  for (int i = 0; i < 200000; ++i) {
    const std::uint64_t raw = (random() % 3000) * 16;
    if (random() % 2 == 0) {
      t.insert(raw).size = i;
      live[raw] = i;
    } else {
      EXPECT_EQ(t.erase(raw, {}, Proc::none), live.erase(raw) == 1);
    }
  }
  EXPECT_EQ(t.size(), live.size());
  for (const auto& [raw, value] : live) {
    ASSERT_NE(t.find(raw), nullptr);
    EXPECT_EQ(t.find(raw)->size, value);
  }
  std::size_t seen = 0;
  t.for_each([&](const Group& g) {
    ++seen;
    EXPECT_TRUE(live.contains(g.raw));
  });
  EXPECT_EQ(seen, live.size());
}

// [U26]: memory is flat whether the library reuses handle values or not.
TEST(Table, a_million_cycles_are_flat) {
  Table<Communicator> fresh, same;
  std::size_t after_warm_up = 0;
  for (std::uint64_t i = 0; i < 1000000; ++i) {
    fresh.insert(0x1000 + i * 16);
    fresh.erase(0x1000 + i * 16, {}, Proc::comm_free);
    same.insert(0x1000);
    same.erase(0x1000, {}, Proc::comm_free);
    if (i == 20000) after_warm_up = fresh.memory() + same.memory();
  }
  EXPECT_EQ(fresh.memory() + same.memory(), after_warm_up);
  EXPECT_EQ(fresh.size(), 0u);
  EXPECT_FALSE(fresh.knows(0x1000));  // long forgotten
  EXPECT_TRUE(fresh.knows(0x1000 + 999999 * 16));
}

}  // namespace
}  // namespace vouch
