// The processes that have connected, their rings, and what is read from them.

#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "agent/pipeline.h"
#include "agent/rounds.h"
#include "agent/thread_watch.h"
#include "record/ring_reader.h"

namespace vouch {

using Clock = std::chrono::steady_clock;

class RankProcess {
 public:
  RankProcess(std::size_t index, int pid, int pidfd, int connection)
      : index(index), pid(pid), pidfd(pidfd), connection(connection), threads_(pid) {}
  RankProcess(const RankProcess&) = delete;
  RankProcess& operator=(const RankProcess&) = delete;
  ~RankProcess();

  void add_ring(Pipeline&, int thread, RingReader);
  // Takes what is due, up to about `limit` bytes, and gives the room back once per batch. Returns
  // the bytes taken.
  std::size_t read(Pipeline&, std::size_t limit, Rounds* rounds = nullptr);
  // Of a process with one ring: what it says next; and that so much of it was read.
  std::span<const std::byte> ahead();
  void take(std::size_t bytes);
  // One of its rings is so full that its writer would ring the bell.
  bool filling() const;
  // Reads all that was published, whatever is missing, and notes what every thread is inside of. It
  // must be dead.
  void drain(Pipeline&);
  // The same for a process that lives on: about what was there when it was asked.
  void catch_up(Pipeline&);
  // Something waits for a record that does not come: after a while go on without it.
  void give_up_gap(Pipeline&, Clock::time_point now);
  // What the ring headers say of calls that left no record.
  void settle(Pipeline&);
  // Whether these threads are inside these calls and nothing can happen in the process before one
  // returns: all was read, and its other threads sleep for good (thread_watch.h).
  bool others_rest(std::span<const Pause::OpenCall>);
  // Whether the thread of its first ring is the only one that can act (thread_watch.h).
  bool one_acts();
  void stop();  // wants no more records

  std::uint64_t polls() const;
  Pause::TimeUse time_use() const;
  std::uint64_t full_waits() const;
  // When it began to end by itself, as its first ring says; nothing: it does not.
  std::optional<Clock::time_point> ends_at() const;

  const std::size_t index;  // in World
  const int pid;
  int pidfd;       // -1: the kernel gives none; then only the connection tells of the end
  int connection;  // -1: hung up
  std::optional<Clock::time_point> hung_up;
  std::optional<bool> lived_on;           // after it hung up; nothing: the system does not say
  bool gone = false;                      // dead or detached; all was read
  bool told_where = false;                // how far it got is in the report
  std::optional<Clock::time_point> held;  // since then its records wait in the rings
  std::uint64_t polls_before = 0;

 private:
  struct Ring {
    std::optional<RingReader> reader;  // empty: its thread ended and all was read
    std::size_t lane = 0;
    int thread = 0;
    std::uint64_t left_over = 0;  // bytes that are not due yet
    std::uint64_t polls = 0, full_waits = 0;
    bool corrupt = false, gave_up = false;
  };
  static std::vector<int> helpers(const RingHeader& first);
  std::size_t take_batch(Pipeline&, Ring&, std::span<const std::byte>, std::size_t batch, Rounds*);
  bool ring_comes() const;
  bool all_read(std::span<const Pause::OpenCall>) const;
  bool skip_gap(Pipeline&);
  void note_open_polls(Pipeline&);
  void count_polls(Pipeline&, const Ring&) const;
  void let_go(Pipeline&, Ring&);

  std::vector<Ring> rings_;
  ThreadWatch threads_;
  std::optional<Clock::time_point> gap_since_;
};

}  // namespace vouch
