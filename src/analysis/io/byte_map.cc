#include "analysis/io/byte_map.h"

#include <algorithm>

namespace vouch {

void ByteMap::split(std::int64_t at) {
  auto s = segments_.upper_bound(at);
  if (s == segments_.begin()) return;
  --s;
  if (s->first == at || s->second.end <= at) return;
  Segment right = s->second;
  s->second.end = at;
  segments_.emplace_hint(std::next(s), at, std::move(right));
}

// Equal neighbours between lo and hi, and beyond by one.
void ByteMap::join(std::int64_t lo, std::int64_t hi) {
  auto s = segments_.lower_bound(lo);
  if (s == segments_.end()) return;
  if (s != segments_.begin()) --s;
  while (s->first <= hi) {
    const auto next = std::next(s);
    if (next == segments_.end()) return;
    if (s->second.end == next->first && s->second.marks == next->second.marks) {
      s->second.end = next->second.end;
      segments_.erase(next);
    } else {
      s = next;
    }
  }
}

void ByteMap::put(std::vector<Mark>& marks, std::uint32_t group, int rank) {
  const auto at = std::lower_bound(marks.begin(), marks.end(), group,
                                   [](const Mark& m, std::uint32_t g) { return m.group < g; });
  if (at == marks.end() || at->group != group) {
    marks.insert(at, {group, rank, -1});
    return;
  }
  if (at->first == rank || at->second == rank) return;
  if (rank < at->first) {
    at->second = at->first;
    at->first = rank;
  } else if (at->second < 0 || rank < at->second) {
    at->second = rank;
  }
}

}  // namespace vouch
