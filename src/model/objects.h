// The MPI objects of one process, as its calls made them.
//
// Handles are local to a process; what is shared between processes (the members of a communicator)
// is interned in World. Freed objects stay readable as stale ones (table.h) so that a finding
// can say where they were freed.

#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/datatype.h"
#include "model/object.h"

namespace vouch {

// Members in rank order as runs of world ranks: rank r of a run is first + r * stride. first -1:
// outside this world.
struct RankRun {
  int first = 0, stride = 0, length = 0;
  bool operator==(const RankRun&) const = default;
};
struct Members {
  std::vector<RankRun> runs;
  int size = 0;
  // Of interned ones (World::intern): the same on all agents; some are another agent's; some are
  // nobody's.
  std::uint64_t hash = 0;
  bool away = false, unseen = false;
  // value -1: outside this world or out of range
  WorldRank world(CommRank rank) const {
    if (runs.size() != 1 || rank.value < 0 || rank.value >= runs[0].length || runs[0].first < 0)
        [[unlikely]]
      return world_of(rank);
    return WorldRank{runs[0].first + rank.value * runs[0].stride};
  }
  CommRank rank_of(WorldRank) const;  // value -1: no member
  bool operator==(const Members& other) const { return runs == other.runs; }

  static Members of(const std::vector<int>& world_ranks);
  std::vector<int> list() const;  // world ranks in order
  void normalize();               // equal lists become equal runs
  bool all_known() const;         // no one is outside this world

 private:
  WorldRank world_of(CommRank) const;
};

enum class Topology : std::uint8_t { none, cart, graph, dist_graph };

// Edges of a graph or distributed graph, shared by all its members: each adds what its constructor
// said. Nodes are ranks of the communicator.
struct Graph {
  struct Node {
    std::vector<int> sources, destinations;
    bool told = false;
  };
  bool ordered = true;  // lists are in the order of the blocks of neighbourhood collectives
  int size = 0;
  std::map<int, Node> nodes;     // of which something was said
  std::shared_ptr<Graph> whole;  // this one was told under another name of the communicator
  const Graph& joined() const { return whole == nullptr ? *this : whole->joined(); }
  void add(const Graph& half) {
    size = std::max(size, half.size);
    ordered = ordered && half.ordered;
    for (const auto& [rank, more] : half.nodes) {
      Node& mine = nodes[rank];
      mine.sources.insert(mine.sources.end(), more.sources.begin(), more.sources.end());
      mine.destinations.insert(mine.destinations.end(), more.destinations.begin(),
                               more.destinations.end());
      mine.told = mine.told || more.told;
    }
  }
  bool complete() const {
    return std::ssize(nodes) == size &&
           std::all_of(nodes.begin(), nodes.end(), [](const auto& n) { return n.second.told; });
  }
};

// How often something with this key went before.
class Occurrences {
 public:
  std::uint64_t next(std::uint64_t key) {
    for (auto& [k, n] : counts_) {
      if (k == key) return n++;
    }
    counts_.emplace_back(key, 1);
    return 0;
  }

 private:
  std::vector<std::pair<std::uint64_t, std::uint64_t>> counts_;
};

struct Communicator : Object {
  int size = 0;  // local group
  int rank = -1;
  int remote_size = -1;  // >= 0: inter-communicator
  Topology topology = Topology::none;
  int indegree = 0, outdegree = 0;
  std::vector<std::int64_t> dims;  // Cartesian
  std::vector<bool> periods;
  const Members* members = nullptr;  // interned in World
  // Remote group, where it is a spawned world or its parents, or at the other end of a connection.
  const Members* others = nullptr;
  // It, or what it was made from, leads to processes that are not known to be which: those of
  // another job, or of another world at the other end of a port.
  bool outside = false;
  std::uint64_t id = 0;  // equal in all members: derived from the parent's id, the constructor's
                         // number on it and the colour
  std::uint32_t constructors = 0;  // communicators made from it so far
  Occurrences
      by_part;  // and those that only some of its members call: MPI_Comm_create_group, leaders
  std::uint64_t files = 0;       // MPI_File_open calls on it so far
  std::shared_ptr<Graph> graph;  // of a topology that is no grid; nullptr: not known
  bool no_any_tag = false, no_any_source = false, exact_length = false;  // hints promised
  Site promised;
  bool ready = true;  // idup: only once its request is done
  bool inter() const { return remote_size >= 0; }
  int peer_size() const { return inter() ? remote_size : size; }  // ranks a RANK argument may name
  // It has members, or may have, of which it is not known who they are.
  bool leads_outside() const;
  // Made by a call that joins two worlds, on the side that asked for it.
  bool connects() const;
};

struct Group : Object {
  int size = 0;
  const Members* members = nullptr;  // nullptr: not known
};

struct Op : Object {
  bool commutes = true;
};

// Names an operation of a process, in all acts about it (src/act): the number of the call that
// posted it, and which one of those it is that the call posted. 0: none.
using OperationKey = std::uint64_t;
constexpr OperationKey operation_key(std::uint32_t call, std::uint32_t part = 0) {
  return (OperationKey{call} << 32) | part;
}
constexpr std::uint32_t call_of(OperationKey key) { return static_cast<std::uint32_t>(key >> 32); }

enum class RequestKind : std::uint8_t {
  send,
  recv,
  collective,
  rma,
  io,
  partitioned_send,
  partitioned_recv,
  generalized,
  comm_idup,
  other
};
enum class RequestState : std::uint8_t {
  inactive,
  active,
  complete
};  // complete: a generalized one, done but not waited for

struct Request : Object {
  RequestKind kind = RequestKind::other;
  RequestState state = RequestState::active;
  bool persistent = false;
  bool cancelled = false;
  bool ever_started = false;
  Site started;                // last Start of a persistent one, else = made
  std::uint64_t variable = 0;  // address the handle was written to
  std::uint64_t comm = 0;      // raw handle of its communicator, window or file
  std::int64_t peer = 0;       // dest or source, canonical
  std::int64_t tag = 0;
  std::int64_t partitions = 0;
  std::uint64_t makes = 0;     // comm_idup: the communicator that is valid once this is done
  std::vector<bool> ready;     // partitioned send: Pready seen since the last Start
  std::uint32_t call = 0;      // seq of the enter record that made or started it
  OperationKey operation = 0;  // that it stands for; of a persistent one the latest start's
  OperationKey pattern = 0;    // persistent: what each start begins again
  Site done;                   // generalized, state complete: its MPI_Grequest_complete
  // Libraries give every request that completes at once the same handle (Open MPI
  // &ompi_request_empty, MPICH one lightweight request per kind; small sends, MPI_PROC_NULL): a
  // constructor that returns a value still live has made another request, it has not reissued the
  // handle. Process::requests holds the newest; the older live ones are here. Which of them a call
  // means: named_request.h.
  std::vector<Request> twins;            // in no order
  mutable std::uint32_t found_last = 0;  // in twins: arrays are completed in order

