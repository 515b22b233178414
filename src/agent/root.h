// The agent that vouch has started, where agents on other nodes watch some of the ranks. It waits
// until it is known who watches whom, passes on what vouch says, judges the deaths of all nodes,
// asks who is stuck, and brings all to one end and one report.

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/home.h"
#include "agent/mesh_role.h"
#include "agent/quiet_watch.h"
#include "base/result.h"

namespace vouch {

class Root final : public Home, private MeshRole {
 public:
  // An error if others cannot reach this node.
  static Result<std::unique_ptr<Root>> found(RankHost&);
  std::string invitation() const { return peers_->invitation(); }  // for the others

  bool on_rank(int rank, int size) override;
  void talk() override;
  bool is_alone() const override { return alone_; }
  bool awaits() const override { return host_.asks() || ending_.under_way(); }
  bool may_read() const override { return Home::may_read() && peers_->room(); }
  bool has_others() const override { return true; }
  bool finished() override;
  void end() override;
  void add_gaps() override;

 private:
  struct GuestAgent {
    std::vector<Finding> findings;   // what it has reported so far
    std::optional<Summary> summary;  // its last word
    bool over = false, obeyed = false, quiet = false, closed = false;
    std::optional<Tally> tally;
    NodeStanding standing = NodeStanding::running;  // when it became quiet
  };

  explicit Root(RankHost& host) : Home(host), MeshRole(host) {}

  // Home.
  void on_command(const Command&) override;
  void tell_judgement(const Judgement&, std::size_t process) override;
  std::string dead_name(std::size_t process) override;
  bool ranks_missing() const override { return !missing_.empty(); }
  bool time_to_look(std::size_t read, Clock::time_point now) override;
  Task<std::string> tell_others_stuck(const std::vector<int>& stuck) override;

  // MeshRole.
  JobStage its_stage() const override { return stage(); }
  std::chrono::nanoseconds all_quiet_for() const override { return quiet_.all_quiet_for(); }
  void on_joined() override {}
  void on_open(const MeshPlan&, int self) override;
  void on_lost(int node, const std::string& host, const std::string& why) override;
  void give_up_deadlocks();
  bool take(int from, Packet, std::string_view bytes) override;
  bool take_came(int from, Packet, std::string_view bytes);
  bool take_finding(int from, Packet, std::string_view bytes);
  bool take_death(int from, Packet, std::string_view bytes);
  bool take_clock(int from, Packet, std::string_view bytes);
  bool take_ready(int from, Packet, std::string_view bytes);
  bool take_over(int from, Packet, std::string_view bytes);
  bool take_summary(int from, Packet, std::string_view bytes);
  bool take_quiet(int from, Packet, std::string_view bytes);
  bool take_status(int from, Packet, std::string_view bytes);
  bool take_waves_out(int from, Packet, std::string_view bytes);
  bool take_closed(int from, Packet, std::string_view bytes);
  bool take_tallied(int from, Packet, std::string_view bytes);

  bool all_guests(const std::function<bool(const GuestAgent&)>&) const;  // that are not lost
  bool pressed(Clock::time_point now);
  bool all_finalizing();
  void gather();
  // The end (root_end.cc).
  Task<> end_together();
  Task<bool> close_together();
  Task<> await_moments();
  Summary joined(Summary mine);

  std::map<int, GuestAgent> guests_;
  std::map<std::size_t, std::string> names_;  // of dead processes of other nodes (Deaths::Death)
  std::vector<int> missing_;                  // ranks that nobody watches
  std::optional<Command> obeying_;  // a command that all must have carried out before we go on
  Clock::time_point obeying_since_{};
  std::optional<Clock::time_point> pressed_since_;  // rings fill before they may be read
  QuietWatch quiet_;
  bool alone_ = false;  // all ranks are here: the mesh is given up
  bool orderly_elsewhere_ = true;
  Task<> ending_;
};

}  // namespace vouch
