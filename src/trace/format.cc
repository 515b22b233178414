#include "trace/format.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "base/hash.h"
#include "event/proc.h"
#include "event/wire.h"

namespace vouch::trace {
namespace {

// A file is long: a checksum takes one multiplication per word, where mix() takes three.
constexpr std::uint64_t add_to(std::uint64_t sum, std::uint64_t word) {
  sum = (sum ^ word) * kGolden;
  return sum ^ (sum >> 29);
}

std::uint64_t of_text(std::string_view text, std::uint64_t seed) {
  return checksum(std::as_bytes(std::span(text)), seed);
}

}  // namespace

std::uint64_t checksum(std::span<const std::byte> bytes, std::uint64_t seed) {
  std::uint64_t sum = add_to(seed, bytes.size());
  while (!bytes.empty()) {
    std::uint64_t word = 0;
    const std::size_t part = std::min(bytes.size(), sizeof(word));
    std::memcpy(&word, bytes.data(), part);
    sum = add_to(sum, word);
    bytes = bytes.subspan(part);
  }
  return sum;
}

std::uint64_t checksum(const ChunkHeader& header, std::uint64_t number,
                       std::span<const std::byte> payload) {
  ChunkHeader bare = header;
  bare.checksum = 0;
  return checksum(payload, checksum(std::as_bytes(std::span(&bare, 1)), number));
}

std::uint64_t tables_digest() {
  static const std::uint64_t digest = [] {
    std::uint64_t sum = 0;
    for (int p = 1; p < static_cast<int>(Proc::count_); ++p) {
      const ProcInfo& proc = info(static_cast<Proc>(p));
      sum = add_to(of_text(proc.name, sum), proc.enter_words * 256u + proc.leave_words);
    }
    for (int c = 1; c < static_cast<int>(Constant::count_); ++c)
      sum = of_text(info(static_cast<Constant>(c)).name, sum);
    return sum;
  }();
  return digest;
}

FileHeader file_header() {
  FileHeader header{};
  std::copy(std::begin(kMagic), std::end(kMagic), header.magic);
  header.version = kVersion;
  header.wire_version = wire::kWireVersion;
  header.tables = tables_digest();
  header.checksum = checksum(std::as_bytes(std::span(&header, 1)).first(24), kVersion);
  return header;
}

}  // namespace vouch::trace
