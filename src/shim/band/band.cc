#include "shim/band/band.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <ctime>

#include "shim/band/band_state.h"
#include "shim/core/comms.h"
#include "shim/core/paged.h"
#include "shim/core/world_group.h"

namespace vouch::shim {

Real plain;
BandNames band_names;

namespace {

constexpr int kGivesUp = 70;  // exit status

void say(const char* words) {
  [[maybe_unused]] const auto told = ::write(2, words, std::strlen(words));
}

bool on;
BandHeader* shared_file;
int protocol;  // its place in kBandProtocols, + 1; 0: not known
int world_size;

struct AsAsked {
  bool set;
  int source, tag;
};
thread_local AsAsked next_asked __attribute__((tls_model("initial-exec")));

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
// Communicators on which messages with clocks were sent, and who is who there.
struct Carrying {
  MPI_Comm comm;
  int size;
  std::uint64_t bytes;
  int* world;  // ranks; -1: of another world
  bool ours;   // none is
};
Paged<Carrying> carrying;
Paged<int> sent_to;  // by rank of the world
std::atomic<std::int64_t> received_here;

Carrying* carrying_on(MPI_Comm comm) {
  for (Carrying& c : carrying)
    if (c.comm == comm) return &c;
  Carrying made{comm, 0, 0, nullptr, true};
  plain.comm_size(comm, &made.size);
  made.bytes = 2 * sizeof(int) * static_cast<std::uint64_t>(made.size);
  made.world = static_cast<int*>(pages(made.bytes));
  if (made.world == nullptr || !world_ranks(comm, Side::local, made.size, made.world))
    return nullptr;
  for (int i = 0; i < made.size; ++i) made.ours &= made.world[i] >= 0;
  if (!carrying.push(made)) return nullptr;
  return carrying.end() - 1;
}

// ---- buffers of MPI_Bsend: each message needs room for its clock ----
void* users_buffer;
std::int64_t users_bytes;
void* our_buffer;
std::uint64_t our_bytes;

std::uint64_t enlarged(std::int64_t bytes) {
  const std::uint64_t messages = static_cast<std::uint64_t>(bytes) / MPI_BSEND_OVERHEAD + 1;
  return static_cast<std::uint64_t>(bytes) + messages * (64 + clock_bytes());
}

template <auto M, typename Size>
int attach_buffer(void* buffer, Size size) {
  if (size < 0 || our_buffer != nullptr) return (plain.*M)(buffer, size);
  const std::uint64_t bytes = enlarged(size);
  void* memory =
      static_cast<std::uint64_t>(static_cast<Size>(bytes)) == bytes ? pages(bytes) : nullptr;
  if (memory == nullptr) return (plain.*M)(buffer, size);
  const int rc = (plain.*M)(memory, static_cast<Size>(bytes));
  if (rc != MPI_SUCCESS) {
    ::munmap(memory, bytes);
    return rc;
  }
  our_buffer = memory;
  our_bytes = bytes;
  users_buffer = buffer;
  users_bytes = size;
  return rc;
}

template <auto M, typename Size>
int detach_buffer(void* buffer, Size* size) {
  const int rc = (plain.*M)(buffer, size);
  if (rc != MPI_SUCCESS || our_buffer == nullptr) return rc;
  std::memcpy(buffer, &users_buffer, sizeof(users_buffer));
  *size = static_cast<Size>(users_bytes);
  ::munmap(our_buffer, our_bytes);
  our_buffer = nullptr;
  return rc;
}

void forget_comm(MPI_Comm comm) {
  Lock lock(mutex);
  for (std::uint64_t i = 0; i < carrying.size(); ++i) {
    if (carrying[i].comm != comm) continue;
    ::munmap(carrying[i].world, carrying[i].bytes);
    return carrying.erase(i);
  }
}

template <auto M>
int free_comm(MPI_Comm* comm) {
  if (comm != nullptr) forget_comm(*comm);
  return (plain.*M)(comm);
}

int band_finalize() {
  drain();
  band_clock.finished();
  return plain.finalize();
}

void install() {
  install_messages();
  install_probes();
  install_requests();
  install_collectives();
  real.comm_free = free_comm<&Real::comm_free>;
  real.comm_disconnect = free_comm<&Real::comm_disconnect>;
  real.buffer_attach = attach_buffer<&Real::buffer_attach, int>;
  real.buffer_detach = detach_buffer<&Real::buffer_detach, int>;
#if MPI_VERSION >= 4
  real.buffer_attach_c = attach_buffer<&Real::buffer_attach_c, MPI_Count>;
  real.buffer_detach_c = detach_buffer<&Real::buffer_detach_c, MPI_Count>;
#endif
  real.finalize = band_finalize;
}

MPI_Comm handle_of(std::uint64_t value) {
  MPI_Comm comm;
  std::memcpy(&comm, &value, sizeof(comm));  // little end first
  return comm;
}

// One message that nobody received. False: there is none.
bool drain_one(MPI_Comm comm) {
  int flag = 0;
  MPI_Status status;
  if (plain.iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, &status) != MPI_SUCCESS || flag == 0)
    return false;
  const std::uint64_t bytes = bytes_in(status);
  void* memory = bytes >= clock_bytes() && bytes < (1u << 31) ? pages(bytes) : nullptr;
  if (memory == nullptr) return false;
  plain.recv(memory, static_cast<int>(bytes), band_names.byte, status.MPI_SOURCE, status.MPI_TAG,
             comm, &status);
  Got got{status.MPI_SOURCE, status.MPI_TAG, {}};
  std::memcpy(got.clock.at, memory, clock_bytes());
  ::munmap(memory, bytes);
  ++received_here;
  band_clock.left_over(comm, got);
  return true;
}

}  // namespace

