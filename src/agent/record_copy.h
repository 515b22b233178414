// Records of a ring as they are at one moment.
//
// A ring is memory that its rank can write to at any time, by mistake too. So its records are
// copied first, then checked and used: what was checked is what is used. A small piece at a time,
// which stays in the cache.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace vouch {

class RecordCopy {
 public:
  static constexpr std::size_t kPiece = 4096;

  // Whole records from the front of `published`: about kPiece bytes and not many more than `limit`,
  // but at least one. What is published and no whole record comes with the rest of it: it is for
  // the intake to refuse. Valid until the next call.
  std::span<const std::byte> take(std::span<const std::byte> published, std::size_t limit);

 private:
  std::span<const std::byte> first(std::size_t bytes) const {
    return std::as_bytes(std::span(words_)).first(bytes);
  }
  void copy(std::span<const std::byte> published, std::size_t from, std::size_t to);

  std::vector<std::uint64_t> words_;
};

}  // namespace vouch
