#include "shim/core/sites.h"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>
#include <unwind.h>

#include <climits>
#include <cstdlib>
#include <cstring>

#include "shim/core/meta.h"
#include "shim/core/paths.h"

namespace vouch::shim {

namespace {

constexpr std::uint64_t kFirstCapacity = 4096;
constexpr std::uint32_t kMaxModules = 1024;
constexpr int kMaxFrames = 16;

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
std::atomic<std::uint32_t> last_number;

struct Module {
  std::uint64_t bias, begin, end;  // of its mapping
  Caller caller;
  bool main;
};
Module modules[kMaxModules];
std::atomic<std::uint32_t> module_count;

SiteTable* new_table(std::uint64_t capacity) {
  auto* table = static_cast<SiteTable*>(pages(sizeof(SiteTable) + capacity * sizeof(SiteEntry)));
  if (table == nullptr) return nullptr;
  table->capacity = capacity;
  table->shift = 64 - static_cast<std::uint64_t>(__builtin_ctzll(capacity));
  return table;
}

bool look(const SiteTable& table, std::uint64_t address, SiteEntry& found) {
  for (std::uint64_t i = table.slot(address);; i = (i + 1) & (table.capacity - 1)) {
    const SiteEntry& e = table.entries[i];
    const std::uint64_t key = __atomic_load_n(&e.address, __ATOMIC_ACQUIRE);
    if (key == 0) return false;
    if (key == address) {
      found = {address, e.value};
      return true;
    }
  }
}

void put(SiteTable& table, std::uint64_t address, std::uint64_t value) {
  std::uint64_t i = table.slot(address);
  while (table.entries[i].address != 0) i = (i + 1) & (table.capacity - 1);
  table.entries[i].value = value;
  __atomic_store_n(&table.entries[i].address, address, __ATOMIC_RELEASE);
  ++table.used;
}

// A table at most half full; readers of the old one still find what they knew.
SiteTable* with_room() {
  SiteTable* table = process.sites;
  if (table->used < table->capacity / 2) return table;
  SiteTable* larger = new_table(table->capacity * 4);
  if (larger == nullptr) return nullptr;
  for (std::uint64_t i = 0; i < table->capacity; ++i) {
    if (table->entries[i].address != 0)
      put(*larger, table->entries[i].address, table->entries[i].value);
  }
  __atomic_store_n(&process.sites, larger, __ATOMIC_RELEASE);
  return larger;
}

bool starts(const char* text, const char* with) {
  return std::strncmp(text, with, std::strlen(with)) == 0;
}

Caller classify(const char* path) {
  const char* slash = std::strrchr(path, '/');
  const char* name = slash != nullptr ? slash + 1 : path;
  static constexpr const char* kGlue[] = {"libmpi_mpifh", "libmpi_usempi", "libmpichfort",
                                          "libmpifort",   "libmpichf90",   "libfmpich"};
  for (const char* glue : kGlue) {
    if (starts(name, glue)) return Caller::glue;
  }
  static constexpr const char* kLibrary[] = {
      "libmpi.so", "libmpich.so", "libopen-rte", "libopen-pal", "libmca_", "mca_",
      "libpmix",   "libprrte",    "libompi",     "libucp.",     "libucs.", "libuct.",
      "libucm.",   "libfabric",   "libopa.",     "libmpl.",     "libvouch"};
  for (const char* library : kLibrary) {
    if (starts(name, library)) return Caller::library;
  }
  if (starts(name, "MPI.") && std::strstr(path, "/mpi4py/") != nullptr) return Caller::python;
  return Caller::user;
}

// Whether the instruction before this return address calls a function by its address, in a register
// or in memory, but not by the name of an imported one (a slot at a fixed distance from the code).
bool calls_by_address([[maybe_unused]] std::uint64_t address,
                      [[maybe_unused]] const Module& module) {
#ifdef __x86_64__
  constexpr std::uint64_t kLongest = 7;
  if (address < module.begin + kLongest) return false;
  const auto* end = reinterpret_cast<const std::uint8_t*>(address);
  // Opcode 0xe8: a direct call, if it leads into the same object.
  std::int32_t distance;
  std::memcpy(&distance, end - 4, sizeof(distance));
  const std::uint64_t target = address + static_cast<std::uint64_t>(std::int64_t{distance});
  if (end[-5] == 0xe8 && target >= module.begin && target < module.end) return false;
  // FF /2. The operand: mod in bits 6-7, r/m in bits 0-2; r/m 4 adds a byte (SIB); mod 0 with r/m 5
  // is the slot of a name.
  const auto calls = [](std::uint8_t operand, int mod, bool sib) {
    const int rm = operand & 7;
    return operand >> 6 == mod && (operand >> 3 & 7) == 2 && (rm == 4) == sib &&
           !(mod == 0 && rm == 5);
  };
  if (end[-2] == 0xff && (end[-1] >> 6 == 3 ? (end[-1] >> 3 & 7) == 2 : calls(end[-1], 0, false)))
    return true;
  return (end[-3] == 0xff && (calls(end[-2], 0, true) || calls(end[-2], 1, false))) ||
         (end[-4] == 0xff && calls(end[-3], 1, true)) ||
         (end[-6] == 0xff && calls(end[-5], 2, false)) ||
         (end[-7] == 0xff && calls(end[-6], 2, true));
#else
  return false;
#endif
}

// Extent of the object around an address, from its program headers.
struct Extent {
  std::uint64_t address, begin, end, bias;
  bool found;
};

int find_extent(dl_phdr_info* info, std::size_t, void* data) {
  auto* extent = static_cast<Extent*>(data);
  std::uint64_t begin = UINT64_MAX, end = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    const std::uint64_t from = info->dlpi_addr + segment.p_vaddr;
    if (from < begin) begin = from;
    if (from + segment.p_memsz > end) end = from + segment.p_memsz;
  }
  if (extent->address < begin || extent->address >= end) return 0;
  *extent = {extent->address, begin, end, info->dlpi_addr, true};
  return 1;
}

bool known_module(std::uint64_t address, std::uint32_t& number) {
  const std::uint32_t count = module_count.load(std::memory_order_acquire);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (address >= modules[i].begin && address < modules[i].end) {
      number = i;
      return true;
    }
  }
  return false;
}

