// What blocks whom, of one node's processes.

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "wait/assign.h"
#include "wait/node.h"

namespace vouch::wait {

// Whoever could send to this receive.
Term Node::any_of(const Envelope& e) const {
  Term t{.kind = Term::Kind::any, .comm = e.comm};
  const auto group = groups_.find(e.comm);
  if (group != groups_.end() && group->second->inter()) {
    t.side = group->second->members.contains(e.dest) ? 1 : 0;
  }
  return t;
}

// Whether a decision counts depends on whom it is told.
const Envelope& Node::asked_of(const Op& op, View view) {
  return op.decided && !view.decisions ? op.asked : op.envelope;
}

Node::Need Node::need_of(const Op& op, const Look& look) const {
  Need need;
  switch (op.kind) {
    case Kind::send:
      need.term = {
          .kind = Term::Kind::rank, .offered = true, .loose = op.loose, .rank = op.envelope.dest};
      break;
    case Kind::recv:
    case Kind::probe: {
      const Envelope& e = asked_of(op, look.view);
      need.could = Inbox::takes_one(e, look.offers);
      if (e.source == kAnyRank) {
        // The message it took is not there yet, but another one is.
        const Envelope took{e.comm, op.source, e.dest, op.tag};
        if (need.could && op.resolved && !op.decided && !Inbox::takes_one(took, look.offers))
          look.snapshot.unexpected.push_back({op.rank, op.source});
        need.term = any_of(e);
      } else {
        // It could: with any tag, or behind a wildcard of which nobody knows what it took.
        need.term = {.kind = Term::Kind::rank, .rank = e.source};
      }
      break;
    }
    case Kind::collective:
      need.term = {
          .kind = Term::Kind::wave, .loose = op.loose, .comm = op.envelope.comm, .wave = op.wave};
      break;
    default:
      need.could = true;
      break;
  }
  return need;
}

// What receives of a process want on a communicator and what is there. Nothing: nobody knows.
std::optional<Node::Choice> Node::choice_of(CommId comm, Rank rank,
                                            std::span<const Op* const> needed,
                                            const Look& look) const {
  Choice choice;
  std::size_t found = 0;
  for (const Op* op : inbox_.posted(comm, rank, look.offers)) {
    const bool asked = std::find(needed.begin(), needed.end(), op) != needed.end();
    found += asked;
    if (op->kind == Kind::probe && !asked) continue;  // it takes nothing
    // Perhaps it is being cancelled.
    if (op->excused && !op->returned && !asked) return std::nullopt;
    const Envelope& e = asked_of(*op, look.view);
    const bool known = op->resolved && !(op->decided && !look.view.decisions);
    choice.wanted.push_back({known ? op->source : e.source, known ? op->tag : e.tag, asked});
  }
  if (found < needed.size()) return std::nullopt;
  // More of one kind than can be looked at make no difference.
  std::vector<std::tuple<Rank, Index, std::int32_t>> sends;
  for (const Messages* q : look.offers.at(rank)) {
    if (q->key.comm != comm) continue;
    for (const Index at : Inbox::first_of(*q, kMostArrived + 1))
      sends.emplace_back(q->key.source, at, q->key.tag);
  }
  std::sort(sends.begin(), sends.end());
  for (const auto& [source, at, tag] : sends) choice.there.push_back({source, tag});
  return choice;
}

// Whether one of these may be left, whatever the process's receives have taken.
bool Node::leaves_one(const Messages& q, const Look& look) const {
  std::optional<Choice> choice = choice_of(q.key.comm, q.key.dest, {}, look);
  if (!choice) return false;
  choice->wanted.push_back({q.key.source, q.key.tag, true});
  return may_get(choice->wanted, choice->there, true);
}

// What is needed of these operations, where it is not there. False: they could be met.
bool Node::add_terms(std::span<Op* const> parts, Look& look, Blocked& b) const {
  struct Hope {
    std::vector<const Op*> recvs;
    std::vector<Term> terms;
  };
  std::map<CommId, Hope> hopes;
  for (const Op* part : parts) {
    if (part->fulfilled()) continue;
    const Need need = need_of(*part, look);
    if (!need.could) {
      b.terms.push_back(need.term);
    } else if ((part->kind == Kind::recv || part->kind == Kind::probe) &&
               (!part->resolved || part->decided)) {
      Hope& hope = hopes[part->envelope.comm];
      hope.recvs.push_back(part);
      hope.terms.push_back(need.term);
    } else if (!b.all) {
      return false;
    }
  }
  // A message that they could take is there. Perhaps receives posted before have taken it.
  for (const auto& [comm, hope] : hopes) {
    const Op& one = *hope.recvs[0];
    const std::optional<Choice> choice = choice_of(comm, one.rank, hope.recvs, look);
    if (choice && !may_get(choice->wanted, choice->there, b.all)) {
      // Whoever sends one more message may help: what took theirs could have taken that.
      b.terms.push_back(any_of(asked_of(one, look.view)));
      b.terms.back().taken = true;
    } else if (choice && look.view.silent && may_miss(choice->wanted, choice->there, b.all)) {
      b.terms.insert(b.terms.end(), hope.terms.begin(), hope.terms.end());
    } else if (!b.all) {
      return false;
    }
  }
  b.sort_terms();
  return !b.terms.empty();
}

std::optional<Blocked> Node::blocked_in(Op* op, Look& look) const {
  if (op->imposed && !look.view.decisions) return std::nullopt;
  Blocked b;
  b.label = op->label;
  b.kind = op->kind;
  b.returned = op->returned;
  b.ranks.add(op->rank);
  const bool completes = op->kind == Kind::completion;
  b.all = !completes || op->all;
  const std::span<Op* const> parts =
      completes ? std::span<Op* const>(op->parts) : std::span<Op* const>(&op, 1);
  const bool stuck = add_terms(parts, look, b);
  // In silence it only lags behind.
  if (!stuck && !(look.view.silent && op->returned)) return std::nullopt;
  return b;
}

std::optional<Blocked> Node::blocked_polling(Rank rank, const Poll& poll, Look& look) {
  Blocked b;
  b.label = poll.label;
  b.polling = true;
  b.all = poll.all;
  b.kind = poll.envelope ? Kind::probe : Kind::completion;
  b.ranks.add(rank);
  if (poll.envelope) {
    if (Inbox::takes_one(*poll.envelope, look.offers)) return std::nullopt;
    b.terms.push_back(poll.envelope->source == kAnyRank
                          ? any_of(*poll.envelope)
                          : Term{.kind = Term::Kind::rank, .rank = poll.envelope->source});
    return b;
  }
  std::vector<Op*> parts;
  for (const Index at : poll.parts) {
    Op* part = find(rank, at);
    if (part != nullptr && !part->fulfilled()) {
      parts.push_back(part);
    } else if (!poll.all) {
      return std::nullopt;
    }
  }
  if (!add_terms(parts, look, b)) return std::nullopt;
  return b;
}

// In a loop that asks for several things any of them may end it: all must be out of reach. Where
// one test asks for several, one of these counts as enough, which is more than it can hope for.
std::optional<Blocked> Node::blocked_polling(Rank rank, const Track& t, Look& look) {
  if (t.polls_unknown) return std::nullopt;
  std::optional<Blocked> all;
  for (const Poll& poll : t.polls) {
    std::optional<Blocked> one = blocked_polling(rank, poll, look);
    if (!one) return std::nullopt;
    if (!all) {
      all = std::move(one);
      continue;
    }
    all->label = one->label;
    all->kind = one->kind;
    all->all = false;
    all->terms.insert(all->terms.end(), one->terms.begin(), one->terms.end());
    all->sort_terms();
  }
  return all;
}

// Whether it is, by what it called last, inside a call that waits.
bool Node::inside(const Strand& s) {
  return s.current != nullptr && s.last->blocks && !s.last->returned && s.last->kind != Kind::other;
}

bool Node::inside(Caller caller) const {
  const Track& t = track(caller.rank);
  return caller.strand < t.strands() && inside(t.strand(caller.strand));
}

bool Node::inside(const Track& t) {
  if (t.ended) return true;
  if (t.ignored || (t.outside && !t.finalizing)) return false;
  for (std::size_t i = 0; i < t.strands(); ++i) {
    if (inside(t.strand(i))) return true;
  }
  return false;
}

// In MPI_Finalize, and in nothing else.
bool Node::finished(const Track& t) {
  bool finalizes = false;
  for (std::size_t i = 0; i < t.strands(); ++i) {
    const Op* op = t.strand(i).current;
    if (op == nullptr) continue;
    if (!op->active || op->kind != Kind::finalize) return false;
    finalizes = true;
  }
  return finalizes;
}

std::vector<Blocked> Node::blocked_strands(const Track& t, Look& look) const {
  std::vector<Blocked> all;
  for (std::size_t i = 0; i < t.strands(); ++i) {
    Op* op = t.strand(i).current;
    if (op == nullptr && t.watched) continue;  // `outside` tells of it
    if (op != nullptr && op->active && op->kind == Kind::finalize) continue;
    std::optional<Blocked> blocked;
    if (op != nullptr && op->active && !op->may_pass()) blocked = blocked_in(op, look);
    if (!blocked) return {};
    all.push_back(std::move(*blocked));
  }
  return all;
}

bool Node::awaits_decision(const Op& op) {
  const auto open = [](const Op& o) { return (o.decided || o.imposed) && !o.fulfilled(); };
  return open(op) ||
         std::any_of(op.parts.begin(), op.parts.end(), [&](const Op* part) { return open(*part); });
}

Snapshot Node::describe(View view) {
  Snapshot snapshot;
  snapshot.largest = largest_;
  Look look{view, inbox_.offers(), snapshot};
  std::vector<Blocked> single;
  for (std::size_t i = 0; i < tracks_.size(); ++i) {
    if (tracks_[i] == nullptr) continue;
    const auto rank = static_cast<Rank>(i);
    Track& t = *tracks_[i];
    std::erase_if(t.relaxed, [&](Index at) { return !pending(rank, at); });
    if (!t.relaxed.empty()) snapshot.unmet.add(rank);
    if (!inside(t) || std::exchange(t.told, t.next) != t.next) snapshot.moving.add(rank);
    if (t.ignored || (t.outside && !t.finalizing && !t.ended)) {
      snapshot.running.add(rank);
      t.stood = ~Index{0};
      continue;
    }
    for_each_current(
        rank, [&](const Op& op) { snapshot.decided = snapshot.decided || awaits_decision(op); });
    if (t.ended || finished(t)) {
      snapshot.finished.add(rank);
      continue;
    }
    std::vector<Blocked> blocked = blocked_strands(t, look);
    if (blocked.empty()) snapshot.running.add(rank);
    if (!blocked.empty() && t.stood == t.position) snapshot.still.add(rank);
    t.stood = !blocked.empty() ? t.position : ~Index{0};
    if (t.strands() == 1 && t.first.current == nullptr && !t.polls.empty()) {
      if (auto polling = blocked_polling(rank, t, look)) blocked.push_back(std::move(*polling));
    }
    for (Blocked& b : blocked) single.push_back(std::move(b));
  }
  snapshot.blocked = aggregate(std::move(single));
  waves_.for_each([&](const WaveKey& key, const Gathering* g) {
    if (g->ops.empty()) return;
    std::vector<Rank> came;
    for (const Op* op : g->ops) came.push_back(op->rank);
    std::sort(came.begin(), came.end());
    WaveState state{key.comm, key.wave, {}};
    for (const Rank rank : came) state.came.add(rank);
    snapshot.waves.push_back(std::move(state));
  });
  const std::vector<const Messages*> undecided = inbox_.undecided(look.offers, view.decisions);
  std::set<std::pair<Rank, Rank>> taken, left;  // receiver and sender
  for (const Messages* q : undecided) {
    const bool leaves = view.silent && (inbox_.may_be_claimed(*q) || leaves_one(*q, look));
    (leaves ? left : taken).emplace(q->key.dest, q->key.source);
  }
  // Who has another message that no wildcard takes waits for that one.
  for (const auto& [receiver, queues] : look.offers) {
    for (const Messages* q : queues) {
      if (!view.silent || q->last_promised == q->sends.tail) continue;
      if (std::find(undecided.begin(), undecided.end(), q) == undecided.end())
        left.emplace(receiver, q->key.source);
    }
  }
  if (view.silent) {
    for (const auto& [pair, number] : claimed_) left.insert(pair);
  }
  for (const auto& pair : taken) {
    if (!left.contains(pair)) snapshot.undecided[pair.first].add(pair.second);
  }
  snapshot.normalize();
  return snapshot;
}

}  // namespace vouch::wait
