// Requests whose messages carry clocks, by handle; and the calls that complete, start and free
// them.

#include "shim/band/band.h"
#include "shim/band/band_state.h"
#include "shim/core/paged.h"

namespace vouch::shim {

namespace {

constexpr std::uint32_t kHeads = 4096;
constexpr std::uint64_t kChunk = 64;  // made at once

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
Posted* heads[kHeads];
Posted* unused;
thread_local int open_batches __attribute__((tls_model("initial-exec")));

Posted*& head(MPI_Request request) { return heads[(raw(request) * 0x9e3779b97f4a7c15u) >> 52]; }

void release(Posted* posted) {
  for (int i = 0; i < posted->type_count; ++i) plain.type_free(&posted->types[i]);
  if (posted->copy != nullptr) ::munmap(posted->copy, posted->copied);
  Lock lock(mutex);
  *posted = {};
  posted->next = unused;
  unused = posted;
}

void unlink(Posted* posted) {
  Lock lock(mutex);
  for (Posted** link = &head(posted->request); *link != nullptr; link = &(*link)->next) {
    if (*link != posted) continue;
    *link = posted->next;
    return;
  }
}

}  // namespace

BandBatch::BandBatch() { ++open_batches; }
BandBatch::~BandBatch() {
  if (--open_batches == 0 && banding()) band_clock.complete();
}

Posted* new_posted() {
  Lock lock(mutex);
  if (unused == nullptr) {
    auto* chunk = static_cast<Posted*>(pages(kChunk * sizeof(Posted)));
    if (chunk == nullptr) return nullptr;
    for (std::uint64_t i = 0; i < kChunk; ++i) {
      chunk[i].next = unused;
      unused = &chunk[i];
    }
  }
  Posted* posted = unused;
  unused = posted->next;
  *posted = {};
  posted->clock_in.unset();
  return posted;
}

void drop_posted(Posted* posted) { release(posted); }

void keep(Posted* posted, MPI_Request request) {
  posted->request = request;
  Lock lock(mutex);
  Posted*& first = head(request);
  posted->next = first;
  first = posted;
}

// Libraries give one handle to all that was complete at once; any of these will do then.
Posted* find_posted(MPI_Request request) {
  Lock lock(mutex);
  for (Posted* p = head(request); p != nullptr; p = p->next)
    if (p->request == request) return p;
  return nullptr;
}

void finish(Posted* posted, MPI_Status* status) {
  if (!posted->active) return;
  posted->active = false;
  if (posted->exchange.running) end_exchange(posted->exchange);
  if (posted->waits_also) plain.wait(&posted->also, MPI_STATUS_IGNORE);
  if (posted->receives) {
    band_clock.no_longer_pending(posted);
    if (!cancelled(*status)) {
      take_off(*status);
      took();
      band_clock.take({posted->asked,
                       {status->MPI_SOURCE, status->MPI_TAG, posted->clock_in},
                       posted->settled,
                       nullptr});
    }
  }
  if (posted->persistent) return;
  unlink(posted);
  release(posted);
}

// The memory stays, since the library may still use it.
void forget_posted(MPI_Request request) {
  Posted* posted = find_posted(request);
  if (posted == nullptr) return;
  band_clock.no_longer_pending(posted);
  unlink(posted);
  if (!posted->active) release(posted);
}

namespace {

bool took_it(int rc) { return rc == MPI_SUCCESS || error_class_of(rc) == MPI_ERR_TRUNCATE; }
bool told_each(int rc) { return rc == MPI_SUCCESS || error_class_of(rc) == MPI_ERR_IN_STATUS; }

// The requests of a call as they were, and statuses for them: the program's, or ours if it wants
// none.
class Completing {
 public:
  Completing(std::int64_t count, const MPI_Request* requests, MPI_Status* statuses)
      : count_(requests != nullptr && count > 0 ? static_cast<std::uint64_t>(count) : 0),
        statuses_(statuses) {
    if (count_ > kFew) {
      memory_ = pages(bytes());
      if (memory_ == nullptr) count_ = 0;
    }
    before_ = memory_ != nullptr ? static_cast<MPI_Request*>(memory_) : few_;
    for (std::uint64_t i = 0; i < count_; ++i) before_[i] = requests[i];
    if (is_ignored(statuses))
      statuses_ = memory_ != nullptr ? reinterpret_cast<MPI_Status*>(before_ + count_) : own_;
  }
  ~Completing() {
    if (memory_ != nullptr) ::munmap(memory_, bytes());
  }
  Completing(const Completing&) = delete;
  Completing& operator=(const Completing&) = delete;

  MPI_Status* statuses() { return statuses_; }
  void one(std::int64_t i, MPI_Status* status) {
    const MPI_Request none = MPI_REQUEST_NULL;
    if (i < 0 || static_cast<std::uint64_t>(i) >= count_ || before_[i] == none || status == nullptr)
      return;
    if (Posted* posted = find_posted(before_[i])) finish(posted, status);
  }
  // All of them, or as their errors say.
  void all(int rc) {
    if (!told_each(rc)) return;
    for (std::uint64_t i = 0; i < count_; ++i)
      if (rc == MPI_SUCCESS || error_class_of(statuses_[i].MPI_ERROR) != MPI_ERR_PENDING)
        one(static_cast<std::int64_t>(i), &statuses_[i]);
  }

