# vouch: run --strict -n 2
# expect: clean
# What mpi4py makes for itself (a keyval, at the first pickled collective) it frees in MPI_Finalize.
from mpi4py import MPI

comm = MPI.COMM_WORLD
assert comm.bcast({"a": [1, 2]} if comm.rank == 0 else None, root=0)["a"] == [1, 2]
assert comm.allreduce(comm.rank) == comm.size * (comm.size - 1) // 2
assert comm.gather(comm.rank, root=0) in (None, list(range(comm.size)))
