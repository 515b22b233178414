// A whole trace in memory, in the form that text has as well (event/text.h): everything that works
// on text works on it.
//
// Site numbers of the records become numbers of places; calls whose return left no record get the
// return that the ring, or the thread's next call, told.

#pragma once

#include <istream>
#include <string>
#include <vector>

#include "base/result.h"
#include "event/text.h"

namespace vouch::trace {

struct Loaded {
  TextTrace trace{};
  std::string cut{};         // "" or why it is not all: "it has no end …"
  std::uint64_t lost = 0;    // records that were too large to be kept
  std::vector<int> ranks{};  // of the processes; those of spawned worlds are numbered on
};

inline constexpr std::uint64_t kMostWords = std::uint64_t{1} << 26;  // 512 MiB

// Fails with one sentence without the file's name.
Result<Loaded> load(std::istream&, std::uint64_t most_words = kMostWords);
// With the file's name.
Result<Loaded> load_file(const std::string& path);
// The file begins like a trace of vouch.
bool is_trace(const std::string& path);

}  // namespace vouch::trace
