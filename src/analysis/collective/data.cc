// Whether what one gives is what the other expects [U58].
//
// Equality, not prefix. All entries of a wave are at hand in one place, so each pair is compared by
// its digests; a call whose members all say the same is decided at once.

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "analysis/collective/collective.h"
#include "base/count_words.h"
#include "type/compare.h"

namespace vouch {
namespace {

std::string words_of(const Payload& b) {
  if (b.digest.atoms == 0) return "nothing";
  if (b.type->children.empty()) return fmt::format("{} {}", b.digest.atoms, name_of(b.type->atom));
  return fmt::format("{} in {}, beginning with {}", count_words(b.digest.atoms, "item"),
                     count_words(b.digest.bytes, "byte"), name_of(atom_at(b.type, 0)));
}

// Where two sequences of equal length differ.
std::string difference(const Payload& a, const Payload& b) {
  const std::uint64_t n = std::min(a.digest.atoms, b.digest.atoms);
  const SignatureRef x = repeat(a.count, a.type), y = repeat(b.count, b.type);
  const std::uint64_t at = first_difference(x, y);
  if (at >= n) return {};
  return fmt::format("; item {}: {} and {}", at, name_of(atom_at(x, at)), name_of(atom_at(y, at)));
}

// Two numbers of one basic type.
bool surely_unlike(const Payload& a, const Payload& b) {
  return a.known() && b.known() && a.type->children.empty() && b.type->children.empty() &&
         a.type->atom == b.type->atom && a.digest.atoms != b.digest.atoms;
}

}  // namespace

Collective::Fit Collective::fit(const Payload& given, const Payload& expected, Site site) const {
  if (!given.known() || !expected.known() || given.digest == expected.digest) return Fit::yes;
  switch (compare(given.type, given.count, expected.type, expected.count, true).what) {
    case Comparison::What::fits:
      return Fit::yes;
    case Comparison::What::over_budget:
      sink_.not_checked({.what = "types of a collective",
                         .reason = "too many changes between MPI_BYTE and other types to compare",
                         .count = 1,
                         .site = site});
      return Fit::yes;
    case Comparison::What::equivalent:
      return Fit::equivalent;
    default:
      return Fit::no;
  }
}

void Collective::data(const Wave& wave) {
  const ProcInfo& about = info(wave.classes[0].said.proc);
  const bool inter = wave.assembly->inter;
  if (about.family == Family::neighbour) return neighbours(wave);
  if (about.first(Kind::op, Dir::in) >= 0) {
    if (about.flow == Flow::all_to_my_part) return inter ? sums(wave) : same_counts(wave);
    const bool in_parts = about.base == Proc::reduce_scatter_block;
    return in_parts && inter ? sums(wave) : uniform(wave, false);
  }
  switch (about.flow) {
    case Flow::from_root:
    case Flow::root_to_me:
      // MPI_Bcast has one buffer for both.
      return about.send.buffer == about.recv.buffer ? uniform(wave, true) : rooted(wave, false);
    case Flow::to_root:
    case Flow::each_to_root:
      return rooted(wave, true);
    case Flow::all:
    case Flow::each_to_me:
      if (about.send.buffer >= 0) exchange(wave);
      return;
    default:
      return;
  }
}

// All give the same.
void Collective::uniform(const Wave& wave, bool by_root) {
  const Payload* common = nullptr;  // the root's, else that of most members
  for (const Wave::Class& c : wave.classes) {
    if (!c.said.send.data() || !c.said.send.known) continue;
    if (!by_root || common == nullptr || c.said.at_root) common = &c.said.send.blocks[0];
  }
  if (common == nullptr) return;
  bool same = true, equivalent = true;
  const Payload* odd = nullptr;
  for (const Wave::Class& c : wave.classes) {
    if (!c.said.send.data()) continue;
    const Fit f = fit(*common, c.said.send.blocks[0], c.members[0].site);
    if (f == Fit::yes) continue;
    same = false;
    if (odd == nullptr || f == Fit::no) odd = &c.said.send.blocks[0];
    equivalent = equivalent && f == Fit::equivalent;
  }
  if (same) return;
  const Severity severity = equivalent ? Severity::warning : Severity::error;
  if (again(wave, Rule::collective_type, severity)) return;
  std::vector<Part> parts = parts_of(wave, [&](const Said& s) {
    return s.send.data() && s.send.known ? words_of(s.send.blocks[0]) : std::string();
  });
  const bool plain = parts.size() > 1;
  if (!plain)
    parts = parts_of(wave, [&](const Said& s) {
      if (!s.send.data() || !s.send.known) return std::string();
      return words_of(s.send.blocks[0]) +
             (s.send.blocks[0].digest == common->digest ? "" : " of other types");
    });
  tell(wave, Rule::collective_type, severity, parts, "",
       {.more = plain ? std::string() : difference(*common, *odd)});
}

// MPI_Reduce_scatter: the whole array of counts.
void Collective::same_counts(const Wave& wave) {
  const Said& first = wave.classes.back().said;
  for (const Wave::Class& c : wave.classes) {
    if (!c.said.send.known || c.said.send.blocks.size() != first.send.blocks.size()) return;
  }
  for (std::size_t i = 0; i < first.send.blocks.size(); ++i) {
    bool same = true, equivalent = true;
    for (const Wave::Class& c : wave.classes) {
      const Fit f = fit(first.send.blocks[i], c.said.send.blocks[i], c.members[0].site);
      same = same && f == Fit::yes;
      equivalent = equivalent && f != Fit::no;
    }
    if (same) continue;
    const Severity severity = equivalent ? Severity::warning : Severity::error;
    if (again(wave, Rule::collective_type, severity)) return;
    const std::vector<Part> parts = parts_of(wave, [&](const Said& s) {
      return fmt::format("{} for rank {}", words_of(s.send.blocks[i]), i);
    });
    return tell(wave, Rule::collective_type, severity, parts, "");
  }
}

// On an inter-communicator each group cuts what the other reduces (MPI-4.1 6.10): within a group
// the counts agree, and in all both have as much. One member of each is enough to tell: the library
// may end the job before the others have come.
void Collective::sums(const Wave& wave) {
  Payload total[2];
  const Wave::Class* first[2] = {nullptr, nullptr};
  for (const Wave::Class& c : wave.classes) {
    const Portion& p = c.said.send;
    if (!p.data() || !p.known || p.blocks.empty()) return;
    const int side = c.said.side;
    const auto cut = [](const Portion& q) {
      std::vector<std::uint64_t> counts;
      for (const Payload& b : q.blocks) counts.push_back(b.digest.atoms);
      return counts;
    };
    if (first[side] == nullptr) {
      first[side] = &c;
      const Members* group = wave.assembly->groups[side];
      // The type is that of any block which has one.
      for (const Payload& b : p.blocks) {
        total[side].count += b.count;
        if (total[side].type == nullptr || b.count > 0) total[side].type = b.type;
      }
      if (!p.per_peer) total[side].count *= static_cast<std::uint64_t>(group->size);
      total[side].digest = digest_of(total[side].type, total[side].count);
    } else if (cut(p) != cut(first[side]->said.send)) {
      if (again(wave, Rule::collective_type, Severity::error)) return;
      const auto words = [&](const Said& s) {
        if (s.side != side) return std::string();
        std::string list;
        for (const std::uint64_t n : cut(s.send))
          list += (list.empty() ? "" : ",") + std::to_string(n);
        return "counts of " + list;
      };
      return tell(wave, Rule::collective_type, Severity::error, parts_of(wave, words), "");
    }
  }
  if (first[0] == nullptr || first[1] == nullptr) return;
  const Fit f = fit(total[0], total[1], first[0]->members[0].site);
  if (f == Fit::yes) return;
  const Severity severity = f == Fit::equivalent ? Severity::warning : Severity::error;
  if (again(wave, Rule::collective_type, severity)) return;
  tell(wave, Rule::collective_type, severity,
       parts_of(wave, [&](const Said& s) { return words_of(total[s.side]) + " in all"; }), "");
}

// Members of a group in the order of their ranks.
std::vector<Collective::Seat> Collective::seats(const Wave& wave, int side) {
  std::vector<Seat> all;
  for (const Wave::Class& c : wave.classes) {
    if (wave.assembly->inter && c.said.side != side) continue;
    for (const Attendee& a : c.members) {
      if (a.me < 0 || a.me >= wave.assembly->total) continue;  // what a rank says of itself
      if (static_cast<std::size_t>(a.me) >= all.size())
        all.resize(static_cast<std::size_t>(a.me) + 1);
      all[static_cast<std::size_t>(a.me)] = {&a, &c.said};
    }
  }
  return all;
}

void Collective::look(const Seat& giver, const Payload& given, const Seat& taker,
                      const Payload& expected, std::vector<Pair>& odd) const {
  const Fit f = fit(given, expected, taker.who->site);
  if (f != Fit::yes) odd.push_back({giver, taker, &given, &expected, f == Fit::equivalent});
}

void Collective::rooted(const Wave& wave, bool gathers) {
  Seat root;
  for (const Wave::Class& c : wave.classes) {
    if (c.said.at_root) root = {&c.members[0], &c.said};
  }
  if (root.who == nullptr) return;
  const Portion& at_root = gathers ? root.said->recv : root.said->send;
  if (!at_root.data()) return;
  const std::vector<Seat> leaves = seats(wave, 1 - root.said->side);
  std::vector<Pair> odd;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (leaves[i].who == nullptr) continue;
    const Portion& leaf = gathers ? leaves[i].said->send : leaves[i].said->recv;
    if (!leaf.data() || (at_root.per_peer && i >= at_root.blocks.size())) continue;
    if (gathers) {
      look(leaves[i], leaf.blocks[0], root, at_root.to(i), odd);
    } else {
      look(root, at_root.to(i), leaves[i], leaf.blocks[0], odd);
    }
  }
  tell(wave, odd);
}

