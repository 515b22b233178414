// The agent as a process, with ranks made by hand: forked children that speak the handshake and
// write a ring.

#include "agent/agent.h"

#include <csignal>
#include <functional>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/channel.h"
#include "agent/test_records.h"
#include "record/handshake.h"
#include "record/ring_writer.h"
#include "report/json.h"

namespace vouch {
namespace {

class AgentTest : public testing::Test {
 protected:
  void SetUp() override {
    static int count = 0;
    name_ = fmt::format("vouch-agent-test-{}-{}", ::getpid(), count++);
    const int listening = listen_for_ranks(name_.c_str());
    ASSERT_GE(listening, 0);
    int ends[2];
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    int ready[2];
    ASSERT_EQ(::pipe(ready), 0);
    const int self = ::getpid();
    agent_ = ::fork();
    if (agent_ == 0) {
      ::close(ends[0]);
      AgentOptions options{listening, name_, ends[1], self};
      options.ready = ready[1];
      ::_exit(run_agent(options));
    }
    ::close(ends[1]);
    ::close(listening);
    ::close(ready[1]);
    await_agent(ready[0]);
    control_ = ends[0];
  }
  void TearDown() override {
    if (control_ >= 0) ::close(control_);
    ::waitpid(agent_, nullptr, 0);
  }

  // A process that connects and does as told; it is dead when this returns.
  struct Rank {
    int connection;
    RingWriter ring;
    void publish(const TestRing& records) {
      const auto bytes = records.bytes();
      auto* to = ring.reserve(bytes.size());
      std::memcpy(static_cast<void*>(to), bytes.data(), bytes.size());
      ring.publish(bytes.size());
    }
  };
  void rank(std::uint32_t version, const std::function<void(Rank&)>& body) {
    const pid_t pid = ::fork();
    if (pid == 0) {
      Rank me{connect_to_agent(name_.c_str()), {}};
      const int memory = make_ring_memory(kRingBytes);
      const RingMap map = map_ring(memory, kRingBytes);
      wire::Hello hello{wire::kHelloMagic, version, ::getpid(), 0, 3, 4, kRingBytes};
      send_hello(me.connection, hello, memory);
      const int bell = receive_bell(me.connection, 5000);
      if (bell < 0) ::_exit(9);
      me.ring.open(map, map_bell(bell), me.connection);
      body(me);
      ::kill(::getpid(), SIGKILL);
    }
    ::waitpid(pid, nullptr, 0);
  }
  Summary finish(int wait_status = 0) {
    EXPECT_TRUE(send_command(control_, {CommandKind::launcher_ended, wait_status, 1}));
    LineReader lines;
    char buffer[4096];
    for (ssize_t got; (got = ::recv(control_, buffer, sizeof(buffer), 0)) > 0;) {
      lines.add({buffer, static_cast<std::size_t>(got)});
      while (auto line = lines.next()) {
        if (line->kind != LineKind::summary) continue;
        auto summary = read_json(line->json);
        EXPECT_TRUE(summary.ok());
        if (summary.ok()) return std::move(*summary);
      }
    }
    ADD_FAILURE() << "no summary";
    return {};
  }
  static std::string gaps(const Summary& summary) {
    std::string text;
    for (const NotChecked& n : summary.not_checked) text += n.what + ": " + n.reason + "\n";
    return text;
  }

