# vouch: run -n 1
# expect: error type/uncommitted @a
from mpi4py import MPI

pair = MPI.INT.Create_contiguous(2)
try:
    MPI.COMM_SELF.Bcast([bytearray(8), 1, pair], root=0)  # @a
except MPI.Exception:
    pass
pair.Free()
