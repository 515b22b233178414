#include "trace_program/from_events.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>

#include "act/act.h"
#include "base/hash.h"
#include "model/replay.h"
#include "policy/recorder.h"
#include "trace_program/plan.h"
#include "trace_program/program_builder.h"
#include "trace_program/run_builder.h"
#include "trace_program/values.h"

namespace vouch {
namespace {

using Do = ProgramPlan::Do;
using predict::OpKind;
// A test is no wait: told otherwise the program might have gone another way.
constexpr const char* kAsked = "what the program does when it is told \"not yet\" is not shown";

// What these do follows from who met whom.
bool is_message_passing(Family family) {
  return family == Family::comm || family == Family::topology || family == Family::collective ||
         family == Family::neighbour;
}

class Converter : public Replay::Listener {
 public:
  explicit Converter(const TextTrace& trace) : trace_(trace), ranks_(count(trace)) {}

  Result<TraceProgram> convert() {
    if (ranks_.empty()) return Error{"there is no process in it"};
    Replay replay(world_);
    replay.run(trace_, this);
    return build();
  }

  Result<RunProgram> convert_run() {
    if (ranks_.empty()) return Error{"there is no process in it"};
    taking_ = true;
    Replay replay(world_);
    replay.run(trace_, this);
    return build_run();
  }

  void on_enter(Process& process, Call& call) override {
    const std::span<const Act> acts = reader_.enter(process, call);
    entered(process, call, acts);
    if (taking_ && recorder_.sees(call.proc())) recorder_.enter(process, call, acts);
  }

  void on_leave(Process& process, Call& call, const Event& leave) override {
    const std::span<const Act> acts = reader_.leave(process, call, leave);
    left(process, call, leave, acts);
    if (!taking_) return;
    if (recorder_.sees(call.proc())) recorder_.leave(process, call, leave, acts);
    if (Rank* rank = rank_of(process); rank != nullptr && call.info().has(kPoll))
      rank->polled = rank->ops.size();
  }

  // Tests that found nothing, in a row behind the last that was recorded: before whatever was
  // called since.
  void on_polls(Process& process, const Event& meta) override {
    Rank* rank = taking_ ? rank_of(process) : nullptr;
    if (rank == nullptr) return;
    recorder_.polls(process, meta.word(0));
    for (std::size_t i = rank->polled; i < rank->ops.size(); ++i)
      rank->ops[i].picks += meta.word(0);
  }

  void entered(Process& process, Call& call, std::span<const Act> acts) {
    const ProgramPlan& p = program_plan(call.proc());
    Rank* rank = rank_of(process);
    if (rank == nullptr) return;
    rank->seen = true;
    if (call.proc() == Proc::pcontrol)
      mark(*rank, call.enter().value(call.info().param(Arg::level)));
    for (const Act& act : acts) {
      if (act.what == Act::What::received) received(*rank, act);
    }
    if (p.what == Do::nothing) return;
    if (rank->thread < 0) rank->thread = call.thread();
    if (rank->thread != call.thread()) {
      gap(name_of(process), "calls of several threads are taken in the order of this run");
      chance_ = true;
    }
    begun_.clear();
    if (p.what == Do::collective && !call.info().has(kPersistent))
      collective(process, *rank, call, nullptr);
    if (p.what == Do::message) {
      for (const Act& act : acts) begin(process, *rank, call, act);
    }
    if (!begun_.empty()) rank->open[call.seq()] = begun_;
  }

  void left(Process& process, Call& call, const Event& leave, std::span<const Act> acts) {
    const ProgramPlan& p = program_plan(call.proc());
    Rank* rank = rank_of(process);
    if (p.what == Do::nothing || rank == nullptr) return;
    const auto open = rank->open.extract(call.seq());
    if (leave.error_class() != 0) {
      // A message that was too long is received all the same.
      const bool took = process.truncated(leave.error_class());
      gap(call.info().name, "failed calls are left out", took ? 0 : 1);
      if (!took && !open.empty())
        for (const std::size_t op : open.mapped()) rank->ops[op].dropped = true;
      if (!took) return;
    }
    begun_.clear();
    if (!open.empty()) begun_ = open.mapped();
    if (p.what == Do::message) {
      if (call.info().role == CallRole::complete) rank->choosing = false;
      for (const Act& act : acts) end(process, *rank, call, act);
    } else if (p.what == Do::collective && call.info().has(kPersistent)) {
      Pattern pattern;
      collective(process, *rank, call, &pattern);
      keep_pattern(*rank, call, std::move(pattern));
    } else if (p.what == Do::unknown) {
      is_message_passing(call.info().family)
          ? not_shown(call.info().name, "is no part of the trace program")
          : hidden(call.info().name, "is no part of the trace program");
    }
  }

