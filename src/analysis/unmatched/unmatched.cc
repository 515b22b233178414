#include "analysis/unmatched/unmatched.h"

#include <fmt/format.h>

#include "analysis/operation_place.h"
#include "match/channel.h"
#include "match/hidden.h"

namespace vouch {
namespace {

std::string name_of(const Channel& channel) {
  if (channel.constant != Constant::none) return info(channel.constant).name;
  if (channel.made.value == 0) return "a communicator";
  return "the communicator made at " + mention(channel.made);
}

std::string tag_words(std::int64_t tag) {
  return tag == wire::kAnyTag ? std::string("any tag") : fmt::format("tag {}", tag);
}

}  // namespace

bool Unmatched::orderly() {
  if (ends_ != Ends::unknown) return ends_ == Ends::orderly;
  ends_ = Ends::abnormal;
  int seen = 0;
  for (std::size_t i = 0; i < world_.processes(); ++i) {
    const Process& p = world_.process(i);
    const bool ended = p.end == End::exited && !p.aborted && !p.killed_from_outside;
    // One that used sessions alone has no MPI_Finalize.
    const bool through =
        p.phase == Phase::finalized || (p.phase == Phase::before_init && p.exit_status == 0);
    if (!ended || !through || p.lossy) return false;
    seen += !p.stranger();
  }
  if (world_.several()) {
    if (!world_.orderly_elsewhere()) return false;
    seen += world_.ranks_elsewhere();
  }
  if (seen < world_.all()) return false;
  ends_ = Ends::orderly;
  return true;
}

void Unmatched::on_unmatched(const Operation& op, const NearMiss& near) {
  if (op.poisoned || op.incomplete || !orderly()) return;
  if (op.partitions != 0) return partitioned(op);
  std::vector<Place> places{place_of(world_, op)};
  std::string message = fmt::format("this message to rank {} was never received", op.peer);
  const char* cause = "";
  using What = NearMiss::What;
  switch (near.what) {
    case What::none:
      message = fmt::format("this message to rank {} of {} was never received", op.peer,
                            name_of(*op.channel));
      if (near.rank.value >= 0) message += "; that rank asked for nothing like it";
      break;
    case What::order:
      message += fmt::format(": it receives such messages at {}, but fewer than were sent",
                             mention(near.site));
      cause = "order";
      break;
    case What::tag:
      message += fmt::format(" with tag {}: it asked for {} at {}", op.tag, tag_words(near.tag),
                             mention(near.site));
      cause = "tag";
      break;
    case What::communicator:
      message += fmt::format(" on {}: it asked for {} on {} at {}", name_of(*op.channel),
                             tag_words(near.tag), name_of(*near.channel), mention(near.site));
      cause = "communicator";
      break;
    case What::source:
      message += fmt::format(" from rank {}: it asked for {} from rank {} at {}", op.me,
                             tag_words(near.tag), near.peer, mention(near.site));
      cause = "source";
      break;
    case What::broken:
      // One cause, one finding.
      sink_.consequence(near.rank, near.site, Harm::failure,
                        fmt::format("and so the message that rank {} sent at {} was not received",
                                    world_.process(op.process).rank.value, mention(op.site)));
      return;
  }
  if (near.what != What::none)
    places.push_back({near.rank, near.site, info(near.proc).name, "near miss"});
  sink_.report({.rule = Rule::unmatched_send,
                .severity = info(Rule::unmatched_send).severity,
                .message = std::move(message),
                .cause = cause,
                .places = std::move(places)});
}

void Unmatched::on_left_alone(Hidden why, std::uint64_t operations) {
  sink_.not_checked(
      {.what = "messages of a communicator", .reason = reason(why), .count = operations});
}

void Unmatched::on_forgotten(std::uint64_t messages, std::uint64_t most, Site site) {
  sink_.not_checked(
      {.what = "messages that waited long",
       .reason = fmt::format("more than {} waited to be received at once: what happened before the "
                             "oldest of them, and what each of them was, is no longer known",
                             most),
       .count = messages,
       .site = site});
}

// MPI-4.1 4.2: each side must have the other.
void Unmatched::partitioned(const Operation& op) {
  const bool sends = op.role == Role::send;
  sink_.report({.rule = Rule::request_partition,
                .severity = info(Rule::request_partition).severity,
                .message = fmt::format("no {} {} rank {} with tag {} matches it",
                                       sends ? "MPI_Precv_init" : "MPI_Psend_init",
                                       sends ? "at" : "from", op.peer, op.tag),
                .cause = "no partner",
                .places = {place_of(world_, op)}});
}

// Ready sends ------------------------------------------------
void Unmatched::ready_send(const Match& match) {
  const Operation &send = match.send, &recv = match.recv;
  if (send.poisoned || recv.poisoned) return;
  if (!send.when) {  // the clocks were given up
    if (not_judged_++ == 0) not_judged_at_ = send.site;
    return;
  }
  // The usual case costs no text.
  if (send.when->known() && recv.issued != 0 && send.when->knows(recv.process, recv.issued)) return;
  Ready r{send.when, recv.process,           recv.issued,
          send.site, place_of(world_, send), place_of(world_, recv, "its receive")};
  if (send.when->known() || waiting_.size() >= kWaiting) return judge(r);
  waiting_.push_back(std::move(r));
  while (!waiting_.empty() && waiting_.front().when->known()) {
    judge(waiting_.front());
    waiting_.pop_front();
  }
}

void Unmatched::judge(const Ready& r) {
  if (r.when->known() && r.issued != 0 && r.when->knows(r.receiver, r.issued)) return;
  if (!r.when->known() || r.when->unsure() || r.issued == 0) {
    if (not_judged_++ == 0) not_judged_at_ = r.site;
    return;
  }
  sink_.report({.rule = Rule::unmatched_ready_send,
                .severity = info(Rule::unmatched_ready_send).severity,
                .message = fmt::format("nothing ensures that its receive at {} is posted before it",
                                       mention(r.recv.site)),
                .places = {r.send, r.recv},
                .potential = true});
}

void Unmatched::finish() {
  for (const Ready& r : waiting_) judge(r);
  waiting_.clear();
  if (not_judged_ == 0) return;
  sink_.not_checked({.what = "ready sends",
                     .reason = "what happened before them is not known",
                     .count = not_judged_,
                     .site = not_judged_at_});
}

}  // namespace vouch
