// Which session an object belongs to.
//
// Communicators, groups, windows and files descend from a session or from the world (MPI-4.1 11.3);
// what is made from one belongs where it belongs. Datatypes, operations, infos and error handlers
// belong nowhere. A process that never opened a session has nothing here and costs nothing.

#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "model/per_process.h"
#include "model/world.h"

namespace vouch {

class Sessions {
 public:
  struct Owner {
    std::uint32_t number = 0;  // 0: the world; else the n-th session of the process
    Site opened;
    Site closed;
    bool live = true;
  };

  bool any() const { return any_; }  // a process has opened one
  bool used(const Process& process) const { return processes_.find(process) != nullptr; }
  // Owner of parameter i of the call if it belongs somewhere and that is known.
  std::optional<Owner> owner_of(const Process&, const Call&, int param) const;
  // Takes over what a call made, opened or closed.
  void learn(const Process&, const Call&, const Event& leave);

 private:
  struct Known {
    std::vector<Owner> owners{1};                                 // [0] is the world
    std::unordered_map<std::uint64_t, std::uint32_t> sessions;    // raw session -> owner
    std::unordered_map<std::uint64_t, std::uint32_t> objects[4];  // by kind: raw -> owner
  };
  static int slot(Kind kind);

  PerProcess<Known> processes_;
  bool any_ = false;
};

}  // namespace vouch