  void on_claim(Process& process, const Event& meta) override {
    Rank* rank = rank_of(process);
    if (rank == nullptr) return;
    const Claim claim = claim_of(meta);
    KeptClaim kept{claim.kind,      claim.holds, std::string(claim.condition),
                   names_of(claim), claim.terms, {}};
    for (const Term& term : kept.terms) kept.from.push_back(completed(*rank, term.address));
    predict::Operation op;
    op.kind = claim.kind == wire::ClaimKind::assume ? OpKind::assume : OpKind::assertion;
    op.process = process.rank.value;
    op.site = process.site(claim.site);
    rank->ops.push_back({std::move(op)});
    rank->claims.emplace(rank->ops.size() - 1, std::move(kept));
  }

  void on_value(Process& process, int thread, const Event& meta) override {
    Rank* rank = rank_of(process);
    if (rank == nullptr) return;
    const auto last = rank->last_send.find(thread);
    if (last == rank->last_send.end()) return;
    rank->ops[last->second].value = value_of(meta);
    rank->ops[last->second].digest = digest_of(meta);
  }

 private:
  using Entry = TracedOp;
  // A persistent request, to be started again and again.
  struct Pattern {
    std::vector<predict::Operation> ops;
  };
  struct Creation {
    int parent;
    std::int64_t tag;
    std::vector<int> members;
    int number;  // among those that are alike, in the order of their calls
    auto operator<=>(const Creation&) const = default;
  };
  struct Rank {
    std::vector<Entry> ops;
    std::map<Creation, int> creations;                                 // how many there were
    std::unordered_map<std::uint32_t, std::vector<std::size_t>> open;  // by number of the call
    std::unordered_map<std::uint64_t, std::vector<std::size_t>> requests;
    std::unordered_map<OperationKey, Pattern> patterns;
    std::unordered_map<OperationKey, std::size_t> claimed;  // matched messages: operations by then
    std::map<int, int> inits;  // communicator: persistent collectives made so far
    Carrier::Claims claims;
    std::unordered_map<int, std::size_t> last_send;  // by thread
    Received received;
    std::int64_t wildcards = 0;  // operations with MPI_ANY_SOURCE so far
    int thread = -1;
    int nested = 0, region = 0;  // by MPI_Pcontrol
    std::size_t polled = 0;      // operations when it last asked and that was recorded
    bool seen = false;
    bool choosing = false;  // inside a call that waits for one of several requests
  };
  struct Context {
    int number = -1;  // -1: not to be shown
    const Members* members = nullptr;
  };

  // Of which few can be missing: how much memory is taken follows what the trace holds.
  static std::size_t count(const TextTrace& trace) {
    constexpr std::size_t kMissing = 1024;
    std::set<int> ranks;
    for (const TextItem& item : trace.items) ranks.insert(item.rank);
    return std::min(static_cast<std::size_t>(std::max(trace.world_size, 0)),
                    kMissing + 4 * ranks.size());
  }

  static std::string name_of(const Process& p) { return "rank " + std::to_string(p.rank.value); }

  void gap(const std::string& what, const std::string& reason, std::uint64_t times = 1) {
    if (times > 0) gaps_[{what, reason}] += times;
  }

  // Data may pass this way.
  void hidden(const std::string& what, const std::string& reason) {
    gap(what, reason);
    whole_ = false;
  }

  void not_shown(const std::string& what, const std::string& reason) {
    ++not_shown_[{what, reason}];
    whole_ = false;
  }

  Rank* rank_of(const Process& process) {
    const int rank = process.rank.value;
    if (process.spawned || rank < 0 || static_cast<std::size_t>(rank) >= ranks_.size()) {
      hidden("spawned processes", "are no part of the trace program");
      spawned_ = spawned_ || process.spawned;
      return nullptr;
    }
    return &ranks_[static_cast<std::size_t>(rank)];
  }

