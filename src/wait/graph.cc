#include "wait/graph.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <tuple>

namespace vouch::wait {
namespace {

constexpr int kNone = -1;

class Graph {
 public:
  Graph(const Snapshot& snapshot, const Groups& groups, const Judging& how);
  Verdict verdict();

 private:
  enum class Node : std::uint8_t { rank, thread, any, wave };
  struct Vertex {
    Node node = Node::rank;
    bool all = true;        // needs all its edges, else one
    bool released = false;  // can act
    bool finished = false;
    bool sink = false;     // explained by finished ranks alone
    bool blocked = false;  // a rank with a condition, or one of its threads
    bool threads = false;  // a rank whose edges are its threads
    int entry = kNone;     // in Snapshot::blocked
    std::uint32_t needs = 0;
    std::vector<int> edges;  // what it waits for
  };

  int vertex_of(Rank);
  bool may_be_taken(Rank from, Rank to) const;
  int any_vertex(const Term&);
  int wave_vertex(const Term&);
  void add_blocked(std::size_t entry);
  int waiting_vertex(Rank);
  void release_all();
  void find_components();
  Deadlock core_of(const std::vector<int>& component);
  std::vector<int> shortest_cycle(const std::vector<int>& component);
  void trim_to_finished();
  void trim_to_finished(Rank, Vertex&);
  std::vector<Stuck> describe(std::vector<int> vertices) const;
  bool stuck(int v) const { return !vertices_[static_cast<std::size_t>(v)].released; }
  // A thread that waits for finished ranks: no way out for its rank.
  bool explained(int v) const { return at(v).node == Node::thread && at(v).sink; }
  Vertex& at(int v) { return vertices_[static_cast<std::size_t>(v)]; }
  const Vertex& at(int v) const { return vertices_[static_cast<std::size_t>(v)]; }

