# sys.exit with a status of its own; MPI ends in a handler of exit.
# vouch: run --mpi openmpi -n 2
# expect: clean
# exit: 3
import sys

from mpi4py import MPI

MPI.COMM_WORLD.Barrier()
sys.exit(3)
