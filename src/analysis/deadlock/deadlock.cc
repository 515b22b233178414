#include "analysis/deadlock/deadlock.h"

#include <algorithm>

#include <fmt/format.h>

#include "report/cannot_happen.h"

namespace vouch {
namespace {

// How far a rank may be ahead of its position before its records have to wait: well above what is
// read of one ring before the others. What is kept of it besides, mostly messages at rest, costs
// less.
constexpr std::size_t kAhead = 1 << 16, kKept = 1 << 20;
// Potential deadlocks stepped over in one go.
constexpr int kRounds = 256;

}  // namespace

DeadlockSearch::DeadlockSearch(World& world, Sink& sink) : Analysis(world, sink) {
  set_buffering({});
}

void DeadlockSearch::set_buffering(wait::Buffering buffering) {
  buffering_ = buffering;
  node_ = std::make_unique<wait::Node>(0, wait::Layout{}, nullptr, buffering);
  node_->set_limits(limits_);
  feed_ = std::make_unique<WaitFeed>(world_, *node_);
}

void DeadlockSearch::set_limits(const RestLimits& limits) {
  limits_ = limits;
  node_->set_limits(limits);
}

Wants DeadlockSearch::wants(Proc proc) const {
  const bool sees = WaitFeed::sees(proc);
  const WantsActs acts = wants_acts(proc);
  return {(sees && !acts.enter) || proc == Proc::wtime, sees && !acts.leave};
}

void DeadlockSearch::on_enter(Process& process, Call& call) {
  if (call.proc() == Proc::wtime) {
    if (!blind_) progress_.read_clock(process);
    return;
  }
  on_enter_acts(process, call, {});
}

void DeadlockSearch::on_leave(Process& process, Call& call, const Event& leave) {
  on_leave_acts(process, call, leave, {});
}

void DeadlockSearch::on_enter_acts(Process& process, Call& call, std::span<const Act> acts) {
  if (blind_) return;
  if (!ActReader::asks(call.info())) progress_.called(process);
  if (!call.harms.empty()) {
    if (call.harms.has(Harm::hang)) broken_.note(process, call.site());
    if (call.harms.has(Harm::requests) && call.info().family == Family::completion)
      note_idle(process, call);
  }
  feed_->enter(process, call, acts);
}

void DeadlockSearch::on_leave_acts(Process& process, Call& call, const Event& leave,
                                   std::span<const Act> acts) {
  if (blind_) return;
  // Whoever waits for a call that the library refused waits because of what is wrong with it.
  if ((call.harms.has(Harm::hang) || (call.broken && leave.error_class() != 0)) &&
      broken_.latest(process) != call.site())
    broken_.note(process, call.site());
  if (!ActReader::asks(call.info())) {
    // It was counted when it was entered.
  } else if (ActReader::asked_in_vain(call, leave)) {
    progress_.asked_in_vain(process);
  } else {
    progress_.called(process);
  }
  feed_->leave(process, call, leave, acts);
}

void DeadlockSearch::on_policy(Process& process, int thread, const Event& meta) {
  if (static_cast<wire::Meta>(meta.header().proc) != wire::Meta::decided) return;
  guided_ = true;
  feed_->decided(process, thread, meta);
}

bool DeadlockSearch::ahead(const Process& process) {
  if (blind_ || process.rank.value < 0 || process.stranger()) return false;
  Allowed& may = allowed(process);
  const int rank = process.rank.value;
  if (node_->lag(rank) < kAhead / 2) may.ahead = kAhead;
  if (node_->kept(rank) < kKept / 2) may.kept = kKept;
  return node_->lag(rank) > may.ahead || node_->kept(rank) > may.kept;
}

DeadlockSearch::Allowed& DeadlockSearch::allowed(const Process& process) {
  if (process.index >= allowed_.size()) allowed_.resize(process.index + 1, {kAhead, kKept});
  return allowed_[process.index];
}

// Its partners wait for what it has not done yet. So where no potential deadlock holds it back,
// what has returned counts as such. But first those go on of which only much is kept: nothing is
// given up by that, and it may be their messages that it waits for.
Task<> DeadlockSearch::let_go(const Process& process) {
  const int rank = process.rank.value;
  for (std::size_t i = 0; i < world_.processes() && i < allowed_.size(); ++i) {
    const Process& other = world_.process(i);
    if (other.rank.value < 0 || other.stranger()) continue;
    const std::size_t kept = node_->kept(other.rank.value);
    if (kept <= allowed_[i].kept) continue;
    allowed_[i].kept = 2 * kept;
    more_kept_ = true;
  }
  if (node_->lag(rank) <= allowed(process).ahead || std::exchange(more_kept_, false)) co_return;
  if (!off_ && judges()) co_await settle();
  for (wait::Index before = node_->position(rank);
       node_->lag(rank) > kAhead / 2 && node_->relax(rank); before = node_->position(rank)) {
    if (feed_->ignored() == 0) ++given_up_;
    // Nothing moves before the root, which takes a snapshot, has heard all nodes.
    if (node_->position(rank) == before) break;
  }
  allowed(process).ahead = node_->lag(rank) + kAhead / 2;
}

bool DeadlockSearch::at_rest() {
  return node_->operations() == 0 && feed_->at_rest() && !off_ && !blind_ && !guided_;
}

void DeadlockSearch::repeated(const Process& process, Site, Proc, std::uint64_t times) {
  progress_.repeated(process, times);
}

void DeadlockSearch::on_end(Process& process) {
  const bool orderly = process.end == End::exited && !process.killed_from_outside &&
                       (process.phase == Phase::finalized || process.phase == Phase::before_init);
  // One that ended well may by the rules still be in a send that was buffered.
  if (orderly) return feed_->rests(process, true);
  off_ = true;
  feed_->end(process);
}

Task<DeadlockSearch::Found> DeadlockSearch::settle() {
  feed_->flush();
  Found found;
  for (int round = 0; round < kRounds; ++round) {
    // What a schedule makes receives wait for, no library would: potential deadlocks are those of
    // the program as it runs by itself.
    std::optional<wait::Snapshot> now = co_await look({.decisions = false});
    if (!now) co_return Found{};
    // What is elsewhere tells only by the next state whether it moved.
    const bool same = remote_ != nullptr && round > 0 && now->blocked == found.snapshot.blocked;
    found.snapshot = std::move(*now);
    found.still.push_back(found.snapshot.still);
    found.verdict = wait::judge(found.snapshot, node_->groups());
    if (same) break;
    bool moved = false;
    for (const wait::Deadlock& d : found.verdict.deadlocks) {
      if (d.manifest) continue;
      co_await hold(found, d);
      for (const wait::Stuck& s : d.core) {
        if (!s.returned) continue;
        tolerate(s.label);
        for (const int r : s.ranks.list()) moved = node_->relax(r) || moved;
      }
    }
    for (const wait::Unexpected& match : found.snapshot.unexpected) {
      const wait::Index before = node_->position(match.receiver);
      node_->forgive(match);
      moved = moved || node_->position(match.receiver) != before ||
              !world_.here(WorldRank{match.receiver});
    }
    if (!moved) break;
  }
  if (found.snapshot.decided) found = co_await settle_guided(std::move(found));
  co_return found;
}

// Who is stuck in this schedule. What has returned and would wait only here is no finding, but a
// rank may be stuck behind it whose message does not come.
Task<DeadlockSearch::Found> DeadlockSearch::settle_guided(Found found) {
  std::optional<wait::Snapshot> now = co_await look();
  if (!now) co_return Found{};
  found.snapshot = std::move(*now);
  found.still.push_back(found.snapshot.still);
  found.verdict = wait::judge(found.snapshot, node_->groups());
  co_return found;
}

// What is stuck by the schedule behind calls that have returned.
bool DeadlockSearch::let_returned_go_on(const Found& found) {
  bool moved = false;
  for (const wait::Deadlock& d : found.verdict.deadlocks) {
    for (const wait::Stuck& s : d.core) {
      if (d.manifest || !s.returned) continue;
      for (const int r : s.ranks.list()) moved = node_->relax(r) || moved;
    }
  }
  return moved;
}

// A potential deadlock is told at the end: if one of its messages was received by nobody, or one of
// its collectives never joined by all, that is the finding (unmatched/, collective/).
Task<> DeadlockSearch::hold(const Found& found, const wait::Deadlock& d) {
  constexpr std::size_t kHeld = 1000;
  if (held_.size() >= kHeld) co_return;
  co_await learn(concerned(found, d, node_->groups()));
  if (blame_earlier(found, d, true)) co_return;
  Held held{report_of(found, d, true), {}, {}, {}};
  const auto add = [&](const wait::Op& op) {
    if ((op.kind == wait::Kind::send || op.kind == wait::Kind::collective) && !op.fulfilled())
      held.operations.emplace_back(op.rank, op.at);
  };
  for (const wait::Stuck& s : d.core) {
    for (const int r : s.ranks.list()) {
      if (!world_.here(WorldRank{r})) {
        held.elsewhere.add(r);
      } else {
        held.core.emplace_back(r, node_->position(r));
      }
      node_->for_each_current(r, [&](const wait::Op& op) {
        add(op);
        for (const wait::Op* part : op.parts) add(*part);
      });
    }
  }
  held_.push_back(std::move(held));
}

void DeadlockSearch::tell_held() {
  for (Held& held : held_) {
    const std::vector<int> others = held.elsewhere.list();
    const bool met =
        std::none_of(others.begin(), others.end(), [&](int r) { return unmet_.contains(r); }) &&
        std::all_of(held.operations.begin(), held.operations.end(),
                    [&](const auto& op) { return !node_->pending(op.first, op.second); });
    // A rank that was stuck there for good has its finding.
    const bool told = std::any_of(held.core.begin(), held.core.end(),
                                  [&](const auto& op) { return stuck_at_.contains(op); });
    // Who has finished comes no more: the message or the collective has its own finding.
    const bool may_come = off_ && held.report.rule != Rule::deadlock_finished_rank;
    if ((met || may_come) && !told) sink_.report(std::move(held.report));
  }
  held_.clear();
}

// The same ranks in the same operations for a while.
bool DeadlockSearch::lasts(const Found& found, Time now) {
  if (remote_ != nullptr) return lasts_everywhere(found, now);
  std::vector<std::pair<wait::Rank, wait::Index>> suspects;
  for (const wait::Deadlock& d : found.verdict.deadlocks) {
    for (const wait::Stuck& s : d.core) {
      for (const int r : s.ranks.list()) suspects.emplace_back(r, node_->position(r));
    }
  }
  if (suspects != suspects_) {
    suspects_ = std::move(suspects);
    since_ = now;
  }
  return !suspects_.empty() && now - since_ >= kPatience;
}

Task<std::vector<int>> DeadlockSearch::on_pause(const Pause& pause) {
  const std::vector<int> nobody;
  if (off_) co_return nobody;
  feed_->flush();
  progress_.watch(pause);
  look_at_threads(pause);
  if (!judges()) co_return nobody;
  bool anybody = remote_ != nullptr || feed_->in_lock_call();
  for (std::size_t i = 0; i < world_.processes() && !anybody; ++i) {
    const int rank = world_.process(i).rank.value;
    anybody = rank >= 0 && node_->waits(rank);
  }
  if (std::vector<int> ranks = search_livelock(pause); !ranks.empty()) co_return ranks;
  Found found;
  if (anybody) found = co_await settle();
  if (found.verdict.empty()) {
    suspects_.clear();
    arrival_ = {};
    std::optional<Found> silent = co_await hang_in_silence(found.snapshot, pause);
    if (!silent) co_return co_await hang_in_broken_calls(found.snapshot, pause);
    found = std::move(*silent);
  } else if (wait::Verdict sure = wait::judge(found.snapshot, node_->groups(), {.loose = true});
             !sure.empty()) {
    found.verdict = std::move(sure);
  } else if (!lasts(found, pause.now) || let_returned_go_on(found)) {
    co_return nobody;
  }
  if (!others_have_come(found, pause)) co_return nobody;
  if (!told_.insert(found.verdict.ranks.list()).second) co_return nobody;
  blamed_ = false;
  if (found.snapshot.decided) blamed_ = co_await blame_schedule(found);
  take_stacks(found, pause);
  if (remote_ != nullptr) {
    remote_->gather_waves(found.verdict.ranks.list());
    co_await answers_.until([this] { return remote_->waves_gathered(); }, kAnswers);
  }
  confirmed_ = std::move(found);
  co_return confirmed_->verdict.ranks.list();
}

// Others may be about to come to it: who is in it, and so which line is named first, must not
// depend on how far they have got. So each of them gets the processor for a while, or some time.
bool DeadlockSearch::others_have_come(const Found& found, const Pause& pause) {
  constexpr auto kWorked = std::chrono::milliseconds(200);
  constexpr auto kLongest = std::chrono::seconds(3);
  if (!arrival_.since) arrival_ = {pause.now, processor_times(world_, pause)};
  const auto waited = pause.now - *arrival_.since;
  if (found.silent || waited >= kLongest) return true;
  if (remote_ != nullptr) {
    for (int rank = 0; rank < world_.ranks(); ++rank) {
      if (world_.owner(WorldRank{rank}) < 0 || found.verdict.ranks.contains(rank) ||
          found.snapshot.finished.contains(rank))
        continue;
      return waited >= kPatience;
    }
    return true;
  }
  const std::vector<std::chrono::nanoseconds> now = processor_times(world_, pause);
  for (std::size_t i = 0; i < world_.processes(); ++i) {
    const Process& process = world_.process(i);
    if (process.phase >= Phase::finalizing || process.end != End::alive ||
        found.verdict.ranks.contains(process.rank.value))
      continue;
    if (i >= arrival_.worked.size() || now[i] - arrival_.worked[i] < kWorked) return false;
  }
  return true;
}

// Of each place in the report the first rank, from the MPI call outwards.
void DeadlockSearch::take_stacks(const Found& found, const Pause& pause) {
  constexpr std::size_t kStacks = 16;
  stacks_.clear();
  thread_waits_.clear();
  if (!pause.stacks) return;
  for (const wait::Deadlock& d : found.verdict.deadlocks) {
    for (const wait::Stuck& s : d.core) {
      const Process* process = process_of(s.ranks.first());
      if (process == nullptr || stacks_.size() >= kStacks) continue;
      for (const std::vector<Site>& frames : pause.stacks(process->index)) {
        const auto call = std::find(frames.begin(), frames.end(), s.label.site);
        if (call != frames.end()) stacks_[s.ranks.first()] = {call, frames.end()};
      }
      if (pause.thread_waits && feed_->counts_threads(*process))
        thread_waits_[s.ranks.first()] = pause.thread_waits(process->index);
    }
  }
}

Task<> DeadlockSearch::on_stuck() {
  if (livelock_.everybody && !livelock_.told) {
    tell_livelock(Severity::error);
    co_return;
  }
  if (!confirmed_) {
    tell_broken_hang();
    co_return;
  }
  const Found found = std::move(*confirmed_);
  confirmed_.reset();
  if (blamed_) {
    tell_schedule(found);
  } else {
    for (const wait::Deadlock& d : found.verdict.deadlocks) {
      co_await learn(concerned(found, d, node_->groups()));
      tell(found, d);
    }
  }
  stuck_ranks_ = found.verdict.ranks.list();
  for (const int r : stuck_ranks_) {
    if (world_.here(WorldRank{r})) stuck_at_.emplace(r, node_->position(r));
  }
}

// If every decision was met, this is where the program has come by itself.
bool DeadlockSearch::waits_for_decided(const wait::RankSet& ranks) const {
  for (const int r : ranks.list()) {
    if (!world_.here(WorldRank{r})) return true;
    bool some = false;
    node_->for_each_current(
        r, [&](const wait::Op& op) { some = some || wait::Node::awaits_decision(op); });
    if (some) return true;
  }
  return false;
}

// Whether nobody would be stuck if receives could take any message. Else `found` becomes what holds
// without the schedule.
Task<bool> DeadlockSearch::blame_schedule(Found& found) {
  std::optional<wait::Snapshot> state = co_await look({.silent = found.silent, .decisions = false});
  if (!state) co_return false;
  wait::Snapshot snapshot = std::move(*state);
  wait::Verdict verdict = wait::judge(snapshot, node_->groups());
  if (verdict.empty()) co_return waits_for_decided(found.verdict.ranks);
  found = {std::move(verdict), std::move(snapshot), {}, found.silent};
  co_return false;
}

// What has not returned, but might in a library that buffers more or leaves a collective earlier.
bool DeadlockSearch::library_waits(const wait::Deadlock& d) {
  return std::any_of(d.core.begin(), d.core.end(), [](const wait::Stuck& s) {
    return !s.returned && std::any_of(s.terms.begin(), s.terms.end(), [](const wait::Term& t) {
      return t.offered || t.kind == wait::Term::Kind::wave;
    });
  });
}

// A message that was decided on does not come, while another one could be taken: this is no
// schedule of the program, or none that this library lets happen.
void DeadlockSearch::tell_schedule(const Found& found) {
  const auto& all = found.verdict.deadlocks;
  const bool waits = !all.empty() && std::all_of(all.begin(), all.end(), library_waits);
  std::string text = waits ? fmt::format(
                                 "{}: what it decides comes only where no send and no "
                                 "collective waits for others",
                                 kCannotHappen)
                           : "it could not be followed: what it decides never comes";
  Site site{};
  for (const wait::Deadlock& d : found.verdict.deadlocks) {
    for (const Place& place : places(found, d.core, 4)) {
      text += fmt::format("; rank {} {} in {}", place.rank.value, place.role, place.call);
      if (site.value == 0) site = place.site;
    }
  }
  sink_.not_checked({std::string(kTheSchedule), text, 1, site, {}});
}

void DeadlockSearch::finish() {
  if (!off_ && judges()) {
    // Events from a file or a text: nobody can be asked about threads that are in no call.
    if (!last_ && !looked_at_threads_) {
      feed_->flush();
      look_at_threads({});
    }
    // With other agents the last state is known: nobody is asked any more.
    const Found found = last_ ? std::move(*last_) : remote_ != nullptr ? Found{} : settle().run();
    const bool told = !told_.insert(found.verdict.ranks.list()).second;
    if (!told) {
      for (const wait::Deadlock& d : found.verdict.deadlocks) {
        if (d.manifest) tell(found, d);
      }
    }
  }
  tell_held();
  tell_unfinished_livelock();
  if (given_up_ > 0) {
    sink_.not_checked(
        {.what = "waiting",
         .reason = fmt::format("some ranks had to run more than {} operations ahead of their "
                               "partners: whether their sends could block is not known",
                               kAhead),
         .count = given_up_});
  }
  if (node_->forgotten() > 0) {
    sink_.not_checked(
        {.what = "waiting",
         .reason = fmt::format("more than {} messages waited to be received at once: whether "
                               "anybody depends on the oldest of them is not known",
                               limits_.most),
         .count = node_->forgotten()});
  }
}

}  // namespace vouch
