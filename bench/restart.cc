// How many small jobs per second: what an explorer has to live with.
//
//     bench_restart [-n RANKS] [--runs N] PROGRAM [ARGUMENT...]

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "run/session.h"

int main(int argc, char** argv) {
  vouch::RunOptions options;
  options.ranks = 4;
  int runs = 20, at = 1;
  for (; at + 1 < argc && argv[at][0] == '-'; at += 2) {
    const int value = std::atoi(argv[at + 1]);
    (std::strcmp(argv[at], "-n") == 0 ? options.ranks : runs) = value;
  }
  for (int i = at; i < argc; ++i) options.command.emplace_back(argv[i]);
  if (options.command.empty() || options.ranks < 1 || runs < 1) {
    std::fprintf(stderr, "usage: bench_restart [-n RANKS] [--runs N] PROGRAM [ARGUMENT...]\n");
    return 64;
  }
  const vouch::Session session = vouch::Session::open(options);
  if (session.refusal()) {
    std::fprintf(stderr, "%s\n", session.refusal().why.c_str());
    return session.refusal().status;
  }
  const auto begun = std::chrono::steady_clock::now();
  for (int i = 0; i < runs; ++i) {
    const vouch::SessionRun shown = session.run({}, -1, true);
    if (shown.failed.empty() && shown.status == 0) continue;
    std::fprintf(stderr, "run %d: status %d %s\n%s", i, shown.status, shown.failed.c_str(),
                 shown.output.c_str());
    return 1;
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  std::printf("%d ranks: %.1f runs per second, %.0f ms each\n", options.ranks, runs / seconds,
              seconds / runs * 1e3);
  return 0;
}
