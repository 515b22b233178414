#include "agent/peers.h"

#include <algorithm>

#include "base/check.h"
#include "event/sound.h"

namespace vouch {

Result<std::unique_ptr<Peers>> Peers::found(PeersEvents& events, const std::string& interface) {
  net::Tuning tuning;
  tuning.interface = interface;
  auto mesh = net::Mesh::found(tuning);
  if (!mesh.ok()) return Error{mesh.error()};
  std::unique_ptr<Peers> peers(new Peers(events, true));
  peers->mesh_ = std::move(*mesh);
  return peers;
}

Result<std::unique_ptr<Peers>> Peers::join(PeersEvents& events, const net::Invitation& to) {
  auto mesh = net::Mesh::join(to);
  if (!mesh.ok()) return Error{mesh.error()};
  std::unique_ptr<Peers> peers(new Peers(events, false));
  peers->mesh_ = std::move(*mesh);
  return peers;
}

void Peers::came(int rank, int size) {
  if (root_) return note(0, {rank, size});
  if (!joined()) {
    unsaid_.push_back({rank, size});
  } else {
    tell_root(Packet::came, Came{rank, size}.bytes());
  }
}

void Peers::note(int node, const Came& came) {
  if (!first_came_) first_came_ = Clock::now();
  if (came.rank < 0 || came.size <= came.rank ||
      static_cast<std::uint64_t>(came.size) > kMostRanks) {
    sizeless_ = true;
    return;
  }
  if (owners_.size() < static_cast<std::size_t>(came.size))
    owners_.resize(static_cast<std::size_t>(came.size), -1);
  owners_[static_cast<std::size_t>(came.rank)] = node;
}

Peers::Ready Peers::look(bool must, const wait::Buffering& buffering, std::uint64_t most_unexpected,
                         bool ends_deadlocks, int fanout) {
  if (opening_) return Ready::opened;
  // Of a killed agent the ranks are nobody's.
  for (int& owner : owners_) {
    if (owner > 0 && lost(owner)) owner = -1;
  }
  const bool complete =
      !owners_.empty() && std::find(owners_.begin(), owners_.end(), -1) == owners_.end();
  const bool strangers = std::any_of(owners_.begin(), owners_.end(), [](int o) { return o > 0; });
  const bool late = first_came_ && Clock::now() - *first_came_ > kGathering;
  if (complete && !strangers) return Ready::alone;
  if (!complete && !must && !late && !(sizeless_ && owners_.empty() && nodes() == 1))
    return Ready::waiting;
  if (!strangers) return must || late || sizeless_ ? Ready::alone : Ready::waiting;
  MeshPlan plan;
  std::vector<int> owners = owners_;
  for (std::size_t r = 0; r < owners.size(); ++r) {
    if (owners[r] >= 0) continue;
    plan.missing.push_back(static_cast<int>(r));
    owners[r] = 0;
  }
  plan.layout.nodes = nodes();
  plan.layout.fanout = fanout;
  plan.layout.owners = std::make_shared<const std::vector<int>>(std::move(owners));
  plan.buffering = buffering;
  plan.most_unexpected = most_unexpected;
  plan.ends_deadlocks = ends_deadlocks;
  opening_ = true;
  mesh_->open(plan.bytes());
  return Ready::opened;
}

std::vector<int> Peers::ranks_of(int node) const {
  std::vector<int> ranks;
  for (std::size_t r = 0; r < owners_.size(); ++r) {
    if (owners_[r] == node) ranks.push_back(static_cast<int>(r));
  }
  return ranks;
}

void Peers::tell(int node, Packet packet, std::string_view bytes, net::Lane lane) {
  mesh_->send(node, lane, type_of(packet), bytes);
}

void Peers::tell_all(Packet packet, std::string_view bytes) {
  for (int node = 0; node < nodes(); ++node) {
    if (node != self()) tell(node, packet, bytes);
  }
}

bool Peers::pump(std::chrono::milliseconds timeout) {
  VOUCH_CHECK(!pumping_);
  pumping_ = true;
  bool any = false;
  // Once it has happened there may be more.
  for (int turn = 0; turn < 64 && mesh_->pump(*this, any ? std::chrono::milliseconds(0) : timeout);
       ++turn)
    any = true;
  pumping_ = false;
  return any;
}

void Peers::on_joined(int node, const std::string& host) {
  hosts_[node] = host;
  if (root_) return;
  for (const Came& came : std::exchange(unsaid_, {})) tell_root(Packet::came, came.bytes());
  events_.on_joined();
}

void Peers::on_open(std::string_view bytes) {
  const auto plan = MeshPlan::read(bytes, nodes());
  if (!plan) return events_.on_lost(0, "", "its plan is malformed");
  open_ = true;
  if (!root_) owners_ = *plan->layout.owners;
  events_.on_open(*plan, self());
}

bool Peers::take_came(int node, std::string_view bytes) {
  const auto came = Came::read(bytes);
  // Who comes later is known to his agent alone.
  if (came && !opening_) note(node, *came);
  return came.has_value();
}

void Peers::on_message(int from, net::Type type, std::string_view bytes) {
  events_.on_message(from, static_cast<Packet>(type), bytes);
}

void Peers::on_lost(int node, const std::string& why) {
  const auto host = hosts_.find(node);
  events_.on_lost(node, host == hosts_.end() ? "" : host->second, why);
}

}  // namespace vouch
