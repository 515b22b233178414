// All ways of one agent's analyses to those of the others, made when the mesh opens.

#pragma once

#include <memory>
#include <string_view>

#include "agent/file_link.h"
#include "agent/message_link.h"
#include "agent/moment_link.h"
#include "agent/packets.h"
#include "agent/wait_link.h"
#include "agent/wave_link.h"
#include "analysis/deadlock/deadlock.h"
#include "analysis/io/io.h"
#include "match/facts.h"
#include "report/sink.h"

namespace vouch {

struct LinkedParts {
  World& world;
  SiteTable& sites;
  Facts& facts;
  DeadlockSearch& search;
  Io& io;
};

class Links {
 public:
  Links(Wire&, const MeshPlan&, int self, const LinkedParts&, RemoteRanks&);

  // Packets of these links. False: it is malformed.
  bool take(int from, Packet, std::string_view bytes);

  WaitLink& waits() { return waits_; }
  Tally tally() const { return moments_.tally(); }
  // Types and blocks that were too large to be sent.
  void tell_unsent(Sink&) const;

 private:
  WaitLink waits_;
  MessageLink messages_;
  MomentLink moments_;
  WaveLink waves_;
  FileLink files_;
};

}  // namespace vouch
