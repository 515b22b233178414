// Call sites: return address -> number and class of the object it lies in.
//
// A hit is one multiplication and one comparison. A miss (the first call from a place) looks the
// address up, records the module and the site, and classifies it; from then on it is a hit for
// every thread. Misses: a place in a library that was unloaded and replaced by another at the same
// address.

#pragma once

#include <cstdint>

#include "event/wire.h"
#include "shim/core/runtime.h"

namespace vouch::shim {

// Who makes a call decides whether it is an event.
enum class Caller : std::uint32_t {
  user,     // an event
  library,  // the MPI library or its plug-ins: internal
  glue,     // Fortran layer of the library: an event if a stub stashed this very procedure
  python,   // mpi4py's extension: an event, its place is a Python line
  // The library where it calls a function by its address: of the user, within a call of his, since
  // the library itself calls MPI procedures by name. That function has ended in the MPI call
  // (`return MPI_Comm_free_keyval(&keyval)`, compiled to a jump) and left no frame of its own.
  callback = 5,
};

struct SiteEntry {
  std::uint64_t address;  // 0: free
  std::uint64_t value;    // number, Caller << 32
  Caller caller() const { return static_cast<Caller>(value >> 32); }
  std::uint32_t number() const { return static_cast<std::uint32_t>(value); }
};

struct SiteTable {
  std::uint64_t shift;     // 64 - log2(capacity)
  std::uint64_t capacity;  // a power of two
  std::uint64_t used;
  SiteEntry entries[];

  std::uint64_t slot(std::uint64_t address) const {
    return (address * 0x9E3779B97F4A7C15u) >> shift;
  }
};

bool make_site_table();
// Finds or makes the entry. `t` is busy or not in a call. Number 0, user, if there is no room at
// all.
SiteEntry find_site(Thread& t, const void* caller);
// The Python line that is being executed, as a site; 0 if there is none.
std::uint32_t python_site(Thread& t);
// A number for a site that is no address.
std::uint32_t new_site_number();

// The caller of the function around a return address of this stack, `frames` times over.
const void* caller_above(const void* caller, unsigned frames);

struct Place {
  std::uint32_t module;
  std::uint64_t offset;
  Caller caller;
  bool main;  // in the executable itself
};
// Records the module if it is new. False: in no object (generated code).
bool place_of(Thread& t, const void* address, Place& place);
// The same for a signal handler: finds only modules that are already known, takes no lock.
bool known_place_of(const void* address, Place& place);

}  // namespace vouch::shim
