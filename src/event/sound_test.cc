#include "event/sound.h"

#include <gtest/gtest.h>

#include <vector>

namespace vouch {
namespace {

using Words = std::vector<std::uint64_t>;

constexpr std::uint64_t minus(std::uint64_t n) { return ~n + 1; }

// A communicator with these members, as first, stride and length.
bool communicator(std::uint64_t size, const Words& runs, std::uint64_t remote_size = minus(1),
                  const Words& remote = {}) {
  Words words{7, size, 0, remote_size, 0, 0, 0, runs.size() / 3};
  words.insert(words.end(), runs.begin(), runs.end());
  words.insert(words.end(), remote.begin(), remote.end());
  wire::RecordHeader header{};
  header.phase = wire::Phase::meta;
  header.proc = static_cast<std::uint16_t>(wire::Meta::communicator);
  header.words = static_cast<decltype(header.words)>(words.size());
  return sound(header, words.data());
}

TEST(Sound, members_of_a_communicator) {
  EXPECT_TRUE(communicator(4, {}));
  EXPECT_TRUE(communicator(4, {0, 1, 4}));
  EXPECT_TRUE(communicator(4, {3, minus(1), 4}));
  EXPECT_TRUE(communicator(4, {0, 1, 2, minus(1), 0, 2}));  // two of another world
  EXPECT_TRUE(communicator(kMostRanks, {0, 1, kMostRanks}));
  EXPECT_TRUE(communicator(1, {5, 0, 1}));
  EXPECT_TRUE(communicator(2, {0, 1, 2}, 3));
  EXPECT_TRUE(communicator(2, {0, 1, 2}, 3, {2, 1, 3}));
}

TEST(Sound, remote_groups_that_a_communicator_cannot_have) {
  EXPECT_FALSE(communicator(2, {0, 1, 2}, 3, {2, 1, 2}));
  EXPECT_FALSE(communicator(2, {0, 1, 2}, 3, {2, 1, 4}));
  EXPECT_FALSE(communicator(2, {0, 1, 2}, 3, {2, 1}));
  EXPECT_FALSE(communicator(2, {0, 1, 2}, minus(1), {2, 1, 1}));
}

TEST(Sound, members_that_a_communicator_cannot_have) {
  EXPECT_FALSE(communicator(4, {0, 1, 5}));
  EXPECT_FALSE(communicator(4, {0, 1, 3}));
  EXPECT_FALSE(communicator(4, {0, 1, 4, 4, 1, 0}));
  EXPECT_FALSE(communicator(4, {1, minus(1), 4}));
  EXPECT_FALSE(communicator(4, {5, 0, 4}));  // nobody is a member four times
  EXPECT_FALSE(communicator(4, {kMostRanks - 3, 1, 4}));
  EXPECT_FALSE(communicator(kMostRanks + 1, {0, 1, kMostRanks + 1}));
  EXPECT_FALSE(communicator(4, {0, minus(0) + (std::uint64_t{1} << 62), 4}));
}

TEST(Sound, partitions_that_a_message_cannot_have) {
  const ProcInfo& about = info(Proc::psend_init);
  const auto with = [&](std::int64_t partitions) {
    std::vector<std::uint64_t> words(about.enter_words);
    const Param& param = about.params[static_cast<std::size_t>(about.at.partitions)];
    words[static_cast<std::size_t>(param.enter_word)] = static_cast<std::uint64_t>(partitions);
    wire::RecordHeader header{};
    header.phase = wire::Phase::enter;
    header.proc = static_cast<std::uint16_t>(Proc::psend_init);
    header.words = static_cast<decltype(header.words)>(words.size());
    return sound(header, words.data());
  };
  EXPECT_TRUE(with(-1));  // the program's error, which is reported
  EXPECT_TRUE(with(1 << 20));
  EXPECT_FALSE(with((1 << 20) + 1));
  EXPECT_FALSE(with(INT64_MAX));
}

}  // namespace
}  // namespace vouch
