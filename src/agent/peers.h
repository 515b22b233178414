// The agents of the other nodes, as one of them sees them (docs/design/006-tree.md).
//
// The root knows vouch and the launcher. It waits until all ranks of MPI_COMM_WORLD have come to
// some agent, then tells all who watches whom; before that nobody reads a record, so that nobody
// takes a rank for missing that is only elsewhere. If all ranks came to the root itself there is
// nobody to talk to, and the mesh is given up.
//
// Everything happens in pump(), by calls of PeersEvents. The agent's loop calls it
// (MeshRole::talk), and nothing that happens may call it again.

#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/packets.h"
#include "base/result.h"
#include "net/mesh.h"

namespace vouch {

class PeersEvents {
 public:
  virtual ~PeersEvents() = default;
  virtual void on_joined() = 0;  // we have a number
  virtual void on_open(const MeshPlan&, int self) = 0;
  virtual void on_message(int from, Packet, std::string_view bytes) = 0;
  // An agent is gone. Of node 0: we are alone.
  virtual void on_lost(int node, const std::string& host, const std::string& why) = 0;
};

class Peers : public Wire, private net::Listener {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr auto kGathering = std::chrono::seconds(20);

  // `interface`: as net::choose.
  static Result<std::unique_ptr<Peers>> found(PeersEvents&, const std::string& interface);
  static Result<std::unique_ptr<Peers>> join(PeersEvents&, const net::Invitation&);
  std::string invitation() const { return mesh_->invitation().text(); }

  bool root() const { return root_; }
  int self() const { return mesh_->self(); }
  int nodes() const { return mesh_->nodes(); }
  bool lost(int node) const { return mesh_->lost(node); }
  bool joined() const { return mesh_->self() >= 0; }
  bool open() const { return open_; }
  bool closed() const { return mesh_->state() == net::Mesh::State::closed; }
  bool room() const { return mesh_->room(); }
  int descriptor() const { return mesh_->descriptor(); }

  // One of our ranks has come, as its launcher calls it; -1: it does not say.
  void came(int rank, int size);
  enum class Ready : std::uint8_t {
    waiting,
    alone,   // all came to us
    opened,  // others are there: on_open follows
  };
  // On the root. `must`: whoever is not there by now will not come.
  Ready look(bool must, const wait::Buffering&, std::uint64_t most_unexpected, bool ends_deadlocks,
             int fanout);
  std::vector<int> ranks_of(int node) const;
  const std::string& host_of(int node) const { return hosts_.at(node); }

  void tell(int node, Packet, std::string_view bytes = {}, net::Lane = net::Lane::urgent);
  void send(int node, net::Lane lane, Packet packet, std::string_view bytes) override {
    tell(node, packet, bytes, lane);
  }
  void tell_root(Packet packet, std::string_view bytes = {}, net::Lane lane = net::Lane::urgent) {
    tell(0, packet, bytes, lane);
  }
  void tell_all(Packet, std::string_view bytes = {});  // but ourselves

  // Does what is due; waits at most so long for something to happen.
  bool pump(std::chrono::milliseconds timeout);
  // On the root: all may go; closed() once they have.
  void end() { mesh_->end(); }
  // On the root: a rank of this agent has come.
  bool take_came(int node, std::string_view bytes);

 private:
  Peers(PeersEvents& events, bool root) : events_(events), root_(root) {}
  void on_joined(int node, const std::string& host) override;
  void on_open(std::string_view plan) override;
  void on_message(int from, net::Type, std::string_view bytes) override;
  void on_lost(int node, const std::string& why) override;
  void note(int node, const Came&);

  PeersEvents& events_;
  const bool root_;
  std::unique_ptr<net::Mesh> mesh_;
  std::map<int, std::string> hosts_;
  std::vector<Came> unsaid_;  // while joining
  std::vector<int> owners_;   // by rank, -1: not come; on the root
  bool sizeless_ = false;     // one came that does not know how many they are
  bool opening_ = false, open_ = false, pumping_ = false;
  std::optional<Clock::time_point> first_came_;
};

}  // namespace vouch
