# vouch: run -n 2
# expect: error argument/rank @a
# The line of the script is named, not one of mpi4py's. mpi4py turns returned errors into exceptions.
from mpi4py import MPI

comm = MPI.COMM_WORLD
try:
    comm.Send(bytearray(8), dest=comm.Get_size(), tag=7)  # @a
except MPI.Exception:
    pass
