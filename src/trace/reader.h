// Reads a trace, item by item, from bytes that nobody vouches for.
//
// Memory is one chunk and one record, whatever the file says. What is wrong comes as one sentence
// without the file's name. A trace that a crash has cut is no error: its whole chunks are given,
// and `cut` says so.

#pragma once

#include <cstdint>
#include <istream>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "trace/code.h"

namespace vouch::trace {

struct Item {
  enum class Kind : std::uint8_t { process, record, returned, ended, lost, place, site };
  Kind kind = Kind::record;
  std::uint32_t process = 0;
  int thread = 0;
  std::uint32_t seq = 0;                // returned, lost
  Ending ending = Ending::killed;       // ended
  int pid = 0, rank_hint = -1;          // process
  std::uint32_t local = 0, number = 0;  // site: local number, number of its place; place: number
  std::string_view text{};              // place
  const wire::RecordHeader* header = nullptr;  // record, sound; until the next item
  const std::uint64_t* words = nullptr;

  Event event() const { return Event(header, words); }
};

class Reader {
 public:
  // The stream must be seekable and outlive the reader.
  explicit Reader(std::istream&);

  // True: there is one. False: that was all.
  Result<bool> next(Item&);
  // It ends without its end: "" or a phrase, "it ends in the middle of a chunk".
  const std::string& cut() const { return cut_; }
  std::uint64_t chunks() const { return chunks_; }

 private:
  Result<bool> open();
  Result<bool> next_chunk();
  bool next_in_chunk(Item&);
  bool next_record(Item&);
  bool read(void* to, std::size_t bytes);
  Error damaged(const char* what) const;

  std::istream& in_;
  std::uint64_t left_ = 0;      // bytes of the file
  std::uint64_t position_ = 0;  // of the chunk at hand
  std::uint64_t chunks_ = 0;
  std::uint32_t processes_ = 0, places_ = 0;
  bool opened_ = false, ended_ = false;
  std::string cut_;
  ChunkHeader chunk_{};
  std::string payload_;
  ByteReader in_chunk_{{}};
  Differences differences_;
  wire::RecordHeader header_{};
  std::vector<std::uint64_t> words_;
};

}  // namespace vouch::trace
