#include "agent/agent.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "agent/agent_impl.h"
#include "agent/fate.h"
#include "agent/job.h"
#include "agent/wait_status.h"
#include "policy/plan.h"
#include "report/json.h"
#include "source/imports.h"
#include "source/stack.h"

namespace vouch {
namespace {

using std::chrono::milliseconds;

// Bytes of one process before the others have their turn: what it has posted should still be in the
// cache when its partners are read.
constexpr std::size_t kTurn = std::size_t{1} << 15;
constexpr std::size_t kRound = std::size_t{1} << 20;  // bytes of all before we look about
constexpr std::size_t kBusy = std::size_t{1} << 18;   // bytes in one round that make a sleep unwise
// Between two looks for ranks that are stuck: when nothing is left to read, and when there is.
constexpr auto kQuietLook = milliseconds(25), kBusyLook = milliseconds(250);
// How long a rank's records wait while all others stand still, or whatever they do.
constexpr auto kHeldQuiet = milliseconds(20), kHeldLongest = milliseconds(1000);
constexpr char kNoRoom[] =
    "it could not make the memory that it shares with vouch (ulimit -f limits it, too)";
constexpr auto kTraceKept = std::chrono::seconds(1);
constexpr auto kGrace = std::chrono::seconds(2);  // for ranks that outlive their launcher
constexpr auto kHangUpGrace = milliseconds(500);  // between hang-up and death

int parent_pid = 0;

// The parent-death signal: the main loop sees the end of file on its channel. Should it be stuck,
// the alarm ends us.
void on_term(int) {
  if (::getppid() != parent_pid) ::alarm(15);
}

int cores() {
  cpu_set_t set;
  return ::sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;
}

// Signals that end processes now and then; as a status of its own a program seldom chooses one.
bool is_deadly(int signal) {
  constexpr int kDeadly[] = {SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGKILL, SIGSEGV, SIGTERM};
  return std::find(std::begin(kDeadly), std::end(kDeadly), signal) != std::end(kDeadly);
}

// 0: nobody knows.
std::chrono::nanoseconds processor_time(int pid) {
  clockid_t clock;
  timespec t{};
  if (::clock_getcpuclockid(pid, &clock) != 0 || ::clock_gettime(clock, &t) != 0) return {};
  return std::chrono::seconds(t.tv_sec) + std::chrono::nanoseconds(t.tv_nsec);
}

Analyses analyses_for(World& world, Sink& sink, const AgentOptions& options,
                      ScheduleWatch*& watch) {
  Analyses all = make_analyses(world, sink);
  watch = &all.add<ScheduleWatch>(world, sink, options.schedule);
  all.deadlock->set_buffering(options.buffering);
  return all;
}

}  // namespace

Agent::Agent(const AgentOptions& options)
    : options_(options),
      one_world_(options.ranks),
      collector_(sites_),
      pipeline_(world_, sites_, collector_, analyses_for(world_, collector_, options, schedule_)),
      search_(pipeline_.analyses().deadlock),
      io_(pipeline_.analyses().io),
      rounds_(
          pipeline_, [this] { return collector_.told(); }, &collector_),
      epoll_(::epoll_create1(EPOLL_CLOEXEC)),
      plan_(options.schedule != nullptr ? policy::encode_plan(*options.schedule)
                                        : std::vector<std::byte>()),
      bell_memory_(make_bell_memory(plan_.size())) {
  search_->set_knows_time([this](std::size_t i, Site site) { return may_know_time(i, site); });
  collector_.on_new([this](const Finding& f) {
    if (guest()) {
      peers_->tell_root(Packet::finding, write_json_line(f), net::Lane::regular);
    } else {
      send_line(options_.control, LineKind::finding, write_json_line(f));
    }
  });
  pipeline_.on_world([this](const Process& process) { return are_apart(process); });
  if (options_.trace >= 0) {
    trace_ = std::make_unique<trace::Writer>(options_.trace, options_.trace_path);
    pipeline_.trace_to(trace_.get());
  }
  if (bell_memory_ >= 0) bell_ = map_bell(bell_memory_);
  if (std::byte* shared = map_plan(bell_memory_, plan_.size(), true); shared != nullptr) {
    std::copy(plan_.begin(), plan_.end(), shared);
    bell_->plan.store(plan_.size(), std::memory_order_release);
  }
  watch(options_.listening, Watched::listening, 0);
  if (!guest()) watch(options_.control, Watched::control, 0);
  meet_peers();
}

void Agent::watch(int fd, Watched what, std::size_t index) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = (std::uint64_t{static_cast<std::uint32_t>(what)} << 32) | index;
  ::epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &event);
}

