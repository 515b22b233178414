// The analyses of registry.def, made in the order of stages.

#include "analysis/analyses.h"
#include "analysis/argument/argument.h"
#include "analysis/argument/promises.h"
#include "analysis/argument/unseen.h"
#include "analysis/assertion/assertion.h"
#include "analysis/buffer/buffer.h"
#include "analysis/collective/collective.h"
#include "analysis/collective/parts.h"
#include "analysis/crash/crash.h"
#include "analysis/deadlock/deadlock.h"
#include "analysis/dynamic/dynamic.h"
#include "analysis/io/io.h"
#include "analysis/leak/leak.h"
#include "analysis/lifecycle/lifecycle.h"
#include "analysis/race/race.h"
#include "analysis/request/request.h"
#include "analysis/rma/race/races.h"
#include "analysis/rma/rma.h"
#include "analysis/thread/thread_use.h"
#include "analysis/type/type_match.h"
#include "analysis/unmatched/unmatched.h"

namespace vouch {

Analyses make_analyses(World& world, Sink& sink) {
  Analyses all;
#define VOUCH_ANALYSIS(type, header) all.add<type>(world, sink);
#include "analysis/registry.def"
#undef VOUCH_ANALYSIS
  return all;
}

}  // namespace vouch
