#include "analysis/operation_place.h"

#include <utility>

#include <fmt/format.h>

namespace vouch {
namespace {

std::string number_or(std::int64_t value, std::int64_t any, const char* word) {
  return value == any ? word : std::to_string(value);
}

}  // namespace

Place place_of(const World& world, const Operation& op, std::string role) {
  const Process& process = world.process(op.process);
  std::string call = info(op.proc).name;
  const bool sends = op.role == Role::send;
  // A matched message has its envelope from the probe.
  if (op.proc == Proc::mrecv || op.proc == Proc::imrecv) {
    call += fmt::format("(count={})", op.count);
  } else if (op.role == Role::look) {
    call +=
        fmt::format("(source={}, tag={})", number_or(op.peer, wire::kAnySource, "MPI_ANY_SOURCE"),
                    number_or(op.tag, wire::kAnyTag, "MPI_ANY_TAG"));
  } else {
    call += fmt::format("(count={}, {}={}, tag={})", op.count, sends ? "dest" : "source",
                        number_or(op.peer, wire::kAnySource, "MPI_ANY_SOURCE"),
                        number_or(op.tag, wire::kAnyTag, "MPI_ANY_TAG"));
  }
  return {process.rank, op.site, std::move(call), std::move(role)};
}

}  // namespace vouch
