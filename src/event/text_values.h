// What the values of a line mean: numbers, names of handles and of memory, statuses.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "event/text.h"
#include "event/text_line.h"

namespace vouch {

struct TextFail {
  std::string text;  // "3:17: …"
};
[[noreturn]] void fail(const TextLine&, int column, const std::string& what);

inline constexpr std::uint64_t kTextBufferStep = 0x100000;

// One rank's memory between lines.
struct TextRank {
  bool started = false;     // the preamble is out
  bool world_told = false;  // its place in MPI_COMM_WORLD too
  std::uint32_t seq = 0;
  std::uint64_t next_handle = 0x51;
  std::uint64_t next_buffer = 0x10000000;
  std::uint64_t next_variable = 0x7fff0000;
  std::unordered_map<std::string, std::uint64_t> names;
  std::map<Kind, std::uint64_t> latest;  // made last, of that kind
  std::set<std::uint64_t> persistent;    // raw requests that stay after completion
  std::map<int, std::size_t> open;       // thread -> header of its open call's enter record
  std::set<int> threads;
};

std::int64_t number_of(const TextLine&, const TextValue&);
std::uint64_t address_of(const TextLine&, const std::string& word, int column);
std::uint64_t handle_of(const TextLine&, TextRank&, Kind, const TextValue&);
std::uint64_t scalar_of(const TextLine&, TextRank&, const Param&, const TextValue&);
std::vector<std::int64_t> elements_of(const TextLine&, TextRank&, const Param&, const TextValue&);
wire::Status status_of(const TextLine&, const TextValue&);
std::int64_t error_of(const TextLine&, const std::string& word, int column);

// Index of the parameter that is meant; names may be short.
std::size_t find_param(const TextLine&, const ProcInfo&, const TextArgument&);
std::optional<std::uint64_t> given_length(const TextValue&);
void put_tail(std::vector<std::uint64_t>& tails, const Param&,
              const std::vector<std::int64_t>& elements);
bool is_null(Kind, std::uint64_t raw);
std::uint64_t null_of(Kind);
std::uint64_t fresh_variable(TextRank&, std::uint64_t bytes);

// Words and tails of the record of a call, and of its return. What the line leaves out is filled
// in.
std::vector<std::uint64_t> enter_words(const TextLine&, TextRank&, int world_size, Proc);
std::vector<std::uint64_t> leave_words(const TextLine&, TextRank&, const Event& enter);

}  // namespace vouch
