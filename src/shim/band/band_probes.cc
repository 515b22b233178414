// Probes, matched ones too, and what receives the messages of those.

#include "shim/band/band.h"
#include "shim/band/band_packed.h"
#include "shim/band/band_state.h"
#include "shim/core/paged.h"

namespace vouch::shim {

namespace {

// Matched messages that carry no clock: of inter-communicators.
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
Paged<std::uint64_t> bare;

bool has_clock(MPI_Message message) {
  Lock lock(mutex);
  for (std::uint64_t i = 0; i < bare.size(); ++i) {
    if (bare[i] != raw(message)) continue;
    bare.erase(i);
    return false;
  }
  const MPI_Message nobody = MPI_MESSAGE_NO_PROC, none = MPI_MESSAGE_NULL;
  return outside_calls == 0 && message != nobody && message != none;
}

// A probe sees how long the message is, not its clock. One that asks counts when it sees something.
void saw(const Asked& as, MPI_Status& status) {
  BandBatch batch;
  take_off(status);
  band_clock.take({band_clock.issue(as.comm, as.source, as.tag, true),
                   {status.MPI_SOURCE, status.MPI_TAG, Clock{}},
                   false,
                   nullptr});
}

// All four: `look` asks the library and says whether there is a message; `message`: its handle.
template <typename Look>
int probe(int source, int tag, MPI_Comm comm, MPI_Status* status, MPI_Message* message, Look look) {
  Asked as{comm, source, tag, -1, 0, true};
  as_asked(as.source, as.tag);
  MPI_Status own;
  MPI_Status* seen = is_ignored(status) ? &own : status;
  bool there = false;
  const int rc = look(seen, there);
  if (rc != MPI_SUCCESS || !there || source == MPI_PROC_NULL || seen == nullptr) return rc;
  if (!carries(comm)) {
    Lock lock(mutex);
    if (message != nullptr) bare.push(raw(*message));
    return rc;
  }
  if (message != nullptr) band_clock.gap(BandGap::matched_probe);
  saw(as, *seen);
  return rc;
}

template <auto M>
struct Probe {
  static int call(int source, int tag, MPI_Comm comm, MPI_Status* status) {
    return probe(source, tag, comm, status, nullptr, [&](MPI_Status* seen, bool& there) {
      there = true;
      return (plain.*M)(source, tag, comm, seen);
    });
  }
};

template <auto M>
struct Iprobe {
  static int call(int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
    return probe(source, tag, comm, status, nullptr, [&](MPI_Status* seen, bool& there) {
      const int rc = (plain.*M)(source, tag, comm, flag, seen);
      there = flag != nullptr && *flag != 0;
      return rc;
    });
  }
};

template <auto M>
struct Mprobe {
  static int call(int source, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status) {
    return probe(source, tag, comm, status, message, [&](MPI_Status* seen, bool& there) {
      there = true;
      return (plain.*M)(source, tag, comm, message, seen);
    });
  }
};

template <auto M>
struct Improbe {
  static int call(int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message,
                  MPI_Status* status) {
    return probe(source, tag, comm, status, message, [&](MPI_Status* seen, bool& there) {
      const int rc = (plain.*M)(source, tag, comm, flag, message, seen);
      there = flag != nullptr && *flag != 0;
      return rc;
    });
  }
};

// The clock is learnt here; that a message was taken was told by the probe.
template <auto M>
struct Mrecv {
  template <typename Count>
  static int call(void* buf, Count count, MPI_Datatype type, MPI_Message* message,
                  MPI_Status* status) {
    if (!wellformed(count, type) || message == nullptr || !has_clock(*message))
      return (plain.*M)(buf, count, type, message, status);
    MPI_Status own;
    MPI_Status* seen = is_ignored(status) ? &own : status;
    Clock clock;
    clock.unset();
    const Packed packed(&clock, buf, count, type);
    const int rc = (plain.*M)(MPI_BOTTOM, 1, packed.get(), message, seen);
    if (seen != nullptr) take_off(*seen);
    took();
    band_clock.learn(clock);
    return rc;
  }
};

template <auto M>
struct Imrecv {
  template <typename Count>
  static int call(void* buf, Count count, MPI_Datatype type, MPI_Message* message,
                  MPI_Request* request) {
    const bool carried = wellformed(count, type) && message != nullptr && has_clock(*message);
    Posted* posted = carried ? new_posted() : nullptr;
    if (posted == nullptr) return (plain.*M)(buf, count, type, message, request);
    posted->receives = posted->active = true;
    posted->asked = {known.comm_null, MPI_PROC_NULL, 0, -1, 0, false};
    Packed packed(&posted->clock_in, buf, count, type);
    packed.stay(*posted);
    const int rc = (plain.*M)(MPI_BOTTOM, 1, packed.get(), message, request);
    rc == MPI_SUCCESS ? keep(posted, *request) : drop_posted(posted);
    return rc;
  }
};

}  // namespace

void install_probes() {
#define VOUCH_BAND(name, Form) \
  if (plain.name != nullptr) real.name = Form<&Real::name>::call;
#include "band_probes.inc"
#undef VOUCH_BAND
}

}  // namespace vouch::shim
