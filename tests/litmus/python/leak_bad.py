# vouch: run -n 2
# expect: warning leak/communicator @a
from mpi4py import MPI

twin = MPI.COMM_WORLD.Dup()  # @a
twin.Barrier()
