#include "predict/testing/families.h"

#include <algorithm>
#include <cstdlib>
#include <random>
#include <utility>

#include "base/check.h"

namespace vouch::predict {
namespace {

// A builder of blocking calls; every message carries a number of its own unless told.
class Author {
 public:
  explicit Author(int processes) : builder_(processes) {}

  void send(int from, int to, std::int64_t value = 0) {
    builder_.send(from, to, with_value(value));
  }
  void send_without_wait(int from, int to) {
    auto op = with_value(0);
    op.blocking = false;
    builder_.send(from, to, op);
  }
  Builder::Handle receive(int at, int from = kAny) { return builder_.blocking_receive(at, from); }
  void barrier(int processes, SyncKind kind = SyncKind::all) {
    for (int p = 0; p < processes; ++p) builder_.sync(p, 0, kind, 0);
  }

  // At the end of `process`: condition(variable of r).
  ExprId equals(Builder::Handle r, std::int64_t value) {
    return builder_.make(Expr::Kind::equal, builder_.variable(r), builder_.constant(value));
  }
  void assert_at_least(int process, Builder::Handle r, std::int64_t low) {
    builder_.assertion(process, builder_.make(Expr::Kind::less_equal, builder_.constant(low),
                                              builder_.variable(r)));
  }
  // A true one, over everything that was received.
  void assert_all_positive(int process, const std::vector<Builder::Handle>& receives) {
    for (auto r : receives) assert_at_least(process, r, 1);
  }

  Builder& builder() { return builder_; }

  Program finish() && {
    auto program = std::move(builder_).build();
    VOUCH_CHECK(program.ok());
    return std::move(program).value();
  }

 private:
  Operation with_value(std::int64_t value) {
    ++sent_;
    Operation op;
    op.expr = builder_.constant(value == 0 ? sent_ : value);
    return op;
  }

