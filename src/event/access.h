// Loads and stores of the program: the words of Meta::access, packed and unpacked.
//
// A record is a pattern that one instruction made: `rows` rows, each of `count` elements of `bytes`
// bytes, one element every `step` bytes, one row every `stride` bytes. Short forms leave out what
// is 1: three words are one run of bytes, five are elements with a step, seven have rows.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "event/wire.h"

namespace vouch {

inline constexpr std::string_view kAccessNames[wire::kAccessKinds] = {
    "load", "store", "atomic_load", "atomic_store", "atomic_update"};
constexpr std::string_view name(wire::AccessKind kind) {
  return kAccessNames[static_cast<std::size_t>(kind)];
}
constexpr std::optional<wire::AccessKind> access_kind_named(std::string_view name) {
  for (std::size_t k = 0; k < wire::kAccessKinds; ++k)
    if (kAccessNames[k] == name) return static_cast<wire::AccessKind>(k);
  return std::nullopt;
}

struct AccessPattern {
  std::uint32_t site = 0;
  wire::AccessKind kind = wire::AccessKind::read;
  std::uint64_t address = 0;  // of the lowest element
  std::uint64_t bytes = 0;    // of an element
  std::uint64_t step = 0, count = 1;
  std::uint64_t stride = 0, rows = 1;

  bool operator==(const AccessPattern&) const = default;
};

// More than this is no pattern of a program: the reader refuses it.
inline constexpr std::uint64_t kMostAccessBytes = std::uint64_t{1} << 48;
inline constexpr std::uint32_t kMostAccessWords = 7;

// The bounds of its elements; it need not be normal.
struct AccessHull {
  std::uint64_t low = 0, high = 0;
};
inline AccessHull hull_of(const AccessPattern& a) {
  AccessHull hull{a.address, a.address + a.bytes};
  const auto reach = [&hull](std::uint64_t far) {
    if (static_cast<std::int64_t>(far) < 0)
      hull.low += far;
    else
      hull.high += far;
  };
  reach(a.step * (a.count - 1));
  reach(a.stride * (a.rows - 1));
  return hull;
}

// Steps are positive, elements that touch are one, and rows that touch are one.
inline AccessPattern normal(AccessPattern a) {
  const auto upward = [&a](std::uint64_t& step, std::uint64_t count) {
    if (count < 2 || static_cast<std::int64_t>(step) >= 0) return;
    a.address += step * (count - 1);
    step = ~step + 1;
  };
  upward(a.step, a.count);
  upward(a.stride, a.rows);
  if (a.count > 1 && a.step <= a.bytes) {
    a.bytes += a.step * (a.count - 1);
    a.count = 1;
  }
  if (a.count == 1 && a.rows > 1) {
    a.step = a.stride;
    a.count = a.rows;
    a.rows = 1;
    if (a.step <= a.bytes) {
      a.bytes += a.step * (a.count - 1);
      a.count = 1;
    }
  }
  if (a.count == 1) a.step = 0;
  if (a.rows == 1) a.stride = 0;
  return a;
}

// Of a normal pattern; returns how many words.
inline std::uint32_t pack(const AccessPattern& a, std::uint64_t (&w)[kMostAccessWords]) {
  w[0] = a.site | static_cast<std::uint64_t>(a.kind) << 32;
  w[1] = a.address;
  w[2] = a.bytes;
  w[3] = a.step;
  w[4] = a.count;
  w[5] = a.stride;
  w[6] = a.rows;
  return a.rows > 1 ? 7 : a.count > 1 ? 5 : 3;
}

// False: no program makes such accesses.
inline bool unpack(const std::uint64_t* w, std::uint64_t words, AccessPattern& a) {
  if (words != 3 && words != 5 && words != 7) return false;
  a = {};
  if (w[0] >> 32 >= wire::kAccessKinds) return false;
  a.site = static_cast<std::uint32_t>(w[0]);
  a.kind = static_cast<wire::AccessKind>(w[0] >> 32);
  a.address = w[1];
  a.bytes = w[2];
  if (words >= 5) {
    a.step = w[3];
    a.count = w[4];
  }
  if (words == 7) {
    a.stride = w[5];
    a.rows = w[6];
  }
  if (a.bytes == 0 || a.count == 0 || a.rows == 0) return false;
  for (const std::uint64_t part : {a.bytes, a.step, a.count, a.stride, a.rows})
    if (part >= kMostAccessBytes) return false;
  const auto wide = [](std::uint64_t x) { return static_cast<unsigned __int128>(x); };
  const unsigned __int128 end =
      wide(a.address) + a.bytes + wide(a.step) * (a.count - 1) + wide(a.stride) * (a.rows - 1);
  return end < wide(1) << 64;
}

}  // namespace vouch
