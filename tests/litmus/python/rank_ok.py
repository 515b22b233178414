# vouch: run -n 2
# expect: clean
from mpi4py import MPI

comm = MPI.COMM_WORLD
comm.Send(bytearray(8), dest=MPI.PROC_NULL, tag=7)
other = comm.sendrecv({"from": comm.rank}, dest=1 - comm.rank, source=1 - comm.rank)
assert other == {"from": 1 - comm.rank}
comm.Barrier()
