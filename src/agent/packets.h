// What the agents of a job send each other: the packets of packets.def, as bytes.
//
// Each is a struct with its bytes beside it. What does not read to its last byte is nothing: it is
// left out, and the report says so.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agent/channel.h"
#include "agent/wait_codec.h"
#include "base/rest_limits.h"
#include "model/process.h"
#include "wait/message.h"
#include "wait/operation.h"

namespace vouch {

enum class Packet : net::Type {
  first_ = kWaitMessage - 1,
#define VOUCH_PACKET(name, direction, first, last, handler) name,
#include "agent/packets.def"
#undef VOUCH_PACKET
};
static_assert(static_cast<net::Type>(Packet::wait) == kWaitMessage);

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
  std::uint64_t most_unexpected = RestLimits::kMost;
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
  bool outside_mpi = false, crowded = false;
  std::int64_t hung_up = 0;  // in nanoseconds of the sender's clock
  std::int32_t pid = 0;
  bool stopped = false;
  std::string bytes() const;
  static std::optional<DeathNotice> read(std::string_view);
};

// What the sender's clock says, in nanoseconds (NodeClocks).
struct ClockNotice {
  std::int64_t sent = 0;
  std::string bytes() const;
  static std::optional<ClockNotice> read(std::string_view);
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
