// Members that never join: they are in MPI_Finalize, have freed the communicator, or have called
// the same collective on another one.

#include <algorithm>

#include <fmt/format.h>

#include "analysis/collective/collective.h"

namespace vouch {
namespace {

bool is_member(const Assembly& assembly, WorldRank rank) {
  return std::any_of(std::begin(assembly.groups), std::end(assembly.groups),
                     [&](const Members* g) { return g != nullptr && g->rank_of(rank).value >= 0; });
}

struct Seen {
  const Attendee* who = nullptr;
  Proc base = Proc::none;
};

Seen find(const Wave& wave, WorldRank rank) {
  for (const Wave::Class& c : wave.classes) {
    for (const Attendee& a : c.members) {
      if (a.rank == rank) return {&a, info(c.said.proc).base};
    }
  }
  return {};
}

}  // namespace

// Some members of the wave have not called it and are in MPI_Finalize.
bool Collective::never_all(const Wave& wave) const {
  for (std::size_t i = 0; i < world_.processes(); ++i) {
    const Process& p = world_.process(i);
    if (!p.spawned && (p.phase == Phase::finalizing || p.phase == Phase::finalized) &&
        is_member(*wave.assembly, p.rank) && find(wave, p.rank).who == nullptr)
      return true;
  }
  return false;
}

// The collective that some members of the wave call, called by this rank on another communicator
// that one of those is missing on or, at the end, that was never joined by all.
const Wave* Collective::instead(const Wave& wave, Proc base, WorldRank rank, bool at_end) const {
  const Wave* first = nullptr;
  std::uint32_t seq = 0;
  wave.all->for_each_open([&](const Wave& other) {
    if (other.assembly == wave.assembly || other.assembly->kind != Kind::comm || other.poisoned ||
        other.doubtful || out_of_step_.count(other.assembly->key) != 0)
      return;
    const Seen there = find(other, rank);
    if (there.base != base || (first != nullptr && there.who->seq > seq)) return;
    // Only what it called before is surely known by now.
    const Seen here = find(wave, rank);
    if (here.who != nullptr && there.who->seq > here.who->seq) return;
    const bool lacks = std::any_of(wave.classes.begin(), wave.classes.end(), [&](const auto& c) {
      return info(c.said.proc).base == base &&
             std::any_of(c.members.begin(), c.members.end(), [&](const Attendee& a) {
               return is_member(*other.assembly, a.rank) && find(other, a.rank).who == nullptr;
             });
    });
    if (!lacks && !(at_end && never_all(other))) return;
    first = &other;
    seq = there.who->seq;
  });
  return first;
}

// One mistake of several parts, each of which calls on another communicator: place.role says on
// which, key tells them apart.
void Collective::tell_communicators(const Wave& wave, std::vector<Part> parts) const {
  std::sort(parts.begin(), parts.end(),
            [](const Part& a, const Part& b) { return a.ranks[0] < b.ranks[0]; });
  std::string cause;
  for (Part& part : parts) {
    const bool alike = std::any_of(parts.begin(), parts.end(), [&](const Part& p) {
      return p.key != part.key && p.place.role == part.place.role && p.ranks[0] < part.ranks[0];
    });
    part.says += alike ? " on another one made there" : " " + part.place.role;
    cause += part.place.role + "\n";
  }
  tell(wave, Rule::collective_mismatch, Severity::error, parts, "call",
       {.title = "ranks call a collective on different communicators",
        .advice = "Pass the same communicator on all ranks, or let all of its members call the "
                  "collectives of each communicator.",
        .cause = std::move(cause)});
}

// Whether `others` have called the same as the rest of the wave, on other communicators: one
// mistake, one finding.
bool Collective::other_communicator(const Wave& wave, Proc base, const std::vector<int>& others,
                                    bool at_end) {
  std::vector<const Wave*> all{&wave};
  for (const int rank : others) {
    const Wave* other = instead(wave, base, WorldRank{rank}, at_end);
    if (other == nullptr) continue;
    if (std::find(all.begin(), all.end(), other) == all.end()) all.push_back(other);
  }
  if (all.size() == 1) return false;
  std::vector<Part> parts;
  for (const Wave* one : all) {
    std::vector<Part> its = parts_of(*one, [&](const Said& s) {
      return info(s.proc).base == base ? std::string(info(s.proc).name) : std::string();
    });
    for (Part& part : its) {
      part.place.role = "on " + name_of(one->assembly->constant, one->assembly->made);
      part.key = one->assembly->key;
      parts.push_back(std::move(part));
    }
  }
  tell_communicators(wave, std::move(parts));
  for (const Wave* one : all) {
    out_of_step_.insert(one->assembly->key);
    if (one != &wave) blame(*one, Rule::collective_mismatch);
  }
  return true;
}

// The other way round, at the end: a caller of this wave is missing in one of the same collective
// on another communicator.
bool Collective::missed_elsewhere(const Wave& wave, Proc base) {
  const Wave* first = nullptr;
  std::vector<int> missing;
  wave.all->for_each_open([&](const Wave& other) {
    if (other.assembly == wave.assembly || other.assembly->kind != Kind::comm || other.poisoned ||
        other.doubtful || out_of_step_.count(other.assembly->key) != 0 ||
        info(other.classes[0].said.proc).base != base ||
        (first != nullptr && first->assembly->id < other.assembly->id))
      return;
    std::vector<int> ranks;
    for (const Wave::Class& c : wave.classes) {
      for (const Attendee& a : c.members) {
        if (is_member(*other.assembly, a.rank) && find(other, a.rank).who == nullptr)
          ranks.push_back(a.rank.value);
      }
    }
    if (ranks.empty()) return;
    first = &other;
    missing = std::move(ranks);
  });
  return first != nullptr && other_communicator(*first, base, missing, true);
}

// What the rank called last before it freed the communicator of the wave, or before the end.
const Collective::Earlier* Collective::earlier(WorldRank rank, const Wave& wave) const {
  if (const Seen seen = find(wave, rank); seen.who != nullptr) {
    const auto at = before_free_.find(free_key(seen.who->process, seen.who->seq));
    return at == before_free_.end() ? nullptr : &at->second;
  }
  for (std::size_t i = 0; i < world_.processes(); ++i) {
    if (world_.process(i).rank == rank) return latest_.find(i);
  }
  return nullptr;
}

// The last collective of each of `others` is the very call of the rest of the wave, at the same
// line, on another communicator: joined by all there or not, this is where they have gone.
bool Collective::line_on_another(const Wave& wave, Proc base,
                                 const std::vector<int>& others) const {
  std::vector<Part> parts = parts_of(wave, [&](const Said& s) {
    return info(s.proc).base == base ? std::string(info(s.proc).name) : std::string();
  });
  for (Part& part : parts) {
    part.place.role = "on " + name_of(wave.assembly->constant, wave.assembly->made);
    part.key = wave.assembly->id;
  }
  for (const int rank : others) {
    const Earlier* last = earlier(WorldRank{rank}, wave);
    if (last == nullptr || last->comm == wave.assembly->id || info(last->proc).base != base)
      return false;
    const bool same_line = std::any_of(wave.classes.begin(), wave.classes.end(), [&](auto& c) {
      return info(c.said.proc).base == base &&
             std::any_of(c.members.begin(), c.members.end(),
                         [&](const Attendee& a) { return a.site == last->site; });
    });
    if (!same_line) return false;
    const auto known = std::find_if(parts.begin(), parts.end(),
                                    [&](const Part& p) { return p.key == last->comm; });
    if (known != parts.end()) {
      known->ranks.push_back(rank);
      known->place.others.push_back(rank);
      continue;
    }
    const char* name = info(last->proc).name;
    Part part{.says = name, .place = {WorldRank{rank}, last->site, name, {}}, .ranks = {rank}};
    part.place.role = "on " + name_of(last->constant, last->made);
    part.key = last->comm;
    parts.push_back(std::move(part));
  }
  tell_communicators(wave, std::move(parts));
  return true;
}

// The same where they have gone on and freed the communicator. Behind other calls the open waves
// depend on whose records were read first.
bool Collective::other_communicator(const Wave& wave) {
  for (const Wave::Class& meant : wave.classes) {
    const Proc base = info(meant.said.proc).base;
    if (info(base).has(kDestructor)) continue;
    std::vector<int> others;
    for (const Wave::Class& c : wave.classes) {
      if (info(c.said.proc).base == base) continue;
      if (!info(c.said.proc).has(kDestructor)) return false;
      for (const Attendee& a : c.members) others.push_back(a.rank.value);
    }
    if (others.empty()) continue;
    std::sort(others.begin(), others.end());
    if (std::all_of(others.begin(), others.end(), [&](int rank) {
          return instead(wave, base, WorldRank{rank}, false) != nullptr;
        }))
      return other_communicator(wave, base, others, false);
    if (line_on_another(wave, base, others)) return true;
  }
  return false;
}

// Members that have freed the communicator: others call it in the callbacks of their attributes.
bool Collective::freed_before(const Wave& wave, const std::vector<int>& there) {
  Part gone;
  for (const Assembly::Freed& f : wave.assembly->freed) {
    if (std::binary_search(there.begin(), there.end(), f.who.rank.value) || f.joined > wave.index)
      continue;
    if (gone.ranks.empty() || f.who.rank < gone.place.rank)
      gone.place = {f.who.rank, f.who.site, "MPI_Comm_free", "has freed it", {}, {}};
    gone.ranks.push_back(f.who.rank.value);
  }
  if (gone.ranks.empty()) return false;
  std::sort(gone.ranks.begin(), gone.ranks.end());
  std::vector<Part> parts =
      parts_of(wave, [](const Said& s) { return std::string(info(s.proc).name); });
  Words words{.more = fmt::format("; {} {} freed the communicator without joining",
                                  rank_words(gone.ranks), gone.ranks.size() == 1 ? "has" : "have"),
              .places = {gone.place}};
  tell(wave, Rule::collective_mismatch, Severity::error, parts, "call", words);
  return true;
}

// At the end: a member that is in MPI_Finalize never comes.
bool Collective::all_join(const Wave& wave) {
  if (wave.complete) return true;
  const Assembly& assembly = *wave.assembly;
  // What was not freed by all is a leak.
  if (assembly.kind != Kind::comm || info(wave.classes[0].said.proc).has(kDestructor)) return true;
  if (assembly.inter && assembly.groups[1] == nullptr) return true;
  std::vector<int> there;
  bool still_there = false;  // one that has called it and is not in MPI_Finalize
  for (const Wave::Class& c : wave.classes) {
    for (const Attendee& a : c.members) {
      there.push_back(a.rank.value);
      still_there = still_there || world_.process(a.process).phase == Phase::running;
    }
  }
  std::sort(there.begin(), there.end());
  if (freed_before(wave, there)) return false;
  Part gone;
  for (std::size_t i = 0; i < world_.processes(); ++i) {
    const Process& p = world_.process(i);
    if (p.stranger() || p.lossy || excused_.count(i) != 0 ||
        (p.phase != Phase::finalizing && p.phase != Phase::finalized))
      continue;
    if (!is_member(assembly, p.rank) ||
        std::binary_search(there.begin(), there.end(), p.rank.value))
      continue;
    if (gone.ranks.empty() || p.rank < gone.place.rank)
      gone.place = {p.rank, p.finalize_site, "MPI_Finalize", {}};
    gone.ranks.push_back(p.rank.value);
  }
  // All of the other agents' have ended well, so who has not come never will.
  if (world_.orderly_elsewhere() && assembly.groups[0] != nullptr) {
    for (const int rank : assembly.groups[0]->list()) {
      if (world_.here(WorldRank{rank}) || std::binary_search(there.begin(), there.end(), rank))
        continue;
      if (gone.ranks.empty() || WorldRank{rank} < gone.place.rank)
        gone.place = {WorldRank{rank}, {}, "MPI_Finalize", {}};
      gone.ranks.push_back(rank);
    }
  }
  if (gone.ranks.empty()) return true;
  std::sort(gone.ranks.begin(), gone.ranks.end());
  const Proc base = info(wave.classes[0].said.proc).base;
  if (other_communicator(wave, base, gone.ranks, true) || missed_elsewhere(wave, base) ||
      line_on_another(wave, base, gone.ranks))
    return false;
  std::vector<Part> parts =
      parts_of(wave, [](const Said& s) { return std::string(info(s.proc).name); });
  if (!info(wave.classes[0].said.proc).has(kBlocking) && !still_there) {
    std::vector<Place> places;
    for (const Part& p : parts) places.push_back(p.place);
    tell(wave, Rule::unmatched_collective, Severity::error,
         fmt::format("{} never joined", rank_words(gone.ranks)), places);
    return false;
  }
  gone.says = "MPI_Finalize";
  const auto at = std::find_if(parts.begin(), parts.end(), [&](const Part& p) {
    return p.ranks.size() != gone.ranks.size() ? p.ranks.size() > gone.ranks.size()
                                               : p.ranks[0] > gone.ranks[0];
  });
  parts.insert(at, gone);
  tell(wave, Rule::collective_mismatch, Severity::error, parts, "call");
  return false;
}

}  // namespace vouch
