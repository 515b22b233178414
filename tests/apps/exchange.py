"""What mpi4py programs do: objects and buffers, blocking and not, collectives, groups, topologies; rank 0 prints the results."""

import array

from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
results = []

right, left = (rank + 1) % size, (rank - 1) % size
results.append((rank, "object", comm.sendrecv({"rank": rank, "list": list(range(rank))}, dest=right, source=left)))

numbers = array.array("d", [rank + 0.5] * 1000)
received = array.array("d", [0.0] * 1000)
requests = [comm.Irecv(received, source=left, tag=1), comm.Isend(numbers, dest=right, tag=1)]
MPI.Request.Waitall(requests)
results.append((rank, "buffer", received[0], received[-1]))

results.append((rank, "gather", comm.gather(rank * rank, root=0)))
results.append((rank, "scatter", comm.scatter([i * 10 for i in range(size)] if rank == 0 else None, root=0)))
results.append((rank, "bcast", comm.bcast("hello" if rank == 1 else None, root=1)))
results.append((rank, "allreduce", comm.allreduce(rank, op=MPI.MAX), comm.allreduce(rank)))
results.append((rank, "alltoall", comm.alltoall([rank * size + i for i in range(size)])))

totals = array.array("d", [0.0] * 1000)
comm.Allreduce(MPI.IN_PLACE, numbers, op=MPI.SUM)
comm.Reduce(numbers, totals, op=MPI.SUM, root=0)
results.append((rank, "reduce", totals[0]))

half = comm.Split(rank % 2, rank)
results.append((rank, "split", half.allgather(rank)))
half.Free()

grid = comm.Create_cart(MPI.Compute_dims(size, 2), periods=[True, False])
results.append((rank, "cart", grid.Get_coords(rank), [n if n != MPI.PROC_NULL else None for n in grid.Shift(1, 1)]))
grid.Free()

column = MPI.DOUBLE.Create_vector(10, 1, 100).Commit()
comm.Sendrecv([numbers, 1, column], dest=right, recvbuf=[received, 10, MPI.DOUBLE], source=left)
column.Free()
results.append((rank, "column", received[9]))

request = comm.isend([rank] * 3, dest=right, tag=2)
status = MPI.Status()
results.append((rank, "probe", comm.recv(source=MPI.ANY_SOURCE, tag=2, status=status), status.Get_source() == left))
request.wait()

own = MPI.Op.Create(lambda a, b, t: b.__setitem__(slice(None), bytes(max(x, y) for x, y in zip(a, b))), commute=True)
flag = bytearray([rank])
comm.Allreduce(MPI.IN_PLACE, [flag, 1, MPI.BYTE], op=own)
own.Free()
results.append((rank, "own op", flag[0]))
comm.Barrier()
for rows in comm.gather(results, root=0) or []:
    for row in rows:
        print(*row)
