#include "explore/search.h"

#include <algorithm>
#include <utility>

#include "base/check_slow.h"
#include "explore/poe.h"
#include "explore/prefix.h"

namespace vouch::explore {

std::uint32_t Search::branch(const Node& node, int source) const {
  for (const auto& [at, child] : node.branches)
    if (at == source) return child;
  return kNone;
}

std::uint32_t Search::add_branch(std::uint32_t node, int source) {
  VOUCH_CHECK(node < nodes_.size());
  const auto child = static_cast<std::uint32_t>(nodes_.size());
  nodes_.emplace_back();
  nodes_[node].branches.emplace_back(source, child);
  return child;
}

Search::Open Search::take_next() {
  auto best = std::prev(open_.end());
  if (bounds_.order == Bounds::Order::novel) {
    const auto key = [&](const Open& o) {
      // What is known to differ from all runs needs no guess.
      return o.forced.empty() ? std::pair(novelty_.rank(o.want.novel), o.want.flips)
                              : std::pair(-1, 0);
    };
    best = std::min_element(open_.begin(), open_.end(),
                            [&](const Open& a, const Open& b) { return key(a) < key(b); });
    if (best->forced.empty()) novelty_.add(best->want.novel);
  }
  Open taken = std::move(*best);
  open_.erase(best);
  return taken;
}

std::optional<Job> Search::next() {
  // A node that waits for a run has one that is under way or will be: no schedule is lost.
  const auto all_will_run = [&] {
    const auto waiting =
        std::count_if(nodes_.begin(), nodes_.end(), [](const Node& n) { return n.running; });
    return static_cast<std::size_t>(waiting) <= open_.size() + running_.size();
  };
  constexpr std::size_t kLooked = 1024;  // a test may have a tree of 10^5 nodes
  VOUCH_CHECK_SLOW(nodes_.size() > kLooked || all_will_run());
  if (nodes_.empty()) {
    nodes_.emplace_back().running = true;
    running_[started_] = {0, Bounds::kUnbounded, {}, false, {}, {}, 0};
    const std::size_t number = started_++;
    return Job{number, {}, number, {}, {}, {}};
  }
  if (open_.empty()) return std::nullopt;
  Open taken = take_next();
  if (!taken.forced.empty()) {
    Job job{started_++, taken.forced, taken.parent, taken.flipped, {}, {}};
    running_.emplace(job.number, std::move(taken));
    return job;
  }
  const Event& at = taken.want.run->events[taken.want.event];
  Job job{started_++,         taken.want.run->steer(at, at.alternatives[taken.want.alternative]),
          taken.want.job,     at.id,
          taken.want.run->of, {}};
  if (job.from != nullptr) job.until = same_until(*job.from, job.forced);
  running_.emplace(job.number, std::move(taken));
  return job;
}

// A branch that is missing at this node is to be run.
void Search::open(std::uint32_t node, int source, Want want) {
  VOUCH_CHECK_SLOW(!nodes_[node].leaf && branch(nodes_[node], source) == kNone);
  const std::uint32_t child = add_branch(node, source);
  nodes_[child].running = true;
  open_.push_back({child, nodes_[node].budget, std::move(want), false, {}, {}, 0});
}

// Takes what a run could have done otherwise down the tree.
void Search::place(Want want) {
  const Event& e = want.run->events[want.event];
  const Alternative& other = e.alternatives[want.alternative];
  std::uint32_t at = 0;
  for (;;) {
    Node& node = nodes_[at];
    if (node.running) {
      node.waiting.push_back(std::move(want));
      return;
    }
    if (node.leaf) return;
    const int source = want.run->steered(e, other, node.event);
    if (source < 0) {
      ++unplaced_;
      return;
    }
    const std::uint32_t child = branch(node, source);
    if (child != kNone) {
      at = child;
      continue;
    }
    if (node.proved) return;
    if (node.closed) {
      ++bounded_;
      return;
    }
    open(at, source, std::move(want));
    return;
  }
}

double Search::covered() const {
  if (nodes_.empty()) return 0;
  double sum = 0;
  std::vector<std::pair<std::uint32_t, double>> stack{{0, 1.0}};
  while (!stack.empty()) {
    const auto [at, share] = stack.back();
    stack.pop_back();
    const Node& node = nodes_[at];
    if (node.leaf && !node.running) sum += share;
    if (node.leaf) continue;
    for (const auto& [source, child] : node.branches)
      stack.emplace_back(child, share / static_cast<double>(node.branches.size()));
  }
  VOUCH_CHECK(sum <= 1.001);
  return sum;
}

Analysed Search::look_at(const Observation& run) const {
  if (bounds_.sends != Bounds::Sends::buffered) {
    const Observation waiting = unbuffered(run, bounds_.sends == Bounds::Sends::all_synchronous);
    Analysed analysed = analyse(waiting, protocol_);
    if (bounds_.match_sets) use_match_sets(waiting, predict::Buffering::infinite, analysed);
    return analysed;
  }
  Analysed analysed = analyse(run, protocol_);
  if (bounds_.match_sets) use_match_sets(run, predict::Buffering::infinite, analysed);
  return analysed;
}

std::vector<bool> Search::skipped(const Observation& run, const Analysed& analysed) const {
  std::vector<bool> skip(analysed.events.size());
  std::map<std::pair<int, std::uint32_t>, int> times;
  for (std::size_t i = 0; i < skip.size(); ++i) {
    const Event& e = analysed.events[i];
    if (!run.marks.empty() && run.marks[e.op].abstracted) skip[i] = true;
    const Site site = run.program[e.op].site;
    if (is_pick(e.id) && !picks_) skip[i] = true;
    if (bounds_.iterations > 0 && site.value != 0)
      skip[i] = skip[i] || ++times[{e.id.rank, site.value}] > bounds_.iterations;
  }
  return skip;
}

int Search::own_bound(const Observation& run, const Event& e) const {
  if (run.marks.empty()) return bounds_.mixing;
  const auto at = bounds_.mixing_of.find(run.marks[e.op].region);
  return at == bounds_.mixing_of.end() ? bounds_.mixing : at->second;
}

// The orders multiply: those of n requests, found complete one by one, are n!.
bool Search::few_picks(const Analysed& run) {
  std::size_t orders = 1;
  for (const Event& e : run.events) {
    if (is_pick(e.id)) orders *= 1 + e.alternatives.size();
    if (orders > Bounds::kFewPicks) return false;
  }
  return true;
}

void Search::failed(const Job& job) {
  const auto mine = running_.extract(job.number);
  if (mine.empty()) return;
  ++runs_;
  Node& node = nodes_[mine.mapped().node];
  node.running = false;
  for (Want& want : std::exchange(node.waiting, {})) place(std::move(want));
}

Search::Fit Search::done(const Job& job, const Observation& run) {
  const auto mine = running_.extract(job.number);
  if (mine.empty()) return Fit::diverged;
  ++runs_;
  const Open& started = mine.mapped();
  const auto analysed = std::make_shared<Analysed>(look_at(run));
  const bool others = std::any_of(analysed->events.begin(), analysed->events.end(),
                                  [](const Event& e) { return !e.alternatives.empty(); });
  if (others) analysed->of = std::make_shared<const Observation>(run);
  latest_ = analysed;
  unclear_ += analysed->unclear;
  suppressed_ += analysed->suppressed;
  if (started.node == 0 && bounds_.picks == Bounds::Picks::few) picks_ = few_picks(*analysed);
  latest_node_ = started.node;
  nodes_[started.node].running = false;
  std::vector<Want> waiting = std::exchange(nodes_[started.node].waiting, {});

  bool followed = analysed->stuck.empty();
  for (const Decision& d : job.forced) {
    const Event* e = analysed->find(d.event);
    if (e == nullptr ? run.cut : e->source < 0 && run.cut) continue;
    followed &= e != nullptr && e->source == d.source;
  }
  const std::vector<bool> skip = skipped(run, *analysed);
  std::optional<Turns> turns;
  if (bounds_.order == Bounds::Order::novel) {
    turns.emplace(run, *analysed);
    for (std::size_t i = 0; i < analysed->events.size(); ++i)
      if (analysed->events[i].source >= 0) novelty_.add(turns->got(i));
  }
  const auto wanted = [&](std::size_t event, std::size_t alternative) {
    Want w{analysed, job.number, event, alternative, started.want.flips + 1, {}};
    if (turns) w.novel = turns->other(event, analysed->events[event].alternatives[alternative]);
    return w;
  };
  // The path as far as it is there.
  std::uint32_t at = 0;
  std::vector<bool> on_path(analysed->events.size());
  bool reached = started.node == 0;
  while (followed && !nodes_[at].leaf) {
    const Event* e = analysed->find(nodes_[at].event);
    if (e != nullptr) on_path[static_cast<std::size_t>(e - analysed->events.data())] = true;
    const int source = e == nullptr ? -1 : e->source;
    const std::uint32_t child = branch(nodes_[at], source);
    at = child != kNone ? child : add_branch(at, source);
    reached |= at == started.node;
  }
  if (followed && !reached && run.cut) {
    // It ended before all of its path: what it did besides stands below its place all the same.
    at = started.node;
    reached = true;
    for (const Decision& d : job.forced)
      if (const Event* e = analysed->find(d.event); e != nullptr)
        on_path[static_cast<std::size_t>(e - analysed->events.data())] = true;
  }
  if (!followed || !reached || nodes_[at].running) {
    for (Want& want : waiting) place(std::move(want));
    return followed ? Fit::repeated : Fit::diverged;
  }

  // Path and order may differ: an event high up on the path may have got what a later one brought
  // about. If that one is flipped, the event's place is elsewhere.
  std::vector<Want> deep;
  std::vector<std::size_t> out_of_order;
  bool below = false;
  for (const std::size_t i : analysed->order) {
    below |= !on_path[i];
    if (!on_path[i]) continue;
    if (below) out_of_order.push_back(i);
    for (std::size_t a = 0; a < analysed->events[i].alternatives.size() && !skip[i]; ++a)
      deep.push_back(wanted(i, a));
  }
  int index = 0;
  for (const std::size_t i : analysed->order) {
    const Event& e = analysed->events[i];
    if (on_path[i]) continue;
    if (skip[i]) {
      const bool not_wanted = is_pick(e.id) && !picks_;
      (not_wanted ? picks_left_ : abstracted_) += e.alternatives.size();
      continue;
    }
    {
      Node& node = nodes_[at];
      node.leaf = false;
      node.event = e.id;
      node.closed = started.budget >= 0 && index >= started.budget;
      node.budget = started.budget < 0 ? own_bound(run, e) : started.budget - 1 - index;
      index += !e.alternatives.empty();
    }
    const std::uint32_t here = at;
    at = add_branch(here, e.source);
    if (nodes_[here].closed) {
      bounded_ += e.alternatives.size();
      continue;
    }
    const bool elsewhere =
        std::any_of(out_of_order.begin(), out_of_order.end(),
                    [&](std::size_t k) { return analysed->before(e, analysed->events[k]); });
    for (std::size_t a = 0; a < e.alternatives.size(); ++a) {
      if (elsewhere)
        deep.push_back(wanted(i, a));
      else {
        open(here, e.alternatives[a].source, wanted(i, a));
        open_.back().below = true;
      }
    }
  }
  if (protocol_ == Protocol::vector)
    for (Want& want : deep) place(std::move(want));
  for (Want& want : waiting) place(std::move(want));
  return Fit::accepted;
}

}  // namespace vouch::explore
