#include "agent/hang_up_watch.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <system_error>

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace vouch {
namespace {

constexpr std::uint64_t kStop = ~std::uint64_t{0};

void add(int epoll, int fd, std::uint32_t events, std::uint64_t tag) {
  epoll_event event{};
  event.events = events;
  event.data.u64 = tag;
  ::epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
}

}  // namespace

HangUpWatch::HangUpWatch()
    : epoll_(::epoll_create1(EPOLL_CLOEXEC)), stop_(::eventfd(0, EFD_CLOEXEC)) {
  add(epoll_, stop_, EPOLLIN, kStop);
  // Signals are for the agent's own thread.
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error&) {
    // No thread may be made: then moments are those at which the agent looked.
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

HangUpWatch::~HangUpWatch() {
  const std::uint64_t one = 1;
  if (thread_.joinable() && ::write(stop_, &one, sizeof(one)) == sizeof(one)) thread_.join();
  ::close(stop_);
  ::close(epoll_);
}

void HangUpWatch::watch(int connection, std::size_t rank) {
  add(epoll_, connection, EPOLLRDHUP | EPOLLET, rank);
}

std::optional<HangUpWatch::Clock::time_point> HangUpWatch::moment(std::size_t rank) {
  const std::lock_guard lock(mutex_);
  const auto at = moments_.find(rank);
  if (at == moments_.end()) return std::nullopt;
  return at->second;
}

// What hangs up first comes first.
void HangUpWatch::run() {
  std::array<epoll_event, 64> events;
  for (;;) {
    const int count = ::epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), -1);
    if (count < 0 && errno != EINTR) return;
    for (int i = 0; i < count; ++i) {
      const std::uint64_t tag = events[static_cast<std::size_t>(i)].data.u64;
      if (tag == kStop) return;
      const std::lock_guard lock(mutex_);
      moments_.try_emplace(tag, Clock::now());
    }
  }
}

}  // namespace vouch
