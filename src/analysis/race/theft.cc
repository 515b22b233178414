// Harm that takes several choices: wildcards that take, one after the other, all messages of a
// sender that a later receive names.
//
// Which of them took such a message in this run is left to chance, so all are looked at from the
// first one on: each takes the next message of that sender if it may, each receive that names the
// sender takes the next one, and one that finds none left waits forever. The messages that are
// taken must not know of the first choice: then nothing that led to them depends on any of these.
// Where a program is told who sent, or asks without waiting, it may go another way: nothing is
// said.

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "analysis/race/race.h"

namespace vouch {
namespace {

constexpr std::uint64_t kNobody = ~std::uint64_t{0};

}  // namespace

std::vector<MessageRace::Taker> MessageRace::takers(const Door& at) {
  std::vector<Taker> all;
  for (const Message& m : at.messages) {
    if (m.position == kNobody) continue;
    Taker taker{&m, nullptr};
    const auto choice = std::lower_bound(
        at.choices.begin(), at.choices.end(), m.position,
        [](const Choice& c, std::uint64_t position) { return c.position < position; });
    if (choice != at.choices.end() && choice->position == m.position) taker.choice = &*choice;
    all.push_back(taker);
  }
  std::sort(all.begin(), all.end(),
            [](const Taker& a, const Taker& b) { return a.got->position < b.got->position; });
  return all;
}

// Whether a receive of exactly this envelope starves if the wildcards from `first` on take what
// they can.
bool MessageRace::rob(const Door& at, const std::vector<Taker>& takers, std::size_t first,
                      const Envelope& wanted) {
  const Choice& c = *takers[first].choice;
  // Messages that are left there, and how many of the first of them may come before the choice.
  std::vector<const Message*> left;
  for (const Message& m : at.messages) {
    if (m.envelope.source != wanted.source || m.position < c.position) continue;
    if (m.envelope.tag != wanted.tag || m.send.poisoned) return false;
    left.push_back(&m);
  }
  std::stable_sort(left.begin(), left.end(),
                   [](const Message* a, const Message* b) { return a->position < b->position; });
  std::size_t early = 0;
  while (early < left.size() && left[early]->when && left[early]->when->known() &&
         !left[early]->when->unsure() && !left[early]->when->knows(c.call.process, c.number))
    ++early;
  std::size_t taken = 0;
  const Choice* thief = nullptr;
  for (std::size_t i = first; i < takers.size(); ++i) {
    const Taker& t = takers[i];
    const bool any = t.got->asked.source == wire::kAnySource;
    if (t.got->conditional || t.got->needless || t.got->recv.poisoned) return false;
    if (any && (t.choice == nullptr || t.choice->status_seen || t.choice->call.role == Role::look))
      return false;
    if (!t.got->asked.fits(wanted)) continue;
    if (any) {
      if (taken >= early) continue;
      thief = t.choice;
      ++taken;
    } else if (taken < left.size()) {
      ++taken;
    } else if (thief != nullptr) {
      tell_theft(*thief, *left.back(), *t.got);
      return true;
    }
  }
  return false;
}

void MessageRace::find_thefts(Door& at) {
  // Nobody knows what was there.
  if (at.overflow || at.choices_dropped || at.first_message > 0 || at.choices.empty()) return;
  if (world_.process(at.choices.front().call.process).threads.size() > 1) return;
  const std::vector<Taker> all = takers(at);
  std::set<std::pair<std::int64_t, std::int64_t>> named;  // that somebody asks for by source
  for (const Taker& t : all) {
    if (t.got->asked.source != wire::kAnySource)
      named.emplace(t.got->asked.source, t.got->envelope.tag);
  }
  for (const auto& [source, tag] : named) {
    // From the last one: then no more of them take part than must.
    for (std::size_t first = all.size(); first-- > 0;) {
      if (all[first].choice != nullptr && rob(at, all, first, {source, tag})) break;
    }
  }
}

void MessageRace::tell_theft(const Choice& thief, const Message& stolen, const Message& starved) {
  const bool known = std::any_of(found_.begin(), found_.end(), [&](const auto& f) {
    return f.second.kind != nullptr && std::get<0>(f.first) == thief.call.process &&
           f.second.message.recv.site == starved.recv.site;
  });
  const Key key{thief.call.process, thief.call.site.value, stolen.send.site.value};
  if (known || (!found_.contains(key) && found_.size() >= kEnvelopes)) return;
  Message other = stolen;
  other.when.reset();
  other.recv = starved.recv;
  found_[key] = {
      thief, std::move(other), "deadlock",
      fmt::format("if receives before it take such messages, too, then the receive at {} "
                  "waits forever",
                  mention(starved.recv.site))};
}

}  // namespace vouch
