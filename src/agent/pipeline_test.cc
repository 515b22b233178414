#include "agent/pipeline.h"

#include <string>

#include <gtest/gtest.h>

#include "agent/test_records.h"

namespace vouch {
namespace {

// Writes down what it is told.
class Scribe : public Analysis, public MetaListener {
 public:
  Scribe(World& world, Sink& sink, std::string& text) : Analysis(world, sink), text_(text) {}
  Wants wants(Proc proc) const override {
    return {proc != Proc::comm_rank, proc != Proc::comm_rank};
  }
  void on_enter(Process&, Call& call) override { add("+", call); }
  void on_leave(Process&, Call& call, const Event& leave) override {
    add(leave.error_class() == 0 ? "-" : "!", call);
  }
  void on_policy(Process&, int thread, const Event& meta) override {
    text_ += (text_.empty() ? "" : " ") + std::to_string(meta.word(0)) + " polls of " +
             std::to_string(thread);
  }
  void on_end(Process& process) override {
    static constexpr const char* kEnds[] = {"alive", "exited", "signalled", "killed", "detached"};
    text_ += std::string(text_.empty() ? "" : " ") + kEnds[static_cast<int>(process.end)];
    if (process.killed_from_outside) text_ += "*";
    for (const Thread& t : process.threads) {
      if (t.depth > 0)
        text_ += std::string(" in ") + t.calls[static_cast<std::size_t>(t.depth) - 1].info().name;
    }
  }

 private:
  void add(const char* sign, const Call& call) {
    text_ += (text_.empty() ? "" : " ") + (sign + std::string(call.info().name).substr(4));
  }
  std::string& text_;
};

class TestSink : public Sink {
 public:
  void report(Report) override {}
  void not_checked(NotChecked n) override {
    gaps += n.what + ": " + n.reason + " (" + std::to_string(n.count) + ")\n";
  }
  std::string gaps;
};

class PipelineTest : public testing::Test {
 protected:
  PipelineTest() {
    Analyses all;
    all.add<Scribe>(world_, sink_, text_);
    pipeline_ = std::make_unique<Pipeline>(world_, sites_, sink_, std::move(all));
    process_ = pipeline_->add_process(100, WorldRank{0});
    lane_ = pipeline_->add_thread(process_, 0);
  }
  std::string feed() {
    ring_.consume(pipeline_->feed(process_, lane_, ring_.bytes()));
    EXPECT_TRUE(ring_.empty());
    return std::exchange(text_, {});
  }

