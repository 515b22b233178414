#include "model/world.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "base/check.h"
#include "model/effect.h"

namespace vouch {

struct World::Interned {
  struct Less {
    bool operator()(const Members& a, const Members& b) const {
      const auto key = [](const RankRun& r) {
        return std::array<int, 3>{r.first, r.stride, r.length};
      };
      if (a.runs.size() != b.runs.size()) return a.runs.size() < b.runs.size();
      for (std::size_t i = 0; i < a.runs.size(); ++i) {
        if (key(a.runs[i]) != key(b.runs[i])) return key(a.runs[i]) < key(b.runs[i]);
      }
      return false;
    }
  };
  std::set<Members, Less> members;
};

World::World() : effects_(effects()), interned_(std::make_unique<Interned>()) {}
World::~World() = default;

Process& World::add_process(int pid, WorldRank hint) {
  processes_.push_back(std::make_unique<Process>(processes_.size(), pid, hint));
  return *processes_.back();
}

void World::spread(int self, std::vector<int> owners) {
  VOUCH_CHECK(interned_->members.empty());
  self_ = self;
  owners_ = std::move(owners);
}

Process& World::away(WorldRank rank) {
  const auto r = static_cast<std::size_t>(rank.value);
  std::unique_ptr<Process>& process = away_[r];
  if (process == nullptr) process = std::make_unique<Process>(kAway + r, 0, rank);
  return *process;
}

int World::ranks_elsewhere() const {
  return static_cast<int>(std::count_if(owners_.begin(), owners_.end(),
                                        [&](int owner) { return owner >= 0 && owner != self_; }));
}

const Members* World::intern(Members members) {
  members.normalize();
  members.hash = static_cast<std::uint64_t>(members.size);
  for (const RankRun& run : members.runs) {
    for (const int v : {run.first, run.stride, run.length})
      members.hash = mix(members.hash, static_cast<std::uint64_t>(v));
    for (int i = 0; several() && !members.unseen && i < run.length; ++i) {
      const WorldRank rank{run.first + i * run.stride};
      members.away = members.away || !here(rank);
      members.unseen = members.unseen || owner(rank) < 0;
    }
  }
  return &*interned_->members.insert(std::move(members)).first;
}

std::shared_ptr<Graph> World::graph_of(std::uint64_t id) {
  std::weak_ptr<Graph>& known = graphs_[id];
  std::shared_ptr<Graph> graph = known.lock();
  if (graph != nullptr) return graph;
  known = graph = std::make_shared<Graph>();
  std::erase_if(graphs_, [](const auto& g) { return g.second.expired(); });
  return graph;
}

void World::begin_finalize(Process& process, Call& call) {
  process.phase = Phase::finalizing;
  process.finalize_site = call.site();
}

std::uint64_t World::inter_id(std::uint64_t half) const {
  if (inter_ids_.empty()) return half;
  for (auto found = inter_ids_.find(half); found != inter_ids_.end();
       found = inter_ids_.find(half)) {
    if (found->second == half) break;
    half = found->second;
  }
  return half;
}

void World::await_join(std::uint64_t half) { awaited_.try_emplace(half); }

std::uint64_t World::derive(std::uint64_t parent, std::uint64_t step) {
  const std::uint64_t id = mix(parent, step);
  const auto awaited = awaited_.find(parent);
  if (awaited == awaited_.end()) return inter_id(id);
  awaited->second.push_back({step, id});
  await_join(id);
  return id;
}

void World::join_halves(std::uint64_t half, std::uint64_t id) {
  const auto [known, is_new] = inter_ids_.emplace(half, id);
  if (!is_new && known->second != id) {
    // Its leader has joined it under its first name: the final one means the same.
    const std::uint64_t whole = inter_id(half);
    if (whole != id && inter_id(id) != whole) join_halves(id, whole);
  }
  if (is_new) {
    inter_order_.push_back(half);
    if (inter_order_.size() > kInterKept) {  // all members have returned long ago
      inter_ids_.erase(inter_order_.front());
      inter_order_.pop_front();
    }
  }
  // Members of the group whose records came before their leader's.
  for (const auto& process : processes_) {
    process->comms.for_each([&](Communicator& c) {
      if (c.id == half) c.id = id;
    });
    ++process->changes;
  }
  if (const auto told = graphs_.find(half); told != graphs_.end() && half != id) {
    const std::shared_ptr<Graph> graph = told->second.lock();
    graphs_.erase(told);
    if (graph != nullptr && graph->whole == nullptr) {
      std::weak_ptr<Graph>& known = graphs_[id];
      if (const std::shared_ptr<Graph> whole = known.lock()) {
        whole->add(*graph);
        graph->whole = whole;
      } else {
        known = graph;
      }
    }
  }
  const auto awaited = awaited_.find(half);
  if (awaited == awaited_.end()) return;
  const std::vector<Derived> made = std::move(awaited->second);
  awaited_.erase(awaited);
  for (const Derived& d : made) join_halves(d.id, derive(id, d.step));
}

void World::begin_request(Process& process, Call& call) {
  const Returned begins{*this, process, call, call.enter(), nullptr};
  if (call.proc() == Proc::start || call.proc() == Proc::startall) return begin_start(begins);
  if (call.poisoned) return;
  if (call.proc() == Proc::grequest_complete) return begin_grequest_complete(begins);
  begin_pready(begins);
}

// Whether an effect is on objects that live longer than a message.
static bool changes_objects(const ProcInfo& about) {
  switch (about.family) {
    case Family::p2p:
    case Family::probe:
    case Family::completion:
    case Family::collective:
    case Family::neighbour:
      return false;
    default:
      return true;
  }
}

void World::apply(Process& process, Call& call, const Event* leave) {
  if (!call.harms.empty())
    spoil_requests(process, call, leave != nullptr && leave->error_class() != 0);
  const Effect effect = effects_[static_cast<std::size_t>(call.proc())];
  if (effect == nullptr) return;
  if (changes_objects(call.info())) ++process.changes;
  effect({*this, process, call, call.enter(), leave});
}

}  // namespace vouch
