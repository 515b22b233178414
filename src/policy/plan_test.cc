#include "policy/plan.h"

#include <cstring>

#include <gtest/gtest.h>

#include "record/plan.h"

namespace vouch::policy {
namespace {

template <typename T>
T at(const std::vector<std::byte>& bytes, std::uint64_t offset) {
  T value;
  EXPECT_LE(offset + sizeof(T), bytes.size());
  std::memcpy(&value, &bytes[offset], sizeof(T));
  return value;
}

// What a rank reads there, as a schedule.
Schedule decoded(const std::vector<std::byte>& bytes) {
  const auto header = at<PlanHeader>(bytes, 0);
  EXPECT_EQ(header.magic, kPlanMagic);
  EXPECT_EQ(header.bytes, bytes.size());
  Schedule all;
  for (std::uint32_t r = 0; r < header.ranks; ++r) {
    const auto rank = at<PlanRank>(bytes, sizeof(PlanHeader) + r * sizeof(PlanRank));
    RankSchedule& mine = all.ranks[static_cast<int>(r)];
    for (std::uint64_t i = 0; i < rank.match_count; ++i) {
      const auto match = at<PlanMatch>(bytes, rank.matches + i * sizeof(PlanMatch));
      mine.matches.push_back({match.source, match.tag});
    }
    for (std::uint64_t i = 0; i < rank.pick_count; ++i) {
      const auto pick = at<PlanPick>(bytes, rank.picks + i * sizeof(PlanPick));
      Pick p{static_cast<Pick::What>(pick.kind), {}};
      for (std::uint32_t k = 0; k < pick.count; ++k)
        p.indices.push_back(at<std::int32_t>(bytes, pick.indices + k * sizeof(std::int32_t)));
      mine.add(p, pick.times);
    }
  }
  return all;
}

TEST(Plan, a_rank_finds_what_was_decided) {
  for (const char* text : {"A", "A0=1", "A3=1,2t5,_,c,1x100", "A0=:nx7,y,0+2+1,u,3/5=4:_,y"}) {
    const auto schedule = parse_schedule(text);
    ASSERT_TRUE(schedule.ok()) << schedule.error();
    const auto bytes = encode_plan(schedule.value());
    EXPECT_EQ(bytes.size() % 8, 0u);
    EXPECT_EQ(to_text(decoded(bytes)), text);
  }
}

std::string explained(wire::DecisionKind kind, wire::DivergenceReason reason, std::int64_t expected,
                      std::int64_t found) {
  const std::uint64_t words[] = {
      static_cast<std::uint64_t>(kind), 3, static_cast<std::uint64_t>(reason),
      static_cast<std::uint64_t>(expected), static_cast<std::uint64_t>(found)};
  const wire::RecordHeader header{
      static_cast<std::uint16_t>(wire::Meta::diverged), wire::Phase::meta, 0, 5, 1, 0};
  return explain_divergence(Event(&header, words));
}

// [RR5]
TEST(Plan, divergences_in_words) {
  using Reason = wire::DivergenceReason;
  EXPECT_EQ(explained(wire::DecisionKind::match, Reason::source, 7, 4),
            "match 3 should take a message from rank 7 of the communicator, which has 4");
  EXPECT_EQ(explained(wire::DecisionKind::match, Reason::tag, 1, 2),
            "match 3 should take a message with tag 1, but the call asks for tag 2");
  EXPECT_EQ(explained(wire::DecisionKind::pick, Reason::kind,
                      static_cast<std::int64_t>(PlanPickKind::no), 0),
            "pick 3 should be 'not yet', which this call cannot answer");
  EXPECT_EQ(explained(wire::DecisionKind::pick, Reason::index, 9, 4),
            "pick 3 should be request 9, but the call has 4");
  EXPECT_EQ(explained(wire::DecisionKind::pick, Reason::inactive, 1, 0),
            "pick 3 should be request 1, which is MPI_REQUEST_NULL");
}

}  // namespace
}  // namespace vouch::policy
