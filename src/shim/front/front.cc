// The preloaded library: finds out at the first MPI call which library the process uses and who
// shall see its calls.
//
// It needs nothing but the C library, starts nothing and touches nothing until an MPI function is
// called: a shell, a launcher or a Python without mpi4py pays for having it mapped and for two
// handlers of exit that do nothing.

#include "shim/front/front_back.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <threads.h>
#include <unistd.h>

#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "front_slots.inc"
#include "shim/access/module.h"

extern "C" {
__attribute__((visibility("default"))) __thread vouch::Tls vouch_tls
    __attribute__((tls_model("initial-exec")));
extern void* vouch_table[];
extern void* vouch_stashers[];
extern void* vouch_entries[];
__attribute__((visibility("hidden"))) void* vouch_resolve(std::uint32_t slot);
__attribute__((visibility("hidden"))) void vouch_time_asked(bool timer);
}

namespace vouch {
namespace {

constexpr std::uint32_t kCSlots = 2 * kProcs;

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
bool decided;                  // whether the calls of this process are recorded
void* library;                 // the MPI library in use
const BackEnd* back_end;       // nullptr: everything passes through
bool checks;                   // --check-buffers, values are wanted, or loads and stores are seen
AccessModule* access_modules;  // instrumented parts of the program
pid_t owner;
const volatile std::uint32_t* yield_wanted;
bool timer_early;     // a timer or the handler of a signal was set before the first MPI call
bool made_early;      // threads were started before the first MPI call
bool programs_early;  // and some of them run code of the program

const char* nth(const char* names, std::uint32_t n) {
  while (n-- > 0) names += std::strlen(names) + 1;
  return names;
}

const char* base_name(const char* path) {
  const char* slash = std::strrchr(path, '/');
  return slash != nullptr ? slash + 1 : path;
}

bool ours(const void* address) {
  Dl_info info, self;
  return address == nullptr || dladdr(address, &info) == 0 ||
         dladdr(reinterpret_cast<void*>(&vouch_resolve), &self) == 0 ||
         info.dli_fbase == self.dli_fbase;
}

// Objects whose name looks like a part of an MPI library. Paths are collected first: no dlopen
// inside the callback.
struct Found {
  char paths[16][PATH_MAX];
  int count;
};

int collect(dl_phdr_info* info, std::size_t, void* data) {
  auto* found = static_cast<Found*>(data);
  if (info->dlpi_name == nullptr || found->count == 16) return 0;
  if (std::strncmp(base_name(info->dlpi_name), "libmpi", 6) != 0) return 0;
  std::strncpy(found->paths[found->count], info->dlpi_name, PATH_MAX - 1);
  ++found->count;
  return 0;
}

// A name in any loaded part of an MPI library, also where it lies in a scope of its own (Python).
void* in_loaded_libraries(const char* name, void** handle = nullptr) {
  static Found found;  // too large for a stack; guarded by the mutex
  std::memset(&found, 0, sizeof(found));
  dl_iterate_phdr(collect, &found);
  for (int i = 0; i < found.count; ++i) {
    void* opened = dlopen(found.paths[i], RTLD_LAZY | RTLD_NOLOAD);
    if (opened == nullptr) continue;
    void* symbol = dlsym(opened, name);
    if (symbol != nullptr && !ours(symbol)) {
      if (handle != nullptr) *handle = opened;  // kept open: the library must not go away under us
      return symbol;
    }
    dlclose(opened);
  }
  return nullptr;
}

void* next_definition(const char* name) {
  void* symbol = dlsym(RTLD_NEXT, name);
  return symbol != nullptr ? symbol : in_loaded_libraries(name);
}

void* find_library() {
  void* function = dlsym(RTLD_NEXT, "PMPI_Init");
  void* handle = nullptr;
  if (function == nullptr) {
    in_loaded_libraries("PMPI_Init", &handle);
    return handle;
  }
  Dl_info info;
  if (dladdr(function, &info) != 0 && info.dli_fname != nullptr)
    handle = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  return handle;
}

// Says once how this process ends, if its calls were recorded.
void say_end(int status, int immediate) {
  if (back_end != nullptr && getpid() == owner) back_end->ending(status, immediate);
}

// Handlers of exit run in the reverse order of their registration, and the C library registers the
// destructors of all libraries (_dl_fini) before main. What a constructor of ours registers comes
// therefore after every handler, static object and destructor of the program, and the MPI_Finalize
// in one of them before it.
void at_exit(int status, void*) { say_end(status, 0); }

// quick_exit knows its status and its handlers do not.
int quick_status;
void at_quick() { say_end(quick_status, 1); }

const BackEnd* open_back_end(const char* socket) {
  const char* name = nullptr;
  if (dlsym(library, "ompi_mpi_comm_world") != nullptr) {
    name = "libvouch_openmpi.so";
  } else if (dlsym(library, "MPI_Get_library_version") != nullptr &&
             dlsym(library, "MPI_UNWEIGHTED") != nullptr) {
    name = "libvouch_mpich.so";
  } else {
    return nullptr;
  }
  Dl_info self;
  char path[PATH_MAX];
  if (dladdr(reinterpret_cast<void*>(&vouch_resolve), &self) == 0) return nullptr;
  const auto folder = static_cast<int>(base_name(self.dli_fname) - self.dli_fname);
  if (std::snprintf(path, sizeof(path), "%.*s%s", folder, self.dli_fname, name) >=
      static_cast<int>(sizeof(path)))
    return nullptr;
  void* opened = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (opened == nullptr) return nullptr;
  const auto* api = static_cast<const BackEnd*>(dlsym(opened, "vouch_back_end"));
  if (api == nullptr || api->version != kBackEndVersion || api->procs != kProcs + 1) return nullptr;
  const FrontInfo info{
      library, socket,
      [](std::uint32_t entry) { return next_definition(nth(kFortranNames, entry)); },
      &access_modules};
  if (!api->attach(info)) return nullptr;
  owner = getpid();
  yield_wanted = api->yield_word();
  if (__atomic_load_n(&timer_early, __ATOMIC_RELAXED)) api->time_asked(true);
  if (__atomic_load_n(&made_early, __ATOMIC_RELAXED))
    api->thread_made(__atomic_load_n(&programs_early, __ATOMIC_RELAXED));
  return api;
}

void decide() {
  library = find_library();
  if (library == nullptr) return;  // nothing to decide on; another call may come when one is loaded
  decided = true;
  const char* socket = std::getenv("VOUCH_SOCKET");
  checks = std::getenv(kChecksVariable) != nullptr || std::getenv(kValuesVariable) != nullptr ||
           access_modules != nullptr;
  if (socket != nullptr && *socket != '\0') back_end = open_back_end(socket);
}

// Where a thread or a handler begins: in the program, or in a runtime that runs the program's code.
// Other libraries have threads of their own (a BLAS, a GPU driver), which are not the program's
// business.
bool is_programs(const void* start) {
  Dl_info info;
  if (dladdr(start, &info) == 0 || info.dli_fname == nullptr) return true;
  const char* name = base_name(info.dli_fname);
  if (std::strstr(name, ".so") == nullptr) return true;
  static constexpr const char* kRuntimes[] = {"libstdc++", "libc++",  "libgomp",
                                              "libomp",    "libiomp", "libpython"};
  for (const char* runtime : kRuntimes) {
    if (std::strncmp(name, runtime, std::strlen(runtime)) == 0) return true;
  }
  return false;
}

// Until the program starts a thread nobody looks for a second one inside MPI (crowd.h of the back
// end).
bool thread_made(const void* start) {
  const bool programs = is_programs(start);
  if (back_end == nullptr) {
    if (programs) __atomic_store_n(&programs_early, true, __ATOMIC_RELAXED);
    __atomic_store_n(&made_early, true, __ATOMIC_RELAXED);
    return false;
  }
  return getpid() == owner && back_end->thread_made(programs);
}

// Threads that the MPI library makes for itself never call it for the program: who asks what the
// threads of the process are about leaves them out. What to start waits here until it runs.
struct Start {
  int taken;
  void* (*start)(void*);
  void* argument;
};
Start starts[16];

void* start_helper(void* memory) {
  auto* place = static_cast<Start*>(memory);
  const Start what = *place;
  __atomic_store_n(&place->taken, 0, __ATOMIC_RELEASE);
  back_end->helper(true);
  void* result = what.start(what.argument);
  back_end->helper(false);
  return result;
}

// nullptr: there is no place; then the thread is started as it is.
Start* helper_start(void* (*start)(void*), void* argument) {
  for (Start& place : starts) {
    int free = 0;
    if (!__atomic_compare_exchange_n(&place.taken, &free, 1, false, __ATOMIC_ACQUIRE,
                                     __ATOMIC_RELAXED))
      continue;
    place.start = start;
    place.argument = argument;
    return &place;
  }
  return nullptr;
}

// The next definition of a function that we interpose, looked up once.
template <typename Function>
Function* next_function(Function*& slot, const char* name) {
  Function* next = __atomic_load_n(&slot, __ATOMIC_ACQUIRE);
  if (next == nullptr) {
    next = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
    __atomic_store_n(&slot, next, __ATOMIC_RELEASE);
  }
  return next;
}

[[noreturn]] void absent(const char* name) {
  std::fprintf(stderr, "vouch: %s is called, but no MPI library of this process has it.\n", name);
  std::abort();
}

void* resolve_c(std::uint32_t slot) {
  char name[256];
  const char* plain = nth(kProcNames, slot / 2);
  std::snprintf(name, sizeof(name), "P%s", plain);
  const std::uint32_t proc = slot / 2 + 1;
  if (back_end != nullptr && back_end->wrappers[proc] != nullptr &&
      dlsym(library, name) != nullptr) {
    if (checks && back_end->checked[proc] != nullptr) return back_end->checked[proc];
    return back_end->guiding() && back_end->guided[proc] != nullptr ? back_end->guided[proc]
                                                                    : back_end->wrappers[proc];
  }
  const char* wanted = slot % 2 != 0 ? name : plain;
  void* target = next_definition(wanted);
  if (target == nullptr) absent(wanted);
  return target;
}

// What was resolved before there was something to check.
void resolve_again() {
  for (std::uint32_t slot = 0; slot < kCSlots; ++slot) {
    const std::uint32_t proc = slot / 2 + 1;
    void* const now = vouch_table[slot];
    if (back_end->wrappers[proc] != nullptr &&
        (now == back_end->wrappers[proc] || now == back_end->guided[proc]))
      __atomic_store_n(&vouch_table[slot], resolve_c(slot), __ATOMIC_RELEASE);
  }
}

void* resolve_fortran(std::uint32_t entry) {
  const char* name = nth(kFortranNames, entry);
  void* target = next_definition(name);
  if (target == nullptr) absent(name);
  if (back_end == nullptr) return target;
  void* direct = back_end->direct[kFortranProc[entry]];
  vouch_entries[entry] = direct != nullptr ? direct : target;
  return vouch_stashers[entry];
}

}  // namespace
}  // namespace vouch

