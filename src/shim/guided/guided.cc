#include "shim/guided/guided.h"

#include "record/ring_map.h"
#include "shim/band/band.h"
#include "shim/core/comms.h"
#include "shim/core/meta.h"
#include "shim/guided/guided_state.h"
#include "shim/solo/solo.h"

namespace vouch::shim {

PlanCursor plan_cursor;

namespace {

const std::byte* plan;
std::uint64_t plan_bytes;
int park_tag;

// MPI_COMM_SELF, and a tag that nobody uses there: what is posted so takes no message.
void park(MPI_Comm& comm, int& source, int& tag) {
  comm = known.comm_self;
  source = 0;
  tag = park_tag;
}

}  // namespace

void start_guiding(int bell_memory, const Bell& bell) {
  plan_bytes = bell.plan.load(std::memory_order_acquire);
  plan = map_plan(bell_memory, plan_bytes, false);
  if (plan != nullptr) solo_open();
}

bool guiding() { return plan != nullptr; }

void guide_rank(int rank, int most_tag) {
  if (plan == nullptr) return;
  park_tag = most_tag;
  plan_cursor.open(plan, plan_bytes, rank);
  solo_start(rank);
}

void tell_decided(Call& call, wire::DecisionKind kind, std::uint64_t number,
                  const std::uint64_t* rest, std::uint32_t count) {
  std::uint64_t words[2 + kMostTold] = {static_cast<std::uint64_t>(kind), number};
  if (count > kMostTold) count = kMostTold;
  for (std::uint32_t i = 0; i < count; ++i) words[2 + i] = rest[i];
  tell_polls(call.thread());  // a poll is published by this, and not when it has returned
  Busy busy(call.thread());
  write_meta(call.thread(), wire::Meta::decided, words, 2 + count);
}

void diverge(Call& call, wire::DecisionKind kind, std::uint64_t number,
             wire::DivergenceReason reason, std::int64_t expected, std::int64_t found) {
  plan_cursor.stop();
  const std::uint64_t words[] = {static_cast<std::uint64_t>(kind), number,
                                 static_cast<std::uint64_t>(reason), vouch::shim::number(expected),
                                 vouch::shim::number(found)};
  tell_polls(call.thread());
  Busy busy(call.thread());
  write_meta(call.thread(), wire::Meta::diverged, words, 5);
}

bool apply_match(Call& call, const MatchDecision& decision, MPI_Comm& comm, int& source, int& tag,
                 bool parks, std::uint64_t place) {
  const PlanMatch& match = decision.match;
  const CommFacts* facts = facts_of(comm);
  if (decision.free() || facts == nullptr) return false;  // an invalid handle: the library's to say
  if (match.source == kPlanNever) {
    if (parks) park(comm, source, tag);
    return parks;
  }
  if (match.source >= facts->peers()) {
    diverge(call, wire::DecisionKind::match, decision.number, wire::DivergenceReason::source,
            match.source, facts->peers());
    return false;
  }
  if (match.tag != kPlanNoTag && tag != MPI_ANY_TAG && tag != match.tag) {
    diverge(call, wire::DecisionKind::match, decision.number, wire::DivergenceReason::tag,
            match.tag, tag);
    return false;
  }
  source = match.source;
  if (match.tag != kPlanNoTag) tag = match.tag;
  const std::uint64_t rest[] = {place, number(source), number_of_tag(tag)};
  tell_decided(call, wire::DecisionKind::match, decision.number, rest, 3);
  return true;
}

void decide_source(Call& call, MPI_Comm& comm, int& source, int& tag, bool parks) {
  if (source != MPI_ANY_SOURCE) return;
  if (solo_event()) return call.disown();
  if (banding()) band_asked(source, tag);
  apply_match(call, plan_cursor.match(true), comm, source, tag, parks, 0);
}

void make_progress() {
  int flag = 0;
  without_band().iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, known.comm_self, &flag, MPI_STATUS_IGNORE);
}

Answer decide_flag(Call& call) {
  const PickDecision pick = plan_cursor.pick();
  switch (pick.kind) {
    case PlanPickKind::free:
      return Answer::free;
    case PlanPickKind::no:
      return Answer::no;
    case PlanPickKind::yes:
      tell_decided(call, wire::DecisionKind::pick, pick.number, nullptr, 0);
      return Answer::yes;
    case PlanPickKind::undefined:
    case PlanPickKind::indices:
      break;
  }
  diverge(call, wire::DecisionKind::pick, pick.number, wire::DivergenceReason::kind,
          static_cast<std::int64_t>(pick.kind), 0);
  return Answer::free;
}

namespace {

// MPI_Iprobe and MPI_Improbe: whether, and from where. A probe that sees nothing takes no match.
template <typename Probe>
int guide_probe(Call& call, int source, int tag, MPI_Comm comm, int* flag, Probe ask) {
  const auto probe = [&](int from, int with) {
    if (banding()) band_asked(source, tag);
    return ask(from, with);
  };
  const bool any = source == MPI_ANY_SOURCE;
  const Answer answer = decide_flag(call);
  if (answer == Answer::no || flag == nullptr) {
    if (flag != nullptr) *flag = 0;
    make_progress();
    return MPI_SUCCESS;
  }
  MPI_Comm where = comm;
  int from = source, with = tag;
  if (any && answer == Answer::yes) {
    apply_match(call, plan_cursor.match(true), where, from, with, false, 0);
  } else if (any) {
    const MatchDecision next = plan_cursor.match(false);
    const CommFacts* facts = facts_of(comm);
    const bool fits = next.match.source >= 0 && facts != nullptr &&
                      next.match.source < facts->peers() &&
                      (next.match.tag == kPlanNoTag || tag == MPI_ANY_TAG || tag == next.match.tag);
    if (fits) {
      from = next.match.source;
      if (next.match.tag != kPlanNoTag) with = next.match.tag;
    }
    const int rc = probe(from, with);
    // Now it is known that it takes the match.
    if (rc == MPI_SUCCESS && *flag != 0)
      apply_match(call, plan_cursor.match(true), where, from, with, false, 0);
    return rc;
  }
  for (;;) {
    const int rc = probe(from, with);
    if (rc != MPI_SUCCESS || *flag != 0 || answer == Answer::free) return rc;
    ::sched_yield();
  }
}

}  // namespace

int guide_iprobe(Call& call, int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
  return guide_probe(call, source, tag, comm, flag, [&](int from, int with) {
    return real.iprobe(from, with, comm, flag, status);
  });
}

int guide_improbe(Call& call, int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message,
                  MPI_Status* status) {
  return guide_probe(call, source, tag, comm, flag, [&](int from, int with) {
    return real.improbe(from, with, comm, flag, message, status);
  });
}

}  // namespace vouch::shim
