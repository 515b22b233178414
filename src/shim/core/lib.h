// The one MPI library this back end is built for: its header, its functions, its numbers.
//
// Nothing here is linked with the library. Functions are reached through `real`, data symbols
// through variable(): in a Python process the library lies in a scope of its own, and calling
// PMPI_X by name would lead back to ourselves.

#pragma once

#include <mpi.h>
#if defined(OPEN_MPI) && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

#include <cstdint>
#include <type_traits>

#include "event/wire.h"
#include "shim/core/runtime.h"

#ifdef OPEN_MPI
// MPI_COMM_WORLD and its kin are addresses of variables in the library.
#undef OMPI_PREDEFINED_GLOBAL
#define OMPI_PREDEFINED_GLOBAL(type, global) \
  (reinterpret_cast<type>(::vouch::shim::variable(#global)))
#endif

// MPI::ERRORS_THROW_EXCEPTIONS, which the C++ bindings find in the library. It is NULL where the
// library is newer than the bindings.
#ifdef OPEN_MPI
#define MPI_ERRORS_THROW_EXCEPTIONS \
  OMPI_PREDEFINED_GLOBAL(MPI_Errhandler, ompi_mpi_errors_throw_exceptions)
#elif defined(MPIR_ERRORS_THROW_EXCEPTIONS)
#define MPI_ERRORS_THROW_EXCEPTIONS MPIR_ERRORS_THROW_EXCEPTIONS
#endif

namespace vouch::shim {

struct Real {
#include "real_members.inc"  // decltype(&::MPI_Send) send;
};
extern Real real;
// Looks all of them up. False if the library lacks the least we need.
bool find_real_functions();

// What is compared with at run time.
struct Known {
  MPI_Comm comm_null, comm_world, comm_self;
  MPI_Group group_null;
  MPI_Datatype datatype_null;
  const void *unweighted, *weights_empty;
  // What Fortran calls MPI_STATUS_IGNORE and MPI_STATUSES_IGNORE. Open MPI's glue hides them: it
  // has statuses of its own.
  const void* fortran_ignore[4];
  // What Fortran calls MPI_IN_PLACE: glue translates it only where the standard allows it. MPICH's
  // mpif.h glue learns its address at its first call, so that one is looked at through its
  // variable.
  const void* fortran_in_place;
  const void* const* fortran_in_place_variable;
};
extern Known known;

template <typename T>
inline std::uint64_t raw(T handle) {
  if constexpr (std::is_pointer_v<T>) {
    return reinterpret_cast<std::uint64_t>(handle);
  } else {
    return static_cast<std::uint64_t>(static_cast<std::make_unsigned_t<T>>(handle));
  }
}

template <typename T>
inline std::uint64_t address(T* pointer) {
  return reinterpret_cast<std::uint64_t>(pointer);
}

inline std::uint64_t number(std::int64_t value) { return static_cast<std::uint64_t>(value); }

inline std::uint64_t buffer_address(const void* p) {
  if (p == MPI_IN_PLACE) [[unlikely]]
    return wire::kInPlace;
  if (p != nullptr && (p == known.fortran_in_place || p == *known.fortran_in_place_variable))
      [[unlikely]]
    return wire::kInPlace;
#ifdef MPI_BUFFER_AUTOMATIC
  if (p == MPI_BUFFER_AUTOMATIC) [[unlikely]]
    return wire::kBufferAutomatic;
#endif
  return address(p);
}
inline bool is_ignored(const MPI_Status* p) {
  return p == MPI_STATUS_IGNORE || p == MPI_STATUSES_IGNORE;
}
inline std::uint64_t status_address(const MPI_Status* p) {
  return is_ignored(p) ? wire::kIgnore : address(p);
}
// Whether the Fortran caller passed a sentinel as this argument, whatever the glue made of it.
bool ignored_in_fortran(std::uint32_t argument);
inline std::uint64_t status_address(bool fortran, const MPI_Status* p, std::uint32_t argument) {
  if (fortran && ignored_in_fortran(argument)) [[unlikely]]
    return wire::kIgnore;
  return status_address(p);
}
inline std::uint64_t weight_address(const void* p) {
  if (p != nullptr && p == known.unweighted) return wire::kUnweighted;
  if (p != nullptr && p == known.weights_empty) return wire::kWeightsEmpty;
  return address(p);
}
inline std::uint64_t errcodes_address(const int* p) {
  return p == MPI_ERRCODES_IGNORE ? wire::kIgnore : address(p);
}

#include "canonical.inc"  // number_of_rank(v) and the like: named constants in canonical form

std::uint64_t bytes_in(const MPI_Status&);
void set_bytes(MPI_Status&, std::uint64_t bytes);
bool cancelled(const MPI_Status&);
void decode_status(wire::Status& to, const MPI_Status& from, int error_class);
// `errors`: the MPI_ERROR fields are set (the call returned MPI_ERR_IN_STATUS).
void decode_statuses(wire::Status* to, const void* from, std::uint64_t first, std::uint64_t count,
                     bool errors);
inline constexpr wire::Status kNoStatus{-1, -1, 0, 2, 0};
// Class of an error code; the code itself while MPI is not there to be asked.
int error_class_of(int code);
extern std::atomic<std::uint32_t> mpi_users;  // the world, and live sessions

}  // namespace vouch::shim
