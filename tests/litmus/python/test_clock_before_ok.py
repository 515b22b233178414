# vouch: run -n 2
# expect: clean
# The loop gives up by the clock.
import time

from mpi4py import MPI

world = MPI.COMM_WORLD
x, y = bytearray(4), bytearray(4)
begin = time.monotonic()
request = world.Irecv([x, MPI.INT], 1 - world.rank)
while not request.Test() and time.monotonic() - begin < 13:
    pass
world.Send([y, MPI.INT], 1 - world.rank)
request.Wait()
