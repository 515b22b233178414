#include "analysis/dynamic/dynamic.h"

#include <fmt/format.h>

namespace vouch {

// MPI-4.1 11.10.4: only when all communication on it is complete; what the process has begun itself
// it must have completed itself.
void Dynamic::on_enter(Process& process, Call& call) {
  if (call.poisoned) return;
  const std::uint64_t raw = call.enter().handle(call.info().param(Arg::comm));
  Request* first = nullptr;
  const auto look = [&](Request& r) {
    if (r.comm != raw || r.state != RequestState::active || r.poisoned) return;
    if (r.kind == RequestKind::rma || r.kind == RequestKind::io ||
        r.kind == RequestKind::generalized)
      return;
    if (first == nullptr || r.call < first->call) first = &r;
  };
  process.requests.for_each([&](Request& newest) {
    look(newest);
    for (Request& twin : newest.twins) look(twin);
  });
  if (first == nullptr) return;
  report(process, call, Cause::disconnect_pending, Severity::error,
         fmt::format("{} is pending on the communicator", info(first->made_by).name),
         {made_place(process, *first, "begun here")});
  first->poisoned = true;
  first->blamed = call.site();
}

// Judged after MPI_Finalize's callbacks. The child's side of a spawn is not told by itself: it is
// the same connection.
void Dynamic::on_leave(Process& process, Call& call, const Event& leave) {
  if (call.poisoned || leave.error_class() != 0) return;
  process.comms.for_each([&](const Communicator& c) {
    if (!c.connects() || c.poisoned) return;
    sink_.report({.rule = Rule::dynamic_disconnect,
                  .severity = Severity::warning,
                  .message = "connected from here until MPI_Finalize, which then waits for both "
                             "sides",
                  .places = {made_place(process, c, "")}});
  });
}

}  // namespace vouch
