// What a reader must know of library, world and constants, once MPI is there; and who is who in the
// world.

#include <climits>
#include <cstring>

#include "event/proc.h"
#include "shim/band/band.h"
#include "shim/core/comms.h"
#include "shim/core/meta.h"
#include "shim/core/signals.h"
#include "shim/core/world_group.h"
#include "shim/guided/guided.h"

namespace vouch::shim {

namespace {

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
bool told_constants, told_world;
std::atomic<bool> world_up;
std::atomic<std::uint64_t> a_session;  // some live session, 0: none

#ifdef OPEN_MPI
constexpr auto kLibrary = wire::Library::openmpi;
#else
constexpr auto kLibrary = wire::Library::mpich;
#endif

// A group of all processes of the world; the caller frees it.
bool world_group(MPI_Group& group) {
  if (world_up.load(std::memory_order_relaxed))
    return real.comm_group(known.comm_world, &group) == MPI_SUCCESS;
#if MPI_VERSION >= 4
  const std::uint64_t session = a_session.load(std::memory_order_relaxed);
  if (session != 0 && real.group_from_session_pset != nullptr) {
    const auto handle = static_cast<MPI_Session>(session);
    return real.group_from_session_pset(handle, "mpi://WORLD", &group) == MPI_SUCCESS;
  }
#endif
  return false;
}

void tell(Thread& t, wire::Meta meta, const std::uint64_t* words, std::uint32_t count,
          const Text* text = nullptr) {
  Busy busy(t);
  write_meta(t, meta, words, count, text, text != nullptr ? 1 : 0);
}

void tell_value(Thread& t, int id, std::int64_t value) {
  const std::uint64_t words[] = {static_cast<std::uint64_t>(id), number(value), 0, 0};
  tell(t, wire::Meta::constant, words, 4);
}

// One that names nothing. It may be NULL: MPICH's MPI_FILE_NULL.
template <typename Handle>
void tell_null(Thread& t, int id, Handle handle) {
  const std::uint64_t words[] = {static_cast<std::uint64_t>(id), raw(handle), 0, 0};
  tell(t, wire::Meta::constant, words, 4);
}

template <typename Handle>
void tell_handle(Thread& t, int id, Handle handle) {
  // The library knows the name and has no such object.
  if (std::is_pointer_v<Handle> && raw(handle) == 0) return;
  tell_null(t, id, handle);
}

void tell_datatype(Thread& t, int id, MPI_Datatype type) {
  if (type == known.datatype_null) {  // also what a library without, say, MPI_REAL2 calls it
    if (id == static_cast<int>(Constant::datatype_null)) tell_null(t, id, type);
    return;
  }
  if (std::is_pointer_v<MPI_Datatype> && raw(type) == 0) return;
  int size = 0;
  MPI_Aint lower = 0, extent = 0;
  real.type_size(type, &size);
  real.type_get_extent(type, &lower, &extent);
  const std::uint64_t words[] = {static_cast<std::uint64_t>(id), raw(type), number(size),
                                 number(extent)};
  tell(t, wire::Meta::constant, words, 4);
}

void tell_constants(Thread& t) {
  char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  real.get_library_version(version, &length);
  const std::uint64_t words[] = {static_cast<std::uint64_t>(kLibrary),
                                 MPI_VERSION * 10 + MPI_SUBVERSION};
  const Text text{version, std::strlen(version)};
  tell(t, wire::Meta::library, words, 2, &text);
#include "constants.inc"  // tell_value(t, 1, MPI_ANY_SOURCE); tell_datatype(t, 53, MPI_CHAR); …
}

void tell_world(Thread& t) {
  int rank = 0, size = 0, level = MPI_THREAD_SINGLE, found = 0;
  void* bound = nullptr;
  MPI_Comm parent = known.comm_null;
  real.comm_rank(known.comm_world, &rank);
  real.comm_size(known.comm_world, &size);
  real.comm_get_attr(known.comm_world, MPI_TAG_UB, &bound, &found);
  real.query_thread(&level);
  process.crowd.level.store(level, std::memory_order_relaxed);
  real.comm_get_parent(&parent);
  const bool spawned = parent != known.comm_null;
  const int most_tag = found != 0 ? *static_cast<int*>(bound) : 32767;
  if (!spawned) guide_rank(rank, most_tag);
  band_rank(rank, size, spawned);
  const std::uint64_t words[] = {number(rank), number(size), number(most_tag),
                                 number_of_thread_level(level), spawned ? raw(parent) : 0};
  tell(t, wire::Meta::world, words, 5);
  comm_born(t, known.comm_world, true);
  comm_born(t, known.comm_self, true);
  if (spawned) comm_born(t, parent, true);
}

}  // namespace

bool world_ranks(MPI_Comm comm, Side side, int size, int* ranks) {
  MPI_Group world, group;
  if (!world_group(world)) return false;
  int* numbers = ranks + size;
  for (int i = 0; i < size; ++i) numbers[i] = i;
  if (side == Side::remote)
    real.comm_remote_group(comm, &group);
  else
    real.comm_group(comm, &group);
  real.group_translate_ranks(group, size, numbers, world, ranks);
  real.group_free(&group);
  real.group_free(&world);
  for (int i = 0; i < size; ++i) {
    if (ranks[i] == MPI_UNDEFINED) ranks[i] = -1;
  }
  return true;
}

void started(Thread& t) {
  Lock lock(mutex);
  if (!world_up.exchange(true)) mpi_users.fetch_add(1);
  chain_signals();
  if (!told_constants) tell_constants(t);
  told_constants = true;
  if (told_world) return;
  told_world = true;
  const std::uint64_t words[] = {t.number, 1};
  tell(t, wire::Meta::thread, words, 2);
  tell_world(t);
  tell_early_threads(t);
}

void session_started(Thread& t, std::uint64_t session) {
  Lock lock(mutex);
  a_session.store(session, std::memory_order_relaxed);
  mpi_users.fetch_add(1);
  chain_signals();
  if (!told_constants) tell_constants(t);
  told_constants = true;
  MPI_Group world;
  if (told_world || world_up.load(std::memory_order_relaxed) || !world_group(world)) return;
  int rank = 0, size = 0;
  real.group_rank(world, &rank);
  real.group_size(world, &size);
  real.group_free(&world);
  // The bound on tags is an attribute of communicators, of which there is none yet: unknown, so no
  // bound.
  const std::uint64_t words[] = {number(rank), number(size), INT_MAX,
                                 number_of_thread_level(MPI_THREAD_SINGLE), 0};
  tell(t, wire::Meta::world, words, 5);
}

void session_ended(std::uint64_t session) {
  mpi_users.fetch_sub(1);
  std::uint64_t expected = session;
  a_session.compare_exchange_strong(expected, 0);
}

void finalized() {
  if (world_up.exchange(false)) mpi_users.fetch_sub(1);
}

}  // namespace vouch::shim