extern "C" {

void* vouch_resolve(std::uint32_t slot) {
  using namespace vouch;
  pthread_mutex_lock(&mutex);
  if (!decided) decide();
  void* target = slot < kCSlots ? resolve_c(slot) : resolve_fortran(slot - kCSlots);
  if (decided) __atomic_store_n(&vouch_table[slot], target, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&mutex);
  return target;
}

// For front_time.cc.
void vouch_time_asked(bool timer) {
  if (vouch::back_end != nullptr)
    vouch::back_end->time_asked(timer);
  else if (timer)
    __atomic_store_n(&vouch::timer_early, true, __ATOMIC_RELAXED);
}
bool vouch_is_programs(const void* function) { return vouch::is_programs(function); }

// What instrumented modules of the program look for (shim/program/module.cc).
__attribute__((visibility("default"))) void vouch_access_come(vouch::AccessModule* module) {
  pthread_mutex_lock(&vouch::mutex);
  module->next = vouch::access_modules;
  vouch::access_modules = module;
  const bool recorded = vouch::back_end != nullptr && getpid() == vouch::owner;
  // A library that stands before the program may have called MPI already (Open MPI's C++ layer
  // does).
  if (recorded && !vouch::checks) {
    vouch::checks = true;
    vouch::resolve_again();
  }
  pthread_mutex_unlock(&vouch::mutex);
  if (recorded) vouch::back_end->access_module(module, true);
}
__attribute__((visibility("default"))) void vouch_access_go(vouch::AccessModule* module) {
  if (vouch::back_end != nullptr && getpid() == vouch::owner)
    vouch::back_end->access_module(module, false);
  pthread_mutex_lock(&vouch::mutex);
  vouch::AccessModule** link = &vouch::access_modules;
  while (*link != nullptr && *link != module) link = &(*link)->next;
  if (*link != nullptr) *link = module->next;
  pthread_mutex_unlock(&vouch::mutex);
}

// What api/vouch.h looks for. The result keeps callers from leaving their frames to us.
__attribute__((visibility("default"))) int vouch_claimed(unsigned kind, int holds, unsigned frames,
                                                         const char* condition, const char* names,
                                                         unsigned count, const vouch_term* terms) {
  if (vouch::back_end == nullptr) return 0;
  vouch::back_end->claim(kind, holds, frames, condition, names, count, terms,
                         __builtin_return_address(0));
  return 1;
}

__attribute__((visibility("default"))) int pthread_create(pthread_t* thread,
                                                          const pthread_attr_t* attributes,
                                                          void* (*start)(void*),
                                                          void* argument) noexcept {
  static int (*real)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  auto* const create = vouch::next_function(real, "pthread_create");
  vouch::Start* const helper = vouch::thread_made(reinterpret_cast<const void*>(start))
                                   ? vouch::helper_start(start, argument)
                                   : nullptr;
  if (helper == nullptr) return create(thread, attributes, start, argument);
  const int result = create(thread, attributes, vouch::start_helper, helper);
  if (result != 0) __atomic_store_n(&helper->taken, 0, __ATOMIC_RELEASE);
  return result;
}

__attribute__((visibility("default"))) int thrd_create(thrd_t* thread, thrd_start_t start,
                                                       void* argument) {
  static int (*real)(thrd_t*, thrd_start_t, void*);
  vouch::thread_made(reinterpret_cast<const void*>(start));
  return vouch::next_function(real, "thrd_create")(thread, start, argument);
}

// MPICH polls UCX without ever giving up its core; with more ranks than cores that ends in
// milliseconds per message.
__attribute__((visibility("default"))) unsigned ucp_worker_progress(void* worker) {
  static unsigned (*real)(void*);
  auto* next = __atomic_load_n(&real, __ATOMIC_ACQUIRE);
  if (next == nullptr) {
    next = reinterpret_cast<unsigned (*)(void*)>(dlsym(RTLD_NEXT, "ucp_worker_progress"));
    if (next == nullptr) {
      if (void* ucp = dlopen("libucp.so.0", RTLD_LAZY | RTLD_NOLOAD)) {
        next = reinterpret_cast<unsigned (*)(void*)>(dlsym(ucp, "ucp_worker_progress"));
      }
    }
    if (next == nullptr) vouch::absent("ucp_worker_progress");
    __atomic_store_n(&real, next, __ATOMIC_RELEASE);
  }
  const unsigned progress = next(worker);
  if (progress != 0) {
    vouch_tls.idle = 0;
  } else if (++vouch_tls.idle >= 20) {
    vouch_tls.idle = 0;
    if (vouch::yield_wanted != nullptr && *vouch::yield_wanted != 0) sched_yield();
  }
  return progress;
}

[[noreturn]] __attribute__((visibility("default"))) void _exit(int status) {
  vouch::say_end(status, 1);
  while (true) syscall(SYS_exit_group, status);
}

[[noreturn]] __attribute__((visibility("default"))) void _Exit(int status) { _exit(status); }

[[noreturn]] __attribute__((visibility("default"))) void quick_exit(int status) noexcept {
  static void (*real)(int);
  vouch::quick_status = status;
  vouch::next_function(real, "quick_exit")(status);
  _exit(status);  // not reached
}

// MPICH asks its process manager to end the job, and that kills all ranks at once: the one that
// asked would go without a word, like its victims. So what it says there is taken for its end.
ssize_t __write(int fd, const void* data, size_t size);
__attribute__((visibility("default"))) ssize_t write(int fd, const void* data, size_t size) {
  static const int manager = [] {
    const char* number = getenv("PMI_FD");
    return number == nullptr ? -1 : std::atoi(number);
  }();
  static constexpr char kAbort[] = "cmd=abort exitcode=";
  constexpr std::size_t kLength = sizeof(kAbort) - 1;
  if (fd == manager && vouch::back_end != nullptr && size > kLength &&
      std::memcmp(data, kAbort, kLength) == 0 && getpid() == vouch::owner) {
    unsigned code = 0;
    const auto* text = static_cast<const char*>(data);
    for (std::size_t i = kLength; i < size && text[i] >= '0' && text[i] <= '9'; ++i) {
      code = code * 10 + static_cast<unsigned>(text[i] - '0');
    }
    vouch::back_end->ending(static_cast<int>(code & 0xff), 1);
  }
  return __write(fd, data, size);
}

}  // extern "C"

// All that happens in a process that never calls MPI.
__attribute__((constructor)) static void at_load() {
  on_exit(vouch::at_exit, nullptr);
  at_quick_exit(vouch::at_quick);
}
