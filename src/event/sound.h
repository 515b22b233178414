// Whether a record that comes from memory or a file we do not own can be read: its words and arrays
// lie within it, its numbers name something. Whoever takes records from outside asks this first.

#pragma once

#include <array>
#include <cstdint>

#include "event/proc.h"
#include "event/wire.h"

namespace vouch {

namespace detail {

// Words that a record must have, by phase and procedure; kLookCloser: that is not all there is to
// see.
inline constexpr std::uint16_t kLookCloser = 0xffff;
using LeastWords = std::array<std::array<std::uint16_t, static_cast<std::size_t>(Proc::count_)>, 2>;
extern const LeastWords least_words;
bool sound_closer(const wire::RecordHeader&, const std::uint64_t* words, std::uint64_t blob_bytes);

}  // namespace detail

// `blob_bytes`: of the tails that came before it, for a record with kFlagBlob.
inline bool sound(const wire::RecordHeader& header, const std::uint64_t* words,
                  std::uint64_t blob_bytes) {
  static_assert(static_cast<int>(wire::Phase::enter) == 0 &&
                static_cast<int>(wire::Phase::leave) == 1);
  if (header.phase <= wire::Phase::leave &&
      header.proc < static_cast<std::uint16_t>(Proc::count_) &&
      header.words < detail::kLookCloser &&
      header.words >= detail::least_words[static_cast<std::size_t>(header.phase)][header.proc])
    return true;
  return detail::sound_closer(header, words, blob_bytes);
}

}  // namespace vouch
