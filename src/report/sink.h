// Where analyses report to.

#pragma once

#include <string>

#include "report/finding.h"

namespace vouch {

class Sink {
 public:
  virtual ~Sink() = default;
  virtual void report(Report) = 0;
  // What follows from a call that has a finding (usage rules 1.2): "and so rank 1 waits for ever at
  // b.c:12". It is attached to the newest finding whose offender is this rank's call at this site.
  // False: there is none.
  virtual bool consequence(WorldRank, Site, std::string /*text*/) { return false; }
  virtual void not_checked(NotChecked) = 0;
};

}  // namespace vouch
