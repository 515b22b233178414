// The tables of the dissertation [P59] on our rebuilt programs: our time beside the published one,
// verdict and memory. With --grow each family grows until a question takes too long, and the size
// where it ended is printed.
//
// Every question is asked in a process of its own, so that its memory can be told.

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "predict/questions/questions.h"
#include "predict/testing/families.h"

namespace {

using namespace vouch::predict;

enum class Ask : std::uint8_t { reachable, violation, zero_violation, compatible, deadlock };
constexpr const char* kAskNames[] = {"reachable", "assertion", "assertion, zero", "zero-compatible",
                                     "deadlock"};

struct Row {
  const char* table;
  const char* program;
  int size;
  std::function<Program()> make;
  Ask ask;
  bool expected;     // witnessed
  double published;  // seconds; 0: none given
  double target;     // ours, seconds; 0: the published time
};

struct Measured {
  Outcome outcome = Outcome::inconclusive;
  double seconds = 0;  // of the processor: pairs, encoding and solving; not making the program
  std::size_t calls = 0;
  std::size_t pairs = 0;
  double megabytes = 0;
  bool ended = false;
  char reason[64] = {};  // why inconclusive
};

// Questions run in one thread, so this is what a clock on the wall shows when nobody else is there.
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

Reply reply_to(const Program& program, Ask ask, double seconds) {
  QuestionOptions options;
  options.limits.seconds = seconds;
  Predictor predictor(program, options);
  switch (ask) {
    case Ask::reachable:
      return predictor.reachable(Buffering::infinite);
    case Ask::violation:
      return predictor.violation(Buffering::infinite);
    case Ask::zero_violation:
      return predictor.violation(Buffering::zero);
    case Ask::compatible:
      return predictor.reachable(Buffering::zero);
    case Ask::deadlock:
      return predictor.deadlock(Buffering::infinite);
  }
  return {};
}

Measured measure(const std::function<Program()>& make, Ask ask, double limit) {
  int ends[2];
  if (pipe(ends) != 0) return {};
  const pid_t child = fork();
  if (child == 0) {
    alarm(static_cast<unsigned>(limit) + 30);  // making the program counts not
    const Program program = make();
    Measured mine;
    mine.calls = calls(program);
    const double start = processor_seconds();
    const auto reply = reply_to(program, ask, limit);
    mine.seconds = processor_seconds() - start;
    mine.outcome = reply.outcome;
    // The tables say "no" also where no execution ends that could break an assertion.
    if (ask == Ask::zero_violation && reply.reason.starts_with("no execution ends"))
      mine.outcome = Outcome::proved;
    mine.pairs = reply.pairs;
    reply.reason.copy(mine.reason, sizeof mine.reason - 1);
    mine.ended = true;
    const auto written = write(ends[1], &mine, sizeof mine);
    _exit(written == sizeof mine ? 0 : 1);
  }
  close(ends[1]);
  Measured result;
  if (read(ends[0], &result, sizeof result) != sizeof result) result = {};
  close(ends[0]);
  rusage usage{};
  int status = 0;
  wait4(child, &status, 0, &usage);
  result.megabytes = static_cast<double>(usage.ru_maxrss) / 1024;
  return result;
}

std::vector<Row> rows() {
  std::vector<Row> all;
  const double fan_in_times[] = {36, 202, 971, 2849, 7230};
  for (int i = 0; i < 5; ++i) {
    const int n = 30 + 10 * i;
    all.push_back({"2.1", "fan-in", n, [n] { return fan_in(n, FanInQuestion::one_assignment); },
                   Ask::violation, true, fan_in_times[i], 1});
    all.push_back({"2.1", "fan-in, no 1", n,
                   [n] { return fan_in(n, FanInQuestion::one_is_missing); }, Ask::violation, false,
                   0, 1});
  }
  const auto pktuse_all = [] { return pktuse(5, 512); };
  all.push_back(
      {"2.2", "LE", 34, [] { return leader_election(34, 9); }, Ask::reachable, true, 1, 0});
  all.push_back({"2.2", "Router", 50, [] { return router(50); }, Ask::violation, false, 2, 0});
  all.push_back({"2.2", "MultiM", 25, [] { return multi_m(25); }, Ask::violation, true, 1000, 0});
  all.push_back({"2.2", "Pktuse", 512, pktuse_all, Ask::violation, true, 7569, 30});

  struct Study {
    const char* name;
    int size;
    std::function<Program()> make;
    bool violated, compatible;
    double zero, infinite;
    double target;
  };
  const Study studies[] = {
      {"Monte", 4, [] { return monte(4); }, false, true, .02, .02, 0},
      {"Monte", 8, [] { return monte(8); }, false, true, .04, .04, 0},
      {"Monte", 16, [] { return monte(16); }, false, true, .29, .15, 0},
      {"Integrate", 8, [] { return integrate(8); }, true, true, .08, .04, 0},
      {"Integrate", 10, [] { return integrate(10); }, true, true, .08, .05, 0},
      {"Integrate", 16, [] { return integrate(16); }, true, true, .62, .32, 0},
      {"Diffusion2D", 4, [] { return diffusion(2, 2); }, false, false, .04, .03, 0},
      {"Diffusion2D", 8, [] { return diffusion(2, 4); }, false, false, .22, .12, 0},
      {"Diffusion2D", 16, [] { return diffusion(4, 4); }, false, false, 1.25, 5.11, 5},
      {"Router", 2, [] { return router(2); }, false, false, .02, .02, 0},
      {"Router", 4, [] { return router(4); }, false, false, .02, .03, 0},
      {"Router", 8, [] { return router(8); }, false, false, .04, .05, 0},
      {"Floyd", 8, [] { return floyd(8); }, false, true, .15, .12, 0},
      {"Floyd", 16, [] { return floyd(16); }, false, true, .26, .21, 0},
      {"Floyd", 32, [] { return floyd(32); }, false, true, 439.89, 19.34, 5},
  };
  for (const auto& one : studies) {
    const double infinite_target = one.target != 0 ? std::min(one.target, one.infinite) : 0;
    all.push_back({"3.1", one.name, one.size, one.make, Ask::violation, one.violated, one.infinite,
                   infinite_target});
    all.push_back({"3.1", one.name, one.size, one.make, Ask::zero_violation,
                   one.violated && one.compatible, one.zero, one.target});
    all.push_back({"3.1", one.name, one.size, one.make, Ask::compatible, one.compatible, one.zero,
                   one.target});
  }

  const auto no_barriers = [] { return diffusion_without_barriers(4, 4); };
  const auto deep = [] { return deep_comm(4, 15); };
  const auto multi = [] { return multi_m(25); };
  const auto floyd32 = [] { return floyd(32); };
  const auto mismatch800 = [] { return mismatch(100, 4); };
  const auto ex = [] { return mismatch_ex(); };
  all.push_back({"4.1", "Diffu2DNoBa", 16, no_barriers, Ask::violation, false, 87.361, 0});
  all.push_back({"4.1", "DeepComm", 5, deep, Ask::violation, true, .837, 0});
  all.push_back({"4.1", "Pktuse", 5, pktuse_all, Ask::violation, true, 180, 30});
  all.push_back({"4.1", "MultiM", 3, multi, Ask::violation, true, 10.892, 0});
  all.push_back({"4.1", "Floyd", 32, floyd32, Ask::violation, false, 60.546, 0});
  all.push_back({"4.1", "Diffu2DNoBa", 16, no_barriers, Ask::compatible, false, 10.177, 0});
  all.push_back({"4.1", "DeepComm", 5, deep, Ask::compatible, true, .875, 0});
  all.push_back({"4.1", "Pktuse", 5, pktuse_all, Ask::compatible, true, 121, 30});
  all.push_back({"4.1", "MultiM", 3, multi, Ask::compatible, true, 8.312, 0});
  all.push_back({"4.1", "Mismatch", 3, mismatch800, Ask::compatible, true, 2.904, 0});
  all.push_back({"4.1", "MismatchEx", 3, ex, Ask::compatible, true, .579, 0});
  all.push_back({"4.1", "Floyd", 32, floyd32, Ask::compatible, true, 89.032, 5});
  all.push_back({"4.1", "Diffu2DNoBa", 16, no_barriers, Ask::deadlock, true, 3.479, 1});
  all.push_back({"4.1", "Mismatch", 3, mismatch800, Ask::deadlock, true, 2.160, 1});
  all.push_back({"4.1", "MismatchEx", 3, ex, Ask::deadlock, true, 1.253, 1});

  const auto deadlock = [&](const char* name, int size, std::function<Program()> make,
                            bool expected, double published) {
    all.push_back({"5.1", name, size, std::move(make), Ask::deadlock, expected, published,
                   expected ? 1 : .05});
  };
  deadlock(
      "dlg1", 3, [] { return dlg(1); }, true, .009);
  deadlock(
      "dlg5", 3, [] { return dlg(3); }, true, .021);
  deadlock(
      "dlg8", 3, [] { return dlg(2); }, true, .019);
  deadlock(
      "Monte", 4, [] { return monte(4); }, false, .001);
  deadlock(
      "Monte", 8, [] { return monte(8); }, false, .002);
  deadlock(
      "Monte", 16, [] { return monte(16); }, false, .006);
  deadlock(
      "Integrate", 8, [] { return integrate(8); }, false, .001);
  deadlock(
      "Integrate", 10, [] { return integrate(10); }, false, .002);
  deadlock(
      "Integrate", 16, [] { return integrate(16); }, false, .003);
  deadlock(
      "Diffusion2D", 4, [] { return diffusion(2, 2); }, false, .003);
  deadlock(
      "Diffusion2D", 8, [] { return diffusion(2, 4); }, false, .004);
  deadlock(
      "Floyd", 8, [] { return floyd(8); }, false, .004);
  deadlock(
      "Floyd", 16, [] { return floyd(16); }, false, .006);
  deadlock(
      "GE", 8, [] { return gaussian_elimination(8); }, false, .011);
  deadlock(
      "GE", 16, [] { return gaussian_elimination(16); }, false, .014);
  deadlock(
      "Mismatch", 50, [] { return mismatch(50, 2); }, true, 1.609);
  deadlock(
      "Mismatch", 100, [] { return mismatch(100, 4); }, true, 11.027);
  deadlock(
      "Circular", 51, [] { return circular(51, 2, 30); }, true, 13.821);
  return all;
}

const char* word(Outcome outcome) {
  return outcome == Outcome::witnessed ? "yes" : outcome == Outcome::proved ? "no" : "unknown";
}

constexpr double kMegabytes = 512;

bool tables(const std::string& only) {
  fmt::print("{:<4} {:<13} {:>4} {:>6} {:<16} {:>8} {:>9} {:>9} {:>7} {:>6}\n", "tab.", "program",
             "size", "calls", "question", "verdict", "published", "ours", "target", "MB");
  bool good = true;
  for (const auto& row : rows()) {
    if (!only.empty() && only != row.program) continue;
    const double limit = 120;
    const auto mine = measure(row.make, row.ask, limit);
    const double target = row.target > 0 ? row.target : row.published;
    const bool right = mine.outcome == (row.expected ? Outcome::witnessed : Outcome::proved);
    const bool fast = mine.seconds <= target && mine.megabytes <= kMegabytes;
    good = good && right && fast;
    fmt::print("{:<4} {:<13} {:>4} {:>6} {:<16} {:>8} {:>9} {:>9.4f} {:>7} {:>6.0f}{}{} {}\n",
               row.table, row.program, row.size, mine.calls, kAskNames[static_cast<int>(row.ask)],
               word(mine.outcome), row.published > 0 ? fmt::format("{:.3f}", row.published) : "-",
               mine.seconds, fmt::format("{:g}", target), mine.megabytes, right ? "" : "  WRONG",
               fast ? "" : "  MISSED", mine.reason);
    std::fflush(stdout);
  }
  return good;
}

struct Growing {
  const char* program;
  Ask ask;
  std::function<Program(int)> make;
  int from;
};

std::vector<Growing> growing() {
  const auto side = [](int n) { return std::max(2, n); };
  return {
      {"fan-in", Ask::violation, [](int n) { return fan_in(n, FanInQuestion::one_assignment); },
       70},
      {"fan-in, no 1", Ask::violation,
       [](int n) { return fan_in(n, FanInQuestion::one_is_missing); }, 30},
      {"fan-in, sum", Ask::violation, [](int n) { return fan_in(n, FanInQuestion::sum); }, 4},
      {"LE", Ask::reachable, [](int n) { return leader_election(n); }, 34},
      {"Router", Ask::violation, [](int n) { return router(n); }, 50},
      {"MultiM", Ask::violation, [](int n) { return multi_m(n); }, 25},
      {"Pktuse", Ask::violation, [](int n) { return pktuse(5, n); }, 256},
      {"Pktuse", Ask::compatible, [](int n) { return pktuse(5, n); }, 256},
      {"Monte", Ask::compatible, [](int n) { return monte(n); }, 16},
      {"Integrate", Ask::violation, [](int n) { return integrate(n); }, 16},
      {"Diffusion2D n x n", Ask::compatible, [=](int n) { return diffusion(side(n), side(n)); }, 4},
      {"Diffu2DNoBa n x n", Ask::deadlock,
       [=](int n) { return diffusion_without_barriers(side(n), side(n)); }, 4},
      {"Floyd", Ask::compatible, [](int n) { return floyd(n); }, 32},
      {"Floyd", Ask::deadlock, [](int n) { return floyd(n); }, 32},
      {"GE", Ask::deadlock, [](int n) { return gaussian_elimination(n); }, 16},
      {"Mismatch", Ask::deadlock, [](int n) { return mismatch(n, 4); }, 100},
      {"DeepComm", Ask::violation, [](int n) { return deep_comm(4, n); }, 15},
      {"Circular", Ask::deadlock, [](int n) { return circular(n, 2, n - 2); }, 51},
  };
}

void grow(double limit, const std::string& only) {
  fmt::print("{:<18} {:<16} {:>8} {:>9} {:>9} {:>6}   then\n", "program", "question", "size",
             "calls", "seconds", "MB");
  for (const auto& family : growing()) {
    if (!only.empty() && only != family.program) continue;
    Measured last;
    int size = family.from;
    std::string end;
    for (;; size *= 2) {
      const auto mine = measure([&] { return family.make(size); }, family.ask, limit);
      if (!mine.ended || mine.outcome == Outcome::inconclusive || mine.seconds > limit ||
          mine.megabytes > kMegabytes) {
        end = fmt::format("size {}: {}, {:.0f} MB", size,
                          !mine.ended ? "did not end" : fmt::format("{:.1f} s", mine.seconds),
                          mine.megabytes);
        break;
      }
      last = mine;
      if (mine.calls > 2'000'000) {
        end = "no end in sight";
        size *= 2;
        break;
      }
    }
    fmt::print("{:<18} {:<16} {:>8} {:>9} {:>9.3f} {:>6.0f}   {}\n", family.program,
               kAskNames[static_cast<int>(family.ask)], last.ended ? size / 2 : 0, last.calls,
               last.seconds, last.megabytes, end);
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  bool check = false, grows = false;
  double limit = 60;
  std::string only;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--check") == 0)
      check = true;
    else if (std::strcmp(argv[i], "--grow") == 0)
      grows = true;
    else if (std::strncmp(argv[i], "--seconds=", 10) == 0)
      limit = std::atof(argv[i] + 10);
    else if (std::strncmp(argv[i], "--only=", 7) == 0)
      only = argv[i] + 7;
    else {
      fmt::print("usage: bench_predict [--check] [--only=PROGRAM] [--grow [--seconds=60]]\n");
      return 64;
    }
  }
  if (grows) {
    grow(limit, only);
    return 0;
  }
  const bool good = tables(only);
  return check && !good ? 1 : 0;
}
