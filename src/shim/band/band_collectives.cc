// Collectives: a second one on the same communicator, of the clocks alone, in the direction in
// which data flow. Which procedure flows how, and where its parameters stand, is a table
// (band_collectives.inc).

#include <sys/mman.h>

#include <cstring>
#include <tuple>

#include "shim/band/band_state.h"
#include "shim/core/comms.h"

namespace vouch::shim {

thread_local int outside_calls __attribute__((tls_model("initial-exec")));

namespace {

enum class Flow : std::uint8_t {
  all,             // everybody learns from all
  from_root,       // the others from the root
  to_root,         // the root from all
  prefix,          // each from those before it
  each_to_me,      // each from those who give it something
  each_to_root,    // the root from those who give it something
  root_to_me,      // whoever gets something, from the root
  all_to_my_part,  // whoever gets something, from all
};

bool is_listed(Flow flow) { return flow == Flow::each_to_me || flow == Flow::each_to_root; }

struct Place {
  MPI_Comm comm;
  int root, rank, size;
};

// A count of 0, or a type of size 0: nothing comes, so nothing is learnt. Of a type that is not
// valid the library will tell.
template <typename Count>
bool is_data(Count count, MPI_Datatype type) {
  int size = 1;
  if (count != 0 && type != MPI_DATATYPE_NULL) plain.type_size(type, &size);
  return count != 0 && size != 0;
}

// With counts: whose, or whether its own is none.
template <typename Counts, typename Types>
void note_counts(Exchange& x, Flow flow, const Place& at, Counts counts, Types types) {
  const auto type = [&](int i) {
    if constexpr (std::is_same_v<std::remove_cv_t<Types>, MPI_Datatype>) {
      return types;
    } else {
      return types[i];
    }
  };
  if constexpr (std::is_pointer_v<Counts>) {
    if (flow == Flow::all_to_my_part) {
      x.counts = counts == nullptr || is_data(counts[at.rank], type(0));
    } else if (x.all != nullptr) {
      for (int i = 0; i < at.size; ++i)
        x.all[clock_words * at.size + i] = counts == nullptr || is_data(counts[i], type(i)) ? 1 : 0;
    }
  } else {
    x.counts = is_data(counts, type(0));
  }
}

int send_clocks(Exchange& x, Flow flow, const Place& at) {
  const MPI_Datatype type = band_names.clock;
  switch (flow) {
    case Flow::all:
    case Flow::all_to_my_part:
      return plain.allreduce(&x.mine, &x.got, clock_words, type, band_names.max, at.comm);
    case Flow::from_root:
    case Flow::root_to_me:
      return plain.bcast(&x.got, clock_words, type, at.root, at.comm);
    case Flow::to_root:
      return plain.reduce(&x.mine, &x.got, clock_words, type, band_names.max, at.root, at.comm);
    case Flow::prefix:
      return plain.scan(&x.mine, &x.got, clock_words, type, band_names.max, at.comm);
    case Flow::each_to_me:
      return plain.allgather(&x.mine, clock_words, type, x.all, clock_words, type, at.comm);
    case Flow::each_to_root:
      return plain.gather(&x.mine, clock_words, type, x.all, clock_words, type, at.root, at.comm);
  }
  return MPI_SUCCESS;
}

int send_clocks_on(Exchange& x, Flow flow, const Place& at) {
  const MPI_Datatype type = band_names.clock;
  MPI_Request* to = &x.request;
  switch (flow) {
    case Flow::all:
    case Flow::all_to_my_part:
      return plain.iallreduce(&x.mine, &x.got, clock_words, type, band_names.max, at.comm, to);
    case Flow::from_root:
    case Flow::root_to_me:
      return plain.ibcast(&x.got, clock_words, type, at.root, at.comm, to);
    case Flow::to_root:
      return plain.ireduce(&x.mine, &x.got, clock_words, type, band_names.max, at.root, at.comm,
                           to);
    case Flow::prefix:
      return plain.iscan(&x.mine, &x.got, clock_words, type, band_names.max, at.comm, to);
    case Flow::each_to_me:
      return plain.iallgather(&x.mine, clock_words, type, x.all, clock_words, type, at.comm, to);
    case Flow::each_to_root:
      return plain.igather(&x.mine, clock_words, type, x.all, clock_words, type, at.root, at.comm,
                           to);
  }
  return MPI_SUCCESS;
}

void begin_exchange(Exchange& x, Flow flow, const Place& at) {
  x.mine = x.got = band_clock.now();
  if (is_listed(flow) && (flow == Flow::each_to_me || at.rank == at.root)) {
    x.bytes = (clock_bytes() + sizeof(std::uint32_t)) * static_cast<std::uint64_t>(at.size);
    x.all = static_cast<std::uint32_t*>(pages(x.bytes));
    x.members = at.size;
  }
}

void learn(Exchange& x) {
  for (int i = 0; x.all != nullptr && i < x.members; ++i) {
    if (x.all[clock_words * x.members + i] == 0) continue;
    std::memcpy(x.got.at, x.all + clock_words * i, clock_bytes());
    band_clock.learn(x.got);
  }
  if (x.all == nullptr && x.counts) band_clock.learn(x.got);
  if (x.all != nullptr) ::munmap(x.all, x.bytes);
  x.all = nullptr;
}

// False: the call goes to the library as it is.
bool is_carried(MPI_Comm comm, int root, Place& at) {
  if (!carries(comm)) return false;
  at = {comm, root, 0, 0};
  plain.comm_rank(comm, &at.rank);
  plain.comm_size(comm, &at.size);
  return root >= -1 && root < at.size;
}

// Where the parameters stand is given; -1: there is none.
template <auto M, Flow F, int Comm, int Root, int Counts, int Types, int Request, typename Type>
struct TogetherAs;
template <auto M, Flow F, int Comm, int Root, int Counts, int Types, int Request, typename... A>
struct TogetherAs<M, F, Comm, Root, Counts, Types, Request, int (*)(A...)> {
  static int call(A... a) {
    const auto all = std::tie(a...);
    int root = -1;
    if constexpr (Root >= 0) root = std::get<Root>(all);
    Place at{};
    if (!is_carried(std::get<Comm>(all), root, at)) return (plain.*M)(a...);
    if constexpr (Request < 0) {
      Exchange x;
      begin(x, at, all);
      send_clocks(x, F, at);
      const int rc = (plain.*M)(a...);
      learn(x);
      return rc;
    } else {
      Posted* posted = new_posted();
      if (posted == nullptr) return (plain.*M)(a...);
      begin(posted->exchange, at, all);
      posted->exchange.running = send_clocks_on(posted->exchange, F, at) == MPI_SUCCESS;
      const int rc = (plain.*M)(a...);
      if (rc != MPI_SUCCESS) return rc;
      posted->active = true;
      keep(posted, *std::get<Request>(all));
      return rc;
    }
  }

