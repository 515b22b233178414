#include "predict/program/order.h"

#include <algorithm>

#include "predict/pairs/counted_pairs.h"

namespace vouch::predict {

Order::Order(const Program& program, Buffering buffering)
    : node_(program.ops.size(), kNoNode),
      done_(program.ops.size(), kNoNode),
      stop_before_(program.ops.size(), kNoOp),
      stops_(program.ops.size()) {
  std::vector<NodeId> shared(program.groups.size(), kNoNode);  // one instant for all members
  const auto new_node = [&] {
    never_.push_back(false);
    return static_cast<NodeId>(nodes++);
  };
  const auto makes_stop = [&](const Operation& op) {
    return op.kind == OpKind::wait || op.kind == OpKind::probe ||
           (op.kind == OpKind::sync && op.blocking) ||
           (op.kind == OpKind::send && op.blocking && rendezvous(op, buffering));
  };
  const auto all_at_once = [&](const SyncGroup& group) {
    return buffering == Buffering::zero || group.kind == SyncKind::all;
  };
  for (int p = 0; p < program.processes(); ++p) {
    OpId stop = kNoOp;
    for (OpId id = program.first[p]; id < program.first[p + 1]; ++id) {
      const auto& op = program[id];
      stop_before_[id] = stop;
      if (op.kind == OpKind::receive) node_[id] = new_node();
      if (!makes_stop(op)) continue;
      stops_[id] = true;
      stop = id;
      const bool own = op.kind == OpKind::wait && op.completes.size() == 1 &&
                       op.completes[0] + 1 == id &&
                       program[op.completes[0]].kind == OpKind::receive;
      if (own) {
        node_[id] = node_[op.completes[0]];  // received and waited for in one instant
      } else if (op.kind == OpKind::sync && all_at_once(program.groups[op.group])) {
        if (shared[op.group] == kNoNode) shared[op.group] = new_node();
        node_[id] = shared[op.group];
      } else {
        node_[id] = new_node();
      }
      if (op.kind == OpKind::send) done_[id] = node_[id];
    }
  }

  const auto edge = [&](NodeId from, NodeId to) {
    if (from != kNoNode && from != to) edges.push_back({from, to});
  };
  // What a member of a collective needs, seen from the node where that matters.
  const auto need_members = [&](OpId id, NodeId at) {
    const auto& group = program.groups[program[id].group];
    const auto member = static_cast<std::size_t>(std::find(group.ops.begin(), group.ops.end(), id) -
                                                 group.ops.begin());
    for (const auto other : needs(group, member, buffering)) {
      if (group.ops[other] == kNoOp)
        never_[at] = true;
      else if (node_[group.ops[other]] != at)
        edge(before(group.ops[other]), at);
    }
  };
  for (OpId id = 0; id < program.ops.size(); ++id) {
    const auto& op = program[id];
    if (node_[id] != kNoNode) edge(before(id), node_[id]);
    if (op.kind == OpKind::sync && op.blocking) need_members(id, node_[id]);
    if (op.kind != OpKind::wait) continue;
    for (OpId done : op.completes) {
      const auto& what = program[done];
      if (what.kind == OpKind::receive) edge(node_[done], node_[id]);
      if (what.kind == OpKind::sync && !what.blocking) need_members(done, node_[id]);
      if (what.kind == OpKind::send && !what.blocking && rendezvous(what, buffering))
        done_[done] = node_[id];
    }
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
}

namespace {

// Sets of nodes, one per node.
class NodeSets {
 public:
  NodeSets(std::size_t nodes, bool full)
      : words_((nodes + 63) / 64), bits_(nodes * words_, full ? ~0ull : 0ull) {}

  std::uint64_t* operator[](NodeId n) { return bits_.data() + n * words_; }
  const std::uint64_t* operator[](NodeId n) const { return bits_.data() + n * words_; }
  bool has(NodeId set, NodeId member) const {
    return ((*this)[set][member / 64] >> (member % 64)) & 1;
  }
  std::size_t words() const { return words_; }

 private:
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

// The largest solution of: what precedes a node is what precedes its fixed predecessors and they
// themselves, and what all its causes share. Right by induction over the time at which things
// happen; nodes that can never happen keep every node as predecessor.
class Necessary {
 public:
  Necessary(const Program& program, const Order& order, Buffering buffering,
            const MatchPairs& pairs)
      : order_(order), sets_(order.nodes, true), into_(order.nodes), causes_(order.nodes) {
    for (const auto& [from, to] : order.edges) into_[to].push_back(from);
    for (OpId id = 0; id < program.ops.size(); ++id) {
      const auto& op = program[id];
      if (op.kind == OpKind::receive) {
        auto& one_of = causes_[order.node(id)].emplace_back();
        for (OpId s : pairs.sends_of(id)) one_of.push_back(order.before(s));
      } else if (op.kind == OpKind::send && rendezvous(op, buffering) &&
                 order.done(id) != kNoNode) {
        auto& one_of = causes_[order.done(id)].emplace_back();
        for (OpId r : pairs.receives_of(id)) one_of.push_back(order.node(r));
      } else if (op.kind == OpKind::probe) {
        auto& one_of = causes_[order.node(id)].emplace_back();
        for (OpId s = 0; s < program.ops.size(); ++s)
          if (program[s].kind == OpKind::send && accepts(op, program[s]))
            one_of.push_back(order.before(s));
      }
    }
    solve();
  }

  bool precedes(NodeId a, NodeId b) const { return sets_.has(b, a); }
  bool never(NodeId n) const { return sets_.has(n, n); }

 private:
  void solve() {
    const std::size_t words = sets_.words();
    std::vector<std::uint64_t> now(words), one(words), common(words);
    for (bool changed = true; changed;) {
      changed = false;
      for (NodeId n = 0; n < order_.nodes; ++n) {
        if (order_.never(n)) continue;
        std::fill(now.begin(), now.end(), 0);
        for (NodeId from : into_[n]) add(from, now);
        for (const auto& one_of : causes_[n]) {
          std::fill(common.begin(), common.end(), ~0ull);
          for (NodeId cause : one_of) {
            std::fill(one.begin(), one.end(), 0);
            if (cause != kNoNode) add(cause, one);
            for (std::size_t w = 0; w < words; ++w) common[w] &= one[w];
          }
          for (std::size_t w = 0; w < words; ++w) now[w] |= common[w];
        }
        auto* set = sets_[n];
        if (std::equal(now.begin(), now.end(), set)) continue;
        std::copy(now.begin(), now.end(), set);
        changed = true;
      }
    }
  }

  void add(NodeId from, std::vector<std::uint64_t>& to) const {
    const auto* set = sets_[from];
    for (std::size_t w = 0; w < to.size(); ++w) to[w] |= set[w];
    to[from / 64] |= 1ull << (from % 64);
  }

  const Order& order_;
  NodeSets sets_;
  std::vector<std::vector<NodeId>> into_;
  std::vector<std::vector<std::vector<NodeId>>> causes_;  // of each list one has happened
};

bool possible(const Order& order, const Necessary& necessary, Buffering buffering,
              const Program& program, Match match) {
  const NodeId r = order.node(match.receive), sent = order.before(match.send);
  if (necessary.never(r)) return false;
  if (sent != kNoNode && (sent == r || necessary.never(sent) || necessary.precedes(r, sent)))
    return false;
  const NodeId done = order.done(match.send);
  if (!rendezvous(program[match.send], buffering) || done == kNoNode) return true;
  return done != r && !necessary.precedes(done, r);
}

// Whoever has one partner left takes it from all others. False: someone has none.
bool force(const Program& program, Buffering buffering, MatchPairs& pairs, bool& changed) {
  std::vector<OpId> taken_by(program.ops.size(), kNoOp);  // the only possible partner
  const auto take = [&](OpId one, OpId partner) {
    if (taken_by[partner] != kNoOp && taken_by[partner] != one) return false;
    taken_by[partner] = one;
    return true;
  };
  // Where there are as many sends as receives, every send is received.
  std::vector<bool> must(program.ops.size());
  for (const auto& endpoint : endpoints(program)) {
    const bool even = endpoint.receives.size() == endpoint.sends.size();
    std::size_t so_many = 0;
    for (OpId s : endpoint.sends) {
      must[s] = even || (rendezvous(program[s], buffering) &&
                         (program[s].blocking || program[s].wait != kNoOp));
      so_many += must[s];
    }
    if (so_many > endpoint.receives.size()) return false;
  }
  for (OpId id = 0; id < program.ops.size(); ++id) {
    const bool is_receive = program[id].kind == OpKind::receive;
    if (!is_receive && !(program[id].kind == OpKind::send && must[id])) continue;
    const auto partners = is_receive ? pairs.sends_of(id) : pairs.receives_of(id);
    if (partners.empty()) return false;
    if (partners.size() == 1 && !take(id, partners[0])) return false;
  }
  MatchPairs left(program);
  for (OpId r = 0; r < program.ops.size(); ++r)
    for (OpId s : pairs.sends_of(r)) {
      const bool stolen =
          (taken_by[s] != kNoOp && taken_by[s] != r) || (taken_by[r] != kNoOp && taken_by[r] != s);
      if (stolen)
        changed = true;
      else
        left.add({r, s});
    }
  pairs = std::move(left);
  return true;
}

}  // namespace

Refined refine(const Program& program, const Order& order, Buffering buffering,
               const MatchPairs& given, bool complete) {
  Refined refined{given, std::vector<bool>(order.nodes), false};
  const auto certified = nearest_waits(program);
  for (bool changed = true; changed;) {
    changed = false;
    const Necessary necessary(program, order, buffering, refined.pairs);
    MatchPairs left(program);
    for (OpId r = 0; r < program.ops.size(); ++r)
      for (OpId s : refined.pairs.sends_of(r)) {
        if (possible(order, necessary, buffering, program, {r, s}))
          left.add({r, s});
        else
          changed = true;
      }
    refined.pairs = std::move(left);
    for (NodeId n = 0; n < order.nodes; ++n) {
      refined.never[n] = necessary.never(n);
      if (complete && refined.never[n]) refined.incomplete = true;
    }
    bool possible = true;
    changed |= prune_by_counting(program, certified, complete, refined.pairs, possible);
    if (!possible) refined.incomplete = true;
    if (complete && !refined.incomplete && !force(program, buffering, refined.pairs, changed))
      refined.incomplete = true;
    if (refined.incomplete) break;
  }
  return refined;
}

}  // namespace vouch::predict
