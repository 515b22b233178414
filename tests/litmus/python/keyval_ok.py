# vouch: run --strict -n 2
# expect: clean
from mpi4py import MPI

keyval = MPI.Comm.Create_keyval()
MPI.COMM_WORLD.Set_attr(keyval, 1)
MPI.COMM_WORLD.bcast(1)
MPI.COMM_WORLD.Delete_attr(keyval)
MPI.Comm.Free_keyval(keyval)