  std::string name_;
  pid_t agent_ = -1;
  int control_ = -1;
};

TEST_F(AgentTest, nobody_came) {
  const Summary summary = finish();
  EXPECT_EQ(summary.verdict, Verdict::inconclusive);
  EXPECT_EQ(gaps(summary), "MPI: no process called MPI: nothing was checked\n");
}

// Its first call waits for the bell, and sees that nobody is going to send it.
TEST_F(AgentTest, a_rank_does_not_wait_for_one_that_is_stopped) {
  constexpr int kForever = 3600'000, kPatience = 300;
  ::kill(agent_, SIGSTOP);
  const pid_t rank = ::fork();
  if (rank == 0) {
    const int connection = connect_to_agent(name_.c_str());
    if (connection < 0 || peer_of(connection) != agent_) ::_exit(1);
    const wire::Hello hello{wire::kHelloMagic, wire::kWireVersion, ::getpid(), 0, 0, 1, kRingBytes};
    if (!send_hello(connection, hello, make_ring_memory(kRingBytes))) ::_exit(2);
    ::_exit(receive_bell(connection, kForever, kPatience) < 0 ? 0 : 3);
  }
  int status = -1;
  ::waitpid(rank, &status, 0);
  EXPECT_EQ(status, 0);
  ::kill(agent_, SIGCONT);
  finish();
}

TEST_F(AgentTest, a_rank_of_another_version_is_sent_away) {
  rank(wire::kWireVersion + 1, [](Rank&) {});
  const Summary summary = finish();
  EXPECT_EQ(
      gaps(summary),
      fmt::format(
          "rank 3: its libvouch.so writes records of version {}, this vouch reads version {}: use "
          "the two that came together\n",
          wire::kWireVersion + 1, wire::kWireVersion));
}

TEST_F(AgentTest, what_a_killed_rank_had_published_is_read) {
  rank(wire::kWireVersion, [](Rank& me) {
    TestRing records;
    records.meta(wire::Meta::world, 1, {3, 4, 32767, 0, 0});
    records.enter(Proc::init, 2);
    records.enter(Proc::barrier, 3);
    me.publish(records);
  });
  const Summary summary = finish((128 + SIGKILL) << 8);
  ASSERT_EQ(summary.findings.size(), 1u);
  EXPECT_EQ(summary.findings[0].rule, "crash/signal");
  EXPECT_EQ(summary.findings[0].locations[0].call, "MPI_Barrier");
  EXPECT_EQ(summary.ranks, 4);
  EXPECT_NE(gaps(summary).find("ranks 0-2: never seen"), std::string::npos) << gaps(summary);
}

TEST_F(AgentTest, polls_that_a_killed_rank_had_only_counted_are_in_the_schedule) {
  rank(wire::kWireVersion, [](Rank& me) {
    TestRing records;
    records.meta(wire::Meta::world, 1, {3, 4, 32767, 0, 0});
    records.enter(Proc::init, 2);
    records.enter(Proc::iprobe, 3);
    records.leave(Proc::iprobe, 4, 3);
    records.enter(Proc::barrier, 5);
    me.publish(records);
    me.ring.header().polls.store(6);
  });
  EXPECT_EQ(finish((128 + SIGKILL) << 8).schedule, "A3=:nx7");
}

TEST_F(AgentTest, the_signal_is_the_one_that_the_kernel_names) {
  rank(wire::kWireVersion, [](Rank& me) {
    TestRing records;
    records.meta(wire::Meta::world, 1, {3, 4, 32767, 0, 0});
    records.enter(Proc::init, 2);
    me.publish(records);
    ::raise(SIGTERM);
  });
  const Summary summary = finish((128 + SIGTERM) << 8);
  ASSERT_EQ(summary.findings.size(), 1u);
  EXPECT_EQ(summary.findings[0].message, "signal 15 (SIGTERM) in MPI_Init");
}

// MPI_Init to MPI_Finalize, and no word of the end.
void whole_run(TestRing& records, bool finalized) {
  records.meta(wire::Meta::world, 1, {3, 4, 32767, 0, 0});
  records.enter(Proc::init, 2);
  records.leave(Proc::init, 3, 2, {0});
  if (!finalized) return;
  records.enter(Proc::finalize, 4);
  records.leave(Proc::finalize, 5, 4, {0});
}

TEST_F(AgentTest, a_rank_that_exits_without_a_record_was_not_killed) {
  rank(wire::kWireVersion, [](Rank& me) {
    TestRing records;
    whole_run(records, true);
    me.publish(records);
    ::_exit(0);
  });
  const Summary summary = finish();
  EXPECT_TRUE(summary.findings.empty());
  EXPECT_EQ(gaps(summary).find("rank 3"), std::string::npos) << gaps(summary);
}

TEST_F(AgentTest, a_rank_that_exits_unseen_amid_mpi_is_named_and_not_judged) {
  rank(wire::kWireVersion, [](Rank& me) {
    TestRing records;
    whole_run(records, false);
    me.publish(records);
    ::_exit(0);
  });
  const Summary summary = finish(1 << 8);
  EXPECT_TRUE(summary.findings.empty());
  EXPECT_NE(gaps(summary).find("rank 3: it exited with status 0 and its last calls are not known"),
            std::string::npos)
      << gaps(summary);
}

TEST_F(AgentTest, a_rank_that_fails_unseen_amid_mpi_has_exited) {
  rank(wire::kWireVersion, [](Rank& me) {
    TestRing records;
    whole_run(records, false);
    me.publish(records);
    ::_exit(3);
  });
  const Summary summary = finish(3 << 8);
  ASSERT_EQ(summary.findings.size(), 1u);
  EXPECT_EQ(summary.findings[0].rule, "crash/exit");
}

TEST_F(AgentTest, a_rank_that_dies_with_its_launcher_has_done_nothing_wrong) {
  rank(wire::kWireVersion, [](Rank& me) {
    TestRing records;
    records.enter(Proc::init, 1);
    records.enter(Proc::barrier, 2);
    me.publish(records);
  });
  const Summary summary = finish(SIGKILL);  // as a wait status: killed by it
  EXPECT_TRUE(summary.findings.empty());
  EXPECT_NE(
      gaps(summary).find("rank 3: it was in MPI_Barrier when the launcher was killed by SIGKILL"),
      std::string::npos)
      << gaps(summary);
}

// mpirun may die of it.
TEST_F(AgentTest, a_rank_that_aborts_has_done_so_even_if_its_launcher_is_killed) {
  rank(wire::kWireVersion, [](Rank& me) {
    TestRing records;
    records.enter(Proc::init, 1);
    records.enter(Proc::abort, 2);
    me.publish(records);
  });
  const Summary summary = finish(SIGSEGV);
  ASSERT_EQ(summary.findings.size(), 1u);
  EXPECT_EQ(summary.findings[0].rule, "crash/abort");
}

// Open MPI exits so as soon as mpirun is gone; the news of that may take a while.
TEST_F(AgentTest, a_rank_that_its_library_ends_with_the_launcher_has_done_nothing_wrong) {
  rank(wire::kWireVersion, [](Rank& me) {
    TestRing records;
    whole_run(records, false);
    records.meta(wire::Meta::exit, 9, {static_cast<std::uint64_t>(-61), 0});
    me.publish(records);
    ::_exit(195);
  });
  ::usleep(300'000);
  const Summary summary = finish(SIGKILL);
  EXPECT_TRUE(summary.findings.empty());
}

TEST_F(AgentTest, a_ring_that_is_no_ring_is_named) {
  rank(wire::kWireVersion, [](Rank& me) {
    TestRing records;
    records.enter(Proc::init, 1);
    me.publish(records);
    me.ring.header().head.store(std::uint64_t{1} << 60);  // the program wrote there
  });
  EXPECT_NE(gaps(finish()).find("its records are damaged"), std::string::npos);
}

TEST_F(AgentTest, it_ends_when_vouch_is_gone) {
  ::close(control_);
  control_ = -1;
  int status = 0;
  EXPECT_EQ(::waitpid(agent_, &status, 0), agent_);
  EXPECT_TRUE(WIFEXITED(status));
}

}  // namespace
}  // namespace vouch
