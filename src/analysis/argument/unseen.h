// Handles that no call was seen to make: uninitialised, invented, or made out of sight.
//
// Which of these it is cannot be told from the handle (usage rules 1.6). The library's answer
// settles it: an error of the class that belongs to this kind of handle, or a fault inside the
// call, says that it is none.

#pragma once

#include "analysis/analysis.h"

namespace vouch {

class UnseenHandles : public Analysis {
 public:
  UnseenHandles(World& world, Sink& sink) : Analysis(world, sink) {}
  Wants wants(Proc) const override;
  void on_leave(Process&, Call&, const Event& leave) override;
  void on_end(Process&) override;

 private:
  void refused(Process&, Call&, int error_class);
  void crashed(Process&, Call&);
};

}  // namespace vouch
