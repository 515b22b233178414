// Types of a send and the receive it met.
//
// Reported once, at the receive, with the send's place. Needs: pairs (src/match).

#pragma once

#include "analysis/analysis.h"
#include "analysis/type/known.h"
#include "match/operation.h"

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
  void blame(const Operation&, Rule);

  KnownComparisons known_;
};

// Place of an operation: "MPI_Recv(count=4, source=1, tag=7)".
Place place_of(const World&, const Operation&, std::string role = {});

}  // namespace vouch
