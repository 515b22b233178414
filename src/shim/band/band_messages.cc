// Point-to-point messages that carry a clock: one function for each form of call; which procedure
// has which form is a table (band_messages.inc).

#include <cstring>

#include "shim/band/band_packed.h"
#include "shim/band/band_state.h"

namespace vouch::shim {

namespace {

const Clock& clock_to_send(MPI_Comm comm, int dest) {
  count_sent(comm, dest);
  return band_clock.now();
}

// A request whose clocks the library is about to be given; `keep` it when there is one.
Posted* post_receive(MPI_Comm comm, int source, int tag) {
  Posted* posted = new_posted();
  if (posted == nullptr) return nullptr;
  posted->receives = true;
  posted->asked = {comm, source, tag, -1, 0, false};
  return posted;
}

int posted_with(Posted* posted, int rc, MPI_Request* request, bool active) {
  if (rc != MPI_SUCCESS) {
    drop_posted(posted);
    return rc;
  }
  keep(posted, *request);
  posted->active = active;
  if (active && posted->receives) band_clock.pending(posted);
  return rc;
}

void issue(Posted& posted) {
  const Asked& a = posted.asked;
  posted.asked = band_clock.issue(a.comm, a.source, a.tag, false);
}

// ---- the forms; M is the member of Real ----
template <auto M>
struct Send {
  template <typename Count>
  static int call(const void* buf, Count count, MPI_Datatype type, int dest, int tag,
                  MPI_Comm comm) {
    if (!carries(comm, dest, count, type)) return (plain.*M)(buf, count, type, dest, tag, comm);
    if (std::uint64_t bytes; is_copied(count, type, bytes)) {
      Copied both;
      std::memcpy(both.bytes, clock_to_send(comm, dest).at, clock_bytes());
      if (bytes != 0) std::memcpy(both.data(), buf, bytes);
      return (plain.*M)(&both, static_cast<Count>(clock_bytes() + bytes), band_names.byte, dest,
                        tag, comm);
    }
    const Clock clock = clock_to_send(comm, dest);
    const Packed packed(&clock, buf, count, type);
    return (plain.*M)(MPI_BOTTOM, 1, packed.get(), dest, tag, comm);
  }
};

template <auto M>
struct Isend {
  template <typename Count>
  static int call(const void* buf, Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
                  MPI_Request* request) {
    Posted* posted = carries(comm, dest, count, type) ? new_posted() : nullptr;
    if (posted == nullptr) return (plain.*M)(buf, count, type, dest, tag, comm, request);
    posted->clock_out = clock_to_send(comm, dest);
    Packed packed(&posted->clock_out, buf, count, type);
    packed.stay(*posted);
    return posted_with(posted, (plain.*M)(MPI_BOTTOM, 1, packed.get(), dest, tag, comm, request),
                       request, true);
  }
};

template <auto M>
struct Send_init {
  template <typename Count>
  static int call(const void* buf, Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
                  MPI_Request* request) {
    Posted* posted = carries(comm, dest, count, type) ? new_posted() : nullptr;
    if (posted == nullptr) return (plain.*M)(buf, count, type, dest, tag, comm, request);
    posted->persistent = true;
    posted->asked = {comm, dest, tag, -1, 0, false};
    Packed packed(&posted->clock_out, buf, count, type);
    packed.stay(*posted);
    return posted_with(posted, (plain.*M)(MPI_BOTTOM, 1, packed.get(), dest, tag, comm, request),
                       request, false);
  }
};

template <auto M>
struct Recv {
  template <typename Count>
  static int call(void* buf, Count count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
                  MPI_Status* status) {
    int from = source, with = tag;
    as_asked(from, with);
    if (!carries(comm, source, count, type))
      return (plain.*M)(buf, count, type, source, tag, comm, status);
    MPI_Status own;
    MPI_Status* seen = is_ignored(status) ? &own : status;
    const Asked asked = band_clock.issue(comm, from, with, false);
    Clock clock;
    clock.unset();
    if (std::uint64_t bytes; is_copied(count, type, bytes)) {
      Copied both;
      std::memcpy(both.bytes, clock.at, sizeof(clock.at[0]));
      const int rc = (plain.*M)(&both, static_cast<Count>(clock_bytes() + bytes), band_names.byte,
                                source, tag, comm, seen);
      std::memcpy(clock.at, both.bytes, clock_bytes());
      received(asked, seen, clock, rc);
      const std::uint64_t came = rc == MPI_SUCCESS ? bytes_in(*seen) : 0;
      if (came != 0) std::memcpy(buf, both.data(), came < bytes ? came : bytes);
      return rc;
    }
    const Packed packed(&clock, buf, count, type);
    const int rc = (plain.*M)(MPI_BOTTOM, 1, packed.get(), source, tag, comm, seen);
    received(asked, seen, clock, rc);
    return rc;
  }
};

template <auto M, bool Persistent>
struct Posts_receive {
  template <typename Count>
  static int call(void* buf, Count count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
                  MPI_Request* request) {
    const bool carried = carries(comm, source, count, type);
    int from = source, with = tag;
    as_asked(from, with);
    Posted* posted = carried ? post_receive(comm, from, with) : nullptr;
    if (posted == nullptr) return (plain.*M)(buf, count, type, source, tag, comm, request);
    posted->persistent = Persistent;
    if (!Persistent) issue(*posted);
    Packed packed(&posted->clock_in, buf, count, type);
    packed.stay(*posted);
    return posted_with(posted, (plain.*M)(MPI_BOTTOM, 1, packed.get(), source, tag, comm, request),
                       request, !Persistent);
  }
};
template <auto M>
struct Irecv : Posts_receive<M, false> {};
template <auto M>
struct Recv_init : Posts_receive<M, true> {};

template <auto M>
struct Sendrecv {
  template <typename Count>
  static int call(const void* sendbuf, Count sendcount, MPI_Datatype sendtype, int dest,
                  int sendtag, void* recvbuf, Count recvcount, MPI_Datatype recvtype, int source,
                  int recvtag, MPI_Comm comm, MPI_Status* status) {
    int from = source, with = recvtag;
    as_asked(from, with);
    const bool fine = wellformed(sendcount, sendtype) && wellformed(recvcount, recvtype);
    const bool sends = fine && carries(comm, dest, sendcount, sendtype);
    const bool receives = fine && carries(comm, source, recvcount, recvtype);
    if (!sends && !receives)
      return (plain.*M)(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype,
                        source, recvtag, comm, status);
    MPI_Status own;
    MPI_Status* seen = is_ignored(status) ? &own : status;
    const Clock out = sends ? clock_to_send(comm, dest) : Clock{};
    Clock in;
    in.unset();
    const Asked asked = receives ? band_clock.issue(comm, from, with, false) : Asked{};
    const Packed there(&out, sendbuf, sendcount, sendtype), here(&in, recvbuf, recvcount, recvtype);
    const int rc = (plain.*M)(MPI_BOTTOM, 1, there.get(), dest, sendtag, MPI_BOTTOM, 1, here.get(),
                              source, recvtag, comm, seen);
    if (receives) received(asked, seen, in, rc);
    return rc;
  }
};

// What is sent and what is received have one place for their clocks too.
template <auto M>
struct Sendrecv_replace {
  template <typename Count>
  static int call(void* buf, Count count, MPI_Datatype type, int dest, int sendtag, int source,
                  int recvtag, MPI_Comm comm, MPI_Status* status) {
    int from = source, with = recvtag;
    as_asked(from, with);
    const bool sends = carries(comm, dest, count, type);
    const bool receives = carries(comm, source, count, type);
    if (!sends && !receives)
      return (plain.*M)(buf, count, type, dest, sendtag, source, recvtag, comm, status);
    MPI_Status own;
    MPI_Status* seen = is_ignored(status) ? &own : status;
    Clock clock = sends ? clock_to_send(comm, dest) : Clock{};
    const Asked asked = receives ? band_clock.issue(comm, from, with, false) : Asked{};
    const Packed packed(&clock, buf, count, type);
    const int rc =
        (plain.*M)(MPI_BOTTOM, 1, packed.get(), dest, sendtag, source, recvtag, comm, seen);
    if (receives) received(asked, seen, clock, rc);
    return rc;
  }
};

#if MPI_VERSION >= 4
// MPICH 4.0 crashes where these have types that are not named ones. So they are made of a receive,
// whose request is the program's, and a send that is waited for with it.
template <typename Count>
int send_and_receive(const void* out, Count out_count, MPI_Datatype out_type, int dest, int sendtag,
                     void* in, Count in_count, MPI_Datatype in_type, int source, int recvtag,
                     MPI_Comm comm, MPI_Request* request) {
  constexpr bool large = sizeof(Count) > sizeof(int);
  using Post = std::conditional_t<large, Irecv<&Real::irecv_c>, Irecv<&Real::irecv>>;
  Posted* both = new_posted();
  int rc = Post::call(in, in_count, in_type, source, recvtag, comm, request);
  if (rc != MPI_SUCCESS || both == nullptr) return rc;
  Posted* posted = source != MPI_PROC_NULL ? find_posted(*request) : nullptr;
  if (posted == nullptr) {
    posted = both;
    posted->active = true;
    keep(posted, *request);
  } else {
    drop_posted(both);
  }
  posted->clock_out = clock_to_send(comm, dest);
  Packed packed(&posted->clock_out, out, out_count, out_type);
  packed.stay(*posted);
  rc = plain.isend(MPI_BOTTOM, 1, packed.get(), dest, sendtag, comm, &posted->also);
  posted->waits_also = rc == MPI_SUCCESS;
  return rc;
}

template <auto M>
struct Isendrecv {
  template <typename Count>
  static int call(const void* sendbuf, Count sendcount, MPI_Datatype sendtype, int dest,
                  int sendtag, void* recvbuf, Count recvcount, MPI_Datatype recvtype, int source,
                  int recvtag, MPI_Comm comm, MPI_Request* request) {
    if (!carries(comm, dest, sendcount, sendtype) || !wellformed(recvcount, recvtype)) {
      if (dest == MPI_PROC_NULL && carries(comm, source, recvcount, recvtype))
        return Irecv<&Real::irecv_c>::call(recvbuf, static_cast<MPI_Count>(recvcount), recvtype,
                                           source, recvtag, comm, request);
      return (plain.*M)(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype,
                        source, recvtag, comm, request);
    }
    return send_and_receive(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount,
                            recvtype, source, recvtag, comm, request);
  }
};

template <auto M>
struct Isendrecv_replace {
  template <typename Count>
  static int call(void* buf, Count count, MPI_Datatype type, int dest, int sendtag, int source,
                  int recvtag, MPI_Comm comm, MPI_Request* request) {
    MPI_Count size = 0, used = 0;
    const bool sends = carries(comm, dest, count, type);
    if (sends) plain.pack_size_c(static_cast<MPI_Count>(count), type, comm, &size);
    void* packed = sends ? pages(static_cast<std::uint64_t>(size) + 1) : nullptr;
    if (packed == nullptr)
      return Isendrecv<&Real::isendrecv_c>::call(nullptr, MPI_Count{0}, band_names.byte, dest,
                                                 sendtag, buf, static_cast<MPI_Count>(count), type,
                                                 source, recvtag, comm, request);
    plain.pack_c(buf, static_cast<MPI_Count>(count), type, packed, size, &used, comm);
    const int rc =
        send_and_receive(packed, used, band_names.byte, dest, sendtag, buf,
                         static_cast<MPI_Count>(count), type, source, recvtag, comm, request);
    if (Posted* posted = rc == MPI_SUCCESS ? find_posted(*request) : nullptr) {
      posted->copy = packed;
      posted->copied = static_cast<std::uint64_t>(size) + 1;
    }
    return rc;
  }
};
#endif

}  // namespace

std::uint64_t bytes_of_named(MPI_Datatype type) {
  // Named types live as long as the process; others are not kept, their handles may come again.
  struct Named {
    std::uint64_t handle, bytes;
  };
  static Named known_types[64];
  Named& here = known_types[(raw(type) * 0x9e3779b97f4a7c15u) >> 58];
  if (here.handle == raw(type)) return here.bytes;
  int integers, addresses, types, combiner = 0, size = 0;
  MPI_Aint lower = 0, extent = 0;
  if (plain.type_get_envelope(type, &integers, &addresses, &types, &combiner) != MPI_SUCCESS ||
      combiner != MPI_COMBINER_NAMED)
    return 0;
  plain.type_size(type, &size);
  plain.type_get_extent(type, &lower, &extent);
  const std::uint64_t bytes = lower == 0 && extent == size ? static_cast<std::uint64_t>(size) : 0;
  if (band_clock.alone()) here = {raw(type), bytes};
  return bytes;
}

void install_messages() {
#define VOUCH_BAND(name, Form) \
  if (plain.name != nullptr) real.name = Form<&Real::name>::call;
#include "band_messages.inc"
#undef VOUCH_BAND
}

}  // namespace vouch::shim
