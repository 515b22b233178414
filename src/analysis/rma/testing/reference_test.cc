// The reference against programs whose races are known.

#include "analysis/rma/testing/reference.h"

#include <gtest/gtest.h>

#include "analysis/rma/testing/build.h"

namespace vouch::rma_programs {
namespace {

std::string raced(const Build& b) { return print(races(b.program)); }

// lock_all on all ranks around what is done.
template <class F>
Build locked(int ranks, F does) {
  Build b(ranks);
  for (int r = 0; r < ranks; ++r) b.lock_all(r);
  does(b);
  for (int r = 0; r < ranks; ++r) b.unlock_all(r);
  return b;
}

// An origin buffer before the operation is complete, and after.
TEST(RmaReference, origin_buffers) {
  const auto twice = [](What first, What second, int sync) {
    return raced(locked(3, [&](Build& b) {
      b.with(b.op(first, 0, 2, "a"), 500);
      if (sync == 1) b.flush(0, 2);
      if (sync == 2) b.sync(What::flush_local, 0, 2);
      if (sync == 3) b.flush(0, 1);
      b.with(b.op(second, 0, 1, "b"), 500);
    }));
  };
  for (const What first : {What::get, What::put}) {
    for (const What second : {What::get, What::put}) {
      const bool reads = first == What::put && second == What::put;
      EXPECT_EQ(twice(first, second, 0), reads ? "" : "a b\n");
      EXPECT_EQ(twice(first, second, 1), "");
      EXPECT_EQ(twice(first, second, 2), "");
      EXPECT_EQ(twice(first, second, 3), reads ? "" : "a b\n");
    }
  }
  // With the program's own accesses: those before it are over.
  const auto own = [](What what, bool load, bool after) {
    return raced(locked(2, [&](Build& b) {
      if (after) b.with(b.op(what, 0, 1, "a"), 500);
      load ? b.load(0, 500, "b") : b.store(0, 500, "b");
      if (!after) b.with(b.op(what, 0, 1, "a"), 500);
    }));
  };
  EXPECT_EQ(own(What::get, true, true), "a b\n");
  EXPECT_EQ(own(What::get, false, true), "a b\n");
  EXPECT_EQ(own(What::put, true, true), "");
  EXPECT_EQ(own(What::put, false, true), "a b\n");
  for (const What what : {What::get, What::put}) {
    EXPECT_EQ(own(what, true, false), "");
    EXPECT_EQ(own(what, false, false), "");
  }
}

// Each two kinds of access to one byte of rank 1, unordered.
TEST(RmaReference, matrix) {
  enum { o_get, o_put, t_get, t_put, load, store };
  const auto access = [](Build& b, int kind, int number) {
    const char* const site = number == 0 ? "a" : "b";
    const int from = number == 0 ? 0 : 2;
    switch (kind) {
      case o_get:
        return void(b.with(b.op(What::get, 1, from, site, 32 + 8 * number), 0));
      case o_put:
        return void(b.with(b.op(What::put, 1, from, site, 32 + 8 * number), 0));
      case t_get:
        return void(b.get(from, 1, site));
      case t_put:
        return void(b.put(from, 1, site));
      case load:
        return void(b.load(1, 0, site));
      default:
        return void(b.store(1, 0, site));
    }
  };
  const std::string expected[6] = {"XXXXXX", "X..X.X", "X..X.X", "XXXXXX", "X..X..", "XXXX.."};
  for (const bool fenced : {false, true}) {
    for (int first = 0; first < 6; ++first) {
      for (int second = 0; second < 6; ++second) {
        Build b(3);
        fenced ? b.fence() : b.lock_all(0).lock_all(1).lock_all(2);
        access(b, first, 0);
        access(b, second, 1);
        fenced ? b.fence() : b.unlock_all(0).unlock_all(1).unlock_all(2);
        // What the program itself did before it called is over.
        const bool over = first >= load && second <= o_put;
        const bool races = expected[first][static_cast<std::size_t>(second)] == 'X' && !over;
        EXPECT_EQ(raced(b), races ? "a b\n" : "") << first << " " << second;
      }
    }
  }
}

// Completion alone is not enough, nor is a barrier alone.
TEST(RmaReference, epochs_that_nothing_orders) {
  const auto stored = [](bool flush, bool barrier) {
    Build b;
    b.lock_all(0).lock_all(1).put(0, 1, "a");
    if (flush) b.flush(0, 1);
    if (barrier) b.barrier();
    b.store(1, 0, "b");
    return raced(b.unlock_all(0).unlock_all(1));
  };
  EXPECT_EQ(stored(false, false), "a b\n");
  EXPECT_EQ(stored(true, false), "a b\n");
  EXPECT_EQ(stored(false, true), "a b\n");
  EXPECT_EQ(stored(true, true), "");
  Build idle;
  EXPECT_EQ(raced(idle.lock(0, 1).put(0, 1, "a").unlock(0, 1).store(1, 0, "b")), "a b\n");
  Build told;
  told.lock(0, 1).put(0, 1, "a").unlock(0, 1).message(0, 1).store(1, 0, "b");
  EXPECT_EQ(raced(told), "");
  Build other_way;
  other_way.lock(0, 1).put(0, 1, "a").unlock(0, 1).message(1, 0).store(1, 0, "b");
  EXPECT_EQ(raced(other_way), "a b\n");
}

TEST(RmaReference, fences) {
  Build two(3);
  EXPECT_EQ(raced(two.fence().put(0, 1, "a").put(2, 1, "b").fence()), "a b\n");
  Build apart(3);
  EXPECT_EQ(raced(apart.fence().put(0, 1, "a").fence().put(2, 1, "b").fence()), "");
  Build load;
  EXPECT_EQ(raced(load.fence().put(0, 1, "a").load(1, 0, "b").fence().load(1, 0, "c")), "a b\n");
  // Before a fence that only opens the target may still be at work; its own fence comes first.
  Build opening(3);
  opening.store(1, 0, "b").all({.what = What::fence, .window = 0, .opens = true});
  EXPECT_EQ(raced(opening.put(0, 1, "a").fence()), "");
  Build others(3);
  others.lock(2, 1).put(2, 1, "b").unlock(2, 1);
  others.all({.what = What::fence, .window = 0, .opens = true});
  EXPECT_EQ(raced(others.put(0, 1, "a").fence()), "a b\n");
  Build barrier(3);
  barrier.lock(2, 1).put(2, 1, "b").unlock(2, 1).fence().put(0, 1, "a").fence();
  EXPECT_EQ(raced(barrier), "");
}

TEST(RmaReference, post_start_complete_wait) {
  const auto session = [](auto around) {
    Build b(3);
    around(b, 0);
    b.exposure(What::post, 1, 1, {0});
    around(b, 1);
    b.exposure(What::start, 0, 1, {1}).put(0, 1, "a").exposure(What::complete, 0, 1, {});
    around(b, 2);
    b.exposure(What::wait, 1, 1);
    around(b, 3);
    return raced(b);
  };
  const auto store_at = [](int when) {
    return [when](Build& b, int at) {
      if (at == when) b.store(1, 0, "b");
    };
  };
  EXPECT_EQ(session(store_at(0)), "");
  EXPECT_EQ(session(store_at(1)), "a b\n");
  EXPECT_EQ(session(store_at(2)), "a b\n");
  EXPECT_EQ(session(store_at(3)), "");
  // The caller of complete does not know that its data have arrived.
  EXPECT_EQ(session([](Build& b, int at) {
              if (at == 3) b.lock(0, 1).put(0, 1, "b").unlock(0, 1);
            }),
            "a b\n");
  EXPECT_EQ(session([](Build& b, int at) {
              if (at == 3) b.message(1, 0).lock(0, 1).put(0, 1, "b").unlock(0, 1);
            }),
            "");
  // A third process, by lock.
  EXPECT_EQ(session([](Build& b, int at) {
              if (at == 1) b.lock(2, 1).get(2, 1, "b").unlock(2, 1);
            }),
            "a b\n");
}

// What was fetched has come from a target that had called post.
TEST(RmaReference, data_of_an_exposure) {
  const auto found = [](What what) {
    Build b(3);
    b.lock(1, 2).put(1, 2, "a").unlock(1, 2);
    b.exposure(What::post, 1, 1, {0}).exposure(What::start, 0, 1, {1});
    b.add(b.op(what, 0, 1, "c")).exposure(What::complete, 0, 1).exposure(What::wait, 1, 1);
    return raced(b.lock(0, 2).put(0, 2, "b").unlock(0, 2));
  };
  EXPECT_EQ(found(What::get), "");
  EXPECT_EQ(found(What::fetch_and_op), "");
  EXPECT_EQ(found(What::put), "a b\n");
  EXPECT_EQ(found(What::accumulate), "a b\n");
}

TEST(RmaReference, datatypes) {
  const auto found = [](int disp) {
    return raced(locked(3, [&](Build& b) {
      for (const int r : {0, 2}) {
        Call c = b.op(What::put, r, 1, r == 0 ? "a" : "b", r == 0 ? 0 : disp);
        c.type = 6;  // an int in 8 bytes
        c.count = c.buffer_count = 3;
        b.add(c);
      }
    }));
  };
  EXPECT_EQ(found(4), "");
  EXPECT_EQ(found(8), "a b\n");
  EXPECT_EQ(found(3), "a b\n");
  EXPECT_EQ(found(24), "");
}

TEST(RmaReference, one_origin) {
  const auto found = [](auto does) { return raced(locked(2, does)); };
  EXPECT_EQ(found([](Build& b) { b.put(0, 1, "a").put(0, 1, "b"); }), "a b\n");
  EXPECT_EQ(found([](Build& b) { b.put(0, 1, "a").flush(0, 1).put(0, 1, "b"); }), "");
  EXPECT_EQ(found([](Build& b) { b.put(0, 1, "a").sync(What::flush_local, 0, 1).put(0, 1, "b"); }),
            "a b\n");
  EXPECT_EQ(found([](Build& b) { b.get(0, 1, "a").sync(What::flush_local, 0, 1).put(0, 1, "b"); }),
            "");
  EXPECT_EQ(found([](Build& b) { b.put(0, 1, "a").get(0, 1, "b"); }), "a b\n");
  EXPECT_EQ(found([](Build& b) { b.put(0, 1, "a").flush(0, 0).get(0, 1, "b"); }), "a b\n");
  EXPECT_EQ(found([](Build& b) { b.put(0, 1, "a").sync(What::flush_all, 0).get(0, 1, "b"); }), "");
  EXPECT_EQ(found([](Build& b) { b.get(0, 1, "a").get(0, 1, "b"); }), "");
  EXPECT_EQ(found([](Build& b) { b.update(0, 1, "a", Op::replace).fetch(0, 1, "b", Op::no_op); }),
            "");
  EXPECT_EQ(found([](Build& b) { b.update(0, 1, "a", Op::sum).update(0, 1, "b", Op::prod); }), "");
  EXPECT_EQ(found([](Build& b) {
              b.update(0, 1, "a", Op::sum).update(0, 1, "b", Op::sum, 0, Basic::float_);
            }),
            "a b\n");
  EXPECT_EQ(found([](Build& b) { b.put(0, 0, "a").store(0, 0, "b"); }), "a b\n");
  EXPECT_EQ(found([](Build& b) { b.store(0, 0, "b").put(0, 0, "a"); }), "");
}

TEST(RmaReference, updates) {
  const auto found = [](auto does) { return raced(locked(3, does)); };
  const auto both = [&](Op one, Op other, Basic basic = Basic::int_) {
    return found([&](Build& b) { b.update(0, 1, "a", one).update(2, 1, "b", other, 0, basic); });
  };
  EXPECT_EQ(both(Op::sum, Op::sum), "");
  EXPECT_EQ(both(Op::sum, Op::prod), "a b\n");
  EXPECT_EQ(both(Op::sum, Op::no_op), "");
  EXPECT_EQ(both(Op::sum, Op::sum, Basic::float_), "a b\n");
  EXPECT_EQ(both(Op::sum, Op::no_op, Basic::float_), "a b\n");
  EXPECT_EQ(both(Op::no_op, Op::no_op, Basic::float_), "");
  EXPECT_EQ(found([](Build& b) { b.put(0, 1, "a").update(2, 1, "b", Op::sum); }), "a b\n");
  EXPECT_EQ(found([](Build& b) { b.get(0, 1, "a").update(2, 1, "b", Op::sum); }), "a b\n");
  EXPECT_EQ(found([](Build& b) { b.get(0, 1, "a").fetch(2, 1, "b", Op::no_op); }), "");
  EXPECT_EQ(found([](Build& b) { b.put(0, 1, "a").fetch(2, 1, "b", Op::no_op); }), "a b\n");
  EXPECT_EQ(found([](Build& b) { b.swap(0, 1, "a").swap(2, 1, "b"); }), "");
  EXPECT_EQ(found([](Build& b) { b.swap(0, 1, "a").update(2, 1, "b", Op::replace); }), "");
  EXPECT_EQ(found([](Build& b) { b.swap(0, 1, "a").put(2, 1, "b"); }), "a b\n");
  EXPECT_EQ(found([](Build& b) { b.fetch(0, 1, "a", Op::sum).load(1, 0, "b"); }), "a b\n");
  EXPECT_EQ(found([](Build& b) { b.fetch(0, 1, "a", Op::no_op).load(1, 0, "b"); }), "");
  // Two ints, of which one is the other's.
  EXPECT_EQ(found([](Build& b) { b.update(0, 1, "a", Op::sum).update(2, 1, "b", Op::prod, 4); }),
            "");
}

TEST(RmaReference, requests) {
  const auto found = [](What what, bool waits, bool at_target) {
    Build b;
    b.lock_all(0).lock_all(1);
    Call c = b.op(what, 0, 1, "a");
    c.request = 1;
    b.with(c, 500);
    if (waits) b.add({.what = What::wait_requests, .rank = 0, .requests = {1}});
    at_target ? b.put(0, 1, "b") : b.store(0, 500, "b");
    return raced(b.unlock_all(0).unlock_all(1));
  };
  EXPECT_EQ(found(What::get, false, false), "a b\n");
  EXPECT_EQ(found(What::get, true, false), "");
  EXPECT_EQ(found(What::put, true, false), "");
  EXPECT_EQ(found(What::put, true, true), "a b\n");
  EXPECT_EQ(found(What::get, true, true), "");
}

TEST(RmaReference, locks) {
  const auto found = [](bool first, bool second, bool own) {
    Build b(3);
    b.lock(0, 1, first).put(0, 1, "a").unlock(0, 1);
    const int by = own ? 1 : 2;
    b.lock(by, 1, second);
    own ? b.store(1, 0, "b") : b.put(2, 1, "b");
    return raced(b.unlock(by, 1));
  };
  for (const bool own : {false, true}) {
    EXPECT_EQ(found(true, true, own), "");
    EXPECT_EQ(found(true, false, own), "");
    EXPECT_EQ(found(false, true, own), "");
    EXPECT_EQ(found(false, false, own), "a b\n");
  }
  Build inside;
  EXPECT_EQ(raced(inside.lock(0, 1, true).put(0, 1, "a").put(0, 1, "b").unlock(0, 1)), "a b\n");
  Build elsewhere(3);
  elsewhere.lock(0, 1, true).put(0, 1, "a").unlock(0, 1);
  EXPECT_EQ(raced(elsewhere.lock(1, 0, true).store(1, 0, "b").unlock(1, 0)), "a b\n");
}

TEST(RmaReference, windows_over_one_array) {
  Build b(3);
  const int w = b.window();
  b.lock(0, 1).put(0, 1, "a").unlock(0, 1).lock(2, 1, true, w);
  Call c = b.op(What::put, 2, 1, "b");
  c.window = w;
  EXPECT_EQ(raced(b.add(c).unlock(2, 1, w)), "a b\n");
  Build updates(3);
  const int v = updates.window();
  updates.lock(0, 1).update(0, 1, "a", Op::sum).unlock(0, 1).lock(2, 1, false, v);
  Call u = updates.op(What::accumulate, 2, 1, "b");
  u.window = v;
  EXPECT_EQ(raced(updates.add(u).unlock(2, 1, v)), "a b\n");
  // A window that was made elsewhere in the array.
  Build shifted(3);
  shifted.program.windows.front().base.assign(3, 8);
  shifted.lock(0, 1).put(0, 1, "a").unlock(0, 1).store(1, 0, "b").store(1, 8, "c");
  EXPECT_EQ(raced(shifted), "a c\n");
}

// What one process has completed, another may know from memory.
TEST(RmaReference, order_through_memory) {
  const auto found = [](auto publish, auto look) {
    Build b(4);
    for (int r = 0; r < 4; ++r) b.lock_all(r);
    b.put(0, 1, "a").flush(0, 1);
    publish(b);
    look(b);
    b.put(2, 1, "b");
    for (int r = 0; r < 4; ++r) b.unlock_all(r);
    return raced(b);
  };
  const auto nothing = [](Build&) {};
  const auto sets = [](Build& b) { b.update(0, 3, "f", Op::replace, 8); };
  const auto polls = [](Build& b) { b.fetch(2, 3, "g", Op::no_op, 8).flush(2, 3); };
  EXPECT_EQ(found(nothing, nothing), "a b\n");
  EXPECT_EQ(found(sets, nothing), "a b\n");
  EXPECT_EQ(found(nothing, polls), "a b\n");
  EXPECT_EQ(found(sets, polls), "");
  EXPECT_EQ(found(sets, [](Build& b) { b.swap(2, 3, "g", 8).sync(What::flush_local, 2, 3); }), "");
  EXPECT_EQ(found(sets, [](Build& b) { b.fetch(2, 3, "g", Op::no_op, 8); }), "a b\n");
  EXPECT_EQ(found(sets, [](Build& b) { b.fetch(2, 3, "g", Op::no_op, 12).flush(2, 3); }), "a b\n");
  EXPECT_EQ(found(sets, [](Build& b) { b.update(2, 3, "g", Op::replace, 8).flush(2, 3); }),
            "a b\n");
  // By way of a third process.
  EXPECT_EQ(found(sets,
                  [](Build& b) {
                    b.fetch(1, 3, "g", Op::no_op, 8).flush(1, 3).update(1, 3, "h", Op::sum, 16);
                    b.fetch(2, 3, "i", Op::sum, 16).flush(2, 3);
                  }),
            "");
  EXPECT_EQ(
      found(sets, [](Build& b) { b.fetch(1, 3, "g", Op::no_op, 8).flush(1, 3).message(1, 2); }),
      "");
  // It has surely looked before.
  EXPECT_EQ(found([](Build&) {},
                  [&](Build& b) {
                    polls(b);
                    b.message(2, 0);
                    sets(b);
                  }),
            "a b\n");
  // What has not been completed is not published.
  Build early(3);
  early.lock_all(0).lock_all(2).put(0, 1, "a").update(0, 1, "f", Op::replace, 8).flush(0, 1);
  early.fetch(2, 1, "g", Op::no_op, 8).flush(2, 1).put(2, 1, "b").unlock_all(0).unlock_all(2);
  EXPECT_EQ(raced(early), "a b\n");
}

TEST(RmaReference, order_through_critical_sections) {
  const auto found = [](bool exclusive, int cell, int owner) {
    Build b(4);
    b.lock(0, 1).put(0, 1, "a").unlock(0, 1);
    b.lock(0, 3, exclusive).put(0, 3, "f", 8).unlock(0, 3);
    b.lock(2, owner, exclusive).get(2, owner, "g", cell).unlock(2, owner);
    return raced(b.lock(2, 1).put(2, 1, "b").unlock(2, 1));
  };
  EXPECT_EQ(found(true, 8, 3), "");
  EXPECT_EQ(found(false, 8, 3), "a b\nf g\n");
  // Whoever has completed anything under a lock has held it.
  EXPECT_EQ(found(true, 16, 3), "");
  EXPECT_EQ(found(true, 8, 0), "a b\n");
  const auto mutex = [](bool completes) {
    Build b(4);
    for (const int r : {0, 2}) {
      b.lock(r, 3, true).get(r, 3, "g");
      if (completes) b.flush(r, 3);
      b.lock(r, 1).put(r, 1, r == 0 ? "a" : "b").unlock(r, 1).unlock(r, 3);
    }
    return raced(b);
  };
  EXPECT_EQ(mutex(true), "");
  EXPECT_EQ(mutex(false), "a b\n");
  // What was written under the lock itself is published by its unlock.
  Build same(3);
  const int w = same.window();
  same.lock(0, 1, true).put(0, 1, "a").put(0, 1, "f", 8).unlock(0, 1);
  same.lock(2, 1, true).get(2, 1, "g", 8).unlock(2, 1).lock(2, 1, false, w);
  Call c = same.op(What::put, 2, 1, "b");
  c.window = w;
  EXPECT_EQ(raced(same.add(c).unlock(2, 1, w)), "");
  // The owner looks, or publishes, by loads and stores under a lock on itself.
  const auto own = [](bool locked, bool first) {
    Build b(3);
    if (first) b.lock(2, 0).put(2, 0, "a").unlock(2, 0);
    if (first && locked) b.lock(2, 2, true);
    if (first) b.store(2, 8, "s");
    if (first && locked) b.unlock(2, 2);
    b.lock(1, 2, true);
    (first ? b.get(1, 2, "f", 8) : b.lock(1, 0).put(1, 0, "a").unlock(1, 0).put(1, 2, "f", 8));
    b.unlock(1, 2);
    if (!first && locked) b.lock(2, 2, true).unlock(2, 2);
    const int by = first ? 1 : 2;
    return raced(b.lock(by, 0).put(by, 0, "b").unlock(by, 0));
  };
  EXPECT_EQ(own(true, true), "");
  EXPECT_EQ(own(false, true), "a b\nf s\n");
  EXPECT_EQ(own(true, false), "");
  EXPECT_EQ(own(false, false), "a b\n");
}

TEST(RmaReference, sync_shows_updates) {
  const auto found = [](bool sync) {
    Build b(3);
    b.lock_all(0).lock_all(1).lock_all(2).message(1, 0);
    b.put(0, 2, "a").flush(0, 2).update(0, 1, "f", Op::replace, 8);
    if (sync) b.sync(What::sync, 1);
    b.put(1, 2, "b");
    return raced(b.unlock_all(0).unlock_all(1).unlock_all(2));
  };
  EXPECT_EQ(found(true), "");
  EXPECT_EQ(found(false), "a b\n");
}

TEST(RmaReference, collectives_and_messages) {
  const auto found = [](auto does) {
    Build b(3);
    b.lock(0, 1).put(0, 1, "a").unlock(0, 1);
    does(b);
    return raced(b.lock(2, 1).put(2, 1, "b").unlock(2, 1));
  };
  const auto collective = [&](What what, int root, int count = 1) {
    return found([&](Build& b) {
      b.all({.what = what,
             .target = root,
             .buffer = Build::kLast,
             .buffer_count = count,
             .result = Build::kLast + 8});
    });
  };
  EXPECT_EQ(collective(What::barrier, 0), "");
  EXPECT_EQ(collective(What::allreduce, 0), "");
  EXPECT_EQ(collective(What::bcast, 0), "");
  EXPECT_EQ(collective(What::bcast, 1), "a b\n");
  EXPECT_EQ(collective(What::bcast, 0, 0), "a b\n");
  EXPECT_EQ(collective(What::reduce, 2), "");
  EXPECT_EQ(collective(What::reduce, 0), "a b\n");
  EXPECT_EQ(found([](Build& b) { b.message(0, 1).message(1, 2); }), "");
  EXPECT_EQ(found([](Build& b) { b.message(1, 2).message(0, 1); }), "a b\n");
  // A synchronous send is over after its receive was posted.
  EXPECT_EQ(found([](Build& b) {
              b.add({.what = What::ssend, .rank = 2, .target = 0, .meeting = 99, .buffer = 900});
              b.add({.what = What::recv, .rank = 0, .target = 2, .meeting = 99, .buffer = 900});
            }),
            "");
  // Their buffers are accessed from the call to its completion.
  const auto buffer = [](What send, int at) {
    Build b;
    b.lock_all(0).lock_all(1).put(0, 1, "a");
    const Call sends{
        .what = send, .rank = 1, .site = "b", .target = 0, .meeting = 99, .buffer = at};
    b.add(sends).add({.what = What::recv, .rank = 0, .target = 1, .meeting = 99, .buffer = 900});
    return raced(b.unlock_all(0).unlock_all(1));
  };
  EXPECT_EQ(buffer(What::send, 0), "a b\n");
  EXPECT_EQ(buffer(What::send, 4), "");
}

}  // namespace
}  // namespace vouch::rma_programs
