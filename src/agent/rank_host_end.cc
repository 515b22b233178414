// How the ranks of a node end, and what is told of those that are ended.

#include <algorithm>
#include <csignal>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/fate.h"
#include "agent/rank_host.h"
#include "agent/wait_status.h"
#include "policy/schedule.h"

namespace vouch {
namespace {

constexpr auto kGrace = std::chrono::seconds(2);  // for ranks that outlive their launcher
// Between hang-up and death; a program may close its files a moment before its end.
constexpr auto kHangUpGrace = std::chrono::milliseconds(500);

// Signals that end processes now and then; as a status of its own a program seldom chooses one.
bool is_deadly(int signal) {
  constexpr int kDeadly[] = {SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGKILL, SIGSEGV, SIGTERM};
  return std::find(std::begin(kDeadly), std::end(kDeadly), signal) != std::end(kDeadly);
}

}  // namespace

// What we do ourselves; what all must have done before it counts is in Home::all_obeyed().
void RankHost::obey(const Command& command) {
  switch (command.kind) {
    case CommandKind::time_limit:
      stopped_ = fmt::format("when the time limit of {} s was reached", command.value / 1000.0);
      for (auto& rank : ranks_) {
        if (!rank->gone) where(*rank, stopped_);
      }
      deaths_.stopping();
      break;
    case CommandKind::interrupted:
      if (stopped_.empty())
        stopped_ = fmt::format("when SIG{} came", ::sigabbrev_np(command.value));
      deaths_.stopping();
      break;
    case CommandKind::launcher_failed:
      if (stopped_.empty())
        stopped_ = fmt::format("when the launcher itself failed (status {})", command.value);
      break;
    case CommandKind::launcher_ended:
      launcher_.ended = Clock::now();
      launcher_.status = command.value;
      if (killed_launcher(command) && stopped_.empty()) {
        stopped_ = fmt::format("when the launcher was killed by SIG{}",
                               ::sigabbrev_np(WTERMSIG(command.value)));
      }
      break;
  }
}

// By a signal that was not the program's doing.
bool RankHost::killed_launcher(const Command& command) const {
  const bool is_rank = std::any_of(ranks_.begin(), ranks_.end(),
                                   [&](const auto& r) { return r->pid == command.pid; });
  return WIFSIGNALED(command.value) && !is_rank;
}

bool RankHost::launcher_long_gone() const {
  return launcher_.ended && Clock::now() - *launcher_.ended > 4 * kGrace;
}

// Ranks that outlive their launcher are told to end, then made to.
void RankHost::end_leftovers() {
  if (!launcher_.ended || alive() == 0) return;
  const auto waited = Clock::now() - *launcher_.ended;
  const int due = waited >= 2 * kGrace ? 2 : waited >= kGrace ? 1 : 0;
  if (due <= launcher_.terminated) return;
  launcher_.terminated = due;
  if (stopped_.empty()) stopped_ = "when it was ended: its launcher was gone";
  deaths_.stopping();
  for (const auto& rank : ranks_) {
    if (rank->gone) continue;
    where(*rank, stopped_);
    const int signal = due == 1 ? SIGTERM : SIGKILL;
    if (rank->pidfd >= 0) {
      ::syscall(SYS_pidfd_send_signal, rank->pidfd, signal, nullptr, 0);
    } else {
      ::kill(rank->pid, signal);
    }
  }
}

// Reads what the dead have left. All that died at the same time are looked at together
// (Deaths::add).
void RankHost::bury() {
  const auto now = Clock::now();
  for (auto& rank : ranks_) {
    // Without pidfd the hang-up is all we get. A living process may hang up too: some programs
    // close all files they see.
    if (rank->gone || rank->pidfd >= 0 || !rank->hung_up) continue;
    if (std::find(dying_.begin(), dying_.end(), rank->index) == dying_.end())
      dying_.push_back(rank->index);
  }
  if (dying_.empty() || role_->stage() == JobStage::gathering) return;
  std::vector<Deaths::Death> batch;
  for (const std::size_t index : std::exchange(dying_, {})) {
    if (!ranks_[index]->gone) batch.push_back(read_death(*ranks_[index], now));
  }
  role_->on_deaths(std::move(batch));
}

Deaths::Death RankHost::read_death(RankProcess& rank, Clock::time_point now) {
  const std::size_t index = rank.index;
  rank.drain(pipeline_);
  rank.gone = true;
  const Process& process = pipeline_.process(index);
  const bool said = pipeline_.told(index) != End::killed;
  const auto status = said ? std::nullopt : wait_status(rank.pidfd, rank.pid);
  if (status) pipeline_.learn(index, *status);
  Deaths::Death death = death_of(process, pipeline_.told(index), pipeline_.exit_status(index),
                                 pipeline_.signal(index));
  // It left us before it died: perhaps it became another program. Where there is no processor for
  // it a process may take long to die.
  const bool left =
      rank.hung_up && now - *rank.hung_up > kHangUpGrace && rank.lived_on.value_or(true);
  if (!said && left) {
    death = {index, End::detached, !outside_mpi(process), false};
    if (death.abnormal) collector_.not_checked(gone_on(process));
  } else if (death.how == End::detached) {
    collector_.not_checked(unseen_end(process, pipeline_.exit_status(index)));
  }
  death.hung_up = rank.hung_up.value_or(now);
  const auto ends_at = rank.ends_at();
  if (!death.silent && !death.gave_up && ends_at) death.hung_up = std::min(death.hung_up, *ends_at);
  death.pid = rank.pid;
  death.stopped = launcher_.terminated > 0;
  death.crowded = death.abnormal && SystemView::crowded();
  return death;
}

void RankHost::tell_end(const Judgement& judged) {
  // Where one has returned a status of failure from its main(), the launcher may end others that
  // are still in MPI_Finalize. All their calls are known.
  const bool late = judged.from_outside && judged.how == End::exited && stopped_.empty();
  if (late && pipeline_.leave_finalize(judged.process))
    return pipeline_.end(judged.process, End::exited, false);
  if (judged.from_outside) where(*ranks_[judged.process], judged.when);
  const bool unknown = pipeline_.told(judged.process) == End::killed &&
                       pipeline_.signal(judged.process) == 0 && judged.how != End::detached;
  pipeline_.end(judged.process,
                unknown && !judged.from_outside ? unknown_end(*ranks_[judged.process], judged.how)
                : late                          ? pipeline_.told(judged.process)
                                                : judged.how,
                judged.from_outside);
}

// Neither the process nor the kernel says how it ended: the launcher's status does, that of the
// first of its processes that failed. For a signal Open MPI gives 128 + its number, Hydra the
// number.
End RankHost::unknown_end(const RankProcess& rank, End how) {
  const Process& process = pipeline_.process(rank.index);
  const int status = WIFEXITED(launcher_.status) ? WEXITSTATUS(launcher_.status) : 0;
  const bool over = outside_mpi(process);
  if (how == End::exited && over) return how;
  if (how == End::killed) {
    const bool added = status > 128 && status < 128 + SIGRTMIN;
    const int signal = added ? status - 128 : !over && is_deadly(status) ? status : 0;
    if (signal != 0 || (!over && status != 0))
      pipeline_.learn(rank.index, signal != 0 ? signal : status << 8);
    const End told = pipeline_.told(rank.index);
    if (signal != 0 || told == End::exited) return told;
  }
  collector_.not_checked(unseen_end(process, how == End::exited ? 0 : -1));
  return End::detached;
}

// One line that tells how far a rank got, for ranks that are ended from outside.
void RankHost::where(RankProcess& rank, const std::string& when) {
  if (rank.told_where) return;
  rank.told_where = true;
  if (!rank.gone && role_->stage() != JobStage::gathering) rank.catch_up(pipeline_);
  collector_.not_checked(last_seen(pipeline_.process(rank.index), when));
}

// "rank 3: process 4711 on node1: gdb -p 4711", and a tab behind each.
std::string RankHost::how_to_look_at(const std::vector<int>& stuck) const {
  char host[256] = "";
  ::gethostname(host, sizeof(host) - 1);
  std::string text;
  for (const int number : stuck) {
    for (const auto& rank : ranks_) {
      const Process& process = world_.process(rank->index);
      if (rank->gone || process.rank.value != number) continue;
      text += fmt::format("{}: process {} on {}: gdb -p {}\t", name_of(process), rank->pid, host,
                          rank->pid);
    }
  }
  return text;
}

void RankHost::note_stuck(const std::vector<int>& stuck) {
  stopped_ = "when the deadlocked job was ended";
  for (auto& rank : ranks_) {
    const Process& process = pipeline_.process(rank->index);
    if (rank->gone) continue;
    // Where these were is in the finding.
    if (std::binary_search(stuck.begin(), stuck.end(), process.rank.value)) {
      rank->told_where = true;
      collector_.not_checked({name_of(process), "what comes after the deadlock", 1, {}, {}});
    } else {
      where(*rank, stopped_);
    }
  }
  deaths_.stopping();
}

// Fewer came than the launcher was told to start, or than those that came know of.
bool RankHost::ranks_missing() const {
  int expected = std::max(world_.size(), options_.ranks);
  for (const int told : told_sizes_) expected = std::max(expected, told);
  return static_cast<int>(ranks_.size()) < expected;
}

bool RankHost::orderly() const {
  for (std::size_t i = 0; i < world_.processes(); ++i) {
    const Process& p = world_.process(i);
    if (p.end != End::exited || p.aborted || p.killed_from_outside || p.lossy ||
        (p.phase != Phase::finalized && (p.phase != Phase::before_init || p.exit_status != 0)))
      return false;
  }
  return true;
}

std::vector<Deaths::Death> RankHost::drain() {
  std::vector<Deaths::Death> all;
  for (auto& rank : ranks_) {
    if (rank->gone) continue;
    rank->drain(pipeline_);
    rank->gone = true;
    all.push_back({rank->index, End::killed, true, true});
    all.back().hung_up = Clock::now();  // not yet: the others went before
    all.back().pid = rank->pid;
  }
  return all;
}

// Findings say themselves which world their ranks belong to; what else names ranks does not.
void RankHost::name_worlds(Summary& summary) {
  for (const SpawnedWorld& world : world_.spawned()) {
    std::vector<int> ranks(static_cast<std::size_t>(world.size));
    std::iota(ranks.begin(), ranks.end(), world.first);
    summary.notes.push_back(fmt::format(
        "{} {} the world {}", rank_words(ranks), world.size == 1 ? "is" : "are",
        world.spawned.value == 0 ? std::string("that was spawned")
                                 : collector_.with_places("spawned at " + mention(world.spawned))));
  }
}

Summary RankHost::conclude(bool alone) {
  pipeline_.finish();
  role_->add_gaps();
  trace_.finish(world_, sites_, collector_);
  std::uint64_t polls = 0, full_waits = 0;
  for (const auto& rank : ranks_) {
    polls += rank->polls();
    full_waits += rank->full_waits();
  }
  if (ranks_.empty() && !reception_.refused() && alone)
    collector_.not_checked({"MPI", kNoMpi, 0, {}, {}});
  if (one_world_.broken()) {
    if (!one_world_.in_turn()) collector_.forget();  // how they ended means nothing either
    collector_.not_checked({"the job", one_world_.why(), 1, {}, {}});
  }
  Summary summary = collector_.summary();
  for (std::string& note : unseen_parts(pipeline_.parts()))
    summary.notes.push_back(std::move(note));
  summary.ranks = world_.size() > 0 ? world_.size() : static_cast<int>(ranks_.size());
  summary.statistics = pipeline_.statistics(polls, full_waits);
  if (!summary.not_checked.empty()) name_worlds(summary);
  if (!schedule_->too_long()) summary.schedule = policy::to_text(schedule_->schedule());
  return summary;
}

}  // namespace vouch
