// The agent: a process of its own that reads the rings of all ranks of this node.
//
// On the node of vouch it is forked by vouch before the launcher starts, elsewhere started by the
// first rank that finds none. If it dies the application goes on; if vouch
// dies it ends the job and itself.

#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "analysis/checks.h"
#include "base/rest_limits.h"
#include "policy/schedule.h"
#include "wait/operation.h"

namespace vouch {

struct AgentOptions {
  int listening =
      -1;  // socket on which ranks connect; made by vouch, so that no rank can come too early
  std::string socket;  // its abstract name
  int control = -1;    // to vouch (channel.h)
  int parent = 0;      // pid of vouch
  wait::Buffering buffering{};
  std::uint64_t most_unexpected = RestLimits::kMost;
  Checks checks{};
  bool ends_deadlocks =
      true;        // vouch ends a job that is stuck: the ranks' deaths come from outside
  int trace = -1;  // open file for all events, -1: none
  std::string trace_path{};
  std::shared_ptr<const policy::Schedule> schedule{};  // to be followed; nullptr: none
  // Several nodes. With no `control` it is one that a rank has started on another node, and `join`
  // says where its root is.
  bool invites = false;         // others may come: tell vouch the invitation first
  std::string net{};            // which addresses to use (net::choose)
  int fanout = 16;              // of the tree of agents
  std::string join{};           // invitation
  int ranks = 0;                // that the launcher was told to start; 0: not known
  bool known_launcher = false;  // its status is that of a process that failed
  std::atomic<std::uint32_t>* steps =
      nullptr;     // raised as it goes on, for the process that watches it
  int ready = -1;  // end of a pipe, closed once ranks see this process as their agent
};

// NotChecked::reason where no process of the job made an MPI call that was seen.
inline constexpr char kNoMpi[] = "no process called MPI: nothing was checked";

// The whole life of the agent process. Returns its exit status.
int run_agent(const AgentOptions&);
// For the process that has forked it, with the other end of the pipe, which this closes: until
// ranks see the agent as such, or it is gone; not much longer than it takes a process to start. A
// rank that came earlier would watch somebody else (peer_of), and never notice that the agent is
// stopped.
void await_agent(int ready);

}  // namespace vouch
