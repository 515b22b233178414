#include "agent/intake.h"

#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "agent/record_copy.h"
#include "agent/test_records.h"

namespace vouch {
namespace {

constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

// Takes the numbers of the events in the order in which they come: "1.0 2.1" is number 1 of thread
// 0, then 2 of thread 1.
class Taken {
 public:
  void operator()(int thread, const Event& event) {
    text_ +=
        (text_.empty() ? "" : " ") + std::to_string(event.seq()) + "." + std::to_string(thread);
  }
  std::string text() { return std::exchange(text_, {}); }

 private:
  std::string text_;
};

TEST(Intake, two_threads_are_merged_by_number) {
  Intake intake;
  const std::size_t a = intake.add_lane(0), b = intake.add_lane(1);
  TestRing first, second;
  first.enter(Proc::barrier, 1);
  first.enter(Proc::barrier, 4);
  second.enter(Proc::barrier, 2);
  second.enter(Proc::barrier, 3);
  Taken taken;
  EXPECT_EQ(intake.feed(b, second.bytes(), kAll, taken), 0u);  // ran ahead
  first.consume(intake.feed(a, first.bytes(), kAll, taken));
  EXPECT_EQ(taken.text(), "1.0");
  second.consume(intake.feed(b, second.bytes(), kAll, taken));
  EXPECT_EQ(taken.text(), "2.1 3.1");
  first.consume(intake.feed(a, first.bytes(), kAll, taken));
  EXPECT_EQ(taken.text(), "4.0");
  EXPECT_TRUE(first.empty() && second.empty());
  EXPECT_EQ(intake.records(), 4u);
}

TEST(Intake, numbers_wrap_around) {
  Intake intake;
  const std::size_t lane = intake.add_lane(0);
  intake.skip_to(0xffffffff);
  TestRing ring;
  ring.enter(Proc::barrier, 0xffffffff);
  ring.enter(Proc::barrier, 0);
  ring.enter(Proc::barrier, 1);
  Taken taken;
  intake.feed(lane, ring.bytes(), kAll, taken);
  EXPECT_EQ(taken.text(), "4294967295.0 0.0 1.0");
}

TEST(Intake, a_gap_holds_until_it_is_skipped) {
  Intake intake;
  const std::size_t lane = intake.add_lane(0);
  TestRing ring;
  ring.enter(Proc::barrier, 3);
  Taken taken;
  EXPECT_EQ(intake.feed(lane, ring.bytes(), kAll, taken), 0u);
  std::uint32_t seq = 0;
  ASSERT_TRUE(Intake::front(ring.bytes(), seq));
  EXPECT_EQ(seq, 3u);
  intake.skip_to(seq);
  EXPECT_EQ(intake.feed(lane, ring.bytes(), kAll, taken), ring.bytes().size());
  EXPECT_EQ(taken.text(), "3.0");
}

TEST(Intake, a_batch_ends_at_a_record) {
  Intake intake;
  const std::size_t lane = intake.add_lane(0);
  TestRing ring;
  for (std::uint32_t i = 1; i <= 4; ++i) ring.enter(Proc::barrier, i);
  Taken taken;
  const std::size_t one = ring.bytes().size() / 4;
  EXPECT_EQ(intake.feed(lane, ring.bytes(), one + 1, taken), 2 * one);
  EXPECT_EQ(taken.text(), "1.0 2.0");
}

// Waitall's requests come in two pieces, each in a record of its own.
TEST(Intake, blobs_become_the_tail_of_the_next_record) {
  Intake intake;
  const std::size_t lane = intake.add_lane(0);
  const ProcInfo& proc = info(Proc::waitall);
  const int requests = proc.param(Arg::array_of_requests);
  const Param& p = proc.params[static_cast<std::size_t>(requests)];
  const std::uint64_t values[3] = {11, 22, 33};
  const std::string_view bytes(reinterpret_cast<const char*>(values), sizeof(values));
  TestRing ring;
  ring.blob(1, bytes.substr(0, 8));
  ring.blob(2, bytes.substr(8));
  ring.enter(Proc::waitall, 3, {{0, 3}, {p.enter_word + 1, 3}}, wire::kFlagBlob);
  ring.enter(Proc::barrier, 4);
  std::vector<std::int64_t> seen;
  const std::size_t done = intake.feed(lane, ring.bytes(), kAll, [&](int, const Event& e) {
    if (e.proc() != Proc::waitall) return;
    for (std::uint64_t i = 0; i < e.array(requests).size(); ++i)
      seen.push_back(e.array(requests)[i]);
  });
  EXPECT_EQ(done, ring.bytes().size());
  EXPECT_EQ(seen, (std::vector<std::int64_t>{11, 22, 33}));
  EXPECT_TRUE(intake.lane(lane).blob.empty());
}

class Damaged : public testing::Test {
 protected:
  // Everything is swallowed and nothing taken: the lane is over.
  void expect_damaged() {
    Intake intake;
    const std::size_t lane = intake.add_lane(0);
    Taken taken;
    EXPECT_EQ(intake.feed(lane, ring_.bytes(), kAll, taken), ring_.bytes().size());
    EXPECT_TRUE(intake.lane(lane).damaged);
    EXPECT_EQ(taken.text(), "");
  }
  TestRing ring_;
};

TEST_F(Damaged, unknown_procedure) {
  ring_.add(wire::Phase::enter, 60000, 1, 0, {});
  expect_damaged();
}

TEST_F(Damaged, unknown_phase) {
  ring_.add(static_cast<wire::Phase>(9), 1, 1, 0, {});
  expect_damaged();
}

TEST_F(Damaged, too_few_words) {
  ring_.add(wire::Phase::enter, static_cast<std::uint16_t>(Proc::send), 1, 0, {1});
  expect_damaged();
}

TEST_F(Damaged, an_array_longer_than_its_record) {
  const ProcInfo& proc = info(Proc::waitall);
  const Param& p = proc.params[static_cast<std::size_t>(proc.param(Arg::array_of_requests))];
  for (const std::uint64_t length : {std::uint64_t{1}, std::uint64_t{1} << 61, ~std::uint64_t{0}}) {
    ring_.clear();
    ring_.enter(Proc::waitall, 1, {{p.enter_word + 1, length}});
    expect_damaged();
  }
}

// The table says that there are as many requests as the call counts.
TEST_F(Damaged, an_array_of_another_length_than_its_call_says) {
  const ProcInfo& proc = info(Proc::waitall);
  const Param& p = proc.params[static_cast<std::size_t>(proc.param(Arg::array_of_requests))];
  std::vector<std::uint64_t> words(proc.enter_words + 2u);
  words[0] = 3;
  words[static_cast<std::size_t>(p.enter_word) + 1] = 2;
  ring_.add(wire::Phase::enter, static_cast<std::uint16_t>(Proc::waitall), 1, 0, words);
  expect_damaged();
}

TEST_F(Damaged, a_world_or_a_communicator_that_cannot_be) {
  const std::uint64_t many = std::uint64_t{1} << 40;
  for (const std::vector<std::uint64_t>& world :
       {std::vector<std::uint64_t>{2, 2, 0, 0, 0}, {0, many, 0, 0, 0}}) {
    ring_.clear();
    ring_.meta(wire::Meta::world, 1, world);
    expect_damaged();
  }
  const auto none = static_cast<std::uint64_t>(-1);
  for (const std::vector<std::uint64_t>& comm :
       {std::vector<std::uint64_t>{1, many, 0, none, 0, 0, 0, 0},  // size
        {1, 2, 0, none, 7, 0, 0, 0},                               // topology
        {1, 2, 0, none, 0, 0, 0, 1, 0, 1, many},                   // a run
        {1, 2, 0, none, 0, 0, 0, 1, 0, many, 2},                   // its stride
        {1, 2, 0, none, 0, 0, 0, 1, 0, 1, 1}}) {                   // one member of two
    ring_.clear();
    ring_.meta(wire::Meta::communicator, 1, comm);
    expect_damaged();
  }
}

TEST(RecordCopy, whole_records_and_no_part_of_the_next) {
  TestRing ring;
  for (std::uint32_t i = 1; i <= 3; ++i) ring.enter(Proc::barrier, i);
  const std::size_t one = ring.bytes().size() / 3;
  RecordCopy copy;
  EXPECT_EQ(copy.take(ring.bytes(), 2 * one + 1).size(), 2 * one);
  EXPECT_EQ(copy.take(ring.bytes(), 1).size(), one);
  EXPECT_EQ(copy.take(ring.bytes(), kAll).size(), 3 * one);
  // Longer than a piece, and alone.
  ring.clear();
  ring.blob(1, std::string(3 * RecordCopy::kPiece, 'x'));
  EXPECT_EQ(copy.take(ring.bytes(), 100).size(), ring.bytes().size());
  EXPECT_EQ(
      std::memcmp(copy.take(ring.bytes(), 100).data(), ring.bytes().data(), ring.bytes().size()),
      0);
  // What claims to be longer than all that is there is for the intake to refuse.
  EXPECT_EQ(copy.take(ring.bytes().first(64), 100).size(), 64u);
}

TEST_F(Damaged, a_blob_longer_than_its_record) {
  ring_.meta(wire::Meta::blob, 1, {100, 0});
  expect_damaged();
}

TEST_F(Damaged, a_record_longer_than_the_ring) {
  ring_.enter(Proc::barrier, 1);
  std::vector<std::byte> bytes(ring_.bytes().begin(), ring_.bytes().end());
  const std::uint32_t words = 1000;
  std::memcpy(bytes.data() + offsetof(wire::RecordHeader, words), &words, sizeof(words));
  Intake intake;
  Taken taken;
  EXPECT_EQ(intake.feed(intake.add_lane(0), bytes, kAll, taken), bytes.size());
  EXPECT_TRUE(intake.lane(0).damaged);
}

}  // namespace
}  // namespace vouch
