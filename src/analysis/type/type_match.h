// Types of a send and the receive it met.
//
// Reported once, at the receive, with the send's place. Needs: pairs (src/match).

#pragma once

#include "analysis/analysis.h"
#include "match/operation.h"
#include "type/known.h"

namespace vouch {

class TypeMatch : public Analysis, public MatchObserver {
 public:
  TypeMatch(World& world, Sink& sink) : Analysis(world, sink) {}
  Wants wants(Proc) const override { return {}; }
  void on_match(const Match&) override;

 private:
  void partitioned(const Operation& send, const Operation& recv);
  bool again(Rule, const Match&);
  void tell(Rule, const Match&, std::string message, std::string cause, Cause why = Cause::none);
  std::string types_of(const Match&) const;
  static std::uint64_t common_key(Rule, const Match&);
  void blame(const Match&, Rule);
  void blame_requests(const Operation&, Rule);

  KnownComparisons known_;
};

}  // namespace vouch
