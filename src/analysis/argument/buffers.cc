// Stage: addresses. NULL where data is wanted, MPI_IN_PLACE where there is none.

#include <algorithm>

#include <fmt/format.h>

#include "analysis/argument/checks.h"
#include "base/count_words.h"

namespace vouch {
namespace {

constexpr std::int64_t kZeroPage = 4096;

bool allowed_in_place(const Checker& c, const Param& p) {
  const Communicator* comm = c.comm();
  if (p.in_place == InPlace::never) return false;
  if (!comm) return true;
  if (comm->inter()) return false;
  if (p.in_place != InPlace::root) return true;
  return c.plan.root >= 0 && c.value(c.plan.root) == comm->rank;
}

// Where it would have been right; for the reader.
std::string in_place_advice(const Checker& c) {
  const Communicator* comm = c.comm();
  if (comm && comm->inter() && c.info.family == Family::collective) {
    return "; on inter-communicators nothing can be in place";
  }
  for (const Param& p : c.info.params) {
    if (p.in_place == InPlace::never) continue;
    return fmt::format("; it may stand for {}{}", p.name,
                       p.in_place == InPlace::root ? " at the root" : "");
  }
  return {};
}

// NULL that MPI would go through: MPI_BOTTOM is NULL in all common libraries, and with a type of
// absolute addresses it is meant. No program has memory below address 0, so a negative displacement
// is no absolute address.
bool reads_zero_page(const Checker& c, std::uint64_t raw) {
  const Datatype* type = c.datatype(raw);
  if (!type || !type->known() || type->type->size == 0) return false;
  return type->type->true_lb < kZeroPage;
}

void fire_null(Checker& c, const Step& step, std::int64_t count, std::uint64_t raw) {
  const Datatype* type = c.datatype(raw);
  c.fire(
      Rule::argument_buffer_null, step.param,
      [&] {
        return fmt::format("{} is NULL: no buffer for {} {}", c.param(step.param).name, count,
                           type ? c.name(*type) : std::string("elements"));
      },
      {}, WrongValue{"buffer", count, type});
  // The library may go through the address much later, when the message comes.
  c.record_damage();
}

bool something_in_place(const Checker& c) {
  for (int i = 0; i < static_cast<int>(c.info.params.size()); ++i) {
    if (c.param(i).kind == Kind::buffer && c.event.address(i) == wire::kInPlace) return true;
  }
  return false;
}

// Which elements of an array of counts say how long the buffer is.
struct Counted {
  std::uint64_t first = 0, end = ~std::uint64_t{0};
  bool nothing() const { return first >= end; }
};

Counted counted(const Checker& c, const Param& p) {
  constexpr Counted kNothing{0, 0};
  const Communicator* comm = c.comm();
  if (!comm) return {};
  // Without neighbours there are no blocks, however many elements one of them would have.
  if (c.info.family == Family::neighbour &&
      (p.dir == Dir::in ? comm->outdegree : comm->indegree) == 0)
    return kNothing;
  // MPI-4.1 6.10.2: the own share alone, but in place it holds the input of all.
  Proc base = c.call.proc();
  while (info(base).base != base) base = info(base).base;
  if (base == Proc::reduce_scatter && p.dir == Dir::out && !something_in_place(c) &&
      comm->rank >= 0) {
    const auto rank = static_cast<std::uint64_t>(comm->rank);
    return {rank, rank + 1};
  }
  return {};
}

void judge_null(Checker& c, const Step& step) {
  const Param& p = c.param(step.param);
  const Counted which = counted(c, p);
  if (p.type_param < 0 || which.nothing()) return;
  if (p.count_param < 0) {  // one element: MPI_Fetch_and_op
    const std::uint64_t raw = c.event.handle(p.type_param);
    if (reads_zero_page(c, raw)) fire_null(c, step, 1, raw);
    return;
  }
  const bool counts_array = c.param(p.count_param).is_array();
  const bool types_array = c.param(p.type_param).is_array();
  if (!counts_array && !types_array) {
    const std::uint64_t raw = c.event.handle(p.type_param);
    if (c.value(p.count_param) > 0 && reads_zero_page(c, raw))
      fire_null(c, step, c.value(p.count_param), raw);
    return;
  }
  const ArrayView types = types_array ? c.event.array(p.type_param) : ArrayView();
  const std::uint64_t n = counts_array ? c.event.array(p.count_param).size() : types.size();
  for (std::uint64_t i = which.first; i < std::min(n, which.end); ++i) {
    const std::int64_t count = c.count_at(p.count_param, i);
    if (count <= 0 || (types_array && i >= types.size())) continue;
    const std::uint64_t raw =
        types_array ? static_cast<std::uint64_t>(types[i]) : c.event.handle(p.type_param);
    if (reads_zero_page(c, raw)) return fire_null(c, step, count, raw);
  }
}

// Send, receive, probe and one-sided calls with MPI_PROC_NULL touch no buffer.
bool to_nobody(const Checker& c, const Step& step) {
  if (step.other < 0 || c.value(step.other) != wire::kProcNull) return false;
  if (c.param(step.param).dir != Dir::inout) return true;
  const int source = c.info.recv.peer;  // MPI_Sendrecv_replace
  return source < 0 || c.value(source) == wire::kProcNull;
}

}  // namespace

// other: the peer, whose absence makes the buffer insignificant.
void check_buffer(Checker& c, const Step& step) {
  const std::uint64_t address = c.event.address(step.param);
  if (address == wire::kInsignificant || to_nobody(c, step) || !c.significant(step.param)) return;
  const Param& p = c.param(step.param);
  if (address == wire::kInPlace) {
    if (allowed_in_place(c, p)) return;
    c.fire(Rule::argument_in_place, step.param, [&] {
      return fmt::format("MPI_IN_PLACE is not defined for {} of {}{}", p.name, c.info.name,
                         in_place_advice(c));
    });
    c.record_damage();
    return;
  }
  if (address == 0) judge_null(c, step);
}

void check_memory(Checker& c, const Step& step) {
  const std::uint64_t address = c.event.address(step.param);
  if (address != 0 && address != wire::kInPlace) return;
  if (step.other < 0 || !c.significant(step.param)) return;
  const std::int64_t bytes = c.value(step.other);
  if (address == wire::kInPlace) {
    c.fire(Rule::argument_in_place, step.param, [&] {
      return fmt::format("MPI_IN_PLACE is not defined for {} of {}", c.param(step.param).name,
                         c.info.name);
    });
    return;
  }
  // A window over all addresses begins at MPI_BOTTOM.
  constexpr std::int64_t kAllMemory = std::int64_t{1} << 40;
  if (bytes <= 0 || bytes >= kAllMemory) return;
  c.fire(Rule::argument_buffer_null, step.param, [&] {
    return fmt::format("{} is NULL: no memory for {}", c.param(step.param).name,
                       count_words(bytes, "byte"));
  });
}

}  // namespace vouch
