#include "analysis/rma/testing/accesses.h"

#include <algorithm>

namespace vouch::rma_programs {
namespace {

class Finder {
 public:
  Finder(const Program& program, const Order& order)
      : program_(program), order_(order), epochs_(lock_epochs(program, order)) {}

  std::vector<Access> find() {
    for (std::size_t i = 0; i < program_.calls.size(); ++i) {
      if (is_operation(program_.calls[i].what))
        operation(i);
      else
        buffers(i);
    }
    return std::move(all_);
  }

 private:
  const Call& call(std::size_t i) const { return program_.calls[i]; }

  void operation(std::size_t i) {
    const Call& c = call(i);
    Access at_target;
    at_target.owner = c.target;
    at_target.bytes = bytes_of(c.type, c.count, program_.target_offset(c));
    at_target.kind = c.what == What::put   ? Kind::write
                     : c.what == What::get ? Kind::read
                                           : Kind::update;
    at_target.at_target = true;
    at_target.starts = {order_.enter(i)};
    if (const int exposed = exposure(i); exposed >= 0) at_target.starts.push_back(exposed);
    const int local = end(i, true);
    at_target.end = c.what == What::get ? local : end(i, false);
    at_target.local_end = local;
    // MPI-4.1 12.5.2: by then it is over at the target, whether its complete has returned or not.
    if (c.what == What::get) at_target.waited = end(i, false);
    add(i, at_target);

    const bool one = c.what == What::compare_and_swap || c.what == What::fetch_and_op;
    // MPI-4.1 12.3.4: with MPI_NO_OP the origin buffer is not used.
    if (c.op != Op::no_op || !is_update(c.what)) {
      own(i, c.what == What::get ? Kind::write : Kind::read,
          one ? bytes_of(c.type, 1, c.buffer) : bytes_of(c.buffer_type, c.buffer_count, c.buffer),
          local);
    }
    if (c.what == What::compare_and_swap) own(i, Kind::read, bytes_of(c.type, 1, c.compare), local);
    if (is_update(c.what) && fetches(c.what))
      own(i, Kind::write, bytes_of(c.type, c.count, c.result), local);
  }

  // Buffers of messages and collectives: from the call to its completion.
  void buffers(std::size_t i) {
    const Call& c = call(i);
    const Bytes bytes = bytes_of(c.buffer_type, c.buffer_count, c.buffer);
    const Bytes result = bytes_of(c.buffer_type, c.buffer_count, c.result);
    const int end = completion(i);
    switch (c.what) {
      case What::load:
      case What::send:
      case What::ssend:
      case What::isend:
        return own(i, Kind::read, bytes, end);
      case What::store:
      case What::recv:
      case What::irecv:
        return own(i, Kind::write, bytes, end);
      case What::bcast:
        return own(i, c.rank == c.target ? Kind::read : Kind::write, bytes, end);
      case What::reduce:
        if (c.rank == c.target) own(i, Kind::write, result, end);
        return own(i, Kind::read, bytes, end);
      case What::allreduce:
        own(i, Kind::write, result, end);
        return own(i, Kind::read, bytes, end);
      default:
        return;
    }
  }

  void own(std::size_t i, Kind kind, const Bytes& bytes, int end) {
    Access a;
    a.owner = call(i).rank;
    a.bytes = bytes;
    a.kind = kind;
    a.of_program = call(i).what == What::load || call(i).what == What::store;
    a.of_message = !is_operation(call(i).what) && !a.of_program;
    a.starts = {order_.enter(i)};
    a.end = a.local_end = end;
    add(i, a);
  }

  void add(std::size_t i, Access a) {
    if (a.bytes.none()) return;
    a.call = i;
    const int by = call(i).rank;
    for (const LockEpoch& e : epochs_) {
      if (e.by != by) continue;
      const bool its_own = a.at_target && e.covers(call(i).window, a.owner);
      const bool of_owner = by == a.owner && (e.target < 0 || e.target == by);
      const bool inside = e.lock < i && a.end >= 0 && a.end <= order_.leave(e.unlock);
      if ((its_own || of_owner) && inside) a.locks.push_back(e.lock);
    }
    all_.push_back(std::move(a));
  }

  int completion(std::size_t i) const {
    if (call(i).request < 0) return order_.leave(i);
    for (const std::size_t c : order_.after(i)) {
      if (waits_for(c, i)) return order_.leave(c);
    }
    return -1;
  }
  bool waits_for(std::size_t c, std::size_t i) const {
    const auto& of = call(c).requests;
    return call(i).request >= 0 && std::find(of.begin(), of.end(), call(i).request) != of.end();
  }

  // Where an operation is complete, at its caller or also at the target.
  int end(std::size_t i, bool local) const {
    const Call& o = call(i);
    for (const std::size_t c : order_.after(i)) {
      if (waits_for(c, i) && local) return order_.leave(c);
      const Call& s = call(c);
      if (s.window != o.window) continue;
      const bool mine = s.target == o.target;
      switch (s.what) {
        case What::fence:
          return order_.enter(c);
        case What::complete:
          return local ? order_.leave(c) : waited(s, o.target);
        case What::unlock:
        case What::flush:
          if (mine) return order_.leave(c);
          break;
        case What::unlock_all:
        case What::flush_all:
          return order_.leave(c);
        case What::flush_local:
          if (mine && local) return order_.leave(c);
          break;
        case What::flush_local_all:
          if (local) return order_.leave(c);
          break;
        default:
          break;
      }
    }
    return -1;
  }
  int waited(const Call& complete, int target) const {
    for (std::size_t k = 0; k < program_.calls.size(); ++k) {
      const Call& c = call(k);
      if (c.meeting == complete.meeting && (c.what == What::wait || c.what == What::test) &&
          c.rank == target)
        return order_.leave(k);
    }
    return -1;
  }

  // The point at which the target has exposed its memory.
  int exposure(std::size_t i) const {
    const Call& o = call(i);
    for (std::size_t k = i; k-- > 0;) {
      const Call& c = call(k);
      if (c.rank != o.rank || c.window != o.window) continue;
      if (c.what == What::lock || c.what == What::lock_all || c.what == What::create) return -1;
      if (c.what != What::fence && c.what != What::start) continue;
      for (std::size_t m = 0; m < program_.calls.size(); ++m) {
        const Call& t = call(m);
        if (t.meeting == c.meeting && t.rank == o.target &&
            t.what == (c.what == What::fence ? What::fence : What::post))
          return order_.enter(m);
      }
      return -1;
    }
    return -1;
  }

  const Program& program_;
  const Order& order_;
  std::vector<LockEpoch> epochs_;
  std::vector<Access> all_;
};

}  // namespace

std::vector<Access> accesses(const Program& program, const Order& order) {
  return Finder(program, order).find();
}

std::vector<LockEpoch> lock_epochs(const Program& program, const Order& order) {
  std::vector<LockEpoch> all;
  for (std::size_t i = 0; i < program.calls.size(); ++i) {
    const Call& c = program.calls[i];
    if (c.what != What::lock && c.what != What::lock_all) continue;
    const bool one = c.what == What::lock;
    LockEpoch e{i, program.calls.size(), c.window, c.rank, one ? c.target : -1, c.exclusive};
    for (const std::size_t k : order.after(i)) {
      const Call& u = program.calls[k];
      if (u.window != c.window || u.what != (one ? What::unlock : What::unlock_all)) continue;
      if (one && u.target != c.target) continue;
      e.unlock = k;
      break;
    }
    all.push_back(e);
  }
  return all;
}

}  // namespace vouch::rma_programs