void Agent::look_at_descriptors(int timeout_ms) {
  std::array<epoll_event, 64> events;
  const int count =
      ::epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), timeout_ms);
  for (int i = 0; i < count; ++i) {
    const std::uint64_t tag = events[static_cast<std::size_t>(i)].data.u64;
    const std::size_t index = tag & 0xffffffff;
    switch (static_cast<Watched>(tag >> 32)) {
      case Watched::listening:
        accept_all();
        break;
      case Watched::control:
        read_commands();
        break;
      case Watched::connection:
        read_hellos(index);
        break;
      case Watched::process:
        ::epoll_ctl(epoll_, EPOLL_CTL_DEL, members_[index]->pidfd, nullptr);
        dying_.push_back(index);
        break;
      case Watched::peers:
        break;  // talk() follows
    }
  }
}

void Agent::accept_all() {
  for (int fd; (fd = accept_rank(options_.listening)) >= 0;) {
    const int pid = peer_of(fd);
    if (pid < 0) {
      ::close(fd);  // the name of an abstract socket is known to every user of the machine
      continue;
    }
    if (bell_ == nullptr) {
      strangers_ = true;
      collector_.not_checked({fmt::format("process {}", pid), kNoRoom, 1, {}, {}});
      ::close(fd);
      continue;
    }
    connections_.push_back({fd, pid, -1});
    watch(fd, Watched::connection, connections_.size() - 1);
    sleep_ms_ = kShortestSleep;  // where one rank comes, others come
  }
}

void Agent::read_hellos(std::size_t index) {
  for (;;) {
    const int fd = connections_[index].fd;
    wire::Hello hello{};
    int memfd = -1;
    const int got = receive_hello(fd, hello, memfd);
    const int why = got < 0 ? errno : 0;
    if (got < 0 && why != EPROTO && why != ENOMEM) return;
    if (got == 2) {
      const bool told = tell_forked_call(connections_[index].pid, forked_call(hello));
      answer_forked(fd, told ? kForkedTold : kForkedAllowed);
      continue;
    }
    if (got > 0) {
      const bool welcomed = welcome(index, hello, memfd);
      ::close(memfd);
      if (welcomed) continue;
    } else if (got < 0) {
      strangers_ = true;
      std::string reason = "it spoke to vouch in an unknown way";
      if (hello.magic == wire::kHelloMagic)
        reason = fmt::format(
            "its libvouch.so writes records of version {}, this vouch reads version {}: use the "
            "two that came together",
            hello.version, wire::kWireVersion);
      if (why == ENOMEM) reason = kNoRoom;
      collector_.not_checked({hello.rank_hint >= 0
                                  ? fmt::format("rank {}", hello.rank_hint)
                                  : fmt::format("process {}", connections_[index].pid),
                              reason,
                              1,
                              {},
                              {}});
    }
    // Hung up, or not to be talked to.
    ::epoll_ctl(epoll_, EPOLL_CTL_DEL, fd, nullptr);
    ::close(fd);
    connections_[index].fd = -1;
    if (connections_[index].member >= 0) {
      RankProcess& member = *members_[static_cast<std::size_t>(connections_[index].member)];
      member.connection = -1;
      member.hung_up = Clock::now();
      member.hang_up = ++hang_ups_;
    }
    return;
  }
}

