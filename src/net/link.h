// The way from this agent to another: one connection, two lanes.
//
// Urgent packets go first and always. Regular ones go as long as the receiver has room: it gives
// back what it has handled (refund), and more than a window is never on the way, so an urgent one
// never stands behind more than that, and a receiver that reads everything needs memory for one
// window per sender. A connection that broke is not made again: what was on the way is lost, and
// who said nothing for too long is gone.

#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "net/frame.h"
#include "net/key.h"
#include "net/socket.h"

namespace vouch::net {

struct Patience {
  std::chrono::milliseconds heartbeat{1000};  // how often a silent one is asked
  std::chrono::milliseconds silence{10000};   // after which it is gone
  std::chrono::milliseconds connecting{20000};
};

class Link {
 public:
  Link(Context&, const std::string& endpoint, const Key& server, const KeyPair& mine,
       const Patience&, std::size_t window);
  ~Link();
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  void add(Lane lane, Type type, std::string_view bytes) {
    if (!broken_) out_[static_cast<std::size_t>(lane)].add(type, bytes);
  }
  void refund(std::size_t bytes) { under_way_ -= bytes < under_way_ ? bytes : under_way_; }
  void set_window(std::size_t bytes) { window_ = bytes; }
  // Sends what may go now. True: some went.
  bool flush();
  bool blocked() const { return may_send() && !broken_; }  // something could go, but for the socket
  std::size_t backlog() const {
    return outbox(Lane::urgent).bytes() + outbox(Lane::regular).bytes();
  }
  bool empty() const { return outbox(Lane::urgent).empty() && outbox(Lane::regular).empty(); }

  // Why it is broken, once it is.
  std::optional<std::string> trouble();
  // How long what is under way may take when the link goes out of scope.
  void linger(std::chrono::milliseconds time) {
    socket_.set(ZMQ_LINGER, static_cast<int>(time.count()));
  }

 private:
  const Outbox& outbox(Lane lane) const { return out_[static_cast<std::size_t>(lane)]; }
  bool may_send() const {
    return !outbox(Lane::urgent).empty() ||
           (!outbox(Lane::regular).empty() && under_way_ < window_);
  }

  Socket socket_;
  Socket monitor_;
  Outbox out_[kLanes];
  std::size_t window_;
  std::size_t under_way_ = 0;
  bool connected_ = false, broken_ = false;
  std::chrono::steady_clock::time_point give_up_;
};

}  // namespace vouch::net
