#include "trace_program/from_events.h"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

#include "model/handle.h"
#include "model/replay.h"
#include "trace_program/plan.h"

namespace vouch {
namespace {

using Do = ProgramPlan::Do;
using predict::OpKind;
constexpr std::uint32_t kCancelled = 1, kUndefined = 2;

bool has_words(const Event& leave) { return leave.header().words >= leave.info().leave_words; }

class Converter : public Replay::Listener {
 public:
  explicit Converter(const TextTrace& trace) : trace_(trace), ranks_(count(trace)) {}

  Result<TraceProgram> convert() {
    if (ranks_.empty()) return Error{"there is no process in it"};
    Replay replay(world_);
    replay.run(trace_, this);
    return build();
  }

  void on_enter(Process& process, Call& call) override {
    const ProgramPlan& p = program_plan(call.proc());
    Rank* rank = rank_of(process);
    if (p.what == Do::nothing || rank == nullptr) return;
    rank->seen = true;
    if (rank->thread < 0) rank->thread = call.thread();
    if (rank->thread != call.thread())
      gap(name_of(process), "calls of several threads are taken in the order of this run");
    begun_.clear();
    switch (p.what) {
      case Do::post:
        if (p.persistent) return;
        post(process, *rank, call, p);
        break;
      case Do::probe:
      case Do::probe_message:
        if (p.blocks) probe(process, *rank, call, p, false);
        break;
      case Do::complete:
        if (p.blocks && p.all) wait_for_all(process, *rank, call, p);
        rank->choosing = p.blocks && !p.all;
        break;
      case Do::collective:
        if (!p.persistent) collective(process, *rank, call, p, nullptr);
        break;
      case Do::start:
        start(process, *rank, call, p);
        break;
      default:
        break;
    }
    if (!begun_.empty()) rank->open[call.seq()] = begun_;
  }

  void on_leave(Process& process, Call& call, const Event& leave) override {
    const ProgramPlan& p = program_plan(call.proc());
    Rank* rank = rank_of(process);
    if (p.what == Do::nothing || rank == nullptr) return;
    const auto open = rank->open.extract(call.seq());
    if (leave.error_class() != 0) {
      // A message that was too long is received all the same.
      const bool took =
          process.constant_of(Kind::error_class, static_cast<std::uint64_t>(leave.error_class())) ==
          Constant::err_truncate;
      gap(call.info().name, "failed calls are left out", took ? 0 : 1);
      if (!took && !open.empty())
        for (const std::size_t op : open.mapped()) rank->ops[op].dropped = true;
      if (!took) return;
    }
    switch (p.what) {
      case Do::post:
      case Do::collective:
        if (p.persistent) keep_pattern(*rank, process, call, p, leave);
        return;
      case Do::probe:
      case Do::probe_message:
        if (!p.blocks && has_words(leave) && p.flag >= 0 && leave.result(p.flag) != 0)
          probe(process, *rank, call, p, true);
        return;
      case Do::complete:
        rank->choosing = false;
        return leave_completion(process, *rank, call, p, leave);
      case Do::free:
        each_request(process, call, p,
                     [&](const Request& r, std::uint64_t) { rank->requests.erase(key_of(r)); });
        return;
      case Do::unknown:
        return gap(call.info().name, "is no part of the trace program");
      default:
        return;
    }
  }

 private:
  struct Entry {
    predict::Operation op;
    std::vector<std::size_t> completes{};
    bool waited = false, dropped = false;
  };
  // A persistent request, to be started again and again.
  struct Pattern {
    std::vector<predict::Operation> ops;
  };
  struct Rank {
    std::vector<Entry> ops;
    std::unordered_map<std::uint32_t, std::vector<std::size_t>> open;      // by number of the call
    std::unordered_map<std::uint64_t, std::vector<std::size_t>> requests;  // by key_of
    std::unordered_map<std::uint64_t, Pattern> patterns;                   // by raw handle
    std::map<int, int> inits;  // communicator: persistent collectives made so far
    int thread = -1;
    bool seen = false;
    bool choosing = false;  // inside a call that waits for one of several requests
  };
  struct Context {
    int number = -1;  // -1: not to be shown
    const Members* members = nullptr;
  };

