#include "explore/testing/examples.h"

namespace vouch::explore {

using predict::kAny;
using predict::SyncKind;

Simulated crooked_barrier() {
  return {{[](Rank& me) -> Task {
             const auto a = me.isend(1, 0, 22);
             co_await me.sync();
             co_await me.wait(a);
           },
           [](Rank& me) -> Task {
             const auto h = me.ireceive(kAny);
             co_await me.sync();
             co_await me.receive(kAny);
             const Seen x = co_await me.wait(h);
             if (x.value == 33) me.fail();
           },
           [](Rank& me) -> Task {
             co_await me.sync();
             const auto b = me.isend(1, 0, 33);
             co_await me.wait(b);
           }}};
}

Simulated late_prefix() {
  const auto sender = [](Rank& me) -> Task { co_await me.send(3, 5); };
  return {{[](Rank& me) -> Task {
             co_await me.receive(kAny, 2);
             co_await me.receive(kAny, kAny);
           },
           sender, sender,
           [](Rank& me) -> Task {
             const Seen x = co_await me.receive(kAny, 5);
             co_await me.send(0, x.source == 1 ? 1 : 2);
             co_await me.receive(kAny, 5);
           },
           [](Rank& me) -> Task { co_await me.send(0, 2); }}};
}

Simulated n_receives(int senders, int rounds) {
  Simulated p;
  p.ranks.push_back([=](Rank& me) -> Task {
    std::vector<int> left(static_cast<std::size_t>(senders), rounds);
    for (int i = 0; i < rounds; ++i) {
      const Seen m = co_await me.receive(kAny);
      --left[static_cast<std::size_t>(m.source - 1)];
    }
    for (int s = 0; s < senders; ++s)
      for (int i = 0; i < left[static_cast<std::size_t>(s)]; ++i) co_await me.receive(s + 1);
  });
  for (int s = 0; s < senders; ++s)
    p.ranks.push_back([=](Rank& me) -> Task {
      for (int i = 0; i < rounds; ++i) co_await me.send(0);
    });
  return p;
}

Simulated phases(int senders, int rounds, int marked, bool regions) {
  Simulated p;
  p.ranks.push_back([=](Rank& me) -> Task {
    for (int i = 0; i < rounds; ++i) {
      if (i < marked) me.pcontrol(1);
      if (regions) me.pcontrol(2 + i);
      for (int s = 0; s < senders; ++s) co_await me.receive(kAny);
      if (i < marked) me.pcontrol(0);
      co_await me.sync();
    }
  });
  for (int s = 0; s < senders; ++s)
    p.ranks.push_back([=](Rank& me) -> Task {
      for (int i = 0; i < rounds; ++i) {
        co_await me.send(0);
        co_await me.sync();
      }
    });
  return p;
}

Simulated matmul(int workers, int blocks) {
  constexpr int kWork = 1, kStop = 2, kResult = 3;
  Simulated p;
  p.ranks.push_back([=](Rank& me) -> Task {
    co_await me.sync(SyncKind::from_root, 0);
    int dealt = 0;
    for (int w = 1; w <= workers && dealt < blocks; ++w, ++dealt) co_await me.send(w, kWork);
    for (int done = 0; done < blocks; ++done) {
      const Seen m = co_await me.receive(kAny, kResult);
      const bool more = dealt < blocks;
      dealt += more;
      co_await me.send(m.source, more ? kWork : kStop);
    }
  });
  for (int w = 0; w < workers; ++w)
    p.ranks.push_back([=](Rank& me) -> Task {
      co_await me.sync(SyncKind::from_root, 0);
      for (;;) {
        const Seen m = co_await me.receive(0, kAny);
        if (m.tag == kStop) break;
        co_await me.send(0, kResult);
      }
    });
  return p;
}

Simulated probe_loop(int senders) {
  Simulated p;
  p.ranks.push_back([=](Rank& me) -> Task {
    for (int i = 0; i < senders; ++i) {
      const Seen m = co_await me.probe(kAny);
      co_await me.receive(m.source);
    }
  });
  for (int s = 0; s < senders; ++s)
    p.ranks.push_back([](Rank& me) -> Task { co_await me.send(0); });
  return p;
}

}  // namespace vouch::explore
