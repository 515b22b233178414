#include "analysis/collective/parts.h"

#include <algorithm>

#include <fmt/format.h>

#include "model/effect.h"

namespace vouch {
namespace {

std::string list_words(const Members& group) {
  constexpr int kShown = 16;
  std::string text;
  for (const int rank : first_of(group, kShown).list())
    text += (text.empty() ? "" : ",") + std::to_string(rank);
  return group.size > kShown ? text + ",…" : text;
}

constexpr const char* kSeveralNodes = "whether its callers on several nodes agree";
constexpr const char* kTooLarge =
    "whether its callers agree: the group is too large to be compared";

}  // namespace

void PartConstructors::on_enter(Process& process, Call& call) {
  if (call.poisoned || process.stranger()) return;
  call.proc() == Proc::comm_create_group ? create_group(process, call) : leader(process, call);
}

PartConstructors::Meeting& PartConstructors::meeting(Meetings& all, const Process& process,
                                                     std::uint64_t key) {
  key = mix(key, before_[process][key]++);
  Meeting& m = all[key];
  m.key = key;
  return m;
}

void PartConstructors::create_group(Process& process, Call& call) {
  const Event enter = call.enter();
  const ProcInfo& about = call.info();
  const Communicator* c = process.comms.find(enter.handle(about.param(Arg::comm)));
  const Group* g = process.groups.find(enter.handle(about.param(Arg::group)));
  if (c == nullptr || c->poisoned || c->leads_outside() || g == nullptr || g->poisoned ||
      g->members == nullptr)
    return;
  if (g->members->away) return not_compared(call, kSeveralNodes);
  if (g->members->rank_of(process.rank).value < 0) {
    if (again(process, call, Cause::constructor_absent)) return;
    return report(
        process, call, Cause::constructor_absent,
        fmt::format("group={{{}}} does not contain the calling rank", list_words(*g->members)));
  }
  if (!listable(*g->members)) return not_compared(call, kTooLarge);
  std::vector<int> ranks = g->members->list();
  std::sort(ranks.begin(), ranks.end());
  const Members* members = world_.intern(Members::of(ranks));
  const std::int64_t tag = enter.value(about.param(Arg::tag));
  const std::uint64_t comm = world_.inter_id(c->id);
  const std::uint64_t key = mix(mix(comm, members->hash), static_cast<std::uint64_t>(tag));
  Meeting& m = meeting(groups_, process, key);
  m.comm = comm;
  m.tag = tag;
  m.members = members;
  m.callers.push_back({static_cast<std::uint32_t>(process.index), call.seq(),
                       place_of(process, call), g->members, -1});
  if (m.callers.size() < static_cast<std::size_t>(members->size)) return;
  same_group(m);
  groups_.erase(m.key);
}

// MPI-4.1 7.4.2: the same group, order included.
void PartConstructors::same_group(const Meeting& m) {
  const auto first = std::min_element(
      m.callers.begin(), m.callers.end(),
      [](const Caller& a, const Caller& b) { return a.place.rank < b.place.rank; });
  const Caller* other = nullptr;
  for (const Caller& c : m.callers) {
    if (c.group != first->group && (other == nullptr || c.place.rank < other->place.rank))
      other = &c;
  }
  if (other == nullptr || known(*first, *other)) return;
  tell(fmt::format("group={{{}}} on rank {}; group={{{}}} on rank {}", list_words(*first->group),
                   first->place.rank.value, list_words(*other->group), other->place.rank.value),
       *first, *other);
}

void PartConstructors::not_compared(const Call& call, const char* why) {
  sink_.not_checked({.what = call.info().name, .reason = why, .count = 1, .site = call.site()});
}

void PartConstructors::leader(Process& process, Call& call) {
  const Event enter = call.enter();
  const ProcInfo& about = call.info();
  const Communicator* local = process.comms.find(enter.handle(about.param(Arg::local_comm)));
  if (local == nullptr || local->poisoned || local->members == nullptr ||
      local->rank != enter.value(about.param(Arg::local_leader)))
    return;
  const Communicator* peer = process.comms.find(enter.handle(about.param(Arg::peer_comm)));
  if (peer == nullptr || peer->members == nullptr || peer->inter() || peer->leads_outside()) return;
  if (world_.apart(*peer)) return not_compared(call, kSeveralNodes);
  const std::int64_t named = enter.value(about.param(Arg::remote_leader));
  if (named < 0 || named >= peer->size) return;
  const int far = peer->members->world(CommRank{static_cast<int>(named)}).value;
  const int near = process.rank.value;
  const std::int64_t tag = enter.value(about.param(Arg::tag));
  if (local->members->rank_of(WorldRank{far}).value >= 0) {
    if (again(process, call, Cause::constructor_own_leader)) return;
    return report(process, call, Cause::constructor_own_leader,
                  fmt::format("remote_leader={} is rank {} of the world, which is in the local "
                              "group",
                              named, far));
  }
  const std::uint64_t comm = world_.inter_id(peer->id);
  const std::uint64_t key = mix(mix(mix(comm, static_cast<std::uint64_t>(std::min(near, far))),
                                    static_cast<std::uint64_t>(std::max(near, far))),
                                static_cast<std::uint64_t>(tag));
  Meeting& m = meeting(leaders_, process, key);
  m.comm = comm;
  m.tag = tag;
  m.callers.push_back({static_cast<std::uint32_t>(process.index), call.seq(),
                       place_of(process, call), local->members, far});
  if (m.callers.size() < 2) return;
  if (listable(*m.callers[0].group) || listable(*m.callers[1].group)) {
    disjoint(m);
  } else {
    not_compared(call, kTooLarge);
  }
  leaders_.erase(m.key);
}

void PartConstructors::disjoint(const Meeting& m) {
  const bool swapped = m.callers[1].place.rank < m.callers[0].place.rank;
  const Caller &a = m.callers[swapped], &b = m.callers[!swapped];
  const bool first = listable(*a.group);
  for (const int rank : (first ? a : b).group->list()) {
    if ((first ? b : a).group->rank_of(WorldRank{rank}).value < 0) continue;
    if (known(a, b)) return;
    return tell(fmt::format("rank {} is in both groups, {{{}}} and {{{}}}", rank,
                            list_words(*a.group), list_words(*b.group)),
                a, b, Cause::constructor_both_groups);
  }
}

// At the end ------------------------------------------------
bool PartConstructors::waits(const Caller& caller) const {
  if (told_.count({caller.process, caller.seq}) != 0) return false;
  for (const Thread& thread : world_.process(caller.process).threads) {
    for (int i = 0; i < thread.depth; ++i) {
      if (thread.calls[static_cast<std::size_t>(i)].seq() == caller.seq) return true;
    }
  }
  return false;
}

void PartConstructors::tell_in_vain() {
  groups_in_vain();
  leaders_in_vain();
}

// Two that wait for each other under another tag or group.
void PartConstructors::groups_in_vain() {
  std::vector<std::pair<const Meeting*, const Caller*>> waiting;
  for (const auto& [key, m] : groups_) {
    for (const Caller& c : m.callers) {
      if (waits(c)) waiting.emplace_back(&m, &c);
    }
  }
  std::sort(waiting.begin(), waiting.end(), [](const auto& a, const auto& b) {
    return a.second->place.rank < b.second->place.rank;
  });
  std::vector<bool> told(waiting.size(), false);
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    for (std::size_t j = i + 1; j < waiting.size() && !told[i]; ++j) {
      const auto& [m, a] = waiting[i];
      const auto& [n, b] = waiting[j];
      if (m == n || m->comm != n->comm || told[j]) continue;
      if (a->group->rank_of(b->place.rank).value < 0 || b->group->rank_of(a->place.rank).value < 0)
        continue;
      told[i] = told[j] = true;
      const bool tags = m->members == n->members;
      const auto words = [&](const Meeting& x, const Caller& c) {
        return tags ? fmt::format("tag={}", x.tag)
                    : fmt::format("group={{{}}}", list_words(*c.group));
      };
      tell(fmt::format("{} on rank {}; {} on rank {}", words(*m, *a), a->place.rank.value,
                       words(*n, *b), b->place.rank.value),
           *a, *b);
    }
  }
}

