// Collectives of communicators over several nodes: what their members say, on its way to the agent
// that compares it (RemoteWaves).
//
// Members that say the same are one class. Where each peer has a block of its own, many classes and
// blocks come together; above a limit only the rest is compared.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "agent/message_link.h"
#include "agent/packets.h"
#include "agent/wait_link.h"
#include "base/bytes.h"
#include "match/facts.h"
#include "model/world.h"

namespace vouch {

class WaveLink : public RemoteWaves {
 public:
  WaveLink(Wire& wire, WaitLink& places, MessageLink& types, World& world, Facts& facts)
      : wire_(wire), places_(places), types_(types), world_(world), facts_(facts) {}

  void part(int home, const Wave&) override;
  bool take(int from, std::string_view bytes);  // false: it is malformed
  // Calls whose blocks were too many.
  std::uint64_t unsent() const { return unsent_; }

 private:
  void write_assembly(ByteWriter&, int home, const Assembly&);
  void write_class(ByteWriter&, int home, const Wave::Class&, bool fits);
  Assembly read_assembly(ByteReader&, int from);
  void read_portion(ByteReader&, int from, Portion&);
  bool read_class(ByteReader&, int from, Wave::Class&);

  Wire& wire_;
  WaitLink& places_;
  MessageLink& types_;
  World& world_;
  Facts& facts_;
  std::uint64_t unsent_ = 0;
};

}  // namespace vouch
