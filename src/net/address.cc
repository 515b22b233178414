#include "net/address.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstring>
#include <optional>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace vouch::net {
namespace {

struct Raw {
  std::uint8_t bytes[16] = {};
  std::size_t size = 0;
};

std::optional<Raw> raw(const std::string& address) {
  Raw r;
  if (::inet_pton(AF_INET, address.c_str(), r.bytes) == 1) {
    r.size = 4;
  } else if (::inet_pton(AF_INET6, address.c_str(), r.bytes) == 1) {
    r.size = 16;
  } else {
    return std::nullopt;
  }
  return r;
}

struct Network {
  Raw base;
  unsigned bits = 0;
  bool holds(const Raw& r) const {
    if (r.size != base.size) return false;
    for (unsigned i = 0; i < bits; ++i) {
      const unsigned mask = 0x80u >> (i % 8);
      if ((r.bytes[i / 8] & mask) != (base.bytes[i / 8] & mask)) return false;
    }
    return true;
  }
};

std::optional<unsigned> number(std::string_view text, unsigned most) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value > most) return std::nullopt;
  return value;
}

std::optional<Network> network(std::string_view text) {
  const std::size_t slash = text.find('/');
  const auto base = raw(std::string(text.substr(0, slash)));
  if (!base) return std::nullopt;
  const auto all = static_cast<unsigned>(base->size * 8);
  const auto bits = slash == text.npos ? all : number(text.substr(slash + 1), all);
  if (!bits) return std::nullopt;
  return Network{*base, *bits};
}

// "tcp://10.77.0.1:40123" for connect().
std::optional<sockaddr_storage> parse(std::string_view endpoint, socklen_t& size) {
  constexpr std::string_view kTcp = "tcp://";
  const std::size_t colon = endpoint.rfind(':');
  if (!endpoint.starts_with(kTcp) || colon < kTcp.size()) return std::nullopt;
  std::string_view host = endpoint.substr(kTcp.size(), colon - kTcp.size());
  const auto port = number(endpoint.substr(colon + 1), 65535);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  const auto address = raw(std::string(host));
  if (!port || !address) return std::nullopt;
  sockaddr_storage storage{};
  if (address->size == 4) {
    auto& in = reinterpret_cast<sockaddr_in&>(storage);
    in.sin_family = AF_INET;
    in.sin_port = htons(static_cast<std::uint16_t>(*port));
    std::memcpy(&in.sin_addr, address->bytes, 4);
    size = sizeof(in);
  } else {
    auto& in = reinterpret_cast<sockaddr_in6&>(storage);
    in.sin6_family = AF_INET6;
    in.sin6_port = htons(static_cast<std::uint16_t>(*port));
    std::memcpy(&in.sin6_addr, address->bytes, 16);
    size = sizeof(in);
  }
  return storage;
}

}  // namespace

std::vector<Local> local_addresses() {
  std::vector<Local> all;
  ifaddrs* list = nullptr;
  if (::getifaddrs(&list) != 0) return all;
  for (const ifaddrs* i = list; i != nullptr; i = i->ifa_next) {
    if (i->ifa_addr == nullptr || (i->ifa_flags & IFF_UP) == 0) continue;
    Local local;
    local.interface = i->ifa_name;
    local.loopback = (i->ifa_flags & IFF_LOOPBACK) != 0;
    char text[INET6_ADDRSTRLEN] = "";
    if (i->ifa_addr->sa_family == AF_INET) {
      ::inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in*>(i->ifa_addr)->sin_addr, text,
                  sizeof(text));
    } else if (i->ifa_addr->sa_family == AF_INET6) {
      const in6_addr& address = reinterpret_cast<const sockaddr_in6*>(i->ifa_addr)->sin6_addr;
      if (IN6_IS_ADDR_LINKLOCAL(&address)) continue;
      ::inet_ntop(AF_INET6, &address, text, sizeof(text));
      local.v6 = true;
    } else {
      continue;
    }
    local.address = text;
    all.push_back(std::move(local));
  }
  ::freeifaddrs(list);
  return all;
}

Result<std::vector<Local>> choose(const std::vector<Local>& all, std::string_view choice) {
  std::vector<Local> chosen;
  const auto take = [&](auto&& wanted) {
    std::copy_if(all.begin(), all.end(), std::back_inserter(chosen), wanted);
  };
  const bool family = choice == "ipv4" || choice == "ipv6";
  if (choice.empty() || family) {
    const auto fits = [&](const Local& l) { return !family || l.v6 == (choice == "ipv6"); };
    take([&](const Local& l) { return fits(l) && !l.loopback; });
    if (chosen.empty()) take(fits);
  } else if (const auto net = network(choice)) {
    take([&](const Local& l) {
      const auto r = raw(l.address);
      return r && net->holds(*r);
    });
  } else {
    take([&](const Local& l) { return l.interface == choice; });
  }
  if (!chosen.empty()) return chosen;
  std::string have;
  for (const Local& l : all)
    have += fmt::format("{}{} {}", have.empty() ? "" : ", ", l.interface, l.address);
  return Error{fmt::format("no address of this machine fits '{}'; it has {}", choice,
                           have.empty() ? "none" : have)};
}

std::string endpoint(const Local& local) {
  return fmt::format(fmt::runtime(local.v6 ? "tcp://[{}]:*" : "tcp://{}:*"), local.address);
}

Result<std::string> reachable(const std::vector<std::string>& endpoints, int timeout_ms) {
  if (endpoints.size() == 1) return endpoints.front();
  std::vector<pollfd> tries;
  std::vector<const std::string*> names;
  for (const std::string& e : endpoints) {
    socklen_t size = 0;
    const auto address = parse(e, size);
    if (!address) continue;
    const int fd = ::socket(address->ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) continue;
    const bool tried = ::connect(fd, reinterpret_cast<const sockaddr*>(&*address), size) == 0 ||
                       errno == EINPROGRESS;
    if (!tried) {
      ::close(fd);
      continue;
    }
    tries.push_back({fd, POLLOUT, 0});
    names.push_back(&e);
  }
  const std::string* found = nullptr;
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + std::chrono::milliseconds(timeout_ms);
  std::size_t open = tries.size();
  while (open > 0 && found == nullptr) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
    if (left <= 0) break;
    if (::poll(tries.data(), tries.size(), static_cast<int>(left)) < 0 && errno != EINTR) break;
    for (std::size_t i = 0; i < tries.size() && found == nullptr; ++i) {
      if (tries[i].fd < 0 || tries[i].revents == 0) continue;
      int error = 0;
      socklen_t size = sizeof(error);
      ::getsockopt(tries[i].fd, SOL_SOCKET, SO_ERROR, &error, &size);
      if (error == 0) {
        found = names[i];
      } else {
        ::close(std::exchange(tries[i].fd, -1));
        --open;
      }
    }
  }
  for (const pollfd& t : tries) {
    if (t.fd >= 0) ::close(t.fd);
  }
  if (found != nullptr) return *found;
  std::string list;
  for (const std::string& e : endpoints) list += " " + e;
  return Error{"none of these takes a connection:" + list};
}

}  // namespace vouch::net
