// The sink of a run: one finding per cause, however many ranks and repetitions show it (usage
// rules 1.3).
//
// Reports with the same rule, sites and cause are one finding with a set of ranks and a count.
// Where a finding is about a pair of lines, those that share a line are one: the line is the cause,
// and the others are named as more places of it (a wrong type at one send, received at ten lines).
// So are those that have something else in common (Report::common): a freed handle at ten lines.
// Its text is that of the lowest ranks' first occurrence, and the order is severity, stage, rank,
// program order within the rank: nothing of it depends on which rank's events arrive first. So
// findings become one also when a later pair shares a line with both.

#pragma once

#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/hash.h"
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
  static constexpr std::size_t kMaxAlso = 12;  // more places of a pair's line
  static constexpr std::size_t kMaxWays = 8;   // to one line, with --stacks
  // What the lines of a finding may have in common: a line may be wrong with so many values.
  static constexpr std::uint32_t kMaxCommons = 1000;
  static constexpr const char* kAlso = "and here";

  explicit Collector(SiteTable& sites);
  ~Collector() override;

  // Asked for the spawned worlds that are known when a finding is made.
  void on_worlds(std::function<std::vector<SpawnedRanks>()> ask) { worlds_ = std::move(ask); }

  // Called with each new finding as soon as it is known, so that it outlives us.
  void on_new(std::function<void(const Finding&)> hook) { hook_ = std::move(hook); }

  // Where checks report that are switched off and run because others go by what they find: that is
  // not shown, unless something that is shown follows from it.
  Sink& unheard();

  void report(Report) override;
  bool again(const Sketch&) override;
  bool consequence(WorldRank, Site, Harms, std::string text) override;
  void harmful(Rule, WorldRank, Site) override;
  void not_checked(NotChecked) override;
  void note(std::string text) override { notes_.insert(std::move(text)); }
  // A rank is found inside this call, on this way (innermost first): what was or will be said about
  // the call shows it.
  void running(WorldRank rank, Site site, std::vector<Site> stack) {
    running_[{rank.value, site.value}] = std::move(stack);
  }
  // consequence() would find it.
  bool offends(WorldRank rank, Site site, Harms harms) const;
  // With "ring.c:31" where mention() left a mark.
  std::string with_places(const std::string& text);

  // What is known so far: findings, gaps, omissions, notes and the verdict. The rest belongs to the
  // caller.
  Summary summary();
  // All that was reported was said about something else than it seemed.
  void forget();
  std::size_t findings() const { return entries_.size() - absorbed_; }
  // How often anything was said that is more than one more occurrence of what is known.
  std::uint64_t told() const;

  // Occurrences that again() has counted, by entry: since it was last asked, and what to add of
  // them for rounds of a program that are skipped because they repeat one.
  using Counted = std::vector<std::pair<std::size_t, std::uint64_t>>;
  Counted take_counted();
  void add(const Counted&, std::uint64_t times);

 private:
  class Unheard;
  std::uint64_t told_ = 0;
  static constexpr std::size_t kNobody = SIZE_MAX;
  struct Key {
    Rule rule{};
    Severity severity{};
    std::vector<Site> sites;  // sorted, each once
    std::string cause;
    std::uint64_t common = 0;  // Report::common_key
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key&) const;
  };
  struct Entry {
    Report first;             // of the lowest rank
    std::vector<Place> also;  // of pairs that share a line with it
    std::vector<int> ranks;   // sorted
    std::uint64_t count = 0;
    std::uint64_t counted = 0;  // by again(), since take_counted()
    std::uint64_t arrival = 0;  // of `first`
    std::vector<std::string> consequences;
    std::vector<Place> ways;  // the offender's line by each call path; empty: none is known
    bool more_consequences = false;
    std::string common;          // what its lines have in common, with places as text
    std::uint64_t lines = 0;     // or pairs of lines, that were reported
    std::uint32_t commons = 0;   // numbers in `known_`
    std::size_t into = kNobody;  // the entry that it has become part of
  };
  using Offence = std::pair<int, std::uint32_t>;  // rank, site
  struct OffenceHash {
    std::size_t operator()(const Offence& o) const {
      return scatter(std::uint64_t{static_cast<std::uint32_t>(o.first)} << 32 | o.second);
    }
  };

  // Newest entries of a call that can do harm later; kNobody: none.
  static constexpr Harm kLater[] = {Harm::failure, Harm::hang, Harm::damage};
  struct Blame {
    std::size_t entries[std::size(kLater)] = {kNobody, kNobody, kNobody};
  };
  std::size_t blamed(WorldRank, Site, Harms) const;

  // A finding that again() has just counted. As long as nothing is reported, the same question has
  // the same answer, and a loop that makes one finding a million times needs no more than this.
  static constexpr std::size_t kRecent = 256, kRecentPlaces = 4;
  struct Recent {
    std::uint64_t age = 0;  // `age_` at that time
    Rule rule{};
    Severity severity{};
    bool potential = false;
    std::size_t places = 0;
    Involved place[kRecentPlaces];
    std::uint64_t common_key = 0;  // kAnyCommon: whatever it is
    std::string cause;
    std::size_t entry = 0;
    Blame* blame = nullptr;  // of the first place; nullptr: it does no harm
    Harms harms;
    bool is(const Sketch&) const;
  };
  Recent& recent_of(const Sketch&, std::uint64_t common_key);
  bool recently(const Sketch&);
  void remember(const Sketch&, std::size_t entry, Blame*);
  void count(std::size_t entry);

  Blame* may_harm(Rule, Severity, WorldRank, Site, std::size_t entry);
  static void blame(Blame&, Harms, std::size_t entry);
  std::vector<Key> lines_of(const Report&);
  std::string common_of(const Report&);
  void more_places(Entry&, const Report&);
  void more_places(Entry&, const std::vector<Place>&);
  // kNobody: none has such a line. `also`: one more entry that becomes part of it, or kNobody.
  std::size_t join_entries(const std::vector<Key>& lines, std::size_t also);
  std::unordered_map<Key, std::size_t, KeyHash>::const_iterator find_known();
  void absorb(Entry& into, Entry& from);
  std::size_t whole(std::size_t entry) const {
    while (entries_[entry].into != kNobody) entry = entries_[entry].into;
    return entry;
  }
  void add_way(Entry&, const Place&);
  std::vector<Location> other_ways(const Entry&);
  bool make_room(Rule);  // false: this rule has enough
  Key same_in_text(const Report&);
  Finding finding(const Entry&);
  Location location(const Place&);
  void name_worlds(Finding&);

  SiteTable& sites_;
  std::unique_ptr<Unheard> unheard_;  // nullptr: nothing is switched off
  std::function<void(const Finding&)> hook_;
  std::function<std::vector<SpawnedRanks>()> worlds_;
  std::vector<Entry> entries_;
  std::size_t absorbed_ = 0;  // of them
  std::unordered_map<Key, std::size_t, KeyHash> known_;
  // The same by source lines: an unrolled or inlined call is several addresses and one line.
  std::unordered_map<Key, std::size_t, KeyHash> by_text_;
  // Entries of several lines, by each line of a pair or by what they have in common.
  std::unordered_map<Key, std::size_t, KeyHash> by_line_;
  static constexpr std::uint64_t kAnyCommon = ~std::uint64_t{0};
  Key probe_;  // kept for its memory: a repetition allocates nothing
  std::vector<Recent> recent_;
  std::uint64_t age_ = 1;  // grows whenever an entry changes otherwise than by a count
  std::unordered_map<Offence, Blame, OffenceHash> offenders_;
  std::unordered_map<Offence, std::vector<Site>, OffenceHash> running_;
  std::vector<std::uint64_t> per_rule_, omitted_;
  std::map<std::pair<std::string, std::string>, NotChecked> not_checked_;
  std::set<std::string> notes_;
  std::uint64_t arrivals_ = 0;
  std::vector<std::size_t> counted_;  // entries with counted > 0
};

}  // namespace vouch
