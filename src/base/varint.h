// Numbers as few bytes: seven bits a byte, the lowest first, the highest bit set where more follow.
// Of signed ones the sign is the lowest bit, so that small ones of either sign are short.

#pragma once

#include <cstdint>

namespace vouch {

// push(byte)
template <typename Push>
void put_varint(std::uint64_t v, Push&& push) {
  for (; v >= 0x80; v >>= 7) push(static_cast<std::uint8_t>(v | 0x80));
  push(static_cast<std::uint8_t>(v));
}

// next(byte&) is false at the end. False: there was no whole number, or one of more than 64 bits.
template <typename Next>
bool get_varint(std::uint64_t& v, Next&& next) {
  v = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    std::uint8_t b = 0;
    if (!next(b) || (shift == 63 && b > 1)) return false;
    v |= std::uint64_t{b & 0x7fu} << shift;
    if (b < 0x80) return true;
  }
  return false;
}

inline std::uint64_t zigzag(std::int64_t v) {
  return (static_cast<std::uint64_t>(v) << 1) ^ static_cast<std::uint64_t>(v >> 63);
}
inline std::int64_t unzigzag(std::uint64_t z) {
  return static_cast<std::int64_t>((z >> 1) ^ (~(z & 1) + 1));
}

}  // namespace vouch
