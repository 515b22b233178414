// Accesses of several processes to the same bytes of one open file.
//
// In nonatomic mode the outcome of overlapping accesses, one of them a write, is defined only if
// one process syncs after its access, that comes before a sync of the other, and then the other
// accesses: sync, barrier, sync (MPI-4.1 14.6.1). MPI_File_sync is collective, so syncs are
// numbered alike everywhere. An access says how many of them its process had done (`synced`), and
// which of those was the latest with communication since the one before (`settled`). What was
// accessed after s syncs is visible to another once its settled sync is s + 2 or later: neither
// order of reading the events nor time plays a part.
//
// Misses: which processes communicated between the syncs; accesses through different opens of one
// file; accesses at the shared pointer among each other, after it was set back.

#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "analysis/io/byte_map.h"
#include "base/ids.h"
#include "event/proc.h"

namespace vouch {

struct FileAccess {
  Site site;
  Proc proc = Proc::none;
  bool writes = false;
  std::uint32_t synced = 0, settled = 0;
  bool shared = false;  // at the shared pointer: in order among each other
  auto key() const { return std::tuple(site.value, proc, writes, synced, settled, shared); }
};

// Whether both may be in flight at once, or unseen by each other.
template <typename A, typename B>
bool unsettled(const A& a, const B& b) {
  return b.settled < a.synced + 2 && a.settled < b.synced + 2;
}

class FileConflicts {
 public:
  static constexpr std::size_t kSegments = std::size_t{1} << 18;

  // Two accesses that conflict: of all with these sites the lowest ranks, and the bytes they share.
  struct Conflict {
    FileAccess a, b;  // a's rank is the lower
    int rank_a = -1, rank_b = -1;
    std::int64_t lo = 0, hi = 0;
  };
  using Conflicts = std::map<std::pair<std::uint32_t, std::uint32_t>, Conflict>;  // by sites

  explicit FileConflicts(int members) : members_(static_cast<std::size_t>(members)) {}

  // An access of a rank: to be told each of its byte ranges.
  std::uint32_t group_of(const FileAccess&);
  void add(std::uint32_t group, int rank, std::int64_t lo, std::int64_t hi);
  // An access to bytes that are not known. `shared`: at the shared pointer, where accesses among
  // each other are in order.
  void add_unplaced(const FileAccess&, int rank, bool shared);
  // A rank's latest settled sync has become this.
  void settle(int rank, std::uint32_t sync);

  const Conflicts& conflicts() const { return conflicts_; }
  // Whether bytes that are not known may have conflicted; a site of theirs.
  bool unplaced(Site& site);
  bool over_budget() const { return over_budget_; }
  std::size_t segments() const { return bytes_.size(); }

 private:
  // Syncs of a process before what it did.
  struct Stretch {
    std::uint32_t synced = 0, settled = 0;
    auto operator<=>(const Stretch&) const = default;
  };
  // The two lowest ranks that did something in one.
  struct Who {
    int first = -1, second = -1;
    Site site;
    void add(int rank, Site);
    bool others_than(const Who&) const;
  };
  using Stretches = std::map<Stretch, Who>;
  static constexpr std::size_t kStretches = 64;  // more count as one: what was last, settled first
  // Of those at the shared pointer: whose bytes are known, and others.
  enum Place : std::uint8_t { placed, unknown, placed_shared, shared, kPlaces };
  void meet(std::uint32_t group, int rank, std::uint32_t other, int other_rank, std::int64_t lo,
            std::int64_t hi);
  void note(Place, const FileAccess&, int rank);
  bool others_meet(const Stretch&, const Who&, const Stretches&) const;
  void look_at_unplaced();

  const std::size_t members_;
  std::map<int, std::uint32_t> settled_;  // by rank, of those that have settled any
  std::uint32_t all_settled_ = 0;
  std::vector<FileAccess> groups_;
  std::map<decltype(FileAccess{}.key()), std::uint32_t> by_key_;
  ByteMap bytes_;
  Conflicts conflicts_;
  std::array<std::array<Stretches, 2>, kPlaces> who_;  // by place and whether it writes
  bool may_conflict_ = false;
  Site may_conflict_at_;
  bool over_budget_ = false;
};

}  // namespace vouch
