// ZeroMQ's contexts and sockets, closed when they go out of scope.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <zmq.h>

#include "base/check.h"

namespace vouch::net {

inline constexpr int kMostSockets = 1 << 14;

class Context {
 public:
  Context() : handle_(::zmq_ctx_new()) {
    VOUCH_CHECK(handle_ != nullptr);
    ::zmq_ctx_set(handle_, ZMQ_MAX_SOCKETS, kMostSockets);
  }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context() {
    while (::zmq_ctx_term(handle_) != 0 && zmq_errno() == EINTR) {
    }
  }
  void* get() const { return handle_; }

 private:
  void* handle_;
};

class Socket {
 public:
  Socket(Context& context, int type) : handle_(::zmq_socket(context.get(), type)) {
    VOUCH_CHECK(handle_ != nullptr);
    set(ZMQ_LINGER, 0);
  }
  Socket(Socket&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Socket& operator=(Socket&&) = delete;
  ~Socket() {
    if (handle_ != nullptr) ::zmq_close(handle_);
  }
  void* get() const { return handle_; }

  void set(int option, int value) {
    VOUCH_CHECK(::zmq_setsockopt(handle_, option, &value, sizeof(value)) == 0);
  }
  void set(int option, std::string_view value) {
    VOUCH_CHECK(::zmq_setsockopt(handle_, option, value.data(), value.size()) == 0);
  }
  int events() const {
    int value = 0;
    std::size_t size = sizeof(value);
    return ::zmq_getsockopt(handle_, ZMQ_EVENTS, &value, &size) == 0 ? value : 0;
  }
  std::string last_endpoint() const {
    char text[256] = "";
    std::size_t size = sizeof(text);
    ::zmq_getsockopt(handle_, ZMQ_LAST_ENDPOINT, text, &size);
    return text;
  }
  // False: not now, nothing was sent.
  bool send(std::string_view bytes, int flags = 0) {
    return ::zmq_send(handle_, bytes.data(), bytes.size(), flags | ZMQ_DONTWAIT) >= 0;
  }

 private:
  void* handle_;
};

class Incoming {
 public:
  Incoming() { ::zmq_msg_init(&message_); }
  Incoming(const Incoming&) = delete;
  Incoming& operator=(const Incoming&) = delete;
  ~Incoming() { ::zmq_msg_close(&message_); }

  // False: there is none.
  bool receive(Socket& socket) {
    return ::zmq_msg_recv(&message_, socket.get(), ZMQ_DONTWAIT) >= 0;
  }
  std::string_view bytes() {
    return {static_cast<const char*>(::zmq_msg_data(&message_)), ::zmq_msg_size(&message_)};
  }
  bool more() const { return ::zmq_msg_more(&message_) != 0; }
  // Whom the gate took the sender for.
  std::string_view user() {
    const char* text = ::zmq_msg_gets(&message_, "User-Id");
    return text == nullptr ? "" : text;
  }

 private:
  zmq_msg_t message_;
};

}  // namespace vouch::net
