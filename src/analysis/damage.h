// After which call a process may not be what it should be.
//
// A finding may mean that a process's memory, or what the library holds of its messages, is
// damaged. What the process does later may follow from that call: its death (crash/), a hang
// (deadlock/). Analyses that find such a call record it here; the model knows nothing of it.

#pragma once

#include <cstddef>
#include <unordered_map>

#include "model/process.h"

namespace vouch {

class Damage {
 public:
  void record(const Process& process, Site call) { calls_[process.index] = call; }
  // Unless there is one already.
  void record_first(const Process& process, Site call) { calls_.try_emplace(process.index, call); }
  // 0: there is none.
  Site at(const Process& process) const {
    if (calls_.empty()) return {};
    const auto found = calls_.find(process.index);
    return found == calls_.end() ? Site{} : found->second;
  }

 private:
  std::unordered_map<std::size_t, Site> calls_;  // by Process::index
};

// An analysis that records damage, or reads what others have recorded.
class DamageUser {
 public:
  DamageUser() = default;
  DamageUser(const DamageUser&) = delete;
  DamageUser& operator=(const DamageUser&) = delete;
  void share(Damage& all) { damage_ = &all; }

 protected:
  Damage& damage() const { return *damage_; }

 private:
  Damage own_;  // while it is used alone
  Damage* damage_ = &own_;
};

}  // namespace vouch
