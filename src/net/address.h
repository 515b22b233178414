// Which of this machine's addresses others may use, and which of another's can be reached.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace vouch::net {

// An address of an interface of this machine.
struct Local {
  std::string interface;  // "eth0"
  std::string address;    // "10.77.0.1", "fd00::1"
  bool v6 = false;
  bool loopback = false;
};

// All that are up. Link-local ones are left out: they mean something else on each link.
std::vector<Local> local_addresses();

// `choice`: "" = all but loopback (loopback if there is nothing else), "lo" or "eth0" = that
// interface, "10.77.0.0/24" or "fd00::/8" = that network, "ipv4" or "ipv6" = that family.
Result<std::vector<Local>> choose(const std::vector<Local>&, std::string_view choice);

// "tcp://10.77.0.1:*", "tcp://[fd00::1]:*".
std::string endpoint(const Local&);

// The first of these endpoints that takes a connection, all tried at once; of one alone it is
// taken for granted. Nothing: none within the time.
Result<std::string> reachable(const std::vector<std::string>& endpoints, int timeout_ms);

}  // namespace vouch::net
