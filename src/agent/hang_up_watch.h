// When ranks hung up, to the moment.
//
// The agent reads rings in turn and sleeps between, so it may learn of several deaths at once, late
// where it has to wait for a processor. What brings a job down is told by the moments (Deaths), so
// a thread that does nothing else waits for them: one that sleeps gets a processor at once.

#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

namespace vouch {

class HangUpWatch {
 public:
  using Clock = std::chrono::steady_clock;

  HangUpWatch();
  ~HangUpWatch();
  HangUpWatch(const HangUpWatch&) = delete;
  HangUpWatch& operator=(const HangUpWatch&) = delete;

  // Until the descriptor is closed.
  void watch(int connection, std::size_t rank);
  // Nothing: it has not hung up, or not been looked at yet.
  std::optional<Clock::time_point> moment(std::size_t rank);

 private:
  void run();

  const int epoll_, stop_;
  std::mutex mutex_;
  std::map<std::size_t, Clock::time_point> moments_;
  std::thread thread_;
};

}  // namespace vouch
