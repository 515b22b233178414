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

std::string name_of(const Assembly& assembly) {
  if (assembly.constant != Constant::none) return info(assembly.constant).name;
  return "the communicator made at " + mention(assembly.made);
}

}  // namespace

// The collective that some members of the wave call, called by this rank on another communicator
// that one of those is missing on.
const Wave* Collective::instead(const Wave& wave, Proc base, WorldRank rank) const {
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
    if (!lacks) return;
    first = &other;
    seq = there.who->seq;
  });
  return first;
}

// Whether `others` have called the same as the rest of the wave, on other communicators: one
// mistake, one finding.
bool Collective::other_communicator(const Wave& wave, Proc base, const std::vector<int>& others) {
  std::vector<const Wave*> all{&wave};
  for (const int rank : others) {
    const Wave* other = instead(wave, base, WorldRank{rank});
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
      const std::string name = name_of(*one->assembly);
      part.place.role = "on " + name;
      part.says += " " + part.place.role;
      part.key = one->assembly->key;
      parts.push_back(std::move(part));
    }
  }
  std::sort(parts.begin(), parts.end(),
            [](const Part& a, const Part& b) { return a.ranks[0] < b.ranks[0]; });
  for (Part& part : parts) {
    const bool alike = std::any_of(parts.begin(), parts.end(), [&](const Part& p) {
      return p.key != part.key && p.place.role == part.place.role && p.ranks[0] < part.ranks[0];
    });
    if (alike) part.says = info(part.said->proc).name + std::string(" on another one made there");
  }
  tell(wave, Rule::collective_mismatch, Severity::error, parts, "call",
       {.title = "ranks call a collective on different communicators",
        .advice = "Pass the same communicator on all ranks, or let all of its members call the "
                  "collectives of each communicator."});
  for (const Wave* one : all) {
    out_of_step_.insert(one->assembly->key);
    if (one != &wave) blame(*one, Rule::collective_mismatch);
  }
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
    if (!others.empty() && std::all_of(others.begin(), others.end(), [&](int rank) {
          return instead(wave, base, WorldRank{rank}) != nullptr;
        }))
      return other_communicator(wave, base, others);
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
  if (other_communicator(wave, info(wave.classes[0].said.proc).base, gone.ranks)) return false;
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
