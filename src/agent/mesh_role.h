// What a root and its guests do alike: they talk over the mesh, take each other's packets, and come
// to the end together.
//
// All of it happens in talk(), which the agent's loop calls: it is the only place that pumps the
// mesh. What has to wait for others is a task that is taken up there when they have answered.

#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "agent/inquiry.h"
#include "agent/links.h"
#include "agent/packet_table.h"
#include "agent/peers.h"
#include "agent/rank_host.h"
#include "base/task.h"

namespace vouch {

class MeshRole : protected PeersEvents {
 public:
  virtual ~MeshRole() = default;

 protected:
  explicit MeshRole(RankHost& host) : node_(host) {}
  // Once the mesh is there.
  void begin(std::unique_ptr<Peers>);

  // Sends, receives, and lets tasks go on; waits at most so long for something to come.
  void talk_for(std::chrono::milliseconds);
  void open_links(const MeshPlan&, int self);
  // What is still open is decided, and told to those whom it concerns; what comes behind is a mark.
  void close_facts();
  bool all_flushed() const;
  // An agent is gone: no state is whole any more. True: this is news.
  bool lose_sight();
  bool any_lost() const;
  bool blind() const { return blind_; }

  // A packet of packets.def is taken by the function named there. False: it cannot be read.
  void on_message(int from, Packet, std::string_view bytes) final;
  virtual bool take(int from, Packet, std::string_view bytes) = 0;
  virtual JobStage its_stage() const = 0;
  // How long nobody has called anything, on any node.
  virtual std::chrono::nanoseconds all_quiet_for() const { return {}; }
  // Whoever sends what nobody may send now, or what cannot be read, has lost its way: the packet is
  // left out, and the report says so.
  void on_protocol_error(int from, const char* packet);

  bool take_wait(int from, Packet, std::string_view bytes);
  bool take_message(int from, Packet p, std::string_view b) { return links_->take(from, p, b); }
  bool take_part(int from, Packet p, std::string_view b) { return links_->take(from, p, b); }
  bool take_file(int from, Packet p, std::string_view b) { return links_->take(from, p, b); }
  bool take_moment(int from, Packet p, std::string_view b) { return links_->take(from, p, b); }
  bool take_flushed(int from, Packet, std::string_view bytes);

  std::unique_ptr<Peers> peers_;
  // Once the mesh is open.
  std::unique_ptr<Inquiry> inquiry_;
  std::unique_ptr<Links> links_;
  WaitPoint waits_;  // of tasks, for other agents

 private:
  void work();

  RankHost& node_;
  std::set<int> flushed_;   // agents that have said all of their messages
  std::set<int> confused_;  // agents that have made a protocol error
  bool blind_ = false;
};

}  // namespace vouch
