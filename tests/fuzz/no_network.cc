// ZeroMQ without its threads and sockets, in its place in vouch_fuzz.
//
// The target `mesh` hands frames to Mesh::take. Real sockets, two dozen for each input, would only
// cost: here nothing arrives, and what is sent is gone. A socket takes a few frames, then none for
// once, so that frames wait in front of links, too.

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <zmq.h>

namespace {

struct Sink {
  unsigned asked = 0;
};

constexpr std::size_t kKeyBytes = 32, kKeyText = 40;
unsigned keys = 0;

void write_key(char* text) {
  std::fill_n(text, kKeyText, 'k');
  text[kKeyText] = '\0';
  const unsigned number = ++keys;
  std::memcpy(text, &number, sizeof(number));
}

int again() {
  errno = EAGAIN;
  return -1;
}

}  // namespace

extern "C" {

void* zmq_ctx_new() { return new Sink; }
int zmq_ctx_set(void*, int, int) { return 0; }
int zmq_ctx_term(void* context) {
  delete static_cast<Sink*>(context);
  return 0;
}
int zmq_errno() { return errno; }
const char* zmq_strerror(int number) { return std::strerror(number); }

void* zmq_socket(void*, int) { return new Sink; }
int zmq_close(void* socket) {
  delete static_cast<Sink*>(socket);
  return 0;
}
int zmq_setsockopt(void*, int, const void*, size_t) { return 0; }
int zmq_getsockopt(void* socket, int option, void* value, size_t* size) {
  if (option == ZMQ_LAST_ENDPOINT) {
    constexpr char kSomewhere[] = "tcp://127.0.0.1:1";
    if (*size < sizeof(kSomewhere)) return -1;
    std::memcpy(value, kSomewhere, sizeof(kSomewhere));
    return 0;
  }
  if (*size != sizeof(int)) return -1;
  const int events = ++static_cast<Sink*>(socket)->asked % 6 == 0 ? 0 : ZMQ_POLLOUT;
  const int result = option == ZMQ_EVENTS ? events : -1;
  std::memcpy(value, &result, sizeof(result));
  return 0;
}
int zmq_bind(void*, const char*) { return 0; }
int zmq_unbind(void*, const char*) { return 0; }
int zmq_connect(void*, const char*) { return 0; }
int zmq_socket_monitor(void*, const char*, int) { return 0; }
int zmq_send(void*, const void*, size_t size, int) { return static_cast<int>(size); }
int zmq_poll(zmq_pollitem_t*, int, long) { return 0; }

int zmq_msg_init(zmq_msg_t* message) {
  *message = {};
  return 0;
}
int zmq_msg_recv(zmq_msg_t*, void*, int) { return again(); }
int zmq_msg_close(zmq_msg_t*) { return 0; }
void* zmq_msg_data(zmq_msg_t* message) { return message; }
size_t zmq_msg_size(const zmq_msg_t*) { return 0; }
int zmq_msg_more(const zmq_msg_t*) { return 0; }
const char* zmq_msg_gets(const zmq_msg_t*, const char*) { return nullptr; }

int zmq_curve_keypair(char* open, char* secret) {
  write_key(open);
  write_key(secret);
  return 0;
}
int zmq_curve_public(char* open, const char*) {
  write_key(open);
  return 0;
}
char* zmq_z85_encode(char* text, const uint8_t*, size_t) {
  write_key(text);
  return text;
}
uint8_t* zmq_z85_decode(uint8_t* bytes, const char* text) {
  std::memcpy(bytes, text, kKeyBytes);
  return bytes;
}

}  // extern "C"
