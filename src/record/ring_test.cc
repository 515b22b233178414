// The ring between two processes: order, wrapping, back-pressure, and what is left when either side
// is killed.

#include "record/ring.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <functional>
#include <string>

#include "record/futex.h"
#include "record/handshake.h"
#include "record/node_name.h"
#include "record/ring_map.h"
#include "record/ring_reader.h"
#include "record/ring_writer.h"

namespace vouch {
namespace {

constexpr std::uint64_t kSmall = 64 << 10;

// Reader here, writer in a forked child; the socket pair stands for the connection.
class RingTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets_), 0);
    fd_ = make_ring_memory(kSmall);
    ASSERT_GE(fd_, 0);
    const int bell = make_bell_memory();
    bell_ = map_bell(bell);
    ::close(bell);
    ASSERT_NE(bell_, nullptr);
  }
  void TearDown() override {
    if (child_ > 0) {
      ::kill(child_, SIGKILL);
      ::waitpid(child_, nullptr, 0);
    }
    for (int s : sockets_) {
      if (s >= 0) ::close(s);
    }
    ::close(fd_);
  }

  void start_writer(const std::function<int(RingWriter&)>& body) {
    child_ = ::fork();
    if (child_ != 0) {
      ::close(sockets_[1]);
      sockets_[1] = -1;
      return;
    }
    ::close(sockets_[0]);
    RingWriter writer;
    writer.open(map_ring(fd_, kSmall), bell_, sockets_[1]);
    ::_exit(body(writer));
  }
  // Exit status of the writer, or minus the signal that ended it.
  int join() {
    int status = 0;
    ::waitpid(child_, &status, 0);
    child_ = -1;
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
  }
  RingReader reader() { return std::move(RingReader::map(fd_, kSmall)).value(); }

  int sockets_[2] = {-1, -1};
  int fd_ = -1;
  Bell* bell_ = nullptr;
  pid_t child_ = -1;
};

// A record of 1 + n % 7 words that tells its number in each.
bool put(RingWriter& writer, std::uint32_t n) {
  const std::uint32_t words = 1 + n % 7;
  wire::RecordHeader* record = writer.reserve(16 + words * 8);
  if (record == nullptr) return false;
  *record = {1, wire::Phase::enter, 0, words, n, 0};
  auto* word = reinterpret_cast<std::uint64_t*>(record + 1);
  for (std::uint32_t i = 0; i < words; ++i) word[i] = std::uint64_t{n} * 8 + i;
  writer.publish(16 + words * 8);
  return true;
}

testing::AssertionResult is_record(const RingReader::Record& record, std::uint32_t n) {
  if (record.header->seq != n)
    return testing::AssertionFailure() << record.header->seq << " for " << n;
  if (record.header->words != 1 + n % 7) return testing::AssertionFailure() << "length of " << n;
  for (std::uint32_t i = 0; i < record.header->words; ++i) {
    if (record.words[i] != std::uint64_t{n} * 8 + i)
      return testing::AssertionFailure() << "words of " << n;
  }
  return testing::AssertionSuccess();
}

TEST_F(RingTest, all_records_in_order_over_many_laps) {
  constexpr std::uint32_t kRecords = 200'000;  // about 140 laps
  start_writer([](RingWriter& writer) {
    for (std::uint32_t n = 1; n <= kRecords; ++n) {
      if (!put(writer, n)) return 1;
    }
    writer.close();
    return 0;
  });
  RingReader ring = reader();
  RingReader::Record record;
  for (std::uint32_t n = 1; n <= kRecords;) {
    if (!ring.next(record)) {
      ring.release();
      ::usleep(50);
      continue;
    }
    ASSERT_TRUE(is_record(record, n));
    if (n % 64 == 0) ring.release();
    ++n;
  }
  EXPECT_EQ(join(), 0);
  EXPECT_TRUE(ring.closed());
  EXPECT_FALSE(ring.next(record));
  EXPECT_FALSE(ring.corrupt());
}

