// Where ranks come in: the socket they connect to, their connections, and the bell that they ring
// when their rings fill. All descriptors of the agent are watched here; hang-ups also by
// HangUpWatch.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "policy/schedule.h"
#include "record/handshake.h"
#include "record/ring_map.h"

namespace vouch {

// What happens; called by Reception::look() only.
class ReceptionEvents {
 public:
  virtual ~ReceptionEvents() = default;
  // Of a process: a thread's ring. `rank`: its number, -1: this is its first ring, and it gets a
  // number if it is let in. False: the connection is to be closed.
  virtual bool on_ring(int pid, int fd, std::ptrdiff_t& rank, const wire::Hello&, int memfd) = 0;
  // The child of a fork calls MPI. False: it may.
  virtual bool on_forked_call(int child, const ForkedCall&) = 0;
  virtual void on_hang_up(std::size_t rank) = 0;
  virtual void on_death(std::size_t rank) = 0;
  virtual void on_control() = 0;  // vouch says something, or is gone
  // Somebody was not let in.
  virtual void on_refused(const std::string& who, const std::string& why) = 0;
};

class Reception {
 public:
  // `schedule`: that all ranks follow; nullptr: none.
  Reception(ReceptionEvents&, int listening, const policy::Schedule* schedule);

  void watch_control(int fd) { watch(fd, Watched::control, 0); }
  void watch_process(int pidfd, std::size_t rank) { watch(pidfd, Watched::process, rank); }
  void forget_process(int pidfd);
  void watch_peers(int fd) { watch(fd, Watched::peers, 0); }  // only wakes us
  // Takes what has come; waits at most so long for it. True: somebody new has come.
  bool look(int timeout_ms);

  Bell* bell() { return bell_; }  // nullptr: there is no memory for it
  // The rank may go on. `later`: not before give_bells().
  void give_bell(int fd, bool later);
  void give_bells();
  bool refused() const { return refused_; }  // somebody was

 private:
  enum class Watched : std::uint32_t { listening, control, connection, process, peers };
  struct Connection {
    int fd = -1;
    int pid = 0;
    std::ptrdiff_t rank = -1;
  };
  void watch(int fd, Watched what, std::size_t index);
  bool accept_all();
  void read_hellos(std::size_t connection);
  void refuse(int pid, int rank_hint, const std::string& why);
  void close(Connection&);

  ReceptionEvents& events_;
  const int listening_;
  const int epoll_;
  const std::vector<std::byte> plan_;  // what ranks follow
  const int bell_memory_;
  Bell* bell_ = nullptr;
  std::vector<Connection> connections_;
  std::vector<int> without_bell_;  // connections
  bool refused_ = false;
};

}  // namespace vouch
