#include "shim/guided/stand_ins.h"

#include <sys/mman.h>

#include "shim/band/band.h"
#include "shim/guided/guided.h"
#include "shim/guided/guided_state.h"

namespace vouch::shim {

namespace {

struct Pattern {
  std::uint64_t handle = 0;  // the user's; 0: not used
  void* buf = nullptr;
  std::int64_t count = 0;
  MPI_Datatype type{};  // a duplicate: the user's may be freed
  int tag = 0;
  MPI_Comm comm{};
  bool large = false;
  bool made = false;    // there is a stand-in ...
  bool stands = false;  // ... and it was started last, not the user's own
  MPI_Request stand_in{};
};

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
Pattern* patterns;
std::uint64_t room, used;
std::atomic<std::uint32_t> standing;

// With the lock held.
Pattern* find(MPI_Request request) {
  const std::uint64_t handle = raw(request);
  for (std::uint64_t i = 0; i < used; ++i) {
    if (patterns[i].handle == handle) return &patterns[i];
  }
  return nullptr;
}

Pattern* make() {
  for (std::uint64_t i = 0; i < used; ++i) {
    if (patterns[i].handle == 0) return &patterns[i];
  }
  if (used == room) {
    const std::uint64_t more = room == 0 ? 64 : room * 2;
    auto* fresh = static_cast<Pattern*>(pages(more * sizeof(Pattern)));
    if (fresh == nullptr) return nullptr;
    for (std::uint64_t i = 0; i < used; ++i) fresh[i] = patterns[i];
    if (patterns != nullptr) ::munmap(patterns, room * sizeof(Pattern));
    patterns = fresh;
    room = more;
  }
  return &patterns[used++];
}

int receive_init(const Pattern& p, MPI_Comm comm, int source, int tag, MPI_Request* request) {
#if MPI_VERSION >= 4
  if (p.large && real.recv_init_c != nullptr)
    return real.recv_init_c(p.buf, static_cast<MPI_Count>(p.count), p.type, source, tag, comm,
                            request);
#endif
  return real.recv_init(p.buf, static_cast<int>(p.count), p.type, source, tag, comm, request);
}

void drop(Pattern& p) {
  if (p.made) real.request_free(&p.stand_in);
  p.made = p.stands = false;
}

}  // namespace

void keep_pattern(MPI_Request request, void* buf, std::int64_t count, MPI_Datatype type, int tag,
                  MPI_Comm comm, bool large) {
  Lock lock(mutex);
  Pattern* p = find(request);
  if (p == nullptr) p = make();
  if (p == nullptr) return;
  *p = {};
  p->handle = raw(request);
  p->buf = buf;
  p->count = count;
  p->tag = tag;
  p->comm = comm;
  p->large = large;
  if (real.type_dup(type, &p->type) != MPI_SUCCESS) p->handle = 0;
}

bool any_stand_ins() { return standing.load(std::memory_order_relaxed) != 0; }

MPI_Request stand_in_for(MPI_Request request) {
  if (!any_stand_ins()) return request;
  Lock lock(mutex);
  const Pattern* p = find(request);
  return p != nullptr && p->stands ? p->stand_in : request;
}

MPI_Request start_as(Call& call, MPI_Request request, std::uint64_t place) {
  Lock lock(mutex);
  Pattern* p = find(request);
  if (p == nullptr) return request;
  MPI_Comm comm = p->comm;
  int source = MPI_ANY_SOURCE, tag = p->tag;
  drop(*p);
  if (!apply_match(call, plan_cursor.match(true), comm, source, tag, true, place)) return request;
  if (receive_init(*p, comm, source, tag, &p->stand_in) != MPI_SUCCESS) return request;
  if (banding()) band_asked(MPI_ANY_SOURCE, p->tag);
  p->made = p->stands = true;
  standing.store(1, std::memory_order_relaxed);
  return p->stand_in;
}

void forget_stand_in(MPI_Request request) {
  Lock lock(mutex);
  Pattern* p = find(request);
  if (p == nullptr) return;
  drop(*p);
  real.type_free(&p->type);
  p->handle = 0;
}

RequestView::RequestView(int count, MPI_Request* users)
    : users_(users), count_(count), view_(users) {
  if (!any_stand_ins() || users == nullptr || count <= 0) return;
  void* memory = count <= kFew ? few_ : pages(bytes());
  if (memory == nullptr) return;
  view_ = static_cast<MPI_Request*>(memory);
  for (int i = 0; i < count; ++i) view_[i] = stand_in_for(users[i]);
}

RequestView::~RequestView() {
  if (view_ == users_) return;
  const MPI_Request none = MPI_REQUEST_NULL;
  for (int i = 0; i < count_; ++i) {
    if (view_[i] == none) users_[i] = none;
  }
  if (view_ != few_) ::munmap(view_, bytes());
}

}  // namespace vouch::shim
