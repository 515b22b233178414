// The contract for scripts: how vouch ends.

#pragma once

#include <string>

namespace vouch {

inline constexpr int kExitError = 60, kExitInconclusive = 61, kExitUsage = 64, kExitInternal = 70;

// Why something is not done: one sentence, and the exit status that says so. 0: it is done.
struct Refusal {
  int status = 0;
  std::string why{};
  explicit operator bool() const { return status != 0; }
};

}  // namespace vouch
