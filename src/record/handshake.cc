#include "record/handshake.h"

#include <cerrno>
#include <cstddef>
#include <cstring>

#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

namespace vouch {

namespace {

constexpr int kBacklog = 1024;
constexpr int kSliceMs = 100;

// An abstract address: a zero byte, then the name without its end.
socklen_t abstract_address(const char* name, sockaddr_un& address) {
  address = {};
  address.sun_family = AF_UNIX;
  const std::size_t length = std::strlen(name);
  if (length == 0 || length >= sizeof(address.sun_path)) return 0;
  std::memcpy(address.sun_path + 1, name, length);
  return static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length);
}

bool send_with_descriptor(int connection, const void* bytes, std::size_t length, int fd) {
  iovec part{const_cast<void*>(bytes), length};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof(control);
  cmsghdr* rider = CMSG_FIRSTHDR(&message);
  rider->cmsg_level = SOL_SOCKET;
  rider->cmsg_type = SCM_RIGHTS;
  rider->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(rider), &fd, sizeof(int));
  if (fd < 0) message.msg_controllen = 0;
  ssize_t sent;
  do {
    sent = ::sendmsg(connection, &message, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent == static_cast<ssize_t>(length);
}

// Bytes received, 0 at the end, -1 on an error; `fd` is -1 if none came along.
ssize_t receive_with_descriptor(int connection, void* bytes, std::size_t length, int flags,
                                int& fd) {
  fd = -1;
  iovec part{bytes, length};
  alignas(cmsghdr) char control[CMSG_SPACE(4 * sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof(control);
  ssize_t got;
  do {
    got = ::recvmsg(connection, &message, MSG_CMSG_CLOEXEC | flags);
  } while (got < 0 && errno == EINTR);
  if (got <= 0) return got;
  for (cmsghdr* rider = CMSG_FIRSTHDR(&message); rider != nullptr;
       rider = CMSG_NXTHDR(&message, rider)) {
    if (rider->cmsg_level != SOL_SOCKET || rider->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (rider->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
      int one;
      std::memcpy(&one, CMSG_DATA(rider) + i * sizeof(int), sizeof(int));
      if (fd < 0) {
        fd = one;
      } else {
        ::close(one);
      }
    }
  }
  return got;
}

}  // namespace

int listen_for_ranks(const char* name) {
  sockaddr_un address;
  const socklen_t length = abstract_address(name, address);
  if (length == 0) {
    errno = ENAMETOOLONG;
    return -1;
  }
  const int fd = ::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return -1;
  if (::bind(fd, reinterpret_cast<const sockaddr*>(&address), length) != 0 ||
      ::listen(fd, kBacklog) != 0) {
    const int why = errno;
    ::close(fd);
    errno = why;
    return -1;
  }
  return fd;
}

// listen() notes who calls it, also where the socket listens already.
void listen_as_agent(int listening) { ::listen(listening, kBacklog); }

int peer_of(int connection) {
  ucred peer{};
  socklen_t length = sizeof(peer);
  const bool known = ::getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0;
  return known && peer.uid == ::geteuid() ? peer.pid : -1;
}

int accept_rank(int listening) {
  return ::accept4(listening, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

int receive_hello(int connection, wire::Hello& hello, int& memfd) {
  const ssize_t got =
      receive_with_descriptor(connection, &hello, sizeof(hello), MSG_DONTWAIT, memfd);
  if (got == 0) return 0;
  if (got < 0) return errno == EAGAIN || errno == EWOULDBLOCK ? -1 : 0;
  const bool known = got == sizeof(hello) && hello.magic == wire::kHelloMagic &&
                     hello.version == wire::kWireVersion;
  if (known && memfd >= 0) return 1;
  if (memfd >= 0) ::close(memfd);
  memfd = -1;
  if (got == sizeof(hello) && hello.magic == kForkedMagic && hello.version == wire::kWireVersion)
    return 2;
  errno = known ? ENOMEM : EPROTO;
  return -1;
}

ForkedCall forked_call(const wire::Hello& hello) {
  ForkedCall call;
  std::memcpy(&call, &hello, sizeof(call));
  return call;
}

bool answer_forked(int connection, char answer) {
  return ::send(connection, &answer, 1, MSG_NOSIGNAL | MSG_DONTWAIT) == 1;
}

char tell_forked(int connection, const ForkedCall& call, int timeout_ms) {
  if (::send(connection, &call, sizeof(call), MSG_NOSIGNAL) != sizeof(call)) return 0;
  pollfd wait{connection, POLLIN, 0};
  char answer = 0;
  if (::poll(&wait, 1, timeout_ms) <= 0) return 0;
  return ::recv(connection, &answer, 1, MSG_DONTWAIT) == 1 ? answer : char{0};
}

bool send_bell(int connection, int bell_memfd) {
  const char byte = 'v';
  return send_with_descriptor(connection, &byte, 1, bell_memfd);
}

int connect_to_agent(const char* name, int patience_ms) {
  sockaddr_un address;
  const socklen_t length = abstract_address(name, address);
  if (length == 0) return -1;
  const int fd = ::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (fd < 0) return -1;
  const timeval patience{patience_ms / 1000, (patience_ms % 1000) * 1000};
  ::setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), length) == 0 && peer_of(fd) >= 0)
    return fd;
  ::close(fd);
  return -1;
}

bool send_hello(int connection, const wire::Hello& hello, int memfd) {
  return send_with_descriptor(connection, &hello, sizeof(hello), memfd);
}

int receive_bell(int connection, int timeout_ms, int patience_ms) {
  AgentWatch watch(peer_of(connection), patience_ms, kSliceMs);
  pollfd wait{connection, POLLIN, 0};
  for (int ready = 0, waited = 0; ready <= 0; waited += ready == 0 ? kSliceMs : 0) {
    if (waited >= timeout_ms || watch.gave_out()) return -1;
    ready = ::poll(&wait, 1, kSliceMs);
  }
  char byte;
  int fd;
  return receive_with_descriptor(connection, &byte, 1, MSG_DONTWAIT, fd) == 1 ? fd : -1;
}

bool agent_lives(int connection) {
  char byte;
  const ssize_t got = ::recv(connection, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return got > 0 || (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR));
}

}  // namespace vouch
