#include "agent/reception.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include <fmt/format.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "policy/plan.h"

namespace vouch {
namespace {

constexpr char kNoRoom[] =
    "it could not make the memory that it shares with vouch (ulimit -f limits it, too)";

// Why a process that spoke in this way is not let in.
std::string refusal(const wire::Hello& hello, int error) {
  if (error == ENOMEM) return kNoRoom;
  if (hello.magic != wire::kHelloMagic) return "it spoke to vouch in an unknown way";
  return fmt::format(
      "its libvouch.so writes records of version {}, this vouch reads version {}: use the "
      "two that came together",
      hello.version, wire::kWireVersion);
}

}  // namespace

Reception::Reception(ReceptionEvents& events, int listening, const policy::Schedule* schedule)
    : events_(events),
      listening_(listening),
      epoll_(::epoll_create1(EPOLL_CLOEXEC)),
      plan_(schedule != nullptr ? policy::encode_plan(*schedule) : std::vector<std::byte>()),
      bell_memory_(make_bell_memory(plan_.size())) {
  if (bell_memory_ >= 0) bell_ = map_bell(bell_memory_);
  if (std::byte* shared = map_plan(bell_memory_, plan_.size(), true); shared != nullptr) {
    std::copy(plan_.begin(), plan_.end(), shared);
    bell_->plan.store(plan_.size(), std::memory_order_release);
  }
  watch(listening_, Watched::listening, 0);
}

void Reception::watch(int fd, Watched what, std::size_t index) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = (std::uint64_t{static_cast<std::uint32_t>(what)} << 32) | index;
  ::epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &event);
}

void Reception::forget_process(int pidfd) { ::epoll_ctl(epoll_, EPOLL_CTL_DEL, pidfd, nullptr); }

bool Reception::look(int timeout_ms) {
  bool any = false;
  std::array<epoll_event, 64> events;
  const int count =
      ::epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), timeout_ms);
  for (int i = 0; i < count; ++i) {
    const std::uint64_t tag = events[static_cast<std::size_t>(i)].data.u64;
    const std::size_t index = tag & 0xffffffff;
    switch (static_cast<Watched>(tag >> 32)) {
      case Watched::listening:
        any = accept_all() || any;
        break;
      case Watched::control:
        events_.on_control();
        break;
      case Watched::connection:
        read_hellos(index);
        break;
      case Watched::process:
        events_.on_death(index);
        break;
      case Watched::peers:
        break;  // their turn comes
    }
  }
  return any;
}

bool Reception::accept_all() {
  bool any = false;
  for (int fd; (fd = accept_rank(listening_)) >= 0;) {
    const int pid = peer_of(fd);
    if (pid < 0) {
      ::close(fd);  // the name of an abstract socket is known to every user of the machine
      continue;
    }
    if (bell_ == nullptr) {
      refuse(pid, -1, kNoRoom);
      ::close(fd);
      continue;
    }
    connections_.push_back({fd, pid, -1});
    watch(fd, Watched::connection, connections_.size() - 1);
    any = true;
  }
  return any;
}

void Reception::refuse(int pid, int rank_hint, const std::string& why) {
  refused_ = true;
  events_.on_refused(
      rank_hint >= 0 ? fmt::format("rank {}", rank_hint) : fmt::format("process {}", pid), why);
}

void Reception::read_hellos(std::size_t index) {
  for (;;) {
    Connection& connection = connections_[index];
    wire::Hello hello{};
    int memfd = -1;
    const int got = receive_hello(connection.fd, hello, memfd);
    const int why = got < 0 ? errno : 0;
    if (got < 0 && why != EPROTO && why != ENOMEM) return;
    if (got == 2) {
      const bool told = events_.on_forked_call(connection.pid, forked_call(hello));
      answer_forked(connection.fd, told ? kForkedTold : kForkedAllowed);
      continue;
    }
    if (got > 0) {
      const bool welcome =
          events_.on_ring(connection.pid, connection.fd, connection.rank, hello, memfd);
      ::close(memfd);
      if (welcome) continue;
    } else if (got < 0) {
      refuse(connection.pid, hello.rank_hint, refusal(hello, why));
    }
    return close(connection);
  }
}

// It hung up, or is not to be talked to.
void Reception::close(Connection& connection) {
  ::epoll_ctl(epoll_, EPOLL_CTL_DEL, connection.fd, nullptr);
  ::close(connection.fd);
  connection.fd = -1;
  if (connection.rank >= 0) events_.on_hang_up(static_cast<std::size_t>(connection.rank));
}

void Reception::give_bell(int fd, bool later) {
  if (later) {
    without_bell_.push_back(fd);
  } else {
    send_bell(fd, bell_memory_);
  }
}

void Reception::give_bells() {
  for (const int fd : std::exchange(without_bell_, {})) send_bell(fd, bell_memory_);
}

}  // namespace vouch
