#include "analysis/argument/argument.h"
#include "analysis/argument/unseen.h"
#include "analysis/crash/crash.h"
#include "analysis/request/request.h"
#include "analysis/testing/cases.h"

namespace vouch {
namespace {

TEST(ArgumentCommunicator, null_stale_or_of_the_wrong_kind) {
  expect_findings<Argument>({
      {"0 Comm_split color=UNDEFINED newcomm=COMM_NULL\n0 Barrier comm=COMM_NULL @a\n",
       "argument/communicator ranks=0 @a"},
      {"0 Comm_dup newcomm=c\n0 Comm_free comm=c\n0 Send comm=c @a\n",
       "argument/communicator ranks=0 @a"},
      {"0 Comm_rank comm=COMM_NULL @a\n", "argument/communicator ranks=0 @a"},
      {"0 Comm_dup newcomm=c\n0 comm c size=1 rank=0 remote=2 members=0\n0 Scan comm=c @a\n",
       "argument/communicator ranks=0 @a"},
      {"0 Comm_dup newcomm=c\n0 comm c size=1 rank=0 remote=2 members=0\n0 Exscan_init comm=c @a\n",
       "argument/communicator ranks=0 @a"},
      {"0 Comm_dup newcomm=c\n0 comm c size=1 rank=0 remote=2 members=0\n0 Cart_create comm_old=c "
       "ndims=1 dims=[1] @a\n",
       "argument/communicator ranks=0 @a"},
      {"0 Comm_dup newcomm=c\n0 comm c size=1 rank=0 remote=2 members=0\n0 Win_create comm=c @a\n",
       "argument/communicator ranks=0 @a"},
      {"0 Comm_dup newcomm=c\n0 comm c size=1 rank=0 remote=2 members=0\n0 File_open comm=c @a\n",
       "argument/communicator ranks=0 @a"},
      {"0 Comm_remote_size comm=COMM_WORLD @a\n", "argument/communicator ranks=0 @a"},
      {"0 Intercomm_merge intercomm=COMM_WORLD @a\n", "argument/communicator ranks=0 @a"},
      {"0 Comm_idup newcomm=c request=r\n0 Barrier comm=c @a\n",
       "argument/communicator ranks=0 @a"},
  });
  expect_silence<Argument>({
      "0 Comm_split color=UNDEFINED newcomm=COMM_NULL\n",
      "0 Comm_get_parent parent=COMM_NULL\n",
      "0 Comm_get_name comm=COMM_NULL\n",
      "0 Comm_dup newcomm=c\n0 Isend comm=c request=r\n0 Comm_free comm=c\n0 Wait request=r\n",
      "0 Comm_dup newcomm=c\n0 Comm_free comm=c\n0 Comm_dup newcomm=c\n0 Barrier comm=c\n",  // reissued
      "0 Comm_dup newcomm=c\n0 comm c size=1 rank=0 remote=2 members=0\n"
      "0 Comm_remote_size comm=c\n0 Bcast comm=c root=ROOT\n0 Barrier comm=c\n0 Allreduce "
      "comm=c\n0 Intercomm_merge intercomm=c\n",
      "0 Comm_idup newcomm=c request=r\n0 Wait request=r\n0 Barrier comm=c\n",
  });
}

// MPI-4.1 2.5.1: what a pending operation needs lives on, and a callback may be passed its handle.
TEST(ArgumentHandles, what_the_library_passes_to_a_callback) {
  const std::string type = "0 Type_contiguous count=2 newtype=t\n0 Type_commit datatype=t\n";
  const std::string comm = "0 Comm_dup newcomm=c\n";
  expect_silence<Argument>({
      (type + "0 Ibcast datatype=t request=r\n0 Type_free datatype=t\n0 Wait request=r ...\n"
              "0 Type_size datatype=t\n0 Type_dup oldtype=t newtype=u\n0 Type_free datatype=u\n"
              "0 return\n")
          .c_str(),
      (comm + "0 Irecv comm=c source=0 request=r\n0 Comm_free comm=c\n0 Wait request=r ...\n"
              "0 Comm_rank comm=c\n0 return\n")
          .c_str(),
  });
  expect_findings<Argument>({
      // not in a callback
      {(type + "0 Ibcast datatype=t request=r\n0 Type_free datatype=t\n0 Type_size datatype=t "
               "@a\n")
           .c_str(),
       "type/handle ranks=0 @a"},
      // nothing was pending when it was freed
      {(type + "0 Type_free datatype=t\n0 Barrier ...\n0 Type_size datatype=t @a\n0 return\n")
           .c_str(),
       "type/handle ranks=0 @a"},
      // and it is not the callback's to free
      {(type + "0 Ibcast datatype=t request=r\n0 Type_free datatype=t\n0 Wait request=r ...\n"
               "0 Type_free datatype=t @a\n0 return\n")
           .c_str(),
       "type/handle ranks=0 @a"},
  });
}

TEST(ArgumentCommunicator, unseen_birth_is_never_a_finding) {
  EXPECT_EQ((run<Argument, UnseenHandles>("0 Barrier comm=0x9999 @a\n")),
            "not-checked MPI_Barrier\n");
  EXPECT_EQ((run<Argument, UnseenHandles>("0 Send datatype=0x9999 @a\n")),
            "not-checked MPI_Send\n");
}

TEST(ArgumentAttribute, a_freed_keyval_lives_until_its_last_attribute_is_gone) {
  const std::string key = "0 Comm_dup newcomm=c\n0 Comm_create_keyval comm_keyval=17\n";
  const std::string set = "0 Comm_set_attr comm=c comm_keyval=17\n";
  const std::string freed = "0 Comm_free_keyval comm_keyval=17\n";
  expect_silence<Argument>({
      (key + set + freed + "0 Comm_get_attr comm=c comm_keyval=17\n").c_str(),
      (key + set + freed + set + "0 Comm_delete_attr comm=c comm_keyval=17\n").c_str(),
      (key + set + "0 Comm_dup comm=c newcomm=d\n" + freed +
       "0 Comm_delete_attr comm=c comm_keyval=17\n0 Comm_get_attr comm=d comm_keyval=17\n")
          .c_str(),
  });
  expect_findings<Argument>({
      {(key + freed + "0 Comm_set_attr comm=c comm_keyval=17 @a\n").c_str(),
       "argument/attribute ranks=0 @a"},
      {(key + set + freed + "0 Comm_free comm=c\n0 Comm_get_attr comm_keyval=17 @a\n").c_str(),
       "argument/attribute ranks=0 @a"},
      {(key + set + freed + "0 Comm_free_keyval comm_keyval=17 @a\n").c_str(),
       "argument/attribute ranks=0 @a"},
  });
}

TEST(UnseenHandles, the_library_settles_it) {
  const auto judged = [](const char* text) {
    return run<Argument, RequestUse, UnseenHandles>(text);
  };
  EXPECT_EQ(judged("0 Barrier comm=0x9999 !ERR_COMM @a\n"), "argument/communicator ranks=0 @a\n");
  EXPECT_EQ(judged("0 Send datatype=0x9999 !ERR_TYPE @a\n"), "type/handle ranks=0 @a\n");
  EXPECT_EQ(judged("0 Reduce op=0x9999 !ERR_OP @a\n"), "argument/op ranks=0 @a\n");
  EXPECT_EQ(judged("0 Wait request=0x9999 !ERR_REQUEST @a\n"), "request/handle ranks=0 @a\n");
  // An error about something else says nothing of it.
  EXPECT_EQ(judged("0 Send datatype=0x9999 !ERR_OTHER @a\n"), "not-checked MPI_Send\n");
}

TEST(UnseenHandles, a_process_that_ends_inside_the_call) {
  const auto judged = [](const char* text) { return run<Argument, UnseenHandles, Crash>(text); };
  EXPECT_EQ(judged("0 Barrier comm=0x9999 ... @a\n0 exit 5\n"),
            "argument/communicator ranks=0 @a\n");
  EXPECT_EQ(judged("0 Barrier comm=0x9999 ... @a\n0 signal 11\n"),
            "argument/communicator ranks=0 @a\n");
  // Internal errors end with 1, which is no class.
  EXPECT_EQ(judged("0 Barrier comm=0x9999 ... @a\n0 exit 1\n"),
            "crash/mpi-error ranks=0 @a\nnot-checked MPI_Barrier\n");
}

TEST(TypeHandle, null_and_freed) {
  expect_findings<Argument>({
      {"0 Type_contiguous count=2 newtype=t\n0 Type_commit datatype=t\n0 Type_free datatype=t\n0 "
       "Send datatype=t @a\n",
       "type/handle ranks=0 @a"},
      {"0 Send datatype=DATATYPE_NULL @a\n", "type/handle ranks=0 @a"},
      {"0 Send datatype=DATATYPE_NULL count=0 @a\n", "type/handle ranks=0 @a (warning)"},
      {"0 Type_size datatype=DATATYPE_NULL @a\n", "type/handle ranks=0 @a"},
      {"0 Type_commit datatype=DATATYPE_NULL @a\n", "type/handle ranks=0 @a"},
      {"0 Put win=w target_datatype=DATATYPE_NULL @a\n", "type/handle ranks=0 @a"},
      {"0 Send dest=PROC_NULL datatype=DATATYPE_NULL @a\n", "type/handle ranks=0 @a"},
      {"0 Alltoallw sendcounts=[1,0] sendtypes=[DATATYPE_NULL,MPI_INT] recvcounts=[0,0] "
       "recvtypes=[MPI_INT,MPI_INT] @a\n",
       "type/handle ranks=0 @a"},
  });
  expect_silence<Argument>({
      "0 Type_contiguous count=2 newtype=t\n0 Type_commit datatype=t\n0 Isend datatype=t "
      "request=r\n0 Type_free datatype=t\n0 Wait request=r\n",
      "0 Type_contiguous count=2 newtype=t\n0 Type_contiguous oldtype=t newtype=u\n0 Type_free "
      "datatype=t\n"
      "0 Type_commit datatype=u\n0 Send datatype=u\n",
      "0 Type_get_name datatype=DATATYPE_NULL\n",
      // [U18]
      "0 Alltoallw sendcounts=[1,0] sendtypes=[MPI_INT,DATATYPE_NULL] recvcounts=[0,1] "
      "recvtypes=[DATATYPE_NULL,MPI_INT]\n",
      "0 Gatherv recvcounts=[0,0] recvtype=DATATYPE_NULL\n",
  });
}

TEST(TypeConstructor, arguments_out_of_range) {
  expect_findings<Argument>({
      {"0 Type_vector count=2 blocklength=-1 stride=1 @a\n", "type/constructor ranks=0 @a"},
      {"0 Type_contiguous count=-1 @a\n", "type/constructor ranks=0 @a"},
      {"0 Type_contiguous oldtype=DATATYPE_NULL @a\n", "type/constructor ranks=0 @a"},
      {"0 Type_indexed array_of_blocklengths=[1,-2] @a\n", "type/constructor ranks=0 @a"},
      {"0 Type_create_struct array_of_blocklengths=[1,1] array_of_types=[MPI_INT,DATATYPE_NULL] "
       "@a\n",
       "type/constructor ranks=0 @a"},
      {"0 Type_create_subarray ndims=1 array_of_sizes=[4] array_of_subsizes=[5] "
       "array_of_starts=[0] @a\n",
       "type/constructor ranks=0 @a"},
      {"0 Type_create_subarray ndims=1 array_of_sizes=[4] array_of_subsizes=[2] "
       "array_of_starts=[3] @a\n",
       "type/constructor ranks=0 @a"},
      {"0 Type_create_subarray ndims=1 array_of_sizes=[4] array_of_subsizes=[0] "
       "array_of_starts=[0] @a\n",
       "type/constructor ranks=0 @a"},
      {"0 Type_create_subarray ndims=0 array_of_sizes=[] array_of_subsizes=[] array_of_starts=[] "
       "@a\n",
       "type/constructor ranks=0 @a"},
      {"0 Type_create_darray size=4 rank=0 ndims=1 array_of_gsizes=[8] array_of_psizes=[2] @a\n",
       "type/constructor ranks=0 @a"},
      {"0 Type_create_darray size=2 rank=2 ndims=1 array_of_gsizes=[8] array_of_psizes=[2] @a\n",
       "type/constructor ranks=0 @a"},
      {"0 Type_create_darray size=2 rank=0 ndims=1 array_of_gsizes=[8] array_of_psizes=[2] "
       "array_of_dargs=[3] @a\n",
       "type/constructor ranks=0 @a"},
      {"0 Type_create_darray size=2 rank=0 ndims=1 array_of_gsizes=[8] array_of_psizes=[2] "
       "array_of_distribs=[77] @a\n",
       "argument/constant ranks=0 @a"},
      {"0 Type_contiguous newtype=t\n0 Type_free datatype=t\n0 Type_contiguous oldtype=t @a\n",
       "type/handle ranks=0 @a"},
  });
  expect_silence<Argument>({
      "0 Type_create_resized lb=-4 extent=2\n",
      "0 Type_vector count=0 blocklength=0 stride=-3\n",
      "0 Type_create_hindexed array_of_blocklengths=[1,0] array_of_displacements=[-8,-16]\n",
      "0 Type_create_struct array_of_blocklengths=[1,0] array_of_types=[MPI_INT,DATATYPE_NULL]\n",
      "0 Type_create_struct count=0 array_of_blocklengths=[] array_of_displacements=[] "
      "array_of_types=[]\n",
      "0 Type_create_subarray ndims=2 array_of_sizes=[4,4] array_of_subsizes=[4,1] "
      "array_of_starts=[0,3]\n",
      "0 Type_create_darray size=4 rank=3 ndims=2 array_of_gsizes=[8,7] array_of_psizes=[2,2]\n",
      "0 Type_create_darray size=2 rank=0 ndims=1 array_of_gsizes=[8] array_of_psizes=[2] "
      "array_of_dargs=[4]\n",
      "0 Type_contiguous_c count=5000000000\n",
  });
}

TEST(ArgumentFree, predefined_and_null) {
  expect_findings<Argument>({
      {"0 Type_free datatype=MPI_INT @a\n", "argument/free-predefined ranks=0 @a"},
      {"0 Type_free datatype=DATATYPE_NULL @a\n", "argument/free-predefined ranks=0 @a"},
      {"0 Comm_free comm=COMM_WORLD @a\n", "argument/free-predefined ranks=0 @a"},
      {"0 Comm_free comm=COMM_NULL @a\n", "argument/free-predefined ranks=0 @a"},
      {"0 Comm_disconnect comm=COMM_SELF @a\n", "argument/free-predefined ranks=0 @a"},
      {"0 Op_free op=MPI_SUM @a\n", "argument/free-predefined ranks=0 @a"},
      {"0 Comm_free_keyval comm_keyval=TAG_UB @a\n", "argument/free-predefined ranks=0 @a"},
      {"0 Comm_free_keyval comm_keyval=KEYVAL_INVALID @a\n", "argument/free-predefined ranks=0 @a"},
      {"0 Win_free win=WIN_NULL @a\n", "argument/free-predefined ranks=0 @a"},
      {"0 Info_free info=INFO_NULL @a\n", "argument/free-predefined ranks=0 @a"},
      {"0 Type_create_f90_real p=6 r=30 newtype=t\n0 Type_free datatype=t @a\n",
       "argument/free-predefined ranks=0 @a"},
      {"0 Comm_dup newcomm=c\n0 Comm_free comm=c\n0 Comm_free comm=c @a\n",
       "argument/communicator ranks=0 @a"},
      {"0 Type_dup newtype=t\n0 Type_free datatype=t\n0 Type_free datatype=t @a\n",
       "type/handle ranks=0 @a"},
  });
  expect_silence<Argument>({
      "0 Comm_get_errhandler errhandler=ERRORS_ARE_FATAL\n0 Errhandler_free "
      "errhandler=ERRORS_ARE_FATAL\n",
      "0 Comm_create_errhandler errhandler=e\n0 Errhandler_free errhandler=e\n",
      "0 Group_incl ranks=[] newgroup=GROUP_EMPTY\n0 Group_free group=GROUP_EMPTY\n",
      "0 Comm_dup newcomm=c\n0 Comm_free comm=c\n",
      "0 Type_dup newtype=t\n0 Type_free datatype=t\n",
      "0 Comm_create_keyval comm_keyval=k\n0 Comm_set_attr comm_keyval=k\n0 Comm_free_keyval "
      "comm_keyval=k\n",
      "0 Op_create op=o\n0 Op_free op=o\n",
  });
}

TEST(ArgumentAttribute, kind_of_keyval_and_error_handler) {
  expect_findings<Argument>({
      {"0 Type_create_keyval type_keyval=k\n0 Comm_set_attr comm_keyval=k @a\n",
       "argument/attribute ranks=0 @a"},
      {"0 Comm_create_keyval comm_keyval=k\n0 Comm_free_keyval comm_keyval=k\n0 Comm_set_attr "
       "comm_keyval=k @a\n",
       "argument/attribute ranks=0 @a"},
      {"0 Comm_set_attr comm_keyval=TAG_UB @a\n", "argument/attribute ranks=0 @a"},
      {"0 Comm_delete_attr comm_keyval=TAG_UB @a\n", "argument/attribute ranks=0 @a"},
      {"0 Comm_get_attr comm_keyval=KEYVAL_INVALID @a\n", "argument/attribute ranks=0 @a"},
      {"0 File_create_errhandler errhandler=e\n0 Comm_set_errhandler errhandler=e @a\n",
       "argument/attribute ranks=0 @a"},
      {"0 Comm_create_errhandler errhandler=e\n0 Errhandler_free errhandler=e\n0 "
       "Comm_set_errhandler errhandler=e @a\n",
       "argument/attribute ranks=0 @a"},
      {"0 Comm_set_errhandler errhandler=ERRHANDLER_NULL @a\n", "argument/attribute ranks=0 @a"},
  });
  expect_silence<Argument>({
      "0 Comm_get_attr comm_keyval=TAG_UB\n",
      "0 Type_create_keyval type_keyval=k\n0 Type_set_attr datatype=MPI_INT type_keyval=k\n",
      "0 Comm_set_errhandler errhandler=ERRORS_RETURN\n",
      "0 File_set_errhandler file=FILE_NULL errhandler=ERRORS_RETURN\n",
      "0 Comm_create_errhandler errhandler=e\n0 Comm_set_errhandler errhandler=e\n0 "
      "Errhandler_free errhandler=e\n",
  });
}

TEST(ArgumentOtherHandles, windows_files_groups_infos) {
  expect_findings<Argument>({
      {"0 Win_fence win=WIN_NULL @a\n", "rma/window ranks=0 @a"},
      {"0 Win_allocate win=w\n0 Win_free win=w\n0 Win_fence win=w @a\n", "rma/window ranks=0 @a"},
      {"0 File_open fh=f\n0 File_close fh=f\n0 File_read fh=f @a\n", "io/access ranks=0 @a"},
      {"0 File_read fh=FILE_NULL @a\n", "io/access ranks=0 @a"},
      {"0 Group_size group=GROUP_NULL @a\n", "argument/group ranks=0 @a"},
      {"0 Comm_group group=g\n0 Group_free group=g\n0 Group_size group=g @a\n",
       "argument/group ranks=0 @a"},
      {"0 Info_set info=INFO_NULL key=\"k\" value=\"v\" @a\n", "argument/info ranks=0 @a"},
      {"0 Info_create info=i\n0 Info_free info=i\n0 Comm_dup_with_info info=i @a\n",
       "argument/info ranks=0 @a"},
  });
  expect_silence<Argument>({
      "0 Win_allocate win=w\n0 Win_fence win=w\n0 Win_free win=w\n",
      "0 File_open fh=f info=INFO_NULL\n0 File_read fh=f\n0 File_close fh=f\n",
      "0 Comm_dup_with_info info=INFO_NULL\n",
      "0 Win_get_name win=WIN_NULL\n",
      "0 Group_size group=GROUP_EMPTY\n",
  });
}

TEST(TopologyKind, queries_need_their_topology) {
  expect_findings<Argument>({
      {"0 Cart_shift comm=COMM_WORLD direction=0 disp=1 @a\n", "topology/kind ranks=0 @a"},
      {"0 Graph_neighbors_count comm=COMM_WORLD rank=0 @a\n", "topology/kind ranks=0 @a"},
      {"0 Neighbor_alltoall comm=COMM_WORLD @a\n", "topology/kind ranks=0 @a"},
      {"0 Cart_create dims=[2] comm_cart=c\n0 Graphdims_get comm=c @a\n",
       "topology/kind ranks=0 @a"},
  });
  expect_silence<Argument>({
      "0 Cart_create dims=[2] comm_cart=c\n0 Cart_shift comm=c direction=0 disp=1\n0 "
      "Neighbor_alltoall comm=c\n",
      "0 Cart_create dims=[2] comm_cart=c\n0 Comm_dup comm=c newcomm=d\n0 Cart_shift comm=d "
      "direction=0 disp=1\n",
      "0 Cart_create dims=[2,1] comm_cart=c\n0 Cart_sub comm=c remain_dims=[1,0] newcomm=d\n0 "
      "Cart_shift comm=d direction=0\n",
      "0 Topo_test comm=COMM_WORLD\n",
  });
}

}  // namespace
}  // namespace vouch
