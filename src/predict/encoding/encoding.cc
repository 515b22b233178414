#include "predict/encoding/encoding.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "predict/encoding/short_cycles.h"
#include "predict/quick/scc.h"

namespace vouch::predict {
namespace {

constexpr std::size_t kMaxCyclesAtOnce = 100;
constexpr std::size_t kMaxCounted = 300;

}  // namespace

Encoding::Encoding(z3::context& context, const Program& program, Buffering buffering,
                   const MatchPairs& pairs, Extent extent, Rules rules)
    : context_(context),
      program_(program),
      buffering_(buffering),
      extent_(extent),
      rules_(rules),
      order_(program, buffering),
      yes_(context.bool_val(true)),
      no_(context.bool_val(false)),
      certified_(nearest_waits(program)),
      refined_{pairs, std::vector<bool>(order_.nodes), false},
      takes_(program.ops.size()),
      ladder_(program.ops.size()),
      sees_(program.ops.size()) {
  if (rules.refine)
    refined_ = refine(program, order_, buffering, pairs, extent == Extent::complete);
  for (NodeId n = 0; n < order_.nodes; ++n)
    if (order_.never(n)) {
      refined_.never[n] = true;
      refined_.incomplete |= extent == Extent::complete;
    }
  if (refined_.incomplete) {
    impossible_ = true;
    return;
  }
  if (extent != Extent::complete)
    for (OpId id = 0; id < program.ops.size(); ++id)
      if (order_.stops(id)) passed_.emplace(id, literal("pass." + program[id].name));
  add_receives();
  add_ladders();
  add_probe_choices();
  if (rules.fifo) add_channels();
  if (rules.priority) add_priority();
  add_stops();
  if (extent == Extent::stuck) add_stuck();
  if (extent != Extent::complete) add_counts();
  keep_edges_on_cycles();
}

// ---- small clauses ----

void Encoding::clause(std::initializer_list<z3::expr> literals) {
  z3::expr_vector all(context_);
  for (const auto& one : literals) {
    if (one.is_true()) return;
    if (!one.is_false()) all.push_back(one);
  }
  if (all.empty())
    impossible_ = true;
  else
    require(all.size() == 1 ? all[0] : z3::mk_or(all));
}

z3::expr Encoding::any_of(const std::vector<z3::expr>& literals) const {
  if (literals.empty()) return no_;
  if (literals.size() == 1) return literals[0];
  z3::expr_vector all(context_);
  for (const auto& one : literals) all.push_back(one);
  return z3::mk_or(all);
}

z3::expr Encoding::fresh(const char* what) { return literal(fmt::format("{}.{}", what, fresh_++)); }

void Encoding::at_most_one(const std::vector<z3::expr>& literals) {
  if (literals.size() <= 4) {
    for (std::size_t i = 0; i < literals.size(); ++i)
      for (std::size_t j = i + 1; j < literals.size(); ++j) clause({!literals[i], !literals[j]});
    return;
  }
  z3::expr seen = literals[0];
  for (std::size_t i = 1; i < literals.size(); ++i) {
    clause({!literals[i], !seen});
    if (i + 1 == literals.size()) break;
    const auto next = fresh("one");
    clause({!seen, next});
    clause({!literals[i], next});
    seen = next;
  }
}

// ---- what is asked of the encoding ----

z3::expr Encoding::takes(Match match) const {
  const auto known = takes_[match.receive].find(match.send);
  return known == takes_[match.receive].end() ? no_ : known->second;
}

z3::expr Encoding::passed(OpId stop) const {
  return extent_ == Extent::complete ? yes_ : passed_.at(stop);
}

z3::expr Encoding::reached(OpId op) const {
  const OpId stop = order_.stop_before(op);
  return stop == kNoOp ? yes_ : passed(stop);
}

z3::expr Encoding::matched(OpId receive) const {
  if (extent_ == Extent::complete) return yes_;
  const auto known = matched_.find(receive);
  return known == matched_.end() ? no_ : known->second;
}

z3::expr Encoding::received(OpId send) const {
  return ladder_[send].empty() ? no_ : ladder_[send].back();
}

z3::expr Encoding::received_before(OpId send, OpId r) const {
  const auto takers = refined_.pairs.receives_of(send);
  const auto before = std::lower_bound(takers.begin(), takers.end(), r) - takers.begin();
  return before == 0 ? no_ : ladder_[send][before - 1];
}

// No wait in between says that the earlier one was matched.
bool Encoding::overlaps(OpId earlier, OpId r) const {
  return !rules_.after_stops || certified_[earlier] == kNoOp || certified_[earlier] > r;
}

// ---- [S1, S3]: who takes what ----

void Encoding::add_receives() {
  for (OpId r = 0; r < program_.ops.size(); ++r) {
    if (program_[r].kind != OpKind::receive) continue;
    std::vector<z3::expr> all;
    for (OpId s : refined_.pairs.sends_of(r)) {
      auto x = literal(fmt::format("x.{}.{}", program_[r].name, program_[s].name));
      pairs_.push_back({r, s});
      takes_[r].emplace(s, x);
      all.push_back(x);
      if (extent_ != Extent::complete) {
        clause({!x, reached(r)});
        clause({!x, reached(s)});
      }
      if (rules_.after_stops) edge(order_.before(s), order_.node(r), {x});
      if (rendezvous(program_[s], buffering_)) edge(order_.node(r), order_.done(s), {x});
    }
    at_most_one(all);
    if (extent_ == Extent::complete) {
      if (all.empty())
        impossible_ = true;
      else
        require(any_of(all));
    } else if (!all.empty()) {
      const auto m = literal("matched." + program_[r].name);
      matched_.emplace(r, m);
      for (const auto& x : all) clause({!x, m});
      require(!m || any_of(all));
    }
  }
}

void Encoding::add_ladders() {
  for (OpId s = 0; s < program_.ops.size(); ++s) {
    const auto takers = refined_.pairs.receives_of(s);
    for (std::size_t k = 0; k < takers.size(); ++k) {
      const auto x = takes({takers[k], s});
      if (k == 0) {
        ladder_[s].push_back(x);
        continue;
      }
      const auto below = ladder_[s].back();
      const auto step = literal(fmt::format("taken.{}.{}", program_[s].name, k));
      clause({!x, !below});
      clause({!below, step});
      clause({!x, step});
      clause({!step, below, x});
      ladder_[s].push_back(step);
    }
  }
  if (extent_ != Extent::complete || !rules_.sends_taken) return;
  for (const auto& endpoint : endpoints(program_))
    if (endpoint.receives.size() == endpoint.sends.size())
      for (OpId s : endpoint.sends) clause({received(s)});
}

// ---- [S2]: channels ----

void Encoding::add_channels() {
  for (const auto& endpoint : endpoints(program_)) {
    std::map<int, std::vector<OpId>> channels;
    for (OpId s : endpoint.sends) channels[program_[s].process].push_back(s);
    std::vector<OpId> takers = endpoint.receives;
    for (OpId p = program_.first[endpoint.process]; p < program_.first[endpoint.process + 1]; ++p)
      if (program_[p].kind == OpKind::probe && program_[p].comm == endpoint.comm)
        takers.push_back(p);
    for (const auto& [source, sends] : channels) {
      const int tag = program_[sends[0]].tag;
      const bool tags_matter =
          std::any_of(sends.begin(), sends.end(), [&](OpId s) { return program_[s].tag != tag; }) ||
          std::any_of(takers.begin(), takers.end(),
                      [&](OpId r) { return program_[r].tag != kAny && program_[r].tag != tag; });
      for (OpId taker : takers) add_channel(taker, sends, tags_matter);
    }
  }
}

// Before the taker has a message of the channel, all earlier ones it would have taken are gone.
void Encoding::add_channel(OpId taker, const std::vector<OpId>& sends, bool tags_matter) {
  const bool probes = program_[taker].kind == OpKind::probe;
  const auto literal_for = [&](OpId s) -> z3::expr {
    if (!probes) return takes({taker, s});
    for (const auto& [seen, y] : sees_[taker])
      if (seen == s) return y;
    return no_;
  };
  z3::expr gone = yes_;
  std::vector<OpId> before;
  for (OpId s : sends) {
    if (!accepts(program_[taker], program_[s])) continue;
    const auto has = literal_for(s);
    if (!has.is_false()) {
      clause({!has, gone});
      // Also in time, where neither a wait nor priority says so.
      if (tags_matter)
        for (OpId earlier : before)
          for (OpId r : refined_.pairs.receives_of(earlier))
            if (r < taker && overlaps(r, taker) && !accepts(program_[r], program_[s]))
              edge(order_.node(r), order_.node(taker), {has, takes({r, earlier})});
    }
    const auto this_gone = received_before(s, taker);
    if (tags_matter && !gone.is_true()) {
      // Without tags the last one is enough: it needed those before it.
      const auto all_gone = fresh("gone");
      clause({!all_gone, gone});
      clause({!all_gone, this_gone});
      gone = all_gone;
    } else {
      gone = this_gone;
    }
    if (tags_matter) before.push_back(s);
  }
}

// ---- [S5]: a message goes to the receive posted first ----

void Encoding::add_priority() {
  for (int p = 0; p < program_.processes(); ++p) {
    std::vector<OpId> open;  // receives that may still be unmatched
    for (OpId id = program_.first[p]; id < program_.first[p + 1]; ++id) {
      const auto& op = program_[id];
      if (op.kind != OpKind::receive && op.kind != OpKind::probe) continue;
      std::erase_if(open, [&](OpId earlier) { return !overlaps(earlier, id); });
      for (OpId earlier : open) {
        if (op.kind == OpKind::receive && covers(program_[earlier], op)) {
          clause({!matched(id), matched(earlier)});
          edge(order_.node(earlier), order_.node(id), {matched(id)});
          continue;
        }
        const auto after = [&](OpId s, const z3::expr& has) {
          if (!accepts(program_[earlier], program_[s])) return;
          clause({!has, matched(earlier)});
          edge(order_.node(earlier), order_.node(id), {has});
        };
        for (OpId s : refined_.pairs.sends_of(id)) after(s, takes({id, s}));
        for (const auto& [s, y] : sees_[id]) after(s, y);
      }
      if (op.kind == OpKind::receive) open.push_back(id);
    }
  }
}

// ---- probes: a message is there, and stays ----

void Encoding::add_probe_choices() {
  for (OpId p = 0; p < program_.ops.size(); ++p) {
    if (program_[p].kind != OpKind::probe) continue;
    std::vector<z3::expr> all;
    for (OpId s = 0; s < program_.ops.size(); ++s) {
      if (program_[s].kind != OpKind::send || !accepts(program_[p], program_[s])) continue;
      const auto y = literal(fmt::format("sees.{}.{}", program_[p].name, program_[s].name));
      sees_[p].emplace_back(s, y);
      all.push_back(y);
      clause({!y, reached(s)});
      clause({!y, !received_before(s, p)});
      edge(order_.before(s), order_.node(p), {y});
    }
    clause({!passed(p), any_of(all)});
  }
}

// ---- [S4, S7]: stops ----

std::vector<z3::expr> Encoding::complete_parts(OpId stop) const {
  std::vector<z3::expr> parts;
  const auto add_members = [&](OpId id) {
    const auto& group = program_.groups[program_[id].group];
    const auto member = static_cast<std::size_t>(std::find(group.ops.begin(), group.ops.end(), id) -
                                                 group.ops.begin());
    for (const auto other : needs(group, member, buffering_))
      parts.push_back(group.ops[other] == kNoOp ? no_ : reached(group.ops[other]));
  };
  const auto& op = program_[stop];
  if (op.kind == OpKind::send) parts.push_back(received(stop));
  if (op.kind == OpKind::sync) add_members(stop);
  for (OpId done : op.completes) {
    const auto& what = program_[done];
    if (what.kind == OpKind::receive) parts.push_back(matched(done));
    if (what.kind == OpKind::sync && !what.blocking) add_members(done);
    if (what.kind == OpKind::send && !what.blocking && rendezvous(what, buffering_))
      parts.push_back(received(done));
  }
  return parts;
}

void Encoding::add_stops() {
  for (OpId id = 0; id < program_.ops.size(); ++id) {
    if (!order_.stops(id)) continue;
    const auto pass = passed(id);
    if (extent_ != Extent::complete) {
      clause({!pass, reached(id)});
      if (refined_.never[order_.node(id)]) clause({!pass});
    }
    const bool only_sends = program_[id].kind == OpKind::send && !rules_.sends_taken;
    if (!only_sends)
      for (const auto& part : complete_parts(id)) clause({!pass, part});
  }
  if (rules_.after_stops) {
    for (const auto& [from, to] : order_.edges) edge(from, to, {});
    return;
  }
  // The order of a receive and its wait stays when the rest of [S4] is left out.
  for (OpId r = 0; r < program_.ops.size(); ++r)
    if (program_[r].kind == OpKind::receive && program_[r].wait != kNoOp &&
        order_.node(r) != order_.node(program_[r].wait))
      edge(order_.node(r), order_.node(program_[r].wait), {});
}

// ---- stuck (5.7) ----

void Encoding::add_stuck() {
  std::vector<z3::expr> unfinished;
  for (int p = 0; p < program_.processes(); ++p) {
    OpId last = kNoOp;
    for (OpId id = program_.first[p]; id < program_.first[p + 1]; ++id) {
      if (!order_.stops(id)) continue;
      last = id;
      const auto going_on = passed(id) || !reached(id);
      if (program_[id].kind == OpKind::probe) {
        for (const auto& [s, y] : sees_[id]) clause({going_on, !reached(s), received(s)});
        continue;
      }
      std::vector<z3::expr> incomplete{passed(id), !reached(id)};
      for (const auto& part : complete_parts(id)) incomplete.push_back(!part);
      require(any_of(incomplete));
    }
    if (last != kNoOp) unfinished.push_back(!passed(last));
  }
  if (unfinished.empty())
    impossible_ = true;
  else
    require(any_of(unfinished));
  add_maximality();
}

// A posted receive without a message and a message without a receive that fit: not stuck. Receives
// with one envelope, and sends of one source and tag, are asked about together.
void Encoding::add_maximality() {
  for (const auto& endpoint : endpoints(program_)) {
    std::map<std::pair<int, int>, std::pair<OpId, std::vector<z3::expr>>> hungry, waiting;
    for (OpId r : endpoint.receives) {
      auto& entry = hungry[{program_[r].peer, program_[r].tag}];
      entry.first = r;
      entry.second.push_back(reached(r) && !matched(r));
    }
    for (OpId s : endpoint.sends) {
      auto& entry = waiting[{program_[s].process, program_[s].tag}];
      entry.first = s;
      entry.second.push_back(reached(s) && !received(s));
    }
    const auto name = [&](const std::vector<z3::expr>& one_of) {
      const auto some = fresh("open");
      for (const auto& one : one_of) require(z3::implies(one, some));
      return some;
    };
    std::map<std::pair<int, int>, z3::expr> open_sends;
    for (const auto& [key, entry] : waiting) open_sends.emplace(key, name(entry.second));
    for (const auto& [key, entry] : hungry) {
      const auto open_receives = name(entry.second);
      for (const auto& [source, sends] : waiting)
        if (accepts(program_[entry.first], program_[sends.first]))
          clause({!open_receives, !open_sends.at(source)});
    }
  }
}

// ---- counting ----

// Unary numbers, largest digit last; their sum.
std::vector<z3::expr> Encoding::merge(const std::vector<z3::expr>& a,
                                      const std::vector<z3::expr>& b) {
  std::vector<z3::expr> sum;
  for (std::size_t k = 0; k < a.size() + b.size(); ++k) sum.push_back(fresh("count"));
  const auto digit = [&](const std::vector<z3::expr>& number, std::size_t k) {
    return k == 0 ? yes_ : k > number.size() ? no_ : number[k - 1];
  };
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      clause({!digit(a, i), !digit(b, j), digit(sum, i + j)});
      clause({digit(a, i + 1), digit(b, j + 1), !digit(sum, i + j + 1)});
    }
  return sum;
}