  // All of them can have operations in the program.
  bool all_here(const Members& members) const {
    const auto end = static_cast<std::int64_t>(ranks_.size());
    if (members.size > end) return false;
    return std::all_of(members.runs.begin(), members.runs.end(), [&](const RankRun& run) {
      const std::int64_t last = run.first + std::int64_t{run.stride} * (run.length - 1);
      return run.first >= 0 && run.first < end && last >= 0 && last < end;
    });
  }

  Context context_of(const Process& process, std::uint64_t raw, const Call& call) {
    const Communicator* c = process.comms.find(raw);
    if (c == nullptr || c->inter() || c->members == nullptr || !all_here(*c->members)) {
      const bool inter = c != nullptr && c->inter();
      not_shown(call.info().name,
                inter ? "on an inter-communicator, is no part of the trace program"
                      : "on an unknown communicator, is no part of the trace program");
      return {};
    }
    if (c->constant == Constant::comm_world) return {0, c->members};
    return {number_of({c->id, c->members, 0}), c->members};
  }

  // Of a call that only the members of a group make: a communicator for it alone.
  Context context_of_group(const Process& process, Rank& rank, const Call& call) {
    const CallParams& at_params = call.info().at;
    const Context parent = context_of(process, call.enter().handle(at_params.object), call);
    if (parent.number < 0) return {};
    const Group* group = process.groups.find(call.enter().handle(at_params.group));
    if (group == nullptr || group->members == nullptr || !all_here(*group->members)) {
      not_shown(call.info().name, "of an unknown group, is no part of the trace program");
      return {};
    }
    const std::vector<int> list = group->members->list();
    // Whoever is not in the group does nothing.
    if (std::find(list.begin(), list.end(), process.rank.value) == list.end()) return {};
    const std::int64_t tag = call.enter().value(call.info().first(Kind::tag, Dir::in));
    Creation creation{parent.number, tag, list, 0};
    creation.number = rank.creations[creation]++;
    const auto [at, added] = creations_.emplace(creation, static_cast<int>(members_.size()) + 1);
    if (added) {
      std::uint64_t id =
          parent.number == 0 ? 1 : members_[static_cast<std::size_t>(parent.number) - 1].id;
      id = mix(mix(id, static_cast<std::uint64_t>(tag)),
               static_cast<std::uint64_t>(creation.number));
      for (const int member : list) id = mix(id, static_cast<std::uint64_t>(member));
      members_.push_back({at->second, id, list});
    }
    return {at->second, group->members};
  }

  struct Key {
    std::uint64_t id;
    const Members* members;
    int persistent;  // 0: none; the n-th persistent collective of the communicator
    auto operator<=>(const Key&) const = default;
  };
  int number_of(const Key& key) {
    const auto [at, added] = numbers_.emplace(key, static_cast<int>(members_.size()) + 1);
    if (added)
      members_.push_back(
          {at->second, key.id + static_cast<std::uint64_t>(key.persistent), key.members->list()});
    return at->second;
  }

  std::size_t add(Rank& rank, const Process& process, const Call& call, predict::Operation op) {
    op.process = process.rank.value;
    op.site = call.site();
    if (op.kind == OpKind::send) rank.last_send[call.thread()] = rank.ops.size();
    rank.ops.push_back({std::move(op)});
    Entry& entry = rank.ops.back();
    entry.mark = {rank.nested > 0, rank.region};
    entry.call = call.proc();
    entry.thread = call.thread();
    entry.picks = recorder_.picks(process);
    begun_.push_back(rank.ops.size() - 1);
    return rank.ops.size() - 1;
  }

  // The element of a receive that is complete, at this address.
  static std::optional<ReceivedAt> completed(const Rank& rank, std::uint64_t address) {
    auto at = rank.received.find(address);
    return at && rank.ops[at->op].waited ? at : std::nullopt;
  }

