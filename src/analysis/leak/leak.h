// Objects that are still there when MPI is down.
//
// The model knows what is alive and where it was made, so a leak is what the tables still hold when
// MPI_Finalize returns (its MPI_COMM_SELF callbacks have run by then), when the last session ends,
// or at an orderly end of the process. Only two things are counted while the program runs, both in
// bounded memory: objects made per call site, and which call wrote over the variable of a request
// that was still active.

#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/repeats.h"
#include "model/per_process.h"

namespace vouch {

class Leak : public Analysis, public Repeats {
 public:
  Leak(World& world, Sink& sink);
  ~Leak() override;
  Wants wants(Proc) const override;
  void on_enter(Process&, Call&) override;
  void on_leave(Process&, Call&, const Event& leave) override;
  void on_end(Process&) override;
  void finish() override;
  void repeated(const Process&, Site, Proc, std::uint64_t times) override;

 private:
  enum Class : std::uint8_t {
    request,
    message,
    file,
    session,
    communicator,
    datatype,
    group,
    op,
    window,
    info_object,
    errhandler,
    keyval,
    kClasses
  };
  static Class class_of(Kind);  // kClasses: no object

  struct Output {  // a handle that a call gives
    Class what = kClasses;
    Kind kind = Kind::none;
    std::int8_t word = -1;      // of the leave record
    std::int8_t variable = -1;  // word of the enter record: where the handle is written
    bool array = false;
  };
  struct Overwriter {
    Site site;
    Proc proc;
  };
  struct Slot {  // the newest request whose handle was written to `variable`
    std::uint64_t variable = 0, raw = 0;
    std::uint32_t call = 0;
  };
  struct Tally {                                            // of one process
    std::array<std::vector<std::uint32_t>, kClasses> made;  // by site
    std::vector<Slot> slots;                                // direct-mapped by address
    std::map<std::uint32_t, Overwriter> overwritten;  // by number of the call that made the request
    std::set<std::array<std::uint64_t, 3>> told;      // class, raw, generation
    bool used_sessions = false;
    bool finalized = false;  // what is left is to be judged at the end
  };
  struct Lost;  // objects of one site

  static void count(Tally&, Class, Site, std::uint32_t times = 1);
  static void watch_variable(const Process&, Tally&, const Call&, std::uint64_t variable,
                             std::uint64_t raw);
  // `bound`: only what belongs to a session; local objects may be used in the next one.
  void judge(Process&, bool bound);
  void judge_requests(Process&);
  template <typename T>
  void judge_table(Process&, Class, const Table<T>&);
  void tell(Process&, Class, const std::map<Site, Lost>&);

  std::vector<std::array<Output, 2>> outputs_;  // by Proc
  PerProcess<Tally> tallies_;
};

}  // namespace vouch
