// What vouch and ranks whose messages carry clocks share: a file in memory (src/shim/band/band.h).
//
// vouch lays out the header; each rank writes its own part while it runs: every receive or probe
// from any source that has surely matched, with its clock and that of its message, and what it
// could have received instead. What was written when a rank is killed stays.

#pragma once

#include <cstddef>
#include <cstdint>

namespace vouch {

inline constexpr std::uint32_t kBandMagic = 0x76626e64;
// Set by `vouch explore --clocks-in-band`: protocol, colon, the file.
inline constexpr const char* kBandVariable = "VOUCH_IN_BAND";
// Lamport clocks, one word, and vector clocks, a word for each rank; by number, from 1.
inline constexpr const char* kBandProtocols[] = {"llcp", "lvcp"};
inline constexpr int kMostBandWords = 64;

// Why the clocks of a rank are not all there is to know; bits of BandRank::gaps.
enum class BandGap : std::uint32_t {
  matched_probe = 1,          // the clock comes with MPI_Mrecv, too late
  persistent_collective = 2,  // carries none
  threads = 4,                // in which order they call is not kept
  no_clock = 8,               // a message came without its clock: it was cut off
  room = 16,                  // more events than there is room for
  waited = 32,                // a receive that should have matched did not complete in time
};

struct BandEvent {
  std::uint32_t number;  // the n-th receive or probe from any source, from 0
  std::uint32_t seq;     // among all receives and probes of the rank, by issue
  std::uint64_t comm;    // handle
  std::int32_t source;   // rank in comm
  std::int32_t tag;      // as asked for; -1: any
  // Vector clocks: the word of this rank.
  std::uint32_t clock;         // when it had surely matched
  std::uint32_t message;       // carried by its message; a probe: kNoBandClock
  std::uint32_t alternatives;  // the latest one, + 1; 0: none
  std::uint32_t probe;
};

struct BandAlternative {
  std::int32_t source;
  std::uint32_t message;  // its clock
  std::uint32_t next;     // the one before, of the same event, + 1; 0: none
};

inline constexpr std::uint32_t kNoBandClock = ~0u;

struct BandRank {
  std::uint32_t there, finished;  // it came; it came to MPI_Finalize
  std::uint32_t gaps;
  std::uint32_t clock;
  std::uint32_t events, alternatives;
  std::uint32_t suppressed;  // alternatives that need what only they would bring about
  std::uint64_t carried;     // messages that it sent
};

inline constexpr std::uint32_t kMostBandEvents = 1 << 15, kMostBandAlternatives = 1 << 16;

struct BandPart {
  BandRank rank;
  BandEvent events[kMostBandEvents];
  BandAlternative alternatives[kMostBandAlternatives];
};

struct BandHeader {
  std::uint32_t magic, ranks;
};
inline constexpr std::size_t kBandFirst = 4096;  // parts follow

inline std::size_t band_bytes(int ranks) {
  return kBandFirst + static_cast<std::size_t>(ranks) * sizeof(BandPart);
}
inline BandPart* band_part(BandHeader* header, int rank) {
  return reinterpret_cast<BandPart*>(reinterpret_cast<std::byte*>(header) + kBandFirst) + rank;
}

}  // namespace vouch
