// What the agents of a job tell each other besides wait-state messages (docs/design/006-tree.md).
//
// Each packet is a struct with its bytes beside it. What does not read to its last byte is nothing:
// an agent that sends such a thing is not talked to any more.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agent/channel.h"
#include "agent/wait_codec.h"
#include "model/process.h"
#include "wait/message.h"
#include "wait/operation.h"

namespace vouch {

enum class Packet : net::Type {
  wait = kWaitMessage,  // wait_codec.h
  came,                 // to the root: a rank has come
  finding,              // to the root: a JSON line
  death,                // to the root
  judged,               // from the root: the death is to be told so
  command,              // from the root: what vouch said
  ready,                // to the root: the command is carried out
  over,                 // to the root: no rank of ours is left, and none will come
  conclude,             // from the root: all is read, tell the rest
  summary,              // to the root: a JSON line, the last word
  // Waiting (wait_link.h).
  place,     // a number of ours for a site, before the first message that has it
  group,     // the members of a communicator, likewise
  quiet,     // to the root: nothing was read for a while; "f": all our ranks that live are in
             // MPI_Finalize, "g": none lives
  busy,      // to the root: or something was
  tolerate,  // from the root: calls with this label wait only until they return
  ask,       // from the root: what are these ranks doing
  status,    // to the root: one of them
  blame,     // from the root: what follows from a call of ours that has a finding
  stuck,     // from the root: ranks are stuck for good, and the job is going to be ended
  // Messages between nodes (message_link.h).
  signature,  // a number for what a type consists of
  posted,     // a send to one of your processes
  ended,      // what became of it
  // Collectives (wave_link.h).
  part,         // what our members have called
  flush_waves,  // from the root: these ranks are stuck, their collectives are to be told
  waves_out,    // to the root: done
  file,         // what a process of ours does with a file (file_link.h)
  // What lies before what (moment_link.h).
  moment,  // what a number of ours counts
  met,     // a synchronous send of yours has met a receive
  told,    // what calls of yours learn from a collective
  // The end.
  close,    // from the root: say what became of what is still open
  flushed,  // to all: all was said
  closed,   // to the root: we have heard that from all; whether our processes ended well
  tally,    // from the root: how many packets about moments went and came
  tallied,  // to the root
};
inline constexpr net::Type type_of(Packet p) { return static_cast<net::Type>(p); }

// The way to the other agents.
class Wire {
 public:
  virtual ~Wire() = default;
  virtual void send(int node, net::Lane, Packet, std::string_view bytes) = 0;
};

// What the root gives to all when it opens the mesh.
struct MeshPlan {
  wait::Layout layout;
  std::vector<int> missing;  // ranks that nobody watches; the layout gives them to the root
  wait::Buffering buffering;
  bool ends_deadlocks = true;
  std::string bytes() const;
  static std::optional<MeshPlan> read(std::string_view, int nodes);
};

struct Came {
  std::int32_t rank = -1, size = -1;
  std::string bytes() const;
  static std::optional<Came> read(std::string_view);
};

struct DeathNotice {
  std::uint64_t process = 0;  // its number at its agent
  std::int32_t rank = -1;
  End how = End::exited;
  bool abnormal = false, silent = false, unknown = false, gave_up = false, finalized = false;
  std::int32_t signal = 0;
  std::uint64_t order = 0;  // Deaths::Death
  std::string bytes() const;
  static std::optional<DeathNotice> read(std::string_view);
};

struct Judgement {
  std::uint64_t process = 0;
  End how = End::exited;
  bool from_outside = false;
  std::string when;  // "when the launcher ended it, after rank 3 had failed"
  std::string bytes() const;
  static std::optional<Judgement> read(std::string_view);
};

// What a stuck rank does (RankStatus). Sites by the sender's numbers.
struct StatusNotice {
  std::int32_t rank = -1;
  std::int32_t pid = 0;
  std::string call;                   // with arguments; "": it is in none
  std::vector<std::uint32_t> at;      // that call, if it blocks, and what it completes
  std::vector<std::uint32_t> broken;  // calls of it that have a finding
  std::vector<std::uint32_t> stack;   // from its call outwards
  bool inside = false, over = false;  // as in RankStatus
  std::string bytes() const;
  static std::optional<StatusNotice> read(std::string_view);
};

struct Blame {
  std::int32_t rank = -1;
  std::uint32_t site = 0;  // by the receiver's number
  std::string text;
  std::string bytes() const;
  static std::optional<Blame> read(std::string_view);
};

// Packets about moments.
struct Tally {
  std::uint64_t went = 0, came = 0;
  bool operator==(const Tally&) const = default;
  std::string bytes() const;
  static std::optional<Tally> read(std::string_view);
};

std::string rank_bytes(const std::vector<int>&);
std::optional<std::vector<int>> read_rank_bytes(std::string_view);

std::string label_bytes(std::uint16_t proc, std::uint32_t site);
std::optional<std::pair<std::uint16_t, std::uint32_t>> read_label(std::string_view);

std::string command_bytes(const Command&);
std::optional<Command> read_command(std::string_view);

}  // namespace vouch
