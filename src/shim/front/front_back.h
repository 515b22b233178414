// Between the preloaded library (front) and the library built for one MPI (back end).
//
// The front exports every name of MPI and knows no MPI at all; it jumps through a table of slots.
// The back end knows one MPI library and exports nothing but `vouch_back_end`. They lie in the same
// directory and are built together.

#pragma once

#include <cstdint>

struct vouch_term;

namespace vouch {

struct AccessModule;

// What both keep per thread. It lives in the front, which is loaded at start-up, so it costs no
// dynamic TLS. The Fortran stubs (assembly) know the offsets.
struct Tls {
  void* caller;          // 0: return address of the user's call of a Fortran entry
  std::uint32_t proc;    // 8: the C procedure its glue is going to call; 0: nothing is stashed
  std::uint32_t entry;   // 12: number of that Fortran entry
  void* thread;          // 16: the back end's state of this thread
  std::uint32_t idle;    // 24: polls without progress (yielding)
  std::uint32_t helper;  // 28: the MPI library made this thread for itself
  std::uint64_t arguments[6];  // 32: the first arguments of that Fortran call, all addresses
  const std::uint64_t* stack;  // 80: its stack pointer: return address, then the other arguments
  std::uint32_t access_busy;   // an access of this thread is being looked at, or none is any more
  std::uint32_t unused;
  std::uint64_t access_place, access_address;  // of the atomic access recorded last
};
static_assert(sizeof(Tls) == 112);

struct FrontInfo {
  void* library;                          // handle of the MPI library, for dlsym
  const char* socket;                     // abstract name of the agent's socket
  void* (*fortran_entry)(std::uint32_t);  // the library's own function behind a Fortran entry
  AccessModule* const* modules;           // instrumented parts of the program (access/module.h)
};

struct BackEnd {
  std::uint32_t version;  // kBackEndVersion
  std::uint32_t procs;    // length of the tables below
  void* const* wrappers;  // by Proc; nullptr: this library does not have it
  void* const*
      direct;  // by Proc: recorders of Fortran entries whose glue does not pass through the C entry
  // Connects to the agent. False: nothing is going to be recorded, pass everything through.
  bool (*attach)(const FrontInfo&);
  // The process is about to end with this status, by exit (0) or _exit (1).
  void (*ending)(int status, int immediate);
  // A thread is about to be started, to run code of the program or of some library. True: the MPI
  // library starts it, for itself.
  bool (*thread_made)(bool programs);
  // This is such a thread, and it begins or ends.
  void (*helper)(bool begins);
  // Word to look at before an idle poll yields; valid after attach.
  const volatile std::uint32_t* (*yield_word)();
  // By Proc: what stands in for a wrapper with --check-buffers; nullptr: the wrapper itself.
  void* const* checked;
  // The program says something of its values (api/vouch.h). frames: how many callers stand between
  // `caller` and the user's line.
  void (*claim)(unsigned kind, int holds, unsigned frames, const char* condition, const char* names,
                unsigned count, const vouch_term* terms, const void* caller);
  // By Proc: what stands in for a wrapper in a run that follows a schedule.
  void* const* guided;
  bool (*guiding)();  // this run does; valid after attach
  // This thread reads a clock or sleeps, or sets a timer.
  void (*time_asked)(bool timer);
  // An instrumented module was loaded, or is going to be unloaded.
  void (*access_module)(AccessModule*, bool comes);
};
inline constexpr std::uint32_t kBackEndVersion = 8;
// Set by `vouch run --check-buffers`.
inline constexpr const char* kChecksVariable = "VOUCH_CHECK_BUFFERS";
// Set by `vouch predict`: what sends read is told (Meta::value). "2", by `vouch explore`: also a
// digest of all of it.
inline constexpr const char* kValuesVariable = "VOUCH_VALUES";
// Set by `vouch replay --buffering strict`: standard sends wait for their receives.
inline constexpr const char* kSynchronousVariable = "VOUCH_SYNCHRONOUS";

}  // namespace vouch

extern "C" {
extern __thread vouch::Tls vouch_tls __attribute__((tls_model("initial-exec")));
}
