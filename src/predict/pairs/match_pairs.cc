#include "predict/pairs/match_pairs.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace vouch::predict {

bool MatchPairs::contains(Match match) const {
  const auto& sends = sends_of_[match.receive];
  return std::find(sends.begin(), sends.end(), match.send) != sends.end();
}

void MatchPairs::add(Match match) {
  sends_of_[match.receive].push_back(match.send);
  receives_of_[match.send].push_back(match.receive);
  ++size_;
}

namespace {

// The channels into one endpoint.
using Channels = std::map<int, std::vector<OpId>>;  // source: sends in order

Channels channels_of(const Program& program, const Endpoint& endpoint) {
  Channels channels;
  for (OpId s : endpoint.sends) channels[program[s].process].push_back(s);
  return channels;
}

// Every receive takes every tag that is sent here: then tags play no part.
bool tags_play_no_part(const Program& program, const Endpoint& endpoint) {
  int tag = kAny;
  for (OpId s : endpoint.sends) {
    if (tag != kAny && program[s].tag != tag) tag = -2;
    if (tag != -2) tag = program[s].tag;
  }
  return std::all_of(endpoint.receives.begin(), endpoint.receives.end(), [&](OpId r) {
    return program[r].tag == kAny || program[r].tag == tag || endpoint.sends.empty();
  });
}

void by_envelope(const Program& program, const Endpoint& endpoint, MatchPairs& pairs) {
  for (OpId r : endpoint.receives)
    for (OpId s : endpoint.sends)
      if (accepts(program[r], program[s])) pairs.add({r, s});
}

void by_rank(const Program& program, const Endpoint& endpoint, MatchPairs& pairs) {
  const auto channels = channels_of(program, endpoint);
  const auto all = endpoint.sends.size();
  for (std::size_t i = 0; i < endpoint.receives.size(); ++i) {
    const OpId r = endpoint.receives[i];
    for (const auto& [source, sends] : channels)
      for (std::size_t j = 0; j < sends.size(); ++j)
        if (j <= i && i <= j + all - sends.size() && accepts(program[r], program[sends[j]]))
          pairs.add({r, sends[j]});
  }
}

// Earlier sends of the channel that r accepts each need an earlier receive.
void by_lower_bound(const Program& program, const Endpoint& endpoint, MatchPairs& pairs) {
  const auto channels = channels_of(program, endpoint);
  for (const auto& [source, sends] : channels) {
    std::unordered_map<int, std::size_t> earlier;  // by tag: receives accepting this source
    std::size_t earlier_any = 0;
    for (OpId r : endpoint.receives) {
      const auto& receive = program[r];
      if (receive.peer != kAny && receive.peer != source) continue;
      std::unordered_map<int, bool> seen;
      std::size_t accepted = 0, takers = 0;
      for (OpId s : sends) {
        if (!accepts(receive, program[s])) continue;
        if (accepted <= takers) pairs.add({r, s});
        if (accepted == 0) takers += earlier_any;
        if (!seen[program[s].tag]) {
          seen[program[s].tag] = true;
          const auto known = earlier.find(program[s].tag);
          takers += known == earlier.end() ? 0 : known->second;
        }
        ++accepted;
      }
      if (receive.tag == kAny)
        ++earlier_any;
      else
        ++earlier[receive.tag];
    }
  }
}

// Receives that are certainly matched when r takes the j-th message of source p: those before it
// that accept p (priority), and those a wait before r certifies. So many must fit the other
// channels, and so many of them name p alone.
class SourceAware {
 public:
  SourceAware(const Program& program, const Endpoint& endpoint, const std::vector<OpId>& waits)
      : program_(program), endpoint_(endpoint), channels_(channels_of(program, endpoint)) {
    for (OpId r : endpoint.receives)
      if (program[r].peer != kAny && waits[r] != kNoOp) certified_.push_back({waits[r], r});
    std::sort(certified_.begin(), certified_.end());
  }

