// Handles that no call was seen to make: uninitialised, invented, or made out of sight.
//
// Which of these it is cannot be told from the handle [U10]. The library's answer
// settles it: an error of the class that belongs to this kind of handle, or a fault inside the
// call, says that it is none. Any other answer leaves a gap: the call was not checked.

#pragma once

#include "analysis/analysis.h"

namespace vouch {

class UnseenHandles : public Analysis {
 public:
  UnseenHandles(World& world, Sink& sink) : Analysis(world, sink) {}
  // Call::unseen must be set by then.
  Wants wants(Proc) const override;
  void on_leave(Process&, Call&, const Event& leave) override;
  void on_end(Process&) override;

 private:
  // True: it was the handle, and this is reported.
  bool refused(Process&, Call&, int error_class);
  bool crashed(Process&, Call&);
  void not_settled(const Call&);
};

}  // namespace vouch
