# vouch: run -n 1
# expect: clean
# mpi4py copies the handles of a list of requests.
from mpi4py import MPI

comm = MPI.COMM_SELF
requests = [comm.Isend(bytearray(4), dest=0, tag=tag) for tag in range(3)]
for tag in range(3):
    comm.Recv(bytearray(4), source=0, tag=tag)
    MPI.Request.Waitany(requests)