void start_band() {
  const char* text = std::getenv(kBandVariable);
  if (text == nullptr) return;
  for (int i = 0; i < 2; ++i) {
    const std::size_t length = std::strlen(kBandProtocols[i]);
    if (std::strncmp(text, kBandProtocols[i], length) == 0 && text[length] == ':') protocol = i + 1;
  }
  const char* path = std::strchr(text, ':');
  const int fd = path != nullptr ? ::open(path + 1, O_RDWR | O_CLOEXEC) : -1;
  struct stat info;
  if (fd >= 0 && ::fstat(fd, &info) == 0 && info.st_size > static_cast<off_t>(kBandFirst)) {
    void* at = ::mmap(nullptr, static_cast<std::size_t>(info.st_size), PROT_READ | PROT_WRITE,
                      MAP_SHARED, fd, 0);
    auto* header = static_cast<BandHeader*>(at);
    if (at != MAP_FAILED && header->magic == kBandMagic) shared_file = header;
  }
  if (fd >= 0) ::close(fd);
  plain = real;
  band_names = {MPI_UNSIGNED, MPI_BYTE, MPI_MAX};
  on = true;
  install();
}

bool banding() { return on; }

const Real& without_band() { return on ? plain : real; }

void refuse_without_band() {
  if (std::getenv(kBandVariable) == nullptr) return;
  say("vouch: this rank cannot be observed, and the messages of the others carry clocks: it "
      "ends\n");
  ::_exit(kGivesUp);
}

void band_rank(int rank, int size, bool spawned) {
  if (!on) return;
  world_size = size;
  for (int i = 0; i < size; ++i) sent_to.push(0);
  // The greatest, and the least.
  int mine[2] = {protocol, -protocol}, all[2] = {0, 0};
  plain.allreduce(mine, all, 2, MPI_INT, band_names.max, known.comm_world);
  if (protocol == 2) {
    clock_words = size;
    clock_own = rank;
  }
  if (all[0] != -all[1] || protocol == 0 || clock_words > kMostBandWords) {
    // Each of them: whoever aborts first ends the others.
    say(all[0] == -all[1] ? "vouch: messages cannot carry such clocks\n"
                          : "vouch: the ranks do not carry the same clocks in their messages\n");
    plain.abort(known.comm_world, kGivesUp);
  }
  if (!spawned) band_clock.open(shared_file, rank);
}

void band_asked(int source, int tag) { next_asked = {on, source, tag}; }

void as_asked(int& source, int& tag) {
  if (!next_asked.set) return;
  next_asked.set = false;
  source = next_asked.source;
  tag = next_asked.tag;
}

bool carries(MPI_Comm comm) {
  if (outside_calls != 0 || comm == known.comm_null) return false;
  const CommFacts* facts = facts_of(comm);
  int inter = facts != nullptr && facts->inter() ? 1 : 0;
  if (facts == nullptr && plain.comm_test_inter(comm, &inter) != MPI_SUCCESS) return false;
  if (inter != 0 || protocol != 2 || comm == known.comm_world) return inter == 0;
  // A vector has no word for processes of another world.
  Lock lock(mutex);
  const Carrying* c = carrying_on(comm);
  return c != nullptr && c->ours;
}

void count_sent(MPI_Comm comm, int dest) {
  band_clock.sent();
  Lock lock(mutex);
  const Carrying* c = carrying_on(comm);
  if (c == nullptr || dest < 0 || dest >= c->size) return;
  const int world = c->world[dest];
  if (world >= 0 && static_cast<std::uint64_t>(world) < sent_to.size()) ++sent_to[world];
}

void take_off(MPI_Status& status) {
  const std::uint64_t bytes = bytes_in(status);
  set_bytes(status, bytes >= clock_bytes() ? bytes - clock_bytes() : 0);
}

void received(const Asked& asked, MPI_Status* status, const Clock& clock, int rc) {
  if (rc != MPI_SUCCESS && error_class_of(rc) != MPI_ERR_TRUNCATE) return;
  BandBatch batch;
  take_off(*status);
  took();
  band_clock.take({asked, {status->MPI_SOURCE, status->MPI_TAG, clock}, false, nullptr});
}

void took() { ++received_here; }

// All messages were sent when all are here; how many should be here is known then.
void drain() {
  if (world_size == 0) return;
  constexpr long kMostIdleMs = 200;
  const auto now_ms = [] {
    timespec t;
    ::clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000 + t.tv_nsec / 1'000'000;
  };
  int expected = 0;
  if (plain.reduce_scatter_block(sent_to.begin(), &expected, 1, MPI_INT, MPI_SUM,
                                 known.comm_world) != MPI_SUCCESS)
    return;
  long latest = now_ms();
  while (received_here < expected && now_ms() - latest < kMostIdleMs) {
    bool some = false;
    std::uint64_t place = 0;
    while (const CommFacts* facts = next_comm(place))
      if (!facts->inter()) some |= drain_one(handle_of(facts->handle));
    if (some) latest = now_ms();
  }
}

}  // namespace vouch::shim
