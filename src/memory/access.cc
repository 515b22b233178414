#include "memory/access.h"

#include <algorithm>

#include "model/saturate.h"

namespace vouch {
namespace {

std::int8_t index(int i) { return static_cast<std::int8_t>(i); }

Times times_of(Proc base, bool sends) {
  switch (base) {
    case Proc::gather:
    case Proc::allgather:
      return sends ? Times::once : Times::peers;
    case Proc::scatter:
      return sends ? Times::peers : Times::once;
    case Proc::alltoall:
      return Times::peers;
    case Proc::reduce_scatter_block:
      return sends ? Times::local : Times::once;
    case Proc::reduce_scatter:
      return sends ? Times::sum : Times::own;
    case Proc::neighbor_allgather:
      return sends ? Times::once : Times::indegree;
    case Proc::neighbor_alltoall:
      return sends ? Times::outdegree : Times::indegree;
    default:
      return Times::once;
  }
}

Proc plain_proc(Proc proc) {
  while (info(proc).base != proc) proc = info(proc).base;
  return proc;
}

Side side_of(Proc proc, const ProcInfo& about, int i) {
  const Param& p = about.params[static_cast<std::size_t>(i)];
  const Proc base = plain_proc(proc);
  const bool sends = p.dir == Dir::in;
  Side s;
  s.buffer = index(i);
  s.count = p.count_param;
  s.type = p.type_param;
  s.touch = sends ? Touch::read : Touch::write;
  s.times = times_of(base, sends);
  if (about.family == Family::pack && s.type < 0) {
    s.touch = sends ? Touch::packed_read : Touch::packed_write;
    return s;
  }
  if (base == Proc::bcast) s.touch = Touch::root_reads;
  if (about.family == Family::partitioned) s.times = Times::partition;
  if (about.family == Family::p2p || about.family == Family::partitioned) {
    s.peer = sends ? about.send.peer : about.recv.peer;
    if (p.dir == Dir::inout) {
      s.touch = Touch::replace;
      s.partner = about.send.peer;
    }
  }
  s.types_array = s.type >= 0 && about.params[static_cast<std::size_t>(s.type)].is_array();
  if (s.count >= 0 && about.params[static_cast<std::size_t>(s.count)].is_array() &&
      s.times == Times::once) {
    s.times = Times::counts;
    s.displs = index(s.count + 1);
  }
  return s;
}

bool touches_memory(Proc proc, const ProcInfo& about) {
  switch (about.family) {
    case Family::p2p:
    case Family::partitioned:
    case Family::collective:
    case Family::neighbour:
    case Family::io:
    case Family::op:
      return true;
    case Family::pack:
      return plain_proc(proc) == Proc::pack || plain_proc(proc) == Proc::unpack;
    default:
      return false;
  }
}

}  // namespace

AccessPlan access_plan(Proc proc) {
  AccessPlan plan;
  const ProcInfo& about = info(proc);
  if (!touches_memory(proc, about)) return plan;
  for (int i = 0; i < static_cast<int>(about.params.size()); ++i) {
    const Param& p = about.params[static_cast<std::size_t>(i)];
    if (p.kind != Kind::buffer || p.is_array()) continue;
    const bool described = p.type_param >= 0 && p.count_param >= 0;
    if (!described && about.family != Family::pack) continue;
    plan.sides.push_back(side_of(proc, about, i));
  }
  plan.comm = index(about.first(Kind::comm, Dir::in));
  plan.root = index(about.first(Kind::root, Dir::in));
  plan.message = index(about.first(Kind::message, Dir::inout));
  plan.position = index(about.param(Arg::position));
  plan.partitions = about.at.partitions;
  plan.neighbour = about.family == Family::neighbour;
  const Proc base = plain_proc(proc);
  plan.reads_once = base == Proc::scatter || base == Proc::scatterv;
  plan.rooted_blocks = base == Proc::gatherv || base == Proc::scatterv;
  plan.reduces_scatter = base == Proc::reduce_scatter || base == Proc::reduce_scatter_block;
  plan.judges =
      plan.sides.size() > 1 || (plan.sides.size() == 1 && plan.sides[0].touch != Touch::read);
  plan.scalar = plan.sides.size() <= 2;
  const auto word = [&](std::int8_t param) {
    return param < 0 ? std::int8_t{-1} : about.params[static_cast<std::size_t>(param)].enter_word;
  };
  plan.comm_word = word(plan.comm);
  for (Side& side : plan.sides) {
    side.buffer_word = word(side.buffer);
    side.count_word = word(side.count);
    side.type_word = word(side.type);
    side.peer_word = word(side.peer);
    plan.scalar &=
        side.type >= 0 && !side.types_array &&
        (side.times == Times::once || side.times == Times::peers || side.times == Times::local);
  }
  return plan;
}

namespace {

struct Collector {
  const AccessPlan& plan;
  const Process& process;
  const Event& enter;
  std::vector<Region>& regions;
  const Communicator* comm = nullptr;