// As many messages received as receives matched. It follows from the rest, but to see that is a
// pigeonhole problem; said in numbers it is nothing. Only where the messages of a channel, and the
// receives, are matched one after the other: then their literals are numbers already.
void Encoding::add_counts() {
  for (const auto& endpoint : endpoints(program_)) {
    if (endpoint.sends.size() > kMaxCounted || endpoint.receives.size() < 2) continue;
    bool one_by_one = true;
    for (std::size_t i = 1; i < endpoint.receives.size(); ++i)
      one_by_one &= !overlaps(endpoint.receives[i - 1], endpoint.receives[i]) ||
                    covers(program_[endpoint.receives[i - 1]], program_[endpoint.receives[i]]);
    const int tag = endpoint.sends.empty() ? 0 : program_[endpoint.sends[0]].tag;
    for (OpId s : endpoint.sends) one_by_one &= program_[s].tag == tag;
    for (OpId r : endpoint.receives)
      one_by_one &= program_[r].tag == kAny || program_[r].tag == tag;
    if (!one_by_one) continue;
    std::map<int, std::vector<z3::expr>> channels;
    for (OpId s : endpoint.sends) channels[program_[s].process].push_back(received(s));
    std::vector<std::vector<z3::expr>> numbers;
    for (auto& [source, number] : channels) numbers.push_back(std::move(number));
    for (std::size_t i = 0; i + 1 < numbers.size(); i += 2)
      numbers.push_back(merge(numbers[i], numbers[i + 1]));
    if (numbers.empty()) continue;
    const auto& sum = numbers.back();
    for (std::size_t k = 0; k < std::max(sum.size(), endpoint.receives.size()); ++k) {
      const auto sent = k < sum.size() ? sum[k] : no_;
      const auto taken = k < endpoint.receives.size() ? matched(endpoint.receives[k]) : no_;
      clause({!sent, taken});
      clause({sent, !taken});
    }
  }
}

