// A ring of records in shared memory: one writer (a thread of a rank), one reader (the agent).
//
// It outlives the writer: what a killed rank had published is still read. Positions are byte counts
// that only grow; the data area is mapped twice back to back, so that a record never wraps. The
// writer makes no system call unless the ring is half full and the reader sleeps, or it is full.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace vouch {

inline constexpr std::size_t kRingHeaderBytes = 4096;
inline constexpr std::size_t kRingBytes = std::size_t{4} << 20;  // data area

struct Mailbox {  // control: the rank asks, the agent answers
  std::atomic<std::uint32_t>
      asked;  // number of the latest question (its record is the last published one)
  std::atomic<std::uint32_t> answered;  // number of the latest answer; futex
  std::atomic<std::int64_t> value;
  std::atomic<std::uint32_t> enabled;  // the agent wants to be asked
};

// Threads that the MPI library made for itself, of which a process remembers so many.
inline constexpr std::size_t kMostHelpers = 63;

struct alignas(64) RingHeader {
  // Written by the rank.
  alignas(64) std::atomic<std::uint64_t> head;  // published up to here
  std::atomic<std::uint64_t>
      tentative;                       // a poll's enter record stands in [head, tentative); 0: none
  std::atomic<std::uint64_t> polls;    // unpublished polls so far
  std::atomic<std::uint32_t> left;     // seq of the last call that returned
  std::atomic<std::uint32_t> entered;  // seq of the last enter record
  std::atomic<std::uint32_t> closed;   // the thread or process ended in order
  std::atomic<std::uint32_t> full_waits;  // times the writer had to wait
  std::atomic<std::uint32_t> gave_up;     // it waits for the agent no more; nothing follows
  // Written by the agent.
  alignas(64) std::atomic<std::uint64_t> tail;  // read up to here
  std::atomic<std::uint32_t> space;             // futex: raised when room was made
  std::atomic<std::uint32_t> writer_waits;      // set by the rank before it sleeps on `space`
  std::atomic<std::uint32_t> stop;              // the agent wants no more records
  alignas(64) Mailbox mailbox;
  // Written by the rank: the number that the system gives the thread, and in the process's first
  // ring those of the library's own threads (0: a free place). What has none here is the program's.
  alignas(64) std::atomic<std::int32_t> tid;
  std::atomic<std::int32_t> helpers[kMostHelpers];
  // In the process's first ring: it reads a clock or sleeps outside MPI, and has set a timer.
  alignas(64) std::atomic<std::uint32_t> time_asked;
  std::atomic<std::uint32_t> timer_set;
  // Also there: when it began to end by itself (MPI_Abort, a fault, an exit), in nanoseconds of
  // CLOCK_MONOTONIC; 0: it has not. A launcher acts on it before the process is gone.
  std::atomic<std::uint64_t> ends_at;
};
static_assert(sizeof(RingHeader) <= kRingHeaderBytes);

// One page per node, made by the agent, mapped by every rank: how to wake it.
struct Bell {
  std::atomic<std::uint32_t> rings;     // futex: raised by a rank that wants to be read now
  std::atomic<std::uint32_t> asleep;    // the agent sleeps on it
  std::atomic<std::uint32_t> yield;     // more ranks than cores here: idle polling should yield
  std::atomic<std::uint32_t> control;   // decisions are taken by the agent (mailbox)
  std::atomic<std::uint64_t> plan;      // bytes of a plan behind this page (plan.h); 0: none
  std::atomic<std::uint32_t> steps;     // raised by the agent as it goes on
  std::atomic<std::uint32_t> given_up;  // a rank has waited in vain: no other one waits as long
};

}  // namespace vouch
