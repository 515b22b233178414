#include "analysis/rma/testing/shrink.h"

#include <algorithm>

#include "analysis/rma/testing/accesses.h"
#include "analysis/rma/testing/reference.h"

namespace vouch::rma_programs {
namespace {

// Calls that can go only together, with the operations in their epoch.
std::vector<std::size_t> unit_of(const Program& p, std::size_t i) {
  const Call& c = p.calls[i];
  std::vector<std::size_t> unit{i};
  if (c.what == What::lock || c.what == What::lock_all) {
    for (const LockEpoch& e : lock_epochs(p, Order(p))) {
      if (e.lock != i) continue;
      for (std::size_t k = i + 1; k < e.unlock; ++k) {
        const Call& o = p.calls[k];
        const bool inside = o.rank == c.rank && o.window == c.window &&
                            (c.what == What::lock_all || o.target == c.target);
        if (inside && o.what != What::sync) unit.push_back(k);
      }
      unit.push_back(e.unlock);
    }
    return unit;
  }
  if (c.meeting == 0) return unit;
  unit.clear();
  const auto meets = [&](const Call& o) { return o.meeting == c.meeting; };
  std::vector<bool> started(static_cast<std::size_t>(p.ranks));
  for (std::size_t k = 0; k < p.calls.size(); ++k) {
    const Call& o = p.calls[k];
    const auto r = static_cast<std::size_t>(o.rank);
    if (meets(o)) unit.push_back(k);
    if (meets(o) && o.what == What::start) started[r] = true;
    if (meets(o) && o.what == What::complete) started[r] = false;
    if (started[r] && is_operation(o.what) && o.window == c.window) unit.push_back(k);
  }
  return unit;
}

// A fence between two others: then one epoch is what were two.
bool is_between(const Program& p, const Call& fence) {
  bool before = false, after = false;
  for (const Call& c : p.calls) {
    if (c.what != What::fence || c.window != fence.window || c.rank != fence.rank) continue;
    if (c.meeting < fence.meeting) before = !c.closes;
    if (c.meeting > fence.meeting && !after) {
      if (c.opens) return false;
      after = true;
    }
  }
  return before && after && !fence.closes;
}

bool may_go(const Program& p, const Call& c) {
  switch (c.what) {
    case What::fence:
      return is_between(p, c);
    case What::create:
    case What::free:
    case What::unlock:
    case What::unlock_all:
    case What::wait_requests:
      return false;
    default:
      return true;
  }
}

Program without(Program p, std::vector<std::size_t> calls) {
  std::sort(calls.begin(), calls.end());
  for (auto i = calls.rbegin(); i != calls.rend(); ++i) p = without(p, *i);
  return p;
}

// Simpler in itself.
std::vector<Program> simpler(const Program& p, std::size_t i) {
  std::vector<Program> all;
  const Call& c = p.calls[i];
  const auto with = [&](auto change) {
    all.push_back(p);
    change(all.back().calls[i]);
  };
  if (is_operation(c.what) && c.request >= 0) {
    Program plain = p;
    for (Call& w : plain.calls) {
      if (w.rank == c.rank) std::erase(w.requests, c.request);
    }
    std::erase_if(plain.calls, [](const Call& w) {
      return w.what == What::wait_requests && w.requests.empty();
    });
    for (Call& o : plain.calls) {
      if (o.rank == c.rank && o.request == c.request) o.request = -1;
    }
    all.push_back(plain);
  }
  if (c.what == What::fence && (c.opens || c.closes)) {
    Program plain = p;
    for (Call& f : plain.calls) {
      if (f.what == What::fence && f.meeting == c.meeting) f.opens = f.closes = false;
    }
    all.push_back(plain);
  }
  if (is_operation(c.what) && (c.type != 0 || c.count != 1)) {
    with([](Call& o) { o.type = o.buffer_type = 0, o.count = o.buffer_count = 1; });
  }
  if (c.exclusive) with([](Call& o) { o.exclusive = false; });
  return all;
}

}  // namespace

Program without(const Program& program, std::size_t call) {
  Program p = program;
  const int request = p.calls[call].request, rank = p.calls[call].rank;
  p.calls.erase(p.calls.begin() + static_cast<std::ptrdiff_t>(call));
  if (request < 0) return p;
  for (Call& c : p.calls) {
    if (c.rank == rank) std::erase(c.requests, request);
  }
  std::erase_if(p.calls,
                [](const Call& c) { return c.what == What::wait_requests && c.requests.empty(); });
  return p;
}

Program shrink(Program p, const std::function<bool(const Program&)>& wanted) {
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (std::size_t i = p.calls.size(); i-- > 0;) {
      if (i >= p.calls.size()) continue;
      std::vector<Program> all = simpler(p, i);
      if (may_go(p, p.calls[i])) all.insert(all.begin(), without(p, unit_of(p, i)));
      for (Program& next : all) {
        if (!wanted(next)) continue;
        p = std::move(next);
        smaller = true;
        break;
      }
    }
  }
  return p;
}

Program with_races(Program p, std::size_t most) {
  for (std::set<Pair> left = races(p); left.size() > most; left = races(p)) {
    const std::string& site = left.begin()->second;
    const auto at =
        std::find_if(p.calls.begin(), p.calls.end(), [&](const Call& c) { return c.site == site; });
    if (is_operation(at->what)) {
      p = without(p, static_cast<std::size_t>(at - p.calls.begin()));
    } else {
      at->buffer = kMemory - 32;
      at->result = kMemory - 64;
    }
  }
  return p;
}

}  // namespace vouch::rma_programs
