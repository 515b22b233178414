// How processes ended when they did not end well, and errors a call returned that nothing explains.
//
// One rank that fails takes the others with it, so nothing is said before all are gone (finish):
// the ranks that failed by themselves are findings, those the launcher ended afterwards are only
// named as not checked. A call that has a finding already explains what the library did in it; the
// end of the process is then a consequence of that finding.

#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/damage.h"
#include "model/per_process.h"

namespace vouch {

class Crash : public Analysis, public DamageUser {
 public:
  Crash(World& world, Sink& sink) : Analysis(world, sink) {}
  Wants wants(Proc) const override;
  void on_leave(Process&, Call&, const Event& leave) override;
  void on_end(Process&) override;
  void finish() override;

 private:
  enum class How : std::uint8_t { orderly, signal, assert, abort, exit, mpi_error, killed };

  struct Failed {  // a call that returned an error
    Site site;
    Proc proc = Proc::none;
    std::uint32_t seq = 0;
    int error = 0;
    bool broken = false;  // it has a finding, an error
    Site posted;  // the operation that failed: the call itself, or the one that made its request
  };
  struct Returned {  // errors of one class from one site
    Failed first;
    std::uint64_t count = 0;
  };
  struct Errors {
    Failed last;
    std::map<std::pair<Site, int>, Returned> returned;
  };
  struct Last {  // the call a process ended in, or after
    const Call* call = nullptr;
    bool inside = false;
  };

  static Last last_call(const Process&);
  static How how(const Process&);
  void tell(const Process&, How);
  void tell_error(const Process&, Rule, Severity, std::string message, const Last&,
                  std::string role);
  bool follows_damage_elsewhere(const Process&, const std::string& text);
  void returned_errors();

  PerProcess<Errors> errors_;
  std::vector<std::size_t> ended_;  // processes in the order of their end
};

}  // namespace vouch
