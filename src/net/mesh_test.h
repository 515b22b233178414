// Meshes for tests: listeners that write down what they hear, driven in turn.

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "net/mesh.h"

namespace vouch::net::testing {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using namespace std::chrono_literals;

inline constexpr Type kText = kFirstUserType + 7;

inline Tuning on_loopback() {
  Tuning tuning;
  tuning.interface = "127.0.0.0/8";
  tuning.patience.heartbeat = 200ms;
  tuning.patience.silence = 5000ms;
  return tuning;
}

class Member : public Listener {
 public:
  explicit Member(Result<std::unique_ptr<Mesh>> made) {
    EXPECT_TRUE(made.ok()) << (made.ok() ? "" : made.error());
    mesh = std::move(made).value();
  }

  void on_joined(int, const std::string& host) override {
    ++joined;
    last_host = host;
  }
  void on_open(std::string_view text) override {
    opened = true;
    plan = text;
  }
  void on_message(int from, Type type, std::string_view bytes) override {
    messages.push_back({from, type, std::string(bytes)});
    if (heard) heard(messages.back());
  }
  void on_lost(int node, const std::string& why) override { lost.push_back({node, why}); }
  void on_end() override {
    ended = true;
    if (at_end) at_end();
  }

  void send(int node, Lane lane, std::string_view text) { mesh->send(node, lane, kText, text); }
  bool pump(milliseconds timeout = 0ms) { return mesh->pump(*this, timeout); }
  bool closed() const { return mesh->state() == Mesh::State::closed; }

  struct Heard {
    int from;
    Type type;
    std::string text;
    bool operator==(const Heard&) const = default;
  };
  std::unique_ptr<Mesh> mesh;
  std::vector<Heard> messages;
  std::vector<std::pair<int, std::string>> lost;
  std::string plan, last_host;
  int joined = 0;
  bool opened = false, ended = false;
  std::function<void(const Heard&)> heard;
  std::function<void()> at_end;
};

// Until `done`, or too late.
inline bool run(const std::vector<Member*>& members, const std::function<bool()>& done,
                milliseconds limit = 20s) {
  for (const auto until = Clock::now() + limit; Clock::now() < until;) {
    bool any = false;
    for (Member* m : members) any = m->pump() || any;
    if (done()) return true;
    if (!any && !members.empty()) members.front()->pump(1ms);
  }
  return false;
}

// The root is the first; all are open.
class Crowd {
 public:
  explicit Crowd(int nodes, const Tuning& tuning = on_loopback()) {
    add(Mesh::found(tuning));
    for (int i = 1; i < nodes; ++i) {
      add(Mesh::join(root().mesh->invitation(), tuning));
      EXPECT_TRUE(run(all(), [&] { return members.back()->mesh->self() == i; }));
    }
  }
  void open(const std::string& plan = "") {
    root().mesh->open(plan);
    EXPECT_TRUE(until([&] {
      return std::all_of(members.begin(), members.end(), [](auto& m) { return m->opened; });
    }));
  }
  bool until(const std::function<bool()>& done, milliseconds limit = 20s) {
    return run(all(), done, limit);
  }
  bool close() {
    root().mesh->end();
    return until([&] {
      return std::all_of(members.begin(), members.end(), [](auto& m) { return m->closed(); });
    });
  }
  Member& root() { return *members.front(); }
  Member& at(int node) { return *members[static_cast<std::size_t>(node)]; }
  std::vector<Member*> all() {
    std::vector<Member*> list;
    for (auto& m : members) list.push_back(m.get());
    return list;
  }
  std::vector<std::unique_ptr<Member>> members;

 private:
  void add(Result<std::unique_ptr<Mesh>> made) {
    members.push_back(std::make_unique<Member>(std::move(made)));
  }
};

}  // namespace vouch::net::testing
