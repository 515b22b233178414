// What a one-sided call writes must not name a byte twice (MPI-4.1 12.3.2, 12.3.3, 12.3.4): the
// target of a put or an update, the origin of a get, and what a fetching call gets back.

#include <fmt/format.h>

#include "act/window_act.h"
#include "analysis/rma/rma.h"
#include "base/count_words.h"

namespace vouch {

void Rma::judge_twice(Process& process, Call& call) {
  const WindowAct act = window_act(process, call);
  const auto judge = [&](const MovedSide& side, const char* name) {
    if (call.poisoned || !side.there || side.type == nullptr) return;
    const Overlap answer = test_.twice(side.type, side.count);
    if (answer == Overlap::over_budget)
      return not_checked(call.site(), "overlap of buffers",
                         "datatypes of more pieces than are compared");
    if (answer != Overlap::yes) return;
    const bool made = side.type->named == Constant::none;
    if (made ? again(process, call, Cause::overlap_moved, {side.type->made})
             : again(process, call, Cause::overlap_moved))
      return;
    std::vector<Place> more;
    if (made) more.push_back({process.rank, side.type->made, "", "datatype made here"});
    const std::int64_t bytes = repeated_bytes(side.type, side.count);
    report(process, call, Cause::overlap_moved,
           fmt::format("the {} is written more than once in {}: {} of extent {} with bytes from {} "
                       "to {}",
                       name, bytes > 0 ? count_words(bytes, "byte") : "some bytes",
                       count_words(side.count, "element"), side.type->extent(), side.type->true_lb,
                       side.type->true_ub),
           std::move(more));
  };
  if (act.call->gets)
    judge(act.origin, "origin");
  else if (act.op != Constant::no_op)
    judge(act.at_target, "target");
  judge(act.result, "result");
}

}  // namespace vouch
