// The functions that stand in `real` for a rank that is tried alone: in the run that is repeated
// they keep a log, in its copies they answer from it.

#include <cstring>

#include "event/proc.h"
#include "shim/solo/solo.h"
#include "shim/solo/solo_state.h"

namespace vouch::shim {

namespace {

constexpr int kMostSources = 4096;
constexpr std::uint32_t kMostRequests = 1 << 14;

// ---- what is asked for, as a number ----
class Hash {
 public:
  explicit Hash(Proc proc) { add(static_cast<std::uint64_t>(proc)); }
  Hash& add(std::uint64_t word) {
    for (int i = 0; i < 8; ++i) byte(static_cast<unsigned char>(word >> (8 * i)));
    return *this;
  }
  Hash& add(const void* data, std::uint64_t bytes) {
    for (std::uint64_t i = 0; i < bytes; ++i) byte(static_cast<const unsigned char*>(data)[i]);
    return *this;
  }
  std::uint64_t value() const { return value_; }

 private:
  void byte(unsigned char b) { value_ = (value_ ^ b) * 0x100000001b3u; }
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

// Bytes of `count` elements without holes; -1: there are some, or it is too much.
std::int64_t plain_bytes(const void* buffer, std::int64_t count, MPI_Datatype type) {
  int size = 0;
  MPI_Aint lower = 0, extent = 0;
  if (count == 0) return 0;
  if (buffer == MPI_BOTTOM || buffer == MPI_IN_PLACE || count < 0 ||
      actual.type_size(type, &size) != MPI_SUCCESS ||
      actual.type_get_extent(type, &lower, &extent) != MPI_SUCCESS || lower != 0 || extent != size)
    return -1;
  return count * size;
}

// A call of the program. In a copy: the same as in the run that is repeated, or the path ends.
SoloCall* note(std::uint64_t hash, std::int64_t source, bool sends) {
  if (!solo.copied) return nullptr;
  SoloHeader* h = solo.header;
  const std::uint32_t n = solo.call++;
  solo.position += sends;
  if (!solo.copy) {
    if (n >= h->most_calls) {
      solo_break();
      return nullptr;
    }
    solo.calls[n] = {hash, source, 0, 0};
    h->calls = n + 1;
    return &solo.calls[n];
  }
  h->steps.fetch_add(1, std::memory_order_relaxed);
  if (n >= h->calls || solo.calls[n].hash != hash) solo_end(SoloEnd::differs);
  if (solo.calls[n].source != source) h->sources_vary = 1;
  return &solo.calls[n];
}

// Room in the log for these bytes, copied there.
std::uint64_t keep(const void* data, std::uint64_t bytes) {
  SoloHeader* h = solo.header;
  if (h->log_used + bytes > h->bytes - h->log_at) {
    solo_break();
    return 0;
  }
  const std::uint64_t at = h->log_used;
  std::memcpy(solo.log + at, data, bytes);
  h->log_used += (bytes + 7) & ~std::uint64_t{7};
  return at;
}

// ---- requests ----
struct Active {
  std::uint64_t handle;
  std::int32_t receive;  // -1: a send
  std::uint32_t id;      // the n-th request
};
Active active[kMostRequests];
std::uint32_t active_count, requests_so_far;

void activate(MPI_Request request, std::int32_t receive) {
  if (active_count == kMostRequests) {
    if (solo.copy) solo_end(SoloEnd::unsupported);
    return solo_break();
  }
  active[active_count++] = {raw(request), receive, ++requests_so_far};
}

MPI_Request made_up() {
  static std::uint64_t next = 0;
  const std::uint64_t value = 0x5b000000u + ++next * 64;
  MPI_Request request;
  static_assert(sizeof(request) <= sizeof(value));
  std::memcpy(&request, &value, sizeof(request));  // little end first
  return request;
}

// Which one it is; 0: none of ours.
std::uint64_t id_of(MPI_Request request) {
  for (std::uint32_t i = active_count; i-- > 0;)
    if (active[i].handle == raw(request)) return active[i].id;
  return 0;
}

// Takes it out; -2: it is none of ours.
std::int32_t deactivate(MPI_Request request) {
  for (std::uint32_t i = active_count; i-- > 0;) {
    if (active[i].handle != raw(request)) continue;
    const std::int32_t receive = active[i].receive;
    active[i] = active[--active_count];
    return receive;
  }
  return -2;
}

// ---- receives ----
std::int32_t issue(Proc proc, void* buffer, std::int64_t count, MPI_Datatype type, int source,
                   int tag, MPI_Comm comm) {
  std::int32_t event = -1;
  bool any = source == MPI_ANY_SOURCE;
  if (solo.copy && any) {
    event = static_cast<std::int32_t>(solo.met_events++);
    if (static_cast<std::uint32_t>(event) >= solo.header->events) solo_end(SoloEnd::differs);
    if (solo.events[event].fixed != 0) {
      source = solo.events[event].source;
      event = -1;
    }
  }
  if (!solo.copy && solo.is_event) {
    any = true;
    solo.is_event = false;
  }
  note(Hash(proc).add(number(tag)).add(raw(comm)).add(number(count)).add(raw(type)).value(),
       any ? -1 : source, false);
  const std::uint32_t i = solo.issued++;
  if (i >= solo.header->messages) {
    if (solo.copy) solo_end(SoloEnd::differs);
    solo_break();
    return -1;
  }
  solo.receives[i] = {comm, buffer, count, type, source, tag, event, -1, true};
  return static_cast<std::int32_t>(i);
}

// In the run that is repeated: a receive is complete.
void completed(std::int32_t i, const MPI_Status& status) {
  if (i < 0) return;
  SoloReceive& r = solo.receives[i];
  SoloMessage& m = solo.messages[i];
  r.pending = false;
  int bytes = 0;
  if (plain_bytes(r.buffer, r.count, r.type) < 0 ||
      actual.get_count(&status, MPI_BYTE, &bytes) != MPI_SUCCESS || bytes < 0 ||
      m.source != status.MPI_SOURCE || m.tag != status.MPI_TAG)
    return solo_break();
  m.at = keep(r.buffer, static_cast<std::uint64_t>(bytes));
  m.bytes = static_cast<std::uint64_t>(bytes);
  m.comm = raw(r.comm);
  m.type = raw(r.type);
  m.count = r.count;
}

bool accepts(const SoloReceive& r, const SoloMessage& m) {
  return m.comm == raw(r.comm) && (r.source == MPI_ANY_SOURCE || r.source == m.source) &&
         (r.tag == MPI_ANY_TAG || r.tag == m.tag);
}

// The first message from there that it could take; -1: there is none yet.
std::int32_t first_from(const SoloReceive& r, int source) {
  std::int32_t first = -1;
  for (std::uint32_t i = 0; i < solo.header->messages; ++i) {
    const SoloMessage& m = solo.messages[i];
    if (solo.taken[i] != 0 || m.source != source || !accepts(r, m)) continue;
    if (first < 0 || m.order < solo.messages[first].order) first = static_cast<std::int32_t>(i);
  }
  return first >= 0 && solo.messages[first].need <= solo.position ? first : -1;
}

std::int32_t choose(const SoloReceive& r) {
  if (r.source != MPI_ANY_SOURCE) {
    const std::int32_t m = first_from(r, r.source);
    if (m < 0) solo_end(SoloEnd::blocked);
    return m;
  }
  int sources[kMostSources], count = 0;
  for (std::uint32_t i = 0; i < solo.header->messages; ++i) {
    const int source = solo.messages[i].source;
    if (solo.taken[i] != 0 || !accepts(r, solo.messages[i])) continue;
    bool known = false;
    for (int k = 0; k < count; ++k) known |= sources[k] == source;
    if (known || first_from(r, source) < 0) continue;
    if (count == kMostSources) solo_end(SoloEnd::unsupported);
    sources[count++] = source;
  }
  if (count == 0) solo_end(SoloEnd::blocked);
  return first_from(r, sources[solo_choose(r.event, sources, count)]);
}

void match(std::int32_t i);

// Receives issued before this one, the i-th, that would take its message have one before it has.
void match_before(const SoloReceive& r, std::int32_t i) {
  for (std::int32_t j = 0; j < i; ++j) {
    const SoloReceive& e = solo.receives[j];
    if (e.message >= 0 || !e.pending || raw(e.comm) != raw(r.comm)) continue;
    const bool sources =
        e.source == MPI_ANY_SOURCE || r.source == MPI_ANY_SOURCE || e.source == r.source;
    const bool tags = e.tag == MPI_ANY_TAG || r.tag == MPI_ANY_TAG || e.tag == r.tag;
    if (!sources || !tags) continue;
    if (e.tag != r.tag) solo_end(SoloEnd::unsupported);  // what goes first depends on tags
    // One that names its source takes what is there; the rest of that source is then for others.
    const bool may_wait = e.source != MPI_ANY_SOURCE && r.source == MPI_ANY_SOURCE;
    if (!may_wait || first_from(e, e.source) >= 0) match(j);
  }
}

void match(std::int32_t i) {
  SoloReceive& r = solo.receives[i];
  if (r.message >= 0) return;
  match_before(r, i);
  r.message = choose(r);
  solo.taken[r.message] = 1;
}

void fill(MPI_Status* status, const SoloMessage& m) {
  if (status == nullptr || is_ignored(status)) return;
  status->MPI_SOURCE = m.source;
  status->MPI_TAG = m.tag;
  actual.status_set_elements(status, MPI_BYTE, static_cast<int>(m.bytes));
  actual.status_set_cancelled(status, 0);
}

void fill_empty(MPI_Status* status) {
  if (status == nullptr || is_ignored(status)) return;
  status->MPI_SOURCE = MPI_ANY_SOURCE;
  status->MPI_TAG = MPI_ANY_TAG;
  status->MPI_ERROR = MPI_SUCCESS;
  actual.status_set_elements(status, MPI_BYTE, 0);
  actual.status_set_cancelled(status, 0);
}

// In a copy: a receive is over.
void deliver(std::int32_t i, MPI_Status* status) {
  match(i);
  SoloReceive& r = solo.receives[i];
  const SoloMessage& m = solo.messages[r.message];
  r.pending = false;
  // Whether types and lengths fit was looked at for receives like the one that got it then.
  if (m.type != raw(r.type) || m.count != r.count) solo_end(SoloEnd::differs);
  if (m.bytes > 0) std::memcpy(r.buffer, solo.log + m.at, m.bytes);
  fill(status, m);
}

// ---- sends ----
void sent(Proc proc, const void* buffer, std::int64_t count, MPI_Datatype type, int dest, int tag,
          MPI_Comm comm) {
  if (!solo.copied) return;
  const std::int64_t bytes = plain_bytes(buffer, count, type);
  if (bytes < 0) {
    if (solo.copy) solo_end(SoloEnd::unsupported);
    return solo_break();
  }
  note(Hash(proc)
           .add(number(dest))
           .add(number(tag))
           .add(raw(comm))
           .add(raw(type))
           .add(number(count))
           .add(buffer, static_cast<std::uint64_t>(bytes))
           .value(),
       0, dest != MPI_PROC_NULL);
}

int solo_send(const void* buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm) {
  sent(Proc::send, buf, count, type, dest, tag, comm);
  return solo.copy ? MPI_SUCCESS : actual.send(buf, count, type, dest, tag, comm);
}

int solo_bsend(const void* buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm) {
  sent(Proc::bsend, buf, count, type, dest, tag, comm);
  return solo.copy ? MPI_SUCCESS : actual.bsend(buf, count, type, dest, tag, comm);
}

int solo_isend(const void* buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
               MPI_Request* request) {
  sent(Proc::isend, buf, count, type, dest, tag, comm);
  if (solo.copy) {
    *request = made_up();
    activate(*request, -1);
    return MPI_SUCCESS;
  }
  const int rc = actual.isend(buf, count, type, dest, tag, comm, request);
  if (rc == MPI_SUCCESS) activate(*request, -1);
  return rc;
}

int solo_recv(void* buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
              MPI_Status* status) {
  if (source == MPI_PROC_NULL) {
    note(Hash(Proc::recv).value(), source, false);
    return actual.recv(buf, count, type, source, tag, comm, status);  // does nothing
  }
  const std::int32_t i = issue(Proc::recv, buf, count, type, source, tag, comm);
  if (solo.copy) {
    deliver(i, status);
    return MPI_SUCCESS;
  }
  MPI_Status own;
  MPI_Status* seen = is_ignored(status) ? &own : status;
  const int rc = actual.recv(buf, count, type, source, tag, comm, seen);
  rc == MPI_SUCCESS ? completed(i, *seen) : solo_break();
  return rc;
}

int solo_irecv(void* buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
               MPI_Request* request) {
  if (source == MPI_PROC_NULL) {
    if (solo.copy) solo_end(SoloEnd::unsupported);
    return actual.irecv(buf, count, type, source, tag, comm, request);
  }
  const std::int32_t i = issue(Proc::irecv, buf, count, type, source, tag, comm);
  if (solo.copy) {
    *request = made_up();
    activate(*request, i);
    return MPI_SUCCESS;
  }
  const int rc = actual.irecv(buf, count, type, source, tag, comm, request);
  if (rc == MPI_SUCCESS && i >= 0) activate(*request, i);
  return rc;
}

int solo_sendrecv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                  void* recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag,
                  MPI_Comm comm, MPI_Status* status) {
  sent(Proc::sendrecv, sendbuf, sendcount, sendtype, dest, sendtag, comm);
  const bool receives = source != MPI_PROC_NULL;
  const std::int32_t i =
      receives ? issue(Proc::sendrecv, recvbuf, recvcount, recvtype, source, recvtag, comm) : -1;
  if (solo.copy) {
    if (!receives) solo_end(SoloEnd::unsupported);
    deliver(i, status);
    return MPI_SUCCESS;
  }
  MPI_Status own;
  MPI_Status* seen = is_ignored(status) ? &own : status;
  const int rc = actual.sendrecv(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount,
                                 recvtype, source, recvtag, comm, seen);
  if (rc != MPI_SUCCESS) solo_break();
  if (rc == MPI_SUCCESS && receives) completed(i, *seen);
  return rc;
}

int solo_probe(int source, int tag, MPI_Comm comm, MPI_Status* status) {
  std::int64_t named = source;
  SoloReceive r{comm, nullptr, 0, MPI_BYTE, source, tag, -1, -1, true};
  if (!solo.copy && solo.is_event) {
    named = -1;
    solo.is_event = false;
  }
  if (solo.copy && source == MPI_ANY_SOURCE) {
    named = -1;
    r.event = static_cast<std::int32_t>(solo.met_events++);
    if (static_cast<std::uint32_t>(r.event) >= solo.header->events) solo_end(SoloEnd::differs);
    if (solo.events[r.event].fixed != 0) r.source = solo.events[r.event].source;
  }
  note(Hash(Proc::probe).add(number(tag)).add(raw(comm)).value(), named, false);
  if (!solo.copy) return actual.probe(source, tag, comm, status);
  match_before(r, static_cast<std::int32_t>(solo.issued));
  fill(status, solo.messages[choose(r)]);
  return MPI_SUCCESS;
}

// ---- completion ----
int wait_alone(MPI_Request* request, MPI_Status* status) {
  if (*request == MPI_REQUEST_NULL) {
    fill_empty(status);
    return MPI_SUCCESS;
  }
  const std::int32_t receive = deactivate(*request);
  if (receive == -2) solo_end(SoloEnd::unsupported);
  if (receive >= 0)
    deliver(receive, status);
  else
    fill_empty(status);
  *request = MPI_REQUEST_NULL;
  return MPI_SUCCESS;
}

int solo_wait(MPI_Request* request, MPI_Status* status) {
  note(Hash(Proc::wait).add(id_of(*request)).value(), 0, false);
  if (solo.copy) return wait_alone(request, status);
  const std::int32_t receive = deactivate(*request);
  MPI_Status own;
  MPI_Status* seen = is_ignored(status) ? &own : status;
  const int rc = actual.wait(request, seen);
  if (rc == MPI_SUCCESS) completed(receive, *seen);
  return rc;
}

int solo_waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
  Hash hash(Proc::waitall);
  hash.add(number(count));
  for (int k = 0; k < count; ++k) hash.add(id_of(requests[k]));
  note(hash.value(), 0, false);
  const bool ignored = is_ignored(statuses);
  if (solo.copy) {
    // Earlier receives choose first.
    for (std::uint32_t i = 0; i < solo.issued; ++i)
      for (int k = 0; k < count; ++k)
        for (std::uint32_t a = 0; a < active_count; ++a)
          if (active[a].receive == static_cast<std::int32_t>(i) &&
              active[a].handle == raw(requests[k]))
            match(static_cast<std::int32_t>(i));
    for (int k = 0; k < count; ++k)
      wait_alone(&requests[k], ignored ? MPI_STATUS_IGNORE : &statuses[k]);
    return MPI_SUCCESS;
  }
  constexpr int kFew = 256;
  MPI_Status own[kFew];
  std::int32_t receives[kFew];
  if (count > kFew) {
    solo_break();
    return actual.waitall(count, requests, statuses);
  }
  for (int k = 0; k < count; ++k) receives[k] = deactivate(requests[k]);
  const int rc = actual.waitall(count, requests, ignored ? own : statuses);
  for (int k = 0; k < count && rc == MPI_SUCCESS; ++k)
    completed(receives[k], ignored ? own[k] : statuses[k]);
  if (rc != MPI_SUCCESS) solo_break();
  return rc;
}

// ---- collectives: what is given must be the same, what is got is in the log ----
struct Part {
  const void* buffer;
  std::int64_t count;
  MPI_Datatype type;
  bool there;  // it is significant here
};

// The call itself, for `actual`, is only made in the run that is repeated.
template <typename Real_call>
int together(Proc proc, MPI_Comm comm, int root, Part gives, Part gets, std::uint64_t op,
             Real_call call) {
  if (!solo.copied) return call();
  const bool in_place = gives.there && gives.buffer == MPI_IN_PLACE;
  if (in_place) gives = gets;  // it gives what lies where the result will be
  const std::int64_t given = gives.there ? plain_bytes(gives.buffer, gives.count, gives.type) : 0;
  const std::int64_t got = gets.there ? plain_bytes(gets.buffer, gets.count, gets.type) : 0;
  if (given < 0 || got < 0) {
    if (solo.copy) solo_end(SoloEnd::unsupported);
    solo_break();
  }
  Hash hash(proc);
  hash.add(raw(comm)).add(number(root)).add(op).add(number(got)).add(in_place ? 1 : 0);
  if (gives.there) hash.add(raw(gives.type)).add(number(gives.count));
  if (gets.there) hash.add(raw(gets.type)).add(number(gets.count));
  if (given > 0) hash.add(gives.buffer, static_cast<std::uint64_t>(given));
  SoloCall* known = note(hash.value(), 0, true);
  if (!solo.copy) {
    const int rc = call();
    if (rc != MPI_SUCCESS) solo_break();
    if (known != nullptr && got > 0) {
      known->at = keep(gets.buffer, static_cast<std::uint64_t>(got));
      known->bytes = static_cast<std::uint64_t>(got);
    }
    return rc;
  }
  if (known->bytes > 0)
    std::memcpy(const_cast<void*>(gets.buffer), solo.log + known->at, known->bytes);
  return MPI_SUCCESS;
}

struct Place {
  int rank = 0, size = 1;
  explicit Place(MPI_Comm comm) {
    actual.comm_rank(comm, &rank);
    actual.comm_size(comm, &size);
  }
};

int solo_barrier(MPI_Comm comm) {
  return together(Proc::barrier, comm, 0, {}, {}, 0, [&] { return actual.barrier(comm); });
}

int solo_bcast(void* buf, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  const bool at_root = Place(comm).rank == root;
  return together(Proc::bcast, comm, root, {buf, count, type, at_root},
                  {buf, count, type, !at_root}, 0,
                  [&] { return actual.bcast(buf, count, type, root, comm); });
}

int solo_reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
                int root, MPI_Comm comm) {
  const bool at_root = Place(comm).rank == root;
  return together(Proc::reduce, comm, root, {sendbuf, count, type, true},
                  {recvbuf, count, type, at_root}, raw(op),
                  [&] { return actual.reduce(sendbuf, recvbuf, count, type, op, root, comm); });
}

