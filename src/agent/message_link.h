// Sends to processes of other agents, and theirs to ours (match/remote.h).
//
// Types go ahead as what they consist of, once for each agent; places as in wait_link.h.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "agent/packets.h"
#include "agent/wait_link.h"
#include "match/facts.h"
#include "match/remote.h"
#include "model/world.h"

namespace vouch {

class MessageLink : public RemoteSends {
 public:
  MessageLink(Wire& wire, WaitLink& places, World& world, Facts& facts)
      : wire_(wire), places_(places), world_(world), facts_(facts) {}

  void posted(const Operation&, WorldRank to) override;
  void decided(const Operation& op, WorldRank to) override { ended(op, to, true); }
  void withdrawn(const Operation& op, WorldRank to) override { ended(op, to, false); }

  // posted, ended, signature. False: it is malformed.
  bool take(int from, Packet, std::string_view bytes);
  // A number by which `node` knows it from now on; 0: it does not.
  std::uint32_t number(int node, const SignatureRef&);
  // What `from` calls so; nullptr: nothing.
  TypeRef type(int from, std::uint32_t number) const;
  // Types that were too large to be sent: their messages are not compared.
  std::uint64_t unsent() const { return unsent_; }

 private:
  using TypeKey = std::tuple<int, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t>;
  void ended(const Operation&, WorldRank to, bool taken);
  bool take_posted(int from, std::string_view bytes);
  bool take_ended(int from, std::string_view bytes);
  bool take_signature(int from, std::string_view bytes);
  bool owns(int node, int rank) const { return world_.owner(WorldRank{rank}) == node; }

  Wire& wire_;
  WaitLink& places_;
  World& world_;
  Facts& facts_;
  std::map<TypeKey, std::uint32_t> told_types_;
  std::map<std::pair<int, std::uint32_t>, TypeRef> types_;
  std::uint64_t unsent_ = 0;
  std::string bytes_;
};

}  // namespace vouch