 private:
  template <typename All>
  static void begin(Exchange& x, const Place& at, const All& all) {
    begin_exchange(x, F, at);
    if constexpr (Counts >= 0) {
      // Who only gives learns nothing, and need not say how much it would get.
      constexpr bool root_takes = F == Flow::to_root || F == Flow::each_to_root;
      constexpr bool root_gives = F == Flow::from_root || F == Flow::root_to_me;
      if (root_takes ? at.rank == at.root : !root_gives || at.rank != at.root)
        note_counts(x, F, at, std::get<Counts>(all), std::get<Types>(all));
    }
  }
};

template <auto M, Flow F, int Comm, int Root, int Counts, int Types, int Request>
using Together =
    TogetherAs<M, F, Comm, Root, Counts, Types, Request, std::remove_cvref_t<decltype(plain.*M)>>;

// Persistent ones are started in any order: a second collective would not meet its like.
template <auto M, typename Type>
struct UncarriedAs;
template <auto M, typename... A>
struct UncarriedAs<M, int (*)(A...)> {
  static int call(A... a) {
    band_clock.gap(BandGap::persistent_collective);
    return (plain.*M)(a...);
  }
};
template <auto M>
using Uncarried = UncarriedAs<M, std::remove_cvref_t<decltype(plain.*M)>>;

// What the library sends for itself, by calling functions that the program calls too.
template <auto M, typename Type>
struct OutsideAs;
template <auto M, typename... A>
struct OutsideAs<M, int (*)(A...)> {
  static int call(A... a) {
    ++outside_calls;
    const int rc = (plain.*M)(a...);
    --outside_calls;
    return rc;
  }
};
template <auto M>
using Outside = OutsideAs<M, std::remove_cvref_t<decltype(plain.*M)>>;

}  // namespace

void end_exchange(Exchange& x) {
  x.running = false;
  plain.wait(&x.request, MPI_STATUS_IGNORE);
  learn(x);
}

void install_collectives() {
#define VOUCH_BAND(name, Form, ...) \
  if (plain.name != nullptr) real.name = Form<&Real::name __VA_OPT__(, ) __VA_ARGS__>::call;
#include "band_collectives.inc"
#include "band_outside.inc"
#undef VOUCH_BAND
}

}  // namespace vouch::shim
