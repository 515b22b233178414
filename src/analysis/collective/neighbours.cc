// Neighbourhood collectives, edge by edge, and the lists of neighbours that make them
// [U58, U65] (MPI-4.1 8.5.4, 8.6).

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "analysis/collective/collective.h"

namespace vouch {
namespace {

// An edge from -> to, and its place in the list of one of the two.
struct Link {
  int from, to;
  std::size_t place;
  bool operator<(const Link& o) const {
    return std::tie(from, to, place) < std::tie(o.from, o.to, o.place);
  }
  bool same_ends(const Link& o) const { return from == o.from && to == o.to; }
};

// The block that goes over each edge alike; nullptr if they differ.
const Payload* one_for_all(const Portion& p) {
  if (p.blocks.empty()) return nullptr;
  const bool alike = std::all_of(p.blocks.begin(), p.blocks.end(), [&](const Payload& b) {
    return b.known() && b.digest == p.blocks[0].digest;
  });
  return alike || !p.per_peer ? &p.blocks[0] : nullptr;
}

}  // namespace

void Collective::neighbours(const Wave& wave) {
  const Assembly& assembly = *wave.assembly;
  if (assembly.inter) return;
  if (assembly.topology == Topology::cart) return grid(wave);
  if (assembly.topology == Topology::none) return;
  if (assembly.graph == nullptr || !assembly.graph->joined().complete()) {
    return sink_.not_checked({.what = "neighbourhood collectives",
                              .reason = "the edges of their graph are not known",
                              .count = 1,
                              .site = wave.classes[0].members[0].site});
  }
  edges(wave);
}

// Parallel edges meet in the order of the lists.
void Collective::edges(const Wave& wave) {
  const Graph& graph = wave.assembly->graph->joined();
  const std::vector<Seat> all = seats(wave, 0);
  std::vector<Link> out, in;
  for (const auto& [me, node] : graph.nodes) {
    for (std::size_t k = 0; k < node.destinations.size(); ++k)
      out.push_back({me, node.destinations[k], k});
    for (std::size_t k = 0; k < node.sources.size(); ++k) in.push_back({node.sources[k], me, k});
  }
  std::sort(out.begin(), out.end());
  std::sort(in.begin(), in.end());
  std::vector<Pair> odd;
  bool unordered = false;
  auto b = in.begin();
  for (const Link& a : out) {
    while (b != in.end() && std::tie(b->from, b->to) < std::tie(a.from, a.to)) ++b;
    if (b == in.end() || !b->same_ends(a)) continue;  // nobody there: the lists disagree
    const Link& met = *b++;
    if (a.from < 0 || a.to < 0 || static_cast<std::size_t>(std::max(a.from, a.to)) >= all.size())
      continue;
    const Seat &giver = all[static_cast<std::size_t>(a.from)],
               &taker = all[static_cast<std::size_t>(a.to)];
    if (giver.who == nullptr || taker.who == nullptr || !giver.said->send.data() ||
        !taker.said->recv.data())
      continue;
    const Portion &given = giver.said->send, &taken = taker.said->recv;
    const auto block = [&](const Portion& p, std::size_t place) -> const Payload* {
      if (!graph.ordered) return one_for_all(p);
      return p.per_peer && place >= p.blocks.size() ? nullptr : &p.to(place);
    };
    const Payload *g = block(given, a.place), *t = block(taken, met.place);
    if (g == nullptr || t == nullptr) {
      unordered = unordered || !graph.ordered;
      continue;
    }
    look(giver, *g, taker, *t, odd);
  }
  if (unordered) {
    sink_.not_checked({.what = "neighbourhood collectives",
                       .reason = "the order of neighbours after MPI_Dist_graph_create is the "
                                 "library's",
                       .count = 1,
                       .site = wave.classes[0].members[0].site});
  }
  tell(wave, odd);
}

// MPI_Dist_graph_create_adjacent: each edge is named at both of its ends, as often. Of members that
// never came nothing is known: their edges are left out.
void Collective::adjacency(const Wave& wave) {
  constexpr std::size_t kSources = 1, kDestinations = 2;  // in ProcInfo::agree
  const std::vector<Seat> all = seats(wave, 0);
  std::vector<Link> out, in;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].who == nullptr) continue;
    const int me = static_cast<int>(i);
    const auto node = [&](std::int64_t v) {
      const auto at = static_cast<std::size_t>(v);
      return v < 0 || at >= all.size() || all[at].who == nullptr ? -1 : static_cast<int>(v);
    };
    for (const std::int64_t v : all[i].said->args[kDestinations]) out.push_back({me, node(v), 0});
    for (const std::int64_t v : all[i].said->args[kSources]) in.push_back({node(v), me, 0});
  }
  const auto real = [&](std::vector<Link>& list) {
    std::erase_if(list, [](const Link& e) { return e.from < 0 || e.to < 0; });
    std::sort(list.begin(), list.end());
  };
  real(out);
  real(in);
  std::vector<Link> half;  // named at one end only, or more often there
  std::set_symmetric_difference(out.begin(), out.end(), in.begin(), in.end(),
                                std::back_inserter(half));
  if (half.empty()) return;
  const Link e = half[0];
  const auto times = [&](const std::vector<Link>& list) {
    const auto [first, last] = std::equal_range(list.begin(), list.end(), e);
    return last - first;
  };
  // "does not list rank 1 as a destination", "lists rank 1 twice as a source".
  const auto lists = [](std::ptrdiff_t n, int rank, const char* as) {
    return n == 0   ? fmt::format("does not list rank {} as a {}", rank, as)
           : n == 1 ? fmt::format("lists rank {} as a {}", rank, as)
                    : fmt::format("lists rank {} {} times as a {}", rank, n, as);
  };
  const Seat &from = all[static_cast<std::size_t>(e.from)],
             &to = all[static_cast<std::size_t>(e.to)];
  std::string message =
      fmt::format("rank {} {}, but rank {} {}", from.who->rank.value,
                  lists(times(out), to.who->rank.value, "destination"), to.who->rank.value,
                  lists(times(in), from.who->rank.value, "source"));
  half.erase(std::unique(half.begin(), half.end(),
                         [](const Link& a, const Link& b) { return a.same_ends(b); }),
             half.end());
  if (half.size() == 2) message += "; another edge differs as well";
  if (half.size() > 2) message += fmt::format("; {} other edges differ as well", half.size() - 1);
  std::vector<Place> places{place_of(*from.who, *from.said), place_of(*to.who, *to.said)};
  if (from.who == to.who) places.pop_back();
  tell(wave, Rule::topology_neighbours, Severity::error, std::move(message), std::move(places));
}

