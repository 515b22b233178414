#include "analysis/argument/argument.h"
#include "analysis/testing/cases.h"

namespace vouch {
namespace {

TEST(ArgumentBufferNull, where_bytes_are_wanted) {
  expect_findings<Argument>({
      {"0 Recv buf=NULL count=1 @a\n", "argument/buffer-null ranks=0 @a"},
      {"0 Bcast buffer=NULL count=4 @a\n", "argument/buffer-null ranks=0 @a"},
      {"0 Gatherv sendbuf=b recvbuf=NULL recvcounts=[0,1] root=0 @a\n",
       "argument/buffer-null ranks=0 @a"},
      {"0 Allreduce sendbuf=b recvbuf=NULL @a\n", "argument/buffer-null ranks=0 @a"},
      // the own share, and in place the input of all
      {"1 Reduce_scatter sendbuf=b recvbuf=NULL recvcounts=[0,3] @a\n",
       "argument/buffer-null ranks=1 @a"},
      {"0 Reduce_scatter sendbuf=NULL recvbuf=b recvcounts=[0,3] @a\n",
       "argument/buffer-null ranks=0 @a"},
      {"0 Reduce_scatter sendbuf=IN_PLACE recvbuf=NULL recvcounts=[0,3] @a\n",
       "argument/buffer-null ranks=0 @a"},
      {"0 Win_allocate win=w\n0 Put win=w origin_addr=NULL @a\n",
       "argument/buffer-null ranks=0 @a"},
      {"0 Win_create base=NULL size=8 @a\n", "argument/buffer-null ranks=0 @a"},
      {"0 Buffer_attach buffer=NULL size=100 @a\n", "argument/buffer-null ranks=0 @a"},
      {"0 Win_allocate win=w\n0 Fetch_and_op win=w origin_addr=b result_addr=NULL @a\n",
       "argument/buffer-null ranks=0 @a"},
      // an absolute type that begins in the zero page is no absolute type
      {"0 Type_create_hindexed array_of_blocklengths=[1] array_of_displacements=[64] newtype=t\n0 "
       "Type_commit datatype=t\n"
       "0 Recv buf=NULL datatype=t @a\n",
       "argument/buffer-null ranks=0 @a"},
      {"0 Type_create_hindexed array_of_blocklengths=[1] array_of_displacements=[-8] newtype=t\n0 "
       "Type_commit datatype=t\n"
       "0 Recv buf=NULL datatype=t @a\n",
       "argument/buffer-null ranks=0 @a"},
  });
  expect_silence<Argument>({
      "0 Recv buf=NULL count=0\n0 Send buf=NULL dest=PROC_NULL\n0 Recv buf=NULL source=PROC_NULL\n",
      "0 Sendrecv_replace buf=NULL dest=PROC_NULL source=PROC_NULL\n",
      "0 Type_create_hindexed array_of_blocklengths=[1] array_of_displacements=[1099511627776] "
      "newtype=t\n"
      "0 Type_commit datatype=t\n0 Recv buf=BOTTOM datatype=t\n",
      "0 Type_contiguous count=0 newtype=t\n0 Type_commit datatype=t\n0 Recv buf=NULL datatype=t "
      "count=5\n",
      "0 Win_create base=NULL size=0\n0 Win_create_dynamic\n",
      "0 Gatherv sendbuf=b recvbuf=NULL recvcounts=[0,0] root=0\n",
      "0 Reduce_scatter sendbuf=b recvbuf=NULL recvcounts=[0,3]\n",
      "0 Ireduce_scatter sendbuf=b recvbuf=NULL recvcounts=[0,3] request=r\n",
      "0 Reduce_scatter_init sendbuf=b recvbuf=NULL recvcounts=[0,3] request=r\n",
      "1 Reduce_scatter_c sendbuf=b recvbuf=NULL recvcounts=[3,0]\n",
      "0 Alltoallw sendbuf=NULL sendcounts=[0,0] recvbuf=NULL recvcounts=[0,0]\n",
      "0 Win_allocate win=w\n0 Put win=w origin_addr=NULL target_rank=PROC_NULL\n",
  });
}

// [U3]: every cell of the in-place column, and all other places.
TEST(ArgumentInPlace, where_the_standard_has_it) {
  expect_silence<Argument>({
      "0 Gather sendbuf=IN_PLACE sendcount=-9 sendtype=0x99 root=0\n",
      "0 Gatherv sendbuf=IN_PLACE sendcount=-9 sendtype=0x99 root=0\n",
      "0 Scatter recvbuf=IN_PLACE recvcount=-9 recvtype=0x99 root=0\n",
      "0 Scatterv recvbuf=IN_PLACE recvcount=-9 recvtype=0x99 root=0\n",
      "0 Allgather sendbuf=IN_PLACE sendcount=-9 sendtype=0x99\n1 Allgatherv sendbuf=IN_PLACE "
      "sendcount=-9 sendtype=0x99\n",
      "0 Alltoall sendbuf=IN_PLACE sendcount=-9 sendtype=0x99\n",
      "0 Alltoallv sendbuf=IN_PLACE sendcounts=[-1,-1] sendtype=0x99\n",
      "0 Alltoallw sendbuf=IN_PLACE sendcounts=[-1,-1] sendtypes=[0x99,0x98]\n",
      "0 Reduce sendbuf=IN_PLACE root=0\n",
      "0 Allreduce sendbuf=IN_PLACE\n1 Reduce_scatter_block sendbuf=IN_PLACE\n",
      "0 Reduce_scatter sendbuf=IN_PLACE\n0 Scan sendbuf=IN_PLACE\n1 Exscan sendbuf=IN_PLACE\n",
      "0 Iallreduce sendbuf=IN_PLACE request=r\n0 Allreduce_init sendbuf=IN_PLACE request=s\n",
  });
  expect_findings<Argument>({
      {"0 Scatter sendbuf=IN_PLACE root=0 @a\n", "argument/in-place ranks=0 @a"},
      {"1 Gather sendbuf=IN_PLACE root=0 @a\n", "argument/in-place ranks=1 @a"},
      {"1 Scatter recvbuf=IN_PLACE root=0 @a\n", "argument/in-place ranks=1 @a"},
      {"1 Reduce sendbuf=IN_PLACE root=0 @a\n", "argument/in-place ranks=1 @a"},
      {"0 Reduce recvbuf=IN_PLACE root=0 @a\n", "argument/in-place ranks=0 @a"},
      {"0 Bcast buffer=IN_PLACE @a\n", "argument/in-place ranks=0 @a"},
      {"0 Allreduce recvbuf=IN_PLACE @a\n", "argument/in-place ranks=0 @a"},
      {"0 Allgather recvbuf=IN_PLACE @a\n", "argument/in-place ranks=0 @a"},
      {"0 Reduce_local inbuf=IN_PLACE @a\n", "argument/in-place ranks=0 @a"},
      {"0 Send buf=IN_PLACE @a\n", "argument/in-place ranks=0 @a"},
      {"0 Irecv buf=IN_PLACE request=r @a\n", "argument/in-place ranks=0 @a"},
      {"0 Win_allocate win=w\n0 Put win=w origin_addr=IN_PLACE @a\n",
       "argument/in-place ranks=0 @a"},
      {"0 Cart_create dims=[2] comm_cart=c\n0 Neighbor_allgather comm=c sendbuf=IN_PLACE @a\n",
       "argument/in-place ranks=0 @a"},
      {"0 Comm_dup newcomm=c\n0 comm c size=1 rank=0 remote=2 members=0\n0 Allreduce comm=c "
       "sendbuf=IN_PLACE @a\n",
       "argument/in-place ranks=0 @a"},
  });
}

// [U2]: garbage in all arguments that are not significant.
TEST(Significance, garbage_elsewhere_is_silent) {
  expect_silence<Argument>({
      "1 Gather recvbuf=0x1 recvcount=-7 recvtype=0x99 root=0\n",
      "1 Gather recvbuf=IN_PLACE recvcount=-7 recvtype=DATATYPE_NULL root=0\n",
      "1 Gatherv recvbuf=0x1 recvcounts=[-7,-7] displs=NULL recvtype=0x99 root=0\n",
      "1 Scatter sendbuf=0x1 sendcount=-7 sendtype=0x99 root=0\n",
      "1 Scatterv sendbuf=NULL sendcounts=NULL displs=NULL sendtype=0x99 root=0\n",
      "1 Reduce recvbuf=NULL root=0\n1 Reduce recvbuf=IN_PLACE root=0\n",
      "0 Exscan recvbuf=NULL\n",
      "1 Comm_spawn command=NULL argv=0x7 maxprocs=-3 info=0x99 root=0\n",
      "1 Comm_connect port_name=NULL info=0x99 root=0\n",
      "1 Comm_split color=UNDEFINED key=-1\n",
  });
  const std::string inter = "0 Comm_dup newcomm=c\n0 comm c size=1 rank=0 remote=3 members=0\n";
  for (const char* good : {
           "0 Bcast comm=c root=PROC_NULL buffer=0x1 count=-7 datatype=0x99\n",
           "0 Gather comm=c root=ROOT sendbuf=IN_PLACE sendcount=-7 sendtype=0x99\n",
           "0 Gather comm=c root=2 recvbuf=IN_PLACE recvcount=-7 recvtype=0x99\n",
           "0 Gather comm=c root=PROC_NULL sendbuf=0x1 sendcount=-7 sendtype=0x99 recvbuf=0x1 "
           "recvcount=-7 recvtype=0x99\n",
           "0 Scatter comm=c root=ROOT recvbuf=0x1 recvcount=-7 recvtype=0x99\n",
           "0 Reduce comm=c root=PROC_NULL sendbuf=0x1 recvbuf=0x1 count=-7 datatype=0x99 "
           "op=0x99\n",
       }) {
    EXPECT_EQ(run<Argument>(inter + good), "") << good;
  }
}

TEST(ArgumentMessages, plain_words) {
  EXPECT_EQ(run_messages<Argument>("0 Scatter sendbuf=IN_PLACE root=0\n"),
            "argument/in-place: MPI_IN_PLACE is not defined for sendbuf of MPI_Scatter; it may "
            "stand for recvbuf at the root\n");
  EXPECT_EQ(run_messages<Argument>("0 Recv buf=NULL count=3\n"),
            "argument/buffer-null: buf is NULL: no buffer for 3 MPI_INT\n");
  EXPECT_EQ(run_messages<Argument>("0 Allreduce datatype=MPI_CHAR op=MPI_MAX\n"),
            "argument/op: MPI_MAX is not defined on MPI_CHAR; it takes C integer, Fortran integer, "
            "floating-point and "
            "address-sized integer types\n");
  EXPECT_EQ(run_messages<Argument>("0 Comm_dup newcomm=c\n0 Comm_free comm=c\n0 Barrier comm=c\n"),
            "argument/communicator: comm was already freed\n");
}

}  // namespace
}  // namespace vouch