int solo_allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm) {
  return together(Proc::allreduce, comm, 0, {sendbuf, count, type, true},
                  {recvbuf, count, type, true}, raw(op),
                  [&] { return actual.allreduce(sendbuf, recvbuf, count, type, op, comm); });
}

int solo_gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  const Place me(comm);
  const bool at_root = me.rank == root;
  return together(Proc::gather, comm, root, {sendbuf, sendcount, sendtype, true},
                  {recvbuf, std::int64_t{recvcount} * me.size, recvtype, at_root}, 0, [&] {
                    return actual.gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
                                         root, comm);
                  });
}

int solo_scatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                 int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  const Place me(comm);
  const bool at_root = me.rank == root;
  const bool in_place = at_root && recvbuf == MPI_IN_PLACE;
  return together(Proc::scatter, comm, root,
                  {sendbuf, std::int64_t{sendcount} * me.size, sendtype, at_root},
                  {recvbuf, recvcount, recvtype, !in_place}, 0, [&] {
                    return actual.scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount,
                                          recvtype, root, comm);
                  });
}

int solo_allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                   int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  const Place me(comm);
  return together(Proc::allgather, comm, 0, {sendbuf, sendcount, sendtype, true},
                  {recvbuf, std::int64_t{recvcount} * me.size, recvtype, true}, 0, [&] {
                    return actual.allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount,
                                            recvtype, comm);
                  });
}

