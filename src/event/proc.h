// Every MPI procedure, and what its parameters mean.
//
// The tables are generated from api/*.api. An analysis attaches to kinds, families and flags found
// here, never to a list of procedures of its own.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/check.h"

namespace vouch {

// Proc::send is MPI_Send, Proc::send_c MPI_Send_c, Proc::t_init_thread MPI_T_init_thread,
// Proc::x_bcast_init MPIX_Bcast_init.
enum class Proc : std::uint16_t {
  none,
#include "event/proc_enum.inc"  // one line per procedure: `send,`
  count_
};

// Lower case of api/README.md's kinds: Kind::datatype, Kind::lock_type …
enum class Kind : std::uint8_t {
  none,
#include "event/kind_enum.inc"
  count_
};

enum class Dir : std::uint8_t { in, out, inout };

// What a call does to messages, requests and other processes (api/README.md).
enum class CallRole : std::uint8_t {
#include "event/role_enum.inc"
};

// How data flow in a collective: who needs something of whom (api/README.md).
enum class Flow : std::uint8_t {
#include "event/flow_enum.inc"
};

enum class SendMode : std::uint8_t {
#include "event/mode_enum.inc"
};

// What single checks need to know of a procedure (api/README.md).
enum class Trait : std::uint8_t {
#include "event/trait_enum.inc"
};
constexpr std::uint32_t bit(Trait trait) { return 1u << static_cast<unsigned>(trait); }

// Names of parameters: Arg::color.
enum class Arg : std::uint16_t {
#include "event/arg_enum.inc"
};

enum class Family : std::uint8_t {
  none,
#include "event/family_enum.inc"
  count_
};

// Bits of ProcInfo::flags.
enum Flag : std::uint32_t {
  kBlocking = 1u << 0,
  kNonblocking = 1u << 1,  // makes an active request
  kPersistent = 1u << 2,   // makes an inactive request
  kLocal = 1u << 3,
  kAnytime = 1u << 4,  // callable before Init and after Finalize
  kDeprecated = 1u << 5,
  kRemoved = 1u << 6,
  kConstructor = 1u << 7,
  kDestructor = 1u << 8,
  kPoll = 1u << 9,
  kUnchecked = 1u << 10,
  kCollective = 1u << 11,   // over a communicator, window or file: all members must call it
  kLargeCount = 1u << 12,   // a _c procedure
  kNoErrorCode = 1u << 13,  // does not return an error code
};

enum class Shape : std::uint8_t {
  scalar,         // enter: value
  pointer_out,    // enter: address
  pointer_inout,  // enter: address, value
  array_in,       // enter: address, length, tail (strings too)
  array_out,      // enter: address, length
  array_inout,    // enter: address, length, tail
};

// Where MPI_IN_PLACE may stand for a buffer.
enum class InPlace : std::uint8_t { never, root, all, any };

// Who must pass a meaningful value [U50].
enum class Significant : std::uint8_t {
  everywhere,
  root,              // the root; on an inter-communicator the process that passes MPI_ROOT
  leaf,              // all; on an inter-communicator the group that does not hold the root
  both,              // all but the root's mates (MPI_PROC_NULL on an inter-communicator)
  leader,            // the process whose rank is local_leader
  not_first,         // all but rank 0 (MPI_Exscan)
  unless_undefined,  // not if the colour or split type is MPI_UNDEFINED
};

// What gives an array its length. param: a parameter, times length_factor; number: length_factor
// itself; sum, last: of the elements of the array parameter. The others are properties of the
// communicator; nul: a string.
enum class Length : std::uint8_t {
  none,
  param,
  number,
  size,
  localsize,
  indegree,
  outdegree,
  cartdims,
  sum,
  last,
  nul
};

struct Param {
  const char* name;
  Arg arg;  // the same
  Kind kind;
  Dir dir;
  Shape shape;
  std::int8_t enter_word;  // index of its first word in the enter record, -1: none
  std::int8_t leave_word;  // index of its first word in the leave record (word 0 is the error
                           // class), -1: not recorded
  std::uint8_t elem_size;  // bytes of an array element in the tail
  std::int8_t enter_tail;  // position among the tails of the enter record, -1: none
  std::int8_t leave_tail;
  std::int8_t count_param;  // BUFFER: index of the parameter that gives its count, -1
  std::int8_t type_param;   // BUFFER: index of the parameter that gives its datatype, -1
  InPlace in_place;
  Significant significant;
  bool optional;                  // NULL is fine
  Length length = Length::none;   // arrays
  std::int8_t length_param = -1;  // Length::param, sum, last
  std::uint8_t length_factor = 1;
  bool is_array() const { return shape >= Shape::array_in; }
};

// The parameters that describe one side of a transfer, -1: none.
struct TransferSide {
  std::int8_t buffer = -1, count = -1, type = -1, peer = -1, tag = -1;
};

// Indices of parameters that many procedures have, -1: none.
struct CallParams {
  std::int8_t object = -1;  // communicator, else window, else file that the call is about
  std::int8_t request = -1, status = -1;  // each may be an array
  std::int8_t flag = -1;
  std::int8_t index = -1;  // MPI_Waitany; MPI_Waitsome: the array of indices
  std::int8_t outcount = -1;
  std::int8_t message = -1, partitions = -1, root = -1, group = -1;
};

struct ProcInfo {
  const char* name;  // "MPI_Send"
  Family family;
  std::uint32_t flags;
  std::span<const Param> params;
  std::uint8_t enter_words;  // without tails
  std::uint8_t leave_words;  // error class included; 1 if nothing is recorded
  Proc base;  // of a _c, nonblocking or persistent procedure: the plain blocking one; else itself
  const char* clause;  // of MPI-4.1, "3.2"
  const char* note;    // reason of unchecked, replacement of deprecated; else ""
  CallRole role;
  Flow flow;
  SendMode mode;
  std::uint32_t traits;
  TransferSide send, recv;
  CallParams at;
  std::span<const std::int8_t> agree;  // parameters that all members must pass alike

  bool has(std::uint32_t flag) const { return (flags & flag) != 0; }
  bool is(Trait trait) const { return (traits & bit(trait)) != 0; }
  bool has_leave() const { return leave_words > 1; }
  int param(Arg) const;                    // index by name, -1
  int param(std::string_view name) const;  // likewise, for what is read
  int first(Kind kind, Dir dir) const;     // index of the first parameter of that kind, -1
};

namespace detail {
extern const ProcInfo* const procs;
}
inline const ProcInfo& info(Proc proc) {
  VOUCH_CHECK(proc < Proc::count_);
  return detail::procs[static_cast<std::size_t>(proc)];
}
Proc proc_by_name(std::string_view);  // "MPI_Send", "Send" or "send"; Proc::none if unknown
std::string_view kind_name(Kind);     // "DATATYPE"

// A named constant or predefined handle; ids are stable (api/constants.api).
enum class Constant : std::uint16_t {
  none,
#include "event/constant_enum.inc"  // `comm_world,` `int_,` …: name without MPI_, lower case; C keywords get a trailing _
  count_
};

struct ConstantInfo {
  const char* name;  // "MPI_COMM_WORLD"
  Kind kind;         // kind of parameter it may stand for; predefined handles: their kind
  bool is_handle;
  bool is_null;  // MPI_COMM_NULL …
};

const ConstantInfo& info(Constant);
Constant constant_by_name(std::string_view);

}  // namespace vouch
