// Records that can be read but are malformed: a program, or a sentence, never the end of vouch.

#include <gtest/gtest.h>

#include <random>
#include <sstream>

#include <sys/mman.h>
#include <unistd.h>

#include "base/little_memory_test.h"
#include "event/sound.h"
#include "trace/load.h"
#include "trace/writer.h"
#include "trace_program/from_events.h"

namespace vouch {
namespace {

constexpr const char* kCalls =
    "0 Comm_split color=0 key=0 ...\n0 comm c size=2 rank=0 members=[0,1]\n0 return -> newcomm=c\n"
    "1 Comm_split color=0 key=0 ...\n1 comm c size=2 rank=1 members=[0,1]\n1 return -> newcomm=c\n"
    "0 Isend dest=1 tag=1 comm=c -> request=a\n0 Irecv source=1 tag=2 -> request=b\n"
    "0 Waitany array_of_requests=[a,b] -> index=1 status=(1,2,4)\n0 Wait request=a\n"
    "0 Send_init dest=1 -> request=p\n0 Start request=p\n0 Testall array_of_requests=[p] -> "
    "flag=1\n"
    "0 Bcast root=1\n0 Ireduce root=0 -> request=q\n0 Wait request=q\n0 Request_free request=p\n"
    "0 Alltoallv\n0 Sendrecv dest=1 source=1\n0 Mprobe source=1 -> message=m\n0 Finalize\n"
    "1 Recv source=0 tag=1 comm=c\n1 Send dest=0 tag=2\n1 Recv source=ANY_SOURCE\n"
    "1 Bcast root=1\n1 Ireduce root=0 -> request=q\n1 Wait request=q\n1 Alltoallv\n"
    "1 Sendrecv dest=0 source=0\n1 Send dest=0\n1 Finalize\n";

TEST(FromEvents, records_that_make_no_sense_do_no_harm) {
  const auto read = read_text(kCalls);
  ASSERT_TRUE(read.ok()) << read.error();
  std::vector<TextItem> calls;  // what comes behind the announcements of constants
  for (const TextItem& item : read.value().items) {
    if (item.what != TextItem::What::record) continue;
    const Event e = read.value().event(item);
    const bool constant = e.phase() == wire::Phase::meta &&
                          static_cast<wire::Meta>(e.header().proc) == wire::Meta::constant;
    if (!constant && e.header().words > 0) calls.push_back(item);
  }
  constexpr std::uint64_t kValues[] = {0,
                                       1,
                                       2,
                                       7,
                                       ~std::uint64_t{0},
                                       1u << 31,
                                       std::uint64_t{1} << 40,
                                       static_cast<std::uint64_t>(wire::kAnySource),
                                       static_cast<std::uint64_t>(wire::kProcNull),
                                       static_cast<std::uint64_t>(wire::kRoot)};
  std::mt19937 random(5);
  int converted = 0;
  for (int round = 0; round < 2000; ++round) {
    TextTrace trace = read.value();
    for (int change = 0; change < 1 + round % 3; ++change) {
      const TextItem& item = calls[random() % calls.size()];
      const Event e = trace.event(item);
      std::uint64_t& word = trace.words[item.at + 2 + random() % e.header().words];
      const std::uint64_t before = word;
      word = random() % 2 == 0 ? kValues[random() % std::size(kValues)]
                               : trace.words[item.at + 2 + random() % e.header().words];
      if (!sound(e.header(), e.words())) word = before;  // no reader lets it pass
    }
    const auto program = program_of(trace);
    converted += program.ok();
    if (program.ok())
      EXPECT_EQ(predict::defect(program.value().program), "");
    else
      EXPECT_LT(program.error().size(), 200u);
  }
  EXPECT_GT(converted, 100);
}

// The file of a run with these records.
std::string file_of(const TextTrace& trace) {
  const int fd = ::memfd_create("trace", MFD_CLOEXEC);
  trace::Writer writer(::dup(fd), "memory");
  for (int rank = 0; rank < trace.world_size; ++rank) writer.add_process(100 + rank, rank);
  for (const TextItem& item : trace.items) {
    if (item.what == TextItem::What::record)
      writer.record(static_cast<std::size_t>(item.rank), item.thread, trace.event(item));
  }
  writer.close();
  std::string file(static_cast<std::size_t>(::lseek(fd, 0, SEEK_END)), 0);
  EXPECT_EQ(::pread(fd, file.data(), file.size(), 0), static_cast<ssize_t>(file.size()));
  ::close(fd);
  return file;
}

// What took 16 GB from a file of 41 kB: groups selected from a communicator that claims a million
// members, each kept as a list.
TEST(FromEvents, selections_from_a_vast_group_take_little_memory) {
  std::string calls =
      "0 Comm_split color=0 key=0 ...\n0 comm c size=1048576 rank=0 runs=[0,1,1048576]\n"
      "0 return -> newcomm=c\n0 Comm_group comm=c -> group=g\n";
  for (int i = 0; i < 600; ++i) {
    const std::string n = std::to_string(i);
    calls += "0 Group_range_incl group=g ranges=[" + n + ",1048575,1] -> newgroup=r" + n +
             "\n0 Group_excl group=g ranks=[" + n + "] -> newgroup=e" + n +
             "\n0 Comm_create_group comm=c group=r" + n + " tag=" + n + " -> newcomm=d" + n +
             "\n0 Comm_dup comm=c -> newcomm=f" + n + "\n0 Barrier comm=f" + n + "\n";
  }
  calls += "1 Barrier\n";
  const auto read = read_text(calls);
  ASSERT_TRUE(read.ok()) << read.error();
  const std::string file = file_of(read.value());
  EXPECT_LT(file.size(), 100'000u);
  EXPECT_TRUE(testing::fits_into(100, 20, [&] {
    std::istringstream in(file);
    const auto loaded = trace::load(in);
    if (!loaded.ok()) std::abort();
    const auto run = run_of(loaded.value().trace);
    const auto program = program_of(loaded.value().trace);
    if (!run.ok() || !program.ok()) std::abort();
  }));
}

}  // namespace
}  // namespace vouch
