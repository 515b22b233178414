# vouch: run -n 2
# expect: warning leak/keyval @a
# The program's own keyval is its own to free; that of mpi4py is not meant.
from mpi4py import MPI

keyval = MPI.Comm.Create_keyval()  # @a
MPI.COMM_WORLD.bcast(1)
