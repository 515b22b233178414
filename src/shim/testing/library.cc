// What the shim's own tables need of the back end around them, without an MPI library: pages, and
// three functions about datatypes.

#include <sys/mman.h>

#include "shim/band/band_state.h"
#include "shim/core/lib.h"

namespace vouch::shim {

Process process{};
Known known{};
Real plain{};

void* pages(std::uint64_t bytes) {
  void* at = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return at == MAP_FAILED ? nullptr : at;
}

bool cancelled(const MPI_Status&) { return false; }

namespace {

int type_size(MPI_Datatype, int* size) {
  *size = 4;
  return MPI_SUCCESS;
}
int type_get_extent(MPI_Datatype, MPI_Aint* lower, MPI_Aint* extent) {
  *lower = 0;
  *extent = 4;
  return MPI_SUCCESS;
}
int type_get_envelope(MPI_Datatype, int* integers, int* addresses, int* types, int* combiner) {
  *integers = *addresses = *types = 0;
  *combiner = MPI_COMBINER_NAMED;
  return MPI_SUCCESS;
}

Real with_three_functions() {
  Real functions{};
  functions.type_size = type_size;
  functions.type_get_extent = type_get_extent;
  functions.type_get_envelope = type_get_envelope;
  return functions;
}

}  // namespace

Real real = with_three_functions();

}  // namespace vouch::shim