TEST_F(RingTest, a_paused_reader_stops_the_writer_and_loses_nothing) {
  constexpr std::uint32_t kRecords = 20'000;
  start_writer([](RingWriter& writer) {
    for (std::uint32_t n = 1; n <= kRecords; ++n) {
      if (!put(writer, n)) return 1;
    }
    return 0;
  });
  RingReader ring = reader();
  while (ring.header().writer_waits.load() == 0)
    ::usleep(100);  // it runs into the full ring and sleeps
  EXPECT_LE(ring.unread_bytes(), kSmall);
  EXPECT_GT(ring.unread_bytes(), kSmall - 128);
  EXPECT_GE(ring.header().full_waits.load(), 1u);
  EXPECT_GE(bell_->rings.load(), 1u);
  RingReader::Record record;
  for (std::uint32_t n = 1; n <= kRecords;) {
    if (ring.next(record)) {
      ASSERT_TRUE(is_record(record, n));
      ++n;
    } else {
      ring.release();
    }
  }
  EXPECT_EQ(join(), 0);
}

TEST_F(RingTest, a_sleeping_reader_is_woken_when_half_is_full) {
  start_writer([](RingWriter& writer) {
    for (std::uint32_t n = 1; writer.header().head.load() <= kSmall / 2; ++n) put(writer, n);
    ::pause();
    return 0;
  });
  RingReader ring = reader();
  BellReader bell(*bell_);
  while (ring.unread_bytes() <= kSmall / 2) {
    bell.sleep(30'000, [&] {
      return ring.unread_bytes() <= kSmall / 2;
    });  // would outlast the test without a wake
  }
  EXPECT_EQ(bell_->asleep.load(), 0u);
}

TEST_F(RingTest, what_a_killed_writer_had_published_is_read) {
  start_writer([](RingWriter& writer) {
    for (std::uint32_t n = 1;; ++n) put(writer, n);
    return 0;
  });
  RingReader ring = reader();
  RingReader::Record record;
  std::uint32_t n = 1;
  while (n < 5000) {
    if (ring.next(record)) {
      ASSERT_TRUE(is_record(record, n++));
    } else {
      ring.release();
    }
  }
  ::kill(child_, SIGKILL);
  EXPECT_EQ(join(), -SIGKILL);
  const std::uint64_t left = ring.unread_bytes();
  while (ring.next(record)) ASSERT_TRUE(is_record(record, n++));
  EXPECT_EQ(ring.unread_bytes(), 0u);
  EXPECT_LE(left, kSmall);
  EXPECT_FALSE(ring.corrupt());
  EXPECT_FALSE(ring.closed());
}

TEST_F(RingTest, the_writer_goes_on_alone_when_the_reader_is_gone) {
  start_writer([](RingWriter& writer) {
    std::uint32_t n = 1;
    while (put(writer, n)) ++n;  // ends only by detaching
    return writer.gone() && !put(writer, n) ? 7 : 1;
  });
  RingReader ring = reader();
  while (ring.header().writer_waits.load() == 0) ::usleep(100);
  ::close(sockets_[0]);
  sockets_[0] = -1;
  EXPECT_EQ(join(), 7);
}

// The socket is open, so somebody is there; but it is stopped.
TEST_F(RingTest, the_writer_goes_on_alone_when_the_agent_is_stopped) {
  const pid_t agent = ::fork();
  if (agent == 0) {
    while (true) ::pause();
  }
  ::kill(agent, SIGSTOP);
  for (int turn = 0; turn < 2; ++turn) {
    start_writer([&](RingWriter& writer) {
      // The second one learns it from the first.
      writer.open(map_ring(fd_, kSmall), bell_, sockets_[1], agent, turn == 0 ? 300 : 1'000'000);
      std::uint32_t n = 1;
      while (put(writer, n)) ++n;
      return writer.gone() ? 7 : 1;
    });
    EXPECT_EQ(join(), 7);
    RingReader ring = reader();
    EXPECT_TRUE(ring.gave_up());
    EXPECT_EQ(bell_->given_up.load(), 1U);
    sockets_[1] = ::dup(sockets_[0]);
    ring.header().gave_up.store(0);
  }
  ::kill(agent, SIGKILL);
  ::waitpid(agent, nullptr, 0);
}

