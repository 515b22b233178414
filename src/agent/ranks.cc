#include "agent/ranks.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <sys/socket.h>
#include <unistd.h>

namespace vouch {
namespace {

// Room is given back once per batch. A sixteenth of the ring: the writer never waits for a long
// batch to end.
constexpr std::size_t kBatch = kRingBytes / 16;
// A thread takes its number and publishes within a few instructions; only a stopped one takes
// longer.
constexpr auto kGapPatience = std::chrono::seconds(2);

}  // namespace

RankProcess::~RankProcess() {
  if (pidfd >= 0) ::close(pidfd);
  if (connection >= 0) ::close(connection);
}

void RankProcess::add_ring(Pipeline& pipeline, int thread, RingReader reader) {
  Ring ring;
  ring.reader = std::move(reader);
  ring.lane = pipeline.add_thread(index, thread);
  ring.thread = thread;
  rings_.push_back(std::move(ring));
}

std::span<const std::byte> RankProcess::ahead() {
  if (rings_.size() != 1 || !rings_[0].reader) return {};
  return rings_[0].reader->bytes();
}

void RankProcess::take(std::size_t bytes) {
  if (bytes == 0) return;
  rings_[0].reader->consume(bytes);
  rings_[0].reader->release();
}

std::size_t RankProcess::read(Pipeline& pipeline, std::size_t limit, Rounds* rounds) {
  std::size_t total = 0;
  bool progress = true;
  bool left_over = false;
  while (progress && total < limit) {
    progress = left_over = false;
    for (Ring& ring : rings_) {
      if (!ring.reader || total >= limit) continue;
      const auto bytes = ring.reader->bytes();
      std::size_t done = 0;
      if (ring.reader->corrupt() && !ring.corrupt) {
        ring.corrupt = true;
        pipeline.damaged(index);
      }
      // Nothing is read from it any more: its writer must not wait for room. It may overwrite this
      // as well.
      if (ring.corrupt) ring.reader->header().stop.store(1, std::memory_order_relaxed);
      if (bytes.empty() && ring.reader->gave_up() && !ring.gave_up) {
        ring.gave_up = true;
        pipeline.gave_up(index);
      }
      if (!bytes.empty()) {
        done = take_batch(pipeline, ring, bytes, std::min(kBatch, limit - total), rounds);
        ring.reader->consume(done);
        ring.reader->release();
      }
      ring.left_over = bytes.size() - done;
      left_over = left_over || ring.left_over > 0;
      progress = progress || done > 0;
      total += done;
    }
    if (rounds != nullptr && rounds->waits(index)) break;
  }
  if (!left_over || total > 0) gap_since_.reset();
  for (Ring& ring : rings_) {
    if (ring.reader && ring.left_over == 0 && ring.reader->closed() &&
        ring.reader->unread_bytes() == 0) {
      let_go(pipeline, ring);
    }
  }
  return total;
}

// About `batch` bytes of what a ring holds, piece by piece as copied; how many were taken.
std::size_t RankProcess::take_batch(Pipeline& pipeline, Ring& ring,
                                    std::span<const std::byte> bytes, std::size_t batch,
                                    Rounds* rounds) {
  std::size_t done = 0;
  while (done < batch && done < bytes.size()) {
    const auto piece = pipeline.copy().take(bytes.subspan(done), batch - done);
    const std::size_t taken = rounds != nullptr
                                  ? rounds->feed(index, ring.lane, piece, piece.size())
                                  : pipeline.feed(index, ring.lane, piece, piece.size());
    done += taken;
    if (taken < piece.size() || (rounds != nullptr && rounds->waits(index))) break;
  }
  return done;
}

// The memory of an ended thread's ring goes back to the system; a program may start any number of
// threads.
void RankProcess::let_go(Pipeline& pipeline, Ring& ring) {
  // The first ring stays: it holds what is said last.
  if (&ring == rings_.data()) return;
  pipeline.returned(index, ring.lane, ring.reader->header().left.load(std::memory_order_relaxed));
  count_polls(pipeline, ring);
  ring.polls = ring.reader->header().polls.load(std::memory_order_relaxed);
  ring.full_waits = ring.reader->header().full_waits.load(std::memory_order_relaxed);
  ring.reader.reset();
}

bool RankProcess::filling() const {
  for (const Ring& ring : rings_) {
    if (ring.reader && !ring.reader->corrupt() &&
        ring.reader->unread_bytes() > ring.reader->half() + ring.left_over)
      return true;
  }
  return false;
}

bool RankProcess::skip_gap(Pipeline& pipeline) {
  bool found = false;
  std::uint32_t lowest = 0;
  for (Ring& ring : rings_) {
    std::uint32_t seq = 0;
    if (!ring.reader || !Intake::front(ring.reader->bytes(), seq)) continue;
    if (!found || static_cast<std::int32_t>(seq - lowest) < 0) lowest = seq;
    found = true;
  }
  if (found) pipeline.skip_to(index, lowest);
  return found;
}

void RankProcess::give_up_gap(Pipeline& pipeline, Clock::time_point now) {
  bool waiting = false;
  for (const Ring& ring : rings_) waiting = waiting || ring.left_over > 0;
  if (!waiting) return;
  if (!gap_since_) gap_since_ = now;
  if (now - *gap_since_ < kGapPatience) return;
  gap_since_.reset();
  skip_gap(pipeline);
}

void RankProcess::settle(Pipeline& pipeline) {
  for (Ring& ring : rings_) {
    if (!ring.reader) continue;
    const std::uint32_t left = ring.reader->header().left.load(std::memory_order_acquire);
    // What waits for records of another thread may hold the leave record of that very call.
    if (ring.reader->unread_bytes() == 0) pipeline.returned(index, ring.lane, left);
  }
}

// Threads that the MPI library has made for itself.
std::vector<int> RankProcess::helpers(const RingHeader& first) {
  std::vector<int> tids;
  for (const auto& helper : first.helpers) {
    if (const int tid = helper.load(std::memory_order_relaxed); tid != 0) tids.push_back(tid);
  }
  return tids;
}

bool RankProcess::one_acts() {
  if (rings_.empty() || !rings_[0].reader) return false;
  const RingHeader& header = rings_[0].reader->header();
  std::vector<int> apart = helpers(header);
  apart.push_back(header.tid.load(std::memory_order_relaxed));
  return threads_.others_sleep(apart) && !ring_comes();
}

// A thread has called MPI for the first time, and its ring was not taken yet.
bool RankProcess::ring_comes() const {
  char first = 0;
  return ::recv(connection, &first, sizeof(first), MSG_PEEK | MSG_DONTWAIT) > 0;
}

// Whether these calls are where the process is, as far as it has told.
bool RankProcess::all_read(std::span<const Pause::OpenCall> open) const {
  std::size_t found = 0;
  for (const Ring& ring : rings_) {
    if (!ring.reader) continue;
    if (ring.reader->unread_bytes() != 0) return false;
    const auto call = std::find_if(open.begin(), open.end(),
                                   [&](const auto& c) { return c.thread == ring.thread; });
    if (call == open.end()) continue;
    ++found;
    // It returned and left no record.
    if (ring.reader->header().left.load(std::memory_order_acquire) == call->seq) return false;
  }
  return found == open.size() && !ring_comes();
}

// What was read is looked at again after the threads: one that has ended, or has fallen asleep, may
// have called MPI just before.
bool RankProcess::others_rest(std::span<const Pause::OpenCall> open) {
  if (!all_read(open)) return false;
  std::vector<int> apart;
  for (std::size_t i = 0; i < rings_.size(); ++i) {
    const Ring& ring = rings_[i];
    if (!ring.reader) continue;
    const RingHeader& header = ring.reader->header();
    if (i == 0) apart = helpers(header);
    if (std::any_of(open.begin(), open.end(),
                    [&](const auto& c) { return c.thread == ring.thread; }))
      apart.push_back(header.tid.load(std::memory_order_relaxed));
  }
  return threads_.others_sleep(apart) && all_read(open);
}

void RankProcess::drain(Pipeline& pipeline) {
  bool more = true;
  while (more) {
    while (read(pipeline, kRingBytes) > 0) {
    }
    // Whatever it has written there: either the gap was before its next record, or it is over.
    more = skip_gap(pipeline) && read(pipeline, kRingBytes) > 0;
  }
  settle(pipeline);
  for (const Ring& ring : rings_) count_polls(pipeline, ring);
  note_open_polls(pipeline);
}

void RankProcess::catch_up(Pipeline& pipeline) {
  read(pipeline, kRingBytes);
  settle(pipeline);
  note_open_polls(pipeline);
}

// Of a ring that is read to its end and gets no more records.
void RankProcess::count_polls(Pipeline& pipeline, const Ring& ring) const {
  if (!ring.reader || ring.corrupt) return;
  pipeline.polls(index, ring.lane, ring.reader->header().polls.load(std::memory_order_relaxed));
}

void RankProcess::note_open_polls(Pipeline& pipeline) {
  for (Ring& ring : rings_) {
    std::span<const std::byte> poll;
    if (ring.reader && ring.reader->tentative(poll)) {
      pipeline.tentative(index, ring.lane, pipeline.copy().take(poll, poll.size()));
    }
  }
}

void RankProcess::stop() {
  for (Ring& ring : rings_) {
    if (ring.reader) ring.reader->header().stop.store(1, std::memory_order_relaxed);
  }
}

std::uint64_t RankProcess::polls() const {
  std::uint64_t sum = 0;
  for (const Ring& r : rings_)
    sum += r.reader ? r.reader->header().polls.load(std::memory_order_relaxed) : r.polls;
  return sum;
}

// Its first ring says so; without that it may do anything.
Pause::TimeUse RankProcess::time_use() const {
  for (const Ring& r : rings_) {
    if (r.thread != 0 || !r.reader) continue;
    const RingHeader& header = r.reader->header();
    return {header.time_asked.load(std::memory_order_relaxed),
            header.timer_set.load(std::memory_order_relaxed) != 0};
  }
  return {.timer = true};
}

std::optional<Clock::time_point> RankProcess::ends_at() const {
  if (rings_.empty() || !rings_[0].reader) return std::nullopt;
  const std::uint64_t at = rings_[0].reader->header().ends_at.load(std::memory_order_relaxed);
  if (at == 0 || at > INT64_MAX) return std::nullopt;
  return Clock::time_point(std::chrono::nanoseconds(at));
}

std::uint64_t RankProcess::full_waits() const {
  std::uint64_t sum = 0;
  for (const Ring& r : rings_) {
    sum += r.reader ? r.reader->header().full_waits.load(std::memory_order_relaxed) : r.full_waits;
  }
  return sum;
}

}  // namespace vouch
