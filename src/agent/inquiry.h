// What the root asks the agents of other ranks while it looks for deadlocks.

#pragma once

#include <chrono>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "agent/packets.h"
#include "agent/peers.h"
#include "agent/wait_link.h"
#include "analysis/deadlock/remote_ranks.h"
#include "model/world.h"
#include "report/collector.h"

namespace vouch {

class Inquiry final : public RemoteRanks {
 public:
  Inquiry(Peers& peers, const World& world, Collector& collector,
          std::function<std::chrono::nanoseconds()> quiet_for)
      : peers_(peers), world_(world), collector_(collector), quiet_for_(std::move(quiet_for)) {}
  // Before the first question.
  void use(WaitLink& places) { places_ = &places; }

  void tolerate(wait::Label) override;
  void gather_waves(const std::vector<int>& stuck) override;
  bool waves_gathered() override;
  void ask(const wait::RankSet&) override;
  bool answered() override { return answers_.size() >= asked_; }
  std::vector<RankStatus> take_answers() override;
  std::chrono::nanoseconds quiet_for() override { return quiet_for_(); }
  void blame(int rank, Site, const std::string& text) override;

  // Packets. False: it cannot be read.
  bool take_status(int from, std::string_view bytes);
  void take_waves_out(int from) { waves_out_.insert(from); }
  // How to look at those that were asked for, as RankHost::how_to_look_at says it.
  std::string how_to_look_at_them() const;

 private:
  Peers& peers_;
  const World& world_;
  Collector& collector_;
  const std::function<std::chrono::nanoseconds()> quiet_for_;
  WaitLink* places_ = nullptr;
  std::set<int> waves_out_;  // agents that have told their open collectives
  std::vector<std::pair<int, StatusNotice>> answers_;  // with the node they come from
  std::size_t asked_ = 0;                              // ranks
};

}  // namespace vouch
