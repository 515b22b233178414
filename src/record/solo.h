// What vouch and a rank that is tried alone share: a file in memory (src/shim/solo/solo.h).
//
// vouch lays out the header, for each event (receive or probe from any source) what it got in the
// run that is repeated, and for each message of the rank when it can be there. The rank adds the
// log of its run; its copy adds what it has found out. One process at a time writes.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace vouch {

inline constexpr std::uint32_t kSoloMagic = 0x76736f6c;
// Set by `vouch explore --prove` for one run: the file.
inline constexpr const char* kSoloVariable = "VOUCH_SOLO";

struct SoloEvent {
  std::int32_t source;  // rank in its communicator, in the run that is repeated
  std::int32_t fixed;   // 1: it always gets that
};

// What the k-th receive of the rank got, in the order of issue.
struct SoloMessage {
  std::int32_t source, tag;  // as vouch knows it
  std::uint32_t order;       // place among what its sender did
  std::uint32_t need;  // what the rank must have sent before it can be there: sends, collectives
  // By the rank:
  std::uint64_t comm, type;  // handles of the receive
  std::int64_t count;        // elements for which it had room
  std::uint64_t at, bytes;   // in the log
};

// A call of the rank after the copy was made.
struct SoloCall {
  std::uint64_t hash;       // of what it asks for and sends, the source of a receive left out
  std::int64_t source;      // of a receive, as the program gave it
  std::uint64_t at, bytes;  // in the log: what a collective brought
};

enum class SoloEnd : std::uint32_t {
  none,
  differs,      // other calls, or other data sent
  blocked,      // no message can be there
  unsupported,  // a call that cannot be done alone
  left_over,    // messages that nobody has taken
  status,       // another exit status
  output,       // prints what no other has printed
  died,         // by a signal, or without saying a word
  unlike,       // the repeated run itself cannot be done alone
  limit,        // of time, memory, results
};

struct SoloHeader {
  std::uint32_t magic;
  std::int32_t rank;
  std::uint32_t events, messages, most_calls;
  std::uint32_t first;  // event at which the copy is made
  std::uint32_t sends;  // sends and collectives of the rank from there on
  std::uint32_t seconds;
  std::int32_t owner;  // the process of vouch
  std::uint64_t bytes;
  // From here: events, messages, calls, path (2 * events ints), results (ints), log.
  std::uint64_t events_at, messages_at, calls_at, path_at, results_at, log_at;
  std::uint64_t result_room;  // ints

  std::atomic<std::int32_t> copy;     // its process
  std::atomic<std::uint32_t> logged;  // the rank has come to MPI_Finalize
  std::atomic<std::uint32_t> go;      // by vouch: 1 begin, 2 end
  std::atomic<std::uint32_t> over;    // by the copy: 1 everything was tried, 2 given up
  std::atomic<std::uint32_t> why;     // given up: SoloEnd
  std::uint64_t calls, log_used;
  std::uint32_t receives;  // logged
  std::uint32_t broken;    // the log is not whole
  // Of what is tried:
  std::atomic<std::uint64_t> steps;
  std::uint64_t leaves;        // paths to the end that are like the first one
  std::uint32_t path;          // decisions of the process that runs now
  std::uint32_t reported;      // it has said how it ended
  std::uint32_t sources_vary;  // a receive named another source than in the first one
  std::uint32_t validated, exit_status, outputs;
  std::uint64_t output_hashes[8];
  std::uint64_t results;  // ints used: SoloEnd, decisions, (event, source) of each
};

template <typename T>
T* solo_part(SoloHeader* header, std::uint64_t at) {
  return reinterpret_cast<T*>(reinterpret_cast<std::byte*>(header) + at);
}

}  // namespace vouch