int solo_finalize() {
  note(Hash(Proc::finalize).value(), 0, false);
  if (!solo.copy) {
    solo.header->receives = solo.issued;
    if (solo.position != solo.header->sends) solo_break();
    solo.header->logged.store(1);
    return actual.finalize();
  }
  for (std::uint32_t i = 0; i < solo.header->messages; ++i)
    if (solo.taken[i] == 0) solo_end(SoloEnd::left_over);
  solo.finalized = true;
  return MPI_SUCCESS;
}

int solo_finalized(int* flag) {
  *flag = solo.finalized ? 1 : 0;
  return MPI_SUCCESS;
}

int unsupported() { solo_end(SoloEnd::unsupported); }

}  // namespace

bool solo_claim(unsigned kind, int holds) {
  if (!solo.copied) return false;
  note(Hash(Proc::none).add(kind).add(number(holds != 0)).value(), 0, false);
  return solo.copy;
}

void solo_install() {
  if (solo.copy) {
    auto* at = reinterpret_cast<void**>(&real);
    for (std::size_t i = 0; i < sizeof(Real) / sizeof(void*); ++i)
      at[i] = reinterpret_cast<void*>(&unsupported);
    real.finalized = solo_finalized;
    // What the library answers without looking at anybody else, and without making or freeing
    // anything.
#define VOUCH_LOCAL(name) real.name = actual.name
    VOUCH_LOCAL(comm_rank);
    VOUCH_LOCAL(comm_size);
    VOUCH_LOCAL(comm_compare);
    VOUCH_LOCAL(comm_get_attr);
    VOUCH_LOCAL(error_class);
    VOUCH_LOCAL(error_string);
    VOUCH_LOCAL(get_address);
    VOUCH_LOCAL(get_count);
    VOUCH_LOCAL(get_elements);
    VOUCH_LOCAL(get_library_version);
    VOUCH_LOCAL(get_processor_name);
    VOUCH_LOCAL(get_version);
    VOUCH_LOCAL(group_rank);
    VOUCH_LOCAL(group_size);
    VOUCH_LOCAL(group_translate_ranks);
    VOUCH_LOCAL(initialized);
    VOUCH_LOCAL(is_thread_main);
    VOUCH_LOCAL(pack);
    VOUCH_LOCAL(pack_size);
    VOUCH_LOCAL(pcontrol);
    VOUCH_LOCAL(query_thread);
    VOUCH_LOCAL(type_get_extent);
    VOUCH_LOCAL(type_size);
    VOUCH_LOCAL(unpack);
    VOUCH_LOCAL(wtick);
    VOUCH_LOCAL(wtime);
#undef VOUCH_LOCAL
  }
  real.send = solo_send;
  real.bsend = solo_bsend;
  real.isend = solo_isend;
  real.recv = solo_recv;
  real.irecv = solo_irecv;
  real.sendrecv = solo_sendrecv;
  real.probe = solo_probe;
  real.wait = solo_wait;
  real.waitall = solo_waitall;
  real.barrier = solo_barrier;
  real.bcast = solo_bcast;
  real.reduce = solo_reduce;
  real.allreduce = solo_allreduce;
  real.gather = solo_gather;
  real.scatter = solo_scatter;
  real.allgather = solo_allgather;
  real.finalize = solo_finalize;
}

}  // namespace vouch::shim
