// What the program says of its own values (api/vouch.h) and what does not hold in this run.

#pragma once

#include "analysis/analysis.h"
#include "analysis/meta_listener.h"

namespace vouch {

class Assertion : public Analysis, public MetaListener {
 public:
  Assertion(World& world, Sink& sink) : Analysis(world, sink) {}
  Wants wants(Proc) const override { return {}; }
  void on_claim(Process&, const Event& meta) override;
};

}  // namespace vouch
