#include "analysis/rma/testing/program.h"

#include <algorithm>

namespace vouch::rma_programs {

const std::vector<Type>& types() {
  static const std::vector<Type> all{
      {"INT", "", "", Basic::int_, 4, {0}, 4},
      {"FLOAT", "", "", Basic::float_, 4, {0}, 4},
      {"SHORT", "", "", Basic::short_, 2, {0}, 2},
      {"SIGNED_CHAR", "", "", Basic::char_, 1, {0}, 1},
      {"every2",
       "Type_vector count=2 blocklength=1 stride=2 oldtype=INT -> newtype=every2",
       "MPI_Type_vector(2, 1, 2, MPI_INT, %s)",
       Basic::int_,
       4,
       {0, 8},
       12},
      {"pair",
       "Type_contiguous count=2 oldtype=INT -> newtype=pair",
       "MPI_Type_contiguous(2, MPI_INT, %s)",
       Basic::int_,
       4,
       {0, 4},
       8},
      {"spread",
       "Type_create_resized oldtype=INT lb=0 extent=8 -> newtype=spread",
       "MPI_Type_create_resized(MPI_INT, 0, 8, %s)",
       Basic::int_,
       4,
       {0},
       8},
      {"shorts",
       "Type_vector count=3 blocklength=1 stride=2 oldtype=SHORT -> newtype=shorts",
       "MPI_Type_vector(3, 1, 2, MPI_SHORT, %s)",
       Basic::short_,
       2,
       {0, 4, 8},
       10},
  };
  return all;
}

int predefined(Basic basic) { return static_cast<int>(basic); }

const char* name_of(Op op) {
  switch (op) {
    case Op::sum:
      return "SUM";
    case Op::prod:
      return "PROD";
    case Op::replace:
      return "REPLACE";
    case Op::no_op:
      return "NO_OP";
  }
  return "";
}

Bytes bytes_of(int type, int count, int offset) {
  const Type& t = types()[static_cast<std::size_t>(type)];
  Bytes all;
  for (int k = 0; k < count; ++k) {
    for (const int o : t.offsets) {
      for (int b = 0; b < t.basic_size; ++b)
        all.set(static_cast<std::size_t>(offset + k * t.extent + o + b));
    }
  }
  return all;
}

int span_of(int type, int count) {
  const Type& t = types()[static_cast<std::size_t>(type)];
  return count == 0 ? 0 : (count - 1) * t.extent + t.offsets.back() + t.basic_size;
}

Bytes Program::memory(int window, int rank) const {
  const Window& w = windows[static_cast<std::size_t>(window)];
  const auto r = static_cast<std::size_t>(rank);
  return bytes_of(predefined(Basic::char_), w.size[r], w.base[r]);
}

}  // namespace vouch::rma_programs
