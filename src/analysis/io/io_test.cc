#include "analysis/io/io.h"

#include <gtest/gtest.h>

#include "analysis/collective/collective.h"
#include "analysis/collective/orders_test.h"
#include "analysis/testing/cases.h"
#include "analysis/testing/run_text.h"

namespace vouch {
namespace {

// Amodes of the text: RDONLY 2, WRONLY 4, RDWR 8, CREATE 1, SEQUENTIAL 256.
std::string alone(const std::string& amode, const std::string& rest) {
  return "0 File_open comm=COMM_SELF filename=\"a\" amode=" + amode + " fh=f\n" + rest;
}
std::string found(const std::string& text) { return run<Io>(text); }

// [U64]
TEST(IoAccess, mode_allows_it) {
  EXPECT_EQ(found(alone("2", "0 File_write count=1 @a\n")), "io/access ranks=0 @a\n");
  EXPECT_EQ(found(alone("5", "0 File_read_at offset=0 count=1 @a\n")), "io/access ranks=0 @a\n");
  EXPECT_EQ(found(alone("2", "0 File_set_size size=8 @a\n")), "io/access ranks=0 @a\n");
  EXPECT_EQ(found(alone("258", "0 File_read_at count=1 @a\n")), "io/access ranks=0 @a\n");
  EXPECT_EQ(found(alone("258", "0 File_seek offset=1 @a\n")), "io/access ranks=0 @a\n");
  EXPECT_EQ(found(alone("258", "0 File_read_shared count=1\n")), "");
  EXPECT_EQ(found(alone("2", "0 File_write count=0\n")), "");
  EXPECT_EQ(found(alone("2", "0 File_read_at offset=99 count=4 -> status=(0,0,0)\n")), "");
}

TEST(IoSplit, begin_and_end) {
  const std::string begin = "0 File_write_all_begin buf=0x1000 count=2 @b\n";
  EXPECT_EQ(found(alone("9", "0 File_write_all_end buf=0x1000 @a\n")), "io/split ranks=0 @a\n");
  EXPECT_EQ(found(alone("9", begin + "0 File_read_all_end buf=0x1000 @a\n")),
            "io/split ranks=0 @a\n");
  EXPECT_EQ(found(alone("9", begin + "0 File_write_all_end buf=0x2000 @a\n")),
            "io/split ranks=0 @a\n");
  EXPECT_EQ(found(alone("9", begin + "0 File_write_all buf=0x2000 count=1 @a\n")),
            "io/split ranks=0 @a\n");
  EXPECT_EQ(found(alone("9", begin + "0 File_write_at_all_begin buf=0x2000 count=1 @a\n")),
            "io/split ranks=0 @a\n");
  EXPECT_EQ(found(alone("9", begin + "0 File_sync @a\n")), "io/split ranks=0 @a\n");
  EXPECT_EQ(found(alone("9", begin + "0 File_write_all_end buf=0x1000\n" + begin +
                                 "0 File_write_at offset=8 count=1\n"
                                 "0 File_write_all_end buf=0x1000\n0 File_close\n")),
            "");
  EXPECT_EQ(found(alone("9", begin + "0 File_open comm=COMM_SELF filename=\"b\" fh=g\n"
                                     "0 File_write_all fh=g count=1\n"
                                     "0 File_write_all_end fh=f buf=0x1000\n")),
            "");
}

TEST(IoPending, requests_and_splits) {
  const std::string pending = alone("9", "0 File_iwrite count=2 request=r @b\n");
  for (const char* call : {"File_close", "File_set_size size=8", "File_sync",
                           "File_set_view etype=MPI_INT filetype=MPI_INT datarep=\"native\""}) {
    EXPECT_EQ(found(pending + "0 " + call + " @a\n"), "io/pending ranks=0 @a\n") << call;
    EXPECT_EQ(found(pending + "0 Wait request=r\n0 " + call + "\n"), "") << call;
  }
  EXPECT_EQ(found(alone("9", "0 File_write_all_begin buf=0x10 count=2 @b\n0 File_close @a\n")),
            "io/pending ranks=0 @a\n");
  // The pending one belongs to another file.
  EXPECT_EQ(found(pending + "0 File_open comm=COMM_SELF filename=\"b\" fh=g\n0 File_close fh=g\n"),
            "");
}

TEST(IoView, types_and_displacement) {
  const auto view = [](const std::string& types, const std::string& args) {
    return alone("9", types + "0 File_set_view datarep=\"native\" " + args + " @a\n");
  };
  const auto bad = [&](const std::string& types, const std::string& args) {
    EXPECT_EQ(found(view(types, args)), "io/view ranks=0 @a\n") << args;
  };
  const auto good = [&](const std::string& types, const std::string& args) {
    EXPECT_EQ(found(view(types, args)), "") << args;
  };
  bad("", "disp=-4 etype=MPI_INT filetype=MPI_INT");
  bad("", "disp=DISPLACEMENT_CURRENT etype=MPI_INT filetype=MPI_INT");
  bad("", "etype=MPI_DOUBLE filetype=MPI_INT");
  bad("", "etype=MPI_INT filetype=MPI_DOUBLE");
  bad("", "etype=MPI_INT filetype=MPI_FLOAT");
  bad("0 Type_indexed array_of_blocklengths=[1,1] array_of_displacements=[2,0] oldtype=MPI_INT "
      "newtype=t\n0 Type_commit datatype=t\n",
      "etype=MPI_INT filetype=t");
  bad("0 Type_indexed array_of_blocklengths=[2,1] array_of_displacements=[0,1] oldtype=MPI_INT "
      "newtype=t\n0 Type_commit datatype=t\n",
      "etype=MPI_INT filetype=t");
  bad("0 Type_create_hindexed array_of_blocklengths=[1,1] array_of_displacements=[0,6] "
      "oldtype=MPI_INT newtype=t\n0 Type_commit datatype=t\n",
      "etype=MPI_INT filetype=t");
  bad("0 Type_create_hindexed array_of_blocklengths=[1] array_of_displacements=[-4] "
      "oldtype=MPI_INT newtype=t\n0 Type_commit datatype=t\n",
      "etype=MPI_INT filetype=t");
  good("", "disp=12 etype=MPI_INT filetype=MPI_INT");
  good("", "etype=MPI_BYTE filetype=MPI_DOUBLE");
  good(
      "0 Type_vector count=3 blocklength=2 stride=5 oldtype=MPI_INT newtype=t\n0 Type_commit "
      "datatype=t\n",
      "etype=MPI_INT filetype=t");
  EXPECT_EQ(found(alone("260",
                        "0 File_set_view disp=DISPLACEMENT_CURRENT etype=MPI_INT filetype=MPI_INT "
                        "datarep=\"native\"\n")),
            "");
  // A file that is only read may have a byte twice.
  EXPECT_EQ(found(alone("2",
                        "0 Type_indexed array_of_blocklengths=[2,1] array_of_displacements=[0,1] "
                        "oldtype=MPI_INT newtype=t\n0 Type_commit datatype=t\n"
                        "0 File_set_view etype=MPI_INT filetype=t datarep=\"native\"\n")),
            "");
}

TEST(IoType, whole_etypes) {
  const std::string doubles =
      alone("9", "0 File_set_view etype=MPI_DOUBLE filetype=MPI_DOUBLE datarep=\"native\"\n");
  EXPECT_EQ(found(doubles + "0 File_write count=2 datatype=MPI_INT @a\n"), "io/type ranks=0 @a\n");
  EXPECT_EQ(found(doubles + "0 File_write count=3 datatype=MPI_INT @a\n"), "io/type ranks=0 @a\n");
  EXPECT_EQ(found(doubles + "0 File_write count=3 datatype=MPI_DOUBLE\n"
                            "0 File_write count=16 datatype=MPI_BYTE\n"
                            "0 File_write count=0 datatype=MPI_INT\n"),
            "");
  EXPECT_EQ(found(doubles + "0 File_write count=7 datatype=MPI_BYTE @a\n"), "io/type ranks=0 @a\n");
  EXPECT_EQ(found(alone("9", "0 File_write count=3 datatype=MPI_SHORT\n")), "");
}

// Between two ranks, in many orders of reading.
std::string two(const std::string& rank0, const std::string& rank1) {
  std::string text;
  int rank = 0;
  for (const std::string& calls : {rank0, rank1}) {
    const std::string who = std::to_string(rank++) + " ";
    text += who + "File_open filename=\"a\" fh=f\n";
    std::size_t at = 0;
    while (at < calls.size()) {
      const std::size_t end = calls.find(';', at);
      text += who + calls.substr(at, end - at) + "\n";
      at = end == std::string::npos ? calls.size() : end + 1;
    }
    text += who + "File_close fh=f\n";
  }
  const std::string result = run<Io, Collective>(text), said = run_messages<Io, Collective>(text);
  for (int seed = 1; seed < 6; ++seed) {
    EXPECT_EQ((run<Io, Collective>(in_order(text, seed))), result) << in_order(text, seed);
    EXPECT_EQ((run_messages<Io, Collective>(in_order(text, seed))), said);
  }
  return result;
}

TEST(IoConflict, overlapping_bytes) {
  EXPECT_EQ(two("File_write_at offset=0 count=1 @a", "File_write_at offset=0 count=1 @a"),
            "io/conflict ranks=0,1 @a\n");
  EXPECT_EQ(two("File_write_at offset=0 count=1 @a",
                "File_read_at offset=3 count=1 @b -> status=(0,0,4)"),
            "io/conflict ranks=0,1 @a\n");
  EXPECT_EQ(two("File_write_at offset=0 count=1 @a",
                "File_read_at offset=3 count=1 @b -> status=(0,0,0)"),
            "io/conflict ranks=0,1 @a\n");  // beyond the end, as that was then
  EXPECT_EQ(two("File_read_at offset=0 count=1 -> status=(0,0,4)",
                "File_read_at offset=0 count=1 -> status=(0,0,4)"),
            "");
  EXPECT_EQ(two("File_write_at offset=0 count=1", "File_write_at offset=4 count=1"), "");
  EXPECT_EQ(
      two("File_write count=1;File_write count=1 @a", "File_seek offset=4;File_write count=1 @b"),
      "io/conflict ranks=0,1 @a\n");
  EXPECT_EQ(two("File_write count=1", "File_seek offset=4;File_write count=1"), "");
  EXPECT_EQ(two("File_iwrite_at offset=0 count=1 request=r @a;Wait request=r",
                "File_iwrite_at offset=0 count=1 request=r @a;Wait request=r"),
            "io/conflict ranks=0,1 @a\n");
}

TEST(IoConflict, sync_barrier_sync) {
  const std::string write = "File_write_at offset=0 count=1 @a";
  const std::string read = "File_read_at offset=0 count=1 @b -> status=(0,0,4)";
  EXPECT_EQ(two(write + ";File_sync;Barrier;File_sync", "File_sync;Barrier;File_sync;" + read), "");
  EXPECT_EQ(two(write + ";File_sync;Barrier", "File_sync;Barrier;" + read),
            "io/conflict ranks=0,1 @a\n");
  EXPECT_EQ(two(write + ";Barrier", "Barrier;" + read), "io/conflict ranks=0,1 @a\n");
  EXPECT_EQ(two(write + ";File_sync;File_sync", "File_sync;File_sync;" + read),
            "io/conflict ranks=0,1 @a\n");
  EXPECT_EQ(two("File_set_atomicity flag=1;" + write, "File_set_atomicity flag=1;" + read), "");
  // The reader is done before the writer begins.
  EXPECT_EQ(two("File_sync;Barrier;File_sync;" + write, read + ";File_sync;Barrier;File_sync"), "");
}

TEST(IoConflict, views_are_disjoint) {
  const std::string vector =
      "Type_vector count=2 blocklength=1 stride=2 oldtype=MPI_INT newtype=t;Type_commit "
      "datatype=t;File_set_view disp=";
  const std::string rest = " etype=MPI_INT filetype=t datarep=\"native\";File_write_all count=2 @a";
  EXPECT_EQ(two(vector + "0" + rest, vector + "4" + rest), "");
  EXPECT_EQ(two(vector + "0" + rest, vector + "8" + rest), "io/conflict ranks=0,1 @a\n");
}

TEST(IoConflict, bytes_not_known) {
  EXPECT_EQ(two("File_write_shared count=1", "File_write_shared count=1"), "");
  EXPECT_EQ(two("File_seek offset=0 whence=SEEK_END;File_write count=1",
                "File_write_at offset=0 count=1"),
            "not-checked conflicting file accesses\n");
  EXPECT_EQ(two("File_seek offset=0 whence=SEEK_END;File_write count=1", "File_get_size"), "");
}

// 4 bytes each.
TEST(IoConflict, at_the_shared_pointer) {
  const std::string ordered = "File_write_ordered count=4 datatype=MPI_BYTE @o";
  const std::string shared = "File_write_shared count=4 datatype=MPI_BYTE @s";
  const auto write_at = [](int at) {
    return "File_write_at count=1 datatype=MPI_BYTE @w offset=" + std::to_string(at);
  };
  // In the order of ranks.
  EXPECT_EQ(two(ordered, ordered), "");
  EXPECT_EQ(two(ordered + ";" + write_at(4), ordered), "io/conflict ranks=0,1 @w\n");
  EXPECT_EQ(two(ordered + ";" + write_at(3), ordered), "");
  EXPECT_EQ(two(ordered + ";" + write_at(8), ordered), "");
  EXPECT_EQ(two(ordered, ordered + ";" + write_at(3)), "io/conflict ranks=0,1 @o\n");
  const std::string again = ordered + ";" + ordered;
  EXPECT_EQ(two(again + ";" + write_at(12), again), "io/conflict ranks=0,1 @w\n");
  EXPECT_EQ(two(again + ";" + write_at(11), again), "");
  // Behind a header.
  const std::string seek = "File_seek_shared offset=16 whence=SEEK_SET;";
  EXPECT_EQ(two(write_at(15) + ";" + seek + ordered, seek + ordered), "");
  EXPECT_EQ(two(write_at(20) + ";" + seek + ordered, seek + ordered), "io/conflict ranks=0,1 @w\n");
  EXPECT_EQ(two(write_at(15) + ";" + seek + shared, seek + shared), "");
  EXPECT_EQ(two(write_at(24) + ";" + seek + shared, seek + shared), "");
  EXPECT_EQ(two(write_at(18) + ";" + seek + shared, seek + shared), "io/conflict ranks=0,1 @w\n");
  // What is not the shared pointer's is in no order with it; what all do at it is.
  EXPECT_EQ(two(shared + ";" + seek + shared, shared + ";" + seek + shared), "");
  EXPECT_EQ(two(shared, write_at(4)), "");
  EXPECT_EQ(two(shared, write_at(3)), "io/conflict ranks=0,1 @s\n");
  // Not known where.
  const std::string end = "File_seek_shared offset=0 whence=SEEK_END;";
  EXPECT_EQ(two(end + ordered, end + ordered + ";" + write_at(3)),
            "not-checked conflicting file accesses\n");
  EXPECT_EQ(two(end + seek + ordered, end + seek + ordered + ";" + write_at(3)), "");
  const std::string relative = "File_seek_shared offset=8 whence=SEEK_CUR;";
  EXPECT_EQ(two(relative + ordered, relative + ordered + ";" + write_at(9)),
            "io/conflict ranks=0,1 @o\n");
  EXPECT_EQ(two(relative + ordered, relative + ordered + ";" + write_at(7)), "");
  EXPECT_EQ(two(ordered + ";File_sync;Barrier;File_sync",
                ordered + ";File_sync;Barrier;File_sync;" + write_at(3)),
            "");
}

// What a split read has moved is told by its end.
TEST(IoConflict, split_at_the_shared_pointer) {
  const auto write_at = [](int at) {
    return "File_write_at count=1 datatype=MPI_BYTE @w offset=" + std::to_string(at);
  };
  const std::string begin = "File_read_ordered_begin count=4 datatype=MPI_BYTE buf=0x10 @o;";
  const std::string whole = begin + "File_read_ordered_end buf=0x10 -> status=(0,0,4)";
  const std::string less = begin + "File_read_ordered_end buf=0x10 -> status=(0,0,3)";
  EXPECT_EQ(two(whole + ";" + write_at(4), whole), "io/conflict ranks=0,1 @w\n");
  EXPECT_EQ(two(whole + ";" + write_at(3), whole), "");
  EXPECT_EQ(two(whole, whole + ";" + write_at(8)), "");
  EXPECT_EQ(two(whole + ";" + write_at(8), less), "not-checked conflicting file accesses\n");
  const std::string begin_write = "File_write_ordered_begin count=4 datatype=MPI_BYTE buf=0x10 @o;";
  EXPECT_EQ(two(begin_write + "File_write_ordered_end buf=0x10",
                begin_write + "File_write_ordered_end buf=0x10;" + write_at(3)),
            "io/conflict ranks=0,1 @o\n");
  // In between: not known which of the two was first.
  const std::string shared = "File_write_shared count=4 datatype=MPI_BYTE @s;";
  const std::string mixed = begin + shared + "File_read_ordered_end buf=0x10 -> status=(0,0,4)";
  EXPECT_EQ(two(mixed, whole + ";" + write_at(99)), "not-checked conflicting file accesses\n");
}

// What is settled cannot have conflicted, wherever it was, and however far others have been read.
TEST(IoConflict, settled_and_not_known) {
  const std::string end = "File_seek offset=0 whence=SEEK_END;File_write count=1;";
  const std::string sync = "File_sync;Barrier;File_sync;";
  const std::string write = "File_write_at offset=0 count=1";
  EXPECT_EQ(two(end + sync, sync + write), "");
  EXPECT_EQ(two(end + sync + "File_write_at offset=8 count=1", sync + write), "");
  EXPECT_EQ(two(end + "File_sync", "File_sync;" + write),
            "not-checked conflicting file accesses\n");
}

TEST(IoArgs, all_alike) {
  EXPECT_EQ(two("File_set_size size=4 @a", "File_set_size size=8 @a"), "io/args ranks=0,1 @a\n");
  EXPECT_EQ(two("File_preallocate size=4 @a", "File_preallocate size=8 @a"),
            "io/args ranks=0,1 @a\n");
  EXPECT_EQ(two("File_set_atomicity flag=1 @a", "File_set_atomicity flag=0 @a"),
            "io/args ranks=0,1 @a\n");
  EXPECT_EQ(two("File_set_atomicity flag=1", "File_set_atomicity flag=7"), "");
  EXPECT_EQ(two("File_seek_shared offset=1 @a", "File_seek_shared offset=2 @a"),
            "io/args ranks=0,1 @a\n");
  EXPECT_EQ(two("File_write_at_all offset=0 count=1", "File_write_at_all offset=4 count=2"), "");
  const std::string view = "File_set_view etype=MPI_INT filetype=MPI_INT datarep=\"native\" disp=";
  EXPECT_EQ(two(view + "0;File_write_shared count=1", view + "4;File_write_shared count=1 @a"),
            "io/args ranks=0\n");
  EXPECT_EQ(two(view + "4;File_write_shared count=1", view + "4;File_write_shared count=1"), "");
  EXPECT_EQ(two(view + "0;File_write_all count=1", view + "4;File_write_all count=1"), "");
}

TEST(IoArgs, view_and_mode) {
  EXPECT_EQ(two("File_set_view etype=MPI_INT filetype=MPI_INT datarep=\"native\" @a",
                "File_set_view etype=MPI_DOUBLE filetype=MPI_DOUBLE datarep=\"native\" @a"),
            "io/view ranks=0,1 @a\n");
  EXPECT_EQ(two("File_set_view etype=MPI_INT filetype=MPI_INT datarep=\"native\" @a",
                "File_set_view etype=MPI_INT filetype=MPI_INT datarep=\"internal\" @a"),
            "io/view ranks=0,1 @a\n");
  EXPECT_EQ((run<Io, Collective>("0 File_open amode=8 filename=\"a\" @a\n"
                                 "1 File_open amode=9 filename=\"a\" @a\n")),
            "io/mode ranks=0,1 @a\n");
}

}  // namespace
}  // namespace vouch
