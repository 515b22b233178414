// Happens-before between agents (match/clocks_apart.h).
//
// A packet may be the cause of others, so at the end nobody knows alone whether all have come: all
// are counted.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "agent/packets.h"
#include "match/clocks.h"
#include "match/remote.h"

namespace vouch {

class MomentLink : public RemoteMoments {
 public:
  MomentLink(Wire& wire, Clocks& clocks) : wire_(wire), clocks_(clocks) {}

  void known(int node, std::uint64_t number, const Moment&) override;
  void met(int node, WorldRank sender, std::uint64_t send, std::uint64_t number) override;
  void told(int node, const std::vector<CallName>&, std::uint64_t number, bool doubtful) override;

  // moment, met, told. False: it is malformed.
  bool take(int from, Packet, std::string_view bytes);

  // Packets that went and that came.
  Tally tally() const { return tally_; }

 private:
  void send(int node, Packet);
  bool take_moment(int from, std::string_view bytes);
  bool take_met(int from, std::string_view bytes);
  bool take_told(int from, std::string_view bytes);

  Wire& wire_;
  Clocks& clocks_;
  Tally tally_;
  std::string bytes_;
};

}  // namespace vouch