  void add_to(MatchPairs& pairs) {
    for (OpId r : endpoint_.receives) {
      certify_before(r);
      const int peer = program_[r].peer;
      if (peer == kAny) {
        for (const auto& [source, sends] : channels_) add(r, source, sends, pairs);
      } else if (const auto known = channels_.find(peer); known != channels_.end()) {
        add(r, peer, known->second, pairs);
      }
      if (peer == kAny)
        ++wildcards_;
      else
        ++named_[peer];
    }
  }

 private:
  std::size_t sent_by(int source) const {
    const auto known = channels_.find(source);
    return known == channels_.end() ? 0 : known->second.size();
  }

  void certify_before(OpId r) {
    for (; next_ < certified_.size() && certified_[next_].first < r; ++next_) {
      const int source = program_[certified_[next_].second].peer;
      if (++delivered_[source] > sent_by(source)) starved_ = true;
      ++all_delivered_;
    }
  }

  void add(OpId r, int source, const std::vector<OpId>& sends, MatchPairs& pairs) {
    const auto named = named_.find(source);
    const std::size_t on_source = named == named_.end() ? 0 : named->second;
    const auto done = delivered_.find(source);
    const std::size_t done_here = done == delivered_.end() ? 0 : done->second;
    // A certified receive lacks a message: r is never reached. (On this source, too: they are all
    // before r and name it.)
    if (starved_) return;
    const std::size_t can_take = wildcards_ + on_source;               // |C|
    const std::size_t before = can_take + all_delivered_ - done_here;  // |Q|
    const std::size_t others = endpoint_.sends.size() - sends.size();
    const std::size_t from = std::max(on_source, before > others ? before - others : 0);
    for (std::size_t j = from; j < sends.size() && j <= can_take; ++j) pairs.add({r, sends[j]});
  }

  const Program& program_;
  const Endpoint& endpoint_;
  const Channels channels_;
  std::vector<std::pair<OpId, OpId>> certified_;  // nearest wait, receive that names its source
  std::size_t next_ = 0, wildcards_ = 0, all_delivered_ = 0;
  bool starved_ = false;
  std::unordered_map<int, std::size_t> named_, delivered_;  // by source
};

}  // namespace

std::vector<Endpoint> endpoints(const Program& program) {
  std::map<std::pair<int, int>, Endpoint> found;
  for (OpId id = 0; id < program.ops.size(); ++id) {
    const auto& op = program[id];
    if (op.kind == OpKind::receive) found[{op.process, op.comm}].receives.push_back(id);
    if (op.kind == OpKind::send) found[{op.peer, op.comm}].sends.push_back(id);
  }
  std::vector<Endpoint> list;
  for (auto& [key, endpoint] : found) {
    endpoint.process = key.first;
    endpoint.comm = key.second;
    list.push_back(std::move(endpoint));
  }
  return list;
}

void add_pairs(const Program& program, const Endpoint& endpoint,
               const std::vector<OpId>& nearest_waits, MatchRule rule, MatchPairs& pairs) {
  if (rule == MatchRule::endpoint)
    by_envelope(program, endpoint, pairs);
  else if (!tags_play_no_part(program, endpoint))
    by_lower_bound(program, endpoint, pairs);
  else if (rule == MatchRule::rank)
    by_rank(program, endpoint, pairs);
  else
    SourceAware(program, endpoint, nearest_waits).add_to(pairs);
}

MatchPairs match_pairs(const Program& program, MatchRule rule) {
  MatchPairs pairs(program);
  const auto waits = nearest_waits(program);
  for (const auto& endpoint : endpoints(program)) add_pairs(program, endpoint, waits, rule, pairs);
  return pairs;
}

MatchPairs match_pairs(const Program& program, const std::set<Match>& exact) {
  MatchPairs pairs(program);
  for (const auto& match : exact) pairs.add(match);
  return pairs;
}

}  // namespace vouch::predict
