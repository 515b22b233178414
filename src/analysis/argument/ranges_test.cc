#include "analysis/argument/argument.h"
#include "analysis/testing/cases.h"

namespace vouch {
namespace {

constexpr const char* kInter = "0 Comm_dup newcomm=c\n0 comm c size=1 rank=0 remote=3 members=0\n";
std::string on_inter(const char* line) { return std::string(kInter) + line; }

TEST(ArgumentRank, outside_its_communicator) {
  expect_findings<Argument>({
      {"0 world size=4\n0 Send dest=4 @a\n", "argument/rank ranks=0 @a"},
      {"0 Send dest=-1 @a\n", "argument/rank ranks=0 @a"},
      {"0 Send dest=ANY_SOURCE @a\n", "argument/rank ranks=0 @a"},
      {"0 Send comm=COMM_SELF dest=1 @a\n", "argument/rank ranks=0 @a"},
      {"0 Irecv source=2 request=r @a\n", "argument/rank ranks=0 @a"},
      {"0 Send_init dest=2 @a\n", "argument/rank ranks=0 @a"},
      {"0 Sendrecv dest=2 source=7 @a\n", "argument/rank ranks=0 @a"},
      {"0 Iprobe source=2 @a\n", "argument/rank ranks=0 @a"},
      {"0 Win_allocate win=w\n0 Put win=w target_rank=2 @a\n", "argument/rank ranks=0 @a"},
      {"0 Cart_create dims=[2] comm_cart=c\n0 Cart_coords comm=c rank=2 maxdims=1 @a\n",
       "argument/rank ranks=0 @a"},
      {"0 Intercomm_create local_comm=COMM_WORLD local_leader=2 @a\n", "argument/rank ranks=0 @a"},
      {"0 Intercomm_create local_comm=COMM_WORLD local_leader=0 peer_comm=COMM_WORLD "
       "remote_leader=2 @a\n",
       "argument/rank ranks=0 @a"},
  });
  EXPECT_EQ(run<Argument>(on_inter("0 Send comm=c dest=3 @a\n")), "argument/rank ranks=0 @a\n");
  EXPECT_EQ(run<Argument>(on_inter("0 Send comm=c dest=2\n0 Recv comm=c source=2\n")), "");
  expect_silence<Argument>({
      "0 Send dest=PROC_NULL\n0 Recv source=PROC_NULL\n0 Sendrecv dest=PROC_NULL "
      "source=PROC_NULL\n",
      "0 Send dest=0\n0 Recv source=ANY_SOURCE tag=ANY_TAG\n0 Probe source=ANY_SOURCE "
      "tag=ANY_TAG\n",
      "0 Sendrecv dest=1 source=ANY_SOURCE recvtag=ANY_TAG\n",
      "0 Win_allocate win=w\n0 Put win=w target_rank=PROC_NULL\n",
      "0 Win_allocate win=w\n0 Win_lock win=w rank=1\n",
      // [U37]: garbage where only the leader's values count.
      "1 Intercomm_create local_comm=COMM_WORLD local_leader=0 peer_comm=COMM_NULL "
      "remote_leader=99 tag=-5\n",
  });
}

TEST(ArgumentRank, all_broken_arguments_of_one_stage) {
  EXPECT_EQ(run_messages<Argument>(
                "0 world size=4\n0 Send dest=4 tag=-3 count=-1 datatype=MPI_INT buf=NULL @a\n"),
            "argument/count: count=-1 is negative\n"
            "argument/rank: dest=4 is not in MPI_COMM_WORLD, which has 4 ranks\n"
            "argument/tag: tag=-3 is not in 0..1073741823\n");
  // A broken handle poisons the call: ranks and buffers are left alone.
  EXPECT_EQ(run<Argument>("0 Send comm=COMM_NULL dest=77 buf=NULL @a\n"),
            "argument/communicator ranks=0 @a\n");
}

TEST(ArgumentTag, outside_zero_to_upper_bound) {
  expect_findings<Argument>({
      {"0 Send tag=-1 @a\n", "argument/tag ranks=0 @a"},
      {"0 Send tag=ANY_TAG @a\n", "argument/tag ranks=0 @a"},
      {"0 Recv tag=1073741824 @a\n", "argument/tag ranks=0 @a"},
      {"0 Sendrecv sendtag=ANY_TAG @a\n", "argument/tag ranks=0 @a"},
      {"0 Send tag=32768 @a\n", "argument/tag ranks=0 @a (info)"},
  });
  expect_silence<Argument>({"0 Send tag=0\n0 Send tag=32767\n0 Recv tag=ANY_TAG\n"});
  // An information does not poison.
  EXPECT_EQ(run<Argument>("0 Send tag=40000 dest=9 @a\n"),
            "argument/rank ranks=0 @a\nargument/tag ranks=0 @a (info)\n");
}

TEST(ArgumentCount, negative) {
  expect_findings<Argument>({
      {"0 Send count=-1 @a\n", "argument/count ranks=0 @a"},
      {"0 Bcast count=-1 @a\n", "argument/count ranks=0 @a"},
      {"0 Gatherv recvcounts=[1,-1] root=0 @a\n", "argument/count ranks=0 @a"},
      {"0 Waitall count=-1 requests=[] @a\n", "argument/count ranks=0 @a"},
      {"0 Psend_init partitions=0 @a\n", "argument/count ranks=0 @a"},
      {"0 Win_create disp_unit=0 @a\n", "argument/count ranks=0 @a"},
      {"0 Win_create size=-8 @a\n", "argument/count ranks=0 @a"},
      {"0 Alloc_mem size=-1 @a\n", "argument/count ranks=0 @a"},
      {"0 Send_c count=-1 @a\n", "argument/count ranks=0 @a"},
      {"0 Pack_size incount=-1 @a\n", "argument/count ranks=0 @a"},
  });
  expect_silence<Argument>({
      "0 Send count=0 buf=NULL\n",
      "0 Send count=2147483647 datatype=MPI_DOUBLE\n",
      "0 Waitall count=0 requests=NULL statuses=NULL\n",
      "0 Win_create size=0 base=NULL disp_unit=1\n",
      "0 Send_c count=4294967296\n0 Recv_c count=9000000000\n",  // [U44]
      "0 Gatherv_c recvcounts=[5000000000,0] root=0\n",
  });
  EXPECT_EQ(run_messages<Argument>("0 Send count=-1294967296 @a\n"),
            "argument/count: count=-1294967296 is negative; perhaps 3000000000 that did not fit "
            "into 32 bits\n");
}

TEST(ArgumentRoot, intra_and_inter) {
  expect_findings<Argument>({
      {"0 Bcast root=2 @a\n", "argument/root ranks=0 @a"},
      {"0 Bcast root=-1 @a\n", "argument/root ranks=0 @a"},
      {"0 Bcast root=ROOT @a\n", "argument/root ranks=0 @a"},
      {"0 Reduce root=PROC_NULL @a\n", "argument/root ranks=0 @a"},
      {"0 Igather root=2 @a\n", "argument/root ranks=0 @a"},
  });
  EXPECT_EQ(run<Argument>(on_inter("0 Bcast comm=c root=3 @a\n")), "argument/root ranks=0 @a\n");
  EXPECT_EQ(
      run<Argument>(on_inter(
          "0 Bcast comm=c root=ROOT\n0 Bcast comm=c root=PROC_NULL\n0 Bcast comm=c root=2\n")),
      "");
  expect_silence<Argument>({"0 Bcast root=1\n1 Bcast root=1\n"});
}

TEST(ArgumentPointer, null_where_an_answer_goes) {
  expect_findings<Argument>({
      {"0 Isend request=r\n0 Test request=r flag=NULL @a\n", "argument/pointer ranks=0 @a"},
      {"0 Isend request=NULL @a\n", "argument/pointer ranks=0 @a"},
      {"0 Comm_rank rank=NULL @a\n", "argument/pointer ranks=0 @a"},
      {"0 Comm_dup newcomm=NULL @a\n", "argument/pointer ranks=0 @a"},
      {"0 Waitall count=2 requests=NULL @a\n", "argument/pointer ranks=0 @a"},
      {"0 Recv status=NULL @a\n", "argument/pointer ranks=0 @a"},
      {"0 Gatherv recvcounts=NULL root=0 @a\n", "argument/pointer ranks=0 @a"},
      {"0 Op_create user_fn=NULL @a\n", "argument/pointer ranks=0 @a"},
      {"0 Comm_get_attr comm_keyval=TAG_UB attribute_val=NULL @a\n", "argument/pointer ranks=0 @a"},
      {"0 Comm_set_name comm_name=NULL @a\n", "argument/pointer ranks=0 @a"},
  });
  expect_silence<Argument>({
      "0 Init argc=NULL argv=NULL\n",
      "0 Recv status=STATUS_IGNORE\n0 Waitall count=0 requests=NULL statuses=STATUSES_IGNORE\n",
      "0 Dist_graph_create_adjacent indegree=0 sources=NULL sourceweights=WEIGHTS_EMPTY "
      "outdegree=1 destinations=[0] "
      "destweights=UNWEIGHTED\n",
      "0 Comm_spawn command=\"x\" argv=NULL array_of_errcodes=ERRCODES_IGNORE\n",
      "0 Alltoallv sendbuf=IN_PLACE sendcounts=NULL sdispls=NULL sendtype=DATATYPE_NULL\n",
      "1 Gatherv recvbuf=NULL recvcounts=NULL displs=NULL recvtype=DATATYPE_NULL root=0\n",
      "0 Comm_create_keyval comm_copy_attr_fn=NULL comm_delete_attr_fn=NULL\n",
  });
}

TEST(ArgumentConstant, outside_its_set) {
  expect_findings<Argument>({
      {"0 Win_allocate win=w\n0 Win_lock win=w rank=0 lock_type=77 @a\n",
       "argument/constant ranks=0 @a"},
      {"0 Win_allocate win=w\n0 Win_fence win=w assert=3 @a\n", "argument/constant ranks=0 @a"},
      {"0 File_open fh=f\n0 File_seek fh=f whence=9 @a\n", "argument/constant ranks=0 @a"},
      {"0 Comm_split_type split_type=77 @a\n", "argument/constant ranks=0 @a"},
      {"0 Type_create_subarray ndims=1 array_of_sizes=[4] array_of_subsizes=[2] "
       "array_of_starts=[1] order=5 @a\n",
       "argument/constant ranks=0 @a"},
      {"0 Init_thread required=42 @a\n", "argument/constant ranks=0 @a"},
      {"0 Comm_split color=-1 @a\n", "argument/constant ranks=0 @a"},
  });
  expect_silence<Argument>({
      "0 Win_allocate win=w\n0 Win_fence win=w assert=0\n0 Win_fence win=w "
      "assert=MODE_NOSTORE|MODE_NOPUT\n",
      "0 Win_allocate win=w\n0 Win_lock win=w lock_type=LOCK_EXCLUSIVE assert=MODE_NOCHECK\n",
      "0 Comm_split_type split_type=COMM_TYPE_SHARED\n0 Comm_split_type split_type=UNDEFINED\n0 "
      "Comm_split_type split_type=5\n",
      "0 Op_create commute=17\n",
      "0 Init_thread required=THREAD_FUNNELED\n",
      "0 Comm_split color=UNDEFINED key=-7\n0 Comm_split color=0 key=-7\n",
  });
}

TEST(ArgumentInfo, keys_values_and_promises) {
  const std::string long_key(255, 'k'), fits(254, 'k');
  EXPECT_EQ(run<Argument>("0 Info_create info=i\n0 Info_set info=i key=\"" + long_key +
                          "\" value=\"v\" @a\n"),
            "argument/info ranks=0 @a\n");
  EXPECT_EQ(run<Argument>("0 Info_create info=i\n0 Info_set info=i key=\"" + fits +
                          "\" value=\"v\" @a\n"),
            "");
  EXPECT_EQ(run<Argument>("0 Info_create info=i\n0 Info_set info=i key=\"k\" value=\"" +
                          std::string(1024, 'v') + "\" @a\n"),
            "argument/info ranks=0 @a\n");
  const std::string promise =
      "0 Info_create info=i\n0 Info_set info=i key=\"mpi_assert_no_any_source\" value=\"true\"\n"
      "0 Comm_set_info info=i\n";
  EXPECT_EQ(run<Argument>(promise + "0 Recv source=ANY_SOURCE @a\n"), "argument/info ranks=0 @a\n");
  EXPECT_EQ(run<Argument>(promise + "0 Recv source=1 tag=ANY_TAG @a\n"), "");
  EXPECT_EQ(run<Argument>(promise + "0 Comm_dup newcomm=d\n0 Recv comm=d source=ANY_SOURCE @a\n"),
            "");
  EXPECT_EQ(
      run<Argument>(
          "0 Info_create info=i\n0 Info_set info=i key=\"mpi_assert_no_any_tag\" value=\"true\"\n"
          "0 Comm_set_info info=i\n0 Iprobe tag=ANY_TAG source=1 @a\n"),
      "argument/info ranks=0 @a\n");
  expect_findings<Argument>({
      {"0 Info_create info=i\n0 Info_set info=i key=\"\" value=\"v\" @a\n",
       "argument/info ranks=0 @a"},
  });
  expect_silence<Argument>({
      "0 Info_create info=i\n0 Info_set info=i key=\"my_own_key\" value=\"v\"\n0 Info_get info=i "
      "key=\"absent\"\n",  // [U45]
      "0 Info_create info=i\n0 Info_set info=i key=\"mpi_assert_no_any_source\" value=\"false\"\n0 "
      "Comm_set_info info=i\n"
      "0 Recv source=ANY_SOURCE\n",
  });
}

TEST(IoMode, exactly_one_access_mode) {
  expect_findings<Argument>({
      {"0 File_open amode=MODE_RDONLY|MODE_CREATE @a\n", "io/mode ranks=0 @a"},
      {"0 File_open amode=MODE_RDONLY|MODE_WRONLY @a\n", "io/mode ranks=0 @a"},
      {"0 File_open amode=MODE_CREATE @a\n", "io/mode ranks=0 @a"},
      {"0 File_open amode=MODE_RDWR|MODE_SEQUENTIAL @a\n", "io/mode ranks=0 @a"},
      {"0 File_open fh=f\n0 File_read_at fh=f offset=-1 @a\n", "io/access ranks=0 @a"},
  });
  expect_silence<Argument>({
      "0 File_open amode=MODE_WRONLY|MODE_CREATE\n0 File_open amode=MODE_RDONLY\n",
      "0 File_open amode=MODE_RDWR|MODE_CREATE|MODE_EXCL|MODE_DELETE_ON_CLOSE\n",
      "0 File_open amode=MODE_WRONLY|MODE_SEQUENTIAL|MODE_APPEND|MODE_UNIQUE_OPEN\n",
      "0 File_open fh=f\n0 File_seek fh=f offset=-4 whence=SEEK_CUR\n",
  });
}

TEST(DynamicArgument, spawn_and_ports) {
  expect_findings<Argument>({
      {"0 Comm_spawn command=\"x\" maxprocs=-1 @a\n", "dynamic/argument ranks=0 @a"},
      {"0 Comm_spawn command=NULL maxprocs=1 @a\n", "dynamic/argument ranks=0 @a"},
      {"0 Open_port port_name=\"p\"\n0 Close_port port_name=\"p\"\n0 Comm_accept port_name=\"p\" "
       "@a\n",
       "dynamic/argument ranks=0 @a"},
  });
  expect_silence<Argument>({
      "1 Comm_spawn command=NULL maxprocs=-1 info=0x77 root=0\n",
      "0 Comm_spawn command=\"x\" maxprocs=2\n0 Comm_spawn command=\"x\" maxprocs=0\n",
      "0 Open_port port_name=\"p\"\n0 Comm_accept port_name=\"p\"\n0 Close_port port_name=\"p\"\n"
      "0 Open_port port_name=\"p\"\n0 Comm_accept port_name=\"p\"\n",
      "1 Comm_accept port_name=NULL root=0\n",
      // Connected before it was closed; its record is read late.
      "0 Open_port port_name=\"p\"\n0 Close_port port_name=\"p\"\n1 Comm_connect port_name=\"p\"\n",
  });
}

}  // namespace
}  // namespace vouch
