// What an analysis has to say about rounds of calls that are not analysed again (agent/rounds.h).
//
// To be implemented by those that keep something of a call beyond its end, or count calls.

#pragma once

#include <cstdint>

#include "model/process.h"

namespace vouch {

class Repeats {
 public:
  virtual ~Repeats() = default;
  // Nothing that was called so far can meet what is called from now on.
  virtual bool at_rest() { return true; }
  // The process has made this call so many times more, each as before and without a finding.
  virtual void repeated(const Process&, Site, Proc, std::uint64_t /*times*/) {}
};

}  // namespace vouch
