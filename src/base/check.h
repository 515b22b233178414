// What must be true of ourselves. Stays on in release.
//
// A failed check in the agent or the command line ends that process with a clear line; the
// application is another process and goes on. The shim has its own way: it detaches (src/shim).

#pragma once

namespace vouch {

[[noreturn]] void check_failed(const char* condition, const char* file, int line);

}  // namespace vouch

#define VOUCH_CHECK(condition) \
  ((condition) ? static_cast<void>(0) : ::vouch::check_failed(#condition, __FILE__, __LINE__))
