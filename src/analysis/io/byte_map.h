// Which processes touched which bytes of a file.
//
// Disjoint segments in order, each with the marks of those who touched it. Accesses alike in all
// but who made them form a group, and a mark keeps the two lowest ranks of its group: whoever comes
// later meets at least one other, and the lowest pair of all is met in whatever order they come.
// An access costs O(log n) and the segments it touches; equal neighbours are joined.

#pragma once

#include <cstdint>
#include <iterator>
#include <map>
#include <vector>

namespace vouch {

class ByteMap {
 public:
  struct Mark {
    std::uint32_t group = 0;
    int first = -1, second = -1;  // ranks, ascending; -1: none
    bool operator==(const Mark&) const = default;
  };

  // Adds [lo, hi) for a rank. Before, for each part of it that others have touched:
  // meet(group, rank, lo, hi), never with the rank itself.
  template <typename F>
  void add(std::int64_t lo, std::int64_t hi, std::uint32_t group, int rank, F&& meet) {
    if (lo >= hi) return;
    split(lo);
    split(hi);
    auto at = segments_.lower_bound(lo);
    for (std::int64_t from = lo; from < hi;) {
      if (at == segments_.end() || at->first > from) {
        const std::int64_t to = at == segments_.end() ? hi : std::min(hi, at->first);
        at = std::next(segments_.emplace_hint(at, from, Segment{to, {{group, rank, -1}}}));
        from = to;
        continue;
      }
      Segment& s = at->second;
      for (const Mark& m : s.marks) {
        if (m.first >= 0 && m.first != rank) meet(m.group, m.first, from, s.end);
        if (m.second >= 0 && m.second != rank) meet(m.group, m.second, from, s.end);
      }
      put(s.marks, group, rank);
      from = s.end;
      ++at;
    }
    join(lo, hi);
  }

  // Forgets the groups for which gone(group) holds.
  template <typename F>
  void forget(F&& gone) {
    for (auto at = segments_.begin(); at != segments_.end();) {
      std::erase_if(at->second.marks, [&](const Mark& m) { return gone(m.group); });
      at = at->second.marks.empty() ? segments_.erase(at) : std::next(at);
    }
    if (!segments_.empty()) join(segments_.begin()->first, segments_.rbegin()->second.end);
  }

  std::size_t size() const { return segments_.size(); }
  void clear() { segments_.clear(); }

 private:
  struct Segment {
    std::int64_t end = 0;
    std::vector<Mark> marks;  // by group
  };
  void split(std::int64_t at);
  void join(std::int64_t lo, std::int64_t hi);
  static void put(std::vector<Mark>&, std::uint32_t group, int rank);

  std::map<std::int64_t, Segment> segments_;  // by begin
};

}  // namespace vouch
