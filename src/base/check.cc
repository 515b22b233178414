#include "base/check_slow.h"

#include <cstdio>
#include <cstdlib>

namespace vouch {

const bool slow_checks = std::getenv("VOUCH_SLOW_CHECKS") != nullptr;

void check_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "vouch: internal error: %s does not hold (%s:%d)\n", condition, file, line);
  std::abort();
}

}  // namespace vouch
