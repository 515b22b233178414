// The end of a job over several nodes, as the root leads it: stage after stage, each once all
// others have come to it.

#include <utility>

#include "agent/root.h"
#include "report/merge.h"

namespace vouch {
namespace {

constexpr auto kLastWords = std::chrono::seconds(60);
constexpr auto kGoodbye = std::chrono::seconds(3);

}  // namespace

// No more ranks will come, and all are gone and read.
bool Root::finished() {
  if (stage() != JobStage::running || !host_.launcher_ended()) return false;
  return (host_.alive() == 0 && all_guests([](const GuestAgent& g) { return g.over; })) ||
         host_.launcher_long_gone();
}

void Root::end() {
  enter(JobStage::closing);
  host_.deaths().add(host_.drain(), Clock::now());
  judge(true);
  ending_ = end_together();
  ending_.start();
}

Task<> Root::end_together() {
  co_await waits_.until([this] { return !host_.asks(); }, kLastWords);
  const bool whole = co_await close_together();
  // What one agent leaves in order, another may not.
  bool orderly = whole && !blind() && orderly_elsewhere_ && missing_.empty();
  host_.world().end_elsewhere(orderly);
  orderly = orderly && host_.orderly();
  enter(JobStage::concluding);
  peers_->tell_all(Packet::conclude, orderly ? "1" : "0");
  const auto has_summary = [](const GuestAgent& g) { return g.summary.has_value(); };
  co_await waits_.until([&] { return all_guests(has_summary); }, kLastWords);
  for (const auto& [node, guest] : guests_) {
    if (!guest.summary && !peers_->lost(node))
      on_lost(node, peers_->host_of(node), "it did not come to an end");
  }
  peers_->end();
  co_await waits_.until([this] { return peers_->closed(); }, kGoodbye);
  deliver(joined(host_.conclude(false)));
  enter(JobStage::over);
}

// All decide what is still open, and tell each other. False: some did not.
Task<bool> Root::close_together() {
  if (!blind()) co_await host_.search().last_look();
  peers_->tell_all(Packet::close);
  close_facts();
  const auto is_closed = [](const GuestAgent& g) { return g.closed; };
  const bool closed = co_await waits_.until([&] { return all_guests(is_closed); }, kLastWords);
  const bool whole = closed && all_flushed();
  if (whole) co_await await_moments();
  co_return whole;
}

// What one agent learns it may have to tell others. All is over when everything that went has come,
// twice: the agents do not count at the same time.
Task<> Root::await_moments() {
  Tally last{1, 0};
  const auto has_tally = [](const GuestAgent& g) { return g.tally.has_value(); };
  for (const auto until = Clock::now() + kLastWords; !blind() && Clock::now() < until;) {
    for (auto& [node, guest] : guests_) guest.tally.reset();
    peers_->tell_all(Packet::tally);
    const bool all_told = co_await waits_.until([&] { return all_guests(has_tally); }, kLastWords);
    if (!all_told) co_return;
    Tally all = links_->tally();
    for (const auto& [node, guest] : guests_) {
      if (!guest.tally) co_return;  // it is lost
      all.went += guest.tally->went;
      all.came += guest.tally->came;
    }
    if (all.went == all.came && all == last) co_return;
    last = all;
  }
}

void Root::add_gaps() { links_->tell_unsent(host_.collector()); }

Summary Root::joined(Summary mine) {
  if (!missing_.empty()) {
    mine.not_checked.push_back({rank_words(missing_),
                                "never seen: libvouch.so was not loaded there, or no agent of "
                                "their node came to this one (see --net)",
                                missing_.size(),
                                {},
                                {}});
  }
  for (auto& [node, guest] : guests_) {
    if (!guest.summary) {
      guest.summary.emplace();
      guest.summary->findings = std::move(guest.findings);
    }
    merge(mine, std::move(*guest.summary));
  }
  return mine;
}

}  // namespace vouch
