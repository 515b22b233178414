// Debian's MPICH spins while it waits, which takes minutes where ranks outnumber cores. Given to the run without vouch
// (vouch's own library does the same), it gives the core to another rank after each idle poll.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>

unsigned ucp_worker_progress(void* worker) {
  static unsigned (*next)(void*);
  if (!next) next = (unsigned (*)(void*))dlsym(RTLD_NEXT, "ucp_worker_progress");
  unsigned done = next(worker);
  if (!done) sched_yield();
  return done;
}
