#include "run/tee.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <new>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace vouch {
namespace {

void write_all(int fd, const char* bytes, std::size_t count) {
  while (count > 0) {
    const ssize_t put = ::write(fd, bytes, count);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0 && errno == EAGAIN) {
      pollfd wait{fd, POLLOUT, 0};
      ::poll(&wait, 1, 1000);
      continue;
    }
    if (put <= 0) return;  // nobody reads it: the job need not know
    bytes += put;
    count -= static_cast<std::size_t>(put);
  }
}

}  // namespace

std::unique_ptr<Tee> Tee::start() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return nullptr;
  void* at =
      ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  const pid_t child = at != MAP_FAILED ? ::fork() : -1;
  if (child == 0) {
    ::prctl(PR_SET_NAME, "vouch-tee");
    sigset_t all;
    ::sigfillset(&all);
    ::sigprocmask(SIG_SETMASK, &all, nullptr);  // what the terminal sends is not for us
    ::dup2(ends[0], 0);
    const int nothing = ::open("/dev/null", O_WRONLY);
    ::dup2(nothing, 1);
    ::close_range(3, ~0U, 0);
    copy(0, *new (at) Shared{});
    ::_exit(0);
  }
  if (child < 0) {
    if (at != MAP_FAILED) ::munmap(at, sizeof(Shared));
    ::close(ends[0]);
    ::close(ends[1]);
    return nullptr;
  }
  std::unique_ptr<Tee> tee(new Tee);
  tee->read_end_ = ends[0];
  tee->write_end_ = ends[1];
  tee->shared_ = static_cast<Shared*>(at);
  return tee;
}

Tee::~Tee() {
  for (const int fd : {read_end_, write_end_}) {
    if (fd >= 0) ::close(fd);
  }
  ::munmap(shared_, sizeof(Shared));
}

int Tee::take_write_end() { return std::exchange(write_end_, -1); }

void Tee::copy(int from, Shared& shared) {
  char buffer[8192];
  for (;;) {
    pollfd wait{from, POLLIN, 0};
    if (::poll(&wait, 1, -1) < 0) continue;
    shared.busy.store(1);
    const ssize_t got = ::read(from, buffer, sizeof(buffer));
    if (got <= 0 && errno != EINTR) break;
    write_all(2, buffer, got > 0 ? static_cast<std::size_t>(got) : 0);
    std::uint64_t total = shared.total.load();
    for (ssize_t i = 0; i < got; ++i, ++total) {
      if (total < kHead) {
        shared.head[total] = buffer[i];
      } else {
        shared.tail[(total - kHead) % kTail] = buffer[i];
      }
    }
    shared.total.store(total);
    shared.busy.store(0);
  }
  shared.busy.store(0);
}

std::string Tee::settle() {
  constexpr int kLongest = 2000;  // milliseconds: somebody may go on writing
  for (int waited = 0; waited < kLongest; ++waited) {
    // Bytes leave the pipe only while the copier is busy, so this order misses none.
    int pending = 0;
    if (::ioctl(read_end_, FIONREAD, &pending) != 0) break;
    if (pending == 0 && shared_->busy.load() == 0) break;
    ::poll(nullptr, 0, 1);
  }
  const std::uint64_t total = shared_->total.load();
  std::string text(shared_->head, std::min(total, kHead));
  if (total <= kHead) return text;
  const std::uint64_t behind = total - kHead, kept = std::min(behind, kTail);
  if (behind > kTail) text += '\n';
  for (std::uint64_t i = behind - kept; i < behind; ++i) text += shared_->tail[i % kTail];
  return text;
}

}  // namespace vouch
