// What is written is read back; what is damaged is told, never believed and never deadly.

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <map>
#include <random>
#include <sstream>

#include <unistd.h>

#include "trace/dump.h"
#include "trace/load.h"
#include "trace/reader.h"
#include "trace/writer.h"

namespace vouch::trace {
namespace {

constexpr const char* kRing =
    "0 Isend count=1 dest=1 tag=7 @ring.c:31 -> request=r1\n"
    "0 Comm_split color=0 key=0 @ring.c:32 ...\n"
    "0 comm c1 size=2 rank=0 members=[0,1]\n"
    "0 return -> newcomm=c1\n"
    "0 Wait request=r1 @ring.c:33\n"
    "0 Barrier comm=c1 @ring.c:34\n"
    "1 Recv source=ANY_SOURCE tag=7 @ring.c:40 -> status=(0,7,4)\n"
    "1 Send dest=0 tag=-5 !ERR_TAG @ring.c:41\n"
    "1.1 Iprobe source=0 tag=ANY_TAG @ring.c:42 ...\n"
    "1 Waitall array_of_requests=[] @ring.c:43\n"
    "1 Comm_set_name comm_name=\"a \\\"quoted\\\" word\"\n"
    "1 Barrier ...\n"
    "1 killed\n";

std::string words_of(const TextTrace& trace, int rank) {
  std::ostringstream out;
  for (const TextItem& item : trace.items) {
    if (item.rank != rank) continue;
    out << static_cast<int>(item.what) << ' ' << item.thread;
    if (item.what != TextItem::What::killed) {
      const Event e = trace.event(item);
      const bool enter = e.is_enter();
      out << ' ' << e.header().proc << ' ' << static_cast<int>(e.phase()) << ' ' << e.seq() << ' '
          << (enter ? trace.sites.at(e.header().site) : std::to_string(e.header().site));
      for (std::uint32_t i = 0; i < e.header().words; ++i)
        out << ' ' << e.word(static_cast<int>(i));
    }
    out << '\n';
  }
  return out.str();
}

class Traces : public testing::Test {
 protected:
  void SetUp() override {
    path_ = testing::TempDir() + "vouch_trace_" + std::to_string(::getpid());
  }
  void TearDown() override { std::remove(path_.c_str()); }

  // As the agent writes it: each rank a process, in the order of the text.
  std::string write(const TextTrace& text, bool close = true, int turn = 0) {
    auto writer = Writer::create(path_);
    EXPECT_TRUE(writer.ok());
    std::map<int, std::size_t> processes;
    int items = 0;
    for (const TextItem& item : text.items) {
      const auto [at, added] = processes.emplace(item.rank, processes.size());
      if (added) (*writer)->add_process(1000 + item.rank, item.rank);
      if (item.what == TextItem::What::killed)
        (*writer)->ended(at->second, Ending::killed);
      else if (item.what == TextItem::What::returned)
        (*writer)->returned(at->second, item.thread, text.event(item).seq());
      else
        (*writer)->record(at->second, item.thread, text.event(item));
      if (turn > 0 && ++items % turn == 0) (*writer)->flush();
    }
    if (close) {
      (*writer)->places(std::span(text.sites).subspan(1));
      std::vector<std::uint32_t> sites(text.sites.size());
      for (std::uint32_t s = 0; s < sites.size(); ++s) sites[s] = s;
      for (const auto& [rank, process] : processes) (*writer)->sites(process, sites);
      (*writer)->close();
    } else {
      (*writer)->flush();
    }
    EXPECT_EQ((*writer)->problem(), "");
    writer->reset();
    std::ifstream in(path_, std::ios::binary);
    std::ostringstream bytes;
    bytes << in.rdbuf();
    return bytes.str();
  }

  static Result<Loaded> load_bytes(const std::string& bytes) {
    std::istringstream in(bytes);
    return load(in);
  }
  static std::string error_of(const std::string& bytes) {
    const auto loaded = load_bytes(bytes);
    return loaded.ok() ? "read" : loaded.error();
  }

