// How long nobody has called anything, on all nodes of a job, and when it is worth asking who is
// stuck: at once when all are quiet, then less and less often; else now and then, since a part of
// the job may be stuck.

#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

namespace vouch {

class QuietWatch {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr auto kQuietFor =
      std::chrono::milliseconds(20);  // nothing read: perhaps all wait
  static constexpr auto kFirstLook = std::chrono::milliseconds(25);
  static constexpr auto kLastLook = std::chrono::milliseconds(1000);
  static constexpr auto kFinalizePatience = std::chrono::seconds(10);

  void on_read(Clock::time_point now) {
    last_read_ = now;
    look_pause_ = kFirstLook;
  }
  void on_news() { look_pause_ = kFirstLook; }  // of another node
  bool quiet_here(Clock::time_point now) const { return now - last_read_ > kQuietFor; }

  // `others`: all other nodes are quiet, too. `looked`: when we asked last.
  bool time_to_look(Clock::time_point now, Clock::time_point looked, bool others) {
    const bool quiet = others && quiet_here(now);
    if (!quiet) all_quiet_since_ = now;
    if (now - looked < (quiet ? std::max(look_pause_, kFirstLook) : kLastLook)) return false;
    look_pause_ = std::clamp(look_pause_ * 2, kFirstLook, kLastLook);
    return true;
  }
  std::chrono::nanoseconds all_quiet_for() const { return Clock::now() - all_quiet_since_; }

  // `all`: every rank that lives, and there is one, is in MPI_Finalize. True, once: it has been so
  // for too long. How long nothing was read says nothing: there may be no rank on this node at all.
  bool hangs_in_finalize(Clock::time_point now, bool all) {
    if (finalize_noticed_ || !quiet_here(now) || !all) {
      finalizing_since_.reset();
      return false;
    }
    if (!finalizing_since_) finalizing_since_ = now;
    if (now - *finalizing_since_ < kFinalizePatience) return false;
    return finalize_noticed_ = true;
  }

 private:
  Clock::time_point last_read_ = Clock::now(), all_quiet_since_ = Clock::now();
  std::chrono::milliseconds look_pause_{0};  // before the next look for stuck ranks
  std::optional<Clock::time_point> finalizing_since_;
  bool finalize_noticed_ = false;
};

}  // namespace vouch