void fill(std::uint32_t number, std::uint64_t address, Place& place) {
  const Module& m = modules[number];
  place = {number, address - m.bias, m.caller, m.main};
}

bool place_locked(Thread& t, const void* pointer, Place& place) {
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  std::uint32_t number;
  if (known_module(address, number)) {
    fill(number, address, place);
    return true;
  }
  Extent extent{address, 0, 0, 0, false};
  dl_iterate_phdr(find_extent, &extent);
  number = module_count.load(std::memory_order_relaxed);
  if (!extent.found || number == kMaxModules) return false;
  char path[PATH_MAX];
  Dl_info info;
  link_map* map = nullptr;
  const char* name = "";
  if (dladdr1(pointer, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) != 0 &&
      map != nullptr)
    name = map->l_name;
  const bool main = *name == '\0';
  if (main) {  // the executable has no name there
    const ssize_t length = ::readlink("/proc/self/exe", path, sizeof(path) - 1);
    path[length > 0 ? length : 0] = '\0';
  } else if (*name != '/' && ::realpath(name, path) != nullptr) {
  } else {
    std::strncpy(path, name, sizeof(path) - 1);
    path[sizeof(path) - 1] = '\0';
  }
  modules[number] = {extent.bias, extent.begin, extent.end, main ? Caller::user : classify(path),
                     main};
  module_count.store(number + 1, std::memory_order_release);
  const std::uint64_t words[] = {number, extent.bias};
  const Text text{path, std::strlen(path)};
  write_meta(t, wire::Meta::module, words, 2, &text, 1);
  fill(number, address, place);
  return true;
}

// Callers of the call site, innermost first.
struct Stack {
  std::uint64_t site;
  bool seen;  // the call site's own frame has been passed
  int count;
  std::uint64_t frames[kMaxFrames];
};

_Unwind_Reason_Code step(_Unwind_Context* context, void* data) {
  auto* stack = static_cast<Stack*>(data);
  const std::uint64_t at = _Unwind_GetIP(context);
  if (at == 0) return _URC_END_OF_STACK;
  if (!stack->seen) {
    stack->seen = at == stack->site;
    return _URC_NO_REASON;
  }
  stack->frames[stack->count++] = at;
  return stack->count == kMaxFrames ? _URC_END_OF_STACK : _URC_NO_REASON;
}

void record_site(Thread& t, std::uint32_t number, std::uint64_t address, const Place& place) {
  std::uint64_t words[5 + 2 * kMaxFrames] = {number, place.module, place.offset,
                                             static_cast<std::uint64_t>(place.caller), 0};
  std::uint32_t count = 5;
  if (!place.main) {
    Stack stack{address, false, 0, {}};
    _Unwind_Backtrace(step, &stack);
    for (int i = 0; i < stack.count; ++i) {
      Place frame;
      if (!place_locked(t, reinterpret_cast<const void*>(stack.frames[i]), frame)) continue;
      words[count++] = frame.module;
      words[count++] = frame.offset;
      ++words[4];
    }
  }
  write_meta(t, wire::Meta::site, words, count);
}

}  // namespace

bool make_site_table() {
  process.sites = new_table(kFirstCapacity);
  return process.sites != nullptr;
}

std::uint32_t new_site_number() { return last_number.fetch_add(1, std::memory_order_relaxed) + 1; }

SiteEntry find_site(Thread& t, const void* caller) {
  const auto address = reinterpret_cast<std::uint64_t>(caller);
  SiteEntry entry;
  if (look(*__atomic_load_n(&process.sites, __ATOMIC_ACQUIRE), address, entry)) return entry;
  Lock lock(mutex);
  if (look(*process.sites, address, entry)) return entry;
  Place place;
  const bool known = place_locked(t, caller, place);
  if (!known) place = {UINT32_MAX, address, Caller::user, false};
  if (known && place.caller == Caller::library && calls_by_address(address, modules[place.module]))
    place.caller = Caller::callback;
  const bool event = place.caller == Caller::user || place.caller == Caller::python ||
                     place.caller == Caller::callback;
  const std::uint32_t number = event ? new_site_number() : 0;
  if (event) record_site(t, number, address, place);
  const bool by_path = place.caller == Caller::user && known && path_length > 0;
  entry = {address, number | static_cast<std::uint64_t>(by_path ? kByPath : place.caller) << 32};
  if (SiteTable* table = with_room()) put(*table, address, entry.value);
  return entry;
}

const void* caller_above(const void* caller, unsigned frames) {
  Stack stack{reinterpret_cast<std::uint64_t>(caller), false, 0, {}};
  _Unwind_Backtrace(step, &stack);
  const bool there = frames > 0 && frames <= static_cast<unsigned>(stack.count);
  return there ? reinterpret_cast<const void*>(stack.frames[frames - 1]) : caller;
}

bool place_of(Thread& t, const void* address, Place& place) {
  Lock lock(mutex);
  return place_locked(t, address, place);
}

bool known_place_of(const void* pointer, Place& place) {
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  std::uint32_t number;
  if (!known_module(address, number)) return false;
  fill(number, address, place);
  return true;
}

}  // namespace vouch::shim