  // Where a message comes from or goes to.
  static void note_buffer(const Process& process, Rank& rank, const Call& call, std::size_t op) {
    const bool sends = rank.ops[op].op.kind == OpKind::send;
    const TransferSide& data = sends ? call.info().send : call.info().recv;
    if (data.buffer < 0 || data.type < 0 || data.count < 0) return;
    const std::uint64_t address = call.enter().address(data.buffer);
    if (sends) {
      rank.ops[op].forwards = completed(rank, address);
      return;
    }
    const Datatype* type = process.datatypes.find(call.enter().handle(data.type));
    const std::int64_t count = call.enter().value(data.count);
    if (type == nullptr || count <= 0 || type->extent() <= 0 || count > (1 << 30)) return;
    rank.received.add(address, static_cast<std::uint64_t>(count * type->extent()), op);
  }

  // Counted also where it is not shown: who decides a run counts calls.
  static std::int64_t next_wildcard(Rank& rank, const Act& act) {
    return act.recv.there && act.recv.peer == wire::kAnySource ? rank.wildcards++ : -1;
  }

  std::size_t add_wait(Rank& rank, const Process& process, const Call& call,
                       std::vector<std::size_t> completes, bool by_test) {
    for (const std::size_t op : completes) rank.ops[op].waited = true;
    predict::Operation op;
    op.kind = OpKind::wait;
    op.by_test = by_test;
    const std::size_t at = add(rank, process, call, std::move(op));
    rank.ops[at].completes = std::move(completes);
    return at;
  }

  // False: the other side is MPI_PROC_NULL, or no process.
  bool envelope(const Process& process, const Act& act, bool sends, const Call& call,
                predict::Operation& op) {
    const Transfer& side = sends ? act.send : act.recv;
    if (!side.there) return false;
    const std::int64_t peer = side.peer, tag = side.tag;
    const Context context = context_of(process, act.comm, call);
    if (context.number < 0) return false;
    op.kind = sends ? OpKind::send : OpKind::receive;
    if (sends && act.mode == SendMode::synchronous) op.mode = predict::SendMode::synchronous;
    if (sends && act.mode == SendMode::buffered) op.mode = predict::SendMode::buffered;
    op.comm = context.number;
    op.tag = tag == wire::kAnyTag ? predict::kAny : static_cast<int>(tag);
    op.peer = predict::kAny;
    if (sends || peer != wire::kAnySource) {
      op.peer = peer < 0 || peer >= context.members->size
                    ? -1
                    : context.members->world(CommRank{static_cast<int>(peer)}).value;
      if (op.peer < 0 || static_cast<std::size_t>(op.peer) >= ranks_.size()) {
        gap(call.info().name, "to or from no process is left out");
        return false;
      }
    }
    return true;
  }

  std::vector<predict::Operation> operations(const Process& process, const Call& call,
                                             const Act& act) {
    std::vector<predict::Operation> ops;
    // Alone, a blocking send keeps its process; beside a receive it does not keep the receive.
    const bool alone = call.info().recv.peer < 0;
    for (const bool sends : {true, false}) {
      predict::Operation op;
      if (!envelope(process, act, sends, call, op)) continue;
      op.blocking = sends && alone && act.blocking;
      ops.push_back(std::move(op));
    }
    return ops;
  }

  void post(const Process& process, Rank& rank, const Call& call, const Act& act) {
    std::vector<std::size_t> all;
    const std::int64_t wildcard = next_wildcard(rank, act);
    for (predict::Operation& op : operations(process, call, act)) {
      all.push_back(add(rank, process, call, std::move(op)));
      if (rank.ops[all.back()].op.kind == OpKind::receive) rank.ops[all.back()].wildcard = wildcard;
      note_buffer(process, rank, call, all.back());
    }
    if (all.empty()) return;
    if (!act.blocking) {
      rank.requests[act.op] = std::move(all);
    } else if (call.info().recv.peer >= 0) {
      add_wait(rank, process, call, std::move(all), false);
    }
  }

  void probe(const Process& process, Rank& rank, const Call& call, const Act& act, bool by_test) {
    predict::Operation op;
    const std::int64_t wildcard = next_wildcard(rank, act);
    if (by_test) gap(call.info().name, kAsked);
    answers_ |= by_test;
    if (!envelope(process, act, false, call, op)) return;
    op.by_test = by_test;
    if (call.info().role == CallRole::probe) {
      op.kind = OpKind::probe;
      rank.ops[add(rank, process, call, std::move(op))].wildcard = wildcard;
      return;
    }
    op.blocking = false;
    const std::size_t receive = add(rank, process, call, std::move(op));
    rank.ops[receive].wildcard = wildcard;
    add_wait(rank, process, call, {receive}, by_test);
    rank.claimed[act.op] = rank.ops.size();
  }

