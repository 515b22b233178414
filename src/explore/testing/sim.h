// Small MPI programs that run in memory: what exploration is tested on.
//
// A process is a coroutine that calls operations and may act on what it received, so unlike a trace
// program it can take other ways in other runs. It runs by the rules at the head of
// predict/program/ctp.h; what is decided by chance (which message a receive takes, what a probe
// sees) is decided by a random number or, where a schedule forces it, by the schedule: a forced
// receive asks for that source, as a real one would.
//
//     Simulated p;
//     p.ranks = {[](Rank& me) -> Task { const Seen m = co_await me.receive(kAny); ... }, ...};

#pragma once

#include <coroutine>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "explore/observation.h"

namespace vouch::explore {

class Simulation;

class Task {
 public:
  struct promise_type {
    Task get_return_object() {
      return Task(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
  explicit Task(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  Task& operator=(Task&&) = delete;
  ~Task() {
    if (handle_) handle_.destroy();
  }
  void resume() { handle_.resume(); }
  bool done() const { return handle_.done(); }

 private:
  std::coroutine_handle<promise_type> handle_;
};

struct Seen {
  int source = -1, tag = -1, value = 0;
};

// What a process calls. Every call is awaited; those that need not wait go on at once.
class Rank {
 public:
  Rank(Simulation& world, int rank) : world_(world), rank_(rank) {}

  struct Call {
    Simulation& world;
    int rank;
    std::size_t op;  // the operation whose passing is awaited
    bool await_ready() const;
    void await_suspend(std::coroutine_handle<>) const {}
    Seen await_resume() const;
  };
  Call send(int dest, int tag = 0, int value = 0, predict::SendMode = predict::SendMode::standard,
            int comm = 0);
  Call receive(int source, int tag = 0, int comm = 0);
  Call probe(int source, int tag = 0, int comm = 0);
  Call sync(predict::SyncKind = predict::SyncKind::all, int root = 0, int comm = 0);
  // These return the number of the operation, for wait().
  std::size_t isend(int dest, int tag = 0, int value = 0,
                    predict::SendMode = predict::SendMode::standard, int comm = 0);
  std::size_t ireceive(int source, int tag = 0, int comm = 0);
  std::size_t isync(predict::SyncKind, int root = 0, int comm = 0);
  // As in that group of a trace program, which outlives the run.
  std::size_t isync(const predict::SyncGroup&);
  Call sync(const predict::SyncGroup&);
  Call wait(std::size_t op) { return wait(std::vector{op}); }
  Call wait(std::vector<std::size_t> ops);  // what the first of them got
  // One of them that is complete: its place, as the value. What was taken before is no part of it.
  Call wait_any(std::vector<std::size_t> ops);
  void pcontrol(int level);  // 1 begins, 0 ends; from 2 on: the region
  void fail();               // an assertion does not hold

 private:
  Simulation& world_;
  int rank_;
};

struct Simulated {
  std::vector<std::function<Task(Rank&)>> ranks{};
};

// What a trace program does, as a program.
Simulated simulated(const predict::Program&);
Simulated simulated(std::string_view compact);  // predict::parse

struct SimOptions {
  predict::Buffering buffering = predict::Buffering::infinite;
  Decisions forced{};
  std::uint64_t seed = 0;
};

struct SimRun {
  Observation seen{};
  bool deadlock = false, failed = false;
  std::vector<bool> stands{};  // by process: at its last operation, forever
  bool unforced = false;       // a forced event did not get its message
};
SimRun simulate(const Simulated&, const SimOptions& = {});

// The same step by step, for whoever decides everything himself.
class Stepper {
 public:
  // A receive or probe takes (sees) a message: both by process and place in its list. Or a wait_any
  // takes what stands at place `send`.
  struct Choice {
    int rank = 0;
    std::size_t receive = 0;
    int source = 0;
    std::size_t send = 0;
    bool wildcard = false, probe = false;
    auto operator<=>(const Choice&) const = default;
  };
  Stepper(const Simulated&, predict::Buffering);
  ~Stepper();
  // Processes have gone as far as they can; these are possible now.
  std::vector<Choice> choices();
  void take(const Choice&);
  SimRun result();

 private:
  const Decisions none_{};
  std::unique_ptr<Simulation> world_;
};

// A final matching: for each receive and probe of each process, in the order of issue, its source
// and the number of the message among those of that source.
struct SimOutcome {
  std::vector<std::vector<std::pair<int, int>>> matches{};
  std::vector<std::vector<int>> picks{};  // of each process: what its wait_any calls took
  bool deadlock = false, failed = false;
  auto operator<=>(const SimOutcome&) const = default;
};
SimOutcome outcome_of(const SimRun&);
// All of them, by trying every choice in every order.
std::set<SimOutcome> all_outcomes(const Simulated&,
                                  predict::Buffering = predict::Buffering::infinite);

}  // namespace vouch::explore
