// Which analyses of registry.def a run has: what --checks says.
//
// A list of words separated by commas. A word is all, a name, a family, which are all names that
// begin with it, or a cost, which are all that cost so much; a minus before it leaves them out.
// They count from left to right: "all,-io" is all but io, "-io" the same, "low,deadlock" what costs
// little and the search for deadlocks.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace vouch {

enum class CheckScope : std::uint8_t { rank, pair, job };
enum class CheckCost : std::uint8_t { low, medium, high };
// What becomes of an analysis that is switched off.
enum class WhenOff : std::uint8_t {
  absent,
  unheard,  // others go by what it finds, so it runs; what it finds is not shown
};

// A row of registry.def.
struct CheckInfo {
  std::string_view name;
  CheckScope scope;
  CheckCost cost;
  WhenOff off;
  std::string_view what;
  std::string_view family() const { return name.substr(0, name.find('/')); }
};
std::span<const CheckInfo> all_checks();
std::string_view name(CheckScope);
std::string_view name(CheckCost);

// The variable that takes Checks::text() to agents on other nodes.
inline constexpr const char* kChecksVariable = "VOUCH_CHECKS";
// NotChecked::reason of one that is switched off.
inline constexpr const char* kSwitchedOff = "switched off with --checks";

class Checks {
 public:
  // The error goes on behind the option: "has no check 'oi'".
  static Result<Checks> parse(std::string_view list);
  // All words that parse() knows, without minus, separated by blanks.
  static const std::string& words();

  bool has(std::size_t check) const { return (off_ >> check & 1) == 0; }  // its row
  bool all() const { return off_ == 0; }
  std::vector<std::string_view> left_out() const;  // names
  std::string text() const;                        // parse() gives the same again
  bool operator==(const Checks&) const = default;

 private:
  std::uint64_t off_ = 0;  // a bit for each row
};

}  // namespace vouch
