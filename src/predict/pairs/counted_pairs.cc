#include "predict/pairs/counted_pairs.h"

#include <algorithm>
#include <unordered_map>

#include "predict/quick/scc.h"

namespace vouch::predict {
namespace {

constexpr std::uint32_t kNone = ~0u;

// One endpoint: receives that must be matched, added one by one, and a matching of them.
class Saturation {
 public:
  Saturation(const Endpoint& endpoint, const MatchPairs& pairs) : endpoint_(endpoint) {
    for (std::uint32_t j = 0; j < endpoint.sends.size(); ++j) index_[endpoint.sends[j]] = j;
    candidates_.resize(endpoint.receives.size());
    for (std::size_t i = 0; i < endpoint.receives.size(); ++i)
      for (OpId s : pairs.sends_of(endpoint.receives[i])) candidates_[i].push_back(index_.at(s));
    taken_.assign(endpoint.receives.size(), kNone);
    taker_.assign(endpoint.sends.size(), kNone);
  }

  // The i-th receive must be matched. False: then not all can be.
  bool add(std::uint32_t i) {
    seen_.assign(endpoint_.sends.size(), false);
    fresh_ = false;
    return augment(i);
  }

  // The receives added so far can do without the message.
  bool spare(OpId send) {
    if (!fresh_) search();
    return spare_[index_.at(send)];
  }

  // All receives were added: the pair is part of some matching of them all.
  bool allowed(std::uint32_t i, OpId send) {
    if (!fresh_) search();
    if (part_.empty()) connect();
    const auto j = index_.at(send);
    return taken_[i] == j || spare_[j] || part_[i] == part_[endpoint_.receives.size() + j];
  }

 private:
  // An augmenting path, without recursion: the sizes come from a file.
  bool augment(std::uint32_t root) {
    std::vector<std::pair<std::uint32_t, std::size_t>> path{{root, 0}};
    while (!path.empty()) {
      auto& [i, next] = path.back();
      if (next == candidates_[i].size()) {
        path.pop_back();
        continue;
      }
      const auto j = candidates_[i][next++];
      if (seen_[j]) continue;
      seen_[j] = true;
      if (taker_[j] != kNone) {
        path.push_back({taker_[j], 0});
        continue;
      }
      for (const auto& [r, after] : path) {
        const auto s = candidates_[r][after - 1];
        taken_[r] = s;
        taker_[s] = r;
      }
      return true;
    }
    return false;
  }

  // From free messages over receives that could take them to the messages these would leave.
  void search() {
    fresh_ = true;
    spare_.assign(taker_.size(), false);
    std::vector<std::vector<std::uint32_t>> takers(taker_.size());
    for (std::uint32_t i = 0; i < taken_.size(); ++i)
      if (taken_[i] != kNone)
        for (const auto j : candidates_[i]) takers[j].push_back(i);
    std::vector<std::uint32_t> open;
    for (std::uint32_t j = 0; j < taker_.size(); ++j)
      if (taker_[j] == kNone) {
        spare_[j] = true;
        open.push_back(j);
      }
    while (!open.empty()) {
      const auto j = open.back();
      open.pop_back();
      for (const auto i : takers[j])
        if (!spare_[taken_[i]]) {
          spare_[taken_[i]] = true;
          open.push_back(taken_[i]);
        }
    }
  }

  // Messages lead to the receive that has them, receives to the messages they could have instead.
  void connect() {
    const auto receives = static_cast<std::uint32_t>(taken_.size());
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (std::uint32_t i = 0; i < receives; ++i)
      for (const auto j : candidates_[i]) {
        if (taken_[i] == j)
          edges.emplace_back(receives + j, i);
        else
          edges.emplace_back(i, receives + j);
      }
    part_ = strong_components(receives + taker_.size(), edges);
  }

  const Endpoint& endpoint_;
  std::unordered_map<OpId, std::uint32_t> index_;  // of sends
  std::vector<std::vector<std::uint32_t>> candidates_;
  std::vector<std::uint32_t> taken_, taker_;  // the matching, from both sides
  std::vector<bool> seen_, spare_;
  std::vector<std::uint32_t> part_;
  bool fresh_ = false;
};

}  // namespace

bool prune_by_counting(const Program& program, const std::vector<OpId>& nearest_waits,
                       bool complete, MatchPairs& pairs, bool& possible) {
  MatchPairs left(program);
  bool changed = false;
  for (const auto& endpoint : endpoints(program)) {
    Saturation certified(endpoint, pairs);
    std::vector<std::pair<OpId, std::uint32_t>> by_wait;
    for (std::uint32_t i = 0; i < endpoint.receives.size(); ++i)
      by_wait.emplace_back(nearest_waits[endpoint.receives[i]], i);
    std::sort(by_wait.begin(), by_wait.end());
    std::size_t next = 0;
    bool reachable = true;
    Saturation all(endpoint, pairs);
    if (complete) {
      for (std::uint32_t i = 0; i < endpoint.receives.size(); ++i)
        if (!all.add(i)) possible = false;
      if (!possible) return true;
    }
    for (std::uint32_t i = 0; i < endpoint.receives.size(); ++i) {
      const OpId r = endpoint.receives[i];
      for (; next < by_wait.size() && by_wait[next].first < r; ++next)
        if (!certified.add(by_wait[next].second)) reachable = false;
      for (OpId s : pairs.sends_of(r)) {
        if (reachable && certified.spare(s) && (!complete || all.allowed(i, s)))
          left.add({r, s});
        else
          changed = true;
      }
    }
  }
  pairs = std::move(left);
  return changed;
}

}  // namespace vouch::predict
