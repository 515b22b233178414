#include "explore/settle.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <tuple>

#include "explore/clocks.h"

namespace vouch::explore {
namespace {

using predict::kAny;
using predict::Operation;
using predict::OpKind;

constexpr std::size_t kMostRetreats = 20000;
// Ways of a run that are looked at, and how often all processes are gone through.
constexpr std::size_t kMostLooks = 500;
constexpr int kRounds = 3;

// The receives and probes of one process, from the first one on of which nothing was seen.
class Settling {
 public:
  Settling(Observation& run, const predict::Program& asked, const std::vector<bool>& stands,
           int process)
      : run_(run), program_(run.program), stands_(stands) {
    for (OpId id = 0; id < program_.ops.size(); ++id)
      if (const Operation& op = program_[id]; op.kind == OpKind::send && op.peer == process)
        add(channels_[{op.comm, op.process, op.tag}], id);
    const auto at = static_cast<std::size_t>(process);
    for (OpId id = program_.first[at]; id < program_.first[at + 1]; ++id) {
      const bool probe = asked[id].kind == OpKind::probe;
      if (!probe && asked[id].kind != OpKind::receive) continue;
      if (asks_.empty() && !probe && run.met[id] != kNoOp) ++channel_of(run.met[id]).next;
      if (!asks_.empty() || (!probe && run.met[id] == kNoOp))
        asks_.push_back({asked[id], id, run.met[id], kNoOp, {}, 0});
    }
    // The process stands in its last operation, if that has not completed.
    if (asks_.empty()) return;
    const Operation& last = program_[program_.first[at + 1] - 1];
    if (stands_[at] && last.kind == OpKind::probe) probing_ = asks_.back().op;
    for (const Ask& a : asks_)
      if (last.kind == OpKind::wait && a.seen == kNoOp &&
          std::find(last.completes.begin(), last.completes.end(), a.id) != last.completes.end())
        waited_for_.push_back(a.id);
  }

  // Looks for a way that `fits`, when all messages had come to rest, or else at all.
  template <typename Fits>
  bool go(Fits&& fits) {
    return !asks_.empty() && (search(true, fits) || search(false, fits));
  }

 private:
  // Who accepts a message of a channel accepts all: they go in order.
  struct Channel {
    std::vector<OpId> sends{};
    std::size_t next = 0;
    // At least, at most so many were received, as synchronous senders went on or did not.
    std::size_t least = 0, most = std::numeric_limits<std::size_t>::max();
    bool empty() const { return next == sends.size(); }
  };
  using Key = std::tuple<int, int, int>;  // communicator, source, tag
  struct Ask {
    Operation op;  // as it was asked for: a forced one names its source
    OpId id;
    OpId seen;  // any message of the source and tag that it got
    OpId got;
    std::vector<OpId> ways;  // that are open to it; kNoOp: nothing
    std::size_t tried;       // of them
  };

  Channel& channel_of(OpId send) {
    const Operation& op = program_[send];
    return channels_.at({op.comm, op.process, op.tag});
  }

  void add(Channel& channel, OpId send) {
    channel.sends.push_back(send);
    const Operation& op = program_[send];
    const OpId at = op.blocking ? send : op.wait;
    if (op.mode != predict::SendMode::synchronous || at == kNoOp) return;
    const auto sender = static_cast<std::size_t>(op.process);
    if (!stands_[sender] || at + 1 != program_.first[sender + 1])
      channel.least = channel.sends.size();
    else if (op.blocking || program_[at].completes.size() == 1)  // else any of them may be missing
      channel.most = std::min(channel.most, channel.sends.size() - 1);
  }

  // The first message of each source that it could get, and nothing, as far as that agrees with
  // what was seen of it and of earlier ones.
  void find_ways(Ask& ask) const {
    ask.ways.clear();
    ask.tried = 0;
    const Operation* seen = ask.seen == kNoOp ? nullptr : &program_[ask.seen];
    const bool surely_nothing = (ask.op.kind == OpKind::probe && seen == nullptr) ||
                                (waited_for_.size() == 1 && waited_for_[0] == ask.id);
    const int source = seen != nullptr ? seen->process : ask.op.peer;
    constexpr int kLeast = std::numeric_limits<int>::min();
    auto at = channels_.lower_bound({ask.op.comm, source == kAny ? kLeast : source, kLeast});
    while (at != channels_.end() && !surely_nothing && std::get<0>(at->first) == ask.op.comm) {
      const int sender = std::get<1>(at->first);
      if (source != kAny && sender != source) break;
      OpId first = kNoOp;
      bool can = true;
      for (; at != channels_.end() && std::get<0>(at->first) == ask.op.comm &&
             std::get<1>(at->first) == sender;
           ++at)
        if (!at->second.empty()) {
          const OpId head = at->second.sends[at->second.next];
          if (head > first || !predict::accepts(ask.op, program_[head])) continue;
          first = head;
          can = ask.op.kind == OpKind::probe || at->second.next < at->second.most;
        }
      if (first == kNoOp || !can || is_owed(first)) continue;
      if (seen == nullptr || program_[first].tag == seen->tag) ask.ways.push_back(first);
    }
    std::sort(ask.ways.begin(), ask.ways.end());
    if (seen == nullptr) ask.ways.push_back(kNoOp);
  }