// The child of a fork calls MPI, which only its parent has initialized. False: it may.
bool Agent::tell_forked_call(int child, const ForkedCall& forked) {
  if (forked.proc == 0 || forked.proc >= static_cast<std::uint64_t>(Proc::count_)) return false;
  const ProcInfo& proc = info(static_cast<Proc>(forked.proc));
  if (proc.has(kAnytime) || proc.family == Family::tool) return false;
  const Process* parent = nullptr;
  for (const auto& member : members_) {
    const Process& process = pipeline_.process(member->index);
    const bool ranked = forked.rank_hint >= 0 && process.rank.value == forked.rank_hint;
    if (member->pid == forked.parent || (parent == nullptr && ranked)) parent = &process;
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
  const StackFrame at = frame_at(child, forked.caller);
  const Site site = at.module.empty() ? Site{} : sites_.intern({at.module, at.offset});
  std::vector<Place> places{{parent->rank, site, proc.name, "in a child of this rank"}};
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

bool Agent::welcome(std::size_t index, const wire::Hello& hello, int memfd) {
  constexpr int kMaxThread = 1 << 16;
  Connection& connection = connections_[index];
  auto reader = RingReader::map(memfd, hello.ring_bytes);
  if (!reader || hello.thread < 0 || hello.thread >= kMaxThread) {
    collector_.not_checked(
        {fmt::format("process {}", connection.pid), "its records cannot be read", 1, {}, {}});
    return false;
  }
  if (connection.member < 0) {
    const std::size_t number = pipeline_.add_process(connection.pid, WorldRank{hello.rank_hint});
    told_sizes_.push_back(guest() || hello.size_hint != size_in_environment() ? hello.size_hint
                                                                              : 0);
    const int pidfd = static_cast<int>(::syscall(SYS_pidfd_open, connection.pid, 0));
    members_.push_back(std::make_unique<RankProcess>(number, connection.pid, pidfd, connection.fd));
    connection.member = static_cast<std::ptrdiff_t>(number);
    if (pidfd >= 0) watch(pidfd, Watched::process, number);
    if (bell_ != nullptr && static_cast<int>(alive()) > cores())
      bell_->yield.store(1, std::memory_order_relaxed);
    members_.back()->add_ring(pipeline_, hello.thread, std::move(*reader));
    if (peers_ != nullptr) peers_->came(hello.rank_hint, hello.size_hint);
    if (guest() && !peers_->joined()) {
      without_bell_.push_back(connection.fd);
    } else {
      send_bell(connection.fd, bell_memory_);
    }
  } else {
    members_[static_cast<std::size_t>(connection.member)]->add_ring(pipeline_, hello.thread,
                                                                    std::move(*reader));
  }
  return true;
}

// They are not one program: what was found by comparing them means nothing.
bool Agent::are_apart(const Process& process) {
  std::vector<const Process*> others;
  for (std::size_t i = 0; i < world_.processes(); ++i) others.push_back(&world_.process(i));
  if (!one_world_.came(process, told_sizes_[process.index], others)) return false;
  if (!one_world_.in_turn()) collector_.forget();
  return true;
}

void Agent::read_commands() {
  char buffer[256];
  const ssize_t got = ::recv(options_.control, buffer, sizeof(buffer), MSG_DONTWAIT);
  if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) vouch_gone_ = true;
  if (got <= 0) return;
  command_bytes_.append(buffer, static_cast<std::size_t>(got));
  for (; command_bytes_.size() >= sizeof(Command); command_bytes_.erase(0, sizeof(Command))) {
    Command command;
    std::copy_n(command_bytes_.data(), sizeof(command), reinterpret_cast<char*>(&command));
    if (peers_ != nullptr) pass_on(command);
    obey(command);
    if (peers_ == nullptr) all_obeyed(command);
  }
}

// What we do ourselves; what all must have done before it counts is in all_obeyed().
void Agent::obey(const Command& command) {
  switch (command.kind) {
    case CommandKind::time_limit:
      stopped_ = fmt::format("when the time limit of {} s was reached", command.value / 1000.0);
      for (auto& member : members_) {
        if (!member->gone) where(*member, stopped_);
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
      launcher_ended_ = Clock::now();
      launcher_status_ = command.value;
      if (killed_launcher(command) && stopped_.empty()) {
        stopped_ = fmt::format("when the launcher was killed by SIG{}",
                               ::sigabbrev_np(WTERMSIG(command.value)));
      }
      break;
  }
}

// By a signal that was not the program's doing.
bool Agent::killed_launcher(const Command& command) const {
  const bool is_rank = std::any_of(members_.begin(), members_.end(),
                                   [&](const auto& m) { return m->pid == command.pid; });
  return WIFSIGNALED(command.value) && !is_rank;
}

// Its status, if it is one of a process that failed.
int Agent::blames(const Command& command) const {
  return options_.known_launcher && command.pid != 0 && WIFEXITED(command.value)
             ? WEXITSTATUS(command.value)
             : -1;
}

void Agent::all_obeyed(const Command& command) {
  if (command.kind == CommandKind::time_limit) send_line(options_.control, LineKind::ready, "");
  if (command.kind == CommandKind::launcher_failed) deaths_.launcher_failed();
  if (command.kind == CommandKind::launcher_ended)
    deaths_.launcher_ended(killed_launcher(command), command.value == 0, blames(command));
}

std::size_t Agent::read_rings() {
  std::size_t total = 0;
  if (!started_ || (peers_ != nullptr && !peers_->room())) return 0;
  const auto now = Clock::now();
  rounds_.look();
  for (bool again = true; again && total < kRound;) {
    again = false;
    for (auto& member : members_) {
      if (member->gone || rounds_.waits(member->index) || holds_back(*member, now)) continue;
      const std::size_t read = member->read(pipeline_, kTurn, &rounds_);
      if (read == 0) member->give_up_gap(pipeline_, now);
      again = again || read >= kTurn || rounds_.waits(member->index);
      total += read;
    }
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
std::size_t Agent::go_on() {
  std::vector<std::span<const std::byte>> bytes(members_.size());
  std::vector<std::size_t> taken;
  for (auto& member : members_) bytes[member->index] = member->ahead();
  rounds_.go_on(bytes, taken);
  std::size_t total = 0;
  for (auto& member : members_) {
    member->take(taken[member->index]);
    total += taken[member->index];
  }
  return total;
}

// Its records stay where they are, so that it has to wait for its partners [D10].
bool Agent::holds_back(RankProcess& member, Clock::time_point now) {
  const bool ahead = pipeline_.ahead(member.index);
  if (ahead && search_->holds_in_vain()) drive(pipeline_.let_go(member.index));
  if (!ahead || search_->holds_in_vain()) {
    member.held.reset();
    return false;
  }
  if (!member.held) member.held = now;
  return true;
}

// It is inside a call, or asks again and again: it may wait for a rank whose records are not read.
bool Agent::waits(RankProcess& member) {
  member.settle(pipeline_);
  const Process& process = pipeline_.process(member.index);
  const std::uint64_t polls = member.polls();
  const bool asks = polls != std::exchange(member.polls_before, polls);
  return asks || process.phase == Phase::finalized ||
         std::any_of(process.threads.begin(), process.threads.end(),
                     [](const Thread& t) { return t.depth > 0; });
}

// Where nobody else can act, holding a rank back would stop the job. What waits outside MPI is not
// seen: so no rank is held for long.
void Agent::let_go_on(std::size_t read) {
  const auto is_held = [](const auto& m) { return !m->gone && m->held; };
  if (std::none_of(members_.begin(), members_.end(), is_held)) return quiet_since_.reset();
  const auto now = Clock::now();
  bool quiet = read == 0 && static_cast<int>(members_.size()) >= world_.size();
  for (auto& member : members_) {
    if (!member->gone && !member->held) quiet = quiet && waits(*member);
  }
  if (!quiet) quiet_since_.reset();
  if (quiet && !quiet_since_) quiet_since_ = now;
  const bool stands = quiet && now - *quiet_since_ >= kHeldQuiet;
  for (auto& member : members_) {
    if (!is_held(member) || (!stands && now - *member->held < kHeldLongest)) continue;
    drive(pipeline_.let_go(member->index));
    member->held.reset();
  }
  if (stands) quiet_since_.reset();
}

// Reads what the dead have left. All that died at the same time are looked at together
// (Deaths::add).
void Agent::bury() {
  const auto now = Clock::now();
  for (auto& member : members_) {
    // Without pidfd the hang-up is all we get. A living process may hang up too: some programs
    // close all files they see.
    if (member->gone || member->pidfd >= 0 || !member->hung_up) continue;
    if (std::find(dying_.begin(), dying_.end(), member->index) == dying_.end())
      dying_.push_back(member->index);
  }
  if (dying_.empty() || !started_) return;
  std::vector<Deaths::Death> batch;
  for (const std::size_t index : std::exchange(dying_, {})) {
    RankProcess& member = *members_[index];
    if (member.gone) continue;
    member.drain(pipeline_);
    member.gone = true;
    const Process& process = pipeline_.process(index);
    const bool said = pipeline_.told(index) != End::killed;
    const auto status = said ? std::nullopt : wait_status(member.pidfd, member.pid);
    if (status) pipeline_.learn(index, *status);
    Deaths::Death death = death_of(process, pipeline_.told(index), pipeline_.exit_status(index),
                                   pipeline_.signal(index));
    // It left us long before it died: perhaps it became another program.
    if (!said && member.hung_up && now - *member.hung_up > kHangUpGrace) {
      death = {index, End::detached, !outside_mpi(process), false};
      if (death.abnormal) collector_.not_checked(gone_on(process));
    } else if (death.how == End::detached) {
      collector_.not_checked(unseen_end(process, pipeline_.exit_status(index)));
    }
    death.order = member.hang_up != 0 ? member.hang_up : hang_ups_ + 1;
    batch.push_back(death);
    if (guest()) {
      const DeathNotice notice{index,        process.rank.value, death.how,     death.abnormal,
                               death.silent, death.unknown,      death.gave_up, death.finalized,
                               death.signal, death.order};
      peers_->tell_root(Packet::death, notice.bytes());
    }
  }
  if (!guest()) deaths_.add(std::move(batch), now);
}

void Agent::judge(bool all) {
  for (const auto& judged : deaths_.judge(Clock::now(), all)) {
    Judgement judgement{Deaths::local(judged.process), judged.how, judged.from_outside, {}};
    if (judged.from_outside) {
      const std::ptrdiff_t cause = deaths_.cause();
      judgement.when = !stopped_.empty() ? stopped_
                       : cause >= 0
                           ? fmt::format("when {} ended it, after {} had failed",
                                         judged.gave_up ? "the MPI library" : "the launcher",
                                         dead_name(static_cast<std::size_t>(cause)))
                           : "when it was ended from outside";
    }
    if (const int node = Deaths::node(judged.process); node > 0) {
      peers_->tell(node, Packet::judged, judgement.bytes());
    } else {
      tell_end(judgement);
    }
  }
}

std::string Agent::dead_name(std::size_t process) {
  const auto elsewhere = names_.find(process);
  return elsewhere != names_.end() ? elsewhere->second : name_of(pipeline_.process(process));
}

void Agent::tell_end(const Judgement& judged) {
  // Where one has returned a status of failure from its main(), the launcher may end others that
  // are still in MPI_Finalize. All their calls are known.
  const bool late = judged.from_outside && judged.how == End::exited && stopped_.empty();
  if (late && pipeline_.leave_finalize(judged.process))
    return pipeline_.end(judged.process, End::exited, false);
  if (judged.from_outside) where(*members_[judged.process], judged.when);
  const bool unknown = pipeline_.told(judged.process) == End::killed &&
                       pipeline_.signal(judged.process) == 0 && judged.how != End::detached;
  pipeline_.end(judged.process,
                unknown && !judged.from_outside ? unknown_end(*members_[judged.process], judged.how)
                : late                          ? pipeline_.told(judged.process)
                                                : judged.how,
                judged.from_outside);
}

// Neither the process nor the kernel says how it ended: the launcher's status does, that of the
// first of its processes that failed. For a signal Open MPI gives 128 + its number, Hydra the
// number.
End Agent::unknown_end(const RankProcess& member, End how) {
  const Process& process = pipeline_.process(member.index);
  const int status = WIFEXITED(launcher_status_) ? WEXITSTATUS(launcher_status_) : 0;
  const bool over = outside_mpi(process);
  if (how == End::exited && over) return how;
  if (how == End::killed) {
    const bool added = status > 128 && status < 128 + SIGRTMIN;
    const int signal = added ? status - 128 : !over && is_deadly(status) ? status : 0;
    if (signal != 0 || (!over && status != 0))
      pipeline_.learn(member.index, signal != 0 ? signal : status << 8);
    const End told = pipeline_.told(member.index);
    if (signal != 0 || told == End::exited) return told;
  }
  collector_.not_checked(unseen_end(process, how == End::exited ? 0 : -1));
  return End::detached;
}

// One line that tells how far a rank got, for ranks that are ended from outside.
void Agent::where(RankProcess& member, const std::string& when) {
  if (member.told_where) return;
  member.told_where = true;
  if (!member.gone && started_) member.catch_up(pipeline_);
  collector_.not_checked(last_seen(pipeline_.process(member.index), when));
}

// Every process inside a call that waits and nothing left to read shows at once what is stuck;
// where a part of the job goes on, a look now and then does.
void Agent::look_for_stuck(std::size_t read) {
  const auto now = Clock::now();
  if (peers_ != nullptr && !guest() && started_) {
    if (!time_to_look(read, now)) return;
  } else if (now - looked_ < (read == 0 ? kQuietLook : kBusyLook)) {
    return;
  }
  if (!started_ || !dying_.empty() || !deaths_.empty() || !stopped_.empty()) return;
  looked_ = now;
  polls_.assign(members_.size(), 0);
  settle_members();
  for (const auto& member : members_) {
    if (!member->gone) polls_[member->index] = member->polls();
  }
  const Pause pause{now, polls_, [this](std::size_t i) { return stacks(i); },
                    [this](std::size_t i) { return processor_time(members_[i]->pid); },
                    [this](std::size_t i, std::span<const Pause::OpenCall> open) {
                      return members_[i]->others_rest(open);
                    }};
  if (drive(pipeline_.pause(pause))) tell_stuck();
  if (const std::string text = search_->take_notice(); !text.empty())
    send_line(options_.control, LineKind::notice, collector_.with_places(text));
}

// The program, or the library that makes the call.
bool Agent::may_know_time(std::size_t process, Site site) {
  const std::string program = fmt::format("/proc/{}/exe", members_[process]->pid);
  for (const std::string& path : {program, sites_.portable(site).module}) {
    if (path.empty()) continue;
    const auto [known, is_new] = know_time_.try_emplace(path, false);
    if (is_new) known->second = knows_time(path);
    if (known->second) return true;
  }
  return false;
}

std::vector<std::vector<Site>> Agent::stacks(std::size_t process) {
  std::vector<std::vector<Site>> threads;
  for (const std::vector<StackFrame>& frames : stacks_of(members_[process]->pid)) {
    threads.emplace_back();
    for (const StackFrame& f : frames)
      threads.back().push_back(sites_.intern({f.module, f.offset}));
  }
  // Other findings about calls that it is still in show the way to them, too.
  const Process& looked_at = pipeline_.process(process);
  for (const Thread& t : looked_at.threads) {
    if (t.depth == 0) continue;
    const Site site = t.calls[0].site();
    for (const std::vector<Site>& frames : threads) {
      const auto call = std::find(frames.begin(), frames.end(), site);
      if (call != frames.end()) collector_.running(looked_at.rank, site, {call, frames.end()});
    }
  }
  return threads;
}

void Agent::tell_stuck() {
  char host[256] = "";
  ::gethostname(host, sizeof(host) - 1);
  std::string text;
  for (const int rank : pipeline_.stuck()) {
    for (const auto& member : members_) {
      const Process& process = pipeline_.process(member->index);
      if (member->gone || process.rank.value != rank) continue;
      text += fmt::format("{}: process {} on {}: gdb -p {}\t", name_of(process), member->pid, host,
                          member->pid);
    }
  }
  if (peers_ != nullptr) text += drive(stuck_elsewhere());
  if (options_.ends_deadlocks) {
    if (peers_ != nullptr) peers_->tell_all(Packet::stuck, rank_bytes(pipeline_.stuck()));
    note_stuck(pipeline_.stuck());
  }
  send_line(options_.control, LineKind::deadlock, text);
}

void Agent::note_stuck(const std::vector<int>& stuck) {
  stopped_ = "when the deadlocked job was ended";
  for (auto& member : members_) {
    const Process& process = pipeline_.process(member->index);
    if (member->gone) continue;
    // Where these were is in the finding.
    if (std::binary_search(stuck.begin(), stuck.end(), process.rank.value)) {
      member->told_where = true;
      collector_.not_checked({name_of(process), "what comes after the deadlock", 1, {}, {}});
    } else {
      where(*member, stopped_);
    }
  }
  deaths_.stopping();
}

// Calls that left no record.
void Agent::settle_members() {
  for (const auto& member : members_) {
    if (!member->gone) member->settle(pipeline_);
  }
}

std::size_t Agent::alive() const {
  return static_cast<std::size_t>(
      std::count_if(members_.begin(), members_.end(), [](const auto& m) { return !m->gone; }));
}

// Ranks that outlive their launcher are told to end, then made to.
void Agent::end_leftovers() {
  if (!launcher_ended_ || alive() == 0) return;
  const auto waited = Clock::now() - *launcher_ended_;
  const int due = waited >= 2 * kGrace ? 2 : waited >= kGrace ? 1 : 0;
  if (due <= terminated_) return;
  terminated_ = due;
  if (stopped_.empty()) stopped_ = "when it was ended: its launcher was gone";
  deaths_.stopping();
  for (const auto& member : members_) {
    if (member->gone) continue;
    where(*member, stopped_);
    const int signal = due == 1 ? SIGTERM : SIGKILL;
    if (member->pidfd >= 0) {
      ::syscall(SYS_pidfd_send_signal, member->pidfd, signal, nullptr, 0);
    } else {
      ::kill(member->pid, signal);
    }
  }
}

bool Agent::finished() const {
  if (guest()) return concluded_;
  if (!launcher_ended_ || !started_) return false;
  return (alive() == 0 && all_over()) || Clock::now() - *launcher_ended_ > 4 * kGrace;
}

// Nobody will ring: little has come since we looked. What has waits until we have slept, so that
// ranks that make a few calls now and then are not disturbed each time.
bool Agent::may_sleep() const {
  return std::all_of(members_.begin(), members_.end(),
                     [](const auto& m) { return m->gone || m->held || !m->filling(); });
}

void Agent::sleep(std::size_t read) {
  if (read >= kBusy) {
    sleep_ms_ = kShortestSleep;
    look_at_descriptors(0);
    return;
  }
  sleep_ms_ =
      read > 0 ? std::max(kShortestSleep, sleep_ms_ / 2) : std::min(kLongestSleep, sleep_ms_ * 2);
  if (alive() == 0 || bell_ == nullptr) {
    look_at_descriptors(kLongestSleep);  // nothing to read: only descriptors can bring news
    return;
  }
  look_at_descriptors(0);
  // The bell does not ring for other agents.
  const int longest = peers_ != nullptr ? kTalkSleep : kLongestSleep;
  if (dying_.empty())
    BellReader(*bell_).sleep(std::min(sleep_ms_, longest), [this] { return may_sleep(); });
}

// What is not in the file is lost if this process is killed.
void Agent::keep_trace(std::size_t read) {
  if (trace_ == nullptr || read > 0) return;
  const auto now = Clock::now();
  if (now - trace_kept_ < kTraceKept) return;
  trace_kept_ = now;
  trace_->flush();
}

// Elsewhere the program's files are not at hand: the trace gets its places in words.
void Agent::finish_trace() {
  if (trace_ == nullptr) return;
  std::vector<std::string> places;
  for (std::uint32_t s = 1; s < sites_.size(); ++s) {
    const SourcePlace& place = sites_.resolve(Site{s});
    Location at;
    at.file = place.file;
    at.line = place.line;
    at.function = place.function;
    at.offset = place.offset;
    places.push_back(vouch::where(at));
  }
  trace_->places(places);
  std::vector<std::uint32_t> local;
  for (std::size_t p = 0; p < world_.processes(); ++p) {
    local.clear();
    for (const Site site : world_.process(p).sites) local.push_back(site.value);
    trace_->sites(p, local);
  }
  trace_->close();
  if (!trace_->problem().empty())
    collector_.not_checked({"the trace", trace_->problem(), 1, {}, {}});
  if (trace_->too_large() > 0)
    collector_.not_checked(
        {"the trace", "calls are missing in it: too large", trace_->too_large(), {}, {}});
}

Summary Agent::finish() {
  for (auto& member : members_) {
    if (member->gone) continue;  // would not die: read what there is
    member->drain(pipeline_);
    member->gone = true;
    if (guest()) {
      tell_end({member->index, End::killed, true, "when the run was over"});
    } else {
      deaths_.add({{member->index, End::killed, true, true}}, Clock::now());
    }
  }
  judge(true);
  if (peers_ != nullptr && !guest()) finish_with_peers();
  pipeline_.finish();
  tell_unsent();
  finish_trace();
  std::uint64_t polls = 0, full_waits = 0;
  for (const auto& member : members_) {
    polls += member->polls();
    full_waits += member->full_waits();
  }
  if (members_.empty() && !strangers_ && peers_ == nullptr) {
    collector_.not_checked({"MPI", kNoMpi, 0, {}, {}});
  }
  if (one_world_.broken()) {
    if (!one_world_.in_turn()) collector_.forget();  // how they ended means nothing either
    collector_.not_checked({"the job", one_world_.why(), 1, {}, {}});
  }
  Summary summary = collector_.summary();
  summary.ranks = world_.size() > 0 ? world_.size() : static_cast<int>(members_.size());
  summary.statistics = pipeline_.statistics(polls, full_waits);
  if (!schedule_->too_long()) summary.schedule = policy::to_text(schedule_->schedule());
  return guests_.empty() ? summary : joined_with_peers(std::move(summary));
}

// For ranks that wait for room, and for the process that watches this one (AgentWatch).
void Agent::step() {
  if (options_.steps != nullptr) options_.steps->fetch_add(1, std::memory_order_relaxed);
  if (bell_ == nullptr) return;
  bell_->steps.fetch_add(1, std::memory_order_relaxed);
  // Some rank went on without us; the others may count on us again.
  if (bell_->given_up.load(std::memory_order_relaxed) != 0)
    bell_->given_up.store(0, std::memory_order_relaxed);
}

int Agent::run() {
  while (!finished() && !vouch_gone_ && !root_lost_) {
    step();
    if (peers_ != nullptr) talk();
    const std::size_t read = read_rings();
    bury();
    judge(false);
    end_leftovers();
    let_go_on(read);
    say_over();
    if (guest()) say_quiet(read);
    look_for_stuck(read);
    keep_trace(read);
    sleep(read);
  }
  if (vouch_gone_ || root_lost_) {
    for (auto& member : members_) member->stop();
    // Without the root nobody hears us: our ranks go on alone, and their launcher ends them.
    if (vouch_gone_) end_job(options_.socket, false);
    return 1;
  }
  // A connection may have come in the same moment in which the launcher ended.
  look_at_descriptors(0);
  read_rings();
  bury();
  if (guest()) return finish_as_guest();
  const bool sent = send_line(options_.control, LineKind::summary, write_json_line(finish()));
  return sent ? 0 : 1;
}

int run_agent(const AgentOptions& options) {
  parent_pid = options.parent;
  listen_as_agent(options.listening);
  ::prctl(PR_SET_NAME, "vouch-agent");
  // Ctrl-C goes to the whole foreground group; the agent has still to tell what it knows.
  // Ctrl-Z stops that group, but where a launcher does not pass it on the ranks run on and fill
  // their rings.
  for (const int signal :
       {SIGINT, SIGQUIT, SIGHUP, SIGPIPE, SIGUSR1, SIGUSR2, SIGTSTP, SIGTTIN, SIGTTOU})
    std::signal(signal, SIG_IGN);
  std::signal(SIGTERM, on_term);
  if (options.control >= 0) ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  if (options.control >= 0 && ::getppid() != options.parent) return 1;
  Agent agent(options);
  return agent.run();
}

}  // namespace vouch