  // MPI-4.1 3.8.2: the sender of a matched message may wait until this call, and here it goes on
  // when its message is matched.
  void received(Rank& rank, const Act& act) {
    const auto found = rank.claimed.find(act.op);
    if (found == rank.claimed.end()) return;
    const auto waits = [](const Entry& e) {
      return e.op.blocking || e.op.kind == OpKind::wait || e.op.kind == OpKind::probe;
    };
    const auto probed = rank.ops.begin() + static_cast<std::ptrdiff_t>(found->second);
    if (std::any_of(probed, rank.ops.end(), waits))
      gap("MPI_Mrecv",
          "comes after another call that waits: that the sender of the message may wait for it is "
          "not shown");
    rank.claimed.erase(found);
  }

  void collective(const Process& process, Rank& rank, const Call& call, Pattern* pattern) {
    const ProcInfo& about = call.info();
    const bool blocks = about.has(kBlocking);
    const Event enter = call.enter();
    const Context context = about.role == CallRole::join_group
                                ? context_of_group(process, rank, call)
                                : context_of(process, enter.handle(about.at.object), call);
    if (context.number < 0) return;
    predict::Operation op;
    op.kind = OpKind::sync;
    op.blocking = blocks;
    op.comm = context.number;
    op.group = static_cast<std::uint32_t>(program_plan(call.proc()).sync);
    if (about.at.root >= 0) {
      const std::int64_t root = enter.value(about.at.root);
      op.peer = root < 0 || root >= context.members->size
                    ? -1
                    : context.members->world(CommRank{static_cast<int>(root)}).value;
      if (op.peer < 0) return gap(call.info().name, "without a root is left out");
    }
    const auto moves = [&](std::int64_t count, std::uint64_t type) {
      const Datatype* t = process.datatypes.find(type);
      return count != 0 && (t == nullptr || !t->known() || t->size() != 0);
    };
    if (program_plan(call.proc()).sync == predict::SyncKind::listed) {
      op.sources = sources_of(enter, context.members->list(), process.rank.value, moves);
    } else if (moves_nothing(enter, op.peer == process.rank.value, moves)) {
      op.group = static_cast<std::uint32_t>(predict::SyncKind::listed);
    }
    if (pattern != nullptr) {
      // They meet in the order of their making; each is a communicator of its own, since what is
      // started when is up to each member.
      const Communicator* c = process.comms.find(enter.handle(about.at.object));
      op.comm = number_of({c->id, c->members, ++rank.inits[op.comm]});
      op.blocking = false;
      pattern->ops.push_back(std::move(op));
      return;
    }
    const std::size_t at = add(rank, process, call, std::move(op));
    if (!blocks) rank.requests[operation_key(call.seq())] = {at};
  }

  // ---- acts ----
  void begin(const Process& process, Rank& rank, const Call& call, const Act& act) {
    switch (act.what) {
      case Act::What::called:
      case Act::What::posted:
        if (call.info().role == CallRole::post)
          post(process, rank, call, act);
        else
          probe(process, rank, call, act, false);
        return;
      case Act::What::awaited:
        rank.choosing = call.info().at.index >= 0;
        if (!rank.choosing) wait_for_all(process, rank, call, act);
        return;
      case Act::What::started:
        return start(process, rank, call, act);
      default:
        return;
    }
  }

  void end(const Process& process, Rank& rank, const Call& call, const Act& act) {
    switch (act.what) {
      case Act::What::posted:
        if (call.info().role != CallRole::post) probe(process, rank, call, act, true);
        return;
      case Act::What::prepared: {
        Pattern pattern;
        pattern.ops = operations(process, call, act);
        return keep_pattern(rank, call, std::move(pattern));
      }
      case Act::What::returned:
        if (call.info().recv.peer < 0) return;
        for (const std::size_t op : begun_) {
          rank.ops[op].complete = true;
          tell(rank, op, act.status);
        }
        return;
      case Act::What::completed:
        return complete_requests(process, rank, call, act);
      case Act::What::freed:
        for (const NamedPart& part : act.parts) rank.requests.erase(part.op);
        return;
      default:
        return;
    }
  }

