// Which objects hold an attribute of a keyval, so that a freed keyval is known to live on.
//
// MPI-4.1 7.7.2: a keyval that is freed while attributes use it is gone only when the last of them
// is, by a delete procedure or with the object it is cached on. Until then copies of the key are as
// good as before. Whether a duplicate got the attribute its copy function decided: it may hold it.

#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "model/per_process.h"
#include "model/world.h"

namespace vouch {

class AttributeHolders {
 public:
  static bool wants(const ProcInfo&);
  // A call that wants() has returned successfully.
  void learn(const Process&, const Call&, const Event& leave);
  bool any(const Process&, std::uint64_t keyval) const;

 private:
  using Holders = std::unordered_map<std::uint64_t, std::unordered_set<std::uint64_t>>;
  PerProcess<Holders> holders_;  // keyval -> objects
};

}  // namespace vouch