// It steps, and no wall time is too long.
TEST_F(RingTest, the_writer_waits_for_an_agent_that_steps) {
  start_writer([&](RingWriter& writer) {
    writer.open(map_ring(fd_, kSmall), bell_, sockets_[1], ::getppid(), 300);
    for (std::uint32_t n = 1; n <= 4000; ++n) {
      if (!put(writer, n)) return 1;
    }
    return 7;
  });
  RingReader ring = reader();
  while (ring.header().writer_waits.load() == 0) ::usleep(100);
  for (int i = 0; i < 30; ++i) {
    ::usleep(50'000);
    bell_->steps.fetch_add(1);
  }
  RingReader::Record record;
  for (std::uint32_t n = 1; n <= 4000;) {
    if (ring.next(record)) {
      ++n;
      continue;
    }
    ring.release();
    ::usleep(100);
  }
  EXPECT_EQ(join(), 7);
  EXPECT_FALSE(ring.gave_up());
}

// Memory counts as a file: where files may not be large, the ring is small.
TEST_F(RingTest, a_limit_on_files_makes_a_smaller_ring) {
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit limit{64 << 10, 64 << 10};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const std::uint64_t bytes = fitting_ring_bytes(kRingBytes);
    if (bytes != 32 << 10 || make_ring_memory(kRingBytes) >= 0 || errno != EFBIG) ::_exit(1);
    ::_exit(map_ring(make_ring_memory(bytes), bytes) ? 7 : 2);
  }
  child_ = child;
  EXPECT_EQ(join(), 7);
  EXPECT_EQ(fitting_ring_bytes(kRingBytes), kRingBytes);
}

TEST_F(RingTest, the_agent_can_ask_for_silence) {
  start_writer([](RingWriter& writer) {
    std::uint32_t n = 1;
    while (put(writer, n)) ++n;
    return 7;
  });
  RingReader ring = reader();
  ring.header().stop.store(1);
  EXPECT_EQ(join(), 7);
}

TEST_F(RingTest, a_question_is_answered) {
  start_writer([](RingWriter& writer) {
    std::int64_t answer = 0;
    for (std::uint32_t q = 1; q <= 100; ++q) {
      put(writer, q);
      if (!writer.ask(q, answer) || answer != -2 * static_cast<std::int64_t>(q)) return 1;
    }
    return 0;
  });
  RingReader ring = reader();
  for (std::uint32_t q = 1; q <= 100; ++q) {
    while (ring.header().mailbox.asked.load() != q) ::usleep(20);
    RingReader::Record record;
    ASSERT_TRUE(ring.next(record));  // the question's record is published before it is asked
    ASSERT_TRUE(is_record(record, q));
    ring.answer(q, -2 * static_cast<std::int64_t>(q));
  }
  EXPECT_EQ(join(), 0);
}

TEST_F(RingTest, a_question_to_a_dead_agent_is_given_up) {
  start_writer([](RingWriter& writer) {
    std::int64_t answer = 0;
    return writer.ask(1, answer) ? 1 : 7;
  });
  ::close(sockets_[0]);
  sockets_[0] = -1;
  EXPECT_EQ(join(), 7);
}

TEST_F(RingTest, a_tentative_record_is_seen_behind_the_head) {
  start_writer([](RingWriter& writer) {
    put(writer, 1);
    wire::RecordHeader* poll = writer.reserve(24);
    *poll = {9, wire::Phase::enter, 0, 1, 0, 3};
    writer.set_tentative(24);
    ::raise(SIGKILL);
    return 0;
  });
  EXPECT_EQ(join(), -SIGKILL);
  RingReader ring = reader();
  RingReader::Record record;
  ASSERT_TRUE(ring.next(record));
  ASSERT_FALSE(ring.next(record));
  std::span<const std::byte> bytes;
  ASSERT_TRUE(ring.tentative(bytes));
  ASSERT_EQ(bytes.size(), 24u);
  wire::RecordHeader poll;
  std::memcpy(&poll, bytes.data(), sizeof(poll));
  EXPECT_EQ(poll.proc, 9);
  EXPECT_EQ(poll.site, 3u);
}

TEST_F(RingTest, nonsense_is_corrupt_and_not_read) {
  RingMap map = map_ring(fd_, kSmall);
  RingWriter writer;
  writer.open(map, bell_, sockets_[1]);
  ASSERT_TRUE(put(writer, 1));
  wire::RecordHeader* record = writer.reserve(24);
  *record = {1, wire::Phase::enter, 0, 1'000'000, 2, 0};  // longer than what is published
  writer.publish(24);
  RingReader ring = reader();
  RingReader::Record seen;
  EXPECT_TRUE(ring.next(seen));
  EXPECT_FALSE(ring.next(seen));
  EXPECT_TRUE(ring.corrupt());
  map.header->head.store(map.header->head.load() + 100 * kSmall);
  EXPECT_TRUE(reader().bytes().empty());
  unmap_ring(map);
}

