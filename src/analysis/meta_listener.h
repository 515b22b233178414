// For analyses that need more than calls: what meta records say.

#pragma once

#include "event/event.h"
#include "model/process.h"

namespace vouch {

class MetaListener {
 public:
  virtual ~MetaListener() = default;
  // Meta::block, freed or modified, before the model takes it over.
  virtual void on_memory(Process&, int /*thread*/, const Event& /*meta*/) {}
  // Meta::polls, decided or diverged.
  virtual void on_policy(Process&, int /*thread*/, const Event& /*meta*/) {}
  // The first call found the second one, of another thread, inside MPI at the same time.
  virtual void on_inside(Process&, Call&, Call& /*other*/) {}
  // Meta::access (event/access.h), exposed or instrumented.
  virtual void on_access(Process&, const Event& /*meta*/) {}
  // Meta::claim: what the program says of its own values.
  virtual void on_claim(Process&, const Event& /*meta*/) {}
};

}  // namespace vouch
