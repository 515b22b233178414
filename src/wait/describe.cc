// What blocks whom, of one node's processes.

#include <algorithm>

#include "wait/node.h"

namespace vouch::wait {

// Whoever could send to this receive.
Term Node::any_of(const Envelope& e) const {
  Term t{.kind = Term::Kind::any, .comm = e.comm};
  const auto group = groups_.find(e.comm);
  if (group != groups_.end() && group->second->inter()) {
    const std::vector<Rank>& members = group->second->members;
    const bool inside = std::find(members.begin(), members.end(), e.dest) != members.end();
    t.side = inside ? 1 : 0;
  }
  return t;
}

Node::Need Node::need_of(const Op& op, const Inbox::Offers& offers, Snapshot& snapshot) const {
  Need need;
  switch (op.kind) {
    case Kind::send:
      need.term = {
          .kind = Term::Kind::rank, .offered = true, .loose = op.loose, .rank = op.envelope.dest};
      break;
    case Kind::recv:
    case Kind::probe: {
      const Envelope& e = op.decided && !heeds_ ? op.asked : op.envelope;
      need.could = Inbox::takes_one(e, offers);
      if (e.source == kAnyRank) {
        // The message it took is not there yet, but another one is.
        if (need.could && op.resolved && !op.decided)
          snapshot.unexpected.push_back({op.rank, op.source});
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

std::optional<Blocked> Node::blocked_in(const Op& op, const Inbox::Offers& offers,
                                        Snapshot& snapshot) const {
  Blocked b;
  b.label = op.label;
  b.kind = op.kind;
  b.returned = op.returned;
  b.ranks.add(op.rank);
  if (op.kind != Kind::completion) {
    const Need need = need_of(op, offers, snapshot);
    if (need.could) return std::nullopt;
    b.terms.push_back(need.term);
    return b;
  }
  b.all = op.all;
  for (const Op* part : op.parts) {
    if (part->fulfilled()) continue;
    const Need need = need_of(*part, offers, snapshot);
    if (!need.could) {
      b.terms.push_back(need.term);
    } else if (!op.all) {
      return std::nullopt;
    }
  }
  if (b.terms.empty()) return std::nullopt;
  b.sort_terms();
  return b;
}

std::optional<Blocked> Node::blocked_polling(Rank rank, const Poll& poll,
                                             const Inbox::Offers& offers, Snapshot& snapshot) {
  Blocked b;
  b.label = poll.label;
  b.polling = true;
  b.all = poll.all;
  b.kind = poll.envelope ? Kind::probe : Kind::completion;
  b.ranks.add(rank);
  if (poll.envelope) {
    if (Inbox::takes_one(*poll.envelope, offers)) return std::nullopt;
    b.terms.push_back(poll.envelope->source == kAnyRank
                          ? any_of(*poll.envelope)
                          : Term{.kind = Term::Kind::rank, .rank = poll.envelope->source});
    return b;
  }
  for (const Index at : poll.parts) {
    const Op* part = find(rank, at);
    const bool done = part == nullptr || part->fulfilled();
    Need need;
    need.could = done;
    if (!done) need = need_of(*part, offers, snapshot);
    if (!need.could) {
      b.terms.push_back(need.term);
    } else if (!poll.all) {
      return std::nullopt;
    }
  }
  if (b.terms.empty()) return std::nullopt;
  b.sort_terms();
  return b;
}

Snapshot Node::describe() {
  Snapshot snapshot;
  const Inbox::Offers offers = inbox_.offers();
  std::vector<Blocked> single;
  for (std::size_t i = 0; i < tracks_.size(); ++i) {
    if (tracks_[i] == nullptr) continue;
    const auto rank = static_cast<Rank>(i);
    Track& t = *tracks_[i];
    std::erase_if(t.relaxed, [&](Index at) { return !pending(rank, at); });
    if (!t.relaxed.empty()) snapshot.unmet.add(rank);
    const Op* op = t.position < t.next ? t.slot(t.position) : nullptr;
    if (t.ignored) {
      snapshot.running.add(rank);
      continue;
    }
    if (t.ended || (op != nullptr && op->active && op->kind == Kind::finalize)) {
      snapshot.finished.add(rank);
      continue;
    }
    std::optional<Blocked> blocked;
    if (op != nullptr && op->active && !op->may_pass())
      blocked = blocked_in(*op, offers, snapshot);
    if (!blocked) snapshot.running.add(rank);
    if (blocked && t.stood == t.position) snapshot.still.add(rank);
    t.stood = blocked ? t.position : ~Index{0};
    if (op == nullptr && t.poll)
      blocked = blocked_polling(rank, *t.poll, offers, snapshot);
    if (blocked) single.push_back(std::move(*blocked));
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
  for (const Rank rank : inbox_.undecided(offers)) snapshot.undecided.add(rank);
  snapshot.normalize();
  return snapshot;
}

}  // namespace vouch::wait