// Each with each.
void Collective::exchange(const Wave& wave) {
  const bool inter = wave.assembly->inter;
  // In place it is the receive side that goes out, too.
  const auto outgoing = [](const Said& s) -> const Portion& {
    return s.send.data() ? s.send : s.recv;
  };
  const Said& first = wave.classes[0].said;
  const bool gathers = !first.send.per_peer && !first.in_place;
  const auto all = [&](const auto& holds) {
    return std::all_of(wave.classes.begin(), wave.classes.end(),
                       [&](const Wave::Class& c) { return holds(c.said); });
  };
  if (!first.recv.per_peer) {
    if (!inter && all([&](const Said& s) {
          return s.recv.hash == first.recv.hash && outgoing(s).hash == first.recv.hash &&
                 s.recv.known && outgoing(s).known;
        }))
      return;
  }
  // A loop may come here with the same mistake a million times: one pair is enough to count it.
  if (gathers && !inter && !first.recv.per_peer && first.recv.data() && first.recv.known) {
    const auto unlike = [&](const Wave::Class& c) {
      const Portion& out = outgoing(c.said);
      return out.data() && out.known && !out.per_peer &&
             surely_unlike(out.blocks[0], first.recv.blocks[0]);
    };
    if (std::any_of(wave.classes.begin(), wave.classes.end(), unlike) &&
        again(wave, Rule::collective_type, Severity::error))
      return;
  }
  std::vector<Pair> odd;
  for (int side = 0; side < (inter ? 2 : 1); ++side) {
    const std::vector<Seat> givers = seats(wave, side);
    const std::vector<Seat> takers = inter ? seats(wave, 1 - side) : givers;
    // All expect the same of each giver.
    const bool alike = gathers && !inter && all([&](const Said& s) {
                         return s.recv.hash == first.recv.hash && s.recv.known;
                       });
    // In place MPI_Allgather gives what it has in its own block.
    if (first.in_place && info(first.proc).base != Proc::alltoall &&
        info(first.proc).base != Proc::alltoallv && info(first.proc).base != Proc::alltoallw) {
      if (all([&](const Said& s) { return s.recv.hash == first.recv.hash; })) return;
      for (std::size_t i = 0; i < givers.size(); ++i) {
        for (std::size_t j = 0; j < takers.size(); ++j) {
          if (givers[i].who == nullptr || takers[j].who == nullptr) continue;
          const Portion &mine = givers[i].said->recv, &theirs = takers[j].said->recv;
          if ((mine.per_peer && i >= mine.blocks.size()) ||
              (theirs.per_peer && i >= theirs.blocks.size()))
            continue;
          if (mine.data() && theirs.data())
            look(givers[i], mine.to(i), takers[j], theirs.to(i), odd);
        }
      }
      return tell(wave, odd);
    }
    for (std::size_t i = 0; i < givers.size(); ++i) {
      if (givers[i].who == nullptr) continue;
      const Portion& out = outgoing(*givers[i].said);
      if (!out.data()) continue;
      for (std::size_t j = 0; j < takers.size(); ++j) {
        if (takers[j].who == nullptr) continue;
        const Portion& in = takers[j].said->recv;
        if (!in.data() || (out.per_peer && j >= out.blocks.size()) ||
            (in.per_peer && i >= in.blocks.size()))
          continue;
        // The other half of an exchange in place is the same comparison.
        if (first.in_place && j < i) continue;
        if (!(out.to(j).digest == in.to(i).digest))
          look(givers[i], out.to(j), takers[j], in.to(i), odd);
        if (alike && odd.empty()) break;
      }
    }
  }
  tell(wave, odd);
}

