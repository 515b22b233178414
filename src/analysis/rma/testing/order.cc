#include "analysis/rma/testing/order.h"

#include <algorithm>
#include <map>

namespace vouch::rma_programs {

Order::Order(const Program& program)
    : program_(program),
      by_rank_(static_cast<std::size_t>(program.ranks)),
      next_(2 * program.calls.size()),
      reached_(2 * program.calls.size()) {
  for (std::size_t i = 0; i < program.calls.size(); ++i) {
    auto& mine = by_rank_[static_cast<std::size_t>(program.calls[i].rank)];
    if (!mine.empty()) add(leave(mine.back()), enter(i));
    add(enter(i), leave(i));
    mine.push_back(i);
  }
  messages();
  collectives();
  exposures();
}

std::vector<std::size_t> Order::after(std::size_t call) const {
  const auto& mine = of(program_.calls[call].rank);
  return {std::upper_bound(mine.begin(), mine.end(), call), mine.end()};
}

bool Order::reaches(int from, int to) const {
  std::vector<bool>& seen = reached_[static_cast<std::size_t>(from)];
  if (seen.empty()) {
    seen.assign(next_.size(), false);
    std::vector<int> stack{from};
    seen[static_cast<std::size_t>(from)] = true;
    while (!stack.empty()) {
      const int at = stack.back();
      stack.pop_back();
      for (const int n : next_[static_cast<std::size_t>(at)]) {
        if (seen[static_cast<std::size_t>(n)]) continue;
        seen[static_cast<std::size_t>(n)] = true;
        stack.push_back(n);
      }
    }
  }
  return seen[static_cast<std::size_t>(to)];
}

bool Order::reaches_forwards(int from, int to, const Order& sure) const {
  std::vector<bool> seen(next_.size());
  std::vector<int> stack{from};
  seen[static_cast<std::size_t>(from)] = true;
  const int call = from - from % 2;
  while (!stack.empty()) {
    const int at = stack.back();
    stack.pop_back();
    if (at == to) return true;
    for (const int n : next_[static_cast<std::size_t>(at)]) {
      if (seen[static_cast<std::size_t>(n)] || sure.reaches(n, call)) continue;
      seen[static_cast<std::size_t>(n)] = true;
      stack.push_back(n);
    }
  }
  return false;
}

// MPI-4.1 3.4, 3.5: the receive is complete after the send was called, a synchronous send after its
// receive was posted.
void Order::messages() {
  const auto& calls = program_.calls;
  std::map<int, std::size_t> send, recv;  // by meeting
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (calls[i].what >= What::send && calls[i].what <= What::isend) send[calls[i].meeting] = i;
    if (calls[i].what == What::recv || calls[i].what == What::irecv) recv[calls[i].meeting] = i;
  }
  for (const auto& [meeting, r] : recv) {
    const std::size_t s = send.at(meeting);
    if (calls[s].what == What::ssend) add(enter(r), leave(s));
    std::vector<std::size_t> completes{r};
    if (calls[r].what == What::irecv) {
      completes.clear();
      for (const std::size_t c : after(r)) {
        const auto& of = calls[c].requests;
        if (std::find(of.begin(), of.end(), calls[r].request) != of.end()) completes.push_back(c);
      }
    }
    for (const std::size_t c : completes) add(enter(s), leave(c));
  }
}

void Order::all_to_all(const std::vector<std::size_t>& calls) {
  for (const std::size_t a : calls) {
    for (const std::size_t b : calls) add(enter(a), leave(b));
  }
}

// MPI-4.1 6.1: a collective orders as its data flow; a barrier all. 12.5.1: so does a fence, unless
// all it does is open.
void Order::collectives() {
  const auto& calls = program_.calls;
  std::map<int, std::vector<std::size_t>> meetings;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const What w = calls[i].what;
    if (w == What::create || w == What::free || w == What::fence ||
        (w >= What::barrier && w <= What::allreduce))
      meetings[calls[i].meeting].push_back(i);
  }
  for (const auto& [meeting, all] : meetings) {
    const Call& first = calls[all.front()];
    if (first.what == What::fence && first.opens) continue;
    if (first.what != What::bcast && first.what != What::reduce) {
      all_to_all(all);
      continue;
    }
    if (first.buffer_count == 0) continue;
    for (const std::size_t a : all) {
      if (calls[a].rank != first.target) continue;  // the root
      for (const std::size_t b : all) {
        if (first.what == What::bcast)
          add(enter(a), leave(b));
        else
          add(enter(b), leave(a));
      }
    }
  }
}

// In the epoch that this call completes something was fetched from that rank.
bool Order::fetched(std::size_t complete, int from) const {
  const Call& end = program_.calls[complete];
  bool found = false;
  for (const std::size_t i : of(end.rank)) {
    const Call& c = program_.calls[i];
    if (i == complete) break;
    if (c.window != end.window) continue;
    if (c.what == What::start) found = false;
    if (fetches(c.what) && c.target == from) found = true;
  }
  return found;
}

// MPI-4.1 12.5.2: wait returns after the complete of each origin. A complete returns before the
// post if it likes, but not with data that were fetched from there.
void Order::exposures() {
  const auto& calls = program_.calls;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const Call& c = calls[i];
    if (c.what != What::complete) continue;
    for (std::size_t k = 0; k < calls.size(); ++k) {
      if (calls[k].meeting != c.meeting) continue;
      if (calls[k].what == What::wait || calls[k].what == What::test) add(enter(i), leave(k));
      if (calls[k].what != What::post) continue;
      if (fetched(i, calls[k].rank)) add(enter(k), leave(i));
    }
  }
}

}  // namespace vouch::rma_programs
