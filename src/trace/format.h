// The trace file: what a run's processes did, for looking at it later and elsewhere.
//
//     FileHeader, then chunks: ChunkHeader and payload, one after the other
//
// A chunk belongs to one process and can be read by itself, so that what a crash cuts off is the
// last one at most. Its checksum covers its header, its number in the file and its payload. All
// numbers of payloads are variable-length (code.h).
//
//     process  pid, rank as the launcher hinted (signed)
//     records  items of the process in its own order: byte 0 = What + 8 * flags of the record, then
//              record    thread, proc, seq, site, number of words, words
//              returned  thread, seq: a call that left no record is over
//              ended     how (Ending)
//              lost      thread: a record was too large to be kept
//     places   texts "ring.c:31", numbered on from 1 over all such chunks
//     sites    pairs (local site number of this process, number of its place)
//     end      nothing: the trace is whole
//
// Processes may follow each other in any order: no fact depends on it
// (docs/design/002-matching.md).

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace vouch::trace {

inline constexpr char kMagic[8] = {'v', 'o', 'u', 'c', 'h', 't', 'r', '\n'};
inline constexpr std::uint32_t kVersion = 1;
inline constexpr std::uint32_t kChunkMagic = 0x6b636876;  // "vhck"

struct FileHeader {
  char magic[8];
  std::uint32_t version;       // kVersion
  std::uint32_t wire_version;  // of the records
  std::uint64_t tables;        // digest of the numbers of procedures and constants
  std::uint64_t checksum;      // of the above
};
static_assert(sizeof(FileHeader) == 32 && std::is_trivially_copyable_v<FileHeader>);

enum class ChunkKind : std::uint32_t { none, process, records, places, sites, end };

struct ChunkHeader {
  std::uint32_t magic;  // kChunkMagic
  ChunkKind kind;
  std::uint32_t process;  // number in the trace
  std::uint32_t bytes;    // of the payload
  std::uint64_t checksum;
};
static_assert(sizeof(ChunkHeader) == 24 && std::is_trivially_copyable_v<ChunkHeader>);

enum class What : std::uint8_t { enter, leave, meta, returned, ended, lost };
enum class Ending : std::uint8_t { exited, signalled, killed, detached };

// Limits that keep a reader's memory small whatever the file says.
inline constexpr std::size_t kChunkBytes = std::size_t{1} << 16;  // a chunk is closed at about this
inline constexpr std::size_t kMaxChunkBytes = std::size_t{1} << 26;
inline constexpr std::uint32_t kMaxRecordWords = std::uint32_t{1} << 22;
inline constexpr std::uint32_t kMaxProcesses = std::uint32_t{1} << 20;
inline constexpr int kMaxThreads = 1 << 16;

std::uint64_t checksum(std::span<const std::byte> bytes, std::uint64_t seed);
std::uint64_t checksum(const ChunkHeader&, std::uint64_t number, std::span<const std::byte>);
// What the numbers in records mean depends on the tables a vouch was built with.
std::uint64_t tables_digest();
FileHeader file_header();

}  // namespace vouch::trace
