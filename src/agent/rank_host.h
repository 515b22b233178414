// What one node does: finds its ranks' rings and reads them, skips rounds, notices deaths, and says
// how far each rank got. It knows no other node; what becomes of what it notices, its AgentRole
// decides.
//
// rank_host.cc: rings and ranks; rank_host_end.cc: their ends.

#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/agent.h"
#include "agent/channel.h"
#include "agent/deaths.h"
#include "agent/hang_up_watch.h"
#include "agent/one_world.h"
#include "agent/packets.h"
#include "agent/pipeline.h"
#include "agent/ranks.h"
#include "agent/reception.h"
#include "agent/role.h"
#include "agent/rounds.h"
#include "agent/schedule_watch.h"
#include "agent/system_view.h"
#include "agent/trace_file.h"
#include "analysis/deadlock/deadlock.h"
#include "base/task.h"
#include "report/collector.h"
#include "source/site_table.h"

namespace vouch {

// Of the ranks of a node that live: some are not in MPI_Finalize, all are, there is none.
enum class NodeStanding : std::uint8_t { running, finalizing, gone };

class RankHost : private ReceptionEvents {
 public:
  explicit RankHost(const AgentOptions&);
  void serve(AgentRole& role) { role_ = &role; }

  // Its parts ------------------------------------------------
  const AgentOptions& options() const { return options_; }
  World& world() { return world_; }
  const World& world() const { return world_; }
  SiteTable& sites() { return sites_; }
  Collector& collector() { return collector_; }
  Pipeline& pipeline() { return pipeline_; }
  DeadlockSearch& search() { return *pipeline_.analyses().deadlock; }
  Deaths& deaths() { return deaths_; }
  Reception& reception() { return reception_; }
  SystemView& system() { return system_; }
  const std::vector<std::unique_ptr<RankProcess>>& ranks() const { return ranks_; }

  // One turn of the loop ------------------------------------------------
  void step();
  std::size_t read_rings();  // bytes
  void bury();
  void end_leftovers();
  void let_go_on(std::size_t read);
  void keep_trace(std::size_t read);
  void sleep(std::size_t read);
  // What has come by now: new ranks, deaths.
  void catch_up();

  // Something about this node's ranks that others must be asked first. One at a time; as long as it
  // is under way no ring is read.
  void ask(Task<> question);
  bool asks() const { return question_.under_way(); }

  // Looks at ranks that may be stuck ------------------------------------------------
  bool can_be_stuck() const {
    return pipeline_.analyses().looks_for_deadlocks && dying_.empty() && deaths_.empty() &&
           stopped_.empty();
  }
  Pause pause(Clock::time_point now);
  void settle_ranks();  // calls that left no record
  std::string how_to_look_at(const std::vector<int>& stuck) const;
  void note_stuck(const std::vector<int>& stuck);

  // The launcher, and what vouch says ------------------------------------------------
  void obey(const Command&);
  bool killed_launcher(const Command&) const;
  bool launcher_ended() const { return launcher_.ended.has_value(); }
  bool launcher_long_gone() const;
  const std::string& stopped() const { return stopped_; }

  // Ends ------------------------------------------------
  void tell_end(const Judgement&);
  std::size_t alive() const;
  bool all_read() const { return alive() == 0 && dying_.empty(); }
  NodeStanding standing();
  bool orderly() const;        // as analyses ask whether what a process left undone is a finding
  bool ranks_missing() const;  // on a job's only node
  bool filling() const;        // ranks are about to wait for room
  // Those that would not die: what there is of them is read.
  std::vector<Deaths::Death> drain();
  Summary conclude(bool alone);
  void stop();  // wants no more records

 private:
  bool on_ring(int pid, int fd, std::ptrdiff_t& rank, const wire::Hello&, int memfd) override;
  bool on_forked_call(int child, const ForkedCall&) override;
  void on_hang_up(std::size_t rank) override;
  void on_death(std::size_t rank) override;
  void on_control() override { role_->on_control(); }
  void on_refused(const std::string& who, const std::string& why) override;

  std::size_t add_rank(int pid, int fd, const wire::Hello&);
  void name_process(std::size_t number);
  void name_worlds(Summary&);
  bool are_apart(const Process&);
  std::size_t go_on();
  bool holds_back(RankProcess&, Clock::time_point now);
  bool waits(RankProcess&);
  Task<> let_go(std::vector<std::size_t> ranks);
  Deaths::Death read_death(RankProcess&, Clock::time_point now);
  void where(RankProcess&, const std::string& when);
  End unknown_end(const RankProcess&, End how);

  struct Launcher {
    std::optional<Clock::time_point> ended;
    int status = 0;      // as waitpid gives it
    int terminated = 0;  // of ranks that outlived it: 1: TERM was sent, 2: KILL
  };

  const AgentOptions& options_;
  AgentRole* role_ = nullptr;
  OneWorld one_world_;
  std::vector<int> told_sizes_;  // by process: how many its launcher says there are
  SiteTable sites_;
  Collector collector_;
  World world_;
  ScheduleWatch* schedule_ = nullptr;  // the pipeline's
  Pipeline pipeline_;
  Rounds rounds_;
  TraceFile trace_;
  SystemView system_;
  Deaths deaths_;
  Reception reception_;
  HangUpWatch hang_ups_;
  std::vector<std::unique_ptr<RankProcess>> ranks_;  // by number in World
  std::vector<std::size_t> dying_;                   // noticed, not yet read to the end
  int sleep_ms_ = 1;
  std::string stopped_;  // "when the time limit of 5 s was reached"
  Launcher launcher_;
  std::vector<std::uint64_t> polls_;
  std::optional<Clock::time_point> quiet_since_;  // while a rank is held back
  Task<> question_;
};

}  // namespace vouch
