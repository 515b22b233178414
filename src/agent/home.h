// The agent that vouch has started, alone or as the root of others: it obeys vouch, judges deaths,
// and reports what is found.

#pragma once

#include <string>
#include <vector>

#include "agent/rank_host.h"
#include "agent/role.h"

namespace vouch {

class Home : public AgentRole {
 public:
  bool lost() const override { return vouch_gone_; }
  int exit_status() const override { return delivered_ ? 0 : 1; }
  void on_finding(const Finding&) override;
  void on_deaths(std::vector<Deaths::Death> batch) override;
  void on_control() override;
  void judge_deaths() override { judge(false); }
  void look_about(std::size_t read) override;

 protected:
  explicit Home(RankHost& host) : host_(host) {}
  virtual void on_command(const Command&) = 0;
  // What counts only when all agents have obeyed.
  void all_obeyed(const Command&);
  // Deaths that can be judged by now, or all.
  void judge(bool all);
  virtual bool ranks_missing() const { return host_.ranks_missing(); }
  virtual void tell_judgement(const Judgement& judged, std::size_t /*process*/) {
    host_.tell_end(judged);
  }
  virtual std::string dead_name(std::size_t process);
  // Ranks that may be stuck.
  virtual bool time_to_look(std::size_t read, Clock::time_point now);
  Task<> look_for_stuck(Clock::time_point now);
  virtual Task<std::string> tell_others_stuck(const std::vector<int>& stuck);
  void deliver(const Summary&);

  RankHost& host_;
  Clock::time_point looked_{};  // for ranks that are stuck

 private:
  int blames(const Command&) const;

  bool vouch_gone_ = false, delivered_ = false;
  int named_ = 0;  // a process, by the launcher's words
  std::string command_bytes_;
};

}  // namespace vouch
