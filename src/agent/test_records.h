// Hand-made records for tests and benchmarks: what a ring of a rank would hold.

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "event/event.h"

namespace vouch {

class TestRing {
 public:
  std::span<const std::byte> bytes() const { return std::as_bytes(std::span(words_)); }
  void clear() { words_.clear(); }
  bool empty() const { return words_.empty(); }
  // Takes from the front what was read.
  void consume(std::size_t bytes) {
    words_.erase(words_.begin(), words_.begin() + static_cast<std::ptrdiff_t>(bytes / 8));
  }

  void add(wire::Phase phase, std::uint16_t proc, std::uint32_t seq, std::uint32_t site,
           std::vector<std::uint64_t> words, std::uint8_t flags = 0) {
    const wire::RecordHeader header{proc, phase, flags, static_cast<std::uint32_t>(words.size()),
                                    seq,  site};
    std::uint64_t raw[2];
    std::memcpy(raw, &header, sizeof(header));
    words_.insert(words_.end(), raw, raw + 2);
    words_.insert(words_.end(), words.begin(), words.end());
  }
  // All arguments 0, but for the given ones (word, value).
  void enter(Proc proc, std::uint32_t seq, std::vector<std::pair<int, std::uint64_t>> values = {},
             std::uint8_t flags = 0) {
    std::vector<std::uint64_t> words(info(proc).enter_words);
    for (const auto& [at, value] : values) words[static_cast<std::size_t>(at)] = value;
    add(wire::Phase::enter, static_cast<std::uint16_t>(proc), seq, 0, std::move(words), flags);
  }
  void leave(Proc proc, std::uint32_t seq, std::uint32_t enter_seq, std::uint64_t error = 0) {
    std::vector<std::uint64_t> words(info(proc).leave_words);
    words[0] = error;
    add(wire::Phase::leave, static_cast<std::uint16_t>(proc), seq, enter_seq, std::move(words));
  }
  void meta(wire::Meta what, std::uint32_t seq, std::vector<std::uint64_t> words) {
    add(wire::Phase::meta, static_cast<std::uint16_t>(what), seq, 0, std::move(words));
  }
  void blob(std::uint32_t seq, std::string_view bytes) {
    std::vector<std::uint64_t> words(1 + (bytes.size() + 7) / 8);
    words[0] = bytes.size();
    std::memcpy(words.data() + 1, bytes.data(), bytes.size());
    add(wire::Phase::meta, static_cast<std::uint16_t>(wire::Meta::blob), seq, 0, std::move(words));
  }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace vouch
