#include "match/clocks_apart.h"

#include "match/clocks.h"
#include "match/wave.h"

namespace vouch {

// ---- Moments that leave ----
std::uint64_t ApartClocks::number(int node, const MomentRef& of, std::uint32_t besides) {
  if (!of || (of->known() && of->empty() && besides == 0)) return 0;
  const MomentRef out(clocks_.arena_->take());
  out->leaves = true;
  ++out->waits;
  const std::uint64_t number = ++next_;
  leaving_[out.get()] = {node, number, out};
  clocks_.feed(*out, *of, besides);
  return number;
}

void ApartClocks::leave(Moment& m) {
  m.leaves = false;
  const auto found = leaving_.find(&m);
  if (found == leaving_.end()) return;
  const Leaving out = std::move(found->second);
  leaving_.erase(found);
  remote_.known(out.node, out.number, m);
}

// Nobody shall wait for what will never be known.
void ApartClocks::give_up() {
  for (auto& [m, out] : std::exchange(leaving_, {})) {
    out.moment->leaves = false;
    out.moment->doubtful = true;
    remote_.known(out.node, out.number, *out.moment);
  }
  brought_.clear();
  unanswered_.clear();
}

// ---- Moments that come ----
ApartClocks::Import& ApartClocks::import(int node, std::uint64_t number) {
  Import& i = imports_[{static_cast<std::uint64_t>(node), number}];
  if (!i.moment) {
    i.moment = MomentRef(clocks_.arena_->take());
    ++i.moment->waits;
  }
  return i;
}

void ApartClocks::erase_if_done(int node, std::uint64_t number) {
  const auto found = imports_.find({static_cast<std::uint64_t>(node), number});
  if (found != imports_.end() && found->second.known && found->second.done) imports_.erase(found);
}

MomentRef ApartClocks::once(int node, std::uint64_t number) {
  if (number == 0) return {};
  Import& i = import(node, number);
  i.done = true;
  const MomentRef moment = i.moment;
  erase_if_done(node, number);
  return moment;
}

bool ApartClocks::take_known(int node, std::uint64_t number, bool doubtful, bool by_memory,
                             const Counted& counted) {
  Import& i = import(node, number);
  if (number == 0 || i.known) return false;
  const MomentRef moment = i.moment;
  i.known = true;
  erase_if_done(node, number);
  moment->doubtful = doubtful;
  moment->by_memory = by_memory;
  for (const auto& [rank, count] : counted) {
    if (rank < 0 || rank >= world_.ranks()) return false;
    clocks_.arena_->set(*moment, static_cast<std::uint32_t>(rank), count);
  }
  clocks_.unwait(*moment);
  return true;
}

std::uint32_t ApartClocks::local(WorldRank rank) {
  if (const auto found = local_.find(rank.value); found != local_.end()) return found->second;
  for (std::size_t i = 0; i < world_.processes(); ++i) {
    if (world_.process(i).rank == rank && !world_.process(i).spawned)
      return local_[rank.value] = static_cast<std::uint32_t>(i);
  }
  return Moment::kNobody;
}

// ---- Messages ----
std::uint64_t ApartClocks::number_of(int node, const Operation& send) {
  const MomentRef& when = send.when ? send.when : clocks_.now(send.process);  // given up
  Sent& sent = sent_[{send.process, static_cast<std::uint64_t>(node)}];
  if (sent.moment.get() != when.get()) sent = {when, number(node, when)};
  return sent.number;
}

MomentRef ApartClocks::moment_of(int node, WorldRank rank, std::uint64_t number) {
  if (number == 0) {
    if (!nothing_) nothing_ = MomentRef(clocks_.arena_->take());
    return nothing_;
  }
  const Key key{static_cast<std::uint64_t>(node), number};
  const MomentRef moment = import(node, number).moment;
  const auto [latest, first] = latest_.try_emplace(rank.value, key);
  if (!first && latest->second != key) {  // a process goes only forward
    const Key old = std::exchange(latest->second, key);
    if (const auto found = imports_.find(old); found != imports_.end()) {
      found->second.done = true;
      erase_if_done(node, old.second);
    }
  }
  return moment;
}

void ApartClocks::completed(const Operation& send) {
  if (clocks_.off_ || send.mode != SendMode::synchronous) return;
  const MomentRef in(&clocks_.learning(clocks_.line_of(send.process), send.process));
  if (clocks_.off_) return;
  ++in->waits;
  unanswered_[{send.process, send.position()}] = in;
}

void ApartClocks::answer(const Operation& send, const Operation& recv) {
  const WorldRank to = world_.process(send.process).rank;
  const int node = world_.owner(to);
  if (node < 0) return;
  const bool any = recv.peer == wire::kAnySource;
  remote_.met(node, to, send.number, number(node, recv.when, any ? recv.issued : 0));
}

bool ApartClocks::take_met(int node, WorldRank sender, std::uint64_t send, std::uint64_t number) {
  const MomentRef from = once(node, number);
  const auto found = unanswered_.find({local(sender), send});
  if (found == unanswered_.end()) return true;
  const MomentRef in = std::move(found->second);
  unanswered_.erase(found);
  if (from) {
    clocks_.feed(*in, *from, 0);
  } else {
    clocks_.unwait(*in);
  }
  return true;
}

// ---- Collectives ----
std::vector<std::uint64_t> ApartClocks::give(int home, const Wave& wave) {
  std::vector<std::uint64_t> numbers;
  MomentRef together;
  const bool each = Clocks::differs_by_member(wave);
  for (const Wave::Class& c : wave.classes) {
    for (const Attendee& a : c.members) {
      if (each) {
        MomentRef own;
        if (Clocks::gives(wave, c.said)) clocks_.gather(own, a);
        numbers.push_back(number(home, own));
      } else if (Clocks::gives(wave, c.said)) {
        clocks_.gather(together, a);
      }
    }
  }
  if (!each) numbers.push_back(number(home, together));
  return numbers;
}

void ApartClocks::bring(int node, std::uint64_t assembly, std::uint64_t index,
                        const std::vector<std::uint32_t>& processes,
                        const std::vector<std::uint64_t>& numbers) {
  if (clocks_.off_) return;
  const bool each = numbers.size() == processes.size();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] == 0) continue;
    brought_[{assembly, index}].push_back(
        {each ? processes[i] : Moment::kNobody, once(node, numbers[i])});
  }
}

std::vector<ApartClocks::Brought> ApartClocks::take_brought(const Wave& wave) {
  const auto found = brought_.find({wave.assembly->key, wave.index});
  if (found == brought_.end()) return {};
  std::vector<Brought> all = std::move(found->second);
  brought_.erase(found);
  return all;
}

void ApartClocks::tell(const Attendee& a, const MomentRef& from) {
  const int node = world_.owner(a.rank);
  if (node < 0) return;
  auto& [moment, calls] = telling_[{node, from.get()}];
  moment = from;
  calls.push_back({a.rank, a.seq});
}

void ApartClocks::tell_all(bool doubtful) {
  for (const auto& [key, what] : std::exchange(telling_, {}))
    remote_.told(key.first, what.second, number(key.first, what.first), doubtful);
}

bool ApartClocks::take_told(int node, const std::vector<CallName>& calls, std::uint64_t number,
                            bool doubtful) {
  const MomentRef from = once(node, number);
  for (const CallName& call : calls) {
    const std::uint32_t process = local(call.rank);
    if (process == Moment::kNobody) return false;
    Attendee a;
    a.process = process;
    a.seq = call.seq;
    clocks_.tell(a, from, doubtful);
  }
  return true;
}

}  // namespace vouch
