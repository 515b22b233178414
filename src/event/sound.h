// Whether a record that comes from memory or a file we do not own can be read: its words and arrays
// lie within it, the arrays are as long as the procedure's table says, its numbers name something.
// Whoever takes records from outside asks this first, of a copy that nobody else can write to.
//
// Lengths that follow from a communicator (Length::size and its kind) cannot be known from the
// record: such an array may be shorter than the communicator (ArrayView reads zeros behind its
// end).

#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "event/event.h"
#include "event/proc.h"
#include "event/wire.h"

namespace vouch {

// What no rank can have more of; the agent's memory follows these numbers.
inline constexpr std::uint64_t kMostRanks = std::uint64_t{1} << 20;  // in one communicator
inline constexpr std::uint64_t kMostModules = 1024;  // as many as the shim has room for
inline constexpr std::uint64_t kMostSites = std::uint64_t{1} << 20;
inline constexpr std::uint64_t kMostThreads = std::uint64_t{1} << 16;

namespace detail {

// Words that a record must have, by phase and procedure; kLookCloser: that is not all there is to
// see.
inline constexpr std::uint16_t kLookCloser = 0xffff;
using LeastWords = std::array<std::array<std::uint16_t, static_cast<std::size_t>(Proc::count_)>, 2>;
extern const LeastWords least_words;
bool sound_closer(const wire::RecordHeader&, const std::uint64_t* words, const std::byte* blob,
                  std::uint64_t blob_bytes);
bool belongs_closer(const Event& leave, const Event& enter);

}  // namespace detail

// Surely, by its header alone: it enters or leaves a call and has no arrays.
inline bool plainly_sound(const wire::RecordHeader& header) {
  static_assert(static_cast<int>(wire::Phase::enter) == 0 &&
                static_cast<int>(wire::Phase::leave) == 1);
  return header.phase <= wire::Phase::leave &&
         header.proc < static_cast<std::uint16_t>(Proc::count_) &&
         (header.flags & wire::kFlagBlob) == 0 && header.words < detail::kLookCloser &&
         header.words >= detail::least_words[static_cast<std::size_t>(header.phase)][header.proc];
}

// `blob`: tails that came before it, for a record with kFlagBlob; a multiple of 8 bytes.
inline bool sound(const wire::RecordHeader& header, const std::uint64_t* words,
                  std::span<const std::byte> blob = {}) {
  return plainly_sound(header) || detail::sound_closer(header, words, blob.data(), blob.size());
}

// Whether a sound leave record is that of this enter record: of the same procedure, and with no
// more results than there was room for.
inline bool belongs(const Event& leave, const Event& enter) {
  if (leave.header().proc != enter.header().proc) return false;
  const std::uint16_t least = detail::least_words[1][leave.header().proc];
  return least != detail::kLookCloser || detail::belongs_closer(leave, enter);
}

}  // namespace vouch
