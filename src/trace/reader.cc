#include "trace/reader.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "event/sound.h"

namespace vouch::trace {

Reader::Reader(std::istream& in) : in_(in) {
  in_.seekg(0, std::ios::end);
  const auto size = in_.tellg();
  in_.seekg(0);
  left_ = size > 0 ? static_cast<std::uint64_t>(size) : 0;
}

bool Reader::read(void* to, std::size_t bytes) {
  if (bytes > left_ || !in_.read(static_cast<char*>(to), static_cast<std::streamsize>(bytes)))
    return false;
  left_ -= bytes;
  return true;
}

Error Reader::damaged(const char* what) const {
  return Error{"the trace is damaged at byte " + std::to_string(position_) + ": " + what};
}

Result<bool> Reader::open() {
  opened_ = true;
  if (!in_) return Error{"it cannot be read"};
  if (left_ == 0) return Error{"it is empty"};
  const bool room = left_ >= sizeof(FileHeader);
  FileHeader header{};
  if (!read(&header, room ? sizeof(header) : std::min(left_, sizeof(header.magic))) ||
      std::memcmp(header.magic, kMagic, sizeof(kMagic)) != 0)
    return Error{"it is no trace of vouch"};
  if (!room) return Error{"it ends before anything was recorded"};
  if (header.version != kVersion)
    return Error{"it is a trace of version " + std::to_string(header.version) +
                 ", this vouch reads version " + std::to_string(kVersion)};
  const FileHeader ours = file_header();
  if (header.wire_version != ours.wire_version || header.tables != ours.tables)
    return Error{"it was written by another vouch, whose records this one cannot read"};
  if (header.checksum != ours.checksum) return damaged("its header does not fit its checksum");
  return true;
}

Result<bool> Reader::next_chunk() {
  position_ = static_cast<std::uint64_t>(in_.tellg());
  if (left_ == 0) {
    cut_ = "it has no end: the run, or vouch, was cut short";
    return false;
  }
  if (left_ < sizeof(chunk_)) {
    cut_ = "it ends in the middle of a chunk: the run, or vouch, was cut short";
    return false;
  }
  if (!read(&chunk_, sizeof(chunk_))) return Error{"it cannot be read"};
  if (chunk_.magic != kChunkMagic) return damaged("no chunk begins there");
  if (chunk_.bytes > kMaxChunkBytes) return damaged("a chunk is too long");
  if (chunk_.bytes > left_) {
    cut_ = "it ends in the middle of a chunk: the run, or vouch, was cut short";
    return false;
  }
  payload_.resize(chunk_.bytes);
  if (!read(payload_.data(), payload_.size())) return Error{"it cannot be read"};
  if (checksum(chunk_, chunks_, std::as_bytes(std::span(payload_))) != chunk_.checksum)
    return damaged("a chunk does not fit its checksum");
  ++chunks_;
  const bool first = chunk_.kind == ChunkKind::process;
  if (first ? chunk_.process != processes_ || processes_ >= kMaxProcesses
            : chunk_.process >= processes_ && chunk_.kind != ChunkKind::places &&
                  chunk_.kind != ChunkKind::end)
    return damaged("a chunk belongs to no process");
  in_chunk_ = ByteReader(payload_);
  differences_.reset();
  if (chunk_.kind == ChunkKind::end) {
    ended_ = true;
    if (left_ > 0) return damaged("something follows its end");
    return false;
  }
  if (chunk_.kind < ChunkKind::process || chunk_.kind > ChunkKind::end)
    return damaged("a chunk is of no known kind");
  return true;
}

bool Reader::next_record(Item& item) {
  const std::uint8_t first = in_chunk_.byte();
  switch (static_cast<What>(first & 7)) {
    case What::enter:
    case What::leave:
    case What::meta:
      item.kind = Item::Kind::record;
      if (!differences_.read(in_chunk_, first, item.thread, header_, words_) ||
          !sound(header_, words_.data()))
        return false;
      item.header = &header_;
      item.words = words_.data();
      return true;
    case What::returned:
    case What::lost:
      item.kind =
          static_cast<What>(first & 7) == What::lost ? Item::Kind::lost : Item::Kind::returned;
      return differences_.read_call(in_chunk_, item.thread, item.seq);
    case What::ended: {
      item.kind = Item::Kind::ended;
      const std::uint64_t how = in_chunk_.number();
      item.ending = static_cast<Ending>(how & 3);
      return in_chunk_.ok() && how <= static_cast<std::uint64_t>(Ending::detached);
    }
  }
  return false;
}

bool Reader::next_in_chunk(Item& item) {
  item.process = chunk_.process;
  switch (chunk_.kind) {
    case ChunkKind::process:
      item.kind = Item::Kind::process;
      item.pid = static_cast<int>(in_chunk_.integer());
      item.rank_hint = static_cast<int>(in_chunk_.integer());
      ++processes_;
      return in_chunk_.done();
    case ChunkKind::records:
      return next_record(item);
    case ChunkKind::places:
      item.kind = Item::Kind::place;
      item.text = in_chunk_.string();
      item.number = ++places_;
      return in_chunk_.ok();
    case ChunkKind::sites: {
      item.kind = Item::Kind::site;
      const std::uint64_t local = in_chunk_.number(), number = in_chunk_.number();
      constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
      item.local = static_cast<std::uint32_t>(local);
      item.number = static_cast<std::uint32_t>(number);
      return in_chunk_.ok() && local <= kMost && number <= kMost;
    }
    case ChunkKind::none:
    case ChunkKind::end:
      break;
  }
  return false;
}

Result<bool> Reader::next(Item& item) {
  if (!opened_) {
    if (const Result<bool> good = open(); !good.ok()) return good;
  }
  while (in_chunk_.left() == 0) {
    if (ended_ || !cut_.empty()) return false;
    const Result<bool> more = next_chunk();
    if (!more.ok() || !*Result<bool>(more)) return more;
    if (chunk_.kind == ChunkKind::process && payload_.empty()) return damaged("a chunk is empty");
  }
  if (!next_in_chunk(item)) return damaged("a record is malformed");
  return true;
}

}  // namespace vouch::trace
