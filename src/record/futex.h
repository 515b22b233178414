// Sleeping on a word that two processes share. Never the private kind of futex: writer and reader
// have different address spaces.

#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <ctime>

namespace vouch {

// Returns when woken, when `word` is not `seen`, after `milliseconds`, or for no reason: the caller
// looks again.
inline void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t seen, int milliseconds) {
  timespec limit{milliseconds / 1000, (milliseconds % 1000) * 1'000'000L};
  ::syscall(SYS_futex, &word, FUTEX_WAIT, seen, &limit, nullptr, 0);
}

inline void futex_wake_all(std::atomic<std::uint32_t>& word) {
  ::syscall(SYS_futex, &word, FUTEX_WAKE, INT32_MAX, nullptr, nullptr, 0);
}

}  // namespace vouch