  // ---- requests ----
  void wait_for_all(const Process& process, Rank& rank, const Call& call, const Act& act) {
    std::vector<std::size_t> ops;
    for (const NamedPart& part : act.parts) {
      if (const auto found = rank.requests.find(part.op); found != rank.requests.end())
        ops.insert(ops.end(), found->second.begin(), found->second.end());
    }
    // Twice in one array is an error of the program, not of the trace.
    std::sort(ops.begin(), ops.end());
    ops.erase(std::unique(ops.begin(), ops.end()), ops.end());
    std::erase_if(ops, [&](std::size_t op) { return rank.ops[op].waited; });
    if (!ops.empty()) add_wait(rank, process, call, std::move(ops), false);
  }

  static void keep_pattern(Rank& rank, const Call& call, Pattern pattern) {
    for (predict::Operation& op : pattern.ops) {
      op.blocking = false;
      op.site = call.site();
    }
    rank.patterns[operation_key(call.seq())] = std::move(pattern);
  }

  void start(const Process& process, Rank& rank, const Call& call, const Act& act) {
    const auto found = rank.patterns.find(act.pattern);
    if (found == rank.patterns.end()) return;
    std::vector<std::size_t> ops;
    for (const predict::Operation& op : found->second.ops) {
      ops.push_back(add(rank, process, call, op));
      if (op.kind == OpKind::receive && op.peer == predict::kAny)
        rank.ops[ops.back()].wildcard = rank.wildcards++;
    }
    rank.requests[act.op] = std::move(ops);
  }

  // A request is complete: its operations are waited for by `done`, or were cancelled.
  void complete(Rank& rank, const NamedPart& part, std::vector<std::size_t>& done) {
    const auto found = rank.requests.extract(part.op);
    if (found.empty()) return;
    const bool cancelled = part.status.cancelled();
    chance_ |= part.request->cancelled;
    if (part.request->cancelled && !part.status.defined())
      gap("MPI_Cancel", "whether it came in time is not known");
    for (const std::size_t op : found.mapped()) {
      if (!cancelled) tell(rank, op, part.status);
      rank.ops[op].complete = !cancelled;
      if (cancelled) rank.ops[op].dropped = true;
      if (!cancelled && !rank.ops[op].waited) done.push_back(op);
    }
  }

  void complete_requests(const Process& process, Rank& rank, const Call& call, const Act& act) {
    const ProcInfo& about = call.info();
    const bool all = about.at.index < 0, several = about.at.outcount >= 0;
    std::vector<std::pair<int, std::size_t>> open;
    std::vector<int> chosen;
    for (const NamedPart& part : act.parts) {
      if (all) break;
      if (part.done) chosen.push_back(static_cast<int>(part.place));
      const auto found = rank.requests.find(part.op);
      if (found == rank.requests.end()) continue;
      for (const std::size_t op : found->second)
        open.emplace_back(static_cast<int>(part.place), op);
    }
    // One that may find several could have found fewer of them.
    const bool choice = open.size() > chosen.size() || (several && chosen.size() > 1);
    std::vector<std::size_t> done;
    for (const NamedPart& part : act.parts) {
      if (part.done) complete(rank, part, done);
    }
    begun_.clear();
    if (done.empty()) return;
    answers_ |= choice || !act.blocking;
    if (choice)
      gap(about.name, "which request it found complete is taken as the program's own choice");
    if (!act.blocking) gap(about.name, kAsked);
    Entry& wait = rank.ops[add_wait(rank, process, call, std::move(done), !act.blocking)];
    if (open.size() < 2) return;
    wait.several = all || several;
    wait.chosen = std::move(chosen);
    wait.open = std::move(open);
  }

  // ---- what the run decided ----
  static void mark(Rank& rank, std::int64_t level) {
    if (level == 1) ++rank.nested;
    if (level == 0 && rank.nested > 0) --rank.nested;
    if (level >= 2) rank.region = static_cast<int>(std::min<std::int64_t>(level, 1 << 30));
  }

