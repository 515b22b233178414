// What a report says of a deadlock.

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "analysis/deadlock/deadlock.h"
#include "wait/draw.h"

namespace vouch {
namespace {

constexpr std::size_t kPlaces = 16;  // of the core
constexpr std::size_t kWaiting = 8;  // of those who only wait for it

std::string set_words(const wait::RankSet& set) {
  constexpr std::size_t kRuns = 32;
  if (set.size() < 2) return rank_words(set.list());
  std::string text;
  std::size_t shown = 0;
  for (std::size_t i = 0; i < set.runs().size() && i < kRuns; ++i) {
    const wait::RankSet::Run& run = set.runs()[i];
    if (i > 0) text += ',';
    text += run.last > run.first + 1 ? fmt::format("{}-{}", run.first, run.last)
                                     : rank_list({run.first, run.last});
    shown += static_cast<std::size_t>(run.last - run.first + 1);
  }
  return fmt::format("ranks {}{}", text,
                     shown < set.size() ? fmt::format(" and {} more", set.size() - shown) : "");
}

// "rank 1", "the next rank", "any other of 16 ranks", "ranks 2,3 to join".
std::string term_words(const wait::Term& t, const wait::Stuck& s, const wait::Snapshot& snapshot,
                       const wait::Groups& groups) {
  using Kind = wait::Term::Kind;
  switch (t.kind) {
    case Kind::rank:
      return fmt::format("rank {}", t.rank);
    case Kind::offset:
      if (s.ranks.size() == 1) return fmt::format("rank {}", s.ranks.first() + t.rank);
      if (t.rank == 0) return "itself";
      if (std::abs(t.rank) == 1) return t.rank > 0 ? "the next higher rank" : "the next lower rank";
      return fmt::format("the rank {} {}", std::abs(t.rank), t.rank > 0 ? "higher" : "lower");
    case Kind::any: {
      const wait::RankSet others = wait::targets(t, s.ranks.first(), snapshot, groups);
      std::string who = "any other";
      if (s.ranks.size() == 1)
        who = others.size() == 1 ? set_words(others) : "any of " + set_words(others);
      return t.taken ? fmt::format(
                           "one more message of {}, as receives posted before take those "
                           "that are there",
                           who)
                     : who;
    }
    case Kind::wave:
      return set_words(wait::targets(t, s.ranks.first(), snapshot, groups)) + " to join";
  }
  return "";
}

}  // namespace

const Process* DeadlockSearch::process_of(wait::Rank rank) const {
  const auto here = static_cast<std::size_t>(rank);
  if (here < world_.processes() && world_.process(here).rank.value == rank)
    return &world_.process(here);
  for (std::size_t i = 0; i < world_.processes(); ++i) {
    if (world_.process(i).rank.value == rank) return &world_.process(i);
  }
  return nullptr;
}

std::string DeadlockSearch::waits_for(const Found& found, const wait::Stuck& s) const {
  constexpr std::size_t kTerms = 4;
  std::string text = s.ranks.size() > 1 ? "each waits for " : "waits for ";
  if (s.polling)
    text = s.ranks.size() > 1 ? "each asks again and again for " : "asks again and again for ";
  // A send and a receive of one partner are the same in words.
  std::vector<std::string> words;
  for (const wait::Term& term : s.terms) {
    std::string one = term_words(term, s, found.snapshot, node_->groups());
    if (std::find(words.begin(), words.end(), one) == words.end()) words.push_back(std::move(one));
  }
  for (std::size_t i = 0; i < words.size() && i < kTerms; ++i) {
    if (i > 0) text += s.all ? " and " : " or ";
    text += words[i];
  }
  if (words.size() > kTerms) text += fmt::format(" and {} more", words.size() - kTerms);
  return text;
}

// With its arguments, while all are inside and they are equal.
std::string DeadlockSearch::call_of(const wait::Stuck& s) const {
  constexpr std::size_t kAsked = 64;
  const std::string name = info(static_cast<Proc>(s.label.proc)).name;
  std::string call;
  std::size_t asked = 0;
  for (const int rank : s.ranks.list()) {
    const Process* p = process_of(rank);
    std::string mine = name;
    for (std::size_t i = 0; p != nullptr && i < p->threads.size(); ++i) {
      const Thread& t = p->threads[i];
      if (t.depth > 0 && t.calls[0].proc() == static_cast<Proc>(s.label.proc) &&
          t.calls[0].site() == s.label.site)
        mine = place_of(*p, t.calls[0]).call;
    }
    if (!call.empty() && mine != call) return name;
    call = mine;
    if (++asked == kAsked) break;
  }
  return call;
}

std::vector<Place> DeadlockSearch::places(const Found& found, const std::vector<wait::Stuck>& list,
                                          std::size_t limit) const {
  std::vector<Place> result;
  for (std::size_t i = 0; i < list.size() && i < limit; ++i) {
    const wait::Stuck& s = list[i];
    const wait::Rank first = s.ranks.first();
    Place place{WorldRank{first}, s.label.site, call_of(s), {}, {}};
    if (const auto there = statuses_.find(first); there != statuses_.end()) {
      const RankStatus& status = there->second;
      if (s.ranks.size() == 1 && status.call.starts_with(place.call)) place.call = status.call;
      if (!status.stack.empty() && status.stack[0] == place.site) place.stack = status.stack;
    }
    if (s.polling && s.kind == wait::Kind::probe) {
      const std::vector<wait::OpState> asked = open_parts(s);
      if (asked.size() == 1) place.call = words_of(asked[0]);
    }
    place.role = waits_for(found, s);
    if (const auto stack = stacks_.find(first); stack != stacks_.end()) place.stack = stack->second;
    for (const int r : s.ranks.list()) {
      if (r != first) place.others.push_back(r);
    }
    result.push_back(std::move(place));
    add_operations(s, result);
  }
  return result;
}

std::string DeadlockSearch::message_of(const Found& found, const wait::Deadlock& d) const {
  wait::RankSet core;
  for (const wait::Stuck& s : d.core) core.add(s.ranks);
  std::string text;
  switch (d.shape) {
    case wait::Deadlock::Shape::cycle: {
      constexpr std::size_t kShown = 8;
      if (d.order.size() == 1) {
        text = fmt::format("{} waits for itself", set_words(core));
        break;
      }
      if (d.order.empty() || d.order.size() > kShown) {
        text = fmt::format("{} wait for each other", set_words(core));
        break;
      }
      for (const wait::Rank r : d.order) text += fmt::format("{} -> ", r);
      text = fmt::format("ranks wait for each other: {}{}", text, d.order[0]);
      break;
    }
    case wait::Deadlock::Shape::knot:
      text = fmt::format("{} wait for messages or calls of each other, and nobody else can act",
                         set_words(core));
      break;
    case wait::Deadlock::Shape::finished:
      text = fmt::format("{} waits for {}, which {} finished", set_words(core),
                         set_words(d.finished), d.finished.size() == 1 ? "has" : "have");
      break;
  }
  wait::RankSet waiting;
  for (const wait::Stuck& s : found.verdict.waiting) waiting.add(s.ranks);
  if (!waiting.empty() && found.verdict.deadlocks.size() == 1)
    text += fmt::format("; {} {} for {}", set_words(waiting),
                        waiting.size() == 1 ? "waits" : "wait", core.size() == 1 ? "it" : "them");
  return text;
}

// "and so rank 1 waits forever at b.c:12"; of a potential deadlock it is not said that it happened.
std::string DeadlockSearch::follows(const wait::Stuck& s, bool potential) {
  const char* waits = potential ? "could wait" : s.ranks.size() == 1 ? "waits" : "wait";
  return fmt::format("and so {} {} forever at {}", set_words(s.ranks), waits,
                     mention(s.label.site));
}

// A call of these ranks, or of those they wait for, has a finding: what follows belongs to it.
bool DeadlockSearch::blame_earlier(const Found& found, const wait::Deadlock& d, bool potential) {
  // Of all whom they wait for we know no more than these; a communicator may name a million.
  std::set<wait::Rank> known;
  for (std::size_t i = 0; i < world_.processes(); ++i) known.insert(world_.process(i).rank.value);
  for (const auto& [rank, status] : statuses_) known.insert(rank);
  const wait::RankSet all = concerned(found, d, node_->groups());
  for (const wait::Rank rank : known) {
    if (!all.contains(rank)) continue;
    const Process* p = process_of(rank);
    const auto there = statuses_.find(rank);
    for (const Site site : p != nullptr ? status_of(*p).broken : there->second.broken) {
      bool taken = false;
      for (const wait::Stuck& s : d.core) {
        const std::string text = follows(s, potential);
        if (p == nullptr) {
          remote_->blame(rank, site, text);
          taken = true;
        } else {
          taken = sink_.consequence(p->rank, site, kHangs, text) || taken;
        }
      }
      if (taken) return true;
    }
  }
  return false;
}

Report DeadlockSearch::report_of(const Found& found, const wait::Deadlock& d, bool potential) {
  using Shape = wait::Deadlock::Shape;
  Report report{.rule = d.shape == Shape::finished ? Rule::deadlock_finished_rank
                        : d.shape == Shape::knot   ? Rule::deadlock_wildcard_knot
                                                   : Rule::deadlock_wait_cycle,
                .severity = Severity::error,
                .message = message_of(found, d),
                .places = places(found, d.core, kPlaces),
                .potential = potential};
  report.advice = advice_for(d);
  if (add_own_cause(d, report)) {
    // Who waits for it is in the message.
  } else if ((!potential && add_taken_message(d, report)) || add_claimed_message(d, report)) {
    // A message that nobody can receive any more, or nobody does: by the calls that were made.
  } else if (potential) {
    // Another schedule would have other messages and threads.
  } else if (add_thread_waits(d, report)) {
    report.advice =
        "Release a lock before an MPI call that waits for another rank: the thread that needs the "
        "lock may be the one that would let it go on.";
  } else {
    if (add_taken_before(d, report))
      report.advice =
          "Name source and tag in a receive that must leave messages to later ones, or receive in "
          "another order.";
    if (add_near_miss(d, report))
      report.advice = "Use the same rank, tag and communicator on both sides.";
  }
  if (add_other_communicator(d, report))
    report.advice =
        "Pass the same communicator on all ranks, or call the collectives of both in one order.";
  // MPI-4.1 7.4.3: "normally local", so programs rely on it, and a library may still wait.
  if (potential && std::any_of(d.core.begin(), d.core.end(), [](const wait::Stuck& s) {
        return s.returned && static_cast<Proc>(s.label.proc) == Proc::comm_free;
      })) {
    report.severity = Severity::warning;
    report.message +=
        "; MPI_Comm_free is normally local, but it is collective and a library may wait in it";
    report.advice =
        "Free the communicator where no other member waits for what comes after the call.";
  }
  if (found.silent)
    report.message +=
        "; with other messages in receives of any source posted before it could go on";
  if (potential) report.message += "; this time the library buffered a message or left early";
  constexpr std::size_t kFinished = 4;
  const std::vector<int> finished = d.finished.list();
  for (std::size_t i = 0; i < finished.size() && i < kFinished; ++i) {
    const Process* p = process_of(finished[i]);
    if (p != nullptr && p->finalize_site.value != 0)
      report.places.push_back({p->rank, p->finalize_site, "MPI_Finalize", "has finished", {}, {}});
  }
  if (found.verdict.deadlocks.size() == 1) {
    for (Place& place : places(found, found.verdict.waiting, kWaiting)) {
      report.involved.push_back({place.rank, place.site});
      if (potential) continue;  // who else waited differs from time to time
      place.role = "also stuck: " + place.role;
      report.places.push_back(std::move(place));
    }
  }
  const wait::NameOf name = [](const wait::Label& l) {
    return fmt::format("{} {}", info(static_cast<Proc>(l.proc)).name, mention(l.site));
  };
  report.picture = {wait::draw_dot(found.snapshot, found.verdict, node_->groups(), name),
                    wait::draw_svg(found.snapshot, found.verdict, node_->groups(), name)};
  return report;
}

void DeadlockSearch::tell(const Found& found, const wait::Deadlock& d) {
  if (blame_earlier(found, d, false)) return;
  Report report = report_of(found, d, false);
  // What was never started never comes: that is the cause, and this is what follows.
  if (const std::optional<Idle> idle = never_started(d)) {
    const std::string text = follows(d.core[0], false);
    if (idle->waited.value != 0)
      sink_.harmful(Rule::request_never_started, idle->rank, idle->waited);
    if (idle->waited.value != 0 && sink_.consequence(idle->rank, idle->waited, kHangs, text))
      return;
    report.message += fmt::format(
        "; rank {} has made the operation that would meet it, and never "
        "started it",
        idle->rank.value);
    report.places.push_back(
        {idle->rank, idle->made, info(idle->made_by).name, "never started", {}, {}});
    report.advice = "Call MPI_Start for it.";
  }
  sink_.report(std::move(report));
}

}  // namespace vouch
