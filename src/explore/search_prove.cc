// What is known of schedules without running them, in the tree of the search.

#include <algorithm>

#include "explore/search.h"

namespace vouch::explore {

bool Search::prove(const Job& job, const std::vector<Decisions>& differing) {
  if (latest_node_ == kNone || bounds_.mixing >= 0 || !bounds_.mixing_of.empty() ||
      bounds_.iterations > 0)
    return false;
  // A path that goes where the run went has no place of its own.
  const auto as_run = [&](const Decision& d) {
    const Event* e = latest_->find(d.event);
    return e != nullptr && e->source == d.source;
  };
  for (const Decisions& path : differing)
    if (path.empty() || std::all_of(path.begin(), path.end(), as_run)) return false;
  // What the run has shown below its place is settled.
  const auto settled = [&](const Open& o) { return o.below && o.want.job == job.number; };
  for (Open& o : open_) {
    if (!settled(o)) continue;
    nodes_[o.node].running = false;
    // Whoever waits for such a run waits for nothing.
    nodes_[o.node].waiting.clear();
  }
  std::erase_if(open_, settled);
  for (std::uint32_t at = latest_node_; !nodes_[at].leaf;) {
    Node& node = nodes_[at];
    node.proved = true;
    const Event* e = latest_->find(node.event);
    const std::uint32_t child = e == nullptr ? kNone : branch(node, e->source);
    if (child == kNone) break;
    at = child;
  }
  for (const Decisions& path : differing) {
    std::vector<bool> seen(path.size());
    std::uint32_t at = 0;
    for (;;) {
      if (nodes_[at].leaf) {
        const auto next = std::find(seen.begin(), seen.end(), false);
        if (next == seen.end()) break;
        nodes_[at].leaf = false;
        nodes_[at].proved = true;
        nodes_[at].event = path[static_cast<std::size_t>(next - seen.begin())].event;
      }
      const auto decided = std::find_if(
          path.begin(), path.end(), [&](const Decision& d) { return d.event == nodes_[at].event; });
      if (decided == path.end()) break;
      // An event that stands there twice has one place: its second one would be looked for forever.
      for (std::size_t i = 0; i < path.size(); ++i)
        seen[i] = seen[i] || path[i].event == decided->event;
      const std::uint32_t child = branch(nodes_[at], decided->source);
      at = child != kNone ? child : add_branch(at, decided->source);
    }
    nodes_[at].running = true;
    Decisions forced = path;
    std::sort(forced.begin(), forced.end());
    open_.push_back(
        {at, Bounds::kUnbounded, {}, false, std::move(forced), path.back().event, job.number});
  }
  return true;
}

}  // namespace vouch::explore
