// The records of real runs, and how they are damaged.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "event/event.h"
#include "fuzz.h"

namespace vouch::fuzz {

struct Record {
  int process = 0, thread = 0;
  wire::RecordHeader header{};
  std::vector<std::uint64_t> words;
};

// One run, as its trace has it: each process in its own order, numbered without gaps.
struct Run {
  std::string name;
  std::vector<int> hints;  // rank of each process, as its launcher said
  std::vector<Record> records;
};

// Of traces.
std::vector<Run> runs_of(const std::string& folder);

// A few changes of one run: numbers, lengths with and without their arrays, sizes with the members
// that they count, procedures, order, records left out, doubled, taken from other runs,
// overwritten.
std::vector<Record> mutate(Random&, const std::vector<Run>&, std::size_t which);

}  // namespace vouch::fuzz
