// Numbers and strings as bytes, and back.
//
// What comes from another process is not believed: a reader never leaves its bytes, and after the
// first thing that does not fit everything reads as zero and ok() is false. So a decoder reads all
// it wants and asks once at the end.

#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "base/varint.h"

namespace vouch {

class ByteWriter {
 public:
  explicit ByteWriter(std::string& out) : out_(out) {}

  void byte(std::uint8_t v) { out_.push_back(static_cast<char>(v)); }
  void flag(bool v) { byte(v ? 1 : 0); }
  void number(std::uint64_t v) {
    put_varint(v, [this](std::uint8_t b) { byte(b); });
  }
  void integer(std::int64_t v) { number(zigzag(v)); }
  void string(std::string_view v) {
    number(v.size());
    out_.append(v);
  }
  void raw(std::string_view v) { out_.append(v); }

 private:
  std::string& out_;
};

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  bool ok() const { return ok_; }
  bool done() const { return ok_ && rest_.empty(); }
  std::size_t left() const { return rest_.size(); }
  void fail() {
    ok_ = false;
    rest_ = {};
  }

  std::uint8_t byte() {
    if (rest_.empty()) {
      fail();
      return 0;
    }
    const auto v = static_cast<std::uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    return v;
  }
  bool flag() { return byte_below(2) == 1; }
  // An enumerator, or a count of few.
  std::uint8_t byte_below(std::uint8_t bound) {
    const std::uint8_t v = byte();
    if (v < bound) return v;
    fail();
    return 0;
  }
  std::uint64_t number() {
    std::uint64_t v = 0;
    const bool whole = get_varint(v, [this](std::uint8_t& b) {
      b = byte();
      return ok_;
    });
    if (whole) return v;
    fail();
    return 0;
  }
  template <typename T = std::int64_t>
  T integer() {
    const std::int64_t v = unzigzag(number());
    if (v < std::int64_t{std::numeric_limits<T>::min()} ||
        v > std::int64_t{std::numeric_limits<T>::max()}) {
      fail();
      return 0;
    }
    return static_cast<T>(v);
  }
  std::string_view string() { return raw(number()); }
  std::string_view raw(std::uint64_t size) {
    if (size > rest_.size()) {
      fail();
      return {};
    }
    const std::string_view v = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return v;
  }
  // How many things follow. Each takes at least `least` bytes: memory for more is never asked for.
  std::size_t count(std::size_t least = 1) {
    const std::uint64_t n = number();
    if (n <= rest_.size() / least) return static_cast<std::size_t>(n);
    fail();
    return 0;
  }

 private:
  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace vouch
