#include "predict/pairs/sections.h"

#include <algorithm>
#include <deque>
#include <map>

namespace vouch::predict {
namespace {

// One endpoint, cut.
class Cutter {
 public:
  Cutter(const Program& program, const Endpoint& endpoint, int k, Ties ties)
      : program_(program), endpoint_(endpoint), k_(static_cast<std::size_t>(k)), ties_(ties) {
    for (OpId s : endpoint.sends) senders_[program[s].process].left.push_back(s);
    for (OpId r : endpoint.receives)
      if (auto* sender = find(program[r].peer)) ++sender->named;
  }

  std::vector<Endpoint> cut() {
    start();
    for (OpId r : endpoint_.receives) {
      if (auto* sender = find(program_[r].peer)) --sender->named;
      current_.receives.push_back(r);
      give(r);
      if (full()) close();
    }
    if (!current_.receives.empty()) close();
    // What nobody takes in a fair run can still be taken: it goes with the last receives.
    if (!done_.empty())
      for (auto& [process, sender] : senders_)
        for (OpId s : sender.left) done_.back().sends.push_back(s);
    for (auto& section : done_) std::sort(section.sends.begin(), section.sends.end());
    return std::move(done_);
  }

 private:
  struct Sender {
    std::deque<OpId> left{};
    std::size_t used = 0, named = 0;  // in this section; receives to come that name it alone
  };

  Sender* find(int process) {
    const auto known = senders_.find(process);
    return known == senders_.end() ? nullptr : &known->second;
  }

  void start() {
    current_ = {.process = endpoint_.process, .comm = endpoint_.comm};
    for (auto& [process, sender] : senders_) sender.used = 0;
  }

  void close() {
    done_.push_back(std::move(current_));
    start();
  }

  bool full() const {
    return std::all_of(senders_.begin(), senders_.end(), [&](const auto& entry) {
      return entry.second.used >= k_ || entry.second.left.empty();
    });
  }

  std::deque<OpId>::iterator first_accepted(Sender& sender, OpId r) const {
    return std::find_if(sender.left.begin(), sender.left.end(),
                        [&](OpId s) { return accepts(program_[r], program_[s]); });
  }

  // A wildcard must not drain a sender that later receives name, if another one will do.
  Sender* choose(OpId r) {
    if (program_[r].peer != kAny) return find(program_[r].peer);
    Sender *best = nullptr, *best_spare = nullptr;
    const auto better = [&](const Sender& sender, const Sender* than) {
      return !than || sender.used < than->used ||
             (sender.used == than->used && ties_ == Ties::last);
    };
    for (auto& [process, sender] : senders_) {
      if (first_accepted(sender, r) == sender.left.end()) continue;
      if (better(sender, best)) best = &sender;
      if (sender.left.size() > sender.named && better(sender, best_spare)) best_spare = &sender;
    }
    return best_spare ? best_spare : best;
  }

  void give(OpId r) {
    Sender* sender = choose(r);
    if (!sender) return;
    const auto s = first_accepted(*sender, r);
    if (s == sender->left.end()) return;
    ++sender->used;
    current_.sends.push_back(*s);
    sender->left.erase(s);
  }

  const Program& program_;
  const Endpoint& endpoint_;
  const std::size_t k_;
  const Ties ties_;
  std::map<int, Sender> senders_;
  Endpoint current_;
  std::vector<Endpoint> done_;
};

int longest_channel(const Program& program, const Endpoint& endpoint) {
  std::map<int, int> sent;
  int longest = 1;
  for (OpId s : endpoint.sends) longest = std::max(longest, ++sent[program[s].process]);
  return longest;
}

}  // namespace

Sections sections(const Program& program, int k, Ties ties) {
  Sections found;
  for (const auto& endpoint : endpoints(program)) {
    if (endpoint.receives.empty()) continue;
    if (k >= longest_channel(program, endpoint)) {
      found.list.push_back(endpoint);
      found.counts.push_back(1);
      continue;
    }
    auto cut = Cutter(program, endpoint, k, ties).cut();
    found.counts.push_back(cut.size());
    for (auto& section : cut) found.list.push_back(std::move(section));
  }
  return found;
}

MatchPairs match_pairs(const Program& program, const Sections& sections, MatchRule rule) {
  MatchPairs pairs(program);
  const auto waits = nearest_waits(program);
  for (const auto& section : sections.list) add_pairs(program, section, waits, rule, pairs);
  return pairs;
}

MatchPairs pairs_near(const Program& program, const MatchPairs& superset,
                      const std::vector<Match>& run, std::size_t distance) {
  std::vector<std::size_t> place(program.ops.size());
  for (const auto& endpoint : endpoints(program)) {
    for (std::size_t i = 0; i < endpoint.receives.size(); ++i) place[endpoint.receives[i]] = i;
    for (OpId s : endpoint.sends) place[s] = endpoint.receives.size();
  }
  for (const auto& match : run) place[match.send] = place[match.receive];
  MatchPairs near(program);
  for (OpId r = 0; r < program.ops.size(); ++r)
    for (OpId s : superset.sends_of(r))
      if (place[s] <= place[r] + distance && place[r] <= place[s] + distance) near.add({r, s});
  return near;
}

int max_bound(const Program& program) {
  int bound = 1;
  for (const auto& endpoint : endpoints(program))
    if (!endpoint.receives.empty()) bound = std::max(bound, longest_channel(program, endpoint));
  return bound;
}

std::vector<int> bounds(const Program& program, Ties ties) {
  const int last = max_bound(program);
  std::vector<int> worth;
  std::vector<std::size_t> known;
  for (int k = 1; k < last; ++k) {
    auto counts = sections(program, k, ties).counts;
    if (counts == known) continue;
    known = std::move(counts);
    worth.push_back(k);
  }
  worth.push_back(last);
  return worth;
}

}  // namespace vouch::predict
