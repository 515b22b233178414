// Random runs of random programs, and what the rules say about them, found by brute force.
//
// A program is made of messages and collectives put at the end of the sequences of those who take
// part, so that it could run; then some neighbours are swapped, so that perhaps it cannot. A naive
// library executes it in random order, buffers some sends, lets some leave collectives early, and
// so decides what wildcards take and how far each rank gets. The oracle knows nothing of queues: it
// counts.

#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <vector>

#include "wait/node.h"

namespace vouch::wait::testing {

using Random = std::mt19937;

inline int pick(Random& random, int n) {
  return static_cast<int>(std::uniform_int_distribution<int>(0, n - 1)(random));
}

struct Step {
  Kind kind = Kind::other;
  bool blocks = true;
  bool buffered = false;  // Bsend: never waits
  bool eager = false;     // the library does not wait here
  Envelope envelope{};    // comm, source, dest, tag; comm for collectives
  std::uint64_t wave = 0;
  std::vector<int> parts{};  // completion; receipt: of a matched probe's message
  bool claims = false;       // recv: a matched probe
  bool all = true;
  int line = 0;
  // What happened.
  Rank source = kAnyRank;  // that a wildcard took
  std::int32_t tag = 0;
  bool known = false;  // and the library has told
  bool done = false;   // the call returned
  bool wildcard() const {
    return (kind == Kind::recv || kind == Kind::probe) &&
           (envelope.source == kAnyRank || envelope.tag == kAnyTag);
  }
};

struct Trace {
  int ranks = 0;
  Groups groups;
  std::vector<std::vector<Step>> steps;
};

// Program ------------------------------------------------
inline Trace make_program(Random& random) {
  Trace t;
  t.ranks = 2 + pick(random, 5);
  t.steps.resize(static_cast<std::size_t>(t.ranks));
  const int comms = 1 + pick(random, 2);
  for (int c = 0; c < comms; ++c) {
    auto group = std::make_shared<Group>();
    for (Rank r = 0; r < t.ranks; ++r) {
      if (c == 0 || pick(random, 3) > 0) group->members.push_back(r);
    }
    if (group->members.size() < 2) group->members = {0, 1};
    if (c > 0 && group->members.size() > 3 && pick(random, 3) == 0) {
      const RankList all = group->members;
      group->members = {all[0], all[1]};
      for (std::size_t i = 2; i < all.size(); ++i) group->others.push_back(all[i]);
    }
    t.groups[static_cast<CommId>(c)] = group;
  }
  std::map<CommId, std::uint64_t> waves;
  std::vector<std::vector<int>> open(t.steps.size());     // requests
  std::vector<std::vector<int>> claimed(t.steps.size());  // matched probes
  const bool wild = pick(random, 2) == 0;
  const auto at = [&](Rank r) -> std::vector<Step>& {
    return t.steps[static_cast<std::size_t>(r)];
  };
  const auto add = [&](Rank r, Step s) {
    s.line = pick(random, 4);
    at(r).push_back(std::move(s));
    if (at(r).back().claims)
      claimed[static_cast<std::size_t>(r)].push_back(static_cast<int>(at(r).size()) - 1);
    if (!at(r).back().blocks && at(r).back().kind != Kind::receipt)
      open[static_cast<std::size_t>(r)].push_back(static_cast<int>(at(r).size()) - 1);
  };
  const auto complete = [&](Rank r, bool everything) {
    auto& mine = open[static_cast<std::size_t>(r)];
    if (mine.empty()) return;
    Step s;
    s.kind = Kind::completion;
    s.all = everything || pick(random, 3) > 0;
    for (std::size_t i = 0; i < mine.size();) {
      if (everything || pick(random, 2) == 0) {
        s.parts.push_back(mine[i]);
        if (s.all) {
          mine.erase(mine.begin() + static_cast<std::ptrdiff_t>(i));
          continue;
        }
      }
      ++i;
    }
    if (!s.parts.empty()) add(r, std::move(s));
  };
  const auto receive = [&](Rank r) {
    auto& mine = claimed[static_cast<std::size_t>(r)];
    if (mine.empty()) return;
    add(r, {.kind = Kind::receipt, .blocks = false, .parts = {mine.back()}});
    mine.pop_back();
  };
  const int actions = 2 + pick(random, 14);
  for (int a = 0; a < actions; ++a) {
    const auto comm = static_cast<CommId>(pick(random, comms));
    const Group& g = *t.groups[comm];
    const int what = pick(random, 10);
    if (what == 0) {
      const std::uint64_t wave = waves[comm]++;
      const bool blocks = pick(random, 3) > 0;
      for (const auto* side : {&g.members, &g.others}) {
        for (const Rank r : *side) {
          Step s{.kind = Kind::collective, .blocks = blocks};
          s.envelope.comm = comm;
          s.wave = wave;
          s.eager = pick(random, 3) == 0;
          add(r, std::move(s));
        }
      }
      continue;
    }
    if (what < 3) {
      const Rank r = pick(random, t.ranks);
      complete(r, false);
      receive(r);
      continue;
    }
    const auto choose = [&](const RankList& from) {
      return from[static_cast<std::size_t>(pick(random, static_cast<int>(from.size())))];
    };
    Rank from = choose(g.members), to = choose(g.inter() ? g.others : g.members);
    if (g.inter() && pick(random, 2) == 0) std::swap(from, to);
    Step send{.kind = Kind::send, .blocks = from == to ? false : pick(random, 3) > 0};
    send.envelope = {comm, from, to, pick(random, 2)};
    send.buffered = pick(random, 6) == 0;
    send.eager = pick(random, 2) == 0;
    Step recv{.kind = Kind::recv, .blocks = pick(random, 3) > 0};
    recv.envelope = send.envelope;
    if (wild && pick(random, 3) == 0) recv.envelope.source = kAnyRank;
    if (wild && pick(random, 4) == 0) recv.envelope.tag = kAnyTag;
    if (pick(random, 8) == 0) {
      Step probe = recv;
      probe.kind = Kind::probe;
      probe.blocks = true;
      add(from, send);
      add(to, probe);
      add(to, recv);
    } else if (pick(random, 6) == 0) {
      recv.claims = recv.blocks = true;
      add(from, send);
      add(to, recv);
      if (pick(random, 2) == 0) receive(to);
    } else if (pick(random, 20) == 0) {
      add(to, recv);  // nobody sends, or somebody else's message is taken
    } else {
      add(from, send);
      add(to, recv);
    }
  }
  for (Rank r = 0; r < t.ranks; ++r) {
    if (pick(random, 2) == 0) complete(r, true);
    while (!claimed[static_cast<std::size_t>(r)].empty() && pick(random, 12) > 0) receive(r);
    complete(r, true);
    add(r, {.kind = Kind::finalize});
  }
  // Perhaps it cannot run any more. Requests must stay before those who wait for them.
  const int swaps = pick(random, 4);
  for (int i = 0; i < swaps; ++i) {
    auto& steps = at(pick(random, t.ranks));
    if (steps.size() < 3) continue;
    const auto k = static_cast<std::size_t>(pick(random, static_cast<int>(steps.size()) - 2));
    const bool plain = steps[k].blocks && steps[k + 1].blocks && !steps[k].claims &&
                       !steps[k + 1].claims && steps[k].kind != Kind::completion &&
                       steps[k + 1].kind != Kind::completion;
    // The order of a communicator's collectives is not touched.
    const bool both = steps[k].kind == Kind::collective && steps[k + 1].kind == Kind::collective;
    if (plain && !both) std::swap(steps[k], steps[k + 1]);
  }
  return t;
}

// Few ranks and many receives that could take each other's messages: of any source before named
// ones, of any tag, waited for late.
inline Trace make_tangle(Random& random) {
  Trace t;
  t.ranks = 2 + pick(random, 3);
  t.steps.resize(static_cast<std::size_t>(t.ranks));
  auto world = std::make_shared<Group>();
  for (Rank r = 0; r < t.ranks; ++r) world->members.push_back(r);
  t.groups[0] = world;
  const int receivers = 1 + pick(random, 2);
  const auto some_line = [&] { return pick(random, 4); };
  for (Rank to = 0; to < receivers; ++to) {
    auto& mine = t.steps[static_cast<std::size_t>(to)];
    std::vector<Envelope> wanted;
    const int messages = 1 + pick(random, 5);
    for (int i = 0; i < messages; ++i) {
      const Rank from = (to + 1 + pick(random, t.ranks - 1)) % t.ranks;
      Step send{.kind = Kind::send, .blocks = true};
      send.envelope = {0, from, to, pick(random, 2)};
      send.eager = pick(random, 3) > 0;
      send.line = some_line();
      t.steps[static_cast<std::size_t>(from)].push_back(send);
      wanted.push_back(send.envelope);
    }
    std::shuffle(wanted.begin(), wanted.end(), random);
    if (pick(random, 4) == 0) wanted.push_back(wanted[0]);
    std::vector<int> open, claimed;
    const auto receive = [&] {
      mine.push_back({.kind = Kind::receipt, .blocks = false, .parts = {claimed.back()}});
      claimed.pop_back();
    };
    for (Envelope e : wanted) {
      if (pick(random, 2) == 0) e.source = kAnyRank;
      if (pick(random, 3) == 0) e.tag = kAnyTag;
      Step recv{.kind = Kind::recv, .blocks = pick(random, 2) == 0};
      recv.envelope = e;
      recv.line = some_line();
      recv.claims = recv.blocks && pick(random, 3) == 0;
      if (recv.claims) claimed.push_back(static_cast<int>(mine.size()));
      if (!recv.blocks) open.push_back(static_cast<int>(mine.size()));
      mine.push_back(recv);
      while (!claimed.empty() && pick(random, 2) == 0) receive();
    }
    while (!claimed.empty() && pick(random, 4) > 0) receive();
    while (!open.empty()) {
      Step wait{.kind = Kind::completion};
      wait.all = pick(random, 3) > 0;
      const auto n = static_cast<std::size_t>(1 + pick(random, static_cast<int>(open.size())));
      std::shuffle(open.begin(), open.end(), random);
      wait.parts.assign(open.end() - static_cast<std::ptrdiff_t>(n), open.end());
      wait.line = some_line();
      // After a wait for any of them they may be waited for again.
      if (wait.all || pick(random, 2) == 0) open.resize(open.size() - n);
      mine.push_back(wait);
    }
    while (!claimed.empty() && pick(random, 6) > 0) receive();
  }
  for (Rank r = 0; r < t.ranks; ++r)
    t.steps[static_cast<std::size_t>(r)].push_back({.kind = Kind::finalize});
  return t;
}

// Senders that run far ahead: many messages wait before the first is received, or nobody ever does.
inline Trace make_flood(Random& random) {
  Trace t;
  t.ranks = 2 + pick(random, 3);
  t.steps.resize(static_cast<std::size_t>(t.ranks));
  auto world = std::make_shared<Group>();
  for (Rank r = 0; r < t.ranks; ++r) world->members.push_back(r);
  t.groups[0] = world;
  const auto some_line = [&] { return pick(random, 4); };
  const bool wild = pick(random, 2) == 0;
  auto& mine = t.steps[0];
  std::vector<std::vector<Envelope>> wanted(t.steps.size());
  for (Rank from = 1; from < t.ranks; ++from) {
    auto& steps = t.steps[static_cast<std::size_t>(from)];
    std::vector<int> open;
    const int messages = 4 + pick(random, 12), tags = 1 + pick(random, 3);
    for (int i = 0; i < messages; ++i) {
      Step send{.kind = Kind::send, .blocks = pick(random, 4) > 0};
      send.envelope = {0, from, 0, pick(random, tags)};
      send.buffered = pick(random, 8) > 0;
      send.eager = pick(random, 2) == 0;
      send.line = some_line();
      if (!send.blocks) open.push_back(static_cast<int>(steps.size()));
      steps.push_back(send);
      if (pick(random, 16) > 0) wanted[static_cast<std::size_t>(from)].push_back(send.envelope);
      if (open.empty() || pick(random, 3) > 0) continue;
      steps.push_back({.kind = Kind::completion, .parts = open, .line = some_line()});
      open.clear();
    }
    if (pick(random, 2) == 0) {  // the receiver waits for this one before all others
      Step go{.kind = Kind::send};
      go.envelope = {0, from, 0, 7};
      go.eager = true;
      steps.push_back(go);
      Step recv{.kind = Kind::recv};
      recv.envelope = go.envelope;
      mine.push_back(recv);
    }
  }
  std::vector<int> open;
  for (bool more = true; more;) {
    more = false;
    for (auto& list : wanted) {
      if (list.empty()) continue;
      more = true;
      // In about the order of sending.
      const auto at = pick(random, std::min(3, static_cast<int>(list.size())));
      Step recv{.kind = Kind::recv, .blocks = pick(random, 4) > 0};
      recv.envelope = list[static_cast<std::size_t>(at)];
      list.erase(list.begin() + at);
      if (wild && pick(random, 4) == 0) recv.envelope.source = kAnyRank;
      if (wild && pick(random, 3) == 0) recv.envelope.tag = kAnyTag;
      recv.line = some_line();
      if (pick(random, 10) == 0) {
        Step probe = recv;
        probe.kind = Kind::probe;
        probe.blocks = true;
        mine.push_back(probe);
      }
      if (!recv.blocks) open.push_back(static_cast<int>(mine.size()));
      mine.push_back(recv);
    }
  }
  if (!open.empty()) mine.push_back({.kind = Kind::completion, .parts = open});
  for (auto& steps : t.steps) steps.push_back({.kind = Kind::finalize});
  return t;
}

// Library ------------------------------------------------
// Executes it; afterwards the trace holds what was reached.
inline void execute(Trace& t, Random& random) {
  struct Posted {
    Rank rank;
    int step;
  };
  struct Arrived {
    Envelope envelope;
    Rank from;
    int step;
  };
  const std::size_t n = t.steps.size();
  std::vector<std::vector<Posted>> posted(n);
  std::vector<std::vector<Arrived>> arrived(n);
  std::set<std::pair<Rank, int>> matched;
  std::map<std::pair<Rank, int>, std::pair<Rank, int>> claimed;  // by matched probe
  std::map<std::pair<CommId, std::uint64_t>, std::size_t> came;
  std::vector<int> next(n, 0);
  std::vector<bool> entered(n, false);
  const auto step = [&](Rank r, int i) -> Step& {
    return t.steps[static_cast<std::size_t>(r)][static_cast<std::size_t>(i)];
  };
  const auto accepts = [](const Step& recv, const Envelope& e) {
    return recv.envelope.comm == e.comm &&
           (recv.envelope.source == kAnyRank || recv.envelope.source == e.source) &&
           (recv.envelope.tag == kAnyTag || recv.envelope.tag == e.tag);
  };
  const auto meet = [&](Rank to, int recv, Rank from, int send, const Envelope& e) {
    matched.insert({to, recv});
    if (step(to, recv).claims) {
      claimed[{to, recv}] = {from, send};
    } else if (step(to, recv).kind != Kind::probe) {
      matched.insert({from, send});
    }
    step(to, recv).source = e.source;
    step(to, recv).tag = e.tag;
  };
  const auto enter = [&](Rank r, int i) {
    Step& s = step(r, i);
    if (s.kind == Kind::send) {
      auto& waiting = posted[static_cast<std::size_t>(s.envelope.dest)];
      // Probes see it, the first receive takes it.
      for (auto p = waiting.begin(); p != waiting.end();) {
        if (!accepts(step(p->rank, p->step), s.envelope)) {
          ++p;
          continue;
        }
        const bool probe = step(p->rank, p->step).kind == Kind::probe;
        meet(p->rank, p->step, r, i, s.envelope);
        p = waiting.erase(p);
        if (!probe) return;
      }
      arrived[static_cast<std::size_t>(s.envelope.dest)].push_back({s.envelope, r, i});
    } else if (s.kind == Kind::recv || s.kind == Kind::probe) {
      auto& there = arrived[static_cast<std::size_t>(r)];
      for (auto m = there.begin(); m != there.end(); ++m) {
        if (!accepts(s, m->envelope)) continue;
        meet(r, i, m->from, m->step, m->envelope);
        if (s.kind == Kind::recv) there.erase(m);
        return;
      }
      posted[static_cast<std::size_t>(r)].push_back({r, i});
    } else if (s.kind == Kind::receipt) {
      matched.insert(claimed.at({r, s.parts[0]}));
    } else if (s.kind == Kind::collective) {
      ++came[{s.envelope.comm, s.wave}];
    }
  };
  const auto complete = [&](Rank r, int i) {
    const Step& s = step(r, i);
    if (s.buffered) return true;
    if (s.kind == Kind::collective)
      return s.eager || came[{s.envelope.comm, s.wave}] == t.groups[s.envelope.comm]->total();
    return (s.kind == Kind::send && s.eager) || matched.contains({r, i});
  };
  for (bool moved = true; moved;) {
    moved = false;
    std::vector<Rank> order;
    for (Rank r = 0; r < t.ranks; ++r) order.push_back(r);
    std::shuffle(order.begin(), order.end(), random);
    for (const Rank r : order) {
      const auto me = static_cast<std::size_t>(r);
      int burst = pick(random, 3);
      while (burst-- >= 0 && next[me] < static_cast<int>(t.steps[me].size())) {
        const int i = next[me];
        Step& s = step(r, i);
        if (s.kind == Kind::finalize) {
          entered[me] = true;
          break;
        }
        if (!entered[me]) {
          entered[me] = true;
          enter(r, i);
          moved = true;
        }
        bool go = !s.blocks || complete(r, i);
        if (s.kind == Kind::completion) {
          const auto done = [&](int part) { return complete(r, part); };
          go = s.all ? std::all_of(s.parts.begin(), s.parts.end(), done)
                     : std::any_of(s.parts.begin(), s.parts.end(), done);
        }
        if (!go) break;
        s.done = true;
        if (s.blocks && s.wildcard()) s.known = true;
        if (s.kind == Kind::completion) {
          for (const int part : s.parts) {
            if (s.all || complete(r, part))
              step(r, part).known = step(r, part).known || complete(r, part);
          }
        }
        ++next[me];
        entered[me] = false;
        moved = true;
      }
    }
  }
  for (std::size_t r = 0; r < n; ++r) {
    t.steps[r].resize(static_cast<std::size_t>(next[r]) + (entered[r] ? 1 : 0));
    for (Step& s : t.steps[r]) {
      if (s.wildcard() && !s.known) s.source = kAnyRank;
    }
  }
}

// Feeding ------------------------------------------------
// Each step is two events: called, and over.
inline std::size_t events(const Trace& t, Rank r) {
  return t.steps[static_cast<std::size_t>(r)].size() * 2;
}

inline void feed(const Trace& t, Rank r, std::size_t event, Node& node) {
  const auto& steps = t.steps[static_cast<std::size_t>(r)];
  const Step& s = steps[event / 2];
  const Label label{static_cast<std::uint16_t>(s.kind), Site{static_cast<std::uint32_t>(s.line)}};
  if (event % 2 == 0) {
    switch (s.kind) {
      case Kind::send:
        node.send(r, {.label = label,
                      .envelope = s.envelope,
                      .blocks = s.blocks,
                      .standard = !s.buffered,
                      .synchronous = !s.buffered});
        break;
      case Kind::recv:
        s.claims ? node.claim(r, label, s.envelope, s.blocks)
                 : node.recv(r, label, s.envelope, s.blocks);
        break;
      case Kind::receipt:
        node.receipt(r, label, static_cast<Index>(s.parts[0]));
        break;
      case Kind::probe:
        node.probe(r, label, s.envelope);
        break;
      case Kind::collective:
        node.collective(r, label, s.envelope.comm, s.wave, s.blocks);
        break;
      case Kind::completion: {
        const std::vector<Index> parts(s.parts.begin(), s.parts.end());
        node.completion(r, label, parts, s.all);
        break;
      }
      case Kind::finalize:
        node.finalize(r, label);
        break;
      case Kind::other:
        node.other(r, label);
        break;
    }
    return;
  }
  const Index at = event / 2;
  if (s.blocks && s.done) {
    if (s.wildcard()) node.resolve(r, at, s.source, s.tag);
    node.returned(r, at);
  }
  if (s.kind != Kind::completion || !s.done) return;
  for (const int part : s.parts) {
    const Step& p = steps[static_cast<std::size_t>(part)];
    if (p.wildcard() && p.known) node.resolve(r, static_cast<Index>(part), p.source, p.tag);
    if (s.all) node.release(r, static_cast<Index>(part));
  }
}

// Oracle ------------------------------------------------
class Oracle {
 public:
  explicit Oracle(const Trace& t) : trace_(t), position_(t.steps.size(), 0) {}

