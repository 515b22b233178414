# vouch: run -n 1
# expect: clean
from mpi4py import MPI

pair = MPI.INT.Create_contiguous(2).Commit()
MPI.COMM_SELF.Send([bytearray(8), 1, pair], dest=MPI.PROC_NULL)
pair.Free()
