#include "agent/record_copy.h"

#include <algorithm>
#include <cstring>

#include "event/wire.h"

namespace vouch {
namespace {

constexpr std::size_t kHeader = sizeof(wire::RecordHeader);

}  // namespace

void RecordCopy::copy(std::span<const std::byte> published, std::size_t from, std::size_t to) {
  if (words_.size() * 8 < to) words_.resize((to + 7) / 8);
  std::memcpy(reinterpret_cast<std::byte*>(words_.data()) + from, published.data() + from,
              to - from);
}

std::span<const std::byte> RecordCopy::take(std::span<const std::byte> published,
                                            std::size_t limit) {
  if (words_.size() * 8 > 64 * kPiece) words_ = {};  // one long record does not keep its memory
  const std::size_t piece = std::min(published.size(), std::max(std::min(limit, kPiece), kHeader));
  copy(published, 0, piece);
  const auto size_at = [&](std::size_t at) {
    wire::RecordHeader header;
    std::memcpy(&header, words_.data() + at / 8, sizeof(header));
    return kHeader + std::size_t{header.words} * 8;
  };
  std::size_t whole = 0;
  while (piece - whole >= kHeader && size_at(whole) <= piece - whole) whole += size_at(whole);
  if (whole > 0 && piece < published.size()) return first(whole);
  if (whole > 0 || piece == published.size() || size_at(0) > published.size()) return first(piece);
  const std::size_t size = size_at(0);
  copy(published, piece, size);
  return first(size);
}

}  // namespace vouch
