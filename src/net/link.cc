#include "net/link.h"

#include <atomic>
#include <cstring>

#include <fmt/format.h>

namespace vouch::net {
namespace {

// So few frames that it is us who decide what goes next.
constexpr int kFramesAhead = 4;

// Each monitor needs a name of its own in its context.
std::atomic<unsigned> monitors{0};

}  // namespace

Link::Link(Context& context, const std::string& endpoint, const Key& server, const KeyPair& mine,
           const Patience& patience, std::size_t window)
    : socket_(context, ZMQ_PUSH),
      monitor_(context, ZMQ_PAIR),
      window_(window),
      give_up_(std::chrono::steady_clock::now() + patience.connecting) {
  const auto connecting = static_cast<int>(patience.connecting.count());
  socket_.set(ZMQ_CURVE_SERVERKEY, server.view());
  socket_.set(ZMQ_CURVE_PUBLICKEY, mine.open.view());
  socket_.set(ZMQ_CURVE_SECRETKEY, mine.secret.view());
  socket_.set(ZMQ_IPV6, 1);
  socket_.set(ZMQ_SNDHWM, kFramesAhead);
  socket_.set(ZMQ_RECONNECT_IVL, -1);
  socket_.set(ZMQ_HANDSHAKE_IVL, connecting);
  socket_.set(ZMQ_CONNECT_TIMEOUT, connecting);
  socket_.set(ZMQ_HEARTBEAT_IVL, static_cast<int>(patience.heartbeat.count()));
  socket_.set(ZMQ_HEARTBEAT_TIMEOUT, static_cast<int>(patience.silence.count()));
  const std::string name = fmt::format("inproc://vouch.link.{}", ++monitors);
  const int events = ZMQ_EVENT_HANDSHAKE_SUCCEEDED | ZMQ_EVENT_DISCONNECTED | ZMQ_EVENT_CLOSED |
                     ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL |
                     ZMQ_EVENT_HANDSHAKE_FAILED_AUTH;
  VOUCH_CHECK(::zmq_socket_monitor(socket_.get(), name.c_str(), events) == 0);
  VOUCH_CHECK(::zmq_connect(monitor_.get(), name.c_str()) == 0);
  broken_ = ::zmq_connect(socket_.get(), endpoint.c_str()) != 0;
}

// The library's thread waits, forever, to say what happens to a socket whose monitor is gone: the
// monitor must end first. While it waits no other connection is served.
Link::~Link() { ::zmq_socket_monitor(socket_.get(), nullptr, 0); }

bool Link::flush() {
  bool any = false;
  while (!broken_ && may_send() && (socket_.events() & ZMQ_POLLOUT) != 0) {
    const Lane lane = outbox(Lane::urgent).empty() ? Lane::regular : Lane::urgent;
    const std::string frame = out_[static_cast<std::size_t>(lane)].take(lane);
    VOUCH_CHECK(socket_.send(frame));  // it said that it can
    if (lane == Lane::regular) under_way_ += frame.size();
    any = true;
  }
  return any;
}

std::optional<std::string> Link::trouble() {
  std::optional<std::string> why;
  for (Incoming event; !broken_ && event.receive(monitor_);) {
    std::uint16_t kind = 0;
    if (event.bytes().size() >= sizeof(kind)) std::memcpy(&kind, event.bytes().data(), 2);
    while (event.more() && event.receive(monitor_)) {
    }
    if (kind == ZMQ_EVENT_HANDSHAKE_SUCCEEDED) {
      connected_ = true;
      continue;
    }
    why = kind == ZMQ_EVENT_HANDSHAKE_FAILED_AUTH ? "it did not let us in"
          : connected_                            ? "the connection to it broke"
                                                  : "it could not be connected to";
    broken_ = true;
  }
  if (broken_ && !why) why = "it could not be connected to";
  if (!why && !connected_ && std::chrono::steady_clock::now() > give_up_) why = "it did not answer";
  if (why) {
    broken_ = true;
    for (Outbox& out : out_) out.clear();
  }
  return why;
}

}  // namespace vouch::net
