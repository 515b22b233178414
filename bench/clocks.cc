// What vector clocks cost per event, from 16 to 1,024 simulated ranks.
//
//     bench_clocks [--check]
//     bench_clocks RANKS         once, for whoever counts instructions (run.py does)
//
// Each rank exchanges messages with neighbours and receives them from any source; each eighth
// message goes far away. The same number of operations in all is spread over the ranks.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

#include "explore/clocks.h"

using namespace vouch;
using namespace vouch::explore;

namespace {

Observation exchange(int ranks, int rounds) {
  Observation run;
  std::vector<std::vector<predict::Operation>> ops(static_cast<std::size_t>(ranks));
  std::vector<std::vector<int>> from(static_cast<std::size_t>(ranks));  // of the receives
  for (int round = 0; round < rounds; ++round) {
    const int step = round % 8 == 7 ? ranks / 2 : 1;
    for (int r = 0; r < ranks; ++r) {
      predict::Operation send;
      send.kind = predict::OpKind::send;
      send.process = r;
      send.peer = (r + step) % ranks;
      ops[static_cast<std::size_t>(r)].push_back(send);
      predict::Operation receive;
      receive.kind = predict::OpKind::receive;
      receive.process = r;
      // Some ranks know whom they hear from.
      receive.peer = r % 4 == 0 ? predict::kAny : (r - step + ranks) % ranks;
      ops[static_cast<std::size_t>(r)].push_back(receive);
      from[static_cast<std::size_t>(r)].push_back((r - step + ranks) % ranks);
      predict::Operation wait;
      wait.kind = predict::OpKind::wait;
      wait.process = r;
      ops[static_cast<std::size_t>(r)].push_back(wait);
    }
  }
  for (int r = 0; r < ranks; ++r) {
    const auto first = static_cast<OpId>(run.program.ops.size());
    for (std::size_t i = 0; i < ops[static_cast<std::size_t>(r)].size(); ++i) {
      auto& op = ops[static_cast<std::size_t>(r)][i];
      const OpId id = first + static_cast<OpId>(i);
      if (op.kind == predict::OpKind::receive) op.wait = id + 1;
      if (op.kind == predict::OpKind::wait) op.completes = {id - 1};
      run.program.ops.push_back(op);
    }
    run.program.first.push_back(static_cast<OpId>(run.program.ops.size()));
  }
  run.met.assign(run.program.ops.size(), kNoOp);
  for (int r = 0; r < ranks; ++r)
    for (int round = 0; round < rounds; ++round)
      run.met[run.program.first[r] + static_cast<OpId>(3 * round + 1)] =
          run.program.first[from[static_cast<std::size_t>(r)][static_cast<std::size_t>(round)]] +
          static_cast<OpId>(3 * round);
  return run;
}

// Of this process, so that others on the machine count little.
double processor_time() {
  timespec now;
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

double nanoseconds(int ranks, int operations) {
  const Observation run = exchange(ranks, operations / ranks);
  double best = 1e18;
  for (int i = 0; i < 5; ++i) {
    const double begun = processor_time();
    const Analysed all = analyse(run, Protocol::vector);
    const double took = processor_time() - begun;
    if (!all.stuck.empty()) return -1;
    best = std::min(best, took / static_cast<double>(run.program.ops.size()));
  }
  return best;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int kOperations = 65536;
  if (argc > 1 && std::atoi(argv[1]) > 1) {
    const Observation run = exchange(std::atoi(argv[1]), kOperations / std::atoi(argv[1]));
    const Analysed all = analyse(run, Protocol::vector);
    std::printf("%zu operations\n", run.program.ops.size());
    return all.stuck.empty() ? 0 : 1;
  }
  const bool check = argc > 1 && std::strcmp(argv[1], "--check") == 0;
  double first = 0, last = 0;
  for (const int ranks : {16, 64, 256, 1024}) {
    last = nanoseconds(ranks, kOperations);
    if (first == 0) first = last;
    std::printf("%5d ranks: %6.0f ns per operation\n", ranks, last);
  }
  std::printf("growth %.2f\n", last / first);
  return check && last > 2 * first ? 1 : 0;
}
