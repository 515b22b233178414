#include "shim/solo/solo.h"
#include "shim/core/forked.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "record/futex.h"
#include "shim/core/runtime.h"
#include "shim/solo/solo_state.h"

namespace vouch::shim {

SoloState solo;
Real actual;

namespace {

constexpr int kMostFiles = 64;
bool threads_before = false;
std::time_t deadline = 0;
int output = -1;  // what this path prints

// Entries of a folder of /proc/self.
template <typename F>
void each_entry(const char* folder, F&& f) {
  DIR* open = ::opendir(folder);
  if (open == nullptr) return;
  while (const dirent* e = ::readdir(open))
    if (e->d_name[0] != '.' && std::atoi(e->d_name) != ::dirfd(open)) f(std::atoi(e->d_name));
  ::closedir(open);
}

int tasks() {
  int count = 0;
  each_entry("/proc/self/task", [&](int) { ++count; });
  return count;
}

bool is_regular(int fd) {
  struct stat info;
  return ::fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
}

// A file of the program that it writes: several copies of it would write the same one.
bool is_written(int fd) {
  if (!is_regular(fd) || (::fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY) return false;
  char link[64], path[512] = "";
  std::snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
  const ssize_t length = ::readlink(link, path, sizeof(path) - 1);
  path[length > 0 ? length : 0] = 0;
  for (const char* ours : {"/memfd:", "/dev/shm/", "/ompi.", " (deleted)"})
    if (std::strstr(path, ours) != nullptr) return false;
  return true;
}

struct Offsets {
  int fds[kMostFiles], count = 0;
  off_t at[kMostFiles];
  Offsets() {
    each_entry("/proc/self/fd", [&](int fd) {
      if (fd <= 2 || count == kMostFiles || !is_regular(fd)) return;
      fds[count] = fd;
      at[count++] = ::lseek(fd, 0, SEEK_CUR);
    });
  }
  void restore() const {
    for (int i = 0; i < count; ++i) ::lseek(fds[i], at[i], SEEK_SET);
  }
};

// What is printed goes to a file of its own, which begins with what came before.
void divert_output() {
  const int before = output;
  output = ::memfd_create("vouch-path", MFD_CLOEXEC);
  char part[4096];
  off_t at = 0;
  for (ssize_t got; before >= 0 && (got = ::pread(before, part, sizeof(part), at)) > 0; at += got)
    if (::write(output, part, static_cast<std::size_t>(got)) != got) break;
  ::dup2(output, 1);
  ::dup2(output, 2);
  if (before >= 0) ::close(before);
}

std::uint64_t output_hash() {
  std::fflush(nullptr);
  std::uint64_t hash = 0xcbf29ce484222325u;
  char part[4096];
  off_t at = 0;
  for (ssize_t got; (got = ::pread(output, part, sizeof(part), at)) > 0; at += got)
    for (ssize_t i = 0; i < got; ++i)
      hash = (hash ^ static_cast<unsigned char>(part[i])) * 0x100000001b3u;
  return hash;
}

bool gone() { return solo.header->why.load() != 0; }

void give_up(SoloEnd why) {
  std::uint32_t none = 0;
  solo.header->why.compare_exchange_strong(none, static_cast<std::uint32_t>(why));
}

// The path as a result: to be run with the whole job.
void report(SoloEnd end, std::uint32_t decisions) {
  SoloHeader* h = solo.header;
  const std::uint64_t needed = 2 + 2 * std::uint64_t{decisions};
  if (h->results + needed > h->result_room) return give_up(SoloEnd::limit);
  auto* to = solo_part<std::int32_t>(h, h->results_at) + h->results;
  *to++ = static_cast<std::int32_t>(end);
  *to++ = static_cast<std::int32_t>(decisions);
  std::memcpy(to, solo.path, 8 * std::size_t{decisions});
  h->results += needed;
}

// At the end of the program, before what the library has to do there.
void leaf_ends(int status, void*) {
  if (!solo.copy) return;
  SoloHeader* h = solo.header;
  const std::uint64_t hash = output_hash();
  if (!solo.finalized) solo_end(SoloEnd::differs);
  if (solo.following) {
    h->exit_status = static_cast<std::uint32_t>(status);
    h->output_hashes[h->outputs++] = hash;
    h->validated = solo.call == h->calls;
    ::_exit(0);
  }
  if (static_cast<std::uint32_t>(status) != h->exit_status) solo_end(SoloEnd::status);
  bool known = false;
  for (std::uint32_t i = 0; i < h->outputs; ++i) known |= h->output_hashes[i] == hash;
  if (!known && h->outputs < 8) {
    h->output_hashes[h->outputs++] = hash;
    solo_end(SoloEnd::output);
  }
  ++h->leaves;
  h->reported = 1;
  ::_exit(0);
}

// A copy of this process that goes on along another path. True in the copy.
bool copy_once() {
  SoloHeader* h = solo.header;
  const Offsets offsets;
  h->reported = 0;
  const pid_t pid = ::fork();
  if (pid == 0) {
    forked.store(0);
    divert_output();
    return true;
  }
  int status = 0;
  if (pid < 0) give_up(SoloEnd::limit);
  while (pid > 0 && ::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  // It did not say how it ended.
  if (pid > 0 && h->reported == 0 && !gone() && !solo.following) report(SoloEnd::died, h->path);
  h->reported = 0;  // that was its word, not ours
  offsets.restore();
  return false;
}

// In the first copy: waits until the log is whole and somebody wants to know, then tries
// everything. Returns only in copies of itself, which are to go on.
void become_copy() {
  SoloHeader* h = solo.header;
  ::setsid();
  const int nothing = ::open("/dev/null", O_RDWR);
  ::dup2(nothing, 0);
  if (nothing > 2) ::close(nothing);
  divert_output();
  bool writes = false;
  int sockets[256], count = 0;
  each_entry("/proc/self/fd", [&](int fd) {
    struct stat info;
    if (fd <= 2 || fd == output || ::fstat(fd, &info) != 0) return;
    if ((S_ISSOCK(info.st_mode) || S_ISFIFO(info.st_mode)) && count < 256) sockets[count++] = fd;
    writes |= is_written(fd);
  });
  for (int i = 0; i < count; ++i) ::close(sockets[i]);
  h->copy.store(::getpid());
  while (h->go.load() == 0) {
    futex_wait(h->go, 0, 500);
    if (::kill(h->owner, 0) != 0) ::_exit(0);
  }
  if (h->go.load() != 1) ::_exit(0);
  bool whole = !writes && h->broken == 0 && h->logged.load() != 0 && h->receives == h->messages;
  for (std::uint32_t i = 0; whole && i < h->messages; ++i) whole = solo.messages[i].type != 0;
  solo.copy = solo.copied = true;
  ::on_exit(leaf_ends, nullptr);
  solo_install();
  if (whole) {
    for (std::uint32_t i = 0; i < solo.issued; ++i) {
      SoloReceive& r = solo.receives[i];
      r.message = r.pending ? -1 : static_cast<std::int32_t>(i);
      solo.taken[i] = r.pending ? 0 : 1;
    }
    deadline = std::time(nullptr) + h->seconds;
    solo.following = true;
    if (copy_once()) return;
    solo.following = false;
    if (h->validated != 0 && copy_once()) return;
  }
  if (!whole || h->validated == 0) give_up(SoloEnd::unlike);
  h->over.store(gone() ? 2 : 1);
  futex_wake_all(h->over);
  ::_exit(0);
}

}  // namespace

void solo_end(SoloEnd end) {
  if (solo.following) ::_exit(0);
  report(end, solo.decisions);
  solo.header->reported = 1;
  ::_exit(0);
}

int solo_choose(std::int32_t event, const int* sources, int count) {
  SoloHeader* h = solo.header;
  h->steps.fetch_add(1, std::memory_order_relaxed);
  const int usual = solo.events[event].source;
  int first = 0;
  while (first < count && sources[first] != usual) ++first;
  if (solo.following) {
    if (first == count) solo_end(SoloEnd::differs);
    return first;
  }
  if (first == count) first = 0;
  const auto push = [&](int chosen) {
    solo.path[2 * solo.decisions] = event;
    solo.path[2 * solo.decisions + 1] = sources[chosen];
    h->path = ++solo.decisions;
    return chosen;
  };
  for (int other = 0; other < count; ++other) {
    if (other == first) continue;
    if (std::time(nullptr) > deadline) give_up(SoloEnd::limit);
    if (gone()) ::_exit(0);
    h->path = solo.decisions + 1;  // what a copy without a word was about to do
    solo.path[2 * solo.decisions] = event;
    solo.path[2 * solo.decisions + 1] = sources[other];
    if (copy_once()) return push(other);
  }
  if (gone()) ::_exit(0);
  return push(first);
}

void solo_open() {
  const char* path = std::getenv(kSoloVariable);
  if (path == nullptr) return;
  threads_before = tasks() != 1;
  const int fd = ::open(path, O_RDWR | O_CLOEXEC);
  struct stat info;
  if (fd < 0) return;
  if (::fstat(fd, &info) == 0 && info.st_size > static_cast<off_t>(sizeof(SoloHeader))) {
    void* at = ::mmap(nullptr, static_cast<std::size_t>(info.st_size), PROT_READ | PROT_WRITE,
                      MAP_SHARED, fd, 0);
    auto* h = static_cast<SoloHeader*>(at);
    if (at != MAP_FAILED && h->magic == kSoloMagic &&
        h->bytes == static_cast<std::uint64_t>(info.st_size))
      solo.header = h;
  }
  ::close(fd);
}

void solo_start(int rank) {
  SoloHeader* h = solo.header;
  if (h == nullptr || h->rank != rank || solo.receives != nullptr) return;
  solo.events = solo_part<SoloEvent>(h, h->events_at);
  solo.messages = solo_part<SoloMessage>(h, h->messages_at);
  solo.calls = solo_part<SoloCall>(h, h->calls_at);
  solo.path = solo_part<std::int32_t>(h, h->path_at);
  solo.log = solo_part<std::byte>(h, h->log_at);
  solo.receives =
      static_cast<SoloReceive*>(pages(sizeof(SoloReceive) * (std::uint64_t{h->messages} + 1)));
  solo.taken = static_cast<std::uint8_t*>(pages(std::uint64_t{h->messages} + 1));
  if (solo.receives == nullptr || solo.taken == nullptr) return;
  actual = real;
  solo_install();
}

bool solo_event() {
  if (solo.receives == nullptr) return false;
  solo.is_event = true;
  const std::uint32_t event = solo.met_events++;
  if (solo.copied || event != solo.header->first || threads_before ||
      process.crowd.threaded.load(std::memory_order_relaxed))
    return false;
  const pid_t pid = ::fork();
  if (pid == 0) {
    forked.store(0);
    --solo.met_events;  // the copy counts it when it makes the call
    solo.is_event = false;
    become_copy();
    return true;
  }
  // The job may be over before the copy has run at all: that there is one must be known then.
  if (pid > 0) solo.header->copy.store(pid);
  solo.copied = pid > 0;
  return false;
}

}  // namespace vouch::shim
