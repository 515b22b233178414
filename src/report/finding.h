// A finding: what, where, why. Data only; writers format it and decide nothing.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"

namespace vouch {

enum class Severity : std::uint8_t { error, warning, info };
enum class Verdict : std::uint8_t { clean, error, inconclusive };

// One line of rules.def each: Rule::argument_rank is "argument/rank".
enum class Rule : std::uint16_t {
#define VOUCH_RULE(name, id, severity, clause, title, advice) name,
#include "report/rules.def"
#undef VOUCH_RULE
  count_
};

struct RuleInfo {
  const char* id;      // "argument/rank"
  Severity severity;   // default
  const char* clause;  // "MPI-4.1 3.2.3"
  const char* title;   // short, lower case: "rank out of range"
  const char* advice;  // what to do next
};
const RuleInfo& info(Rule);

// One line of causes.def each: why a rule that has several causes was broken.
enum class Cause : std::uint8_t {
  none,
#define VOUCH_CAUSE(name, rule, key, title, advice) name,
#include "report/causes.def"
#undef VOUCH_CAUSE
  count_
};

struct CauseInfo {
  Rule rule;
  const char* key;     // Report::cause
  const char* title;   // instead of the rule's
  const char* advice;  // instead of the rule's
};
const CauseInfo& info(Cause);  // not of Cause::none

// A call that takes part in a finding, as the agent knows it.
struct Place {
  WorldRank rank{};
  Site site{};
  std::string call{};         // "MPI_Recv(source=1, tag=7)" or "MPI_Recv"
  std::string role{};         // "", "made here", "freed here", "first call" …
  std::vector<int> others{};  // ranks that did the same, besides `rank`
  std::vector<Site> stack{};  // its callers, innermost first, where they were looked for
};

// The same graph twice: for Graphviz, and to be looked at.
struct Picture {
  std::string dot{}, svg{};
  bool empty() const { return dot.empty(); }
};

// A call without a place of its own in the finding.
struct Involved {
  WorldRank rank{};
  Site site{};
};

// What an analysis reports. The sink makes one finding of equal (rule, sites, cause).
struct Report {
  Rule rule;
  Severity severity;
  std::string message{};  // after "rank, line, call": "dest=4 is not in MPI_COMM_WORLD, …"
  // Aggregation key besides rule and sites; "" = the sites alone. mention() may stand in it.
  std::string cause{};
  std::vector<Place> places{};  // the first is the offender
  std::vector<Involved>
      involved{};  // other calls of it: what happens in them is a consequence, too
  bool potential = false;
  Picture picture{};        // with mention() in it, too
  Cause why = Cause::none;  // its title and advice; none: those of the rule
  // Of this finding alone; "": what the cause or the rule says.
  std::string title{}, advice{};
  // What several lines have in common that are wrong for one reason (the place where the handle
  // that they use was freed): reports of a rule with the same text here are one finding, which
  // lists the lines. mention() may stand in it. "": each line is a finding of its own.
  std::string common{};
  std::uint64_t common_key = 0;  // a number for `common` where a line may have several; else 0
};

// A place within a message: "freed at " + mention(site) is shown as "freed at ring.c:31".
std::string mention(Site);

// A function that has called the next one.
struct Caller {
  std::string function{}, file{};
  int line = 0;
  std::uint64_t offset = 0;  // as in Location
};

// Aggregated, with source lines: what writers get and what goes to JSON.
struct Location {
  int rank = -1;
  std::string call{}, role{}, file{}, function{};
  int line = 0;              // 0: not known; then `file` is the module
  std::uint64_t offset = 0;  // without a line: from the function, or from the module
  std::string source{};      // text of the line, "" if it cannot be read
  // The application's own frame, if the call lies in another shared library.
  std::string from_file{}, from_function{};
  int from_line = 0;
  std::vector<int> others{};    // ranks that did the same
  std::vector<Caller> stack{};  // innermost first; empty: not looked for
};
// "ring.c:31", "exchange+0x1f in ring", "ring+0x12f4", "unknown place".
std::string where(const Location&);

// Ranks of a world that was spawned. They are numbered on behind those of MPI_COMM_WORLD: rank
// first + r is rank r of that world.
struct SpawnedRanks {
  int first = 0, size = 0;
  Site site{};            // of the call that spawned it, unknown if that is not known
  std::string spawned{};  // the same in text, "" if unknown; filled by the collector
};

struct Finding {
  std::string rule{};  // id
  Severity severity = Severity::error;
  std::string title{}, message{}, clause{}, advice{}, again{};
  std::vector<int> ranks{};
  std::uint64_t count = 1;  // occurrences
  std::vector<Location> locations{};
  std::vector<std::string> consequences{};  // "and so rank 1 waits forever at b.c:12"
  bool potential = false;
  std::vector<SpawnedRanks> worlds{};  // spawned ones that its ranks belong to
  Picture picture{};
  std::uint64_t lines = 0;  // that are wrong for one reason, if there are more than are listed
  std::string cause{}, common{};  // of the report; between agents only
};

// What stands in NotChecked::what where a run did not follow its schedule.
inline constexpr std::string_view kTheSchedule = "the schedule";

struct NotChecked {
  std::string what{};  // "MPI_Put", "rank 3"
  std::string reason{};
  std::uint64_t count = 0;
  Site site{};          // where it was first met, if that is known
  std::string where{};  // the same in text; filled by the collector
};

// Findings beyond what is kept one by one.
struct Omitted {
  std::string rule{};
  std::uint64_t count = 0;
};

// One run looks at one schedule; exploring fills this in.
struct Exploration {
  std::uint64_t schedules = 1, pruned = 0;
  bool exhausted = false;
};

struct Summary {
  Verdict verdict = Verdict::clean;
  std::vector<std::string> command{};
  int ranks = 0;
  std::vector<Finding> findings{};
  std::vector<NotChecked> not_checked{};
  std::vector<std::pair<std::string, std::uint64_t>> statistics{};  // "events", "calls", "polls" …
  Exploration exploration{};
  std::vector<Omitted> omitted{};
  std::uint64_t suppressed = 0;                    // findings that a suppression took out
  std::vector<std::string> unused_suppressions{};  // "app.supp:12: leak/* libfoo.c"
  std::vector<std::string> notes{};                // "compile with -g to see source lines"
  bool strict = false;                             // warnings count as errors
  // How its nondeterministic outcomes were, for vouch replay; "": not known.
  std::string schedule{};
};

// Any error: error; else any gap: inconclusive; else clean [U55].
Verdict judge(const Summary&);

const char* name(Severity);
const char* name(Verdict);
// "3", "0-3", "0,2-7": sorted, each once.
std::string rank_list(const std::vector<int>& ranks);
// "rank 3" or "ranks 0,2-7".
std::string rank_words(const std::vector<int>& ranks);
// All ranks that its places name, and those that it was found in: sorted, each once.
std::vector<int> ranks_named(const Finding&);

}  // namespace vouch
