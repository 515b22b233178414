#include "trace/code.h"

#include <algorithm>
#include <cstdio>

namespace vouch::trace {
namespace {

std::int64_t difference(std::uint32_t to, std::uint32_t from) {
  return static_cast<std::int32_t>(to - from);
}

// A few numbers, put together before they go to a buffer that may have to grow: a byte and eight
// numbers of ten bytes are the most.
struct Piece {
  std::array<char, 81> bytes;
  std::size_t size = 0;

  void put_byte(unsigned value) { bytes[size++] = static_cast<char>(value); }
  void put(std::uint64_t value) {
    put_varint(value, [this](std::uint8_t b) { put_byte(b); });
  }
  void put_signed(std::int64_t value) { put(zigzag(value)); }
  void append_to(std::string& out) const { out.append(bytes.data(), size); }
};

}  // namespace

std::string hex(std::uint64_t value) {
  char text[20];
  std::snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::uint64_t Differences::words_of(const Event& event) {
  const std::size_t tails = event.blob_tails().size();
  if (tails == 0) return event.header().words;
  const ProcInfo& info = event.info();
  return (event.is_leave() ? info.leave_words : info.enter_words) + tails / 8;
}

void Differences::write(std::string& out, int thread, const Event& event) {
  const wire::RecordHeader& header = event.header();
  const auto what = static_cast<What>(header.phase);
  const auto flags = static_cast<std::uint8_t>(header.flags & ~wire::kFlagBlob);
  Slot& last = slot(header.proc, what);
  Piece head;
  head.put_byte(static_cast<unsigned>(what) | (flags << 3));
  head.put(static_cast<std::uint64_t>(thread));
  head.put(header.proc);
  head.put_signed(difference(header.seq, seq_));
  // Of a leave record it is the number of the call, just before.
  const std::uint32_t near = what == What::leave ? header.seq : last.site;
  head.put_signed(difference(header.site, near));
  seq_ = header.seq;
  last.site = header.site;

  const std::uint64_t count = words_of(event);
  head.put(count);
  head.append_to(out);
  const std::span<const std::byte> tails = event.blob_tails();
  const std::uint64_t fixed = count - tails.size() / 8;
  const auto word = [&](std::uint64_t i) {
    if (i < fixed) return event.words()[i];
    std::uint64_t w;
    std::memcpy(&w, tails.data() + (i - fixed) * 8, 8);
    return w;
  };
  for (std::uint64_t first = 0; first < count; first += 8) {
    Piece eight;
    eight.put_byte(0);
    unsigned changed = 0;
    for (std::uint64_t i = first; i < std::min(first + 8, count); ++i) {
      const std::uint64_t now = word(i);
      const std::uint64_t before = i < kWords ? last.words[i] : 0;
      if (now == before) continue;
      if (i < kWords) last.words[i] = now;
      changed |= 1u << (i - first);
      eight.put_signed(static_cast<std::int64_t>(now - before));
    }
    eight.bytes[0] = static_cast<char>(changed);
    eight.append_to(out);
  }
}

bool Differences::read(ByteReader& in, std::uint8_t first_byte, int& thread,
                       wire::RecordHeader& header, std::vector<std::uint64_t>& words) {
  const auto what = static_cast<What>(first_byte & 7);
  const std::uint64_t lane = in.number();
  const std::uint64_t proc = in.number();
  if (!in.ok() || lane >= kMaxThreads || proc > 0xffff || what > What::meta) return false;
  thread = static_cast<int>(lane);
  header.proc = static_cast<std::uint16_t>(proc);
  header.phase = static_cast<wire::Phase>(what);
  header.flags = first_byte >> 3;
  if ((header.flags & wire::kFlagBlob) != 0) return false;
  Slot& last = slot(header.proc, what);
  header.seq = seq_ + static_cast<std::uint32_t>(in.integer());
  const std::uint32_t near = what == What::leave ? header.seq : last.site;
  header.site = near + static_cast<std::uint32_t>(in.integer());
  seq_ = header.seq;
  last.site = header.site;

  const std::uint64_t count = in.number();
  // Each eight words take a byte at least: what a file can make us hold is bounded by its size.
  if (!in.ok() || count > kMaxRecordWords || (count + 7) / 8 > in.left()) return false;
  header.words = static_cast<std::uint32_t>(count);
  words.resize(count);
  for (std::uint64_t first = 0; first < count; first += 8) {
    const unsigned changed = in.byte();
    for (std::uint64_t i = first; i < std::min(first + 8, count); ++i) {
      std::uint64_t word = i < kWords ? last.words[i] : 0;
      if ((changed >> (i - first) & 1) != 0) word += static_cast<std::uint64_t>(in.integer());
      if (i < kWords) last.words[i] = word;
      words[i] = word;
    }
    if (!in.ok()) return false;
  }
  return true;
}

void Differences::write_call(std::string& out, What what, int thread, std::uint32_t seq) {
  ByteWriter to(out);
  to.byte(static_cast<std::uint8_t>(what));
  to.number(static_cast<std::uint64_t>(thread));
  to.integer(difference(seq, seq_));
}

bool Differences::read_call(ByteReader& in, int& thread, std::uint32_t& seq) {
  const std::uint64_t lane = in.number();
  seq = seq_ + static_cast<std::uint32_t>(in.integer());
  thread = static_cast<int>(lane % kMaxThreads);
  return in.ok() && lane < kMaxThreads;
}

}  // namespace vouch::trace
