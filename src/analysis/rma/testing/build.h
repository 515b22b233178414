// Programs by hand: a window of 64 bytes at each rank, ints, sites by name. For tests.

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "analysis/rma/testing/program.h"

namespace vouch::rma_programs {

struct Build {
  explicit Build(int ranks = 2) {
    program.ranks = ranks;
    window();
  }

  // All ranks make it.
  int window(int base = 0, Window::Flavour flavour = Window::Flavour::create) {
    const auto n = static_cast<std::size_t>(program.ranks);
    program.windows.push_back(
        {flavour, std::vector<int>(n, base), std::vector<int>(n, kArray), std::vector<int>(n, 1)});
    const int w = static_cast<int>(program.windows.size()) - 1;
    all({.what = What::create, .window = w});
    return w;
  }
  Build& add(Call c) {
    program.calls.push_back(std::move(c));
    return *this;
  }
  Build& all(Call c) {
    if (c.meeting == 0) c.meeting = ++meetings;
    for (c.rank = 0; c.rank < program.ranks; ++c.rank) add(c);
    return *this;
  }

  Build& fence(int window = 0) { return all({.what = What::fence, .window = window}); }
  Build& barrier() { return all({.what = What::barrier}); }
  Build& lock_all(int rank) { return sync(What::lock_all, rank); }
  Build& unlock_all(int rank) { return sync(What::unlock_all, rank); }
  Build& lock(int rank, int target, bool exclusive = false, int window = 0) {
    return add({.what = What::lock,
                .rank = rank,
                .window = window,
                .target = target,
                .exclusive = exclusive});
  }
  Build& unlock(int rank, int target, int window = 0) {
    return add({.what = What::unlock, .rank = rank, .window = window, .target = target});
  }
  Build& flush(int rank, int target, int window = 0) {
    return add({.what = What::flush, .rank = rank, .window = window, .target = target});
  }
  Build& sync(What what, int rank, int target = -1) {
    return add({.what = what, .rank = rank, .window = 0, .target = target});
  }
  Build& exposure(What what, int rank, int session, std::vector<int> group = {}) {
    return add(
        {.what = what, .rank = rank, .window = 0, .meeting = 1000 + session, .group = group});
  }

  // An operation whose buffers at the caller are its own.
  Call op(What what, int rank, int target, const char* site, int disp = 0) {
    const int mine = kPrivate + 64 * ++operations;
    return {.what = what,
            .rank = rank,
            .site = site,
            .window = 0,
            .target = target,
            .disp = disp,
            .buffer = mine,
            .result = mine + 16,
            .compare = mine + 32};
  }
  Build& put(int rank, int target, const char* site, int disp = 0) {
    return add(op(What::put, rank, target, site, disp));
  }
  Build& get(int rank, int target, const char* site, int disp = 0) {
    return add(op(What::get, rank, target, site, disp));
  }
  Build& update(int rank, int target, const char* site, Op o, int disp = 0,
                Basic basic = Basic::int_) {
    Call c = op(What::accumulate, rank, target, site, disp);
    c.op = o;
    c.type = c.buffer_type = predefined(basic);
    return add(c);
  }
  Build& fetch(int rank, int target, const char* site, Op o, int disp = 0) {
    Call c = op(What::fetch_and_op, rank, target, site, disp);
    c.op = o;
    return add(c);
  }
  Build& swap(int rank, int target, const char* site, int disp = 0) {
    return add(op(What::compare_and_swap, rank, target, site, disp));
  }
  // With its buffer at this offset.
  Build& with(Call c, int buffer) {
    c.buffer = buffer;
    return add(c);
  }
  Build& load(int rank, int at, const char* site) {
    return add({.what = What::load, .rank = rank, .site = site, .buffer = at});
  }
  Build& store(int rank, int at, const char* site) {
    return add({.what = What::store, .rank = rank, .site = site, .buffer = at});
  }
  // A message without memory of interest.
  Build& message(int from, int to) {
    ++meetings;
    add({.what = What::send, .rank = from, .target = to, .meeting = meetings, .buffer = kLast});
    return add(
        {.what = What::recv, .rank = to, .target = from, .meeting = meetings, .buffer = kLast});
  }

  static constexpr int kLast = kMemory - 64;
  Program program;
  int meetings = 0, operations = 0;
};

}  // namespace vouch::rma_programs
