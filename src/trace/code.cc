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
  std::array<std::byte, 81> bytes;
  std::size_t size = 0;

  void put_byte(unsigned value) { bytes[size++] = static_cast<std::byte>(value); }
  void put(std::uint64_t value) {
    put_varint(value, [this](std::uint8_t b) { put_byte(b); });
  }
  void put_signed(std::int64_t value) { put(zigzag(value)); }
  void append_to(Bytes& out) const { out.insert(out.end(), bytes.begin(), bytes.begin() + size); }
};

}  // namespace

std::string hex(std::uint64_t value) {
  char text[20];
  std::snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

void put_text(Bytes& out, std::string_view text) {
  put(out, text.size());
  const auto bytes = std::as_bytes(std::span(text));
  out.insert(out.end(), bytes.begin(), bytes.end());
}

std::uint64_t Cursor::get() {
  std::uint64_t value = 0;
  const bool whole = get_varint(value, [this](std::uint8_t& byte) {
    if (rest.empty()) return false;
    byte = std::to_integer<std::uint8_t>(rest[0]);
    rest = rest.subspan(1);
    return true;
  });
  if (whole) return value;
  spoil();
  return 0;
}

std::uint8_t Cursor::get_byte() {
  if (rest.empty()) {
    spoil();
    return 0;
  }
  const auto byte = std::to_integer<std::uint8_t>(rest[0]);
  rest = rest.subspan(1);
  return byte;
}

std::string_view Cursor::get_text() {
  const std::uint64_t length = get();
  if (length > rest.size()) {
    spoil();
    return {};
  }
  const std::string_view text{reinterpret_cast<const char*>(rest.data()), length};
  rest = rest.subspan(length);
  return text;
}

std::uint64_t Differences::words_of(const Event& event) {
  const std::size_t tails = event.blob_tails().size();
  if (tails == 0) return event.header().words;
  const ProcInfo& info = event.info();
  return (event.is_leave() ? info.leave_words : info.enter_words) + tails / 8;
}

void Differences::write(Bytes& out, int thread, const Event& event) {
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
    eight.bytes[0] = static_cast<std::byte>(changed);
    eight.append_to(out);
  }
}

bool Differences::read(Cursor& in, std::uint8_t first_byte, int& thread, wire::RecordHeader& header,
                       std::vector<std::uint64_t>& words) {
  const auto what = static_cast<What>(first_byte & 7);
  const std::uint64_t lane = in.get();
  const std::uint64_t proc = in.get();
  if (!in.good || lane >= kMaxThreads || proc > 0xffff || what > What::meta) return false;
  thread = static_cast<int>(lane);
  header.proc = static_cast<std::uint16_t>(proc);
  header.phase = static_cast<wire::Phase>(what);
  header.flags = first_byte >> 3;
  if ((header.flags & wire::kFlagBlob) != 0) return false;
  Slot& last = slot(header.proc, what);
  header.seq = seq_ + static_cast<std::uint32_t>(in.get_signed());
  const std::uint32_t near = what == What::leave ? header.seq : last.site;
  header.site = near + static_cast<std::uint32_t>(in.get_signed());
  seq_ = header.seq;
  last.site = header.site;

  const std::uint64_t count = in.get();
  // Each eight words take a byte at least: what a file can make us hold is bounded by its size.
  if (!in.good || count > kMaxRecordWords || (count + 7) / 8 > in.rest.size()) return false;
  header.words = static_cast<std::uint32_t>(count);
  words.resize(count);
  for (std::uint64_t first = 0; first < count; first += 8) {
    const unsigned changed = in.get_byte();
    for (std::uint64_t i = first; i < std::min(first + 8, count); ++i) {
      std::uint64_t word = i < kWords ? last.words[i] : 0;
      if ((changed >> (i - first) & 1) != 0) word += static_cast<std::uint64_t>(in.get_signed());
      if (i < kWords) last.words[i] = word;
      words[i] = word;
    }
    if (!in.good) return false;
  }
  return true;
}

void Differences::write_call(Bytes& out, What what, int thread, std::uint32_t seq) {
  out.push_back(static_cast<std::byte>(what));
  put(out, static_cast<std::uint64_t>(thread));
  put_signed(out, difference(seq, seq_));
}

bool Differences::read_call(Cursor& in, int& thread, std::uint32_t& seq) {
  const std::uint64_t lane = in.get();
  seq = seq_ + static_cast<std::uint32_t>(in.get_signed());
  thread = static_cast<int>(lane % kMaxThreads);
  return in.good && lane < kMaxThreads;
}

}  // namespace vouch::trace
