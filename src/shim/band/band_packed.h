// A message with its clock, as a datatype (band.h).

#pragma once

#include "shim/band/band_state.h"

namespace vouch::shim {

// The clock and then what the program sends or has room for, as one type at absolute addresses.
// The clock comes first, so that a message which is shorter than its receive brings it too.
class Packed {
 public:
  template <typename Count>
  Packed(const Clock* clock, const void* buffer, Count count, MPI_Datatype type) {
    const MPI_Datatype types[] = {band_names.clock, type};
    const Count counts[] = {clock_words, count};
    if constexpr (sizeof(Count) == sizeof(int)) {
      const MPI_Aint at[] = {reinterpret_cast<MPI_Aint>(clock), reinterpret_cast<MPI_Aint>(buffer)};
      made_ = plain.type_create_struct(2, counts, at, types, &type_) == MPI_SUCCESS;
    } else {
#if MPI_VERSION >= 4
      const MPI_Count at[] = {reinterpret_cast<MPI_Aint>(clock),
                              reinterpret_cast<MPI_Aint>(buffer)};
      made_ = plain.type_create_struct_c(2, counts, at, types, &type_) == MPI_SUCCESS;
#endif
    }
    if (made_) plain.type_commit(&type_);
  }
  ~Packed() {
    if (made_) plain.type_free(&type_);
  }
  Packed(const Packed&) = delete;
  Packed& operator=(const Packed&) = delete;
  MPI_Datatype get() const { return type_; }
  // It is freed with the request.
  void stay(Posted& posted) {
    posted.types[posted.type_count++] = type_;
    made_ = false;
  }

 private:
  MPI_Datatype type_{};
  bool made_ = false;
};

// What the library shall complain about is passed on as it is.
template <typename Count>
bool wellformed(Count count, MPI_Datatype type) {
  return count >= 0 && type != known.datatype_null;
}
template <typename Count>
bool carries(MPI_Comm comm, int peer, Count count, MPI_Datatype type) {
  return peer != MPI_PROC_NULL && wellformed(count, type) && carries(comm);
}

// The same bytes where the call blocks and the data are few and in one piece: a copy of both, which
// is much cheaper than a type.
struct Copied {
  static constexpr std::uint64_t kMost = 1024;
  unsigned char bytes[sizeof(Clock) + kMost];
  unsigned char* data() { return bytes + clock_bytes(); }
};

// Bytes of an element of a named type without holes; 0: it is not one.
std::uint64_t bytes_of_named(MPI_Datatype);

template <typename Count>
bool is_copied(Count count, MPI_Datatype type, std::uint64_t& bytes) {
  const std::uint64_t each = bytes_of_named(type);
  bytes = each * static_cast<std::uint64_t>(count);
  return each != 0 && static_cast<std::uint64_t>(count) <= Copied::kMost && bytes <= Copied::kMost;
}

}  // namespace vouch::shim
