// A schedule: how the nondeterministic outcomes of a run were, or shall be, decided.
//
// Each rank of MPI_COMM_WORLD has two lists, each in the order of its calls:
//
// - matches: the k-th operation with MPI_ANY_SOURCE that it issues (receives of all kinds, each
//   start of a persistent one, probes; MPI_Iprobe and MPI_Improbe when they see something) takes
//   its message from this source;
// - picks: what the k-th call answers that asks what is done already: MPI_Waitany, MPI_Waitsome,
//   MPI_Test and its kind, MPI_Iprobe, MPI_Improbe, MPI_Request_get_status, MPI_Parrived,
//   MPI_Win_test.
//
// They are two lists since the first alone often says enough: how often a test fails seldom
// matters, and a schedule without picks is short. What lies behind the end of a list, and what is
// free, is observed and not decided.
//
// As text it can be pasted into a shell as it is:
//
//     A0=1,2,1x3/2=3:nx12,y
//
// version; rank 0: its matches take 1, 2, 1, 1, 1; rank 2: one match, then its picks: 12 times "not
// yet", then "yes".
//
//     schedule = "A" [rank {"/" rank}]           ranks in increasing order
//     rank     = number "=" [match {"," match}] [":" pick {"," pick}]
//     match    = (source ["t" tag] | "_" | "c") ["x" times] | source "-" source
//     pick     = ("n" | "y" | "u" | "_" | index {"+" index}) ["x" times]
//
// "_" free; "c" never took a message, it was cancelled; "1-4" 1,2,3,4; "4-1" 4,3,2,1; "n" not yet;
// "y" yes, all of it; "u" MPI_UNDEFINED, nothing was active; indices in the order in which they
// were returned. A tag is given where MPI_ANY_TAG was asked for and is decided too.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace vouch::policy {

inline constexpr std::int32_t kFree = -1;   // observed
inline constexpr std::int32_t kNever = -2;  // takes no message: it is going to be cancelled
inline constexpr std::int32_t kNoTag = -1;  // not decided

struct Match {
  std::int32_t source = kFree;  // rank in the communicator (in its remote group, if it has one)
  std::int32_t tag = kNoTag;
  bool operator==(const Match&) const = default;
};

struct Pick {
  enum class What : std::uint8_t { free, no, yes, undefined, indices };
  What what = What::free;
  std::vector<std::int32_t> indices{};
  bool operator==(const Pick&) const = default;
};

// Equal picks in a row: a loop of tests fails a million times.
struct PickRun {
  Pick pick;
  std::uint64_t times = 1;
  bool operator==(const PickRun&) const = default;
};

struct RankSchedule {
  std::vector<Match> matches;
  std::vector<PickRun> picks;

  bool empty() const { return matches.empty() && picks.empty(); }
  // The event must be told from the list's end: what lies in between is free.
  void decide(std::size_t event, Match);
  void add(Pick pick, std::uint64_t times = 1);
  // Without free ones at the end.
  void trim();
  bool operator==(const RankSchedule&) const = default;
};

struct Schedule {
  std::map<int, RankSchedule> ranks;

  bool empty() const;
  // Without what says nothing. Schedules that decide the same have one normal form.
  void normalize();
  std::uint64_t matches() const;  // decided, of all ranks
  bool operator==(const Schedule&) const = default;
};

// Of its normal form.
std::string to_text(const Schedule&);
// The error is one sentence that names the place: "at character 5 ('q'): ...".
Result<Schedule> parse_schedule(std::string_view text);
// A limit that keeps a hostile text from taking all memory.
inline constexpr std::uint64_t kMostDecisions = std::uint64_t{1} << 24;

}  // namespace vouch::policy
