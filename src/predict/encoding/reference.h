// The dissertation's encodings as they are printed, for comparison with the papers.
//
//   e1  MCAPI, infinite buffering (chapter 2)
//   e2  MPI, infinite buffering, barriers, with the rules our copy lacks as reconstructed
//   e3  MPI, zero buffering by strict alternation (chapter 3)
//
// They keep their defects [G1, G2, G4, G6]: a solution need not be an execution, and executions
// may be missing. Tags, communicators, probes and collectives other than barriers are unknown to
// them. The normative encoding is in encoding.h.

#pragma once

#include <z3++.h>

#include <unordered_map>
#include <vector>

#include "predict/encoding/terms.h"
#include "predict/pairs/match_pairs.h"

namespace vouch::predict {

enum class EncodingKind : std::uint8_t { unified, e1, e2, e3 };

class Reference : public Terms {
 public:
  Reference(z3::context&, const Program&, EncodingKind, const MatchPairs&);

  const std::vector<z3::expr>& constraints() const { return constraints_; }
  z3::expr takes(Match) const;
  // Assumptions, and with `assertions` also that they all hold or that one does not.
  std::vector<z3::expr> conditions(bool violated, bool assertions);

 private:
  z3::expr time(OpId) const;     // order_e; of a barrier: one for all members
  z3::expr partner(OpId) const;  // M_e: the time of whom it is matched with
  z3::expr value_of(OpId receive) override;
  void before(OpId a, OpId b) { constraints_.push_back(time(a) < time(b)); }
  void add_pairs(const MatchPairs&);
  void add_sends();
  void add_receives();
  void add_waits();
  void add_barriers();

  const EncodingKind kind_;
  const std::vector<OpId> waits_;  // nearest-enclosing, as the dissertation defines it
  std::vector<z3::expr> constraints_;
};

}  // namespace vouch::predict
