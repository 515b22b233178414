// The form in which an event leaves the rank.
//
// A record is a 16-byte header, then 8-byte words, then array tails (docs/design/001-spine.md).
// The words of each procedure follow from api/mpi.api; ProcInfo (proc.h) holds their indices.
// Everything here is trivially copyable and crosses a process boundary: a change raises
// kWireVersion.

#pragma once

#include <cstdint>
#include <type_traits>

namespace vouch::wire {

inline constexpr std::uint32_t kWireVersion = 8;

enum class Phase : std::uint8_t { enter, leave, meta };

struct RecordHeader {
  std::uint16_t proc;  // Proc; Meta when phase is meta
  Phase phase;
  std::uint8_t flags;   // kFlag*
  std::uint32_t words;  // 8-byte words that follow, tails included
  std::uint32_t seq;    // order within the process, over all its threads
  std::uint32_t site;   // enter: local site number; leave: seq of its enter record; meta: 0
};
static_assert(sizeof(RecordHeader) == 16);
static_assert(std::is_trivially_copyable_v<RecordHeader>);

inline constexpr std::uint8_t kFlagBlob =
    1;  // tails come from the preceding blob records of this thread
inline constexpr std::uint8_t kFlagFortran = 2;  // the user called a Fortran binding
inline constexpr std::uint8_t kFlagCallback =
    4;  // called while another call of this thread is open
inline constexpr std::uint8_t kFlagHeld =
    8;  // enter: not passed on to the library before Meta::issued

// What is no call. The payload words are given in the comment; "text" is bytes in the tail,
// preceded by a length word.
enum class Meta : std::uint16_t {
  none,
  library,  // library id (Library), header version, text: MPI_Get_library_version
  module,   // module number, load bias (address = bias + ELF address), text: path
  site,     // site number, module number, ELF address of the return address, caller class,
            // number of stack frames above it, then (module, ELF address) pairs, innermost first
  python_site,   // site number, line, text: file, text: function
  constant,      // Constant id, value or raw handle, size in bytes and extent (predefined datatypes
                 // only)
  communicator,  // raw handle, size, my rank, remote size (-1: intra), topology (0 none, 1 cart, 2
                 // graph, 3 dist graph), indegree, outdegree, number of runs, then runs of the
                 // local group as (first world rank, stride, length); stride 0 and first -1:
                 // processes outside this world; then, perhaps, runs of the remote group
  world,   // my rank, size, tag upper bound, thread level provided (canonical), parent communicator
           // raw handle or 0
  blob,    // text: the next bytes of the tails of the record that follows
  thread,  // thread number, 1 if it is the thread that called MPI_Init(_thread)
  exit,    // status given to exit(), 1 if _exit
  signal,  // signal number, faulting address, program counter, module, offset
  lost,    // number of calls not recorded, reason (LossReason)
  // Only with --check-buffers:
  block,     // memory that a call names: address, bytes, BlockKind, site that made it; of a global
             // one instead of the bytes and the site: module number, ELF address
  freed,     // a block told before is gone: address, bytes, site that freed it
  modified,  // what a pending send reads has changed: Proc and site that started it, number of the
             // buffer's parameter, bytes looked at
  issued,    // number of a call of this thread that was held back and is passed on now
  inside,    // this thread's open call met another inside MPI: its thread, its number
  claim,     // what the program says of its values (event/claim.h): ClaimKind, site, 1 if it holds,
             // number of terms, then (address, form, value) of each; text: condition, text: names
  value,  // only where values are wanted: text: the first bytes, at most kValueBytes, of what the
          // send that this thread has just made reads
  polls,  // polls without result since the thread's last poll that was recorded: how many
  // Only in a guided run (docs/design/007-policy.md):
  decided,   // what was decided for this thread's open call: DecisionKind, its number, then of a
             // match its place in an MPI_Startall, source, tag or kAnyTag; of a pick the indices
  diverged,  // the open call does not fit its decision: DecisionKind, its number,
             // DivergenceReason, what was expected, what was found
  threaded,  // the program has a thread besides the one that initialized MPI: 1
  // Of a program built with `vouch cc` (event/access.h):
  access,        // loads or stores that one instruction has made since the thread's last record
  exposed,       // memory of a shared window in this process: raw handle of the window, rank in its
                 // group, address, bytes
  instrumented,  // a module whose loads and stores are seen: module number, translation units
};

// What a load or store does to its bytes. An atomic one orders: it is recorded at its place.
enum class AccessKind : std::uint8_t { read, write, atomic_read, atomic_write, atomic_update };
inline constexpr std::uint8_t kAccessKinds = 5;

enum class DecisionKind : std::uint64_t { match, pick };
// source: expected a rank, found so many processes; tag: expected one, found another; kind:
// expected PlanPickKind; index: expected one, found so many requests; inactive: expected this
// index, found nothing to wait for; other: expected PlanPickKind, found another answer.
enum class DivergenceReason : std::uint64_t { source, tag, kind, index, inactive, other };

enum class ClaimKind : std::uint64_t { assume, assertion };
// Form of a term: its bytes, and what they are.
inline constexpr std::uint64_t kTermBytes = 0xff, kTermReal = 0x100;
inline constexpr std::uint64_t kTermInexact = 0x200;  // no integer: the value is not known
inline constexpr std::uint32_t kMaxTerms = 8;
inline constexpr std::uint64_t kValueBytes = 64;

// copy: made by a compiler's library for an argument, and gone after the call.
enum class BlockKind : std::uint64_t { heap, copy, global };

enum class Library : std::uint64_t { unknown, openmpi, mpich };
// reentered: made by a signal handler that interrupted the writing of a record.
enum class LossReason : std::uint64_t { none, agent_gone, record_too_large, no_ring, reentered };

// Canonical values of what the libraries number differently. Far outside the range of any int.
inline constexpr std::int64_t kCanonicalBase = INT64_MIN + 4096;
inline constexpr std::int64_t kAnySource = kCanonicalBase + 1;
inline constexpr std::int64_t kProcNull = kCanonicalBase + 2;
inline constexpr std::int64_t kRoot = kCanonicalBase + 3;
inline constexpr std::int64_t kAnyTag = kCanonicalBase + 4;
inline constexpr std::int64_t kUndefined = kCanonicalBase + 5;
// Canonical form of any other named constant: kConstantBase + its Constant id (api/constants.api).
inline constexpr std::int64_t kConstantBase = kCanonicalBase + 1024 * 1024;
constexpr bool is_canonical(std::int64_t v) {
  return v >= kCanonicalBase && v < kConstantBase + 65536;
}

// Addresses that are no addresses. MPI_BOTTOM is 0 in every library.
inline constexpr std::uint64_t kInPlace = ~std::uint64_t{0} - 1;
inline constexpr std::uint64_t kIgnore =
    ~std::uint64_t{0} - 2;  // STATUS(ES)_IGNORE, ERRCODES_IGNORE
inline constexpr std::uint64_t kUnweighted =
    ~std::uint64_t{0} - 3;  // also ARGV_NULL, ARGVS_NULL where they are no NULL
inline constexpr std::uint64_t kWeightsEmpty = ~std::uint64_t{0} - 4;
inline constexpr std::uint64_t kInsignificant =
    ~std::uint64_t{0} - 5;  // not looked at: not significant [U50]
inline constexpr std::uint64_t kBufferAutomatic = ~std::uint64_t{0} - 6;

// Bits of Status::flags. Undefined: not set by the call; then no other member means anything.
inline constexpr std::uint32_t kStatusCancelled = 1, kStatusUndefined = 2;

struct Status {
  std::int32_t source;  // comm rank; -1 any/none, -2 MPI_PROC_NULL
  std::int32_t tag;     // -1 any/none
  std::int32_t error;   // error class
  std::uint32_t flags;  // kStatus*
  std::uint64_t bytes;  // of the message

  bool defined() const { return (flags & kStatusUndefined) == 0; }
  bool cancelled() const {
    return (flags & (kStatusCancelled | kStatusUndefined)) == kStatusCancelled;
  }
  bool names_message() const { return defined() && source >= 0; }
};
static_assert(sizeof(Status) == 24);

// First message on the socket, one per ring; the ring's memfd rides along.
struct Hello {
  std::uint32_t magic;  // kHelloMagic
  std::uint32_t version;
  std::int32_t pid;
  std::int32_t thread;     // number within the process, 0 first
  std::int32_t rank_hint;  // from the launcher's environment, -1 unknown
  std::int32_t size_hint;
  std::uint64_t ring_bytes;
};
static_assert(sizeof(Hello) == 32);
inline constexpr std::uint32_t kHelloMagic = 0x76636831;  // "vch1"

}  // namespace vouch::wire