  std::int64_t root() const { return plan.root >= 0 ? enter.value(plan.root) : 0; }

  bool significant(const Param& p) const {
    if (p.significant == Significant::everywhere) return true;
    if (comm == nullptr) return false;
    switch (p.significant) {
      case Significant::root:
        return comm->inter() ? root() == wire::kRoot : root() == comm->rank;
      case Significant::leaf:
        return !comm->inter() || (root() != wire::kRoot && root() != wire::kProcNull);
      case Significant::both:
        return !comm->inter() || root() != wire::kProcNull;
      case Significant::not_first:
        return comm->rank != 0;
      default:
        return true;
    }
  }

  const TypeRef* type(std::uint64_t raw) const {
    const Datatype* d = process.datatypes.find(raw);
    return d != nullptr && d->known() && !d->poisoned ? &d->type : nullptr;
  }

  void put(Region r, const Side& side, bool writes, int block) {
    if (r.empty()) return;
    r.writes = writes;
    r.param = side.buffer;
    r.block = block;
    // Blocks that are read one behind the other are one range; what is written keeps its blocks,
    // which must not overlap.
    if (block > 0 && !writes && r.dense() && !regions.empty()) {
      Region& last = regions.back();
      if (last.param == side.buffer && last.dense() && last.hi == r.lo) {
        last.hi = r.hi;
        return;
      }
    }
    regions.push_back(std::move(r));
  }

  // Whether neighbour i of a Cartesian topology is there; its blocks are not touched otherwise
  // (MPI-4.1 8.6). In a grid whose shape was not seen there is none.
  bool neighbour_exists(std::int64_t i) const {
    if (comm->topology != Topology::cart) return true;
    const auto dims = static_cast<std::int64_t>(comm->dims.size());
    if (dims == 0 || comm->periods.size() != comm->dims.size() || i >= 2 * dims) return false;
    const auto d = static_cast<std::size_t>(i / 2);
    if (comm->periods[d]) return true;
    std::int64_t below = 1;
    for (std::size_t k = d + 1; k < comm->dims.size(); ++k) below *= comm->dims[k];
    if (below <= 0 || comm->dims[d] <= 0) return false;
    const std::int64_t coordinate = comm->rank / below % comm->dims[d] + (i % 2 == 0 ? -1 : 1);
    return coordinate >= 0 && coordinate < comm->dims[d];
  }

  void blocks(const Side& side, std::int64_t at, bool writes) {
    const ArrayView counts = enter.array(side.count), displs = enter.array(side.displs);
    const ArrayView types = side.types_array ? enter.array(side.type) : ArrayView();
    const TypeRef* all = nullptr;
    if (!side.types_array) {
      all = type(enter.handle(side.type));
      if (all == nullptr) return;
    }
    std::int64_t left_out = -1;
    if (plan.rooted_blocks) {
      for (const Side& other : plan.sides)
        if (enter.address(other.buffer) == wire::kInPlace && comm != nullptr) left_out = comm->rank;
    }
    const std::uint64_t n = std::min(counts.size(), displs.size());
    for (std::uint64_t i = 0; i < n; ++i) {
      if (counts[i] <= 0 || static_cast<std::int64_t>(i) == left_out) continue;
      if (plan.neighbour && !neighbour_exists(static_cast<std::int64_t>(i))) continue;
      const TypeRef* t = all;
      if (side.types_array) {
        t = i < types.size() ? type(static_cast<std::uint64_t>(types[i])) : nullptr;
        if (t == nullptr) continue;
      }
      const std::int64_t shift = side.types_array ? displs[i] : mul(displs[i], (*t)->extent());
      put(region_of(*t, add(at, shift), counts[i]), side, writes, static_cast<int>(i));
    }
  }

  // Blocks of one size; those of absent neighbours are left out.
  void neighbours(const Side& side, const TypeRef& t, std::int64_t at, std::int64_t count,
                  std::int64_t n, bool writes) {
    for (std::int64_t i = 0; i < n; ++i) {
      if (neighbour_exists(i))
        put(region_of(t, add(at, mul(mul(i, count), t->extent())), count), side, writes,
            static_cast<int>(i));
    }
  }

