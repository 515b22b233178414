// The wait-state engine's way to the other agents.
//
// Sites are numbers of one agent, and an agent above in the tree may have no member of a
// communicator that is talked about. So ahead of a message goes, once to each agent, what it needs:
// the place behind a number, the members of a communicator. What arrives has our own numbers.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "agent/packets.h"
#include "source/site_table.h"
#include "wait/node.h"

namespace vouch {

class WaitLink : public wait::Network {
 public:
  WaitLink(Wire& wire, SiteTable& sites, int ranks) : wire_(wire), sites_(sites), ranks_(ranks) {}
  void drive(wait::Node* node) { node_ = node; }

  void send(int node, wait::Message) override;
  // A packet of this part: place, group, wait. False: it is malformed.
  bool take(int from, Packet, std::string_view bytes);

  // The number by which `node` knows the site from now on.
  std::uint32_t number(int node, Site);
  // The site that `from` calls so.
  Site site(int from, std::uint32_t number) const;

 private:
  void define(int node, wait::CommId);
  bool take_place(int from, std::string_view bytes);
  bool take_group(std::string_view bytes);
  void need(int node, const wait::Snapshot&);

  Wire& wire_;
  SiteTable& sites_;
  const int ranks_;
  wait::Node* node_ = nullptr;
  std::set<std::pair<int, std::uint32_t>> told_places_;
  std::set<std::pair<int, wait::CommId>> told_groups_;
  std::map<std::pair<int, std::uint32_t>, Site> places_;
  std::string bytes_;
};

}  // namespace vouch
