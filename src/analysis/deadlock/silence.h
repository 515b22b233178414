// Hangs that depend on what the library chose: how long nobody moves.
//
// A pending receive of any source may have taken this message or that one, and nobody is told
// before it completes. By one choice the program goes on, by another it hangs; so by the rules
// alone nothing can be said. But if every process of the job is inside a call that waits, and not
// one of them has come back although each had the processor for a while, then the library has made
// its choices and they were bad ones. What is met whatever it chose (a message under way, however
// long it takes) counts as running all the same.

#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "analysis/deadlock/pause.h"
#include "model/world.h"
#include "wait/message.h"
#include "wait/snapshot.h"

namespace vouch {

class Silence {
 public:
  explicit Silence(const World& world) : world_(world) {}
  // Nobody has moved for long enough. `remote`: some ranks are elsewhere.
  bool lasts(const wait::Snapshot&, const Pause&, bool remote);
  // Who has done nothing that could be followed may do anything.
  bool knows_all(const wait::Snapshot&, const wait::Groups&) const;
  void begin(std::chrono::steady_clock::time_point now) { since_ = now; }

  // How long the largest message may be under way.
  static std::chrono::nanoseconds transfer_time(const wait::Snapshot&);
  // Whether everybody had the processor long enough to come back from a call that can return, in
  // this time since `before`.
  static bool had_processor(const World&, const std::vector<std::chrono::nanoseconds>& before,
                            const Pause&, std::chrono::nanoseconds silent, bool remote);

 private:
  const World& world_;
  std::optional<std::chrono::steady_clock::time_point> since_;
  std::vector<std::chrono::nanoseconds> worked_;  // by process, until then
};

}  // namespace vouch
