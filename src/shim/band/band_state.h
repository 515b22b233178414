// What the parts of the in-band transport share (band.h).

#pragma once

#include "shim/band/band_clock.h"
#include "shim/core/lib.h"

namespace vouch::shim {

extern Real plain;  // the library's functions
// Handles that are found by name, once.
struct BandNames {
  MPI_Datatype clock, byte;
  MPI_Op max;
};
extern BandNames band_names;

// The clocks of one collective, on their way.
struct Exchange {
  MPI_Request request{};  // of a nonblocking one
  bool running = false;
  Clock mine, got;
  std::uint32_t* all = nullptr;  // of each member; behind them: whose count
  std::uint64_t bytes = 0;
  int members = 0;
  bool counts = true;  // what came is learnt
};

// A request of the program whose messages carry clocks. It does not move: the library reads and
// writes its clocks.
struct Posted {
  MPI_Request request{};
  Posted* next = nullptr;  // with the same hash; free ones
  Clock clock_out, clock_in;
  bool receives = false, persistent = false, active = false;
  bool told = false;     // what it got is known
  bool settled = false;  // it has surely matched
  Asked asked{};         // a persistent send: where it goes
  Got got{};
  MPI_Datatype types[2]{};  // ours, as long as it lives
  int type_count = 0;
  Exchange exchange{};
  MPI_Request also{};  // complete only with this one
  bool waits_also = false;
  void* copy = nullptr;  // of what is sent
  std::uint64_t copied = 0;
};

// ---- requests (band_requests.cc) ----
Posted* new_posted();
void drop_posted(Posted*);  // one that never got a request
// It is the one that this request stands for.
void keep(Posted*, MPI_Request);
Posted* find_posted(MPI_Request);
// A request was found complete, with this status: the clock is taken off. The batch learns of it.
void finish(Posted*, MPI_Status*);
void forget_posted(MPI_Request);
void install_requests();

// ---- messages ----
// Whether what goes over this communicator carries a clock: both ends say the same.
bool carries(MPI_Comm);
void count_sent(MPI_Comm, int dest);
// A receive has returned; `asked` was issued before.
void received(const Asked&, MPI_Status*, const Clock&, int rc);
void took();  // one message more
void take_off(MPI_Status&);
// As the program asked for it, if a schedule decided otherwise.
void as_asked(int& source, int& tag);
void install_messages();
void install_probes();
// What nobody has received, at the end.
void drain();

// ---- collectives ----
void end_exchange(Exchange&);
void install_collectives();

// Inside a call that makes the library send messages of its own.
extern thread_local int outside_calls __attribute__((tls_model("initial-exec")));

}  // namespace vouch::shim