  // An earlier receive that goes without would have taken it.
  bool is_owed(OpId send) const {
    return std::any_of(without_.begin(), without_.end(),
                       [&](const Ask* a) { return predict::accepts(a->op, program_[send]); });
  }

  void take(Ask& ask) {
    ask.got = ask.ways[ask.tried++];
    if (ask.op.kind == OpKind::probe) return;
    if (ask.got == kNoOp)
      without_.push_back(&ask);
    else
      ++channel_of(ask.got).next;
  }
  void give_back(Ask& ask) {
    if (ask.op.kind == OpKind::probe) return;
    if (ask.got == kNoOp)
      without_.pop_back();
    else
      --channel_of(ask.got).next;
  }

  bool at_rest() const {
    const auto asked_for = [&](OpId send) {
      return is_owed(send) || (probing_ && predict::accepts(*probing_, program_[send]));
    };
    for (const auto& [key, channel] : channels_)
      if (channel.next < channel.least ||
          (!channel.empty() && asked_for(channel.sends[channel.next])))
        return false;
    return waited_for_.empty() || std::any_of(without_.begin(), without_.end(), [&](const Ask* a) {
             return std::find(waited_for_.begin(), waited_for_.end(), a->id) != waited_for_.end();
           });
  }

  template <typename Fits>
  bool search(bool rest, Fits& fits) {
    std::size_t retreats = 0, at = 0;
    find_ways(asks_[0]);
    for (;;) {
      if (at < asks_.size() && asks_[at].tried < asks_[at].ways.size()) {
        take(asks_[at]);
        if (++at < asks_.size()) find_ways(asks_[at]);
        continue;
      }
      if (at == asks_.size() && (!rest || at_rest())) {
        for (const Ask& a : asks_) run_.met[a.id] = a.got;
        if (fits()) return true;
      }
      if (at == 0) return false;
      const bool enough = ++retreats > kMostRetreats;
      do give_back(asks_[--at]);
      while (enough && at > 0);
      if (enough) return false;
    }
  }

  Observation& run_;
  const predict::Program& program_;
  const std::vector<bool>& stands_;
  std::map<Key, Channel> channels_;
  std::vector<Ask> asks_;
  std::vector<const Ask*> without_;   // receives
  std::optional<Operation> probing_;  // the probe in which it stands
  std::vector<OpId> waited_for_;      // of several it is enough that one has nothing
};

}  // namespace

void take_known(Observation& run, const policy::Schedule& schedule, std::vector<bool>& stands) {
  const predict::Program& program = run.program;
  for (const auto& [rank, mine] : schedule.ranks) {
    const auto p = static_cast<std::size_t>(rank);
    if (rank < 0 || p >= stands.size()) continue;
    std::size_t number = 0;
    for (OpId id = program.first[p]; id < program.first[p + 1]; ++id) {
      const Operation& op = program[id];
      if (!is_event(op)) continue;
      const policy::Match match =
          number < mine.matches.size() ? mine.matches[number] : policy::Match{};
      ++number;
      if (run.met[id] != kNoOp || match.source < 0 || op.kind != OpKind::receive) continue;
      for (OpId send = 0; send < program.ops.size() && run.met[id] == kNoOp; ++send)
        if (const Operation& from = program[send];
            from.kind == OpKind::send && predict::accepts(op, from) &&
            rank_in(run.members, op.comm, from.process) == match.source &&
            (match.tag == policy::kNoTag || match.tag == from.tag))
          run.met[id] = send;
      if (run.met[id] != kNoOp) stands[p] = false;
    }
  }
}

void settle(Observation& run, const Decisions& forced, const std::vector<bool>& stands) {
  predict::Program asked = run.program;
  std::vector<bool> unseen(static_cast<std::size_t>(asked.processes()));
  for (int p = 0; p < asked.processes(); ++p) {
    const auto at = static_cast<std::size_t>(p);
    int number = 0;
    for (OpId id = asked.first[at]; id < asked.first[at + 1]; ++id) {
      if (asked[id].kind == OpKind::receive && run.met[id] == kNoOp) unseen[at] = true;
      if (!is_event(run.program[id])) continue;
      const EventId event{p, number++};
      const auto decided =
          std::lower_bound(forced.begin(), forced.end(), event,
                           [](const Decision& d, EventId wanted) { return d.event < wanted; });
      if (decided != forced.end() && decided->event == event) asked.ops[id].peer = decided->source;
    }
  }
  if (std::find(unseen.begin(), unseen.end(), true) == unseen.end()) return;
  const std::vector<OpId> told = run.met;
  const auto settle_each = [&](auto&& fits) {
    for (std::size_t p = 0; p < unseen.size(); ++p) {
      if (!unseen[p]) continue;
      const std::vector<OpId> before = run.met;
      std::copy(told.begin() + asked.first[p], told.begin() + asked.first[p + 1],
                run.met.begin() + asked.first[p]);
      if (!Settling(run, asked, stands, static_cast<int>(p)).go([&] { return fits(run); }))
        run.met = before;
    }
  };
  settle_each([](const Observation&) { return true; });
  // A message may have been sent only after what it was given to.
  std::size_t looked = 0;
  const auto possible = [&](const Observation& way) {
    return ++looked > kMostLooks || analyse(way, Protocol::lamport).stuck.empty();
  };
  for (int round = 0; round < kRounds && !possible(run); ++round) settle_each(possible);
}

}  // namespace vouch::explore