 private:
  static constexpr std::uint64_t kFew = 32;
  std::uint64_t bytes() const { return count_ * (sizeof(MPI_Request) + sizeof(MPI_Status)) + 64; }
  std::uint64_t count_;
  MPI_Status* statuses_;
  void* memory_ = nullptr;
  MPI_Request* before_;
  MPI_Request few_[kFew];
  MPI_Status own_[kFew];
};

int band_wait(MPI_Request* request, MPI_Status* status) {
  BandBatch batch;
  Completing these(1, request, status);
  const int rc = plain.wait(request, these.statuses());
  if (took_it(rc)) these.one(0, these.statuses());
  return rc;
}

int band_test(MPI_Request* request, int* flag, MPI_Status* status) {
  BandBatch batch;
  Completing these(1, request, status);
  const int rc = plain.test(request, flag, these.statuses());
  if (took_it(rc) && flag != nullptr && *flag != 0) these.one(0, these.statuses());
  return rc;
}

int band_waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
  BandBatch batch;
  Completing these(count, requests, statuses);
  const int rc = plain.waitall(count, requests, these.statuses());
  these.all(rc);
  return rc;
}

int band_testall(int count, MPI_Request* requests, int* flag, MPI_Status* statuses) {
  BandBatch batch;
  Completing these(count, requests, statuses);
  const int rc = plain.testall(count, requests, flag, these.statuses());
  if (rc != MPI_SUCCESS || (flag != nullptr && *flag != 0)) these.all(rc);
  return rc;
}

int band_waitany(int count, MPI_Request* requests, int* index, MPI_Status* status) {
  BandBatch batch;
  Completing these(count, requests, status);
  const int rc = plain.waitany(count, requests, index, these.statuses());
  if (took_it(rc) && index != nullptr && *index != MPI_UNDEFINED)
    these.one(*index, these.statuses());
  return rc;
}

int band_testany(int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status) {
  BandBatch batch;
  Completing these(count, requests, status);
  const int rc = plain.testany(count, requests, index, flag, these.statuses());
  if (took_it(rc) && flag != nullptr && *flag != 0 && index != nullptr && *index != MPI_UNDEFINED)
    these.one(*index, these.statuses());
  return rc;
}

template <auto Some>
int band_some(int count, MPI_Request* requests, int* outcount, int* indices, MPI_Status* statuses) {
  BandBatch batch;
  Completing these(count, requests, statuses);
  const int rc = (plain.*Some)(count, requests, outcount, indices, these.statuses());
  if (!told_each(rc) || outcount == nullptr || indices == nullptr || *outcount == MPI_UNDEFINED)
    return rc;
  for (int k = 0; k < *outcount; ++k) these.one(indices[k], &these.statuses()[k]);
  return rc;
}

int band_request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
  const int rc = plain.request_get_status(request, flag, status);
  if (rc != MPI_SUCCESS || flag == nullptr || *flag == 0 || status == nullptr || is_ignored(status))
    return rc;
  const Posted* posted = find_posted(request);
  if (posted != nullptr && posted->active && posted->receives && !cancelled(*status))
    take_off(*status);
  return rc;
}

// A persistent one: what is sent carries the clock of its start.
void starting(MPI_Request request) {
  int source = 0, tag = 0;
  as_asked(source, tag);
  Posted* posted = find_posted(request);
  if (posted == nullptr || !posted->persistent || posted->active) return;
  posted->active = true;
  posted->told = posted->settled = false;
  posted->clock_out = band_clock.now();
  posted->clock_in.unset();
  if (!posted->receives) return count_sent(posted->asked.comm, posted->asked.source);
  const bool decided = source == MPI_ANY_SOURCE;
  posted->asked = band_clock.issue(posted->asked.comm, decided ? source : posted->asked.source,
                                   decided ? tag : posted->asked.tag, false);
  band_clock.pending(posted);
}

int band_start(MPI_Request* request) {
  if (request != nullptr) starting(*request);
  return plain.start(request);
}

int band_startall(int count, MPI_Request* requests) {
  for (int i = 0; requests != nullptr && i < count; ++i) starting(requests[i]);
  return plain.startall(count, requests);
}

int band_request_free(MPI_Request* request) {
  if (request != nullptr) forget_posted(*request);
  return plain.request_free(request);
}

}  // namespace

void install_requests() {
  real.wait = band_wait;
  real.test = band_test;
  real.waitall = band_waitall;
  real.testall = band_testall;
  real.waitany = band_waitany;
  real.testany = band_testany;
  real.waitsome = band_some<&Real::waitsome>;
  real.testsome = band_some<&Real::testsome>;
  real.request_get_status = band_request_get_status;
  real.start = band_start;
  real.startall = band_startall;
  real.request_free = band_request_free;
}

}  // namespace vouch::shim
