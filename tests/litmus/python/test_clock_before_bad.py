# vouch: run -n 2
# expect: error deadlock/livelock @a
# also: crash
# The interpreter knows clocks, and the program has asked one: but not in the loop.
import time

from mpi4py import MPI

world = MPI.COMM_WORLD
x = bytearray(4)
begin = time.time()
request = world.Irecv([x, MPI.INT], 1 - world.rank)
while not request.Test():  # @a
    pass
print(time.time() - begin)
world.Send([x, MPI.INT], 1 - world.rank)
