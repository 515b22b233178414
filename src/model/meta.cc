// What the shim tells that is no call: constants, the world, facts of communicators, how a process
// ended.

#include <algorithm>

#include "model/effect.h"
#include "model/saturate.h"
#include "model/world.h"

namespace vouch {
namespace {

std::string_view text_at(const Event& meta, int word) {
  return {reinterpret_cast<const char*>(meta.words() + word + 1), meta.word(word)};
}

template <typename T>
T* predefine(Table<T>& table, Constant c, std::uint64_t raw) {
  if (table.find(raw) != nullptr) return nullptr;  // synonym
  T& object = table.insert(raw);
  object.constant = c;
  return &object;
}

// Predefined objects are live from the start.
void constant(Process& p, const Event& meta) {
  const std::uint64_t id = meta.word(0);
  if (id == 0 || id >= static_cast<std::uint64_t>(Constant::count_)) return;
  const auto c = static_cast<Constant>(id);
  const std::uint64_t raw = meta.word(1);
  p.announce(c, raw);
  const ConstantInfo& about = info(c);
  if (!about.is_handle || about.is_null) return;
  switch (about.kind) {
    case Kind::comm:
      predefine(p.comms, c, raw);
      break;
    case Kind::group:
      if (Group* g = predefine(p.groups, c, raw)) g->size = 0;
      break;
    case Kind::datatype:
      if (Datatype* d = predefine(p.datatypes, c, raw)) {
        d->committed = true;
        d->type = make_named(c, static_cast<std::int64_t>(meta.word(2)),
                             static_cast<std::int64_t>(meta.word(3)));
      }
      break;
    case Kind::op:
      predefine(p.ops, c, raw);
      break;
    case Kind::errhandler:
      predefine(p.errhandlers, c, raw);
      break;
    case Kind::info:
      predefine(p.infos, c, raw);
      break;
    case Kind::message:
      if (Message* m = predefine(p.messages, c, raw)) m->no_proc = true;
      break;
    default:
      break;
  }
}

void communicator(World& world, Process& p, int thread, const Event& meta) {
  const auto number = [&](int word) {
    return static_cast<int>(static_cast<std::int64_t>(meta.word(word)));
  };
  const auto group = [&](std::uint64_t from, std::uint64_t to) -> const Members* {
    if (from >= to) return nullptr;
    Members members;
    for (std::uint64_t word = from; word + 3 <= to; word += 3) {
      const int at = static_cast<int>(word);
      members.runs.push_back({number(at), number(at + 1), number(at + 2)});
      int& first = members.runs.back().first;
      if (first >= 0 && first <= INT32_MAX - p.first) first += p.first;
    }
    return world.intern(std::move(members));
  };
  const std::uint64_t local_end = 8 + 3 * meta.word(7);
  const Process::CommFacts facts{
      number(1), number(2), number(3),           static_cast<Topology>(meta.word(4)),
      number(5), number(6), group(8, local_end), group(local_end, meta.header().words)};
  p.tell_facts(meta.word(0), facts, thread);
}

}  // namespace

void Process::tell_facts(std::uint64_t raw, const CommFacts& facts, int thread) {
  if (facts_.size() > 4096) facts_.clear();  // of communicators whose constructors are not known
  facts_[raw] = facts;
  Communicator* c = comms.find(raw);
  // Facts come inside the constructor they belong to; others inside the call that completed a
  // duplicate.
  const auto t = static_cast<std::size_t>(thread);
  const bool constructing =
      t < threads.size() && threads[t].depth > 0 &&
      threads[t].calls[static_cast<std::size_t>(threads[t].depth) - 1].info().first(Kind::comm,
                                                                                    Dir::out) >= 0;
  if (c == nullptr && !constructing) {
    const auto it = std::find_if(expected_.begin(), expected_.end(), [&](const Communicator& e) {
      return e.size == facts.size && e.members == facts.members;
    });
    if (it == expected_.end()) return;
    c = &comms.insert(raw);
    const std::uint32_t generation = c->generation;
    *c = std::move(*it);
    c->raw = raw;
    c->generation = generation;
    expected_.erase(it);
  }
  if (c != nullptr) take_facts(*c);
}

void Process::expect(Communicator c) {
  if (expected_.size() >= 256) expected_.erase(expected_.begin());
  expected_.push_back(std::move(c));
}

void Process::take_facts(Communicator& c) {
  const auto found = facts_.find(c.raw);
  if (found == facts_.end()) return;
  const CommFacts f = found->second;
  facts_.erase(found);
  c.size = f.size;
  c.rank = f.rank;
  c.remote_size = f.remote_size;
  if (c.topology != f.topology) c.topology = f.topology;
  if (f.topology != Topology::none) {
    c.indegree = f.indegree;
    c.outdegree = f.outdegree;
  }
  if (f.members != nullptr) c.members = f.members;
  if (f.others != nullptr && f.others->all_known() && c.connects()) c.others = f.others;
  if (c.constant == Constant::comm_world)
    c.id = first == 0 ? mix(0, 1) : mix(mix(0, 1), static_cast<std::uint64_t>(first));
  if (c.constant == Constant::comm_self) c.id = mix(1, static_cast<std::uint64_t>(rank.value));
  // Who shares a node (or another resource) is the library's to say; the first member stands for
  // the colour. Of an inter-communicator each side knows only its own group.
  if (c.made_by == Proc::comm_split_type && f.members != nullptr && !c.inter()) {
    c.id = mix(c.id, static_cast<std::uint64_t>(f.members->world(CommRank{0}).value));
  }
}

// Words a record must have at least; a damaged one is left alone.
bool World::complete(const Event& meta) {
  const std::uint32_t words = meta.header().words;
  switch (static_cast<wire::Meta>(meta.header().proc)) {
    case wire::Meta::library:
      return words >= 3 && meta.word(2) <= (words - 3) * std::uint64_t{8};
    case wire::Meta::constant:
    case wire::Meta::block:
    case wire::Meta::modified:
      return words >= 4;
    case wire::Meta::freed:
      return words >= 3;
    case wire::Meta::communicator:
      return words >= 8 && meta.word(7) <= words && words >= 8 + 3 * meta.word(7);
    case wire::Meta::world:
      return words >= 5;
    case wire::Meta::thread:
      return words >= 2;
    default:
      return words >= 1;
  }
}

void World::hold(Process& p, const Call& call) {
  Thread& t = p.threads[static_cast<std::size_t>(call.thread())];
  p.held_calls += t.held == 0;
  t.held = call.seq();
}

// It says something of calls, values or decisions; all objects stay as they are.
static bool only_tells(wire::Meta what) {
  return what == wire::Meta::value || what == wire::Meta::polls || what == wire::Meta::claim ||
         what == wire::Meta::access || what == wire::Meta::exposed || what == wire::Meta::inside ||
         what == wire::Meta::decided || what == wire::Meta::diverged;
}

void World::apply_meta(Process& p, int thread, const Event& meta) {
  if (!complete(meta) || only_tells(static_cast<wire::Meta>(meta.header().proc))) return;
  ++p.changes;
  const auto number = [&](int word) {
    return static_cast<int>(static_cast<std::int64_t>(meta.word(word)));
  };
  switch (static_cast<wire::Meta>(meta.header().proc)) {
    case wire::Meta::library:
      p.library = static_cast<wire::Library>(meta.word(0));
      p.library_version = text_at(meta, 2);
      break;
    case wire::Meta::constant:
      constant(p, meta);
      break;
    case wire::Meta::communicator:
      communicator(*this, p, thread, meta);
      break;
    case wire::Meta::world:
      p.rank = WorldRank{number(0)};
      p.world_size = number(1);
      p.tag_ub = static_cast<std::int64_t>(meta.word(2));
      p.thread_level = p.constant_of(Kind::thread_level, meta.word(3));
      p.spawned = meta.word(4) != 0 && !p.is_null(Kind::comm, meta.word(4));
      if (!p.spawned) size_ = std::max(size_, p.world_size);
      number_on(p);
      break;
    case wire::Meta::thread:
      while (p.threads.size() <= static_cast<std::size_t>(thread)) {
        p.threads.push_back({static_cast<int>(p.threads.size()), false, {}, 0});
      }
      p.threads[static_cast<std::size_t>(thread)].main = meta.word(1) != 0;
      break;
    case wire::Meta::threaded:
      p.threaded = p.threaded || meta.word(0) != 0;
      break;
    case wire::Meta::issued:
      if (const auto t = static_cast<std::size_t>(thread);
          t < p.threads.size() && p.threads[t].held != 0) {
        p.threads[t].held = 0;
        --p.held_calls;
      }
      break;
    case wire::Meta::exit:
      p.exit_status = number(0);
      p.end_thread = thread;
      break;
    case wire::Meta::signal:
      p.signal = number(0);
      p.end_thread = thread;
      break;
    case wire::Meta::block: {
      const auto kind = static_cast<wire::BlockKind>(meta.word(2));
      if (kind == wire::BlockKind::global) break;  // what lies there the agent looks up
      const auto at = static_cast<std::int64_t>(meta.word(0));
      p.memory.add({at,
                    vouch::add(at, static_cast<std::int64_t>(meta.word(1))),
                    kind == wire::BlockKind::copy ? Block::Kind::copy : Block::Kind::heap,
                    p.site(static_cast<std::uint32_t>(meta.word(3))),
                    {}});
      break;
    }
    case wire::Meta::freed:
      p.memory.remove(static_cast<std::int64_t>(meta.word(0)));
      break;
    default:
      break;  // modules and sites are the agent's, losses the report's
  }
}

}  // namespace vouch
