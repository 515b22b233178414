// Groups: every set operation is computed from the members of its operands.
//
// Misses: members of groups that are made from groups of more than 16,384 processes in a few runs;
// those of communicators that are made from them come from the library.

#include <algorithm>
#include <optional>
#include <set>

#include "model/effect.h"

namespace vouch {
namespace {

using Ranks = std::vector<int>;

// Members of a group handle; nothing if they are not known.
std::optional<Ranks> ranks_of(const Process& process, std::uint64_t raw) {
  if (process.constant_of(Kind::group, raw) == Constant::group_empty) return Ranks{};
  const Group* g = process.groups.find(raw);
  if (g == nullptr || g->members == nullptr || !listable(*g->members)) return std::nullopt;
  return g->members->list();
}

bool known(const Ranks& ranks) {
  return std::none_of(ranks.begin(), ranks.end(), [](int r) { return r < 0; });
}

std::optional<Ranks> set_operation(const Returned& r) {
  const std::optional<Ranks> a = ranks_of(r.process, r.handle(Arg::group1)),
                             b = ranks_of(r.process, r.handle(Arg::group2));
  // Processes outside this world cannot be told from each other.
  if (!a || !b || !known(*a) || !known(*b)) return std::nullopt;
  const std::set<int> in_a(a->begin(), a->end()), in_b(b->begin(), b->end());
  Ranks result;
  const bool unite = r.call.proc() == Proc::group_union;
  const bool meet = r.call.proc() == Proc::group_intersection;
  for (const int x : *a) {
    if (unite || in_b.contains(x) == meet) result.push_back(x);
  }
  if (unite) {
    for (const int x : *b) {
      if (!in_a.contains(x)) result.push_back(x);
    }
  }
  return result;
}

// MPI-4.1 7.3.2: ranks named by a list of (first, last, stride), each of them once and within the
// group. Nothing: they are more than it has.
std::optional<std::vector<std::int64_t>> expand(const std::vector<std::int64_t>& triples,
                                                std::size_t size) {
  std::vector<std::int64_t> ranks;
  const auto end = static_cast<std::int64_t>(size);
  for (std::size_t i = 0; i + 2 < triples.size(); i += 3) {
    const std::int64_t first = triples[i], last = triples[i + 1], stride = triples[i + 2];
    if (stride == 0) continue;
    for (std::int64_t k = first; stride > 0 ? k <= last : k >= last; k += stride) {
      if (k < 0 || k >= end || ranks.size() == size) return std::nullopt;
      ranks.push_back(k);
    }
  }
  return ranks;
}

std::optional<Ranks> selection(const Returned& r) {
  const std::optional<Ranks> from = ranks_of(r.process, r.handle(Arg::group));
  if (!from) return std::nullopt;
  const bool ranges = r.param(Arg::ranges) >= 0;
  const auto expanded = ranges ? expand(r.list(Arg::ranges), from->size()) : std::nullopt;
  if (ranges && !expanded) return std::nullopt;
  const std::vector<std::int64_t> chosen = ranges ? *expanded : r.list(Arg::ranks);
  Ranks result;
  const auto in_range = [&](std::int64_t k) {
    return k >= 0 && k < static_cast<std::int64_t>(from->size());
  };
  if (r.call.proc() == Proc::group_incl || r.call.proc() == Proc::group_range_incl) {
    for (const std::int64_t k : chosen) {
      if (in_range(k)) result.push_back((*from)[static_cast<std::size_t>(k)]);
    }
    return result;
  }
  std::vector<bool> out(from->size());
  for (const std::int64_t k : chosen) {
    if (in_range(k)) out[static_cast<std::size_t>(k)] = true;
  }
  for (std::size_t k = 0; k < from->size(); ++k) {
    if (!out[k]) result.push_back((*from)[k]);
  }
  return result;
}

struct Made {
  const Members* members = nullptr;
  int size = -1;
};

Made made(const Returned& r, const std::optional<Ranks>& ranks) {
  if (!ranks) return {};
  return {r.world.intern(Members::of(*ranks)), static_cast<int>(ranks->size())};
}

Made group_of(const Returned& r) {
  const Process& p = r.process;
  switch (r.call.proc()) {
    case Proc::comm_group:
      if (const Communicator* c = p.comms.find(r.handle(Arg::comm))) return {c->members, c->size};
      return {};
    case Proc::comm_remote_group:
      if (const Communicator* c = p.comms.find(r.handle(Arg::comm)))
        return {c->others, c->remote_size};
      return {};
    case Proc::win_get_group:
      if (const Window* w = p.windows.find(r.handle(Arg::win))) return {w->members, w->size};
      return {};
    case Proc::file_get_group:
      if (const File* f = p.files.find(r.handle(Arg::fh)); f != nullptr && f->members != nullptr) {
        return {f->members, f->members->size};
      }
      return {};
    case Proc::group_union:
    case Proc::group_intersection:
    case Proc::group_difference:
      return made(r, set_operation(r));
    case Proc::group_from_session_pset: {
      const std::string_view name = r.enter.array(r.param(Arg::pset_name)).text();
      if (name == "mpi://SELF" || name == "mpi://self") return made(r, Ranks{p.rank.value});
      if (name != "mpi://WORLD" && name != "mpi://world") return {};
      Members all;
      all.size = p.world_size > 0 ? p.world_size : r.world.size();
      all.runs = {{p.first, 1, all.size}};
      return all.size > 0 ? Made{r.world.intern(all), all.size} : Made{};
    }
    case Proc::group_incl:
    case Proc::group_excl:
    case Proc::group_range_incl:
    case Proc::group_range_excl:
      return made(r, selection(r));
    default:
      return {};
  }
}

void make_group(const Returned& r) {
  if (!r.ok() || r.leave == nullptr) return;
  const auto raw = static_cast<std::uint64_t>(r.output(Kind::group, 0));
  const Made facts = group_of(r);
  // Libraries hand out a communicator's own group and count references.
  Group* g = born(r, r.process.groups, Kind::group, raw, true);
  if (g == nullptr) return;
  g->members = facts.members;
  g->size = facts.size;
}

}  // namespace

Effect group_effect(Proc proc) {
  const ProcInfo& about = info(proc);
  if (!about.has(kConstructor) || about.first(Kind::group, Dir::out) < 0) return nullptr;
  return make_group;
}

}  // namespace vouch
