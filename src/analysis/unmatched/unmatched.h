// Messages that nobody received, and ready sends that may come before their receive.
//
// Judged only if every process went through MPI_Finalize: after an abnormal end nobody knows what
// would have been received. A receive that never met is a request that was never completed
// (leak/request), or a call that never returned.
//
// A ready send needs its receive to be posted (MPI-4.1 3.4). Whether it was is luck; whether it had
// to be is decided by the clocks: the posting happens before the send or it does not.

#pragma once

#include <deque>
#include <string>
#include <vector>

#include "analysis/analysis.h"
#include "match/operation.h"

namespace vouch {

class Unmatched : public Analysis, public MatchObserver {
 public:
  Unmatched(World& world, Sink& sink) : Analysis(world, sink) { hear(Hears::ready_sends); }
  Wants wants(Proc) const override { return {}; }
  void on_match(const Match& match) override {
    if (match.send.mode == SendMode::ready) ready_send(match);
  }
  void on_unmatched(const Operation&, const NearMiss&) override;
  void on_left_alone(Hidden, std::uint64_t operations) override;
  void on_forgotten(std::uint64_t messages, std::uint64_t most, Site) override;
  void finish() override;

 private:
  bool orderly();  // every process of the world is known to have ended as it should

  enum class Ends : std::uint8_t { unknown, orderly, abnormal } ends_ = Ends::unknown;
  void partitioned(const Operation&);

  // A ready send and the receive it met, until all that happens before the send is known.
  struct Ready {
    MomentRef when;
    std::uint32_t receiver = 0, issued = 0;
    Site site;
    Place send, recv;
  };
  static constexpr std::size_t kWaiting = 65536;
  void ready_send(const Match&);
  void judge(const Ready&);
  std::deque<Ready> waiting_;
  std::uint64_t not_judged_ = 0;  // ready sends
  Site not_judged_at_;
};

}  // namespace vouch
