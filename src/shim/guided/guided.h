// A run that follows a schedule: what the wrappers of its nondeterministic calls do besides.
//
// Then the table of the front leads to functions of their own (`guided_x`, generated): the same
// wrapper, but what it passes on to the library is decided by the plan (record/plan.h). The record
// shows the call as the user made it, and its outcome; Meta::decided tells what it was made to
// take. A run without a schedule never comes here.
//
// - MPI_ANY_SOURCE becomes the source that was decided, and MPI_ANY_TAG the tag.
// - A call that would pick among requests waits for those decided, and answers as if it had found
//   them; one that is to find nothing answers so without asking the library.
// - A persistent receive from any source is stood in for by one from the decided source, made at
//   its start; the user's handle stays what it is.
//
// Where call and decision do not fit, that is told (Meta::diverged), and from then on nothing is
// decided any more. Several threads take their decisions in the order in which they come.
//
// Unlike other wrappers these may allocate pages, lock a mutex, and wait.

#pragma once

#include <sched.h>

#include "record/ring.h"
#include "shim/core/call.h"
#include "shim/core/lib.h"

namespace vouch::shim {

// When the process attaches: the plan lies behind the bell.
void start_guiding(int bell_memory, const Bell&);
bool guiding();
// Once the world is known.
void guide_rank(int rank, int most_tag);

// The next match, if the source is MPI_ANY_SOURCE. `parks`: the communicator may change too, so
// that a receive can be kept from taking anything.
void decide_source(Call&, MPI_Comm& comm, int& source, int& tag, bool parks);
// A persistent receive from any source was made.
void keep_pattern(MPI_Request request, void* buf, std::int64_t count, MPI_Datatype type, int tag,
                  MPI_Comm comm, bool large);

enum class Answer : std::uint8_t { free, no, yes };
// The next pick of a call that answers yes or no. yes: it is told that the call waits.
Answer decide_flag(Call&);
// Lets the library do its work while we answer in its place.
void make_progress();

// A call that asks for a flag and changes nothing.
template <typename Ask>
int guided_poll(Call& call, int* flag, Ask ask) {
  switch (decide_flag(call)) {
    case Answer::free:
      return ask();
    case Answer::no:
      if (flag != nullptr) *flag = 0;
      make_progress();
      return MPI_SUCCESS;
    case Answer::yes:
      break;
  }
  for (;;) {
    const int rc = ask();
    if (rc != MPI_SUCCESS || flag == nullptr || *flag != 0) return rc;
    ::sched_yield();
  }
}

int guide_iprobe(Call&, int source, int tag, MPI_Comm, int* flag, MPI_Status*);
int guide_improbe(Call&, int source, int tag, MPI_Comm, int* flag, MPI_Message*, MPI_Status*);
int guide_request_get_status(Call&, MPI_Request, int* flag, MPI_Status*);
int guide_wait(Call&, MPI_Request*, MPI_Status*);
int guide_waitall(Call&, int count, MPI_Request*, MPI_Status*);
int guide_waitany(Call&, int count, MPI_Request*, int* index, MPI_Status*);
int guide_waitsome(Call&, int count, MPI_Request*, int* outcount, int* indices, MPI_Status*);
int guide_test(Call&, MPI_Request*, int* flag, MPI_Status*);
int guide_testall(Call&, int count, MPI_Request*, int* flag, MPI_Status*);
int guide_testany(Call&, int count, MPI_Request*, int* index, int* flag, MPI_Status*);
int guide_testsome(Call&, int count, MPI_Request*, int* outcount, int* indices, MPI_Status*);
int guide_start(Call&, MPI_Request*);
int guide_startall(Call&, int count, MPI_Request*);
int guide_cancel(Call&, MPI_Request*);
int guide_request_free(Call&, MPI_Request*);

}  // namespace vouch::shim
