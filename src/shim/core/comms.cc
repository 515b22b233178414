#include "shim/core/comms.h"

#include <sys/mman.h>
#include <sys/uio.h>

#include "shim/core/meta.h"
#include "shim/core/world_group.h"

namespace vouch::shim {

namespace {

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

struct Table {
  std::uint64_t capacity, used;
  CommFacts entries[];
};
std::atomic<Table*> table;

std::uint64_t slot_of(const Table& t, std::uint64_t handle) {
  return (handle * 0x9E3779B97F4A7C15u >> 20) & (t.capacity - 1);
}

const CommFacts* look(std::uint64_t handle) {
  const Table* t = table.load(std::memory_order_acquire);
  if (t == nullptr) return nullptr;
  for (std::uint64_t i = slot_of(*t, handle);; i = (i + 1) & (t->capacity - 1)) {
    const std::uint64_t key = __atomic_load_n(&t->entries[i].handle, __ATOMIC_ACQUIRE);
    if (key == handle) return &t->entries[i];
    if (key == 0) return nullptr;
  }
}

void put(Table& t, const CommFacts& facts) {
  std::uint64_t i = slot_of(t, facts.handle);
  while (t.entries[i].handle != 0 && t.entries[i].handle != facts.handle)
    i = (i + 1) & (t.capacity - 1);
  CommFacts& entry = t.entries[i];
  if (entry.handle == 0) ++t.used;
  const std::uint64_t key = entry.handle;
  entry = facts;
  entry.handle = key;  // a reader sees the new key only with the facts behind it
  __atomic_store_n(&entry.handle, facts.handle, __ATOMIC_RELEASE);
}

// Keeps the table at most half full; freed communicators are dropped on the way.
void keep(const CommFacts& facts) {
  Lock lock(mutex);
  Table* t = table.load(std::memory_order_relaxed);
  if (t == nullptr || t->used >= t->capacity / 2) {
    std::uint64_t live = 0;
    for (std::uint64_t i = 0; t != nullptr && i < t->capacity; ++i) live += t->entries[i].size != 0;
    std::uint64_t capacity = 256;
    while (capacity < 4 * (live + 1)) capacity *= 2;
    auto* larger = static_cast<Table*>(pages(sizeof(Table) + capacity * sizeof(CommFacts)));
    if (larger == nullptr) return;
    larger->capacity = capacity;
    for (std::uint64_t i = 0; t != nullptr && i < t->capacity; ++i) {
      if (t->entries[i].size != 0) put(*larger, t->entries[i]);
    }
    table.store(larger,
                std::memory_order_release);  // the old one stays: another thread may be reading it
    t = larger;
  }
  put(*t, facts);
}

CommFacts ask(MPI_Comm comm) {
  CommFacts f{raw(comm), 0, 0, -1, 0, 0, 0, 0};
  int flag = 0;
  real.comm_size(comm, &f.size);
  real.comm_rank(comm, &f.rank);
  real.comm_test_inter(comm, &flag);
  if (flag != 0) {
    real.comm_remote_size(comm, &f.remote);
    return f;
  }
  int kind = MPI_UNDEFINED;
  real.topo_test(comm, &kind);
  if (kind == MPI_CART) {
    f.topology = 1;
    real.cartdim_get(comm, &f.dims);
    f.indegree = f.outdegree = 2 * f.dims;
  } else if (kind == MPI_GRAPH) {
    f.topology = 2;
    int neighbours = 0;
    real.graph_neighbors_count(comm, f.rank, &neighbours);
    f.indegree = f.outdegree = neighbours;
  } else if (kind == MPI_DIST_GRAPH) {
    f.topology = 3;
    int weighted = 0;
    real.dist_graph_neighbors_count(comm, &f.indegree, &f.outdegree, &weighted);
  }
  return f;
}

// Runs (first, stride, length) of the world ranks of one of a communicator's groups.
std::uint64_t find_runs(const int* ranks, int count, std::uint64_t* words) {
  std::uint64_t runs = 0;
  for (int i = 0; i < count;) {
    int end = i + 1;
    std::int64_t first = ranks[i], stride = 1;
    if (ranks[i] < 0) {
      while (end < count && ranks[end] < 0) ++end;
      first = -1;
      stride = 0;
    } else if (end < count && ranks[end] >= 0) {
      stride = ranks[end] - ranks[i];
      while (end < count && ranks[end] >= 0 && ranks[end] - ranks[end - 1] == stride) ++end;
    }
    words[0] = number(first);
    words[1] = number(stride);
    words[2] = number(end - i);
    words += 3;
    ++runs;
    i = end;
  }
  return runs;
}

void record(Thread& t, const CommFacts& f, MPI_Comm asked) {
  const std::uint64_t size = static_cast<std::uint64_t>(f.size);
  const std::uint64_t remote = static_cast<std::uint64_t>(f.inter() ? f.remote : 0);
  const std::uint64_t most_words = 8 + 3 * (size + remote);
  const std::uint64_t bytes = most_words * 8 + 2 * (size > remote ? size : remote) * sizeof(int);
  void* memory = pages(bytes);
  if (memory == nullptr) return;
  auto* words = static_cast<std::uint64_t*>(memory);
  int* ranks = reinterpret_cast<int*>(words + most_words);
  words[0] = f.handle;
  words[1] = size;
  words[2] = number(f.rank);
  words[3] = number(f.remote);
  words[4] = number(f.topology);
  words[5] = number(f.indegree);
  words[6] = number(f.outdegree);
  words[7] =
      world_ranks(asked, Side::local, f.size, ranks) ? find_runs(ranks, f.size, words + 8) : 0;
  std::uint64_t count = 8 + 3 * words[7];
  if (remote > 0 && words[7] > 0 && world_ranks(asked, Side::remote, f.remote, ranks))
    count += 3 * find_runs(ranks, f.remote, words + count);
  {
    Busy busy(t);
    write_meta(t, wire::Meta::communicator, words, static_cast<std::uint32_t>(count));
  }
  ::munmap(memory, bytes);
}

// Duplicates under way.
struct Idup {
  MPI_Comm* newcomm;  // nullptr: free
  MPI_Comm before;    // what stood there when the call returned
  MPI_Comm parent;
};
Idup idups[64];

}  // namespace

std::atomic<std::uint32_t> pending_idups;

const CommFacts* facts_of(MPI_Comm comm) {
  const CommFacts* f = look(raw(comm));
  return f != nullptr && f->size != 0 ? f : nullptr;
}

const CommFacts* next_comm(std::uint64_t& place) {
  const Table* t = table.load(std::memory_order_acquire);
  while (t != nullptr && place < t->capacity)
    if (const CommFacts& f = t->entries[place++]; f.size != 0) return &f;
  return nullptr;
}

bool root_side(const CommFacts* f, int root) {
  if (f == nullptr) return true;
  return f->inter() ? root == MPI_ROOT : root == f->rank;
}

bool leaf_side(const CommFacts* f, int root) {
  return f == nullptr || !f->inter() || (root != MPI_ROOT && root != MPI_PROC_NULL);
}

bool either_side(const CommFacts* f, int root) {
  return f == nullptr || !f->inter() || root != MPI_PROC_NULL;
}

void comm_born(Thread& t, MPI_Comm comm, bool again) {
  if (comm == known.comm_null || raw(comm) == 0) return;
  if (!again && facts_of(comm) != nullptr) return;
  const CommFacts f = ask(comm);
  keep(f);
  record(t, f, comm);
}

void comm_born_like(Thread& t, MPI_Comm comm, MPI_Comm like) {
  const CommFacts* parent = facts_of(like);
  if (comm == known.comm_null || parent == nullptr) return;
  CommFacts f = *parent;
  f.handle = raw(comm);
  keep(f);
  record(t, f, like);
}

void comm_freed(std::uint64_t handle) {
  Lock lock(mutex);
  if (const CommFacts* f = look(handle)) const_cast<CommFacts*>(f)->size = 0;
}

void idup_started(Thread& t, MPI_Comm* newcomm, MPI_Comm parent) {
  if (newcomm == nullptr) return;
  if (*newcomm != known.comm_null) return comm_born_like(t, *newcomm, parent);
  Lock lock(mutex);
  for (Idup& idup : idups) {
    if (idup.newcomm != nullptr) continue;
    idup = {newcomm, *newcomm, parent};
    pending_idups.fetch_add(1, std::memory_order_relaxed);
    return;
  }
}

void look_at_idups(Thread& t) {
  for (Idup& idup : idups) {
    MPI_Comm* at = idup.newcomm;
    if (at == nullptr) continue;
    // The program may have given the variable up; then reading it must fail, not fault.
    MPI_Comm now = idup.before;
    iovec here{&now, sizeof(now)}, there{at, sizeof(now)};
    const bool read = ::process_vm_readv(process.pid, &here, 1, &there, 1, 0) ==
                      static_cast<ssize_t>(sizeof(now));
    if (read && now == idup.before) continue;
    const MPI_Comm parent = idup.parent;
    {
      Lock lock(mutex);
      if (idup.newcomm != at) continue;
      idup.newcomm = nullptr;
      pending_idups.fetch_sub(1, std::memory_order_relaxed);
    }
    if (read) comm_born_like(t, now, parent);
  }
}

}  // namespace vouch::shim
