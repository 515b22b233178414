#include "record/ring_map.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace vouch {

namespace {

constexpr std::uint64_t kPage = 4096;

// Memory counts as a file: above ulimit -f a signal would end the program.
std::uint64_t size_limit() {
  rlimit limit{};
  return ::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY
             ? limit.rlim_cur
             : ~std::uint64_t{0};
}

int make_memory(const char* name, std::uint64_t bytes) {
  if (bytes > size_limit()) {
    errno = EFBIG;
    return -1;
  }
  const int fd = ::memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0) return -1;
  // Sealed against shrinking: a reader that trusts the size must not be killed by SIGBUS.
  if (::ftruncate(fd, static_cast<off_t>(bytes)) != 0 ||
      ::fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) != 0) {
    ::close(fd);
    return -1;
  }
  return fd;
}

bool has_size(int fd, std::uint64_t bytes) {
  struct stat info;
  const int seals = ::fcntl(fd, F_GET_SEALS);
  return ::fstat(fd, &info) == 0 && static_cast<std::uint64_t>(info.st_size) >= bytes &&
         seals >= 0 && (seals & F_SEAL_SHRINK) != 0;
}

}  // namespace

std::uint64_t fitting_ring_bytes(std::uint64_t bytes) {
  const std::uint64_t limit = size_limit();
  while (bytes > kPage && kRingHeaderBytes + bytes > limit) bytes /= 2;
  return bytes;
}

int make_ring_memory(std::uint64_t bytes) {
  return make_memory("vouch-ring", kRingHeaderBytes + bytes);
}

RingMap map_ring(int fd, std::uint64_t bytes) {
  if (bytes < kPage || (bytes & (bytes - 1)) != 0 || bytes > (std::uint64_t{1} << 32)) return {};
  if (!has_size(fd, kRingHeaderBytes + bytes)) return {};
  // Reserve the whole range first, then lay both views over it, so that nothing else can slip in
  // between.
  const std::uint64_t whole = kRingHeaderBytes + 2 * bytes;
  void* base =
      ::mmap(nullptr, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED) return {};
  auto* at = static_cast<std::byte*>(base);
  const int prot = PROT_READ | PROT_WRITE;
  void* first = ::mmap(at, kRingHeaderBytes + bytes, prot, MAP_SHARED | MAP_FIXED, fd, 0);
  void* second = ::mmap(at + kRingHeaderBytes + bytes, bytes, prot, MAP_SHARED | MAP_FIXED, fd,
                        kRingHeaderBytes);
  if (first == MAP_FAILED || second == MAP_FAILED) {
    ::munmap(base, whole);
    return {};
  }
  return {reinterpret_cast<RingHeader*>(at), at + kRingHeaderBytes, bytes};
}

void unmap_ring(RingMap& map) {
  if (!map) return;
  ::munmap(map.header, kRingHeaderBytes + 2 * map.bytes);
  map = {};
}

int make_bell_memory(std::uint64_t plan_bytes) {
  return make_memory("vouch-bell", kPage + plan_bytes);
}

Bell* map_bell(int fd) {
  if (!has_size(fd, kPage)) return nullptr;
  void* at = ::mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  return at == MAP_FAILED ? nullptr : static_cast<Bell*>(at);
}

std::byte* map_plan(int fd, std::uint64_t bytes, bool write) {
  if (bytes == 0 || !has_size(fd, kPage + bytes)) return nullptr;
  void* at = ::mmap(nullptr, bytes, PROT_READ | (write ? PROT_WRITE : 0), MAP_SHARED, fd, kPage);
  return at == MAP_FAILED ? nullptr : static_cast<std::byte*>(at);
}

}  // namespace vouch
