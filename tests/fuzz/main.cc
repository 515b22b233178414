// vouch_fuzz TARGET --corpus FOLDER --runs N: see fuzz.h; tests/fuzz/run.py collects the corpus.
//
// Inputs are made and tried in a child; one that ends it is written down, and another child goes on
// behind it. `--only K` tries the input numbered K alone, in this process.

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <new>

#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz.h"
#include "source/symbolizer.h"

namespace {

constexpr std::int64_t kMostBytes = std::int64_t{200} << 20;
// The limit is a second of processor time. Asking the kernel for it costs more than a short input:
// one timer ticks all the time.
constexpr int kTicks = 11;
constexpr suseconds_t kTick = 100'000;
std::atomic<int> ticks = 0;  // since the input began

// ZeroMQ's threads allocate, too.
std::atomic<std::int64_t> held = 0;
std::int64_t base = 0;
std::atomic<bool> counting = false;

[[noreturn]] void over(const char* what) {
  (void)!::write(STDERR_FILENO, what, std::strlen(what));
  std::abort();
}

// The address sanitizer gives just what was asked for, and takes its time to tell how much it was.
std::size_t size_of([[maybe_unused]] void* p, [[maybe_unused]] std::size_t asked) {
#ifdef __SANITIZE_ADDRESS__
  return asked;
#else
  return ::malloc_usable_size(p);
#endif
}

void* taken(std::size_t size) noexcept {
  if (counting && static_cast<std::int64_t>(size) > kMostBytes)
    over("fuzz: more than 200 MB at once\n");
  void* p = std::malloc(size);
  if (p == nullptr) return nullptr;
  const auto more = static_cast<std::int64_t>(size_of(p, size));
  const std::int64_t now = held.fetch_add(more, std::memory_order_relaxed) + more;
  if (now > base + kMostBytes && counting.exchange(false)) over("fuzz: more than 200 MB\n");
  return p;
}

void given(void* p, std::size_t size) noexcept {
  if (p != nullptr) held.fetch_sub(static_cast<std::int64_t>(size), std::memory_order_relaxed);
  std::free(p);
}

}  // namespace

void* operator new(std::size_t size) {
  void* p = taken(size);
  if (p == nullptr) throw std::bad_alloc();
  return p;
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return taken(size); }
void operator delete(void* p) noexcept { given(p, p != nullptr ? ::malloc_usable_size(p) : 0); }
void operator delete(void* p, std::size_t size) noexcept { given(p, size_of(p, size)); }

namespace vouch::fuzz {

std::uint64_t Random::number() {
  constexpr std::int64_t kCanonical = INT64_MIN + 4096;
  switch (below(12)) {
    case 0:
      return 0;
    case 1:
      return ~std::uint64_t{0} - below(8);
    case 2:
      return std::uint64_t{1} << below(64);
    case 3:
      return (std::uint64_t{1} << below(64)) - 1;
    case 4:
      return static_cast<std::uint64_t>(kCanonical + static_cast<std::int64_t>(below(8)));
    case 5:
      return static_cast<std::uint64_t>(kCanonical + 1024 * 1024 +
                                        static_cast<std::int64_t>(below(512)));
    case 6:
      return static_cast<std::uint64_t>(INT32_MIN) + below(3);
    case 7:
      return std::uint64_t{INT32_MAX} - below(3);
    case 8:
      return next();
    case 9:
      return next() & 0xffffffff;
    default:
      return below(10);
  }
}

std::vector<File> files_of(const std::string& folder, std::string_view end) {
  std::vector<File> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string path = entry.path().string();
    if (!path.ends_with(end)) continue;
    std::ifstream in(path, std::ios::binary);
    files.push_back(
        {entry.path().filename().string(), std::string(std::istreambuf_iterator<char>(in), {})});
  }
  std::sort(files.begin(), files.end(),
            [](const File& a, const File& b) { return a.name < b.name; });
  return files;
}

std::shared_ptr<Symbolizer> opened_files() {
  // Each name that a damaged record makes up is kept, too.
  constexpr int kInputs = 500;
  static std::shared_ptr<Symbolizer> files;
  static int asked = 0;
  if (asked++ % kInputs == 0) files = std::make_shared<Symbolizer>();
  return files;
}

void check_sentence(const std::string& error) {
  if (error.empty() || error.size() > 2000) over("fuzz: an error that is no sentence\n");
  for (const char c : error) {
    if (static_cast<unsigned char>(c) < 0x20) over("fuzz: an error with control characters\n");
  }
}

}  // namespace vouch::fuzz

