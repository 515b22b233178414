// The sink of a run: one finding per cause, however many ranks and repetitions show it (usage
// rules 1.3).
//
// Reports with the same rule, sites and cause are one finding with a set of ranks and a count. Its
// text is that of the lowest rank's first occurrence, and the order is severity, stage, rank,
// program order within the rank: nothing of it depends on which rank's events arrive first.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "report/sink.h"
#include "source/site_table.h"

namespace vouch {

// What happens during the run comes before how it ended, and that before what was left over.
int stage_of(std::string_view rule);

class Collector : public Sink {
 public:
  // Findings of one rule kept one by one; what comes after is only counted.
  static constexpr std::size_t kMaxPerRule = 1000;
  static constexpr std::size_t kMaxConsequences = 5;

  explicit Collector(SiteTable& sites) : sites_(sites) {}

  // Called with each new finding as soon as it is known, so that it outlives us.
  void on_new(std::function<void(const Finding&)> hook) { hook_ = std::move(hook); }

  void report(Report) override;
  bool consequence(WorldRank, Site, std::string text) override;
  void not_checked(NotChecked) override;
  // consequence() would find it.
  bool offends(WorldRank rank, Site site) const {
    return offenders_.count({rank.value, site.value}) != 0;
  }
  // With "ring.c:31" where mention() left a mark.
  std::string with_places(const std::string& text);

  // What is known so far: findings, gaps, omissions, notes and the verdict. The rest belongs to the
  // caller.
  Summary summary();
  std::size_t findings() const { return entries_.size(); }
  std::uint64_t told() const { return told_; }  // how often anything was said

 private:
  std::uint64_t told_ = 0;
  struct Key {
    Rule rule{};
    Severity severity{};
    std::vector<Site> sites;  // sorted, each once
    std::string cause;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key&) const;
  };
  struct Entry {
    Report first;            // of the lowest rank
    std::vector<int> ranks;  // sorted
    std::uint64_t count = 0;
    std::uint64_t arrival = 0;  // of `first`
    std::vector<std::string> consequences;
    bool more_consequences = false;
  };
  using Offence = std::pair<int, std::uint32_t>;  // rank, site
  struct OffenceHash {
    std::size_t operator()(const Offence& o) const {
      return (static_cast<std::size_t>(o.first) << 32) ^ o.second;
    }
  };

  bool make_room(Rule);  // false: this rule has enough
  Key same_in_text(const Report&);
  Finding finding(const Entry&);
  Location location(const Place&);

  SiteTable& sites_;
  std::function<void(const Finding&)> hook_;
  std::vector<Entry> entries_;
  std::unordered_map<Key, std::size_t, KeyHash> known_;
  // The same by source lines: an unrolled or inlined call is several addresses and one line.
  std::unordered_map<Key, std::size_t, KeyHash> by_text_;
  Key probe_;  // kept for its memory: a repetition allocates nothing
  std::unordered_map<Offence, std::size_t, OffenceHash> offenders_;
  std::vector<std::uint64_t> per_rule_, omitted_;
  std::map<std::pair<std::string, std::string>, NotChecked> not_checked_;
  std::uint64_t arrivals_ = 0;
};

}  // namespace vouch