  Builder builder_;
  std::int64_t sent_ = 0;
};

}  // namespace

std::size_t calls(const Program& program) {
  std::size_t count = 0;
  for (const auto& op : program.ops) {
    if (op.kind == OpKind::assume || op.kind == OpKind::assertion) continue;
    count += op.kind == OpKind::send && op.blocking ? 2 : 1;
  }
  return count;
}

std::size_t messages(const Program& program) { return program.all(OpKind::send).size(); }

Program fan_in(int n, FanInQuestion question) {
  Author author(n + 1);
  auto& builder = author.builder();
  std::vector<Builder::Handle> receives;
  for (int i = 1; i <= n; ++i) author.send(i, 0, i);
  for (int i = 1; i <= n; ++i) receives.push_back(author.receive(0));
  ExprId all = kNoExpr;
  const auto fold = [&](Expr::Kind kind, ExprId one) {
    all = all == kNoExpr ? one : builder.make(kind, all, one);
  };
  switch (question) {
    case FanInQuestion::none:
      break;
    case FanInQuestion::one_assignment:
      for (int i = 1; i <= n; ++i) fold(Expr::Kind::both, author.equals(receives[i - 1], i));
      builder.assertion(0, builder.make(Expr::Kind::no, all));
      break;
    case FanInQuestion::one_is_missing:
      for (auto r : receives) fold(Expr::Kind::either, author.equals(r, 1));
      builder.assertion(0, all);
      break;
    case FanInQuestion::sum:
      for (auto r : receives) fold(Expr::Kind::add, builder.variable(r));
      builder.assertion(0, builder.make(Expr::Kind::equal, all, builder.constant(n * (n + 1) / 2)));
      break;
  }
  return std::move(author).finish();
}

Program worst(int senders, int each) {
  Author author(senders + 1);
  for (int i = 1; i <= senders; ++i)
    for (int m = 0; m < each; ++m) author.send(i, 0);
  for (int m = 0; m < senders * each; ++m) author.receive(0);
  return std::move(author).finish();
}

Program deep_comm(int senders, int each) {
  Author author(senders + 1);
  for (int i = 1; i <= senders; ++i)
    for (int m = 0; m < each; ++m) author.send_without_wait(i, 0);
  std::vector<Builder::Handle> receives;
  for (int m = 0; m < senders * each; ++m) receives.push_back(author.receive(0));
  // Fails when the second sender is first.
  author.builder().assertion(0, author.equals(receives.front(), 1));
  return std::move(author).finish();
}

Program leader_election(int n, int saved) {
  // Clockwise n, n - 1, .. 1: the id k passes all smaller ones and stops at n after k hops.
  std::vector<int> ids;
  for (int i = n; i >= 1; --i) ids.push_back(i);
  // Two neighbours a, a - 1 in the other order: a - 1 stops at once, a has one hop less.
  if (saved > 0) std::swap(ids[n - saved - 1], ids[n - saved]);
  Author author(n);
  std::vector<std::vector<int>> inbox(n);
  const auto send = [&](int from, int id) {
    author.send(from, (from + 1) % n, id);
    inbox[(from + 1) % n].push_back(id);
  };
  for (int p = 0; p < n; ++p) send(p, ids[p]);
  const int announce = n + 1;
  for (bool moved = true; moved;) {
    moved = false;
    for (int p = 0; p < n; ++p) {
      for (int id : std::exchange(inbox[p], {})) {
        author.receive(p, (p + n - 1) % n);
        moved = true;
        if (id == ids[p])
          send(p, announce);  // elected
        else if (id > ids[p] && !(id == announce && ids[p] == n))
          send(p, id);
      }
    }
  }
  return std::move(author).finish();
}

Program router(int processes) {
  Author author(processes);
  for (int round = 0; round < 2; ++round)
    for (int p = 0; p < processes; ++p) {
      author.send(p, (p + 1) % processes);
      author.send(p, (p + processes - 1) % processes);
      for (int i = 0; i < 2; ++i) author.assert_at_least(p, author.receive(p), 1);
    }
  author.barrier(processes);
  return std::move(author).finish();
}

Program multi_m(int n) {
  Author author(3);
  for (int i = 0; i < n; ++i) {
    const int base = 10 * i;
    author.send(1, 0, base + 1);
    author.send(2, 0, base + 2);
    const auto first = author.receive(0);
    author.receive(0);
    author.send(0, 1, base + 3);
    author.receive(1);
    author.send(1, 0, base + 4);
    author.receive(0);
    if (i + 1 == n) author.builder().assertion(0, author.equals(first, base + 1));
  }
  return std::move(author).finish();
}

Program pktuse(int tasks, int messages, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Author author(tasks);
  Builder::Handle middle = 0;
  std::int64_t value = 0;
  for (int m = 1; m <= messages; ++m) {
    const int from = static_cast<int>(random() % tasks);
    const int to = static_cast<int>((from + 1 + random() % (tasks - 1)) % tasks);
    author.send(from, to, m);
    const auto receive = author.receive(to);
    if (to != 0 || m > (messages + 1) / 2) continue;
    middle = receive;
    value = m;
  }
  // What task 0 gets in the middle is what came then in this run.
  if (value != 0) author.builder().assertion(0, author.equals(middle, value));
  return std::move(author).finish();
}

Program monte(int processes) {
  Author author(processes);
  for (int p = 1; p < processes; ++p) author.send(0, p);
  std::vector<Builder::Handle> results;
  for (int p = 1; p < processes; ++p) {
    author.receive(p, 0);
    author.send(p, 0);
  }
  author.send_without_wait(0, 0);
  for (int p = 0; p < processes; ++p) results.push_back(author.receive(0));
  author.barrier(processes);
  author.assert_all_positive(0, results);
  author.barrier(processes);
  return std::move(author).finish();
}

Program integrate(int processes) {
  Author author(processes);
  author.barrier(processes, SyncKind::from_root);
  for (int p = 1; p < processes; ++p) author.send(p, 0, p);
  for (int p = 1; p < processes; ++p) {
    const auto r = author.receive(0);
    author.builder().assertion(0, author.equals(r, p));
  }
  return std::move(author).finish();
}

namespace {

// One message along each edge of the grid, its direction such that every cell is a cycle: all send
// before they receive, so without buffers nobody begins.
void halo(Author& author, int rows, int columns) {
  std::vector<int> incoming(rows * columns);
  const auto edge = [&](int a, int b, bool forward) {
    author.send(forward ? a : b, forward ? b : a);
    ++incoming[forward ? b : a];
  };
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) {
      const int here = r * columns + c;
      if (c + 1 < columns) edge(here, here + 1, r % 2 == 0);
      if (r + 1 < rows) edge(here, here + columns, c % 2 == 1);
    }
  for (int p = 0; p < rows * columns; ++p)
    for (int m = 0; m < incoming[p]; ++m) author.receive(p);
}

std::vector<Builder::Handle> gather(Author& author, int processes) {
  std::vector<Builder::Handle> results;
  for (int p = 1; p < processes; ++p) author.send(p, 0);
  for (int p = 1; p < processes; ++p) results.push_back(author.receive(0));
  return results;
}

void there_and_back(Author& author, int last) {
  author.send(0, last);
  author.receive(last);
  author.send(last, 0);
  author.receive(0);
}

}  // namespace

