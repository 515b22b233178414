// Hashes of numbers and words. Good enough to find things and to tell unlike ones apart; none keeps
// a secret (record/node_name.cc has one that does).
//
// Agents exchange mix() and hash_of() of the same things, and files keep them: neither may differ
// between two machines, and a change of one raises the version of what holds it.

#pragma once

#include <cstdint>
#include <string_view>

namespace vouch {

inline constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15u;  // 2^64 / the golden ratio

// Of keys of a table: two operations, and the low bits depend on all.
constexpr std::uint64_t scatter(std::uint64_t x) {
  x *= kGolden;
  return x ^ (x >> 32);
}

// Of two in this order. Two hashes that are equal count as the same thing: 64 good bits.
constexpr std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = a * kGolden + b + 0x632be59bd9b4e019u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// FNV-1a.
constexpr std::uint64_t hash_of(std::string_view text) {
  std::uint64_t h = 0xcbf29ce484222325u;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return h;
}

}  // namespace vouch
