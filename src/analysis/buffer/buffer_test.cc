#include "analysis/buffer/buffer.h"

#include <gtest/gtest.h>

#include <string>

#include "analysis/testing/cases.h"
#include "event/text.h"

namespace vouch {
namespace {

constexpr const char* kPending = "buffer/pending-overlap ranks=0 @a.c:9";
constexpr const char* kCall = "buffer/call-overlap ranks=0 @a.c:9";
constexpr const char* kTwice = "type/overlap ranks=0 @a.c:9";
constexpr const char* kBsend = "buffer/bsend ranks=0 @a.c:9";
constexpr const char* kPack = "buffer/pack ranks=0 @a.c:9";

// [U60, U21]
TEST(BufferUse, pending_point_to_point) {
  expect_findings<BufferUse>({
      {"0 Irecv buf=0x1000 count=4 datatype=INT -> request=r\n"
       "0 Irecv buf=0x100c count=4 datatype=INT @a.c:9 -> request=q\n",
       kPending},
      {"0 Irecv buf=0x1000 count=4 datatype=INT -> request=r\n"
       "0 Isend buf=0x1008 count=1 datatype=INT @a.c:9 -> request=q\n",
       kPending},
      {"0 Isend buf=0x1000 count=4 datatype=INT -> request=r\n"
       "0 Recv buf=0x1000 count=1 datatype=INT @a.c:9\n",
       kPending},
      {"0 Irecv buf=0x1000 count=4 datatype=INT -> request=r\n"
       "0 Send buf=0x1000 count=1 datatype=INT @a.c:9\n",
       kPending},
      {"0 Isend buf=0x1000 count=4 datatype=INT -> request=r\n"
       "0 Isend buf=0x1000 count=4 datatype=INT -> request=s\n0 Wait request=r\n"
       "0 Irecv buf=0x1000 count=1 datatype=INT @a.c:9\n",
       kPending},
      {"0 Mprobe -> message=m\n0 Imrecv buf=0x1000 count=4 datatype=INT message=m -> request=r\n"
       "0 Bcast buffer=0x1000 count=1 datatype=INT root=0 @a.c:9\n",
       kPending},
      {"0 Isendrecv_replace buf=0x1000 count=4 datatype=INT -> request=r\n"
       "0 Send buf=0x1000 count=1 datatype=INT @a.c:9\n",
       kPending},
      {"0 Irecv buf=0x1000 count=4 datatype=INT -> request=r\n0 Test request=r -> flag=0\n"
       "0 Send buf=0x1000 count=1 datatype=INT @a.c:9\n",
       kPending},
  });
  expect_silence<BufferUse>({
      "0 Isend buf=0x1000 count=4 datatype=INT -> request=r\n"
      "0 Isend buf=0x1000 count=4 datatype=INT -> request=q\n"
      "0 Send buf=0x1000 count=4 datatype=INT\n",
      "0 Irecv buf=0x1000 count=4 datatype=INT -> request=r\n"
      "0 Irecv buf=0x1010 count=4 datatype=INT -> request=q\n",
      "0 Irecv buf=0x1000 count=4 datatype=INT -> request=r\n0 Wait request=r\n"
      "0 Recv buf=0x1000 count=4 datatype=INT\n",
      "0 Irecv buf=0x1000 count=4 datatype=INT -> request=r\n0 Test request=r -> flag=1\n"
      "0 Recv buf=0x1000 count=4 datatype=INT\n",
      "0 Irecv buf=0x1000 count=4 datatype=INT -> request=r\n"
      "0 Request_get_status request=r -> flag=1\n0 Recv buf=0x1000 count=4 datatype=INT\n",
      "0 Isend buf=0x1000 count=4 datatype=INT -> request=r\n0 Request_free request=r\n"
      "0 Recv buf=0x1000 count=4 datatype=INT\n",
      "0 Irecv buf=0x1000 count=4 datatype=INT source=PROC_NULL -> request=r\n"
      "0 Recv buf=0x1000 count=4 datatype=INT\n",
      "0 Irecv buf=0x1000 count=4 datatype=INT -> request=r\n"
      "0 Recv buf=0x1000 count=4 datatype=INT source=PROC_NULL\n",
      "0 Irecv buf=0x1000 count=0 datatype=INT -> request=r\n"
      "0 Recv buf=0x1000 count=4 datatype=INT\n",
      "0 Isendrecv_replace buf=0x1000 count=4 datatype=INT source=PROC_NULL -> request=r\n"
      "0 Send buf=0x1000 count=1 datatype=INT\n",
      "0 Imrecv buf=0x1000 count=4 datatype=INT message=MESSAGE_NO_PROC -> request=r\n"
      "0 Recv buf=0x1000 count=4 datatype=INT\n",
      "0 Irecv buf=0x1000 count=4 datatype=INT -> request=r\n"
      "1 Recv buf=0x1000 count=4 datatype=INT\n",
      "0 Irecv buf=0x1000 count=4 datatype=INT !ERR_COUNT\n"
      "0 Recv buf=0x1000 count=4 datatype=INT\n",
  });
}

TEST(BufferUse, several_completions) {
  const std::string two =
      "0 Irecv buf=0x1000 count=1 datatype=INT -> request=r\n"
      "0 Irecv buf=0x2000 count=1 datatype=INT -> request=q\n";
  const std::string first = "0 Recv buf=0x1000 count=1 datatype=INT @a.c:8\n";
  const std::string second = "0 Recv buf=0x2000 count=1 datatype=INT @a.c:9\n";
  const std::string late = std::string(kPending) + "\n";
  EXPECT_EQ(run<BufferUse>(two + "0 Waitall array_of_requests=[r,q]\n" + first + second), "");
  EXPECT_EQ(run<BufferUse>(two + "0 Waitany array_of_requests=[r,q] -> index=0\n" + first + second),
            late);
  EXPECT_EQ(run<BufferUse>(two + "0 Testany array_of_requests=[r,q] -> index=0 flag=1\n" + first +
                           second),
            late);
  EXPECT_EQ(run<BufferUse>(two +
                           "0 Waitsome array_of_requests=[q,r] -> outcount=1 "
                           "array_of_indices=[1]\n" +
                           first + second),
            late);
  EXPECT_EQ(run<BufferUse>(two + "0 Testall array_of_requests=[r,q] -> flag=0\n" + second), late);
  EXPECT_EQ(run<BufferUse>(two + "0 Testall array_of_requests=[r,q] -> flag=1\n" + first + second),
            "");
  // Requests that share a handle: which one is meant cannot be known.
  EXPECT_EQ(run<BufferUse>("0 Isend buf=0x1000 count=1 datatype=INT -> request=r\n"
                           "0 Isend buf=0x2000 count=1 datatype=INT -> request=r\n"
                           "0 Wait request=r\n" +
                           first + second),
            "");
}

TEST(BufferUse, collectives) {
  expect_findings<BufferUse>({
      {"0 Ibcast buffer=0x1000 count=4 datatype=INT root=1 -> request=r\n"
       "0 Send buf=0x1000 count=1 datatype=INT @a.c:9\n",
       kPending},
      {"0 Ibcast buffer=0x1000 count=4 datatype=INT root=0 -> request=r\n"
       "0 Recv buf=0x1000 count=1 datatype=INT @a.c:9\n",
       kPending},
      {"0 world size=4\n0 Iallgather sendbuf=0x1000 sendcount=1 sendtype=INT recvbuf=0x2000 "
       "recvcount=1 recvtype=INT -> request=r\n0 Send buf=0x200c count=1 datatype=INT @a.c:9\n",
       kPending},
      {"0 Iallreduce sendbuf=IN_PLACE recvbuf=0x1000 count=4 datatype=INT -> request=r\n"
       "0 Send buf=0x1000 count=1 datatype=INT @a.c:9\n",
       kPending},
      {"0 world size=2\n0 Ireduce_scatter sendbuf=IN_PLACE recvbuf=0x1000 recvcounts=[1,3] "
       "datatype=INT -> request=r\n0 Recv buf=0x100c count=1 datatype=INT @a.c:9\n",
       kPending},
      {"0 world size=2\n0 Ialltoallv sendbuf=0x1000 sendcounts=[1,1] sdispls=[0,4] sendtype=INT "
       "recvbuf=0x2000 recvcounts=[1,1] rdispls=[0,4] recvtype=INT -> request=r\n"
       "0 Send buf=0x2010 count=1 datatype=INT @a.c:9\n",
       kPending},
  });
  expect_silence<BufferUse>({
      "0 Ibcast buffer=0x1000 count=4 datatype=INT root=0 -> request=r\n"
      "0 Send buf=0x1000 count=1 datatype=INT\n",
      "0 world size=2\n0 Ialltoallv sendbuf=0x1000 sendcounts=[1,1] sdispls=[0,4] sendtype=INT "
      "recvbuf=0x2000 recvcounts=[1,1] rdispls=[0,4] recvtype=INT -> request=r\n"
      "0 Recv buf=0x2004 count=3 datatype=INT\n0 Recv buf=0x1004 count=3 datatype=INT\n",
      "0 Ireduce sendbuf=0x1000 recvbuf=0x2000 count=4 datatype=INT root=1 -> request=r\n"
      "0 Recv buf=0x2000 count=4 datatype=INT\n",
      "0 Ibarrier -> request=r\n0 Recv buf=0x2000 count=4 datatype=INT\n",
      "0 world size=2\n0 Igather sendbuf=0x1000 sendcount=1 sendtype=INT recvbuf=0x2000 "
      "recvcount=1 recvtype=INT root=1 -> request=r\n0 Recv buf=0x2000 count=4 datatype=INT\n",
  });
}

// [U60]
TEST(BufferUse, persistent_requests_hold_memory_while_active) {
  const std::string init = "0 Recv_init buf=0x1000 count=4 datatype=INT -> request=r\n";
  const std::string use = "0 Send buf=0x1000 count=1 datatype=INT @a.c:9\n";
  EXPECT_EQ(run<BufferUse>(init + use), "");
  EXPECT_EQ(run<BufferUse>(init + "0 Start request=r\n" + use), std::string(kPending) + "\n");
  EXPECT_EQ(run<BufferUse>(init + "0 Start request=r\n0 Wait request=r -> request=r\n" + use), "");
  EXPECT_EQ(run<BufferUse>(init + "0 Start request=r\n0 Wait request=r -> request=r\n" +
                           "0 Start request=r\n" + use),
            std::string(kPending) + "\n");
  EXPECT_EQ(run<BufferUse>(init + "0 Send_init buf=0x1008 count=4 datatype=INT -> request=s\n" +
                           "0 Startall array_of_requests=[r,s] @a.c:9\n"),
            std::string(kPending) + "\n");
  EXPECT_EQ(run<BufferUse>(init + "0 Request_free request=r\n" + use), "");
}

// [U60]
TEST(BufferUse, partitions) {
  const std::string sends =
      "0 Psend_init buf=0x1000 partitions=4 count=1 datatype=INT -> request=r\n0 Start request=r\n";
  const std::string receives =
      "0 Precv_init buf=0x1000 partitions=4 count=1 datatype=INT -> request=r\n0 Start request=r\n";
  const std::string ready = "0 Pready partition=1 request=r\n";
  const std::string write1 = "0 Recv buf=0x1004 count=1 datatype=INT @a.c:9\n";
  const std::string write2 = "0 Recv buf=0x1008 count=1 datatype=INT @a.c:9\n";
  const std::string found = std::string(kPending) + "\n";
  EXPECT_EQ(run<BufferUse>(sends + write1), "");
  EXPECT_EQ(run<BufferUse>(sends + ready + write1), found);
  EXPECT_EQ(run<BufferUse>(sends + ready + write2), "");
  EXPECT_EQ(run<BufferUse>(sends + "0 Pready_range partition_low=0 partition_high=3 request=r\n" +
                           write2),
            found);
  EXPECT_EQ(run<BufferUse>(receives + write1), found);
  EXPECT_EQ(run<BufferUse>(receives + "0 Parrived request=r partition=1 -> flag=0\n" + write1),
            found);
  EXPECT_EQ(run<BufferUse>(receives + "0 Parrived request=r partition=1 -> flag=1\n" + write1), "");
  EXPECT_EQ(run<BufferUse>(receives + "0 Wait request=r -> request=r\n" + write1 + write2), "");
}

TEST(BufferUse, files) {
  const std::string open = "0 File_open -> fh=f\n";
  const std::string use = "0 Send buf=0x1000 count=1 datatype=INT @a.c:9\n";
  const std::string found = std::string(kPending) + "\n";
  EXPECT_EQ(run<BufferUse>(
                open + "0 File_iread fh=f buf=0x1000 count=4 datatype=INT -> request=r\n" + use),
            found);
  EXPECT_EQ(run<BufferUse>(
                open + "0 File_iwrite fh=f buf=0x1000 count=4 datatype=INT -> request=r\n" + use),
            "");
  const std::string begin = "0 File_read_all_begin fh=f buf=0x1000 count=4 datatype=INT\n";
  EXPECT_EQ(run<BufferUse>(open + begin + use), found);
  EXPECT_EQ(run<BufferUse>(open + begin + "0 File_read_all_end fh=f buf=0x1000\n" + use), "");
}

TEST(BufferUse, attached_buffer_is_not_the_programs) {
  const std::string attach = "0 Buffer_attach buffer=0x1000 size=4096\n";
  const std::string use = "0 Recv buf=0x1100 count=1 datatype=INT @a.c:9\n";
  EXPECT_EQ(run<BufferUse>(attach + use), std::string(kPending) + "\n");
  EXPECT_EQ(run<BufferUse>(attach + "0 Buffer_detach\n" + use), "");
}

// Columns of a 4x4 matrix of ints.
constexpr const char* kColumn =
    "0 Type_vector count=4 blocklength=1 stride=4 oldtype=INT newtype=column\n"
    "0 Type_create_resized oldtype=column lb=0 extent=4 newtype=next\n";

// [U59]
TEST(BufferUse, holes_are_not_touched) {
  const std::string column = kColumn;
  EXPECT_EQ(run<BufferUse>(column + "0 Irecv buf=0x1000 count=1 datatype=column -> request=r\n"
                                    "0 Irecv buf=0x1004 count=3 datatype=next -> request=q\n"),
            "");
  EXPECT_EQ(
      run<BufferUse>(column + "0 Irecv buf=0x1000 count=2 datatype=next -> request=r\n"
                              "0 Irecv buf=0x1004 count=1 datatype=column @a.c:9 -> request=q\n"),
      std::string(kPending) + "\n");
  // The type may be freed while the operation is pending.
  EXPECT_EQ(run<BufferUse>(column + "0 Irecv buf=0x1000 count=1 datatype=column -> request=r\n"
                                    "0 Type_free datatype=column\n"
                                    "0 Recv buf=0x1004 count=1 datatype=INT\n"
                                    "0 Recv buf=0x1010 count=1 datatype=INT @a.c:9\n"),
            std::string(kPending) + "\n");
}

TEST(BufferUse, one_call) {
  expect_findings<BufferUse>({
      {"0 Allreduce sendbuf=0x1000 recvbuf=0x1000 count=1 datatype=INT @a.c:9\n", kCall},
      {"0 Sendrecv sendbuf=0x1000 sendcount=2 sendtype=INT recvbuf=0x1004 recvcount=1 "
       "recvtype=INT @a.c:9\n",
       kCall},
      {"0 world size=4\n0 Gather sendbuf=0x100c sendcount=1 sendtype=INT recvbuf=0x1000 "
       "recvcount=1 recvtype=INT root=0 @a.c:9\n",
       kCall},
      {"0 Reduce_local inbuf=0x1000 inoutbuf=0x1004 count=2 datatype=INT @a.c:9\n", kCall},
      {"0 Pack inbuf=0x1000 incount=4 datatype=INT outbuf=0x1000 outsize=100 position=0 @a.c:9\n",
       kCall},
      {"0 Isendrecv sendbuf=0x1000 sendcount=2 sendtype=INT recvbuf=0x1004 recvcount=1 "
       "recvtype=INT @a.c:9 -> request=r\n",
       kCall},
  });
  expect_silence<BufferUse>({
      "0 Allreduce sendbuf=IN_PLACE recvbuf=0x1000 count=1 datatype=INT\n",
      "0 Sendrecv_replace buf=0x1000 count=2 datatype=INT\n",
      "0 Sendrecv sendbuf=0x1000 sendcount=1 sendtype=INT recvbuf=0x1004 recvcount=1 "
      "recvtype=INT\n",
      "0 Sendrecv sendbuf=0x1000 sendcount=1 sendtype=INT recvbuf=0x1000 recvcount=1 "
      "recvtype=INT source=PROC_NULL\n",
      "0 Allreduce sendbuf=0x1000 recvbuf=0x1000 count=0 datatype=INT\n",
      "0 world size=4\n0 Gather sendbuf=0x1000 sendcount=1 sendtype=INT recvbuf=0x1000 "
      "recvcount=1 recvtype=INT root=1\n",
      "0 Exscan sendbuf=0x1000 recvbuf=0x1000 count=1 datatype=INT\n",
      "0 Pack inbuf=0x1000 incount=4 datatype=INT outbuf=0x1000 outsize=100 position=16\n",
      "0 world size=4\n0 Cart_create dims=[4] periods=[0] comm_cart=line\n"
      "0 Neighbor_alltoall sendbuf=0x1000 sendcount=1 sendtype=INT recvbuf=0x1008 recvcount=1 "
      "recvtype=INT comm=line\n",
  });
}

TEST(BufferUse, written_twice) {
  const std::string column = kColumn;
  const auto with = [&](const char* call) { return run<BufferUse>(column + call); };
  const std::string found = std::string(kTwice) + "\n";
  EXPECT_EQ(with("0 Type_create_resized oldtype=INT lb=0 extent=1 newtype=dense\n"
                 "0 Recv buf=0x1000 count=2 datatype=dense @a.c:9\n"),
            found);
  EXPECT_EQ(with("0 Type_create_resized oldtype=INT lb=0 extent=1 newtype=dense\n"
                 "0 Send buf=0x1000 count=2 datatype=dense\n"
                 "0 Recv buf=0x1000 count=1 datatype=dense\n"),
            "");
  EXPECT_EQ(with("0 Recv buf=0x1000 count=4 datatype=next\n"), "");
  EXPECT_EQ(with("0 Recv buf=0x1000 count=5 datatype=next @a.c:9\n"), found);
  EXPECT_EQ(with("0 Type_indexed array_of_blocklengths=[2,2] array_of_displacements=[0,1] "
                 "oldtype=INT newtype=t\n0 Irecv buf=0x1000 count=1 datatype=t @a.c:9 -> "
                 "request=r\n"),
            found);
  expect_findings<BufferUse>({
      {"0 world size=2\n0 Gatherv sendbuf=0x9000 sendcount=2 sendtype=INT recvbuf=0x1000 "
       "recvcounts=[2,2] displs=[0,1] recvtype=INT root=0 @a.c:9\n",
       kTwice},
      {"0 world size=2\n0 Alltoallw sendbuf=0x9000 sendcounts=[1,1] sdispls=[0,0] "
       "sendtypes=[INT,INT] recvbuf=0x1000 recvcounts=[1,1] rdispls=[0,2] recvtypes=[INT,INT] "
       "@a.c:9\n",
       kTwice},
      {"0 world size=2\n0 Scatterv sendbuf=0x9000 sendcounts=[2,2] displs=[0,1] sendtype=INT "
       "recvbuf=0x1000 recvcount=2 recvtype=INT root=0 @a.c:9\n",
       "type/overlap ranks=0 @a.c:9 (warning)"},
  });
  expect_silence<BufferUse>({
      "0 world size=2\n0 Gatherv sendbuf=0x9000 sendcount=2 sendtype=INT recvbuf=0x1000 "
      "recvcounts=[2,2] displs=[2,0] recvtype=INT root=0\n",
      "0 world size=2\n0 Gatherv sendbuf=0x9000 sendcount=2 sendtype=INT recvbuf=0x1000 "
      "recvcounts=[2,0] displs=[0,1] recvtype=INT root=0\n",
      "0 world size=2\n0 Gatherv sendbuf=IN_PLACE recvbuf=0x1000 recvcounts=[2,2] displs=[0,1] "
      "recvtype=INT root=0\n",
      "0 world size=2\n0 Scatterv sendbuf=0x9000 sendcounts=[2,2] displs=[0,2] sendtype=INT "
      "recvbuf=0x1000 recvcount=2 recvtype=INT root=0\n",
  });
}

TEST(BufferUse, buffered_sends) {
  const auto overhead = text_value(Constant::bsend_overhead);
  const std::string fits = "0 Buffer_attach buffer=0x1000 size=" + std::to_string(16 + overhead);
  const std::string small = "0 Buffer_attach buffer=0x1000 size=" + std::to_string(15 + overhead);
  const std::string send = "\n0 Bsend buf=0x9000 count=4 datatype=INT @a.c:9\n";
  const std::string start =
      "\n0 Bsend_init buf=0x9000 count=4 datatype=INT -> request=r\n0 Start request=r @a.c:9\n";
  const std::string found = std::string(kBsend) + "\n";
  for (const std::string& use : {send, start}) {
    EXPECT_EQ(run<BufferUse>(use), found);
    EXPECT_EQ(run<BufferUse>(fits + use), "");  // [U31]
    EXPECT_EQ(run<BufferUse>(small + use), found);
    EXPECT_EQ(run<BufferUse>(fits + "\n0 Buffer_detach" + use), found);
  }
  EXPECT_EQ(run<BufferUse>("0 Bsend buf=0x9000 count=4 datatype=INT dest=PROC_NULL\n"), "");
  EXPECT_EQ(run<BufferUse>("0 Buffer_attach buffer=0x1000 size=4096\n"
                           "0 Buffer_attach buffer=0x9000 size=4096 @a.c:9\n"),
            found);
  EXPECT_EQ(run<BufferUse>("0 Buffer_attach buffer=0x1000 size=4096\n0 Buffer_detach\n"
                           "0 Buffer_attach buffer=0x9000 size=4096\n0 Finalize\n"),
            "");
  EXPECT_EQ(run<BufferUse>("0 Comm_attach_buffer comm=COMM_WORLD buffer=0x1000 size=4096\n" + send),
            "");
}

TEST(BufferUse, packing) {
  expect_findings<BufferUse>({
      {"0 Pack inbuf=0x1000 incount=1 datatype=INT outbuf=0x2000 outsize=3 position=0 @a.c:9\n",
       kPack},
      {"0 Pack inbuf=0x1000 incount=1 datatype=INT outbuf=0x2000 outsize=8 position=5 @a.c:9\n",
       kPack},
      {"0 Pack inbuf=0x1000 incount=1 datatype=INT outbuf=0x2000 outsize=8 position=-1 @a.c:9\n",
       kPack},
      {"0 Unpack inbuf=0x1000 insize=4 position=9 outbuf=0x2000 outcount=1 datatype=INT @a.c:9\n",
       kPack},
      {"0 Unpack inbuf=0x1000 insize=4 position=0 outbuf=0x2000 outcount=2 datatype=INT @a.c:9\n",
       kPack},
  });
  expect_silence<BufferUse>({
      "0 Pack inbuf=0x1000 incount=1 datatype=INT outbuf=0x2000 outsize=4 position=0\n",
      "0 Pack inbuf=0x1000 incount=1 datatype=INT outbuf=0x2000 outsize=400 position=4\n",
      "0 Pack inbuf=0x1000 incount=0 datatype=INT outbuf=0x2000 outsize=4 position=4\n",
      "0 Unpack inbuf=0x1000 insize=8 position=4 outbuf=0x2000 outcount=1 datatype=INT\n",
      "0 Pack_external datarep=\"external32\" inbuf=0x1000 incount=1 datatype=INT outbuf=0x2000 "
      "outsize=2 position=0\n",
  });
}

TEST(BufferUse, wording) {
  EXPECT_EQ(run_messages<BufferUse>(
                "0 Allreduce sendbuf=0x1000 recvbuf=0x1004 count=2 datatype=INT\n"
                "0 Pack inbuf=0x1000 incount=2 datatype=INT outbuf=0x2000 outsize=9 position=4\n"),
            "buffer/call-overlap: sendbuf and recvbuf share 4 bytes\n"
            "buffer/pack: 8 bytes at position 4, where 5 of 9 are left\n");
}

}  // namespace
}  // namespace vouch
