#include "shim/guided/plan_cursor.h"

#include "shim/core/runtime.h"

namespace vouch::shim {

namespace {

// Whether `count` elements lie within the plan.
bool within(std::uint64_t bytes, std::uint64_t at, std::uint64_t count, std::uint64_t size) {
  return at <= bytes && at % 4 == 0 && count <= (bytes - at) / size;
}

}  // namespace

void PlanCursor::open(const std::byte* plan, std::uint64_t bytes, int rank) {
  if (plan == nullptr || bytes < sizeof(PlanHeader)) return;
  const auto* header = reinterpret_cast<const PlanHeader*>(plan);
  if (header->magic != kPlanMagic || header->bytes > bytes || rank < 0 ||
      static_cast<std::uint32_t>(rank) >= header->ranks ||
      !within(header->bytes, sizeof(PlanHeader), header->ranks, sizeof(PlanRank)))
    return;
  const PlanRank mine = reinterpret_cast<const PlanRank*>(header + 1)[rank];
  if (!within(header->bytes, mine.matches, mine.match_count, sizeof(PlanMatch)) ||
      !within(header->bytes, mine.picks, mine.pick_count, sizeof(PlanPick)))
    return;
  const auto* picks = reinterpret_cast<const PlanPick*>(plan + mine.picks);
  for (std::uint64_t i = 0; i < mine.pick_count; ++i) {
    if (!within(header->bytes, picks[i].indices, picks[i].count, sizeof(std::int32_t))) return;
  }
  Lock lock(mutex_);
  plan_ = plan;
  mine_ = mine;
}

MatchDecision PlanCursor::match(bool take) {
  Lock lock(mutex_);
  MatchDecision decision{next_match_, {kPlanFree, kPlanNoTag}};
  if (!stopped_ && next_match_ < mine_.match_count)
    decision.match = reinterpret_cast<const PlanMatch*>(plan_ + mine_.matches)[next_match_];
  if (take) ++next_match_;
  return decision;
}

PickDecision PlanCursor::pick() {
  Lock lock(mutex_);
  PickDecision decision{next_pick_++, PlanPickKind::free, nullptr, 0};
  if (stopped_ || run_ >= mine_.pick_count) return decision;
  const PlanPick& run = reinterpret_cast<const PlanPick*>(plan_ + mine_.picks)[run_];
  decision.kind = run.kind;
  decision.count = run.count;
  decision.indices = reinterpret_cast<const std::int32_t*>(plan_ + run.indices);
  if (++used_ >= run.times) {
    used_ = 0;
    ++run_;
  }
  return decision;
}

void PlanCursor::stop() {
  Lock lock(mutex_);
  stopped_ = true;
}

}  // namespace vouch::shim
