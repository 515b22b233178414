#include "explore/in_band.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

namespace vouch::explore {
namespace {

using predict::OpKind;
using predict::SendMode;

std::set<int> sources_of(const Event& e) {
  std::set<int> all;
  for (const Alternative& a : e.alternatives) all.insert(a.source);
  return all;
}

std::size_t without(const std::set<int>& all, const std::set<int>& those) {
  return static_cast<std::size_t>(
      std::count_if(all.begin(), all.end(), [&](int s) { return those.count(s) == 0; }));
}

int process_of(const Observation& run, int comm, int rank) {
  const auto members = run.members.find(comm);
  if (members == run.members.end()) return rank;
  return rank >= 0 && static_cast<std::size_t>(rank) < members->second.size()
             ? members->second[static_cast<std::size_t>(rank)]
             : -1;
}

class Comparison {
 public:
  Comparison(const Observation& run, Protocol protocol, const std::vector<Carried>& by_rank)
      : run_(run),
        by_rank_(by_rank),
        known_(analyse(as_carried(run), protocol, ~0u, Source::messages)) {}

  Compared go() {
    out_.why_not = why_not();
    if (!out_.why_not.empty()) return out_;
    // A run that was cut off was not drained: messages that nobody received are missing there.
    whole_ = !run_.cut && std::all_of(by_rank_.begin(), by_rank_.end(),
                                      [](const Carried& c) { return c.finished; });
    for (const predict::Operation& op : run_.program.ops)
      if (op.kind == OpKind::receive && op.wait == kNoOp) whole_ = false;
    for (std::size_t rank = 0; rank < by_rank_.size(); ++rank) look(static_cast<int>(rank));
    count_unknown();
    return std::move(out_);
  }

 private:
  // A synchronous send learns nothing from its receive, and calls that take some of several
  // requests are no events.
  static Observation as_carried(const Observation& run) {
    Observation seen = run;
    seen.choices.clear();
    for (predict::Operation& op : seen.program.ops)
      if (op.kind == OpKind::send && op.mode == SendMode::synchronous) op.mode = SendMode::standard;
    return seen;
  }

  std::string why_not() const {
    for (std::size_t rank = 0; rank < by_rank_.size(); ++rank)
      if (!by_rank_[rank].gap.empty()) return by_rank_[rank].gap;
    if (!run_.whole) return "processes talk in ways that carry no clock";
    if (!known_.stuck.empty()) return "the matches of the run are not all known";
    if (by_rank_.size() != static_cast<std::size_t>(run_.program.processes()))
      return "there are more processes than ranks";
    return {};
  }

  int process_of(const Event& e, int rank) const { return explore::process_of(run_, e.comm, rank); }

  template <typename... Values>
  void differs(EventId id, fmt::format_string<Values...> words, Values&&... values) {
    out_.differences.push_back(fmt::format("event {} of rank {}: {}", id.number, id.rank,
                                           fmt::format(words, std::forward<Values>(values)...)));
  }

  void look(int rank) {
    std::set<int> there;
    for (const Carried::Event& c : by_rank_[static_cast<std::size_t>(rank)].events) {
      const EventId id{rank, c.number};
      there.insert(c.number);
      const Event* e = known_.find(id);
      if (e == nullptr || e->source < 0) {
        differs(id, "messages tell of it, records do not");
        continue;
      }
      ++out_.events;
      out_.alternatives += c.alternatives.size();
      if (e->source != process_of(*e, c.source))
        differs(id, "source {} by messages, {} by records", process_of(*e, c.source), e->source);
      const std::uint32_t clock = known_.protocol == Protocol::vector ? e->number : e->height;
      if (clock != c.clock) differs(id, "clock {} by messages, {} by records", c.clock, clock);
      if (!c.probe && e->message != c.message)
        differs(id, "its message has clock {} by messages, {} by records", c.message, e->message);
      std::set<int> carried;
      for (const int source : c.alternatives) carried.insert(process_of(*e, source));
      const std::set<int> computed = sources_of(*e);
      if (without(carried, computed) > 0 || (whole_ && carried != computed))
        differs(id, "could have come from {} by messages, {} by records", words(carried),
                words(computed));
    }
    for (std::size_t i = known_.first[static_cast<std::size_t>(rank)];
         whole_ && i < known_.picks[static_cast<std::size_t>(rank)]; ++i)
      if (known_.events[i].source >= 0 && there.count(known_.events[i].id.number) == 0)
        differs(known_.events[i].id, "records tell of it, messages do not");
  }

  static std::string words(const std::set<int>& ranks) {
    return ranks.empty() ? "nobody else" : fmt::format("{}", fmt::join(ranks, ", "));
  }

  void count_unknown() {
    Observation seen = run_;
    seen.choices.clear();
    const Analysed all = analyse(seen, known_.protocol);
    for (const Event& e : all.events) {
      const Event* carried = known_.find(e.id);
      if (carried == nullptr) continue;
      const std::set<int> with = sources_of(e), less = sources_of(*carried);
      out_.missed += without(with, less);
      out_.impossible += without(less, with);
    }
  }

  const Observation& run_;
  const std::vector<Carried>& by_rank_;
  const Analysed known_;
  bool whole_ = true;
  Compared out_;
};

}  // namespace

Decisions with_told(Decisions known, const Observation& run, const std::vector<Carried>& by_rank) {
  const auto& program = run.program;
  for (std::size_t rank = 0; rank < std::min(by_rank.size(), program.first.size() - 1); ++rank) {
    std::map<int, int> sources;
    for (const Carried::Event& e : by_rank[rank].events)
      if (!e.probe) sources[e.number] = e.source;
    int number = 0;
    for (OpId id = program.first[rank]; id < program.first[rank + 1]; ++id) {
      if (!is_event(program[id])) continue;
      const auto told = sources.find(number);
      const EventId event{static_cast<int>(rank), number++};
      if (told == sources.end() || run.met[id] != kNoOp) continue;
      const int source = process_of(run, program[id].comm, told->second);
      const auto same = [&](const Decision& d) { return d.event == event; };
      if (source >= 0 && std::none_of(known.begin(), known.end(), same))
        known.push_back({event, source, told->second});
    }
  }
  std::sort(known.begin(), known.end());
  return known;
}

Compared compare(const Observation& run, Protocol protocol, const std::vector<Carried>& by_rank) {
  return Comparison(run, protocol, by_rank).go();
}

}  // namespace vouch::explore