  static std::size_t count(const TextTrace& trace) {
    constexpr int kMost = 1 << 16;  // processes; questions about so many are not answered anyway
    return static_cast<std::size_t>(std::clamp(trace.world_size, 0, kMost));
  }

  static std::string name_of(const Process& p) { return "rank " + std::to_string(p.rank.value); }

  void gap(const std::string& what, const std::string& reason, std::uint64_t times = 1) {
    if (times > 0) gaps_[{what, reason}] += times;
  }

  Rank* rank_of(const Process& process) {
    const int rank = process.rank.value;
    if (process.spawned || rank < 0 || static_cast<std::size_t>(rank) >= ranks_.size()) {
      gap("spawned processes", "are no part of the trace program");
      return nullptr;
    }
    return &ranks_[static_cast<std::size_t>(rank)];
  }

  Context context_of(const Process& process, std::uint64_t raw, const Call& call) {
    const Communicator* c = process.comms.find(raw);
    if (c == nullptr || c->inter() || c->members == nullptr || !c->members->all_known()) {
      gap(call.info().name, c != nullptr && c->inter()
                                ? "on an inter-communicator, is no part of the trace program"
                                : "on an unknown communicator, is no part of the trace program");
      return {};
    }
    if (c->constant == Constant::comm_world) return {0, c->members};
    return {number_of({c->id, c->members, 0}), c->members};
  }

  struct Key {
    std::uint64_t id;
    const Members* members;
    int persistent;  // 0: none; the how many-th persistent collective of the communicator
    auto operator<=>(const Key&) const = default;
  };
  int number_of(const Key& key) {
    const auto [at, added] = numbers_.emplace(key, static_cast<int>(numbers_.size()) + 1);
    if (added) members_.emplace_back(at->second, key.members->list());
    return at->second;
  }

