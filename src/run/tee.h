// What the launcher says on its standard error, read along while it goes where it always went.
//
// A process of its own copies it, so that a job that outlives vouch, or vouch's death, does not
// turn a line of somebody's error output into a SIGPIPE. It ends when the last writer is gone.

#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

namespace vouch {

class Tee {
 public:
  // Copies to standard error. nullptr: there is no room for a pipe or a process; then nothing is
  // read along.
  static std::unique_ptr<Tee> start();
  ~Tee();
  Tee(const Tee&) = delete;
  Tee& operator=(const Tee&) = delete;

  // For the launcher's descriptor 2; to be closed here once the launcher has it.
  int take_write_end();
  // Waits until all that was written so far has been copied, and returns what was kept of it: its
  // beginning and its end.
  std::string settle();

 private:
  static constexpr std::uint64_t kHead = 1 << 14, kTail = 1 << 15;
  struct Shared {
    std::atomic<std::uint32_t> busy;  // bytes were taken and are not yet passed on
    std::atomic<std::uint64_t> total;
    char head[kHead];
    char tail[kTail];  // a ring of what came behind the head
  };

  Tee() = default;
  static void copy(int from, Shared&);

  int read_end_ = -1, write_end_ = -1;
  Shared* shared_ = nullptr;
};

}  // namespace vouch
