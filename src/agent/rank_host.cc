#include "agent/rank_host.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent/launch_names.h"
#include "report/json.h"

namespace vouch {
namespace {

using std::chrono::milliseconds;

constexpr int kShortestSleep = 1, kLongestSleep = 20;  // milliseconds
constexpr int kTalkSleep = 4;                          // with agents on other nodes
// Bytes of one process before the others have their turn: what it has posted should still be in the
// cache when its partners are read.
constexpr std::size_t kTurn = std::size_t{1} << 15;
constexpr std::size_t kRound = std::size_t{1} << 20;  // bytes of all before we look about
constexpr std::size_t kBusy = std::size_t{1} << 18;   // bytes in one round that make a sleep unwise
// How long a rank's records wait while all others stand still, or whatever they do.
constexpr auto kHeldQuiet = milliseconds(20), kHeldLongest = milliseconds(1000);

int cores() {
  cpu_set_t set;
  return ::sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;
}

Analyses analyses_for(World& world, Collector& sink, const AgentOptions& options,
                      ScheduleWatch*& watch) {
  Analyses all = options.checks.all()
                     ? make_analyses(world, sink)
                     : choose_analyses(world, sink, options.checks, sink.unheard());
  watch = &all.add<ScheduleWatch>(world, sink, options.schedule);
  all.deadlock->set_buffering(options.buffering);
  all.deadlock->set_limits(RestLimits::of(options.most_unexpected));
  return all;
}

}  // namespace

RankHost::RankHost(const AgentOptions& options)
    : options_(options),
      one_world_(options.ranks),
      collector_(sites_),
      pipeline_(world_, sites_, collector_, analyses_for(world_, collector_, options, schedule_)),
      rounds_(
          pipeline_, [this] { return collector_.told(); }, &collector_),
      trace_(options.trace, options.trace_path),
      system_(sites_, collector_),
      reception_(*this, options.listening, options.schedule.get()) {
  collector_.on_worlds([this] {
    std::vector<SpawnedRanks> worlds;
    for (const SpawnedWorld& w : world_.spawned())
      worlds.push_back({w.first, w.size, w.spawned, {}});
    return worlds;
  });
  collector_.on_new([this](const Finding& f) { role_->on_finding(f); });
  pipeline_.facts().mailroom().set_limits(RestLimits::of(options.most_unexpected));
  pipeline_.on_world([this](const Process& process) { return are_apart(process); });
  if (trace_.writer() != nullptr) pipeline_.trace_to(trace_.writer());
  if (options_.control >= 0) reception_.watch_control(options_.control);
}

void RankHost::on_refused(const std::string& who, const std::string& why) {
  collector_.not_checked({who, why, 1, {}, {}});
}

void RankHost::on_hang_up(std::size_t number) {
  RankProcess& rank = *ranks_[number];
  rank.connection = -1;
  rank.hung_up = hang_ups_.moment(number).value_or(Clock::now());
  rank.lived_on = SystemView::lives(rank.pid);
}

void RankHost::on_death(std::size_t number) {
  reception_.forget_process(ranks_[number]->pidfd);
  dying_.push_back(number);
}

// The child of a fork calls MPI, which only its parent has initialized. False: it may.
bool RankHost::on_forked_call(int child, const ForkedCall& forked) {
  if (forked.proc == 0 || forked.proc >= static_cast<std::uint64_t>(Proc::count_)) return false;
  const ProcInfo& proc = info(static_cast<Proc>(forked.proc));
  if (proc.has(kAnytime) || proc.family == Family::tool) return false;
  const Process* parent = nullptr;
  for (const auto& rank : ranks_) {
    const Process& process = pipeline_.process(rank->index);
    const bool ranked = forked.rank_hint >= 0 && process.rank.value == forked.rank_hint;
    if (rank->pid == forked.parent || (parent == nullptr && ranked)) parent = &process;
  }
  if (parent == nullptr) {
    collector_.not_checked(
        {fmt::format("process {}", child),
         fmt::format("it called {}, and no rank is known to be its parent", proc.name),
         1,
         {},
         {}});
    return true;
  }
  std::vector<Place> places{{parent->rank, system_.called_at(child, forked.caller), proc.name,
                             "in a child of this rank"}};
  if (parent->init_site.value != 0)
    places.push_back({parent->rank, parent->init_site, info(parent->init_call).name,
                      "initialized in its parent"});
  collector_.report({.rule = Rule::lifecycle_before_init,
                     .severity = info(Rule::lifecycle_before_init).severity,
                     .message = fmt::format("{} in a forked child: only its parent has initialized "
                                            "MPI, and the child is no MPI process",
                                            proc.name),
                     .cause = "fork",
                     .places = std::move(places),
                     .title = "MPI call in a forked child",
                     .advice = "Call MPI in the parent, or start processes with MPI_Comm_spawn."});
  return true;
}

bool RankHost::on_ring(int pid, int fd, std::ptrdiff_t& rank, const wire::Hello& hello, int memfd) {
  constexpr int kMaxThread = 1 << 16;
  auto reader = RingReader::map(memfd, hello.ring_bytes);
  if (!reader || hello.thread < 0 || hello.thread >= kMaxThread) {
    collector_.not_checked(
        {fmt::format("process {}", pid), "its records cannot be read", 1, {}, {}});
    return false;
  }
  const bool is_new = rank < 0;
  if (is_new) rank = static_cast<std::ptrdiff_t>(add_rank(pid, fd, hello));
  ranks_[static_cast<std::size_t>(rank)]->add_ring(pipeline_, hello.thread, std::move(*reader));
  if (is_new) reception_.give_bell(fd, !role_->on_rank(hello.rank_hint, hello.size_hint));
  return true;
}

std::size_t RankHost::add_rank(int pid, int fd, const wire::Hello& hello) {
  const std::size_t number = pipeline_.add_process(pid, WorldRank{hello.rank_hint});
  name_process(number);
  const bool ours = options_.control >= 0 && hello.size_hint == size_in_environment();
  told_sizes_.push_back(ours ? 0 : hello.size_hint);
  const int pidfd = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  ranks_.push_back(std::make_unique<RankProcess>(number, pid, pidfd, fd));
  if (pidfd >= 0) reception_.watch_process(pidfd, number);
  hang_ups_.watch(fd, number);
  if (static_cast<int>(alive()) > cores())
    reception_.bell()->yield.store(1, std::memory_order_relaxed);
  return number;
}

// Which world it belongs to. The first of a spawned world has been let in by nobody yet, so the
// process that spawns it is still in that call, and all that it has recorded can be read.
void RankHost::name_process(std::size_t number) {
  if (role_->has_others()) return;
  Process& process = world_.process(number);
  const LaunchNames names = launch_names_of(process.pid);
  if (number > 0 && names.world != world_.process(0).launch.world) {
    rounds_.let_go();
    for (auto& rank : ranks_) {
      if (!rank->gone) rank->read(pipeline_, kRingBytes);
    }
  }
  if (world_.name(process, names)) world_.find_parents(process);
}

// They are not one program: what was found by comparing them means nothing.
bool RankHost::are_apart(const Process& process) {
  std::vector<const Process*> others;
  for (std::size_t i = 0; i < world_.processes(); ++i) others.push_back(&world_.process(i));
  if (!one_world_.came(process, told_sizes_[process.index], others)) return false;
  if (!one_world_.in_turn()) collector_.forget();
  return true;
}

void RankHost::catch_up() {
  // Where one rank comes, others come.
  if (reception_.look(0)) sleep_ms_ = kShortestSleep;
}

void RankHost::ask(Task<> question) {
  VOUCH_CHECK(!question_.under_way());
  question_ = std::move(question);
  question_.start();
}

// For ranks that wait for room, and for the process that watches this one (AgentWatch).
void RankHost::step() {
  if (options_.steps != nullptr) options_.steps->fetch_add(1, std::memory_order_relaxed);
  Bell* bell = reception_.bell();
  if (bell == nullptr) return;
  bell->steps.fetch_add(1, std::memory_order_relaxed);
  // Some rank went on without us; the others may count on us again.
  if (bell->given_up.load(std::memory_order_relaxed) != 0)
    bell->given_up.store(0, std::memory_order_relaxed);
}

std::size_t RankHost::read_rings() {
  std::size_t total = 0;
  if (!role_->may_read()) return 0;
  const auto now = Clock::now();
  rounds_.look();
  for (bool again = true; again && total < kRound;) {
    again = false;
    for (auto& rank : ranks_) {
      if (rank->gone || rounds_.waits(rank->index) || holds_back(*rank, now)) continue;
      const std::size_t read = rank->read(pipeline_, kTurn, &rounds_);
      if (read == 0) rank->give_up_gap(pipeline_, now);
      again = again || read >= kTurn || rounds_.waits(rank->index);
      total += read;
    }
    if (asks()) break;
    if (rounds_.all_wait()) {
      total += go_on();
      again = true;
    } else if (!again && rounds_.any_waits()) {
      rounds_.let_go();
      again = true;
    }
  }
  return total;
}

// All processes are at the end of a round.
std::size_t RankHost::go_on() {
  std::vector<std::span<const std::byte>> bytes(ranks_.size());
  std::vector<std::size_t> taken;
  for (auto& rank : ranks_) bytes[rank->index] = rank->ahead();
  rounds_.go_on(bytes, taken);
  std::size_t total = 0;
  for (auto& rank : ranks_) {
    rank->take(taken[rank->index]);
    total += taken[rank->index];
  }
  return total;
}

// Its records stay where they are, so that it has to wait for its partners [D10]; all do while
// others are asked.
bool RankHost::holds_back(RankProcess& rank, Clock::time_point now) {
  if (asks()) return true;
  bool ahead = pipeline_.ahead(rank.index);
  if (ahead && search().holds_in_vain()) {
    ask(pipeline_.let_go(rank.index));
    ahead = asks();
  }
  if (!ahead) {
    rank.held.reset();
    return false;
  }
  if (!rank.held) rank.held = now;
  return true;
}

// It is inside a call, or asks again and again: it may wait for a rank whose records are not read.
bool RankHost::waits(RankProcess& rank) {
  rank.settle(pipeline_);
  const Process& process = pipeline_.process(rank.index);
  const std::uint64_t polls = rank.polls();
  const bool asks = polls != std::exchange(rank.polls_before, polls);
  return asks || process.phase == Phase::finalized ||
         std::any_of(process.threads.begin(), process.threads.end(),
                     [](const Thread& t) { return t.depth > 0; });
}

// Where nobody else can act, holding a rank back would stop the job. What waits outside MPI is not
// seen: so no rank is held for long.
void RankHost::let_go_on(std::size_t read) {
  const auto is_held = [](const auto& r) { return !r->gone && r->held; };
  if (std::none_of(ranks_.begin(), ranks_.end(), is_held)) return quiet_since_.reset();
  const auto now = Clock::now();
  bool quiet = read == 0 && static_cast<int>(ranks_.size()) >= world_.size();
  for (auto& rank : ranks_) {
    if (!rank->gone && !rank->held) quiet = quiet && waits(*rank);
  }
  if (!quiet) quiet_since_.reset();
  if (quiet && !quiet_since_) quiet_since_ = now;
  const bool stands = quiet && now - *quiet_since_ >= kHeldQuiet;
  std::vector<std::size_t> let;
  for (auto& rank : ranks_) {
    if (!is_held(rank) || (!stands && now - *rank->held < kHeldLongest)) continue;
    rank->held.reset();
    let.push_back(rank->index);
  }
  if (stands) quiet_since_.reset();
  if (!let.empty()) ask(let_go(std::move(let)));
}

Task<> RankHost::let_go(std::vector<std::size_t> ranks) {
  for (const std::size_t rank : ranks) co_await pipeline_.let_go(rank);
}

Pause RankHost::pause(Clock::time_point now) {
  polls_.assign(ranks_.size(), 0);
  settle_ranks();
  for (const auto& rank : ranks_) {
    if (!rank->gone) polls_[rank->index] = rank->polls();
  }
  return {
      now,
      polls_,
      [this](std::size_t i) { return system_.stacks(pipeline_.process(i), ranks_[i]->pid); },
      [this](std::size_t i) { return SystemView::processor_time(ranks_[i]->pid); },
      [this](std::size_t i) { return SystemView::runnable(ranks_[i]->pid); },
      [this](std::size_t i, std::span<const Pause::OpenCall> open) {
        return ranks_[i]->others_rest(open);
      },
      [this](std::size_t i) { return ranks_[i]->one_acts(); },
      [this](std::size_t i) { return ranks_[i]->time_use(); },
      [this](std::size_t i) { return system_.thread_waits(pipeline_.process(i), ranks_[i]->pid); },
      [this](std::size_t i) { return SystemView::has_child(ranks_[i]->pid); }};
}

void RankHost::settle_ranks() {
  for (const auto& rank : ranks_) {
    if (!rank->gone) rank->settle(pipeline_);
  }
}

std::size_t RankHost::alive() const {
  return static_cast<std::size_t>(
      std::count_if(ranks_.begin(), ranks_.end(), [](const auto& r) { return !r->gone; }));
}

bool RankHost::filling() const {
  return std::any_of(ranks_.begin(), ranks_.end(),
                     [](const auto& r) { return !r->gone && r->filling(); });
}

NodeStanding RankHost::standing() {
  NodeStanding all = NodeStanding::gone;
  for (const auto& rank : ranks_) {
    if (rank->gone) continue;
    if (pipeline_.process(rank->index).phase != Phase::finalizing) return NodeStanding::running;
    all = NodeStanding::finalizing;
  }
  return all;
}

void RankHost::sleep(std::size_t read) {
  if (read >= kBusy) {
    sleep_ms_ = kShortestSleep;
    return catch_up();
  }
  sleep_ms_ =
      read > 0 ? std::max(kShortestSleep, sleep_ms_ / 2) : std::min(kLongestSleep, sleep_ms_ * 2);
  if (alive() == 0 || reception_.bell() == nullptr) {
    // Nothing to read: only descriptors can bring news.
    if (reception_.look(kLongestSleep)) sleep_ms_ = kShortestSleep;
    return;
  }
  catch_up();
  if (!dying_.empty()) return;
  // Nobody will ring if little has come since we looked. What has waits until we have slept, so
  // that ranks that make a few calls now and then are not disturbed each time. The bell does not
  // ring for other agents.
  const auto may_sleep = [this] {
    return std::all_of(ranks_.begin(), ranks_.end(),
                       [](const auto& r) { return r->gone || r->held || !r->filling(); });
  };
  const int longest = role_->has_others() ? kTalkSleep : kLongestSleep;
  BellReader(*reception_.bell()).sleep(std::min(sleep_ms_, longest), may_sleep);
}

void RankHost::keep_trace(std::size_t read) {
  if (read == 0) trace_.keep();
}

void RankHost::stop() {
  for (auto& rank : ranks_) rank->stop();
}

}  // namespace vouch
