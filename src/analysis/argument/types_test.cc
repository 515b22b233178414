#include "analysis/argument/argument.h"
#include "analysis/testing/cases.h"
#include "type/op_class.h"

namespace vouch {
namespace {

TEST(TypeUncommitted, where_data_moves) {
  expect_findings<Argument>({
      {"0 Type_vector count=2 blocklength=1 stride=2 newtype=t\n0 Send datatype=t @a\n",
       "type/uncommitted ranks=0 @a"},
      {"0 Type_contiguous newtype=t\n0 Bcast datatype=t @a\n", "type/uncommitted ranks=0 @a"},
      {"0 Type_contiguous newtype=t\n0 Pack datatype=t @a\n", "type/uncommitted ranks=0 @a"},
      {"0 Type_contiguous newtype=t\n0 File_open fh=f\n0 File_set_view fh=f filetype=t @a\n",
       "type/uncommitted ranks=0 @a"},
      {"0 Type_contiguous newtype=t\n0 Win_allocate win=w\n0 Put win=w target_datatype=t @a\n",
       "type/uncommitted ranks=0 @a"},
      {"0 Type_contiguous newtype=t\n0 Alltoallw sendcounts=[1,0] sendtypes=[t,t] @a\n",
       "type/uncommitted ranks=0 @a"},
      {"0 Type_contiguous newtype=t\n0 Type_dup oldtype=t newtype=u\n0 Send datatype=u @a\n",
       "type/uncommitted ranks=0 @a"},
  });
  expect_silence<Argument>({
      // an inner type need not be committed; [U23]: commit twice, of predefined, of f90
      "0 Type_contiguous newtype=t\n0 Type_vector count=1 blocklength=1 stride=1 oldtype=t "
      "newtype=u\n"
      "0 Type_commit datatype=u\n0 Type_commit datatype=u\n0 Send datatype=u\n",
      "0 Type_commit datatype=MPI_INT\n0 Send datatype=MPI_INT\n",
      "0 Type_create_f90_real p=6 r=30 newtype=t\n0 Send datatype=t\n0 Type_commit datatype=t\n0 "
      "Send datatype=t\n",
      "0 Type_contiguous newtype=t\n0 Type_size datatype=t\n0 Type_get_extent datatype=t\n0 "
      "Type_dup oldtype=t\n0 Type_free datatype=t\n",
      "0 Type_contiguous newtype=t\n0 Type_commit datatype=t\n0 Type_dup oldtype=t newtype=u\n0 "
      "Send datatype=u\n",
      "0 Type_contiguous newtype=t\n0 Alltoallw sendcounts=[0,0] sendtypes=[t,t]\n",
      "0 Type_contiguous newtype=t\n0 Pack_size datatype=t\n0 Get_count datatype=t\n",
  });
}

TEST(ArgumentOp, handles) {
  expect_findings<Argument>({
      {"0 Allreduce op=OP_NULL @a\n", "argument/op ranks=0 @a"},
      {"0 Op_create op=o\n0 Op_free op=o\n0 Allreduce op=o @a\n", "argument/op ranks=0 @a"},
      {"0 Allreduce op=MPI_REPLACE @a\n", "argument/op ranks=0 @a"},
      {"0 Reduce_local op=MPI_NO_OP @a\n", "argument/op ranks=0 @a"},
      {"0 Op_create op=o\n0 Win_allocate win=w\n0 Accumulate win=w op=o @a\n",
       "argument/op ranks=0 @a"},
  });
  expect_silence<Argument>({
      "0 Op_create op=o\n0 Ireduce op=o request=r\n0 Op_free op=o\n0 Wait request=r\n",
      "0 Win_allocate win=w\n0 Accumulate win=w op=MPI_REPLACE\n0 Get_accumulate win=w "
      "op=MPI_NO_OP origin_addr=NULL "
      "origin_count=-4 origin_datatype=DATATYPE_NULL\n",
  });
}

TEST(ArgumentOp, against_datatypes) {
  expect_findings<Argument>({
      {"0 Reduce datatype=MPI_CHAR op=MPI_SUM @a\n", "argument/op ranks=0 @a"},
      {"0 Allreduce datatype=MPI_DOUBLE op=MPI_BAND @a\n", "argument/op ranks=0 @a"},
      {"0 Allreduce datatype=MPI_FLOAT op=MPI_LAND @a\n", "argument/op ranks=0 @a"},
      {"0 Scan datatype=MPI_C_DOUBLE_COMPLEX op=MPI_MAX @a\n", "argument/op ranks=0 @a"},
      {"0 Allreduce datatype=MPI_BYTE op=MPI_SUM @a\n", "argument/op ranks=0 @a"},
      {"0 Allreduce datatype=MPI_INT op=MPI_MINLOC @a\n", "argument/op ranks=0 @a"},
      {"0 Allreduce datatype=MPI_2INT op=MPI_SUM @a\n", "argument/op ranks=0 @a"},
      {"0 Reduce_scatter recvcounts=[1,0] datatype=MPI_WCHAR op=MPI_MAX @a\n",
       "argument/op ranks=0 @a"},
      {"0 Type_contiguous count=2 newtype=t\n0 Type_commit datatype=t\n0 Allreduce datatype=t "
       "op=MPI_SUM @a\n",
       "argument/op ranks=0 @a"},
      {"0 Win_allocate win=w\n0 Accumulate win=w op=MPI_BAND origin_datatype=MPI_DOUBLE "
       "target_datatype=MPI_DOUBLE @a\n",
       "argument/op ranks=0 @a"},
  });
  expect_silence<Argument>({
      "0 Reduce datatype=MPI_2INT op=MPI_MINLOC\n0 Allreduce datatype=MPI_DOUBLE_INT "
      "op=MPI_MAXLOC\n",
      "0 Allreduce datatype=MPI_SIGNED_CHAR op=MPI_SUM\n0 Allreduce datatype=MPI_BYTE "
      "op=MPI_BXOR\n",
      "0 Allreduce datatype=MPI_AINT op=MPI_MAX\n0 Allreduce datatype=MPI_OFFSET op=MPI_SUM\n0 "
      "Allreduce datatype=MPI_COUNT op=MPI_BAND\n",
      "0 Allreduce datatype=MPI_C_BOOL op=MPI_LOR\n0 Allreduce datatype=MPI_LOGICAL op=MPI_LAND\n0 "
      "Allreduce datatype=MPI_COMPLEX op=MPI_PROD\n",
      "0 Reduce datatype=MPI_CHAR op=MPI_SUM count=0\n0 Reduce_scatter recvcounts=[0,0] "
      "datatype=MPI_CHAR\n",
      "0 Type_create_f90_real p=6 r=30 newtype=t\n0 Allreduce datatype=t op=MPI_MAX\n",
      // [U38]: own operation on a derived type
      "0 Op_create op=o\n0 Type_vector count=2 blocklength=1 stride=2 newtype=t\n0 Type_commit "
      "datatype=t\n0 Allreduce datatype=t op=o\n",
      "0 Win_allocate win=w\n0 Type_vector count=2 blocklength=1 stride=2 newtype=t\n0 Type_commit "
      "datatype=t\n"
      "0 Accumulate win=w op=MPI_SUM origin_datatype=t target_datatype=t\n",
  });
}

TEST(OpClass, every_type_but_text_is_reduced_by_something) {
  int without = 0;
  for (int i = 1; i < static_cast<int>(Constant::count_); ++i) {
    const auto type = static_cast<Constant>(i);
    if (info(type).kind != Kind::datatype || info(type).is_null) continue;
    without += class_of_type(type) == 0;
  }
  // CHAR, WCHAR, CHARACTER, PACKED, LB, UB, 2COMPLEX, 2DOUBLE_COMPLEX
  EXPECT_EQ(without, 8);
  EXPECT_TRUE(op_takes(Constant::sum, Constant::complex_));
  EXPECT_FALSE(op_takes(Constant::max, Constant::complex_));
  EXPECT_FALSE(op_takes(Constant::land, Constant::integer));
  EXPECT_TRUE(op_takes(Constant::bor, Constant::integer));
  EXPECT_EQ(class_names(kCInteger | kLogical | kMultiLanguage),
            "C integer, logical and address-sized integer");
}

}  // namespace
}  // namespace vouch