// ---- time ----

void Encoding::edge(NodeId from, NodeId to, std::vector<z3::expr> guards) {
  if (from == kNoNode || to == kNoNode) return;
  for (const auto& guard : guards)
    if (guard.is_false()) return;
  std::erase_if(guards, [](const z3::expr& guard) { return guard.is_true(); });
  // What never happens stands nowhere in time.
  if (refined_.never[from] || refined_.never[to]) return;
  edges_.push_back({from, to, std::move(guards)});
}

void Encoding::keep_edges_on_cycles() {
  std::vector<std::pair<NodeId, NodeId>> graph;
  for (const auto& e : edges_) graph.emplace_back(e.from, e.to);
  part_ = strong_components(order_.nodes, graph);
  std::erase_if(edges_, [&](const Edge& e) { return part_[e.from] != part_[e.to]; });
}

std::vector<std::vector<z3::expr>> Encoding::together() const {
  std::map<std::uint32_t, std::vector<z3::expr>> by_part;
  for (const auto& e : edges_)
    for (const auto& guard : e.guards) by_part[part_[e.from]].push_back(guard);
  std::vector<std::vector<z3::expr>> groups;
  for (auto& [part, guards] : by_part) groups.push_back(std::move(guards));
  return groups;
}

std::vector<z3::expr> Encoding::times() const {
  std::vector<z3::expr> constraints;
  const auto time = [&](NodeId n) { return context_.int_const(fmt::format("t.{}", n).c_str()); };
  for (const auto& e : edges_) {
    z3::expr_vector literals(context_);
    for (const auto& guard : e.guards) literals.push_back(!guard);
    literals.push_back(e.from == e.to ? no_ : time(e.to) - time(e.from) >= 1);
    constraints.push_back(z3::mk_or(literals));
  }
  return constraints;
}

std::vector<z3::expr> Encoding::cycles(const std::function<bool(const z3::expr&)>& value) const {
  CycleFinder finder(order_.nodes);
  for (std::size_t i = 0; i < edges_.size(); ++i) {
    const auto& guards = edges_[i].guards;
    if (std::all_of(guards.begin(), guards.end(), value))
      finder.add(edges_[i].from, edges_[i].to, i, !guards.empty());
  }
  std::vector<z3::expr> forbidden;
  for (const auto& cycle : finder.find(kMaxCyclesAtOnce)) {
    z3::expr_vector literals(context_);
    for (const auto i : cycle)
      for (const auto& guard : edges_[i].guards) literals.push_back(!guard);
    forbidden.push_back(literals.empty() ? no_ : z3::mk_or(literals));
  }
  return forbidden;
}

}  // namespace vouch::predict
