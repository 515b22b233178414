// An agent that a rank of another node has started. It says to the root what happens on its node,
// does what the root says, and ends when the root has its last word.

#pragma once

#include <memory>

#include "agent/mesh_role.h"
#include "agent/rank_host.h"
#include "agent/role.h"
#include "base/result.h"

namespace vouch {

class Guest final : public AgentRole, private MeshRole {
 public:
  // An error if the invitation leads nowhere.
  static Result<std::unique_ptr<Guest>> join(RankHost&);

  bool lost() const override { return root_lost_; }
  int exit_status() const override { return peers_->closed() ? 0 : 1; }
  void on_finding(const Finding&) override;
  bool on_rank(int rank, int size) override;
  void on_deaths(std::vector<Deaths::Death>) override;
  void talk() override;
  bool awaits() const override { return ending_.under_way(); }
  bool may_read() const override { return AgentRole::may_read() && peers_->room(); }
  void look_about(std::size_t read) override;
  bool has_others() const override { return true; }
  bool finished() override { return stage() == JobStage::concluding; }
  void end() override;
  void add_gaps() override { links_->tell_unsent(host_.collector()); }

 private:
  explicit Guest(RankHost& host) : MeshRole(host), host_(host) {}

  // MeshRole.
  JobStage its_stage() const override { return stage(); }
  void on_joined() override { host_.reception().give_bells(); }
  void on_open(const MeshPlan&, int self) override;
  void on_lost(int node, const std::string& host, const std::string& why) override;
  bool take(int from, Packet, std::string_view bytes) override;
  bool take_judged(int from, Packet, std::string_view bytes);
  bool take_command(int from, Packet, std::string_view bytes);
  bool take_conclude(int from, Packet, std::string_view bytes);
  bool take_tolerate(int from, Packet, std::string_view bytes);
  bool take_ask(int from, Packet, std::string_view bytes);
  bool take_blame(int from, Packet, std::string_view bytes);
  bool take_stuck(int from, Packet, std::string_view bytes);
  bool take_flush_waves(int from, Packet, std::string_view bytes);
  bool take_close(int from, Packet, std::string_view bytes);
  bool take_tally(int from, Packet, std::string_view bytes);

  void say_clock(Clock::time_point now);
  void say_over();
  void say_quiet(std::size_t read, Clock::time_point now);
  StatusNotice status_of(int rank, bool with_stack);
  Task<> say_the_rest();

  RankHost& host_;
  Clock::time_point born_ = Clock::now(), last_read_ = Clock::now(), looked_{}, said_clock_{};
  bool said_over_ = false, said_quiet_ = false, said_closed_ = false;
  bool root_lost_ = false;
  Task<> ending_;
};

}  // namespace vouch
