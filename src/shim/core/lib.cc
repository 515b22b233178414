#include "shim/core/lib.h"

#include <dlfcn.h>

#include <cstdlib>

namespace vouch::shim {

Real real;
Known known;
std::atomic<std::uint32_t> mpi_users;

namespace {

const char* const kNames[] = {
#include "real_names.inc"  // "PMPI_Send", in the order of the members of Real
};
static_assert(sizeof(kNames) / sizeof(kNames[0]) == sizeof(Real) / sizeof(void*));

#ifndef OPEN_MPI
// MPICH keeps these as pointer variables.
const void* pointer_variable(const char* name) {
  void* at = variable(name);
  return at == nullptr ? nullptr : *static_cast<void**>(at);
}
#endif

}  // namespace

void* function(const char* name) { return ::dlsym(process.front.library, name); }

void* variable(const char* name) {
  void* at = ::dlsym(RTLD_DEFAULT, name);
  return at != nullptr ? at : ::dlsym(process.front.library, name);
}

bool find_real_functions() {
  auto* at = reinterpret_cast<void**>(&real);
  for (const char* name : kNames) *at++ = function(name);
  // A run that shall show what happens when no send is buffered.
  if (std::getenv(kSynchronousVariable) != nullptr) {
    real.send = real.ssend;
    real.isend = real.issend;
    real.send_init = real.ssend_init;
#if MPI_VERSION >= 4
    real.send_c = real.ssend_c;
    real.isend_c = real.issend_c;
    real.send_init_c = real.ssend_init_c;
#endif
  }
  known.comm_null = MPI_COMM_NULL;
  known.comm_world = MPI_COMM_WORLD;
  known.comm_self = MPI_COMM_SELF;
  known.group_null = MPI_GROUP_NULL;
  known.datatype_null = MPI_DATATYPE_NULL;
#ifdef OPEN_MPI
  known.unweighted = MPI_UNWEIGHTED;
  known.weights_empty = MPI_WEIGHTS_EMPTY;
#else
  known.unweighted = pointer_variable("MPI_UNWEIGHTED");
  known.weights_empty = pointer_variable("MPI_WEIGHTS_EMPTY");
#endif
  static const void* const nowhere = nullptr;
  known.fortran_in_place_variable = &nowhere;
#ifdef OPEN_MPI
  known.fortran_in_place = variable("mpi_fortran_in_place_");
#else
  known.fortran_in_place = variable("MPIR_F08_MPI_IN_PLACE");
  if (void* at = variable("MPIR_F_MPI_IN_PLACE"))
    known.fortran_in_place_variable = static_cast<const void* const*>(at);
#endif
#ifdef OPEN_MPI
  known.fortran_ignore[0] = variable("mpi_fortran_status_ignore_");
  known.fortran_ignore[1] = variable("mpi_fortran_statuses_ignore_");
#endif
  return raw(known.comm_world) != 0 && real.init != nullptr && real.comm_rank != nullptr &&
         real.error_class != nullptr;
}

bool ignored_in_fortran(std::uint32_t argument) {
  const std::uint64_t given =
      argument < 6 ? vouch_tls.arguments[argument] : vouch_tls.stack[argument - 5];
  for (const void* sentinel : known.fortran_ignore) {
    if (sentinel != nullptr && given == address(sentinel)) return true;
  }
  return false;
}

int error_class_of(int code) {
  int error_class = code;
  if (mpi_users.load(std::memory_order_relaxed) == 0) return code;
  if (real.error_class(code, &error_class) != MPI_SUCCESS) error_class = MPI_ERR_UNKNOWN;
  return error_class;
}

std::uint64_t bytes_in(const MPI_Status& s) {
#ifdef OPEN_MPI
  return s._ucount;
#else
  return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(s.count_hi_and_cancelled) >> 1)
          << 32) |
         static_cast<std::uint32_t>(s.count_lo);
#endif
}

void set_bytes(MPI_Status& s, std::uint64_t bytes) {
#ifdef OPEN_MPI
  s._ucount = bytes;
#else
  s.count_lo = static_cast<int>(static_cast<std::uint32_t>(bytes));
  s.count_hi_and_cancelled = static_cast<int>(static_cast<std::uint32_t>(bytes >> 32) << 1) |
                             (s.count_hi_and_cancelled & 1);
#endif
}

bool cancelled(const MPI_Status& s) {
#ifdef OPEN_MPI
  return s._cancelled != 0;
#else
  return (s.count_hi_and_cancelled & 1) != 0;
#endif
}

void decode_status(wire::Status& to, const MPI_Status& from, int error_class) {
  to.source = from.MPI_SOURCE == MPI_ANY_SOURCE  ? -1
              : from.MPI_SOURCE == MPI_PROC_NULL ? -2
                                                 : from.MPI_SOURCE;
  to.tag = from.MPI_TAG == MPI_ANY_TAG ? -1 : from.MPI_TAG;
  to.error = error_class;
  to.flags = cancelled(from) ? wire::kStatusCancelled : 0;
  to.bytes = bytes_in(from);
}

void decode_statuses(wire::Status* to, const void* from, std::uint64_t first, std::uint64_t count,
                     bool errors) {
  const auto* statuses = static_cast<const MPI_Status*>(from) + first;
  for (std::uint64_t i = 0; i < count; ++i) {
    const int code = errors ? statuses[i].MPI_ERROR : MPI_SUCCESS;
    decode_status(to[i], statuses[i], code == MPI_SUCCESS ? 0 : error_class_of(code));
  }
}

}  // namespace vouch::shim
