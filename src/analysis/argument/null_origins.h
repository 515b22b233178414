// Where a process got its null handles.
//
// A null handle does not say which variable it stands in. But most programs get one of a kind at a
// single place, by freeing an object (MPI-4.1 2.5.1: the handle is null afterwards) or from a
// constructor that leaves this process out; then that is where every null handle of the kind comes
// from, and all lines that use one have this place in common. Where no call gave one, the program
// wrote the constant itself, and they have that in common.
//
// Misses: null handles that the program wrote itself, where there is one such place besides.

#pragma once

#include <map>
#include <utility>

#include "event/event.h"
#include "model/process.h"

namespace vouch {

class NullOrigins {
 public:
  struct Origin {
    Site site;
    Proc by = Proc::none;
    bool several = false;
  };
  static bool wants(const ProcInfo&);
  // The call has succeeded.
  void learn(const Process&, const Call&, const Event& leave);
  bool any(const Process& process, Kind kind) const {
    return origins_.contains({process.index, kind});
  }
  // nullptr: there is none, or several.
  const Origin* only(const Process&, Kind) const;

 private:
  std::map<std::pair<std::size_t, Kind>, Origin> origins_;  // by process
};

}  // namespace vouch
