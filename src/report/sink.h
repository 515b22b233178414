// Where analyses report to.

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/harm.h"
#include "report/finding.h"

namespace vouch {

// What identifies a finding, before any text of it is made.
struct Sketch {
  Rule rule;
  Severity severity;
  std::span<const Involved> places;  // those of the report, the offender first
  std::string_view cause{};
  bool potential = false;
  std::span<const Involved> involved{};  // as of the report
  std::uint64_t common_key = 0;          // Report::common_key
};

class Sink {
 public:
  virtual ~Sink() = default;
  virtual void report(Report) = 0;
  // A finding is known, and all that this occurrence adds are its ranks and its number: they are
  // taken over. False: it must be reported. To be asked before text is made, since a loop may come
  // here a million times.
  virtual bool again(const Sketch&) { return false; }
  // What follows from a call that has a finding [U51]: "and so rank 1 waits forever at
  // b.c:12". It is attached to the newest error whose offender is this rank's call at this site and
  // that can do one of these harms (harm.h). False: there is none.
  virtual bool consequence(WorldRank, Site, Harms, std::string /*text*/) { return false; }
  // What this rule said of the call has brought the program to a halt: if it was a warning it is an
  // error.
  virtual void harmful(Rule, WorldRank, Site) {}
  virtual void not_checked(NotChecked) = 0;
  // What the reader should know and is neither a finding nor a gap. Shown once.
  virtual void note(std::string /*text*/) {}
};

}  // namespace vouch
