// Small words of the generated wrappers.

#pragma once

#include <cstring>

#include "shim/core/call.h"
#include "shim/core/lib.h"

// Reached by a jump only, so its return address is the user's.
#define VOUCH_WRAPPER __attribute__((visibility("hidden"), noinline, used))

namespace vouch::shim {

inline constexpr std::uint64_t kFewStatuses = 8;

template <typename T>
inline std::uint64_t pointer_word(T pointer) {
  return reinterpret_cast<std::uint64_t>(pointer);
}

// A value of some integral, enumeration or pointer type of the tools interface.
template <typename T>
inline std::uint64_t raw_of(T value) {
  if constexpr (std::is_pointer_v<T>) {
    return reinterpret_cast<std::uint64_t>(value);
  } else {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
  }
}

inline std::uint64_t clamped(std::int64_t length) {
  return length > 0 ? static_cast<std::uint64_t>(length) : 0;
}

inline std::int64_t string_length(const char* text) {
  return text != nullptr ? static_cast<std::int64_t>(std::strlen(text)) : 0;
}

template <typename T>
inline std::int64_t array_sum(const T* values, std::uint64_t count) {
  std::int64_t sum = 0;
  for (std::uint64_t i = 0; i < count; ++i) sum += values[i] > 0 ? values[i] : 0;
  return sum;
}

template <typename T>
inline std::int64_t array_last(const T* values, std::uint64_t count) {
  return count > 0 ? values[count - 1] : 0;
}

inline bool is_weight_sentinel(const void* p) {
  return p == known.unweighted || p == known.weights_empty;
}

inline bool are_errcodes_ignored(const int* p) { return p == MPI_ERRCODES_IGNORE; }

// How many entries a Waitsome filled.
inline std::uint64_t filled(const int* outcount, std::uint64_t room) {
  if (outcount == nullptr || *outcount == MPI_UNDEFINED || *outcount <= 0) return 0;
  const auto count = static_cast<std::uint64_t>(*outcount);
  return count < room ? count : room;
}

// Statuses for a user who ignores them; what the user passed if there is no memory.
inline MPI_Status* own_statuses(Call& call, MPI_Status* few, std::uint64_t count,
                                MPI_Status* users) {
  if (count <= kFewStatuses) return few;
  void* memory = call.scratch(count * sizeof(MPI_Status));
  return memory != nullptr ? static_cast<MPI_Status*>(memory) : users;
}

inline void put_status(std::uint64_t* words, const MPI_Status* status, int error) {
  wire::Status out = kNoStatus;
  if (status != nullptr) decode_status(out, *status, error);
  std::memcpy(words, &out, sizeof(out));
}

// A Fortran handle as C knows it.
template <typename Handle>
inline Handle from_fortran(MPI_Fint number) {
#ifdef OPEN_MPI
  if constexpr (std::is_same_v<Handle, MPI_Comm>) return real.comm_f2c(number);
  if constexpr (std::is_same_v<Handle, MPI_Datatype>) return real.type_f2c(number);
  if constexpr (std::is_same_v<Handle, MPI_Win>) return real.win_f2c(number);
  if constexpr (std::is_same_v<Handle, MPI_Errhandler>) return real.errhandler_f2c(number);
#else
  return static_cast<Handle>(number);
#endif
}

}  // namespace vouch::shim