// One of them, and of it first the process that is odd most often: a root only if many leaves
// disagree with it.
void Collective::tell(const Wave& wave, const std::vector<Pair>& odd) {
  if (odd.empty()) return;
  const bool worst =
      std::any_of(odd.begin(), odd.end(), [](const Pair& p) { return !p.equivalent; });
  const Severity severity = worst ? Severity::error : Severity::warning;
  if (again(wave, Rule::collective_type, severity)) return;
  std::map<int, std::size_t> times;  // by world rank
  for (const Pair& p : odd) {
    ++times[p.giver.who->rank.value];
    if (p.taker.who != p.giver.who) ++times[p.taker.who->rank.value];
  }
  const auto weight = [&](const Seat& s) {
    return 2 * times[s.who->rank.value] + !s.said->at_root;
  };
  const Pair* told = nullptr;
  for (const Pair& p : odd) {
    if (p.equivalent == worst) continue;
    if (told == nullptr || std::max(weight(p.giver), weight(p.taker)) >
                               std::max(weight(told->giver), weight(told->taker)))
      told = &p;
  }
  const Seat &a = told->giver, &b = told->taker;
  std::string message =
      fmt::format("rank {} gives {}, rank {} expects {}", a.who->rank.value, words_of(*told->given),
                  b.who->rank.value, words_of(*told->expected));
  if (words_of(*told->given) == words_of(*told->expected))
    message += difference(*told->given, *told->expected);
  if (odd.size() == 2) message += "; another pair differs as well";
  if (odd.size() > 2) message += fmt::format("; {} other pairs differ as well", odd.size() - 1);
  std::vector<Place> places{place_of(*a.who, *a.said), place_of(*b.who, *b.said)};
  if (weight(b) > weight(a)) std::swap(places[0], places[1]);
  if (a.who == b.who) places.pop_back();
  tell(wave, Rule::collective_type, severity, std::move(message), std::move(places));
}

}  // namespace vouch
