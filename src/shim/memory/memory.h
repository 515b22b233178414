// What a run with --check-buffers does besides recording: which block of memory a call names, and
// whether what a pending send reads stays as it is.
//
// Then the table of the front leads to functions of their own (`checked_x`, generated), which do
// this around the wrappers; a run without the flag never comes here. A checked function stands
// between the user and the wrapper, so it tells the wrapper whose call it is.
//
//     Checked check(Proc::isend, CALLER);
//     check.uses(buf);
//     const auto rc = wrap_isend(buf, …, request);
//     if (check.done(rc)) check.pending(request, 0, buf, count, datatype);
//
// A run that wants the values of sends comes here too, and only tells those. So does a program
// whose loads and stores are seen (access/access.h): which memory it exposes, and what its
// operations hold.
//
// Misses: what happens to the arrays of a persistent collective between its operations; the send
// sides of nonblocking collectives that are arrays of blocks, significant at some ranks only, or
// shared with the receive side (MPI_Ibcast); partitioned sends.

#pragma once

#include <cstdint>

#include "event/proc.h"
#include "shim/access/access.h"
#include "shim/core/lib.h"
#include "shim/memory/sends.h"

namespace vouch::shim {

// Looks for the heap hooks. Called once, when the process attaches. values: what sends read is
// told.
void start_checks(bool checks, const char* values);

class Checked {
 public:
  Checked(Proc proc, const void* caller);

  // A call names this memory.
  void uses(const void* buffer);
  // These requests may be complete, or freed, when the call returns.
  void completes(const MPI_Request* requests, std::int64_t count);
  // They are started: what they name is named again.
  void starts(const MPI_Request* requests, std::int64_t count);

  // The wrapper has returned. True: the call was the user's and succeeded.
  bool done(int rc);

  // A pending operation reads this.
  void pending(const MPI_Request* request, int param, const void* buffer, std::int64_t count,
               MPI_Datatype type);
  // So does a collective its arrays of counts, displacements and types. Of a Fortran call they may
  // be the library's copies.
  void uses_array(const void* array) {
    if (!fortran_) uses(array);
  }
  void pending_array(const MPI_Request* request, int param, const void* array, std::int64_t bytes) {
    if (!fortran_) pending(request, param, array, bytes, MPI_BYTE);
  }
  void will_read_array(const MPI_Request* request, int param, const void* array,
                       std::int64_t bytes) {
    if (!fortran_) will_read(request, param, array, bytes, MPI_BYTE);
  }
  // A send has read this (Meta::value).
  void sent(const void* buffer, std::int64_t count, MPI_Datatype type);
  // A persistent one will.
  void will_read(const MPI_Request* request, int param, const void* buffer, std::int64_t count,
                 MPI_Datatype type);
  // Of an instrumented program: what an operation under way reads or writes, until its request is
  // complete, or until the window says that it is.
  void holds(const MPI_Request* request, const Hull&, bool persistent);
  void holds(MPI_Win window, int target, const Hull&);
  void released(MPI_Win window, int target);  // -1: all targets
  void exposed(MPI_Win window, const void* base, std::int64_t bytes);
  void exposed_shared(MPI_Win window);
  void detached(MPI_Win window, const void* base);
  void window_gone(std::uint64_t window);
  void started();
  void completed();
  void forgotten();  // freed, or in a state that nobody knows

 private:
  void capture(const MPI_Request* requests, std::int64_t count);
  void release();

  Thread* thread_;
  Proc proc_;
  bool user_ = false, fortran_ = false;
  RequestSlot* slots_ = nullptr;  // the requests given, as they were when the call came
  std::uint64_t count_ = 0;
  RequestSlot few_[16];
};

}  // namespace vouch::shim
