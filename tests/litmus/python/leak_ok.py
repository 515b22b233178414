# vouch: run -n 2
# expect: clean
from mpi4py import MPI

twin = MPI.COMM_WORLD.Dup()
twin.Barrier()
twin.Free()
