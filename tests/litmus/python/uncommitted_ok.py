# vouch: run -n 1
# expect: clean
from mpi4py import MPI

pair = MPI.INT.Create_contiguous(2).Commit()
MPI.COMM_SELF.Bcast([bytearray(8), 1, pair], root=0)
pair.Free()