// Edges of a Cartesian topology.
void Collective::grid(const Wave& wave) {
  const std::vector<std::int64_t>& dims = wave.assembly->dims;
  if (dims.empty() || wave.assembly->inter || wave.assembly->periods.size() < dims.size()) return;
  if (std::any_of(dims.begin(), dims.end(), [](std::int64_t n) { return n <= 0; })) return;
  const std::vector<Seat> all = seats(wave, 0);
  std::vector<Pair> odd;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].who == nullptr || !all[i].said->send.data()) continue;
    std::int64_t below = 1;  // ranks that one step in this dimension is worth
    for (std::size_t d = dims.size(); d-- > 0; below *= dims[d]) {
      const std::int64_t at = static_cast<std::int64_t>(i) / below % dims[d];
      // Where both ways lead to one process the order of its blocks is not told by the topology
      // alone.
      if (dims[d] <= 2 && wave.assembly->periods[d]) continue;
      for (const int step : {-1, 1}) {
        std::int64_t to = at + step;
        if (to < 0 || to >= dims[d]) {
          if (!wave.assembly->periods[d]) continue;
          to = (to + dims[d]) % dims[d];
        }
        const auto j = static_cast<std::size_t>(static_cast<std::int64_t>(i) + (to - at) * below);
        if (j >= all.size() || all[j].who == nullptr || !all[j].said->recv.data()) continue;
        const std::size_t goes = 2 * d + (step > 0), comes = 2 * d + (step < 0);
        const Portion &out = all[i].said->send, &in = all[j].said->recv;
        if ((out.per_peer && goes >= out.blocks.size()) ||
            (in.per_peer && comes >= in.blocks.size()))
          continue;
        look(all[i], out.to(goes), all[j], in.to(comes), odd);
      }
    }
  }
  tell(wave, odd);
}

}  // namespace vouch
