# sys.exit with a status of its own; MPI ends in a handler of exit. (Launchers end other processes then.)
# vouch: run --mpi openmpi -n 1
# expect: clean
# exit: 3
import sys

from mpi4py import MPI

MPI.COMM_WORLD.Barrier()
sys.exit(3)
