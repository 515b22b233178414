#include "agent/mesh_role.h"

#include <utility>

#include <fmt/format.h>

namespace vouch {

using std::chrono::milliseconds;

void MeshRole::begin(std::unique_ptr<Peers> peers) {
  peers_ = std::move(peers);
  node_.reception().watch_peers(peers_->descriptor());
}

void MeshRole::talk_for(milliseconds longest) {
  // What work gives others to do goes out at once.
  for (const milliseconds timeout : {longest, milliseconds(0)}) {
    peers_->pump(timeout);
    work();
  }
  node_.search().go_on();
  waits_.poll();
}

void MeshRole::work() {
  if (links_ == nullptr || blind_) return;
  while (node_.search().node().work()) {
  }
}

void MeshRole::open_links(const MeshPlan& plan, int self) {
  std::vector<int> owners = *plan.layout.owners;
  for (const int rank : plan.missing) owners[static_cast<std::size_t>(rank)] = -1;
  node_.world().spread(self, std::move(owners));
  if (self != 0) {
    const RestLimits limits = RestLimits::of(plan.most_unexpected);
    node_.search().set_limits(limits);
    node_.pipeline().facts().mailroom().set_limits(limits);
    node_.search().set_buffering(plan.buffering);
  }
  const LinkedParts parts{node_.world(), node_.sites(), node_.pipeline().facts(), node_.search(),
                          *node_.pipeline().analyses().io};
  inquiry_ = std::make_unique<Inquiry>(*peers_, node_.world(), node_.collector(),
                                       [this] { return all_quiet_for(); });
  links_ = std::make_unique<Links>(*peers_, plan, self, parts, *inquiry_);
  inquiry_->use(links_->waits());
}

void MeshRole::close_facts() {
  node_.pipeline().facts().close();
  for (int node = 0; node < peers_->nodes(); ++node) {
    if (node != peers_->self()) peers_->tell(node, Packet::flushed, {}, net::Lane::regular);
  }
}

bool MeshRole::all_flushed() const {
  for (int node = 0; node < peers_->nodes(); ++node) {
    if (node != peers_->self() && !peers_->lost(node) && flushed_.count(node) == 0) return false;
  }
  return true;
}

bool MeshRole::lose_sight() {
  if (blind_) return false;
  blind_ = true;
  node_.search().lose_sight();
  return true;
}

bool MeshRole::any_lost() const {
  for (int node = 0; node < peers_->nodes(); ++node) {
    if (peers_->lost(node)) return true;
  }
  return false;
}

void MeshRole::on_message(int from, Packet packet, std::string_view bytes) {
  const PacketRow* row = row_of(packet);
  if (row == nullptr) return on_protocol_error(from, "unknown");
  const bool allowed = is_allowed(*row, peers_->self(), from, its_stage());
  if (!allowed || !take(from, packet, bytes)) on_protocol_error(from, row->name);
}

void MeshRole::on_protocol_error(int from, const char* packet) {
  if (!confused_.insert(from).second) return;
  node_.collector().not_checked(
      {fmt::format("agent {}", from),
       fmt::format("it sent \"{}\" in a way that was not understood, which was left out", packet),
       1,
       {},
       {}});
}

bool MeshRole::take_wait(int from, Packet packet, std::string_view bytes) {
  using Type = wait::Message::Type;
  if (packet == Packet::wait) {
    if (blind_) return true;
    // A state tells which calls have returned.
    if (!bytes.empty() && (bytes[0] == static_cast<char>(Type::request_state) ||
                           bytes[0] == static_cast<char>(Type::request_waits)))
      node_.settle_ranks();
  }
  return links_->take(from, packet, bytes);
}

bool MeshRole::take_flushed(int from, Packet, std::string_view) {
  flushed_.insert(from);
  return true;
}

}  // namespace vouch