namespace {

using namespace vouch::fuzz;

struct Options {
  std::string target, corpus, found = ".";
  std::uint64_t runs = 1000, first = 0, only = ~std::uint64_t{0}, seed = 1;
  std::size_t most_found = 20;
};

const std::map<std::string, std::unique_ptr<Target> (*)(const std::string&)> kTargets = {
    {"ring", make_ring},
    {"trace", make_trace},
    {"schedule", make_schedule},
    {"state", make_state},
    {"suppressions", make_suppressions},
    {"mesh", make_mesh}};

std::atomic<std::uint64_t>* at;  // shared: the input that is being tried

void on_tick(int) {
  if (counting && ticks.fetch_add(1, std::memory_order_relaxed) + 1 >= kTicks)
    over("fuzz: longer than a second\n");
}

void start_ticking() {
  ::signal(SIGPROF, on_tick);
  const itimerval every{{0, kTick}, {0, kTick}};
  ::setitimer(ITIMER_PROF, &every, nullptr);
}

void one(Target& target, const Options& options, std::uint64_t number) {
  at->store(number);
  Random random(options.seed * 0x100000001b3u + number);
  base = held;
  ticks = 0;
  counting = true;
  target.run(random);
  counting = false;
}

int child(Target& target, const Options& options, std::uint64_t from, const std::string& log) {
  const int fd = ::open(log.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0644);
  if (fd >= 0) ::dup2(fd, STDERR_FILENO);
  start_ticking();
  for (std::uint64_t i = from; i < options.first + options.runs; ++i) one(target, options, i);
  return 0;
}

bool understand(int argc, char** argv, Options& o) {
  if (argc < 2) return false;
  o.target = argv[1];
  for (int i = 2; i + 1 < argc; i += 2) {
    const std::string name = argv[i], value = argv[i + 1];
    if (name == "--corpus")
      o.corpus = value;
    else if (name == "--found")
      o.found = value;
    else if (name == "--runs")
      o.runs = std::stoull(value);
    else if (name == "--first")
      o.first = std::stoull(value);
    else if (name == "--seed")
      o.seed = std::stoull(value);
    else if (name == "--only")
      o.only = std::stoull(value);
    else if (name == "--most-found")
      o.most_found = std::stoull(value);
    else
      return false;
  }
  return kTargets.contains(o.target) && !o.corpus.empty();
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  if (!understand(argc, argv, options)) {
    std::fprintf(
        stderr,
        "usage: vouch_fuzz ring|trace|schedule|state|suppressions|mesh --corpus FOLDER "
        "[--runs N] [--first K] [--seed S] [--only K] [--found FOLDER] [--most-found N]\n");
    return 2;
  }
  at = static_cast<std::atomic<std::uint64_t>*>(
      ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  if (options.target == "state" && files_of(options.corpus, ".state").empty()) {
    std::fprintf(stderr, "vouch_fuzz: there is no state file in %s\n", options.corpus.c_str());
    return 2;
  }
  const std::unique_ptr<Target> target = kTargets.at(options.target)(options.corpus);
  if (options.only != ~std::uint64_t{0}) {
    start_ticking();
    one(*target, options, options.only);
    return 0;
  }
  std::size_t found = 0;
  std::uint64_t tried = 0;
  for (std::uint64_t from = options.first; from < options.first + options.runs;) {
    std::fflush(nullptr);
    at->store(from);
    const std::string log =
        options.found + "/" + options.target + "." + std::to_string(options.first) + ".log";
    const pid_t pid = ::fork();
    if (pid == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      ::_exit(child(*target, options, from, log));
    }
    int status = 0;
    ::waitpid(pid, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
      tried += options.first + options.runs - from;
      std::filesystem::remove(log);
      break;
    }
    const std::uint64_t number = at->load();
    tried += number + 1 - from;
    const std::string kept = options.found + "/" + options.target + "." + std::to_string(number);
    std::filesystem::rename(log, kept);
    std::printf("%s: input %llu ends it: %s\n", options.target.c_str(),
                static_cast<unsigned long long>(number), kept.c_str());
    if (++found >= options.most_found) break;
    from = number + 1;
  }
  std::printf("%s: %llu inputs tried, %zu of them end it\n", options.target.c_str(),
              static_cast<unsigned long long>(tried), found);
  return found == 0 ? 0 : 1;
}