  const Snapshot& snapshot_;
  const Groups& groups_;
  const Judging how_;
  std::vector<Vertex> vertices_;  // ranks first
  int ranks_ = 0;
  std::map<std::pair<CommId, int>, int> any_;
  std::map<std::pair<CommId, std::uint64_t>, int> waves_;
  std::vector<int> component_;
  std::vector<std::vector<int>> components_;
};

int highest(const RankSet& set) { return set.empty() ? -1 : set.runs().back().last; }

// Above all ranks that the snapshot shows.
Rank end_of(const Snapshot& snapshot) {
  Rank last = std::max(highest(snapshot.running), highest(snapshot.finished));
  for (const Blocked& b : snapshot.blocked) last = std::max(last, highest(b.ranks));
  return last + 1;
}

Graph::Graph(const Snapshot& snapshot, const Groups& groups, const Judging& how)
    : snapshot_(snapshot), groups_(groups), how_(how) {
  ranks_ = end_of(snapshot);
  vertices_.resize(static_cast<std::size_t>(ranks_));
  // A rank nobody has told of may do anything.
  for (Vertex& v : vertices_) v.released = true;
  for (const RankSet::Run& run : snapshot.finished.runs()) {
    for (Rank r = run.first; r <= run.last; ++r) {
      at(r).finished = true;
      at(r).released = false;
    }
  }
  for (std::size_t i = 0; i < snapshot.blocked.size(); ++i) {
    if (!snapshot.blocked[i].polling || how.polls) add_blocked(i);
  }
  release_all();
}

// An offer of `from` by a wildcard of `to`.
bool Graph::may_be_taken(Rank from, Rank to) const {
  const auto found = snapshot_.undecided.find(to);
  return found != snapshot_.undecided.end() && found->second.contains(from);
}

int Graph::vertex_of(Rank rank) {
  // Out of sight: it may act.
  return rank >= 0 && rank < ranks_ ? rank : kNone;
}

int Graph::any_vertex(const Term& t) {
  const auto [known, is_new] = any_.try_emplace({t.comm, t.side}, kNone);
  if (!is_new) return known->second;
  const auto group = groups_.find(t.comm);
  Vertex v;
  v.node = Node::any;
  v.all = false;
  if (group == groups_.end()) {
    v.released = true;
  } else {
    const Group& g = *group->second;
    // One that is out of sight may act.
    v.released = !(t.side == 0 ? g.members : g.others).visit_below(ranks_, [&](Rank r) {
      v.edges.push_back(vertex_of(r));
    });
  }
  vertices_.push_back(std::move(v));
  return known->second = static_cast<int>(vertices_.size()) - 1;
}

int Graph::wave_vertex(const Term& t) {
  const auto [known, is_new] = waves_.try_emplace({t.comm, t.wave}, kNone);
  if (!is_new) return known->second;
  const auto group = groups_.find(t.comm);
  const auto state =
      std::find_if(snapshot_.waves.begin(), snapshot_.waves.end(),
                   [&](const WaveState& w) { return w.comm == t.comm && w.wave == t.wave; });
  Vertex v;
  v.node = Node::wave;
  if (group != groups_.end()) {
    for (const auto* side : {&group->second->members, &group->second->others}) {
      side->visit_below(ranks_, [&](Rank r) {
        if (state == snapshot_.waves.end() || !state->came.contains(r))
          v.edges.push_back(vertex_of(r));
      });
    }
  }
  vertices_.push_back(std::move(v));
  return known->second = static_cast<int>(vertices_.size()) - 1;
}

// Where a condition of the rank belongs: the rank itself, or one of its threads if there are more.
int Graph::waiting_vertex(Rank rank) {
  const auto add_thread = [&](Vertex thread) {
    thread.node = Node::thread;
    vertices_.push_back(std::move(thread));
    const int last = static_cast<int>(vertices_.size()) - 1;
    at(rank).edges.push_back(last);
    return last;
  };
  if (!at(rank).blocked) return rank;
  if (!at(rank).threads) {
    Vertex first = at(rank);
    Vertex& whole = at(rank) = {};
    whole.blocked = whole.threads = true;
    whole.all = false;
    add_thread(std::move(first));
  }
  return add_thread({});
}

void Graph::add_blocked(std::size_t entry) {
  const Blocked& b = snapshot_.blocked[entry];
  for (const RankSet::Run& run : b.ranks.runs()) {
    for (Rank r = run.first; r <= run.last; ++r) {
      std::vector<int> edges;
      bool free = false;
      for (const Term& t : b.terms) {
        int to = kNone;
        switch (t.kind) {
          case Term::Kind::rank:
            to = vertex_of(t.rank);
            break;
          case Term::Kind::offset:
            to = vertex_of(r + t.rank);
            break;
          case Term::Kind::any:
            to = any_vertex(t);
            break;
          case Term::Kind::wave:
            to = wave_vertex(t);
            break;
        }
        if (to == kNone || (how_.loose && t.loose) || (t.offered && may_be_taken(r, to))) {
          free = true;  // this term is no obstacle
        } else {
          edges.push_back(to);
        }
      }
      Vertex& v = at(waiting_vertex(r));
      v.blocked = true;
      v.released = edges.empty() || (free && !b.all);
      v.all = b.all;
      v.entry = static_cast<int>(entry);
      v.edges = std::move(edges);
    }
  }
}

void Graph::release_all() {
  std::vector<std::vector<int>> back(vertices_.size());
  std::vector<int> ready;
  for (std::size_t i = 0; i < vertices_.size(); ++i) {
    Vertex& v = vertices_[i];
    const int me = static_cast<int>(i);
    const bool auxiliary = v.node != Node::rank;
    if (!v.released && (v.blocked || auxiliary)) {
      for (const int e : v.edges) back[static_cast<std::size_t>(e)].push_back(me);
      v.needs = v.all ? static_cast<std::uint32_t>(v.edges.size()) : 1;
      if (v.needs == 0) v.released = true;
    }
    if (v.released) ready.push_back(me);
  }
  while (!ready.empty()) {
    const int done = ready.back();
    ready.pop_back();
    for (const int w : back[static_cast<std::size_t>(done)]) {
      Vertex& v = at(w);
      if (v.released || --v.needs > 0) continue;
      v.released = true;
      ready.push_back(w);
    }
  }
}

// A rank that waits for a finished one, and for nothing that could replace it, needs no other
// explanation.
void Graph::trim_to_finished() {
  for (int r = 0; r < ranks_; ++r) {
    if (!at(r).threads) {
      trim_to_finished(r, at(r));
      continue;
    }
    bool all = true;
    for (const int thread : at(r).edges) {
      trim_to_finished(r, at(thread));
      all = all && at(thread).sink;
    }
    at(r).sink = all;
  }
}

void Graph::trim_to_finished(Rank r, Vertex& v) {
  const auto gone = [&](int v) { return at(v).node == Node::rank && at(v).finished; };
  // Waves that a finished rank has not come to, groups of which all are finished.
  const auto hopeless = [&](int e) {
    if (gone(e)) return true;
    const Vertex& v = at(e);
    if (v.node == Node::rank || v.node == Node::thread || v.edges.empty()) return false;
    return v.all ? std::any_of(v.edges.begin(), v.edges.end(), gone)
                 : std::all_of(v.edges.begin(), v.edges.end(), gone);
  };
  if (v.released || !v.blocked) return;
  // Of a group the waiting rank itself is no hope either.
  const auto without_me = [&](int e) {
    const Vertex& g = at(e);
    return hopeless(e) ||
           (g.node == Node::any &&
            std::all_of(g.edges.begin(), g.edges.end(), [&](int m) { return m == r || gone(m); }));
  };
  if (v.all) {
    const auto one = std::find_if(v.edges.begin(), v.edges.end(), without_me);
    if (one == v.edges.end()) return;
    v.edges = {*one};
  } else if (!std::all_of(v.edges.begin(), v.edges.end(), without_me)) {
    return;
  }
  v.sink = true;
}

void Graph::find_components() {
  // Tarjan's, without recursion: chains may be as long as there are ranks.
  const std::size_t n = vertices_.size();
  std::vector<int> number(n, 0), low(n, 0);
  std::vector<std::size_t> next(n, 0);
  std::vector<bool> on_stack(n, false);
  std::vector<int> stack, path;
  component_.assign(n, kNone);
  int counter = 0;
  const auto leads_on = [&](int v) { return !at(v).finished && !at(v).sink; };
  for (std::size_t s = 0; s < n; ++s) {
    const int start = static_cast<int>(s);
    if (number[s] != 0 || !stuck(start)) continue;
    path.push_back(start);
    while (!path.empty()) {
      const int v = path.back();
      const auto i = static_cast<std::size_t>(v);
      if (number[i] == 0) {
        number[i] = low[i] = ++counter;
        stack.push_back(v);
        on_stack[i] = true;
      }
      bool deeper = false;
      while (leads_on(v) && next[i] < at(v).edges.size()) {
        const int w = at(v).edges[next[i]];
        const auto j = static_cast<std::size_t>(w);
        if (!stuck(w)) {
          ++next[i];
          continue;
        }
        if (number[j] == 0) {
          path.push_back(w);
          deeper = true;
          break;
        }
        if (on_stack[j]) low[i] = std::min(low[i], low[j]);
        ++next[i];
      }
      if (deeper) continue;
      if (low[i] == number[i]) {
        std::vector<int> members;
        int w;
        do {
          w = stack.back();
          stack.pop_back();
          on_stack[static_cast<std::size_t>(w)] = false;
          component_[static_cast<std::size_t>(w)] = static_cast<int>(components_.size());
          members.push_back(w);
        } while (w != v);
        std::sort(members.begin(), members.end());
        components_.push_back(std::move(members));
      }
      path.pop_back();
      if (!path.empty()) {
        const auto up = static_cast<std::size_t>(path.back());
        low[up] = std::min(low[up], low[i]);
      }
    }
  }
}

// Only where every rank needs each of its edges: then any cycle explains itself.
std::vector<int> Graph::shortest_cycle(const std::vector<int>& component) {
  constexpr std::size_t kStarts = 64;
  std::vector<int> best;
  std::size_t tried = 0;
  for (const int start : component) {
    if (at(start).node != Node::rank || tried++ == kStarts) continue;
    std::map<int, int> from;
    std::vector<int> level = {start}, next;
    int end = kNone;
    while (!level.empty() && end == kNone) {
      next.clear();
      for (const int v : level) {
        for (const int w : at(v).edges) {
          if (component_[static_cast<std::size_t>(w)] !=
                  component_[static_cast<std::size_t>(start)] ||
              !stuck(w))
            continue;
          if (w == start) {
            end = v;
            break;
          }
          if (from.try_emplace(w, v).second) next.push_back(w);
        }
        if (end != kNone) break;
      }
      std::swap(level, next);
    }
    if (end == kNone) continue;
    std::vector<int> cycle;
    for (int v = end; v != start; v = from[v]) cycle.push_back(v);
    cycle.push_back(start);
    std::reverse(cycle.begin(), cycle.end());
    std::erase_if(cycle, [&](int v) { return at(v).node != Node::rank; });
    if (best.empty() || cycle.size() < best.size()) best = std::move(cycle);
    if (best.size() <= 2) break;
  }
  return best;
}

// In the same form however the entries came together on their way.
std::vector<Stuck> Graph::describe(std::vector<int> vertices) const {
  std::sort(vertices.begin(), vertices.end());
  std::vector<Stuck> single;
  single.reserve(vertices.size());
  const auto add = [&](Rank rank, int v) {
    Stuck one = snapshot_.blocked[static_cast<std::size_t>(at(v).entry)];
    one.ranks = {};
    one.ranks.add(rank);
    for (Term& t : one.terms) {
      if (t.kind != Term::Kind::offset) continue;
      t.kind = Term::Kind::rank;
      t.rank += rank;
    }
    one.sort_terms();
    single.push_back(std::move(one));
  };
  for (const int v : vertices) {
    if (!at(v).threads) {
      add(v, v);
    } else {
      for (const int thread : at(v).edges) add(v, thread);
    }
  }
  std::vector<Stuck> result = aggregate(std::move(single));
  std::sort(result.begin(), result.end(), [](const Stuck& a, const Stuck& b) {
    return std::tuple(a.ranks.first(), a.key()) < std::tuple(b.ranks.first(), b.key());
  });
  return result;
}

Deadlock Graph::core_of(const std::vector<int>& component) {
  Deadlock d;
  std::vector<int> ranks;
  bool alternatives = false, threads = false;
  for (const int v : component) {
    if (at(v).node == Node::rank) ranks.push_back(v);
    threads = threads || at(v).threads;
    alternatives = alternatives || (!at(v).all && !at(v).threads && at(v).edges.size() > 1);
  }
  const auto add_finished = [&](int e) {
    if (at(e).node == Node::rank) return d.finished.add(e);
    for (const int m : at(e).edges) {
      if (snapshot_.finished.contains(m)) d.finished.add(m);
    }
  };
  if (ranks.size() == 1 && at(ranks[0]).sink) {
    d.shape = Deadlock::Shape::finished;
    for (const int e : at(ranks[0]).edges) {
      if (at(e).node != Node::thread) {
        add_finished(e);
        continue;
      }
      for (const int of_thread : at(e).edges) add_finished(of_thread);
    }
  } else if (!alternatives) {
    std::vector<int> cycle = shortest_cycle(component);
    // A cycle through one thread of each rank is no explanation while their other threads wait for
    // ranks that are not in it.
    if (!cycle.empty() && (!threads || cycle.size() == ranks.size())) {
      std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
      d.order.assign(cycle.begin(), cycle.end());
      ranks = std::move(cycle);
    }
  } else {
    d.shape = Deadlock::Shape::knot;
  }
  d.core = describe(ranks);
  for (const Stuck& s : d.core) d.manifest = d.manifest && !s.returned;
  return d;
}

Verdict Graph::verdict() {
  Verdict result;
  std::vector<int> left;
  for (int r = 0; r < ranks_; ++r) {
    if (stuck(r) && at(r).blocked) {
      result.ranks.add(r);
      left.push_back(r);
    }
  }
  if (left.empty()) return result;
  trim_to_finished();
  find_components();
  std::vector<bool> in_core(static_cast<std::size_t>(ranks_), false);
  for (const std::vector<int>& component : components_) {
    bool has_rank = false, leads_out = false, loop = component.size() > 1;
    for (const int v : component) {
      const Vertex& x = at(v);
      if (x.node == Node::rank && !x.blocked) continue;  // one that is finished
      has_rank = has_rank || x.node == Node::rank;
      if (x.sink) {
        loop = true;
        continue;
      }
      for (const int e : x.edges) {
        if (!stuck(e) || explained(e)) continue;
        const bool same =
            component_[static_cast<std::size_t>(e)] == component_[static_cast<std::size_t>(v)];
        leads_out = leads_out || !same;
        loop = loop || e == v;
      }
    }
    // Finished ranks are no way out of a knot.
    if (has_rank && leads_out) {
      leads_out = false;
      for (const int v : component) {
        if (at(v).sink || at(v).finished) continue;
        for (const int e : at(v).edges) {
          if (!stuck(e) || explained(e) ||
              component_[static_cast<std::size_t>(e)] == component_[static_cast<std::size_t>(v)])
            continue;
          leads_out = leads_out || at(e).node != Node::rank || at(e).blocked;
        }
      }
    }
    if (!has_rank || leads_out || !loop) continue;
    Deadlock d = core_of(component);
    for (const Stuck& s : d.core) {
      for (const int r : s.ranks.list()) in_core[static_cast<std::size_t>(r)] = true;
    }
    result.deadlocks.push_back(std::move(d));
  }
  std::erase_if(left, [&](int r) { return in_core[static_cast<std::size_t>(r)]; });
  result.waiting = describe(std::move(left));
  std::sort(result.deadlocks.begin(), result.deadlocks.end(),
            [](const Deadlock& a, const Deadlock& b) {
              return a.core[0].ranks.first() < b.core[0].ranks.first();
            });
  return result;
}

}  // namespace

Verdict judge(const Snapshot& snapshot, const Groups& groups, const Judging& how) {
  return Graph(snapshot, groups, how).verdict();
}

namespace {

// Those below `end`. A run without gaps is one step and what a run has beyond is none: a damaged
// record names a million members in three words.
RankSet set_of(const RankList& list, Rank end) {
  std::vector<RankSet::Run> runs;
  RankList gaps;
  for (const RankList::Run& run : list.runs()) {
    if (std::abs(run.stride) > 1) {
      gaps.add(run);
      continue;
    }
    const auto [low, high] = std::minmax({run.first, run[run.length - 1]});
    if (high >= 0 && low < end) runs.push_back({std::max(low, 0), std::min(high, end - 1)});
  }
  gaps.visit_below(end, [&](Rank r) { runs.push_back({r, r}); });
  std::sort(runs.begin(), runs.end());
  RankSet set;
  for (const RankSet::Run& run : runs) set.add(run.first, run.last);
  return set;
}

RankSet without(const RankSet& set, const RankSet& others) {
  RankSet left;
  auto hole = others.runs().begin();
  const auto end = others.runs().end();
  for (auto [first, last] : set.runs()) {
    while (hole != end && hole->last < first) ++hole;
    for (auto at = hole; at != end && at->first <= last; ++at) {
      if (at->first > first) left.add(first, at->first - 1);
      first = at->last + 1;
    }
    if (first <= last) left.add(first, last);
  }
  return left;
}

}  // namespace

RankSet targets(const Term& t, Rank from, const Snapshot& snapshot, const Groups& groups) {
  RankSet set;
  const auto group = groups.find(t.comm);
  switch (t.kind) {
    case Term::Kind::rank:
      set.add(t.rank);
      break;
    case Term::Kind::offset:
      set.add(from + t.rank);
      break;
    case Term::Kind::any: {
      if (group == groups.end()) break;
      RankSet self;
      self.add(from);
      const RankList& side = t.side == 0 ? group->second->members : group->second->others;
      set = without(set_of(side, end_of(snapshot)), self);
      break;
    }
    case Term::Kind::wave: {
      if (group == groups.end()) break;
      const auto state =
          std::find_if(snapshot.waves.begin(), snapshot.waves.end(),
                       [&](const WaveState& w) { return w.comm == t.comm && w.wave == t.wave; });
      const Rank end = end_of(snapshot);
      set = set_of(group->second->members, end);
      set.add(set_of(group->second->others, end));
      if (state != snapshot.waves.end()) set = without(set, state->came);
      break;
    }
  }
  return set;
}

}  // namespace vouch::wait
