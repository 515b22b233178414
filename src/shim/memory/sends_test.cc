#include "shim/memory/sends.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <vector>

namespace vouch::shim {
namespace {

constexpr int kBuffers = 40, kInts = 5;

std::vector<std::uint64_t> told;  // variables of the requests whose data has changed
void tell(Thread&, const Sent& sent) { told.push_back(sent.variable); }

// Requests with handles of their own: what changed between start and end is told, nothing else.
TEST(Sends, random_sends_against_copies_of_their_data) {
  struct Naive {
    int buffer;
    std::vector<int> data;
  };
  auto sends = std::make_unique<Sends>();
  Thread thread;
  std::vector<std::vector<int>> buffers(kBuffers, std::vector<int>(kInts));
  std::map<std::uint64_t, Naive> naive;  // by handle, which is the address of its variable, too
  std::mt19937 random(9);
  std::uint64_t next = 1;
  int changed = 0;
  for (int step = 0; step < 50000; ++step) {
    told.clear();
    switch (random() % 4) {
      case 0: {
        Sent sent;
        sent.handle = sent.variable = next++;
        const int b = static_cast<int>(random() % kBuffers);
        sends->add(sent, buffers[static_cast<std::size_t>(b)].data(), kInts, MPI_Datatype{}, true);
        naive[sent.handle] = {b, buffers[static_cast<std::size_t>(b)]};
        break;
      }
      case 1:
        buffers[random() % kBuffers][random() % kInts] = static_cast<int>(random() % 3);
        break;
      case 2: {
        if (naive.empty()) break;
        const auto it = std::next(naive.begin(), static_cast<int>(random() % naive.size()));
        const RequestSlot slot{it->first, it->first};
        ASSERT_TRUE(sends->has(slot.handle));
        sends->complete(&slot, 1, tell, thread);
        const bool differs =
            buffers[static_cast<std::size_t>(it->second.buffer)] != it->second.data;
        changed += differs;
        ASSERT_EQ(told,
                  differs ? std::vector<std::uint64_t>{it->first} : std::vector<std::uint64_t>{});
        ASSERT_FALSE(sends->has(slot.handle));
        naive.erase(it);
        break;
      }
      default: {
        if (random() % 20 != 0) break;
        const auto b = random() % kBuffers;
        sends->forget_memory(reinterpret_cast<std::uint64_t>(buffers[b].data()),
                             kInts * sizeof(int));
        std::erase_if(naive,
                      [&](const auto& one) { return one.second.buffer == static_cast<int>(b); });
      }
    }
    ASSERT_EQ(sends->empty(), naive.empty());
  }
  EXPECT_GT(changed, 1000);
}

// One handle for many requests: the variable tells which is meant, or all of them are.
TEST(Sends, requests_with_one_handle) {
  auto sends = std::make_unique<Sends>();
  Thread thread;
  int data[3] = {1, 2, 3};
  for (std::uint64_t v = 0; v < 3; ++v) {
    Sent sent;
    sent.handle = 77;
    sent.variable = 100 + v;
    sends->add(sent, &data[v], 1, MPI_Datatype{}, true);
  }
  data[1] = 20;
  told.clear();
  const RequestSlot first{77, 100};
  sends->complete(&first, 1, tell, thread);
  EXPECT_TRUE(told.empty());
  const RequestSlot both[] = {{77, 555}, {77, 556}};  // copies of the variables: all that are left
  sends->complete(both, 2, tell, thread);
  EXPECT_EQ(told, std::vector<std::uint64_t>{101});
  EXPECT_TRUE(sends->empty());
}

TEST(Sends, where_it_cannot_be_told_nothing_is_said) {
  auto sends = std::make_unique<Sends>();
  Thread thread;
  int data[2] = {1, 2};
  for (std::uint64_t v = 0; v < 2; ++v) {
    Sent sent;
    sent.handle = 77;
    sent.variable = 100 + v;
    sends->add(sent, &data[v], 1, MPI_Datatype{}, true);
  }
  data[0] = 10;
  told.clear();
  const RequestSlot copy{77, 555};
  sends->complete(&copy, 1, tell, thread);
  EXPECT_TRUE(told.empty());
  EXPECT_TRUE(sends->empty());
}

TEST(Sends, a_persistent_one_is_looked_at_from_start_to_completion) {
  auto sends = std::make_unique<Sends>();
  Thread thread;
  int data = 1;
  Sent sent;
  sent.handle = sent.variable = 5;
  sent.persistent = true;
  sends->add(sent, &data, 1, MPI_Datatype{}, false);
  EXPECT_FALSE(sends->has(5));
  const RequestSlot slot{5, 5};
  for (int round = 0; round < 3; ++round) {
    data = round;  // inactive: it may change
    sends->start(5, 1);
    told.clear();
    if (round == 1) data = 50;
    sends->complete(&slot, 1, tell, thread);
    EXPECT_EQ(told.size(), round == 1 ? 1u : 0u);
  }
  const void* of[4];
  EXPECT_EQ(sends->buffers(5, of), 1);
  EXPECT_EQ(of[0], &data);
  sends->forget(5);
  EXPECT_TRUE(sends->empty());
}

}  // namespace
}  // namespace vouch::shim