  void tell(Rank& rank, std::size_t at, const wire::Status& status) {
    Entry& entry = rank.ops[at];
    if ((entry.op.kind != OpKind::receive && entry.op.kind != OpKind::probe) ||
        !status.names_message())
      return;
    entry.source = world_rank(entry.op.comm, status.source);
    entry.tag = status.tag;
  }

  int world_rank(int comm, int rank) const {
    if (comm == 0) return rank;
    const auto& members = members_[static_cast<std::size_t>(comm) - 1].members;  // as number_of
    return static_cast<std::size_t>(rank) < members.size() ? members[static_cast<std::size_t>(rank)]
                                                           : -1;
  }

  Result<RunProgram> build_run() {
    for (std::size_t i = 0; i < world_.processes(); ++i) {
      if (world_.process(i).lossy)
        hidden(name_of(world_.process(i)), "calls of it were not recorded");
    }
    std::vector<const std::vector<TracedOp>*> lists;
    for (const Rank& rank : ranks_) lists.push_back(&rank.ops);
    RunProgram run = build_run_program(trace_, lists, members_);
    for (const Rank& rank : ranks_)
      run.stands.push_back(std::any_of(rank.open.begin(), rank.open.end(), [&](const auto& call) {
        return call.second.back() + 1 == rank.ops.size();
      }));
    for (std::size_t i = 0; i < world_.processes(); ++i)
      run.unfinished |= world_.process(i).phase == Phase::running;
    run.schedule = recorder_.schedule(world_);
    run.spawned = spawned_;
    run.whole = whole_ && !recorder_.too_long();
    for (const auto* gaps : {&gaps_, &not_shown_})
      for (const auto& [what, times] : *gaps)
        run.not_checked.push_back({what.first, what.second, times, {}, {}});
    return run;
  }

  // ---- the program ----
  Result<TraceProgram> build() {
    std::vector<ProgramBuilder::Rank> ranks;
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      if (!ranks_[r].seen) gap("rank " + std::to_string(r), "there is nothing of it in the trace");
      if (ranks_[r].choosing)
        gap("rank " + std::to_string(r), "waits for one of several requests, which is not shown");
      ranks.push_back({&ranks_[r].ops, &ranks_[r].claims});
    }
    for (std::size_t i = 0; i < world_.processes(); ++i) {
      if (world_.process(i).lossy) gap(name_of(world_.process(i)), "calls of it were not recorded");
    }
    ProgramBuilder builder(
        trace_, std::move(ranks),
        [this](const std::string& what, const std::string& reason) { gap(what, reason); });
    auto program = builder.build(members_);
    if (!program.ok()) return Error{program.error()};
    TraceProgram result;
    result.program = std::move(*program);
    result.wildcards = builder.take_wildcards();
    result.answers = answers_;
    for (const TracedComm& c : members_) result.members[c.number] = c.members;
    if (values_may_differ(result.program))
      gap("conditions", "values that may depend on the order of messages are taken as in this run");
    for (const auto& [what, times] : gaps_)
      result.not_checked.push_back({what.first, what.second, times, {}, {}});
    for (const auto& [what, times] : not_shown_)
      result.not_shown.push_back({what.first, what.second, times, {}, {}});
    result.chance = chance_ || answers_ ||
                    std::any_of(ranks_.begin(), ranks_.end(),
                                [](const Rank& r) { return r.wildcards > 0 || r.choosing; });
    return result;
  }

  const TextTrace& trace_;
  World world_;
  ActReader reader_;
  std::vector<Rank> ranks_;
  std::map<Key, int> numbers_;
  std::map<Creation, int> creations_;
  std::vector<TracedComm> members_;
  policy::ScheduleRecorder recorder_;
  bool whole_ = true;
  bool spawned_ = false;
  bool answers_ = false;
  bool taking_ = false;  // the run is wanted, not only the program
  bool chance_ = false;
  std::map<std::pair<std::string, std::string>, std::uint64_t> gaps_, not_shown_;
  std::vector<std::size_t> begun_;  // operations of the call at hand
};

}  // namespace

Result<RunProgram> run_of(const TextTrace& trace) { return Converter(trace).convert_run(); }

Result<TraceProgram> program_of(const TextTrace& trace) { return Converter(trace).convert(); }

}  // namespace vouch
