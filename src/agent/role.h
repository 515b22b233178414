// What an agent is in its job.
//
// Alone: it watches all ranks. Root: others watch some of them; it is the one that vouch started,
// knows the launcher, judges and reports. Guest: a rank of another node has started it; it says to
// the root what happens on its node. What they have in common, a node with its ranks, is the
// RankHost; what is different is here and in alone.h, root.h, guest.h.

#pragma once

#include <string>
#include <vector>

#include "agent/channel.h"
#include "agent/deaths.h"
#include "agent/stage.h"
#include "base/task.h"
#include "report/finding.h"

namespace vouch {

class RankProcess;

class AgentRole {
 public:
  virtual ~AgentRole() = default;
  AgentRole(const AgentRole&) = delete;
  AgentRole& operator=(const AgentRole&) = delete;

  JobStage stage() const { return stage_; }
  // To be left without a word: nobody would hear it.
  virtual bool lost() const = 0;
  virtual int exit_status() const = 0;

  // What happens on this node ------------------------------------------------
  virtual void on_finding(const Finding&) = 0;
  // A rank has come, as its launcher calls it; -1: it does not say. False: it must wait for its
  // bell.
  virtual bool on_rank(int /*rank*/, int /*size*/) { return true; }
  virtual void on_deaths(std::vector<Deaths::Death>) = 0;
  virtual void on_control() {}  // vouch says something

  // One turn of the agent's loop ------------------------------------------------
  // Talks to other agents, if there are any.
  virtual void talk() {}
  // It turned out that there are none.
  virtual bool is_alone() const { return false; }
  // Others have to answer first: nothing is read, and nothing else happens.
  virtual bool awaits() const { return false; }
  // They have room for what follows from more records.
  virtual bool may_read() const { return stage_ >= JobStage::running; }
  // After records were read and deaths noticed.
  virtual void judge_deaths() {}
  // At the end of the turn; so many bytes were read.
  virtual void look_about(std::size_t read) = 0;
  virtual bool has_others() const { return false; }
  // All ranks have ended; what is left is to come to an end, or to begin with it.
  virtual bool finished() = 0;
  virtual void end() = 0;
  // Gaps that only it knows, before the summary is made.
  virtual void add_gaps() {}

 protected:
  AgentRole() = default;
  void enter(JobStage stage) { stage_ = stage; }

 private:
  JobStage stage_ = JobStage::gathering;
};

}  // namespace vouch