  // Rules in random order until none applies.
  void run(Random& random) {
    for (bool moved = true; moved;) {
      moved = false;
      std::vector<Rank> order;
      for (Rank r = 0; r < trace_.ranks; ++r) order.push_back(r);
      std::shuffle(order.begin(), order.end(), random);
      for (const Rank r : order) {
        for (int times = pick(random, 4); times >= 0 && may_pass(r); --times) {
          ++position_[static_cast<std::size_t>(r)];
          moved = true;
        }
      }
    }
  }
  std::size_t position(Rank r) const { return position_[static_cast<std::size_t>(r)]; }
  bool at_finalize(Rank r) const {
    const auto& steps = trace_.steps[static_cast<std::size_t>(r)];
    return position(r) < steps.size() && steps[position(r)].kind == Kind::finalize;
  }

 private:
  const Step& step(Rank r, std::size_t i) const {
    return trace_.steps[static_cast<std::size_t>(r)][i];
  }

  bool may_pass(Rank r) const {
    const auto& steps = trace_.steps[static_cast<std::size_t>(r)];
    const std::size_t i = position(r);
    if (i >= steps.size() || steps[i].kind == Kind::finalize) return false;
    const Step& s = steps[i];
    if (s.kind == Kind::completion) {
      const auto met_part = [&](int p) { return met(r, static_cast<std::size_t>(p)); };
      return s.all ? std::all_of(s.parts.begin(), s.parts.end(), met_part)
                   : std::any_of(s.parts.begin(), s.parts.end(), met_part);
    }
    return !s.blocks || met(r, i);
  }