  World world_;
  SiteTable sites_;
  TestSink sink_;
  std::string text_;
  std::unique_ptr<Pipeline> pipeline_;
  std::size_t process_ = 0, lane_ = 0;
  TestRing ring_;
};

TEST_F(PipelineTest, a_call_without_leave_record_returns_with_the_next_one) {
  ring_.enter(Proc::barrier, 1);
  EXPECT_EQ(feed(), "+Barrier");
  ring_.enter(Proc::barrier, 2);
  EXPECT_EQ(feed(), "-Barrier +Barrier");
  pipeline_->returned(process_, lane_, 1);  // old news
  EXPECT_EQ(text_, "");
  pipeline_->returned(process_, lane_, 2);
  EXPECT_EQ(text_, "-Barrier");
}

TEST_F(PipelineTest, a_leave_record_ends_its_call) {
  ring_.enter(Proc::barrier, 1);
  ring_.leave(Proc::barrier, 2, 1, 5);
  ring_.enter(Proc::barrier, 3);
  EXPECT_EQ(feed(), "+Barrier !Barrier +Barrier");
}

// What is malformed is a gap of its rank; the others are read on.
TEST_F(PipelineTest, a_leave_record_of_another_procedure_ends_the_lane) {
  const std::size_t other = pipeline_->add_process(101, WorldRank{1});
  const std::size_t lane = pipeline_->add_thread(other, 0);
  ring_.enter(Proc::barrier, 1);
  ring_.leave(Proc::comm_dup, 2, 1);
  ring_.enter(Proc::barrier, 3);
  EXPECT_EQ(feed(), "+Barrier");
  EXPECT_EQ(sink_.gaps,
            "rank 0: its records are damaged: the program wrote into memory of vouch (1)\n");
  EXPECT_TRUE(world_.process(process_).lossy);
  TestRing second;
  second.enter(Proc::barrier, 1);
  second.enter(Proc::barrier, 2);
  pipeline_->feed(other, lane, second.bytes());
  EXPECT_EQ(text_, "+Barrier -Barrier +Barrier");
  EXPECT_FALSE(world_.process(other).lossy);
}

TEST_F(PipelineTest, a_failed_call_that_tells_nothing_else_has_no_results) {
  ring_.enter(Proc::comm_dup, 1);
  ring_.add(wire::Phase::leave, static_cast<std::uint16_t>(Proc::comm_dup), 2, 1, {5});
  EXPECT_EQ(feed(), "+Comm_dup !Comm_dup");
  EXPECT_EQ(sink_.gaps, "");
}

TEST_F(PipelineTest, calls_of_a_callback_nest) {
  ring_.enter(Proc::allreduce, 1);
  ring_.enter(Proc::barrier, 2, {}, wire::kFlagCallback);
  ring_.enter(Proc::barrier, 3, {}, wire::kFlagCallback);
  EXPECT_EQ(feed(), "+Allreduce +Barrier -Barrier +Barrier");
  ring_.enter(Proc::barrier, 4);
  EXPECT_EQ(feed(), "-Barrier -Allreduce +Barrier");
}

TEST_F(PipelineTest, a_leave_record_of_the_outer_call_ends_the_inner_ones) {
  ring_.enter(Proc::comm_free, 1);
  ring_.enter(Proc::barrier, 2, {}, wire::kFlagCallback);
  ring_.leave(Proc::comm_free, 3, 1, 5);
  EXPECT_EQ(feed(), "+Comm_free +Barrier -Barrier !Comm_free");
}

TEST_F(PipelineTest, nobody_is_told_of_what_nobody_wants) {
  ring_.enter(Proc::comm_rank, 1);
  ring_.enter(Proc::barrier, 2);
  EXPECT_EQ(feed(), "+Barrier");
  EXPECT_EQ(pipeline_->statistics(0, 0)[1].second, 2u);  // but it counts
}

TEST_F(PipelineTest, threads_have_their_own_open_calls) {
  const std::size_t other = pipeline_->add_thread(process_, 1);
  ring_.enter(Proc::barrier, 1);
  feed();
  TestRing second;
  second.enter(Proc::allreduce, 2);
  second.consume(pipeline_->feed(process_, other, second.bytes()));
  ring_.enter(Proc::barrier, 3);
  feed();
  const auto& threads = world_.process(process_).threads;
  EXPECT_EQ(threads[0].calls[0].seq(), 3u);
  EXPECT_EQ(threads[1].calls[0].seq(), 2u);
  EXPECT_TRUE(threads[1].calls[0].is_open);
}

TEST_F(PipelineTest, a_poll_that_was_never_published_is_where_it_died) {
  ring_.enter(Proc::barrier, 1);
  feed();
  pipeline_->returned(process_, lane_, 1);
  text_.clear();
  TestRing poll;
  poll.enter(Proc::test, 0);
  pipeline_->tentative(process_, lane_, poll.bytes());
  EXPECT_EQ(pipeline_->told(process_), End::killed);
  pipeline_->end(process_, pipeline_->told(process_), false);
  EXPECT_EQ(text_, "+Test killed in MPI_Test");
}

TEST_F(PipelineTest, polls_that_a_process_did_not_announce_are_counted_once) {
  const std::size_t other = pipeline_->add_thread(process_, 1);
  ring_.meta(wire::Meta::polls, 1, {3});
  EXPECT_EQ(feed(), "3 polls of 0");
  pipeline_->polls(process_, lane_, 3);
  EXPECT_EQ(feed(), "");
  pipeline_->polls(process_, lane_, 5);
  pipeline_->polls(process_, lane_, 5);
  pipeline_->polls(process_, other, 1);
  EXPECT_EQ(feed(), "2 polls of 0 1 polls of 1");
}

TEST_F(PipelineTest, what_a_process_tells_of_its_end) {
  ring_.enter(Proc::barrier, 1);
  ring_.meta(wire::Meta::exit, 2, {3, 0});
  feed();
  EXPECT_EQ(pipeline_->told(process_), End::exited);
  pipeline_->end(process_, End::exited, true);
  EXPECT_EQ(world_.process(process_).exit_status, 3);
  EXPECT_EQ(text_, "exited* in MPI_Barrier");

  const std::size_t other = pipeline_->add_process(101, WorldRank{1});
  const std::size_t lane = pipeline_->add_thread(other, 0);
  ring_.meta(wire::Meta::signal, 1, {11, 0, 0, 0, 0});
  pipeline_->feed(other, lane, ring_.bytes());
  EXPECT_EQ(pipeline_->told(other), End::signalled);
}

// A handler that can only say so ends the process with a status of failure.
TEST_F(PipelineTest, a_signal_that_the_program_has_handled) {
  for (const std::uint64_t status : {0, 3}) {
    const std::size_t process = pipeline_->add_process(100, WorldRank{0});
    const std::size_t lane = pipeline_->add_thread(process, 0);
    TestRing ring;
    ring.meta(wire::Meta::signal, 1, {11, 0, 0, 0, 0});
    ring.meta(wire::Meta::exit, 2, {status, 0});
    pipeline_->feed(process, lane, ring.bytes());
    EXPECT_EQ(pipeline_->told(process), status == 0 ? End::exited : End::signalled);
    EXPECT_EQ(pipeline_->signal(process), status == 0 ? 0 : 11);
  }
}

TEST_F(PipelineTest, gaps_are_named) {
  ring_.meta(wire::Meta::world, 1, {0, 4, 32767, 0, 0});
  ring_.meta(wire::Meta::lost, 2,
             {7, static_cast<std::uint64_t>(wire::LossReason::record_too_large)});
  ring_.meta(wire::Meta::lost, 3,
             {2, static_cast<std::uint64_t>(wire::LossReason::record_too_large)});
  feed();
  pipeline_->end(process_, End::exited, false);
  pipeline_->finish();
  EXPECT_NE(sink_.gaps.find("rank 0: calls were not recorded: their arguments were too large (9)"),
            std::string::npos)
      << sink_.gaps;
  EXPECT_NE(sink_.gaps.find("ranks 1-3: never seen"), std::string::npos) << sink_.gaps;
}

TEST_F(PipelineTest, damage_ends_one_lane_and_is_named_once) {
  ring_.add(wire::Phase::enter, 60000, 1, 0, {});
  feed();
  ring_.enter(Proc::barrier, 1);
  EXPECT_EQ(feed(), "");
  EXPECT_EQ(sink_.gaps,
            "rank 0: its records are damaged: the program wrote into memory of vouch (1)\n");
}

}  // namespace
}  // namespace vouch
