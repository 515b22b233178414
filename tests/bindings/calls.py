# The same for mpi4py: the line of a call is the Python line. Marks: run_bindings.py.
# What mpi4py asks for itself:
# also: MPI_Initialized MPI_Finalized MPI_Comm_set_errhandler MPI_Type_get_extent MPI_Comm_test_inter
from mpi4py import rc
rc.initialize = False
from mpi4py import MPI  # noqa: E402
import array  # noqa: E402


def main():
    MPI.Init()  # @ MPI_Init
    world = MPI.COMM_WORLD
    rank = world.Get_rank()  # @ MPI_Comm_rank
    other = 1 - rank
    x, y = array.array("i", [1]), array.array("i", [0])

    requests = [
        world.Irecv([y, MPI.INT], other, 1),  # @ MPI_Irecv tag=1 leave
        world.Isend([x, MPI.INT], other, 1),  # @ MPI_Isend count=1 leave
    ]
    MPI.Request.Waitall(requests)  # @ MPI_Waitall array_of_statuses=IGNORE leave statuses=2
    world.Sendrecv([x, MPI.INT], other, 2, [y, MPI.INT], MPI.ANY_SOURCE, MPI.ANY_TAG)  # @ MPI_Sendrecv source=ANY_SOURCE recvtag=ANY_TAG status=IGNORE leave bytes=4 from=1
    world.Allreduce(MPI.IN_PLACE, [x, MPI.INT], MPI.SUM)  # @ MPI_Allreduce sendbuf=IN_PLACE
    for _ in range(3):
        world.Barrier()  # @ MPI_Barrier x3
    if rank == 0:
        world.Send([x, MPI.INT], MPI.PROC_NULL)  # @ MPI_Send dest=PROC_NULL
    MPI.Finalize()  # @ MPI_Finalize


main()
