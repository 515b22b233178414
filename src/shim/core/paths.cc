#include "shim/core/paths.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>

#include "shim/core/meta.h"
#include "shim/core/unwind_rule.h"

namespace vouch::shim {

unsigned path_length = 0;

namespace {

constexpr unsigned kGlue = 8;  // frames between the wrapper and the user's own: Fortran, checks
constexpr std::uint64_t kRules = 1 << 14, kPaths = 1 << 16;  // places; half of them are used
constexpr int kMostStacks = 256;  // of one thread: coroutines have one each

struct Rule {
  std::uint64_t address;  // 0: free
  UnwindRule rule;
};
struct Path {
  std::uint64_t hash;  // 0: free
  std::uint64_t site;
};

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
Rule* rules;
Path* paths;
std::uint64_t rule_count, path_count;

// The stack that this thread is on: [low, high) is known to be readable.
struct Bounds {
  std::uint64_t low, high;
  int changes;
};
thread_local Bounds bounds [[gnu::tls_model("initial-exec")]];

template <typename Entry>
Entry& slot(Entry* table, std::uint64_t capacity, std::uint64_t Entry::*key, std::uint64_t value) {
  std::uint64_t i = (value * 0x9E3779B97F4A7C15u >> 24) & (capacity - 1);
  for (;; i = (i + 1) & (capacity - 1)) {
    const std::uint64_t at = __atomic_load_n(&(table[i].*key), __ATOMIC_ACQUIRE);
    if (at == value || at == 0) return table[i];
  }
}

UnwindRule learn_rule(std::uint64_t address) {
  Lock lock(mutex);
  Rule& entry = slot(rules, kRules, &Rule::address, address);
  if (entry.address == address) return entry.rule;
  const UnwindRule rule = find_unwind_rule(address);
  if (rule_count >= kRules / 2) return rule;
  ++rule_count;
  entry.rule = rule;
  __atomic_store_n(&entry.address, address, __ATOMIC_RELEASE);
  return rule;
}

// The mapping around an address. Memory of our own only: the application's heap is not ours.
bool find_mapping(std::uint64_t address, std::uint64_t& low, std::uint64_t& high) {
  const int fd = ::open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  char buffer[4096];
  std::uint64_t number[2] = {0, 0};
  int field = 0;  // 0: begin, 1: end, 2: what follows up to the line's end
  bool found = false;
  for (ssize_t got; !found && (got = ::read(fd, buffer, sizeof(buffer))) > 0;) {
    for (ssize_t i = 0; i < got && !found; ++i) {
      const char c = buffer[i];
      if (c == '\n') {
        field = 0;
        number[0] = number[1] = 0;
      } else if (field < 2 && (c == '-' || c == ' ')) {
        found = ++field == 2 && address >= number[0] && address < number[1];
      } else if (field < 2) {
        const int digit = c <= '9' ? c - '0' : c - 'a' + 10;
        number[field] = number[field] << 4 | static_cast<std::uint64_t>(digit);
      }
    }
  }
  ::close(fd);
  low = number[0];
  high = number[1];
  return found;
}

bool find_bounds(std::uint64_t frame) {
  if (bounds.changes >= kMostStacks) return false;
  std::uint64_t low, high;
  if (!find_mapping(frame, low, high)) return false;
  if (high != bounds.high) ++bounds.changes;  // the same one only grows downwards
  bounds.low = low;
  bounds.high = high;
  return true;
}

struct Walk {
  std::uint64_t frames[kMaxPath];
  unsigned count;
  std::uint64_t hash;
};

// The callers of the call, innermost first. False: the call's own frame was not met.
[[gnu::always_inline]] inline bool walk(std::uint64_t frame, std::uint64_t caller, Walk& way) {
  const auto* saved = reinterpret_cast<const std::uint64_t*>(frame);  // rbp, return address
  Registers r{frame + 16, saved[0], saved[1]};
  bool met = r.at == caller;
  way.count = 0;
  way.hash = mix_path(0, caller);
  for (unsigned step = 0; way.count < path_length; ++step) {
    const Rule& known = slot(rules, kRules, &Rule::address, r.at);
    const UnwindRule rule = known.address == r.at ? known.rule : learn_rule(r.at);
    if (!step_up(rule, r, bounds.high)) break;
    if (met) {
      way.frames[way.count++] = r.at;
      way.hash = mix_path(way.hash, r.at);
    } else if (!(met = r.at == caller) && step >= kGlue) {
      break;
    }
  }
  return met;
}

std::uint32_t learn_path(Thread& t, std::uint64_t caller, const Walk& way, std::uint32_t plain) {
  Lock lock(mutex);
  Path& entry = slot(paths, kPaths, &Path::hash, way.hash);
  if (entry.hash == way.hash) return static_cast<std::uint32_t>(entry.site);
  if (path_count >= kPaths / 2) return plain;
  Place place;
  if (!place_of(t, reinterpret_cast<const void*>(caller), place)) return plain;
  const std::uint32_t number = new_site_number();
  std::uint64_t words[5 + 2 * kMaxPath] = {number, place.module, place.offset,
                                           static_cast<std::uint64_t>(kByPath), 0};
  std::uint32_t count = 5;
  for (unsigned i = 0; i < way.count; ++i) {
    Place frame;
    if (!place_of(t, reinterpret_cast<const void*>(way.frames[i]), frame)) break;
    words[count++] = frame.module;
    words[count++] = frame.offset;
    ++words[4];
  }
  if (!write_meta(t, wire::Meta::site, words, count)) return plain;
  ++path_count;
  entry.site = number;
  __atomic_store_n(&entry.hash, way.hash, __ATOMIC_RELEASE);
  return number;
}

}  // namespace

void start_paths() {
  const char* text = std::getenv(wire::kStacksVariable);
  const long wanted = text != nullptr ? std::strtol(text, nullptr, 10) : 0;
  if (wanted <= 0) return;
  rules = static_cast<Rule*>(pages(kRules * sizeof(Rule)));
  paths = static_cast<Path*>(pages(kPaths * sizeof(Path)));
  if (rules == nullptr || paths == nullptr) return;
  path_length = wanted < static_cast<long>(kMaxPath) ? static_cast<unsigned>(wanted) : kMaxPath;
}

std::uint32_t find_path(std::uint64_t hash) {
  const Path& known = slot(paths, kPaths, &Path::hash, hash);
  return known.hash == hash ? static_cast<std::uint32_t>(known.site) : 0;
}

bool keep_path(std::uint64_t hash, std::uint32_t site) {
  Lock lock(mutex);
  Path& entry = slot(paths, kPaths, &Path::hash, hash);
  if (path_count >= kPaths / 2) return false;
  if (entry.hash == hash) return true;
  ++path_count;
  entry.site = site;
  __atomic_store_n(&entry.hash, hash, __ATOMIC_RELEASE);
  return true;
}

std::uint32_t path_site(Thread& t, std::uint64_t frame, std::uint64_t caller, std::uint32_t site) {
  if ((frame < bounds.low || frame + 16 > bounds.high) && !find_bounds(frame)) return site;
  Walk way;
  if (!walk(frame, caller, way)) return site;
  const Path& known = slot(paths, kPaths, &Path::hash, way.hash);
  return known.hash == way.hash ? static_cast<std::uint32_t>(known.site)
                                : learn_path(t, caller, way, site);
}

}  // namespace vouch::shim