  // The one whose handle was written there; nullptr: none.
  const Request* kept_exactly(std::uint64_t where) const {
    if (where == 0) return nullptr;
    if (variable == where) return this;
    for (const std::uint32_t i : {found_last, found_last + 1, found_last - 1}) {
      if (i < twins.size() && twins[i].variable == where) return &twins[found_last = i];
    }
    for (std::uint32_t i = 0; i < twins.size(); ++i) {
      if (twins[i].variable == where) return &twins[found_last = i];
    }
    return nullptr;
  }
  // The one that this call made; nullptr: it is gone.
  const Request* of_call(std::uint32_t seq) const {
    if (call == seq) return this;
    for (const std::uint32_t i : {found_last, found_last + 1, found_last - 1}) {
      if (i < twins.size() && twins[i].call == seq) return &twins[found_last = i];
    }
    for (std::uint32_t i = 0; i < twins.size(); ++i) {
      if (twins[i].call == seq) return &twins[found_last = i];
    }
    return nullptr;
  }
};

struct Window : Object {
  std::uint64_t comm_id = 0;
  const Members* members = nullptr;
  int size = 0;  // members
  std::int64_t bytes = 0, disp_unit = 1;
  Proc flavour = Proc::none;
  bool no_locks = false;  // made with the info key
};

// What a process sees of a file: the filetype over and over, from disp on (MPI-4.1 14.3).
struct FileView {
  std::int64_t disp = 0;     // bytes; canonical MPI_DISPLACEMENT_CURRENT of a sequential file
  TypeRef etype, filetype;   // nullptr: not known
  bool native = true;        // else bytes in the file are not bytes in memory
  std::uint32_t number = 0;  // views set before on this handle
  Site set;                  // unknown: the default view
};

struct File : Object {
  std::string name;
  std::int64_t amode = 0;
  bool reads = false, writes = false, sequential = false;  // allowed by amode
  bool atomic = false;
  std::uint64_t comm_id = 0;
  std::uint64_t number = 0;  // of its MPI_File_open among those on its communicator
  const Members* members = nullptr;
  int size = 0;  // members
  FileView view;
  // Individual file pointer, in etypes.
  std::int64_t pointer = 0;
  bool pointer_known = true;
  struct Split {  // the open split collective
    Proc begun = Proc::none;
    std::uint64_t buffer = 0;
    bool empty = false;  // no bytes: its buffer does not matter
    Site site;
  } split;
};

struct Keyval : Object {
  Kind of = Kind::comm;  // comm, datatype or win
};

struct Errhandler : Object {
  Kind of = Kind::comm;  // comm, win, file or session
  bool from_get = false;
};

struct Hints {
  bool no_any_tag = false, no_any_source = false, exact_length = false;  // mpi_assert_… = "true"
  bool noncontiguous = false;                                            // alloc_shared_noncontig
  bool unordered_updates = false;  // accumulate_ordering leaves out one of its four
  bool same_operation = false;     // accumulate_ops=same_op
  bool no_locks = false, same_size = false, same_unit = false;
};
struct Info : Object, Hints {};
struct Session : Object {};
struct Message : Object {
  OperationKey operation = 0;  // of the probe that matched it
  std::uint64_t comm = 0;
  int source = -1, tag = -1;
  bool no_proc = false;
};

}  // namespace vouch