Program diffusion(int rows, int columns) {
  const int processes = rows * columns;
  Author author(processes);
  author.barrier(processes);
  halo(author, rows, columns);
  author.barrier(processes);
  const auto results = gather(author, processes);
  author.barrier(processes);
  there_and_back(author, processes - 1);
  author.barrier(processes);
  author.assert_all_positive(0, results);
  return std::move(author).finish();
}

Program diffusion_without_barriers(int rows, int columns) {
  const int processes = rows * columns;
  Author author(processes);
  halo(author, rows, columns);
  const auto results = gather(author, processes);
  for (int p = 1; p <= std::min(6, processes - 1); ++p) {
    author.send(p, 0);
    author.receive(0, p);
  }
  there_and_back(author, processes - 1);
  author.assert_all_positive(0, results);
  return std::move(author).finish();
}

Program floyd(int processes) {
  Author author(processes);
  for (int phase = 0; phase < 2; ++phase) {
    for (int p = 0; p + 1 < processes; ++p) {
      author.send(p, p + 1);
      author.receive(p + 1, p);
    }
    author.assert_all_positive(0, gather(author, processes));
    if (phase == 0) author.barrier(processes);
  }
  return std::move(author).finish();
}

Program gaussian_elimination(int processes) {
  Author author(processes);
  for (int p = 0; p < processes; ++p) {
    if (p > 0)
      for (int i = 0; i < 2; ++i) author.receive(p);
    if (p + 1 < processes) author.send(p, p + 1);
    if (p + 2 < processes) author.send(p, p + 2);
    if (p == 0 && processes > 1) author.send(0, 1);  // rank 1 hears rank 0 twice
  }
  return std::move(author).finish();
}

Program dlg(int wildcards) {
  Author author(3);
  author.send(1, 0);
  for (int i = 0; i < wildcards; ++i) author.send(2, 0);
  for (int i = 0; i < wildcards; ++i) author.receive(0);
  author.receive(0, 1);
  return std::move(author).finish();
}

Program mismatch(int n, int c) {
  Author author(3);
  for (int i = 0; i < 2 * n - c; ++i) author.send(1, 0);
  for (int i = 0; i < c; ++i) author.send(2, 0);
  for (int i = 0; i < n; ++i) {
    author.receive(0);
    author.receive(0, 1);
  }
  return std::move(author).finish();
}

Program mismatch_ex(int before, int early, int from1, int from2) {
  Author author(3);
  for (int i = 0; i < from2; ++i) author.send(2, 0);
  for (int i = 0; i < early; ++i) author.send(1, 0);
  for (int i = 0; i < before; ++i) author.receive(0);
  author.receive(0, 1);
  author.send(0, 1);
  author.receive(1, 0);
  for (int i = early; i < from1; ++i) author.send(1, 0);
  for (int i = before + 1; i < from1 + from2; ++i) author.receive(0);
  return std::move(author).finish();
}

Program circular(int n, int early, int late) {
  Author author(3);
  for (int p = 0; p < 3; ++p) {
    for (int i = 0; i < early; ++i) author.send_without_wait(p, (p + 1) % 3);
    std::vector<Builder::Handle> posted;
    for (int i = 0; i < n; ++i) posted.push_back(author.builder().receive(p, kAny));
    author.builder().wait(p, posted);
    for (int i = 0; i < late; ++i) author.send_without_wait(p, (p + 1) % 3);
  }
  return std::move(author).finish();
}

Program sat_gadget(int variables, const std::vector<std::vector<int>>& clauses) {
  Author author(3);
  auto& builder = author.builder();
  std::vector<Builder::Handle> later;  // by variable: the receive that has the last word
  for (int v = 0; v < variables; ++v) {
    for (int answerer : {1, 2}) {
      author.send(0, answerer);
      author.receive(answerer, 0);
      Operation answer;
      answer.expr = builder.constant(answerer - 1);
      builder.send(answerer, 0, answer);
    }
    author.receive(0);
    later.push_back(author.receive(0));
  }
  for (const auto& clause : clauses) {
    ExprId any = kNoExpr;
    for (int literal : clause) {
      const auto one = author.equals(later.at(std::abs(literal) - 1), literal > 0 ? 1 : 0);
      any = any == kNoExpr ? one : builder.make(Expr::Kind::either, any, one);
    }
    builder.assertion(0, any);
  }
  return std::move(author).finish();
}

}  // namespace vouch::predict
