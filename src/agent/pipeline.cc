#include "agent/pipeline.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/wait.h>

#include "agent/fate.h"

namespace vouch {

static_assert(static_cast<int>(End::exited) - 1 == static_cast<int>(trace::Ending::exited) &&
              static_cast<int>(End::detached) - 1 == static_cast<int>(trace::Ending::detached));

Pipeline::Pipeline(World& world, SiteTable& sites, Sink& sink, Analyses analyses)
    : world_(world), sites_(sites), sink_(sink), dispatch_(world, std::move(analyses)) {}

std::size_t Pipeline::add_process(int pid, WorldRank hint) {
  world_.add_process(pid, hint);
  feeds_.push_back(std::make_unique<Feed>());
  VOUCH_CHECK(feeds_.size() == world_.processes());
  if (trace_ != nullptr) trace_->add_process(pid, hint.value);
  return feeds_.size() - 1;
}

std::size_t Pipeline::add_thread(std::size_t index, int thread) {
  Process& process = world_.process(index);
  // Numbers are given out in order and without gaps by the shim, but they come from the rank's
  // memory.
  constexpr int kMaxThreads = 1 << 16;
  VOUCH_CHECK(thread >= 0 && thread < kMaxThreads);
  while (process.threads.size() <= static_cast<std::size_t>(thread)) {
    Thread& t = process.threads.emplace_back();
    t.number = static_cast<int>(process.threads.size()) - 1;
  }
  feeds_[index]->polls.resize(process.threads.size());
  return feeds_[index]->intake.add_lane(thread);
}

Task<bool> Pipeline::pause(const Pause& pause) {
  if (!judges_) co_return false;
  co_return co_await dispatch_.pause(pause);
}

template <typename Take>
std::size_t Pipeline::feed_with(std::size_t index, std::size_t lane,
                                std::span<const std::byte> bytes, std::size_t limit, Take&& take) {
  Intake& intake = feeds_[index]->intake;
  const bool was_damaged = intake.lane(lane).damaged;
  const std::size_t done = intake.feed(lane, bytes, limit, take);
  if (intake.lane(lane).damaged && !was_damaged) damaged(index);
  return done;
}

std::size_t Pipeline::feed(std::size_t index, std::size_t lane, std::span<const std::byte> bytes,
                           std::size_t limit) {
  Process& process = world_.process(index);
  Feed& feed = *feeds_[index];
  return feed_with(index, lane, bytes, limit, [&](int thread, const Event& event) {
    return take(process, feed, thread, event) ? Intake::Next::go_on : Intake::Next::malformed;
  });
}

std::size_t Pipeline::feed_round(std::size_t index, std::size_t lane,
                                 std::span<const std::byte> bytes, std::size_t limit,
                                 std::uint32_t& gate, bool& at_gate) {
  Process& process = world_.process(index);
  Feed& feed = *feeds_[index];
  return feed_with(index, lane, bytes, limit, [&](int thread, const Event& event) {
    if (!take(process, feed, thread, event)) return Intake::Next::malformed;
    if (!judges_ || !ends_round(process, event)) return Intake::Next::go_on;
    gate = event.seq();
    at_gate = true;
    return Intake::Next::stop;
  });
}

// A call from which nobody returns before all processes have come to it.
bool Pipeline::ends_round(const Process& process, const Event& event) {
  if (!event.is_enter() || (event.flags() & wire::kFlagCallback) != 0) return false;
  const ProcInfo& about = event.info();
  return about.is(Trait::meeting) && !about.has(kLargeCount) &&
         event.handle(about.at.object) == process.raw_of(Constant::comm_world);
}

void Pipeline::damaged(std::size_t index) {
  world_.process(index).lossy = true;
  sink_.not_checked({name_of(world_.process(index)),
                     "its records are damaged: the program wrote into memory of vouch",
                     1,
                     {},
                     {}});
}

void Pipeline::gave_up(std::size_t index) {
  world_.process(index).lossy = true;
  sink_.not_checked({name_of(world_.process(index)),
                     "it went on without vouch, whose agent had stood still for too long",
                     1,
                     {},
                     {}});
}

bool Pipeline::take(Process& process, Feed& feed, int thread, const Event& event) {
  if (!judges_ && event.phase() != wire::Phase::meta) return true;
  if (event.is_leave()) return take_leave(process, thread, event);
  if (trace_ != nullptr) trace_->record(process.index, thread, event);
  if (event.is_enter()) {
    dispatch_.enter(process, thread, event);
  } else {
    take_meta(process, feed, thread, event);
  }
  return true;
}

bool Pipeline::take_leave(Process& process, int thread, const Event& event) {
  Thread& t = process.threads[static_cast<std::size_t>(thread)];
  const int at = Dispatch::open_call(t, event.header().site);
  if (at >= 0 && !belongs(event, t.calls[static_cast<std::size_t>(at)].enter())) return false;
  const std::uint32_t words = event.info().leave_words;
  if (event.header().words >= words) [[likely]] {
    if (trace_ != nullptr) trace_->record(process.index, thread, event);
    dispatch_.leave(process, t, at, event);
  } else if (event.error_class() == 0) {
    const std::uint32_t seq = event.header().site;
    if (trace_ != nullptr) trace_->returned(process.index, thread, seq);
    dispatch_.returned(process, thread, seq);
  } else {
    // It failed and says nothing else: there are no results.
    if (trace_ != nullptr) trace_->record(process.index, thread, event);
    std::array<std::uint64_t, Dispatch::kMostResults> none{event.word(0)};
    wire::RecordHeader header = event.header();
    header.words = words;
    dispatch_.leave(process, t, at, Event(&header, none.data()));
  }
  return true;
}

void Pipeline::take_meta(Process& process, Feed& feed, int thread, const Event& event) {
  const auto words = event.header().words;
  const auto what = static_cast<wire::Meta>(event.header().proc);
  // How a process ends is worth knowing even where nothing is judged.
  if (!judges_ && what != wire::Meta::exit && what != wire::Meta::signal) return;
  switch (what) {
    case wire::Meta::library:
      if (words >= 1)
        feed.known_library = static_cast<wire::Library>(event.word(0)) != wire::Library::unknown;
      break;
    case wire::Meta::exit:
      feed.told_exit = true;
      if (words >= 1) feed.status = static_cast<int>(event.word(0));
      // The program has handled the signal and gone on: a failure has another status.
      if (feed.status == 0 && std::exchange(feed.told_signal, false)) feed.signal = 0;
      break;
    case wire::Meta::signal:
      feed.told_signal = true;
      if (words >= 1) feed.signal = static_cast<int>(event.word(0));
      break;
    case wire::Meta::lost:
      process.lossy = true;
      if (words >= 2)
        feed.lost[std::min<std::uint64_t>(event.word(1), std::size(feed.lost) - 1)] +=
            event.word(0);
      break;
    case wire::Meta::block:
    case wire::Meta::freed:
    case wire::Meta::modified:
      dispatch_.memory(process, thread, event);
      break;
    case wire::Meta::access:
    case wire::Meta::exposed:
    case wire::Meta::instrumented:
      dispatch_.access(process, thread, event);
      break;
    case wire::Meta::claim:
      dispatch_.claim(process, event);
      break;
    case wire::Meta::polls:
      feed.polls[static_cast<std::size_t>(thread)] += event.word(0);
      dispatch_.policy(process, thread, event);
      break;
    case wire::Meta::decided:
    case wire::Meta::diverged:
      dispatch_.policy(process, thread, event);
      break;
    case wire::Meta::inside:
    case wire::Meta::threaded:
      dispatch_.inside(process, thread, event);
      break;
    default:
      break;
  }
  feed.sites.take(sites_, process, event);
  world_.apply_meta(process, thread, event);
  if (what == wire::Meta::world && !process.spawned && on_world_ && on_world_(process))
    judges_ = false;
}

void Pipeline::skip_to(std::size_t index, std::uint32_t seq) {
  ++feeds_[index]->gaps;
  world_.process(index).lossy = true;
  feeds_[index]->intake.skip_to(seq);
}

void Pipeline::tentative(std::size_t index, std::size_t lane, std::span<const std::byte> record) {
  const Intake::Lane& its = feeds_[index]->intake.lane(lane);
  if (!judges_ || its.damaged || record.size() < sizeof(wire::RecordHeader)) return;
  const auto* header = reinterpret_cast<const wire::RecordHeader*>(record.data());
  const Event enter(header, reinterpret_cast<const std::uint64_t*>(header + 1));
  if (header->words > (record.size() - sizeof(*header)) / 8 || !enter.is_enter() ||
      (header->flags & wire::kFlagBlob) != 0 || !sound(*header, enter.words()))
    return;
  if (trace_ != nullptr) trace_->record(index, its.thread, enter);
  dispatch_.enter(world_.process(index), its.thread, enter);
}

void Pipeline::polls(std::size_t index, std::size_t lane, std::uint64_t count) {
  Feed& feed = *feeds_[index];
  const Intake::Lane& its = feed.intake.lane(lane);
  const std::uint64_t announced = feed.polls[static_cast<std::size_t>(its.thread)];
  if (its.damaged || count <= announced) return;
  const wire::RecordHeader header{
      static_cast<std::uint16_t>(wire::Meta::polls), wire::Phase::meta, 0, 1, 0, 0};
  const std::uint64_t rest = count - announced;
  take(world_.process(index), feed, its.thread, Event(&header, &rest));
}

void Pipeline::returned(std::size_t index, std::size_t lane, std::uint32_t left) {
  const int thread = feeds_[index]->intake.lane(lane).thread;
  if (trace_ != nullptr) trace_->returned(index, thread, left);
  if (judges_) dispatch_.returned(world_.process(index), thread, left);
}

void Pipeline::learn(std::size_t index, int wait_status) {
  Feed& feed = *feeds_[index];
  if (feed.told_signal || feed.told_exit) return;
  feed.exited = WIFEXITED(wait_status);
  if (feed.exited) feed.status = WEXITSTATUS(wait_status);
  if (WIFSIGNALED(wait_status)) feed.signal = WTERMSIG(wait_status);
}

End Pipeline::told(std::size_t index) const {
  const Feed& feed = *feeds_[index];
  if (feed.told_signal) return End::signalled;
  if (feed.told_exit) return End::exited;
  if (!feed.exited) return End::killed;
  // A sanitizer's runtime, for one, ends a process without a word. Had it come to MPI_Finalize,
  // that would be known, unless it closed its files or became another program, which then ended
  // well.
  const Process& process = world_.process(index);
  return outside_mpi(process) || (feed.status != 0 && !process.lossy) ? End::exited : End::detached;
}

bool Pipeline::leave_finalize(std::size_t index) {
  Process& process = world_.process(index);
  for (const Thread& t : process.threads) {
    if (t.depth == 0 || process.phase == Phase::finalized) continue;
    const Call& call = t.calls[static_cast<std::size_t>(t.depth) - 1];
    if (judges_ && call.proc() == Proc::finalize) dispatch_.returned(process, t.number, call.seq());
  }
  return outside_mpi(process) && process.phase == Phase::finalized;
}

void Pipeline::end(std::size_t index, End end, bool from_outside) {
  Process& process = world_.process(index);
  const Feed& feed = *feeds_[index];
  process.end = end;
  process.killed_from_outside = from_outside;
  process.exit_status = feed.status;
  process.signal = feed.signal;
  if (!judges_) return;
  name_losses(process, feed);
  if (trace_ != nullptr && end != End::alive)
    trace_->ended(index, static_cast<trace::Ending>(static_cast<int>(end) - 1));
  dispatch_.end(process);
}

void Pipeline::name_losses(const Process& process, const Feed& feed) {
  const auto lost = [&](wire::LossReason reason, const char* text) {
    const std::uint64_t count = feed.lost[static_cast<std::size_t>(reason)];
    if (count > 0) sink_.not_checked({name_of(process), text, count, {}, {}});
  };
  lost(wire::LossReason::none, "calls were not recorded");
  lost(wire::LossReason::agent_gone, "calls were not recorded: the agent was gone");
  lost(wire::LossReason::record_too_large,
       "calls were not recorded: their arguments were too large");
  lost(wire::LossReason::no_ring, "calls were not recorded: no memory for their records");
  lost(wire::LossReason::reentered,
       "calls were not recorded: a signal handler made them while another was being recorded");
  if (feed.gaps > 0) {
    sink_.not_checked(
        {name_of(process), "records of one of its threads are missing", feed.gaps, {}, {}});
  }
  if (!feed.known_library) {
    sink_.not_checked(
        {name_of(process), "its MPI library is neither Open MPI nor MPICH", 1, {}, {}});
  }
}

// What --checks has left out, if there was something for it to look at.
void Pipeline::name_switched_off() {
  std::vector<std::string_view> names;
  for (const SwitchedOff& off : analyses().switched_off) {
    names.push_back(off.check->name);
    std::uint64_t count = off.claims ? dispatch_.claims() : 0;
    for (std::size_t p = 1; p < off.calls.size(); ++p)
      if (off.calls[p]) count += dispatch_.calls(static_cast<Proc>(p));
    if (count > 0) sink_.not_checked({std::string(off.check->name), kSwitchedOff, count, {}, {}});
  }
  if (!names.empty()) sink_.note(fmt::format("{}: {}", kSwitchedOff, fmt::join(names, ", ")));
}

void Pipeline::finish() {
  if (!judges_) return;
  dispatch_.finish();
  name_switched_off();
  for (int p = 1; p < static_cast<int>(Proc::count_); ++p) {
    const Proc proc = static_cast<Proc>(p);
    if (dispatch_.calls(proc) == 0 || !info(proc).has(kUnchecked)) continue;
    sink_.not_checked({info(proc).name, info(proc).note, dispatch_.calls(proc), {}, {}});
  }
  if (world_.several()) return;  // the root knows who came
  // Those of MPI_COMM_WORLD and of spawned worlds that we never heard of.
  std::set<int> seen;
  for (std::size_t i = 0; i < world_.processes(); ++i) {
    if (!world_.process(i).stranger()) seen.insert(world_.process(i).rank.value);
  }
  std::vector<int> missing;
  const auto look = [&](int first, int size) {
    for (int r = first; r < first + size; ++r) {
      if (!seen.contains(r)) missing.push_back(r);
    }
  };
  look(0, world_.size());
  for (const SpawnedWorld& w : world_.spawned()) look(w.first, w.size);
  if (!missing.empty()) {
    sink_.not_checked({rank_words(missing),
                       "never seen: libvouch.so was not loaded there, or the node is another one",
                       missing.size(),
                       {},
                       {}});
  }
}

std::uint64_t Pipeline::events() const {
  std::uint64_t sum = 0;
  for (const auto& feed : feeds_) sum += feed->intake.records();
  return sum;
}

std::vector<std::pair<std::string, std::uint64_t>> Pipeline::statistics(
    std::uint64_t polls, std::uint64_t full_waits) const {
  std::uint64_t bytes = 0;
  for (const auto& feed : feeds_) bytes += feed->intake.bytes();
  std::vector<std::pair<std::string, std::uint64_t>> all = {
      {"events", events()}, {"calls", dispatch_.calls() + polls}, {"polls", polls},
      {"bytes", bytes},     {"full_waits", full_waits},           {"processes", feeds_.size()}};
  for (int p = 1; p < static_cast<int>(Proc::count_); ++p) {
    const std::uint64_t calls = dispatch_.calls(static_cast<Proc>(p));
    if (calls > 0) all.emplace_back(info(static_cast<Proc>(p)).name, calls);
  }
  return all;
}

}  // namespace vouch
