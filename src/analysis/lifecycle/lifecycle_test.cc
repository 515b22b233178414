#include "analysis/lifecycle/lifecycle.h"

#include <gtest/gtest.h>

#include "analysis/argument/argument.h"
#include "analysis/testing/cases.h"

namespace vouch {
namespace {

TEST(Lifecycle, before_init) {
  expect_findings<Lifecycle>({
      {"0 raw\n0 Comm_rank @a\n", "lifecycle/before-init ranks=0 @a"},
      {"0 raw\n0 Type_contiguous @a\n", "lifecycle/before-init ranks=0 @a"},
      {"0 raw\n0 Finalize @a\n", "lifecycle/before-init ranks=0 @a"},
      {"0 raw\n0 Is_thread_main @a\n", "lifecycle/before-init ranks=0 @a"},
      {"0 raw\n0 Wtime @a\n", "lifecycle/before-init ranks=0 @a (info)"},
      {"0 raw\n0 Get_processor_name @a\n", "lifecycle/before-init ranks=0 @a (info)"},
  });
  // [U39]: the whole list.
  expect_silence<Lifecycle>({
      "0 raw\n0 Initialized\n0 Finalized\n0 Get_version\n0 Get_library_version\n",
      "0 raw\n0 Info_create info=i\n0 Info_set info=i key=\"k\" value=\"v\"\n0 Info_get_nkeys "
      "info=i\n0 Info_dup info=i\n"
      "0 Info_delete info=i key=\"k\"\n0 Info_free info=i\n",
      "0 raw\n0 Session_create_errhandler errhandler=e\n0 Errhandler_free errhandler=e\n0 "
      "Error_class\n0 Error_string\n",
      "0 raw\n0 Add_error_class\n0 Add_error_code\n0 Add_error_string\n",
      "0 raw\n0 T_init_thread\n0 T_cvar_get_num\n0 T_finalize\n",
      "0 raw\n0 Info_c2f\n0 Errhandler_f2c\n",
      "0 raw\n0 Init\n0 Comm_rank\n",
  });
}

TEST(Lifecycle, after_finalize) {
  expect_findings<Lifecycle>({
      {"0 Comm_dup newcomm=c\n0 Finalize\n0 Comm_free comm=c @a\n",
       "lifecycle/after-finalize ranks=0 @a"},
      {"0 Barrier\n0 Finalize\n0 Barrier @a\n", "lifecycle/after-finalize ranks=0 @a"},
      {"0 Barrier\n0 Finalize\n0 Wtime @a\n", "lifecycle/after-finalize ranks=0 @a (info)"},
  });
  expect_silence<Lifecycle>({
      "0 Barrier\n0 Finalize\n0 Finalized\n0 Initialized\n0 Get_version\n0 Info_create\n",
      // [U27]: a delete callback of MPI_COMM_SELF
      "0 Comm_dup newcomm=c\n0 Finalize ...\n0 Comm_free comm=c\n0 Barrier\n0 return\n",
  });
  // One cause, one finding: arguments are not looked at.
  EXPECT_EQ((run<Lifecycle, Argument>("0 Barrier\n0 Finalize\n0 Send dest=99 comm=COMM_NULL @a\n")),
            "lifecycle/after-finalize ranks=0 @a\n");
}

TEST(Lifecycle, twice) {
  expect_findings<Lifecycle>({
      {"0 Init\n0 Init @a\n", "lifecycle/init-twice ranks=0 @a"},
      {"0 Init\n0 Init_thread @a\n", "lifecycle/init-twice ranks=0 @a"},
      {"0 Init\n0 Finalize\n0 Init @a\n", "lifecycle/init-twice ranks=0 @a"},
      {"0 Init\n0 Finalize\n0 Finalize @a\n", "lifecycle/init-twice ranks=0 @a"},
  });
  // [U40]
  expect_silence<Lifecycle>({
      "0 Init\n0 Session_init session=s\n0 Session_finalize session=s\n0 Session_init session=s\n0 "
      "Session_finalize session=s\n0 Finalize\n",
      "0 Session_init session=s\n0 Session_get_num_psets session=s\n0 Session_finalize session=s\n"
      "0 Session_init session=s\n0 Session_finalize session=s\n",
  });
}

TEST(Lifecycle, no_finalize) {
  expect_findings<Lifecycle>({
      {"0 Init\n0 Barrier @a\n0 exit 0\n", "lifecycle/no-finalize ranks=0 @a"},
  });
  expect_silence<Lifecycle>({
      "0 Init\n0 Finalize\n0 exit 0\n",
      "0 Init\n0 Abort ...\n0 exit 0\n",
      "0 Init\n0 exit 3\n",
      "0 Init\n0 killed\n",
      "0 raw\n0 Initialized\n0 exit 0\n",
      "0 Session_init session=s\n0 Session_finalize session=s\n0 exit 0\n",
  });
}

TEST(Lifecycle, sessions) {
  expect_findings<Lifecycle>({
      // a communicator of a dead session
      {"0 Session_init session=s\n0 Group_from_session_pset session=s newgroup=g\n"
       "0 Comm_create_from_group group=g newcomm=c\n0 Session_finalize session=s\n0 Session_init "
       "session=t\n0 Barrier comm=c @a\n",
       "lifecycle/session ranks=0 @a"},
      // groups of two sessions
      {"0 Session_init session=s\n0 Session_init session=t\n0 Group_from_session_pset session=s "
       "newgroup=g\n"
       "0 Group_from_session_pset session=t newgroup=h\n0 Group_union group1=g group2=h @a\n",
       "lifecycle/session ranks=0 @a"},
      // and of the world
      {"0 Init\n0 Session_init session=s\n0 Group_from_session_pset session=s newgroup=g\n0 "
       "Comm_group group=h\n"
       "0 Group_union group1=g group2=h @a\n",
       "lifecycle/session ranks=0 @a"},
  });
  expect_silence<Lifecycle>({
      "0 Session_init session=s\n0 Session_init session=t\n0 Type_contiguous newtype=x\n0 "
      "Type_commit datatype=x\n"
      "0 Group_from_session_pset session=s newgroup=g\n0 Comm_create_from_group group=g "
      "newcomm=c\n0 Send comm=c datatype=x\n"
      "0 Group_from_session_pset session=t newgroup=h\n0 Comm_create_from_group group=h "
      "newcomm=d\n0 Send comm=d datatype=x\n",
      "0 Session_init session=s\n0 Group_from_session_pset session=s newgroup=g\n0 Group_union "
      "group1=g group2=GROUP_EMPTY\n",
  });
}

TEST(Lifecycle, callbacks) {
  expect_findings<Lifecycle>({
      {"0 Op_create op=o\n0 Reduce op=o ...\n0 Send @a\n0 return\n",
       "lifecycle/callback ranks=0 @a"},
      {"0 Op_create op=o\n0 Allreduce op=o ...\n0 Isend request=r @a\n0 return\n",
       "lifecycle/callback ranks=0 @a"},
  });
  expect_silence<Lifecycle>({
      "0 Op_create op=o\n0 Reduce op=o ...\n0 Type_size\n0 Comm_rank\n0 return\n",
      "0 Barrier\n0 Finalize ...\n0 Send\n0 return\n",
      // attribute copy and delete functions, queries of generalized requests
      "0 Comm_dup ...\n0 Barrier\n0 return\n",
      "0 Type_contiguous newtype=t\n0 Type_dup oldtype=t ...\n0 Send\n0 return\n",
      "0 Comm_dup newcomm=c\n0 Comm_free comm=c ...\n0 Barrier\n0 return\n",
      // neither waits for anybody
      "0 Op_create op=o\n0 Reduce op=o ...\n0 Reduce_local op=o\n0 Pack_size\n0 return\n",
      "0 Send ...\n0 Abort\n",                        // an error handler
      "0 Reduce op=MPI_SUM ...\n0 Send\n0 return\n",  // no user operation: an error handler too
  });
}

TEST(Lifecycle, deprecated_once_per_name) {
  EXPECT_EQ(run<Lifecycle>("0 Attr_get keyval=TAG_UB @a\n0 Attr_get keyval=TAG_UB @b\n1 Attr_get "
                           "keyval=TAG_UB @b\n"),
            "lifecycle/deprecated ranks=0 @a\n");
  EXPECT_EQ(
      run_messages<Lifecycle>("0 Type_struct array_of_blocklengths=[1] array_of_types=[MPI_INT]\n"),
      "lifecycle/deprecated: MPI_Type_struct is no longer part of MPI; its successor is "
      "MPI_Type_create_struct\n");
  EXPECT_EQ(
      run<Lifecycle>("0 Type_create_struct array_of_blocklengths=[1] array_of_types=[MPI_INT]\n"),
      "");
}

TEST(ThreadLevel, by_what_was_provided) {
  expect_findings<Lifecycle>({
      {"0 Init_thread required=THREAD_SINGLE -> provided=THREAD_SINGLE\n0.1 Send @a\n",
       "thread/level ranks=0 @a"},
      {"0 Init_thread required=THREAD_FUNNELED -> provided=THREAD_FUNNELED\n0 Barrier\n0.1 Send "
       "@a\n",
       "thread/level ranks=0 @a"},
      {"0 Init_thread required=THREAD_FUNNELED -> provided=THREAD_MULTIPLE\n0.1 Send @a\n",
       "thread/level ranks=0 @a (warning)"},
      {"0 Init\n0.1 Send @a\n", "thread/level ranks=0 @a (warning)"},
      {"0 Init_thread -> provided=THREAD_MULTIPLE\n0.1 Finalize @a\n",
       "thread/finalize ranks=0 @a"},
  });
  expect_silence<Lifecycle>({
      "0 Init_thread required=THREAD_MULTIPLE -> provided=THREAD_MULTIPLE\n0.1 Send\n0 Recv\n0 "
      "Finalize\n",
      "0 Init_thread required=THREAD_SERIALIZED -> provided=THREAD_SERIALIZED\n0.1 Send\n",
      "0 Init_thread required=THREAD_FUNNELED -> provided=THREAD_FUNNELED\n0 Send\n0.1 "
      "Is_thread_main\n0.1 Query_thread\n0.1 Initialized\n0 Send\n",
  });
}

}  // namespace
}  // namespace vouch