TEST_F(RingTest, memory_that_is_too_small_is_refused) {
  const int fd = make_ring_memory(4096);
  EXPECT_FALSE(RingReader::map(fd, kSmall));
  EXPECT_TRUE(RingReader::map(fd, 4096));
  ::close(fd);
}

// A rank that may not have memory for its records says so.
TEST(Handshake, a_hello_without_memory) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
  const wire::Hello hello{wire::kHelloMagic, wire::kWireVersion, ::getpid(), 0, 3, 4, kRingBytes};
  ASSERT_TRUE(send_hello(ends[1], hello, -1));
  wire::Hello got{};
  int memfd = -1;
  EXPECT_EQ(receive_hello(ends[0], got, memfd), -1);
  EXPECT_EQ(errno, ENOMEM);
  EXPECT_EQ(got.rank_hint, 3);
  for (const int end : ends) ::close(end);
}

TEST(Handshake, hello_there_and_bell_back) {
  const std::string name = "vouch-test-" + std::to_string(::getpid());
  const int listening = listen_for_ranks(name.c_str());
  ASSERT_GE(listening, 0);
  const int rank = connect_to_agent(name.c_str());
  ASSERT_GE(rank, 0);
  const int agent = accept_rank(listening);
  ASSERT_GE(agent, 0);
  wire::Hello got{};
  int memfd = -1;
  EXPECT_EQ(receive_hello(agent, got, memfd), -1);  // nothing yet
  const int ring = make_ring_memory(4096);
  ASSERT_TRUE(send_hello(rank, {wire::kHelloMagic, wire::kWireVersion, 12, 0, 3, 4, 4096}, ring));
  ASSERT_EQ(receive_hello(agent, got, memfd), 1);
  EXPECT_EQ(got.pid, 12);
  EXPECT_EQ(got.rank_hint, 3);
  EXPECT_TRUE(RingReader::map(memfd, got.ring_bytes));
  const int bell = make_bell_memory();
  ASSERT_TRUE(send_bell(agent, bell));
  const int received = receive_bell(rank, 5000);
  EXPECT_NE(map_bell(received), nullptr);
  EXPECT_TRUE(agent_lives(rank));
  // Another version of the wire is not understood.
  ASSERT_TRUE(
      send_hello(rank, {wire::kHelloMagic, wire::kWireVersion + 1, 12, 0, 3, 4, 4096}, ring));
  EXPECT_EQ(receive_hello(agent, got, memfd), -1);
  EXPECT_EQ(memfd, -1);
  ::close(agent);
  EXPECT_FALSE(agent_lives(rank));
  for (int fd : {listening, rank, ring, bell, received}) ::close(fd);
  EXPECT_LT(connect_to_agent(name.c_str()), 0);
}

// Somebody else listens under a name that he has read: he is sent nothing. Only root can play two
// users.
TEST(Handshake, another_user_who_listens_is_no_agent) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root";
  const std::string name = "vouch-test-stranger-" + std::to_string(::getpid());
  int ready[2], over[2];
  ASSERT_EQ(::pipe(ready), 0);
  ASSERT_EQ(::pipe(over), 0);
  const pid_t stranger = ::fork();
  if (stranger == 0) {
    ::close(over[1]);
    char byte = 0;
    if (::setuid(65534) == 0 && listen_for_ranks(name.c_str()) >= 0)
      (void)!::write(ready[1], &byte, 1);
    (void)!::read(over[0], &byte, 1);
    ::_exit(0);
  }
  ::close(ready[1]);
  char byte;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  EXPECT_LT(connect_to_agent(name.c_str()), 0);
  for (const int fd : {ready[0], over[0], over[1]}) ::close(fd);
  ::waitpid(stranger, nullptr, 0);
}

// One node's name says nothing about another's; ranks of one node agree on it.
TEST(NodeName, depends_on_the_secret_and_the_place) {
  char a[kNodeNameSize], b[kNodeNameSize], c[kNodeNameSize], here[kNodeNameSize],
      again[kNodeNameSize];
  node_name("1,root,secret", "boot/1", a);
  node_name("1,root,secret", "boot/2", b);
  node_name("1,root,secres", "boot/1", c);
  node_name("1,root,secret", here);
  node_name("1,root,secret", again);
  EXPECT_STRNE(a, b);
  EXPECT_STRNE(a, c);
  EXPECT_STREQ(here, again);
  EXPECT_EQ(std::string(a).size(), 38u);
}

}  // namespace
}  // namespace vouch
