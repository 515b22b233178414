#include "analysis/deadlock/silence.h"

#include <algorithm>

#include "analysis/deadlock/progress.h"

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

bool Silence::knows_all(const wait::Snapshot& snapshot, const wait::Groups& groups) const {
  wait::RankSet known = snapshot.running;
  for (const wait::Blocked& b : snapshot.blocked) known.add(b.ranks);
  known.add(snapshot.finished);
  const auto is_known = [&](int rank) { return known.contains(rank); };
  for (std::size_t i = 0; i < world_.processes(); ++i) {
    const Process& process = world_.process(i);
    if (process.end == End::alive && (process.stranger() || !is_known(process.rank.value)))
      return false;
  }
  return std::all_of(groups.begin(), groups.end(), [&](const auto& entry) {
    const wait::Group& group = *entry.second;
    return std::all_of(group.members.begin(), group.members.end(), is_known) &&
           std::all_of(group.others.begin(), group.others.end(), is_known);
  });
}

bool Silence::lasts(const wait::Snapshot& snapshot, const Pause& pause, bool remote) {
  const bool somebody = !snapshot.running.empty() || !snapshot.blocked.empty();
  if (!snapshot.moving.empty() || !somebody) {
    since_.reset();
    return false;
  }
  if (!since_) {
    since_ = pause.now;
    worked_ = processor_times(world_, pause);
  }
  const auto silent = pause.now - *since_;
  const auto transfer = transfer_time(snapshot);
  if (silent < kSilence + transfer) return false;
  return had_processor(world_, worked_, pause, silent - transfer, remote);
}

std::chrono::nanoseconds Silence::transfer_time(const wait::Snapshot& snapshot) {
  // No message takes longer; a damaged record may say any size.
  constexpr std::chrono::milliseconds kMost = std::chrono::hours(24);
  return std::chrono::milliseconds(std::min<std::uint64_t>(snapshot.largest / kBytesPerMillisecond,
                                                           std::uint64_t{kMost.count()}));
}

bool Silence::had_processor(const World& world, const std::vector<std::chrono::nanoseconds>& before,
                            const Pause& pause, std::chrono::nanoseconds silent, bool remote) {
  if (silent >= kLongSilence) return true;
  if (remote || before.size() != world.processes()) return false;
  const std::vector<std::chrono::nanoseconds> now = processor_times(world, pause);
  for (std::size_t i = 0; i < world.processes(); ++i) {
    const Process& process = world.process(i);
    if (process.phase >= Phase::finalizing || process.end != End::alive) continue;
    if (now[i] - before[i] < kWorked) return false;
  }
  return true;
}

}  // namespace vouch