// Two groups that mean each other and do not meet. Where one means a third, who waits for whom
// decides: that is a deadlock, or there is none.
void PartConstructors::leaders_in_vain() {
  std::map<int, std::pair<const Meeting*, const Caller*>> waiting;  // by world rank
  for (const auto& [key, m] : leaders_) {
    for (const Caller& c : m.callers) {
      if (waits(c)) waiting.emplace(c.place.rank.value, std::pair(&m, &c));
    }
  }
  const auto means = [](const Caller& a, const Caller& b) {
    return b.group->rank_of(WorldRank{a.names}).value >= 0;
  };
  std::set<int> told;
  for (auto first = waiting.begin(); first != waiting.end(); ++first) {
    for (auto second = std::next(first); second != waiting.end(); ++second) {
      const auto& [m, a] = first->second;
      const auto& [n, b] = second->second;
      if (told.contains(first->first) || told.contains(second->first)) continue;
      if (!means(*a, *b) || !means(*b, *a)) continue;
      told.insert({first->first, second->first});
      tell(leaders_differ(*m, *a, *n, *b), *a, *b, Cause::constructor_leaders);
    }
  }
}

std::string PartConstructors::leaders_differ(const Meeting& m, const Caller& a, const Meeting& n,
                                             const Caller& b) {
  std::string text;
  for (const auto& [x, y] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    if (x->names == y->place.rank.value) continue;
    text +=
        fmt::format("{}rank {} names rank {} as the other leader, but rank {} leads that group",
                    text.empty() ? "" : "; ", x->place.rank.value, x->names, y->place.rank.value);
  }
  if (!text.empty()) return text;
  if (m.tag != n.tag) {
    text = fmt::format("tag={} on rank {}; tag={} on rank {}", m.tag, a.place.rank.value, n.tag,
                       b.place.rank.value);
  }
  if (m.comm != n.comm) {
    text += fmt::format("{}ranks {} and {} pass different peer communicators",
                        text.empty() ? "" : "; ", a.place.rank.value, b.place.rank.value);
  }
  return text.empty() ? "the leaders have met under this tag before, one of them more often" : text;
}

// It was told before of these lines.
bool PartConstructors::known(const Caller& a, const Caller& b) {
  const Involved places[] = {{a.place.rank, a.place.site}, {b.place.rank, b.place.site}};
  if (!sink_.again({Rule::collective_constructor, Severity::error, places})) return false;
  told(a, b);
  return true;
}

void PartConstructors::told(const Caller& a, const Caller& b) {
  for (const Caller* c : {&a, &b}) {
    told_.insert({c->process, c->seq});
    blame(*c);
  }
}

void PartConstructors::tell(std::string message, const Caller& a, const Caller& b, Cause why) {
  sink_.report({.rule = Rule::collective_constructor,
                .severity = Severity::error,
                .message = std::move(message),
                .places = {a.place, b.place},
                .why = why});
  told(a, b);
}

// What the library does in these calls follows from the finding.
void PartConstructors::blame(const Caller& caller) const {
  for (Thread& thread : world_.process(caller.process).threads) {
    for (int i = 0; i < thread.depth; ++i) {
      Call& call = thread.calls[static_cast<std::size_t>(i)];
      if (call.seq() == caller.seq) spoil(call, Rule::collective_constructor);
    }
  }
}

}  // namespace vouch
