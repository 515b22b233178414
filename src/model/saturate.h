// Arithmetic on bounds that a program may push beyond 64 bits: it stops at the ends instead of
// wrapping.

#pragma once

#include <cstdint>

namespace vouch {

inline constexpr std::int64_t kFar = std::int64_t{1} << 62;

inline std::int64_t add(std::int64_t a, std::int64_t b) {
  std::int64_t r;
  if (!__builtin_add_overflow(a, b, &r)) return r;
  return a < 0 ? -kFar : kFar;
}
inline std::int64_t mul(std::int64_t a, std::int64_t b) {
  std::int64_t r;
  if (!__builtin_mul_overflow(a, b, &r)) return r;
  return (a < 0) != (b < 0) ? -kFar : kFar;
}

}  // namespace vouch