  std::string path_;
};

TextTrace text_trace(std::string_view text) {
  auto trace = read_text(text);
  EXPECT_TRUE(trace.ok()) << trace.error();
  return std::move(*trace);
}

std::string dumped(const TextTrace& trace) {
  std::string all;
  dump(trace, [&](std::string_view line) { all.append(line).push_back('\n'); });
  return all;
}

TEST_F(Traces, what_is_written_is_read_back) {
  const TextTrace text = text_trace(kRing);
  for (const int turn : {0, 1, 7}) {
    const auto loaded = load_bytes(write(text, true, turn));
    ASSERT_TRUE(loaded.ok()) << loaded.error();
    EXPECT_EQ(loaded.value().cut, "");
    EXPECT_EQ(loaded.value().lost, 0u);
    EXPECT_EQ(loaded.value().trace.world_size, 2);
    for (const int rank : {0, 1})
      EXPECT_EQ(words_of(loaded.value().trace, rank), words_of(text, rank));
  }
}

TEST_F(Traces, the_dump_is_read_back) {
  const TextTrace text = text_trace(kRing);
  const std::string first = dumped(text);
  auto again = read_text(first);
  ASSERT_TRUE(again.ok()) << again.error() << "\n" << first;
  for (const int rank : {0, 1}) EXPECT_EQ(words_of(again.value(), rank), words_of(text, rank));
  EXPECT_EQ(dumped(again.value()), first);
}

TEST_F(Traces, a_call_that_wrote_no_return_is_over_when_the_next_begins) {
  const TextTrace text = text_trace("0 Send dest=1 @a.c:1\n0 Send dest=1 @a.c:2\n0 Barrier ...\n");
  auto writer = Writer::create(path_);
  ASSERT_TRUE(writer.ok());
  (*writer)->add_process(1, 0);
  for (const TextItem& item : text.items)
    if (item.what == TextItem::What::record)
      (*writer)->record(0, 0, text.event(item));
    else if (text.event(item).proc() == Proc::init)
      (*writer)->returned(0, 0, text.event(item).seq());
  (*writer)->close();
  const auto loaded = load_file(path_);
  ASSERT_TRUE(loaded.ok());
  const std::string now = words_of(loaded.value().trace, 0);
  std::string expected = words_of(text, 0);
  for (const char* place : {"a.c:1", "a.c:2"})  // no places were told
    for (std::size_t at; (at = expected.find(place)) != std::string::npos;) expected.erase(at, 5);
  EXPECT_EQ(now, expected);
}

// The ring says only after the process is gone that its last call was over.
TEST_F(Traces, the_end_of_a_process_comes_last) {
  const TextTrace text = text_trace("0 Barrier @a.c:1\n0 exit 3\n");
  auto writer = Writer::create(path_);
  ASSERT_TRUE(writer.ok());
  (*writer)->add_process(1, 0);
  std::uint32_t barrier = 0;
  for (const TextItem& item : text.items) {
    if (item.what != TextItem::What::record) continue;
    if (text.event(item).proc() == Proc::barrier && text.event(item).is_enter())
      barrier = text.event(item).seq();
    (*writer)->record(0, 0, text.event(item));
  }
  (*writer)->returned(0, 0, barrier);
  (*writer)->ended(0, Ending::exited);
  (*writer)->close();
  const std::string lines = dumped(load_file(path_).value().trace);
  EXPECT_TRUE(lines.ends_with("0 Barrier comm=COMM_WORLD\n0 exit 3\n")) << lines;
}

TEST_F(Traces, a_repeated_call_takes_few_bytes) {
  std::string text;
  for (int i = 0; i < 2000; ++i) text += "0 Send buf=0x1000 dest=1 tag=7 @a.c:1\n";
  const std::string none = write(text_trace("0 Send dest=1 tag=7 @a.c:1\n"));
  const std::string many = write(text_trace(text));
  EXPECT_LT((many.size() - none.size()) / 2000.0, 12.0);
}

TEST_F(Traces, a_cut_trace_is_read_to_its_last_whole_chunk) {
  const TextTrace text = text_trace(kRing);
  const std::string bytes = write(text, false, 5);
  const auto all = load_bytes(bytes);
  ASSERT_TRUE(all.ok()) << all.error();
  EXPECT_EQ(all.value().cut, "it has no end: the run, or vouch, was cut short");
  const std::size_t items = all.value().trace.items.size();
  std::size_t before = 0;
  std::mt19937 random(3);
  for (std::size_t size = sizeof(FileHeader); size < bytes.size(); size += 1 + random() % 50) {
    const auto part = load_bytes(bytes.substr(0, size));
    ASSERT_TRUE(part.ok()) << size << ": " << part.error();
    EXPECT_NE(part.value().cut, "");
    EXPECT_GE(part.value().trace.items.size(), before);
    before = part.value().trace.items.size();
  }
  EXPECT_GT(before + 20, items);
}

TEST_F(Traces, what_is_no_trace_is_told_in_a_sentence) {
  EXPECT_EQ(error_of(""), "it is empty");
  EXPECT_EQ(error_of("vou"), "it is no trace of vouch");
  EXPECT_EQ(error_of(std::string(100, 'x')), "it is no trace of vouch");
  const std::string bytes = write(text_trace(kRing));
  EXPECT_EQ(error_of(bytes.substr(0, 20)), "it ends before anything was recorded");
  std::string other = bytes;
  other[8] = 9;
  EXPECT_EQ(error_of(other), "it is a trace of version 9, this vouch reads version 1");
  other = bytes;
  other[16] = static_cast<char>(~other[16]);
  EXPECT_EQ(error_of(other), "it was written by another vouch, whose records this one cannot read");
  EXPECT_NE(error_of(bytes + "more").find("something follows its end"), std::string::npos);
  EXPECT_EQ(load_file(path_ + ".none").error(), path_ + ".none cannot be read");
}

TEST_F(Traces, every_changed_byte_is_noticed) {
  const std::string bytes = write(text_trace("0 Send dest=1 tag=7 @a.c:1\n1 Recv source=0 ...\n"));
  std::mt19937 random(1);
  for (std::size_t at = 0; at < bytes.size(); at += 1 + random() % 40) {
    std::string other = bytes;
    other[at] = static_cast<char>(other[at] ^ (1 << random() % 8));
    const auto loaded = load_bytes(other);
    // A chunk's length may have become longer than the file: then it looks cut.
    if (loaded.ok())
      EXPECT_NE(loaded.value().cut, "") << at;
    else
      EXPECT_FALSE(loaded.error().empty());
  }
}

// Bytes whose checksums are right, as somebody with bad intentions would write them.
TEST_F(Traces, hostile_payloads_with_right_checksums_do_no_harm) {
  const std::string bytes = write(text_trace(kRing), true, 20);
  std::mt19937 random(7);
  for (int round = 0; round < 3000; ++round) {
    std::string other = bytes;
    std::uint64_t number = 0;
    for (std::size_t at = sizeof(FileHeader); at + sizeof(ChunkHeader) <= other.size(); ++number) {
      ChunkHeader header;
      std::memcpy(&header, &other[at], sizeof(header));
      const std::size_t payload = at + sizeof(header);
      if (header.bytes > 0 && random() % 8 == 0)
        other[payload + random() % header.bytes] = static_cast<char>(random());
      if (random() % 100 == 0) header.process = random() % 4;
      header.checksum =
          checksum(header, number, std::as_bytes(std::span(other)).subspan(payload, header.bytes));
      std::memcpy(&other[at], &header, sizeof(header));
      at = payload + header.bytes;
    }
    const auto loaded = load_bytes(other);
    if (loaded.ok()) {
      EXPECT_FALSE(dumped(loaded.value().trace).empty());
    } else {
      EXPECT_LT(loaded.error().size(), 200u);
    }
  }
}

TEST_F(Traces, a_trace_that_is_too_large_is_refused) {
  std::istringstream in(write(text_trace(kRing)));
  const auto loaded = load(in, 1000);
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.error(), "it is too large to be held in memory at once");
}

TEST_F(Traces, a_full_disk_ends_the_trace_only) {
  auto writer = Writer::create("/dev/full");
  ASSERT_TRUE(writer.ok());
  const TextTrace text = text_trace(kRing);
  (*writer)->add_process(1, 0);
  for (const TextItem& item : text.items)
    if (item.what == TextItem::What::record) (*writer)->record(0, 0, text.event(item));
  (*writer)->close();
  EXPECT_EQ((*writer)->problem(), "it could not be written to /dev/full: No space left on device");
  EXPECT_EQ(Writer::create("/no/such/folder/t").error(),
            "cannot write to /no/such/folder/t: No such file or directory");
}

}  // namespace
}  // namespace vouch::trace