  bool met(Rank r, std::size_t i) const {
    const Step& s = step(r, i);
    if (s.buffered) return true;
    if (s.kind == Kind::collective) {
      const Group& g = *trace_.groups.at(s.envelope.comm);
      const auto reached = [&](Rank member) {
        const auto& steps = trace_.steps[static_cast<std::size_t>(member)];
        for (std::size_t k = 0; k < steps.size() && k <= position(member); ++k) {
          if (steps[k].kind == Kind::collective && steps[k].envelope.comm == s.envelope.comm &&
              steps[k].wave == s.wave)
            return true;
        }
        return false;
      };
      return std::all_of(g.members.begin(), g.members.end(), reached) &&
             std::all_of(g.others.begin(), g.others.end(), reached);
    }
    if (s.kind == Kind::send) return taken(s.envelope, i);
    return takes(r, s.envelope.comm).contains(i);
  }

  // What is known of the message a receive takes.
  static Envelope known_of(const Step& s) {
    Envelope e = s.envelope;
    if (s.wildcard() && s.known) {
      e.source = s.source;
      e.tag = s.tag;
    }
    return e;
  }
  static bool accepts(const Envelope& recv, const Envelope& message) {
    return (recv.source == kAnyRank || recv.source == message.source) &&
           (recv.tag == kAnyTag || recv.tag == message.tag);
  }
  // Sends of `from` that it has come to, to `to` on this communicator.
  std::vector<std::size_t> sent(Rank from, Rank to, CommId comm) const {
    std::vector<std::size_t> list;
    for (std::size_t k = 0; k <= position(from); ++k) {
      if (k >= trace_.steps[static_cast<std::size_t>(from)].size()) break;
      const Step& s = step(from, k);
      if (s.kind == Kind::send && s.envelope.comm == comm && s.envelope.dest == to)
        list.push_back(k);
    }
    return list;
  }
  // Receives and probes of r for which the message is certain, whatever those with an unknown
  // source have taken, and the sends they take or see. In the order of posting each has the first
  // message left; it is not certain if one posted before may have taken that.
  std::map<std::size_t, std::pair<Rank, std::size_t>> takes(Rank r, CommId comm) const {
    std::map<std::size_t, std::pair<Rank, std::size_t>> result;
    std::set<std::pair<Rank, std::size_t>> gone;
    std::vector<Envelope> open;
    const auto& steps = trace_.steps[static_cast<std::size_t>(r)];
    for (std::size_t i = 0; i < steps.size() && i <= position(r); ++i) {
      const Step& s = steps[i];
      if ((s.kind != Kind::recv && s.kind != Kind::probe) || s.envelope.comm != comm) continue;
      const Envelope e = known_of(s);
      if (s.kind == Kind::probe && i < position(r)) continue;
      bool certain = e.source != kAnyRank;
      if (certain) {
        for (const std::size_t k : sent(e.source, r, comm)) {
          const Envelope& message = step(e.source, k).envelope;
          if (!accepts(e, message) || gone.contains({e.source, k})) continue;
          certain = std::none_of(open.begin(), open.end(),
                                 [&](const Envelope& o) { return accepts(o, message); });
          if (!certain) break;
          result[i] = {e.source, k};
          if (s.kind == Kind::recv) gone.insert({e.source, k});
          break;
        }
      }
      if (!certain && s.kind == Kind::recv) open.push_back(e);
    }
    return result;
  }
  bool received(Rank r, std::size_t claim) const {
    const auto& steps = trace_.steps[static_cast<std::size_t>(r)];
    for (std::size_t i = 0; i < steps.size() && i <= position(r); ++i) {
      if (steps[i].kind == Kind::receipt && steps[i].parts[0] == static_cast<int>(claim))
        return true;
    }
    return false;
  }
  // A send is taken for certain if a receive takes it, or if there are as many receives for such
  // messages and no others as there are messages up to it, and no matched probe before them.
  bool taken(const Envelope& e, std::size_t at) const {
    const auto certain = takes(e.dest, e.comm);
    std::size_t before = 0, receives = 0;
    std::set<std::size_t> gone, claimed;
    bool open = true;  // no matched probe may take one of them
    const auto& steps = trace_.steps[static_cast<std::size_t>(e.dest)];
    for (std::size_t i = 0; i < steps.size() && i <= position(e.dest); ++i) {
      const Step& s = steps[i];
      if (s.kind != Kind::recv || s.envelope.comm != e.comm) continue;
      const bool claims = s.claims && !received(e.dest, i);
      if (const auto found = certain.find(i); found != certain.end()) {
        if (found->second.first == e.source) (claims ? claimed : gone).insert(found->second.second);
      } else {
        const Envelope known = known_of(s);
        if (claims && accepts(known, e)) open = false;
        receives += open && known.source == e.source && known.tag == e.tag;
      }
    }
    if (gone.contains(at)) return true;
    if (claimed.contains(at)) return false;
    gone.insert(claimed.begin(), claimed.end());
    for (const std::size_t k : sent(e.source, e.dest, e.comm))
      before += k < at && step(e.source, k).envelope.tag == e.tag && !gone.contains(k);
    return before < receives;
  }

  const Trace& trace_;
  std::vector<std::size_t> position_;
};

}  // namespace vouch::wait::testing
