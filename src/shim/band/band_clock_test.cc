#include "shim/band/band_clock.h"

#include <gtest/gtest.h>

#include <vector>

#include "shim/band/band_state.h"

namespace vouch::shim {
namespace {

// Rank 0 of three, with Lamport clocks; what it writes is read as vouch does.
class Band : public testing::Test {
 protected:
  Band() : memory_(band_bytes(3)) {
    header_ = reinterpret_cast<BandHeader*>(memory_.data());
    header_->magic = kBandMagic;
    header_->ranks = 3;
    clock_words = 1;
    clock_own = 0;
    clock_.open(header_, 0);
  }
  static Clock at(std::uint32_t time) {
    Clock clock;
    clock.at[0] = time;
    return clock;
  }
  void receive(const Asked& asked, int source, int tag, std::uint32_t time) {
    clock_.take({asked, {source, tag, at(time)}, false, nullptr});
    clock_.complete();
  }
  const BandPart& part() { return *band_part(header_, 0); }
  std::vector<int> alternatives(std::uint32_t event) {
    std::vector<int> sources;
    for (std::uint32_t a = part().events[event].alternatives; a != 0;
         a = part().alternatives[a - 1].next)
      sources.push_back(part().alternatives[a - 1].source);
    return sources;
  }

  std::vector<std::byte> memory_;
  BandHeader* header_;
  BandClock clock_;
  MPI_Comm comm_ = MPI_Comm{};
};

TEST_F(Band, what_comes_in_is_learnt_and_a_wildcard_counts) {
  clock_.learn(at(7));
  EXPECT_EQ(clock_.now().at[0], 7u);
  clock_.learn(at(3));  // older
  EXPECT_EQ(clock_.now().at[0], 7u);
  receive(clock_.issue(comm_, 1, 0, false), 1, 0, 9);  // named: no event of its own
  EXPECT_EQ(clock_.now().at[0], 9u);
  EXPECT_EQ(part().rank.events, 0u);
  receive(clock_.issue(comm_, MPI_ANY_SOURCE, 0, false), 2, 0, 4);
  EXPECT_EQ(part().rank.events, 1u);
  EXPECT_EQ(part().events[0].clock, 9u);
  EXPECT_EQ(part().events[0].source, 2);
  EXPECT_EQ(clock_.now().at[0], 10u);
  EXPECT_EQ(part().rank.clock, 10u);
}

TEST_F(Band, a_late_message_is_an_alternative) {
  const Asked first = clock_.issue(comm_, MPI_ANY_SOURCE, 0, false);
  receive(first, 1, 0, 0);
  receive(clock_.issue(comm_, MPI_ANY_SOURCE, 0, false), 2, 0, 0);  // sent before the first was
  EXPECT_EQ(alternatives(0), std::vector<int>{2});
  EXPECT_TRUE(alternatives(1).empty());
}

TEST_F(Band, a_message_that_knows_of_the_receive_is_none) {
  receive(clock_.issue(comm_, MPI_ANY_SOURCE, 0, false), 1, 0, 0);
  receive(clock_.issue(comm_, MPI_ANY_SOURCE, 0, false), 2, 0, 1);  // its sender had heard of it
  EXPECT_TRUE(alternatives(0).empty());
}

TEST_F(Band, tag_and_communicator_decide_and_each_source_is_named_once) {
  receive(clock_.issue(comm_, MPI_ANY_SOURCE, 5, false), 1, 5, 0);
  receive(clock_.issue(comm_, 2, 6, false), 2, 6, 0);  // another tag
  EXPECT_TRUE(alternatives(0).empty());
  receive(clock_.issue(comm_, 2, 5, false), 2, 5, 0);
  receive(clock_.issue(comm_, 2, 5, false), 2, 5, 0);
  EXPECT_EQ(alternatives(0), std::vector<int>{2});
}

TEST_F(Band, what_nobody_received_counts_too) {
  receive(clock_.issue(comm_, MPI_ANY_SOURCE, MPI_ANY_TAG, false), 1, 5, 0);
  clock_.left_over(comm_, {2, 9, at(0)});
  EXPECT_EQ(alternatives(0), std::vector<int>{2});
}

TEST_F(Band, a_message_without_a_clock_is_a_gap) {
  Clock none;
  none.unset();
  clock_.learn(none);
  EXPECT_EQ(part().rank.gaps, static_cast<std::uint32_t>(BandGap::no_clock));
}

}  // namespace
}  // namespace vouch::shim