  std::size_t add(Rank& rank, const Process& process, const Call& call, predict::Operation op) {
    op.process = process.rank.value;
    op.site = call.site();
    rank.ops.push_back({std::move(op)});
    begun_.push_back(rank.ops.size() - 1);
    return rank.ops.size() - 1;
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
  bool envelope(const Process& process, const Event& enter, const ProgramPlan& p, bool sends,
                const Call& call, predict::Operation& op) {
    const ProgramPlan::Side& side = sends ? p.send : p.recv;
    const std::int64_t peer = enter.value(side.peer), tag = enter.value(side.tag);
    if (peer == wire::kProcNull) return false;
    const Context context = context_of(process, enter.handle(p.comm), call);
    if (context.number < 0) return false;
    op.kind = sends ? OpKind::send : OpKind::receive;
    op.mode = sends ? p.mode : predict::SendMode::standard;
    op.comm = context.number;
    op.tag = tag == wire::kAnyTag ? predict::kAny : static_cast<int>(tag);
    op.peer = predict::kAny;
    if (peer != wire::kAnySource) {
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
                                             const ProgramPlan& p) {
    std::vector<predict::Operation> ops;
    // Alone, a blocking send keeps its process; beside a receive it does not keep the receive.
    const bool alone = p.sends != p.receives;
    for (const bool sends : {true, false}) {
      predict::Operation op;
      if (!(sends ? p.sends : p.receives) || !envelope(process, call.enter(), p, sends, call, op))
        continue;
      op.blocking = sends && alone && p.blocks;
      ops.push_back(std::move(op));
    }
    return ops;
  }

  void post(const Process& process, Rank& rank, const Call& call, const ProgramPlan& p) {
    std::vector<std::size_t> all;
    for (predict::Operation& op : operations(process, call, p))
      all.push_back(add(rank, process, call, std::move(op)));
    if (all.empty()) return;
    if (!p.blocks) {
      rank.requests[call.seq()] = std::move(all);
    } else if (p.receives) {
      add_wait(rank, process, call, std::move(all), false);
    }
  }

  void probe(const Process& process, Rank& rank, const Call& call, const ProgramPlan& p,
             bool by_test) {
    predict::Operation op;
    if (!envelope(process, call.enter(), p, false, call, op)) return;
    if (p.what == Do::probe) {
      op.kind = OpKind::probe;
      add(rank, process, call, std::move(op));
      return;
    }
    op.blocking = false;
    const std::size_t receive = add(rank, process, call, std::move(op));
    add_wait(rank, process, call, {receive}, by_test);
  }

  void collective(const Process& process, Rank& rank, const Call& call, const ProgramPlan& p,
                  Pattern* pattern) {
    const Event enter = call.enter();
    Context context = context_of(process, enter.handle(p.comm), call);
    if (context.number < 0) return;
    if (p.sparse)
      gap(call.info().name, "is taken as if every member gave something to every other");
    if (!p.sparse && p.count >= 0 &&
        call.info().params[static_cast<std::size_t>(p.count)].shape == Shape::scalar &&
        enter.value(p.count) == 0 && call.info().family == Family::collective &&
        call.info().params[static_cast<std::size_t>(p.count)].significant ==
            Significant::everywhere) {
      gap(call.info().name, "without data is taken as if it had some");
    }
    predict::Operation op;
    op.kind = OpKind::sync;
    op.blocking = p.blocks;
    op.comm = context.number;
    op.group = static_cast<std::uint32_t>(p.sync);
    if (p.root >= 0) {
      const std::int64_t root = enter.value(p.root);
      op.peer = root < 0 || root >= context.members->size
                    ? -1
                    : context.members->world(CommRank{static_cast<int>(root)}).value;
      if (op.peer < 0) return gap(call.info().name, "without a root is left out");
    }
    if (pattern != nullptr) {
      // They meet in the order of their making; each is a communicator of its own, since what is
      // started when is up to each member.
      const Communicator* c = process.comms.find(enter.handle(p.comm));
      op.comm = number_of({c->id, c->members, ++rank.inits[op.comm]});
      op.blocking = false;
      pattern->ops.push_back(std::move(op));
      return;
    }
    const std::size_t at = add(rank, process, call, std::move(op));
    if (!p.blocks) rank.requests[call.seq()] = {at};
  }

  // ---- requests ----
  // What is persistent is known by its handle, everything else by the call that made it.
  static std::uint64_t key_of(const Request& r) {
    return r.persistent ? r.raw + (std::uint64_t{1} << 63) : r.call;
  }

  template <typename F>
  void each_request(const Process& process, const Call& call, const ProgramPlan& p, F&& f) {
    const Event enter = call.enter();
    const ArrayView handles = p.requests >= 0 ? enter.array(p.requests) : ArrayView();
    const std::uint64_t n = p.requests >= 0 ? handles.size() : p.request >= 0 ? 1 : 0;
    for (std::uint64_t i = 0; i < n; ++i) {
      const std::uint64_t raw =
          p.requests >= 0 ? static_cast<std::uint64_t>(handles[i]) : enter.handle(p.request);
      const std::uint64_t variable = p.requests >= 0
                                         ? enter.address(p.requests) + i * handle_size(process)
                                         : enter.address(p.request);
      if (const Request* r = process.requests.find(raw)) f(r->kept_in(variable), i);
    }
  }

  // The operations of the requests of a call that are active.
  std::vector<std::size_t> active(const Process& process, Rank& rank, const Call& call,
                                  const ProgramPlan& p) {
    std::vector<std::size_t> ops;
    each_request(process, call, p, [&](const Request& r, std::uint64_t) {
      if (r.state != RequestState::active) return;
      if (const auto found = rank.requests.find(key_of(r)); found != rank.requests.end())
        ops.insert(ops.end(), found->second.begin(), found->second.end());
    });
    return ops;
  }

  void wait_for_all(const Process& process, Rank& rank, const Call& call, const ProgramPlan& p) {
    std::vector<std::size_t> ops = active(process, rank, call, p);
    // Twice in one array is an error of the program, not of the trace.
    std::sort(ops.begin(), ops.end());
    ops.erase(std::unique(ops.begin(), ops.end()), ops.end());
    std::erase_if(ops, [&](std::size_t op) { return rank.ops[op].waited; });
    if (!ops.empty()) add_wait(rank, process, call, std::move(ops), false);
  }

  void keep_pattern(Rank& rank, const Process& process, const Call& call, const ProgramPlan& p,
                    const Event& leave) {
    Pattern pattern;
    if (p.what == Do::collective)
      collective(process, rank, call, p, &pattern);
    else
      pattern.ops = operations(process, call, p);
    for (predict::Operation& op : pattern.ops) {
      op.blocking = false;
      op.site = call.site();
    }
    if (has_words(leave) && p.request >= 0)
      rank.patterns[static_cast<std::uint64_t>(leave.result(p.request))] = std::move(pattern);
  }

  void start(const Process& process, Rank& rank, const Call& call, const ProgramPlan& p) {
    each_request(process, call, p, [&](const Request& r, std::uint64_t) {
      const auto found = rank.patterns.find(r.raw);
      if (found == rank.patterns.end() || r.state == RequestState::active) return;
      std::vector<std::size_t> ops;
      for (const predict::Operation& op : found->second.ops)
        ops.push_back(add(rank, process, call, op));
      rank.requests[key_of(r)] = std::move(ops);
    });
  }

  // A request is complete: its operations are waited for by `done`, or were cancelled.
  void complete(Rank& rank, const Request& r, const wire::Status* status,
                std::vector<std::size_t>& done) {
    const auto found = rank.requests.extract(key_of(r));
    if (found.empty()) return;
    const bool known = status != nullptr && (status->flags & kUndefined) == 0;
    const bool cancelled = known && (status->flags & kCancelled) != 0;
    if (r.cancelled && !known) gap("MPI_Cancel", "whether it came in time is not known");
    for (const std::size_t op : found.mapped()) {
      if (cancelled) rank.ops[op].dropped = true;
      if (!cancelled && !rank.ops[op].waited) done.push_back(op);
    }
  }

  void leave_completion(const Process& process, Rank& rank, const Call& call, const ProgramPlan& p,
                        const Event& leave) {
    const bool told = has_words(leave);
    if (p.flag >= 0 && !(told && leave.result(p.flag) != 0)) return;
    std::map<std::uint64_t, wire::Status> which;  // position -> status
    const ArrayView statuses =
        told && p.statuses >= 0 ? leave.result_array(p.statuses) : ArrayView();
    if (!p.all) {
      if (!told) return;
      if (p.index >= 0) {
        which[static_cast<std::uint64_t>(leave.result(p.index))] = leave.result_status(p.status);
      } else {
        const ArrayView indices = leave.result_array(p.indices);
        for (std::uint64_t k = 0; k < indices.size(); ++k) {
          if (static_cast<std::int64_t>(k) >= leave.result(p.outcount)) break;
          which[static_cast<std::uint64_t>(indices[k])] =
              k < statuses.size() ? statuses.status(k) : wire::Status{0, 0, 0, kUndefined, 0};
        }
      }
    }
    const bool choice = !p.all && active(process, rank, call, p).size() > which.size();
    std::vector<std::size_t> done;
    each_request(process, call, p, [&](const Request& r, std::uint64_t i) {
      if (r.state != RequestState::active) return;
      wire::Status status{0, 0, 0, kUndefined, 0};
      if (!p.all) {
        const auto at = which.find(i);
        if (at == which.end()) return;
        status = at->second;
      } else if (i < statuses.size()) {
        status = statuses.status(i);
      } else if (told && p.statuses < 0 && p.status >= 0) {
        status = leave.result_status(p.status);
      }
      complete(rank, r, &status, done);
    });
    begun_.clear();
    if (done.empty()) return;
    if (choice)
      gap(call.info().name, "which request it found complete is taken as the program's own choice");
    add_wait(rank, process, call, std::move(done), !p.blocks);
  }

  // ---- the program ----
  Result<TraceProgram> build() {
    predict::Builder builder(static_cast<int>(ranks_.size()));
    for (auto& [number, members] : members_) builder.communicator(number, members);
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      if (!ranks_[r].seen) gap("rank " + std::to_string(r), "there is nothing of it in the trace");
      if (ranks_[r].choosing)
        gap("rank " + std::to_string(r), "waits for one of several requests, which is not shown");
      std::vector<predict::Builder::Handle> handles(ranks_[r].ops.size());
      for (std::size_t i = 0; i < ranks_[r].ops.size(); ++i) add_to(builder, ranks_[r], i, handles);
    }
    for (std::size_t i = 0; i < world_.processes(); ++i) {
      if (world_.process(i).lossy) gap(name_of(world_.process(i)), "calls of it were not recorded");
    }
    auto program = std::move(builder).build();
    if (!program.ok()) return Error{program.error()};
    TraceProgram result{std::move(*program), {}};
    for (const auto& [what, times] : gaps_)
      result.not_checked.push_back({what.first, what.second, times, {}, {}});
    return result;
  }

  void add_to(predict::Builder& builder, Rank& rank, std::size_t i,
              std::vector<predict::Builder::Handle>& handles) {
    Entry& entry = rank.ops[i];
    predict::Operation& op = entry.op;
    // Nobody knows whether it was matched: a receive whose request was freed or is still pending.
    if (op.kind == OpKind::receive && !entry.waited && !entry.dropped) {
      entry.dropped = true;
      gap("receives", "that were never seen to complete are left out");
    }
    if (entry.dropped) return;
    const std::string place =
        op.site.value < trace_.sites.size() ? trace_.sites[op.site.value] : std::string();
    const Site site = place.empty() ? Site{} : builder.site(place);
    const int process = op.process, peer = op.peer, comm = op.comm;
    const auto kind = static_cast<predict::SyncKind>(op.group);
    const bool by_test = op.by_test;
    switch (op.kind) {
      case OpKind::send:
        handles[i] = builder.send(process, peer, std::move(op));
        break;
      case OpKind::receive:
        handles[i] = builder.receive(process, peer, std::move(op));
        break;
      case OpKind::probe:
        handles[i] = builder.probe(process, peer, std::move(op));
        break;
      case OpKind::sync:
        handles[i] = builder.sync(process, comm, kind, peer, std::move(op));
        break;
      default: {
        std::vector<predict::Builder::Handle> completes;
        for (const std::size_t c : entry.completes)
          if (!rank.ops[c].dropped) completes.push_back(handles[c]);
        if (completes.empty()) return;
        handles[i] = builder.wait(process, std::move(completes), by_test);
      }
    }
    builder.describe(handles[i], "", site);
  }

  const TextTrace& trace_;
  World world_;
  std::vector<Rank> ranks_;
  std::map<Key, int> numbers_;
  std::vector<std::pair<int, std::vector<int>>> members_;
  std::map<std::pair<std::string, std::string>, std::uint64_t> gaps_;
  std::vector<std::size_t> begun_;  // operations of the call at hand
};

}  // namespace

Result<TraceProgram> program_of(const TextTrace& trace) { return Converter(trace).convert(); }

}  // namespace vouch
