#include "net/gate.h"

#include <vector>

namespace vouch::net {

Gate::Gate(Context& context) : socket_(context, ZMQ_REP) {
  VOUCH_CHECK(::zmq_bind(socket_.get(), "inproc://zeromq.zap.01") == 0);
}

bool Gate::pump() {
  bool any = false;
  for (;;) {
    // version, request, domain, address, identity, mechanism, credentials
    std::vector<std::string> parts;
    for (bool more = true; more;) {
      Incoming part;
      if (!part.receive(socket_)) break;
      parts.emplace_back(part.bytes());
      more = part.more();
    }
    if (parts.empty()) return any;
    any = true;
    auto name = names_.end();
    if (parts.size() == 7 && parts[5] == "CURVE") {
      if (const auto key = Key::from(parts[6])) name = names_.find(*key);
    }
    const bool known = name != names_.end();
    refused_ += !known;
    socket_.send("1.0", ZMQ_SNDMORE);
    socket_.send(parts.size() > 1 ? parts[1] : "", ZMQ_SNDMORE);
    socket_.send(known ? "200" : "400", ZMQ_SNDMORE);
    socket_.send(known ? "OK" : "unknown key", ZMQ_SNDMORE);
    socket_.send(known ? name->second : "", ZMQ_SNDMORE);
    socket_.send("");
  }
}

}  // namespace vouch::net
