// Hangs that depend on what the library chose.
//
// A pending receive of any source may have taken this message or that one, and nobody is told
// before it completes. By one choice the program goes on, by another it hangs; so by the rules
// alone nothing can be said. But if every process of the job is inside a call that waits, and not
// one of them has come back although each had the processor for a while, then the library has made
// its choices and they were bad ones. What is met whatever it chose (a message under way, however
// long it takes) counts as running all the same.

#include <algorithm>
#include <utility>

#include "analysis/deadlock/deadlock.h"

namespace vouch {
namespace {

// How long nothing may move, and how long everybody must have had the processor meanwhile. A
// library that sleeps while it waits, or one that is elsewhere, gets more time instead; and
// a large message takes its time.
constexpr auto kSilence = std::chrono::seconds(3);
constexpr auto kWorked = std::chrono::milliseconds(200);
constexpr auto kLongSilence = std::chrono::seconds(10);
constexpr std::uint64_t kBytesPerMillisecond = 10'000;  // on a slow network

}  // namespace

// Who has done nothing that could be followed may do anything.
bool DeadlockSearch::knows_all(const wait::Snapshot& snapshot) const {
  wait::RankSet known = snapshot.running;
  for (const wait::Blocked& b : snapshot.blocked) known.add(b.ranks);
  known.add(snapshot.finished);
  const auto is_known = [&](int rank) { return known.contains(rank); };
  for (std::size_t i = 0; i < world_.processes(); ++i) {
    const Process& process = world_.process(i);
    if (process.end == End::alive && (process.spawned || !is_known(process.rank.value)))
      return false;
  }
  const wait::Groups& groups = node_->groups();
  return std::all_of(groups.begin(), groups.end(), [&](const auto& entry) {
    const wait::Group& group = *entry.second;
    return std::all_of(group.members.begin(), group.members.end(), is_known) &&
           std::all_of(group.others.begin(), group.others.end(), is_known);
  });
}

bool DeadlockSearch::silence_lasts(const wait::Snapshot& snapshot, const Pause& pause) {
  const bool somebody = !snapshot.running.empty() || !snapshot.blocked.empty();
  if (!snapshot.moving.empty() || !somebody) {
    silence_.since.reset();
    return false;
  }
  if (!silence_.since) {
    silence_.since = pause.now;
    silence_.worked = processor_times(pause);
  }
  const auto silent = pause.now - *silence_.since;
  const auto transfer = transfer_time(snapshot);
  if (silent < kSilence + transfer) return false;
  return had_processor(silence_.worked, pause, silent - transfer);
}

std::chrono::nanoseconds DeadlockSearch::transfer_time(const wait::Snapshot& snapshot) {
  return std::chrono::milliseconds(snapshot.largest / kBytesPerMillisecond);
}

std::vector<std::chrono::nanoseconds> DeadlockSearch::processor_times(const Pause& pause) const {
  std::vector<std::chrono::nanoseconds> times;
  for (std::size_t i = 0; i < world_.processes(); ++i)
    times.push_back(pause.worked ? pause.worked(i) : std::chrono::nanoseconds(0));
  return times;
}

// Whether everybody had the processor long enough to come back from a call that can return.
bool DeadlockSearch::had_processor(const std::vector<std::chrono::nanoseconds>& before,
                                   const Pause& pause, std::chrono::nanoseconds silent) const {
  if (silent >= kLongSilence) return true;
  if (remote_ != nullptr || before.size() != world_.processes()) return false;
  const std::vector<std::chrono::nanoseconds> now = processor_times(pause);
  for (std::size_t i = 0; i < world_.processes(); ++i) {
    const Process& process = world_.process(i);
    if (process.phase >= Phase::finalizing || process.end != End::alive) continue;
    if (now[i] - before[i] < kWorked) return false;
  }
  return true;
}

std::optional<DeadlockSearch::Found> DeadlockSearch::hang_in_silence(const wait::Snapshot& snapshot,
                                                                     const Pause& pause) {
  if (!silence_lasts(snapshot, pause) || !knows_all(snapshot)) return std::nullopt;
  silence_.since = pause.now;
  // What has returned has not waited; then everybody stands where he really is. What is elsewhere
  // tells only by the next state whether it moved.
  constexpr int kRounds = 4096;
  Found found;
  found.silent = true;
  for (int round = 0; round < kRounds; ++round) {
    std::optional<wait::Snapshot> now = look({.silent = true});
    if (!now) return std::nullopt;
    const wait::Snapshot before = std::exchange(found.snapshot, std::move(*now));
    bool moved = remote_ != nullptr && (found.snapshot.blocked != before.blocked ||
                                        found.snapshot.running != before.running);
    for (const wait::Blocked& b : found.snapshot.blocked) {
      if (!b.returned || b.polling) continue;
      for (const int r : b.ranks.list()) moved = node_->relax(r) || moved;
    }
    if (!moved) break;
  }
  found.verdict = wait::judge(found.snapshot, node_->groups());
  if (found.verdict.empty()) return std::nullopt;
  return found;
}

}  // namespace vouch