  void partitions(const Side& side, const TypeRef& t, std::int64_t at, std::int64_t count,
                  bool writes) {
    const std::int64_t n = enter.value(plan.partitions);
    constexpr std::int64_t kMost = 1 << 20;
    if (n > kMost) return;
    for (std::int64_t i = 0; i < n; ++i) {
      Region r = region_of(t, add(at, mul(mul(i, count), t->extent())), count);
      r.writes = writes;
      r.param = side.buffer;
      r.block = static_cast<int>(i);
      regions.push_back(std::move(r));
    }
  }

  void packed(const Side& side, std::int64_t at) {
    const std::int64_t bytes = packed_bytes(plan, process, enter);
    const std::int64_t position = enter.value(plan.position);
    if (bytes <= 0 || position < 0) return;
    Region r;
    r.lo = add(at, position);
    r.hi = add(r.lo, bytes);
    put(std::move(r), side, side.touch == Touch::packed_write, -1);
  }

  void side(const Side& s) {
    const std::uint64_t address = enter.address(s.buffer);
    if (address == wire::kInPlace || address == wire::kInsignificant) return;
    const Param& p = enter.info().params[static_cast<std::size_t>(s.buffer)];
    if (!significant(p)) return;
    const auto at = static_cast<std::int64_t>(address);
    bool writes = s.touch == Touch::write;
    switch (s.touch) {
      case Touch::packed_read:
      case Touch::packed_write:
        return packed(s, at);
      case Touch::root_reads:
        if (comm == nullptr) return;
        writes = comm->inter() ? root() != wire::kRoot : root() != comm->rank;
        break;
      case Touch::replace: {
        const bool comes = enter.value(s.peer) != wire::kProcNull;
        if (!comes && enter.value(s.partner) == wire::kProcNull) return;
        writes = comes;
        break;
      }
      default:
        if (s.peer >= 0 && enter.value(s.peer) == wire::kProcNull) return;
    }
    if (s.times == Times::counts) return blocks(s, at, writes);
    const TypeRef* found = type(enter.handle(s.type));
    if (found == nullptr) return;
    const TypeRef& t = *found;
    if (s.times == Times::sum || s.times == Times::own) {
      const ArrayView counts = enter.array(s.count);
      std::int64_t n = 0;
      if (s.times == Times::sum) {
        for (std::uint64_t i = 0; i < counts.size(); ++i) n = add(n, counts[i]);
      } else if (comm != nullptr && comm->rank >= 0 &&
                 static_cast<std::uint64_t>(comm->rank) < counts.size()) {
        n = counts[static_cast<std::uint64_t>(comm->rank)];
      }
      return put(region_of(t, at, n), s, writes, -1);
    }
    const std::int64_t count = enter.value(s.count);
    if (count <= 0) return;
    switch (s.times) {
      case Times::once:
        return put(region_of(t, at, count), s, writes, -1);
      case Times::partition:
        return partitions(s, t, at, count, writes);
      default:
        break;
    }
    if (comm == nullptr) return;
    switch (s.times) {
      case Times::peers:
        return put(region_of(t, at, mul(count, comm->peer_size())), s, writes, -1);
      case Times::local:
        return put(region_of(t, at, mul(count, comm->size)), s, writes, -1);
      case Times::indegree:
        return neighbours(s, t, at, count, comm->indegree, writes);
      default:
        return neighbours(s, t, at, count, comm->outdegree, writes);
    }
  }
};

}  // namespace

void collect(const AccessPlan& plan, const Process& process, const Event& enter,
             std::vector<Region>& regions) {
  Collector c{plan, process, enter, regions};
  // MPI-4.1 3.8.2: there is no message to receive.
  if (plan.message >= 0 &&
      process.constant_of(Kind::message, enter.handle(plan.message)) == Constant::message_no_proc)
    return;
  if (plan.comm >= 0) {
    c.comm = process.comms.find(enter.handle(plan.comm));
    if (c.comm == nullptr || c.comm->poisoned) return;
  }
  for (const Side& s : plan.sides) c.side(s);
  if (plan.reduces_scatter && enter.address(plan.sides[0].buffer) == wire::kInPlace) {
    Side input = plan.sides[0];
    input.buffer = plan.sides[1].buffer;
    c.side(input);
  }
}

std::int64_t packed_bytes(const AccessPlan& plan, const Process& process, const Event& enter) {
  for (const Side& s : plan.sides) {
    if (s.type < 0) continue;
    const Datatype* d = process.datatypes.find(enter.handle(s.type));
    const std::int64_t count = enter.value(s.count);
    if (d == nullptr || !d->known() || d->poisoned || count < 0) return -1;
    return mul(count, d->size());
  }
  return -1;
}

}  // namespace vouch
