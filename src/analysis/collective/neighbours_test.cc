#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "analysis/argument/argument.h"
#include "analysis/collective/collective.h"
#include "analysis/collective/orders_test.h"
#include "analysis/testing/run_text.h"

namespace vouch {
namespace {

std::string found(const std::string& text) {
  const std::string result = run<Collective>(text), said = run_messages<Collective>(text);
  for (int seed = 1; seed < 6; ++seed) {
    EXPECT_EQ(run<Collective>(in_order(text, seed)), result) << in_order(text, seed);
    EXPECT_EQ(run_messages<Collective>(in_order(text, seed)), said);
  }
  return result;
}

std::string list(const std::vector<int>& values) {
  std::string text = "[";
  for (const int v : values) text += (text.size() > 1 ? "," : "") + std::to_string(v);
  return text + "]";
}

// A distributed graph over all ranks: each gives its own lists.
struct Lists {
  std::vector<std::vector<int>> sources, destinations;
  explicit Lists(int ranks)
      : sources(static_cast<std::size_t>(ranks)), destinations(static_cast<std::size_t>(ranks)) {}
  std::size_t size() const { return sources.size(); }
};

std::string adjacent(const Lists& l) {
  std::string text;
  for (std::size_t r = 0; r < l.size(); ++r) {
    const std::string who = std::to_string(r) + " ";
    text += who + "Dist_graph_create_adjacent indegree=" + std::to_string(l.sources[r].size()) +
            " sources=" + list(l.sources[r]) +
            " outdegree=" + std::to_string(l.destinations[r].size()) +
            " destinations=" + list(l.destinations[r]) + " comm_dist_graph=g @a\n" + who +
            "comm g size=" + std::to_string(l.size()) + " rank=" + std::to_string(r) + " members=";
    for (std::size_t i = 0; i < l.size(); ++i) text += (i > 0 ? "," : "") + std::to_string(i);
    text += " topology=dist_graph indegree=" + std::to_string(l.sources[r].size()) +
            " outdegree=" + std::to_string(l.destinations[r].size()) + "\n";
  }
  return text;
}

// [U65]
TEST(Neighbours, half_an_edge) {
  Lists l(2);
  l.destinations[0] = {1};
  EXPECT_EQ(found(adjacent(l)), "topology/neighbours ranks=0,1 @a\n");
  EXPECT_EQ(
      run_messages<Collective>(adjacent(l)),
      "topology/neighbours: rank 0 lists rank 1 as a destination, but rank 1 does not list rank 0 "
      "as a source\n");
  l.sources[1] = {0};
  EXPECT_EQ(found(adjacent(l)), "");
  l.sources[1] = {0, 0};
  EXPECT_EQ(found(adjacent(l)), "topology/neighbours ranks=0,1 @a\n");
}

// [U65]
TEST(Neighbours, directed_ring_and_borders) {
  Lists ring(4);
  for (int r = 0; r < 4; ++r) {
    ring.destinations[static_cast<std::size_t>(r)] = {(r + 1) % 4};
    ring.sources[static_cast<std::size_t>(r)] = {(r + 3) % 4};
  }
  EXPECT_EQ(found(adjacent(ring)), "");
  EXPECT_EQ(found("0 Dist_graph_create_adjacent indegree=1 sources=[PROC_NULL] outdegree=1 "
                  "destinations=[1]\n1 Dist_graph_create_adjacent indegree=1 sources=[0] "
                  "outdegree=1 destinations=[PROC_NULL]\n"),
            "");
}

// Random lists, some spoilt: told iff some edge is not named as often at both ends.
TEST(Neighbours, random_lists) {
  std::mt19937 random(3);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  int spoilt = 0;
  for (int round = 0; round < 300; ++round) {
    const int ranks = 2 + below(4);
    Lists l(ranks);
    for (int e = below(10); e > 0; --e) {
      const int from = below(ranks), to = below(ranks);
      l.destinations[static_cast<std::size_t>(from)].push_back(to);
      l.sources[static_cast<std::size_t>(to)].push_back(from);
    }
    if (below(2) == 0) {
      auto& side = below(2) == 0 ? l.sources : l.destinations;
      auto& one = side[static_cast<std::size_t>(below(ranks))];
      if (!one.empty() && below(2) == 0) {
        one[0] = below(ranks);
      } else {
        one.push_back(below(ranks));
      }
    }
    for (auto& one : l.sources) std::shuffle(one.begin(), one.end(), random);
    bool agree = true;
    for (int a = 0; a < ranks; ++a) {
      for (int b = 0; b < ranks; ++b) {
        const auto& out = l.destinations[static_cast<std::size_t>(a)];
        const auto& in = l.sources[static_cast<std::size_t>(b)];
        agree =
            agree && std::count(out.begin(), out.end(), b) == std::count(in.begin(), in.end(), a);
      }
    }
    spoilt += !agree;
    const std::string result = run<Collective>(adjacent(l));
    EXPECT_EQ(result.find("topology/neighbours") != std::string::npos, !agree) << adjacent(l);
  }
  EXPECT_GT(spoilt, 50);
}

// Over each edge goes what its two ends describe: the k-th block for a destination meets the k-th
// for that source, parallel edges in the order of the lists.
// [U58]
TEST(Neighbours, random_edges) {
  std::mt19937 random(5);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  int odd = 0;
  for (int round = 0; round < 300; ++round) {
    const int ranks = 2 + below(3);
    Lists l(ranks);
    for (int e = 1 + below(8); e > 0; --e) {
      const int from = below(ranks), to = below(ranks);
      l.destinations[static_cast<std::size_t>(from)].push_back(to);
      l.sources[static_cast<std::size_t>(to)].push_back(from);
    }
    for (auto& one : l.sources) std::shuffle(one.begin(), one.end(), random);
    std::vector<std::vector<int>> given(l.size()), taken(l.size());
    for (std::size_t r = 0; r < l.size(); ++r) {
      for (std::size_t k = 0; k < l.destinations[r].size(); ++k) given[r].push_back(below(3));
      taken[r].resize(l.sources[r].size());
    }
    // Pair by pair, the plain way.
    for (int a = 0; a < ranks; ++a) {
      for (int b = 0; b < ranks; ++b) {
        std::vector<int> sizes;
        const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
        for (std::size_t k = 0; k < l.destinations[i].size(); ++k) {
          if (l.destinations[i][k] == b) sizes.push_back(given[i][k]);
        }
        std::size_t next = 0;
        for (std::size_t k = 0; k < l.sources[j].size(); ++k) {
          if (l.sources[j][k] == a) taken[j][k] = sizes[next++];
        }
      }
    }
    const bool spoil = below(2) == 0;
    if (spoil) {
      std::size_t r = 0;
      while (taken[r].empty()) ++r;
      ++taken[r][static_cast<std::size_t>(below(static_cast<int>(taken[r].size())))];
    }
    odd += spoil;
    std::string text = adjacent(l);
    for (std::size_t r = 0; r < l.size(); ++r) {
      const std::vector<int> zeros(std::max(given[r].size(), taken[r].size()), 0);
      text +=
          std::to_string(r) + " Neighbor_alltoallv comm=g sendcounts=" + list(given[r]) +
          " sdispls=" + list({zeros.begin(), zeros.begin() + static_cast<long>(given[r].size())}) +
          " recvcounts=" + list(taken[r]) +
          " rdispls=" + list({zeros.begin(), zeros.begin() + static_cast<long>(taken[r].size())}) +
          " @b\n";
    }
    const std::string result = run<Collective>(text);
    EXPECT_EQ(result.find("collective/type") != std::string::npos, spoil) << text << result;
    EXPECT_EQ(result.find("topology") == std::string::npos, true) << text;
  }
  EXPECT_GT(odd, 100);
}

TEST(Neighbours, graph_that_all_know) {
  const auto on = [](const std::string& rank0, const std::string& rank1) {
    std::string text;
    for (int r = 0; r < 2; ++r) {
      const std::string who = std::to_string(r) + " ";
      text += who + "Graph_create nnodes=2 index=[1,2] edges=[1,0] comm_graph=g\n" + who +
              "comm g size=2 rank=" + std::to_string(r) +
              " members=0,1 topology=graph indegree=1 outdegree=1\n" + who +
              "Neighbor_allgather comm=g " + (r == 0 ? rank0 : rank1) + " @b\n";
    }
    return text;
  };
  EXPECT_EQ(found(on("sendcount=2 recvcount=2", "sendcount=2 recvcount=2")), "");
  EXPECT_EQ(found(on("sendcount=2 recvcount=3", "sendcount=3 recvcount=2")), "");
  EXPECT_EQ(found(on("sendcount=2 recvcount=2", "sendcount=3 recvcount=2")),
            "collective/type ranks=0,1 @b\n");
}

TEST(Neighbours, graph_made_in_pieces) {
  const auto on = [](const std::string& call) {
    std::string text;
    for (int r = 0; r < 2; ++r) {
      const std::string who = std::to_string(r) + " ";
      text += who +
              (r == 0 ? "Dist_graph_create n=2 sources=[0,1] degrees=[1,1] destinations=[1,0]"
                      : "Dist_graph_create n=0 sources=[] degrees=[] destinations=[]") +
              " comm_dist_graph=g\n" + who + "comm g size=2 rank=" + std::to_string(r) +
              " members=0,1 topology=dist_graph indegree=1 outdegree=1\n" + who + call + " @b\n";
    }
    return text;
  };
  EXPECT_EQ(found(on("Neighbor_allgather comm=g sendcount=2 recvcount=2")), "");
  EXPECT_EQ(found(on("Neighbor_allgather comm=g sendcount=2 recvcount=1")),
            "collective/type ranks=0,1 @b\n");
  EXPECT_EQ(found(on("Neighbor_alltoallv comm=g sendcounts=[2] sdispls=[0] recvcounts=[2] "
                     "rdispls=[0]")),
            "");
}

}  // namespace
}  // namespace vouch
