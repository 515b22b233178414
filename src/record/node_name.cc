#include "record/node_name.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace vouch {
namespace {

struct Secret {
  std::uint64_t a, b;
};

// SipHash-2-4: who knows values of it, but not the secret, cannot tell others.
std::uint64_t siphash(Secret secret, std::string_view text) {
  std::uint64_t v0 = secret.a ^ 0x736f6d6570736575u, v1 = secret.b ^ 0x646f72616e646f6du;
  std::uint64_t v2 = secret.a ^ 0x6c7967656e657261u, v3 = secret.b ^ 0x7465646279746573u;
  const auto round = [&] {
    v0 += v1, v1 = std::rotl(v1, 13) ^ v0, v0 = std::rotl(v0, 32);
    v2 += v3, v3 = std::rotl(v3, 16) ^ v2;
    v0 += v3, v3 = std::rotl(v3, 21) ^ v0;
    v2 += v1, v1 = std::rotl(v1, 17) ^ v2, v2 = std::rotl(v2, 32);
  };
  const auto take = [&](std::uint64_t word) {
    v3 ^= word;
    round(), round();
    v0 ^= word;
  };
  std::uint64_t word = 0;
  std::size_t i = 0;
  for (; i + 8 <= text.size(); i += 8) {
    std::memcpy(&word, text.data() + i, 8);
    take(word);
  }
  word = 0;
  std::memcpy(&word, text.data() + i, text.size() - i);
  take(word | std::uint64_t{text.size()} << 56);
  v2 ^= 0xff;
  for (int k = 0; k < 4; ++k) round();
  return v0 ^ v1 ^ v2 ^ v3;
}

}  // namespace

void node_name(std::string_view invitation, std::string_view place, char (&name)[kNodeNameSize]) {
  const Secret secret{siphash({1, 0}, invitation), siphash({2, 0}, invitation)};
  const std::uint64_t first = siphash(secret, place);
  const std::uint64_t second = siphash({secret.b, secret.a}, place);
  std::snprintf(name, sizeof(name), "vouch-%016llx%016llx", static_cast<unsigned long long>(first),
                static_cast<unsigned long long>(second));
}

void node_name(std::string_view invitation, char (&name)[kNodeNameSize]) {
  char place[256] = {};
  std::size_t length = 0;
  if (const int fd = ::open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC); fd >= 0) {
    const ssize_t got = ::read(fd, place, 64);
    if (got > 0) length = static_cast<std::size_t>(got);
    ::close(fd);
  }
  if (length == 0) {  // no /proc: the host's name has to do
    utsname host{};
    ::uname(&host);
    length = static_cast<std::size_t>(std::snprintf(place, 65, "%.64s", host.nodename));
  }
  struct stat network {};
  if (::stat("/proc/self/ns/net", &network) == 0)
    length +=
        static_cast<std::size_t>(std::snprintf(place + length, sizeof(place) - length, "/%llu",
                                               static_cast<unsigned long long>(network.st_ino)));
  node_name(invitation, {place, length}, name);
}

}  // namespace vouch
