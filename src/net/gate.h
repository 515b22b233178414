// Who may connect: those whose key is on the list (ZeroMQ's authentication protocol, RFC 27).
//
// Without the root's public key a stranger does not get through the handshake; with it but without
// a listed key it is turned away here. In both cases nothing it sends is ever seen by us.

#pragma once

#include <map>
#include <string>
#include <string_view>

#include "net/key.h"
#include "net/socket.h"

namespace vouch::net {

class Gate {
 public:
  explicit Gate(Context&);

  // Messages of whoever holds the key bear this name.
  void allow(const Key& key, std::string name) { names_[key] = std::move(name); }
  // For new connections; those that stand stay.
  void forbid(const Key& key) { names_.erase(key); }
  // Answers those who wait. True: there were some.
  bool pump();
  Socket& socket() { return socket_; }
  std::size_t refused() const { return refused_; }

 private:
  Socket socket_;
  std::map<Key, std::string> names_;
  std::size_t refused_ = 0;
};

}  // namespace vouch::net
