#include "policy/plan.h"

#include <cstring>

#include <fmt/format.h>

#include "record/plan.h"

namespace vouch::policy {
namespace {

static_assert(kFree == kPlanFree && kNever == kPlanNever && kNoTag == kPlanNoTag);
static_assert(static_cast<int>(Pick::What::indices) == static_cast<int>(PlanPickKind::indices));

class Writer {
 public:
  std::uint64_t zeros(std::size_t bytes) {
    const std::size_t at = bytes_.size();
    bytes_.resize(at + (bytes + 7) / 8 * 8);
    return at;
  }
  std::uint64_t put(const void* data, std::size_t bytes) {
    const std::uint64_t at = zeros(bytes);
    if (bytes > 0) std::memcpy(&bytes_[at], data, bytes);
    return at;
  }
  template <typename T>
  void set(std::uint64_t at, const T& value) {
    std::memcpy(&bytes_[at], &value, sizeof(value));
  }
  std::vector<std::byte> take() { return std::move(bytes_); }
  std::uint64_t size() const { return bytes_.size(); }

 private:
  std::vector<std::byte> bytes_;
};

PlanRank put_rank(Writer& out, const RankSchedule& mine) {
  std::vector<PlanMatch> matches;
  matches.reserve(mine.matches.size());
  for (const Match& m : mine.matches) matches.push_back({m.source, m.tag});
  PlanRank rank{};
  rank.match_count = matches.size();
  rank.matches = out.put(matches.data(), matches.size() * sizeof(PlanMatch));
  std::vector<PlanPick> picks;
  for (const PickRun& run : mine.picks) {
    const auto& indices = run.pick.indices;
    picks.push_back({run.times, static_cast<PlanPickKind>(run.pick.what),
                     static_cast<std::uint32_t>(indices.size()),
                     out.put(indices.data(), indices.size() * sizeof(std::int32_t))});
  }
  rank.pick_count = picks.size();
  rank.picks = out.put(picks.data(), picks.size() * sizeof(PlanPick));
  return rank;
}

const char* words_of(std::int64_t kind) {
  switch (static_cast<PlanPickKind>(kind)) {
    case PlanPickKind::free:
      return "anything";
    case PlanPickKind::no:
      return "'not yet'";
    case PlanPickKind::yes:
      return "'yes'";
    case PlanPickKind::undefined:
      return "MPI_UNDEFINED";
    case PlanPickKind::indices:
      return "one of several requests";
  }
  return "something unknown";
}

}  // namespace

std::vector<std::byte> encode_plan(const Schedule& given) {
  Schedule schedule = given;
  schedule.normalize();
  const std::uint32_t ranks =
      schedule.ranks.empty() ? 0 : static_cast<std::uint32_t>(schedule.ranks.rbegin()->first) + 1;
  Writer out;
  PlanHeader header{kPlanMagic, ranks, 0};
  out.put(&header, sizeof(header));
  const std::uint64_t table = out.zeros(ranks * sizeof(PlanRank));
  for (const auto& [rank, mine] : schedule.ranks)
    out.set(table + static_cast<std::uint64_t>(rank) * sizeof(PlanRank), put_rank(out, mine));
  header.bytes = out.size();
  out.set(0, header);
  return out.take();
}

std::string explain_divergence(const Event& e) {
  const auto kind = static_cast<wire::DecisionKind>(e.word(0));
  const auto expected = static_cast<std::int64_t>(e.word(3));
  const auto found = static_cast<std::int64_t>(e.word(4));
  const std::string what =
      fmt::format("{} {}", kind == wire::DecisionKind::match ? "match" : "pick", e.word(1));
  switch (static_cast<wire::DivergenceReason>(e.word(2))) {
    case wire::DivergenceReason::source:
      return fmt::format("{} should take a message from rank {} of the communicator, which has {}",
                         what, expected, found);
    case wire::DivergenceReason::tag:
      return fmt::format("{} should take a message with tag {}, but the call asks for tag {}", what,
                         expected, found);
    case wire::DivergenceReason::kind:
      return fmt::format("{} should be {}, which this call cannot answer", what,
                         words_of(expected));
    case wire::DivergenceReason::index:
      return fmt::format("{} should be request {}, but the call has {}", what, expected, found);
    case wire::DivergenceReason::inactive:
      return fmt::format("{} should be request {}, which is MPI_REQUEST_NULL", what, expected);
    case wire::DivergenceReason::other:
      return fmt::format("{} should be {}, but the answer was {}", what, words_of(expected), found);
  }
  return fmt::format("{} does not fit", what);
}

}  // namespace vouch::policy
