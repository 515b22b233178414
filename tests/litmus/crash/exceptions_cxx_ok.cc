// vouch: run -n 2
// expect: clean
//
// The bindings of C++ that MPI-3.0 removed, with errors as exceptions: one that is expected and
// caught, and the program goes on.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI::Init(argc, argv);
  MPI::COMM_WORLD.Set_errhandler(MPI::ERRORS_THROW_EXCEPTIONS);
  MPI::FILE_NULL.Set_errhandler(MPI::ERRORS_THROW_EXCEPTIONS);
  const int rank = MPI::COMM_WORLD.Get_rank();
  int x = rank;
  bool failed = false;
  try {
    MPI::File file =
        MPI::File::Open(MPI::COMM_SELF, "/nowhere/at/all", MPI::MODE_RDONLY, MPI::INFO_NULL);
    // A library whose exceptions are disabled comes back.
    failed = static_cast<MPI_File>(file) == MPI_FILE_NULL;
  } catch (MPI::Exception&) {
    failed = true;
  }
  if (!failed) MPI::COMM_WORLD.Abort(1);
  if (rank == 0) MPI::COMM_WORLD.Send(&x, 1, MPI::INT, 1, 0);
  if (rank == 1) MPI::COMM_WORLD.Recv(&x, 1, MPI::INT, 0, 0);
  MPI::Finalize();
}
