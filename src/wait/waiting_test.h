// One node that is fed by hand, and its verdict as text.

#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "wait/graph.h"
#include "wait/node.h"

namespace vouch::wait {

inline constexpr CommId kWorld = 1;

class Waiting : public ::testing::Test {
 protected:
  void ranks(int n, Buffering buffering = {}) {
    node = std::make_unique<Node>(0, Layout{}, nullptr, buffering);
    auto world = std::make_shared<Group>();
    for (Rank r = 0; r < n; ++r) world->members.push_back(r);
    node->define(kWorld, world);
  }
  static Label line(int n) { return {1, Site{static_cast<std::uint32_t>(n)}}; }
  Index send(Rank from, Rank to, int at, bool blocks = true) {
    return node->send(from,
                      {.label = line(at), .envelope = {kWorld, from, to, 0}, .blocks = blocks});
  }
  Index recv(Rank at_rank, Rank from, int at, bool blocks = true) {
    return node->recv(at_rank, line(at), {kWorld, from, at_rank, 0}, blocks);
  }
  Index barrier(Rank r, int at) { return node->collective(r, line(at), kWorld, wave[r]++, true); }
  Index wait(Rank r, std::vector<Index> parts, bool all, int at) {
    return node->completion(r, line(at), parts, all);
  }
  Snapshot state(View view = {}) {
    node->request_snapshot(view);
    return *node->take_snapshot();
  }
  // "cycle 0@1 1@2; waiting 2@3"
  std::string verdict(Judging how = {}, View view = {}) {
    const Snapshot s = state(view);
    const Verdict v = judge(s, node->groups(), how);
    std::string text;
    const auto tell = [&](const std::vector<Stuck>& list) {
      for (const Stuck& e : list) {
        text += ' ';
        const auto& runs = e.ranks.runs();
        for (std::size_t i = 0; i < runs.size(); ++i) {
          text += (i > 0 ? "," : "") + std::to_string(runs[i].first);
          if (runs[i].last > runs[i].first) text += "-" + std::to_string(runs[i].last);
        }
        text += "@" + std::to_string(e.label.site.value);
      }
    };
    const char* shapes[] = {"cycle", "knot", "finished"};
    for (const Deadlock& d : v.deadlocks) {
      text += (text.empty() ? "" : "; ") + std::string(shapes[static_cast<int>(d.shape)]);
      if (!d.manifest) text += "?";
      tell(d.core);
    }
    if (!v.waiting.empty()) {
      text += "; waiting";
      tell(v.waiting);
    }
    return text;
  }

  std::unique_ptr<Node> node;
  std::map<Rank, std::uint64_t> wave;
};

}  // namespace vouch::wait
