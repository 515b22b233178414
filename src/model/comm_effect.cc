// Communicators: where they come from, and what is known of them before the library's own facts
// arrive.
//
// Their identity must be the same in all members without asking anybody. Collective constructors
// are called by all members of the parent in one order, so (parent, how many before, colour) will
// do. MPI_Comm_create_group is called by the members of the group alone: there it is (parent,
// group, tag, how many like it before).

#include <algorithm>

#include "model/effect.h"

namespace vouch {
namespace {

int parent_param(const ProcInfo& about) {
  for (const char* name : {"comm", "comm_old", "local_comm", "intercomm"}) {
    const int p = about.param(name);
    if (p >= 0 && about.params[static_cast<std::size_t>(p)].dir == Dir::in) return p;
  }
  return -1;
}

void take_group(Communicator& c, const Process& process, const Members* members, int size) {
  c.members = members;
  if (size >= 0) c.size = size;
  if (members != nullptr) c.rank = members->rank_of(process.rank).value;
}

// Facts
void like_parent(Communicator& c, const Communicator& parent, bool topology) {
  c.size = parent.size;
  c.rank = parent.rank;
  c.remote_size = parent.remote_size;
  c.members = parent.members;
  if (!topology) return;
  c.others = parent.others;
  c.topology = parent.topology;
  c.indegree = parent.indegree;
  c.outdegree = parent.outdegree;
  c.dims = parent.dims;
  c.periods = parent.periods;
  c.graph = parent.graph;
}

// The first n of the parent's group, in its order: what a topology has unless the library reorders.
void first_of_parent(const Returned& r, Communicator& c, std::int64_t n) {
  const bool reorder = r.param(Arg::reorder) >= 0 && r.value(Arg::reorder) != 0;
  // A grid has no more processes than its parent, if that is known.
  constexpr int kMost = 1 << 20;
  n = std::clamp<std::int64_t>(n, 0, c.size > 0 ? c.size : kMost);
  if (c.members != nullptr && n < c.size)
    c.members = r.world.intern(first_of(*c.members, static_cast<int>(n)));
  c.size = static_cast<int>(n);
  if (reorder) c.members = nullptr;
}

// How many processes a grid of these dimensions has; more than any communicator can have is one
// number.
std::int64_t grid_size(const std::vector<std::int64_t>& dims) {
  constexpr std::int64_t kMost = INT32_MAX;
  std::int64_t size = 1;
  for (const std::int64_t d : dims) {
    if (d <= 0) return 0;
    if (d > kMost / size) return kMost;
    size *= d;
  }
  return size;
}

void cart(const Returned& r, Communicator& c) {
  c.topology = Topology::cart;
  c.dims = r.list(Arg::dims);
  c.periods.clear();
  for (const std::int64_t p : r.list(Arg::periods)) c.periods.push_back(p != 0);
  c.indegree = c.outdegree = static_cast<int>(2 * c.dims.size());
  first_of_parent(r, c, grid_size(c.dims));
}

std::vector<std::int64_t> coordinates(const std::vector<std::int64_t>& dims, std::int64_t rank) {
  std::vector<std::int64_t> at(dims.size());
  for (std::size_t i = dims.size(); i-- > 0;) {
    if (dims[i] <= 0) continue;
    at[i] = rank % dims[i];
    rank /= dims[i];
  }
  return at;
}

std::uint64_t cart_sub(const Returned& r, const Communicator& parent, Communicator* c) {
  const std::vector<std::int64_t> remain = r.list(Arg::remain_dims);
  const std::vector<std::int64_t> at = coordinates(parent.dims, parent.rank);
  std::uint64_t colour = 0;
  std::vector<std::int64_t> dims;
  std::vector<bool> periods;
  for (std::size_t i = 0; i < parent.dims.size() && i < remain.size(); ++i) {
    if (remain[i] == 0) {
      colour = mix(colour, static_cast<std::uint64_t>(at[i]));
    } else {
      dims.push_back(parent.dims[i]);
      periods.push_back(i < parent.periods.size() && parent.periods[i]);
    }
  }
  if (c != nullptr) {
    c->topology = Topology::cart;
    c->members = nullptr;
    c->size = static_cast<int>(grid_size(dims));
    c->rank = 0;
    std::vector<std::int64_t> mine;
    for (std::size_t i = 0; i < remain.size() && i < at.size(); ++i) {
      if (remain[i] != 0) mine.push_back(at[i]);
    }
    std::int64_t rank = 0;
    for (std::size_t i = 0; i < mine.size() && rank < c->size; ++i) rank = rank * dims[i] + mine[i];
    c->rank = static_cast<int>(std::min<std::int64_t>(rank, c->size));
    c->indegree = c->outdegree = static_cast<int>(2 * dims.size());
    c->dims = std::move(dims);
    c->periods = std::move(periods);
  }
  return colour;
}

// Neighbours are recorded in canonical form; MPI_PROC_NULL is nobody.
std::vector<int> ranks_of(const ArrayView& list, std::uint64_t from, std::uint64_t to) {
  std::vector<int> ranks;
  for (std::uint64_t i = from; i < to && i < list.size(); ++i)
    ranks.push_back(list[i] < 0 || list[i] > INT32_MAX ? -1 : static_cast<int>(list[i]));
  return ranks;
}

// What this process's constructor said of the edges of communicator `id`.
std::shared_ptr<Graph> edges(const Returned& r, int size, int me, std::uint64_t id) {
  if (size <= 0 || me < 0 || me >= size) return nullptr;
  const std::shared_ptr<Graph> g = r.world.graph_of(id);
  if (g->size == 0) g->size = size;
  if (g->size != size) return nullptr;
  const auto list = [&](Arg name) { return r.enter.array(r.param(name)); };
  Graph::Node& mine = g->nodes[me];
  if (r.call.info().base == Proc::graph_create) {
    const ArrayView index = list(Arg::index);
    const auto at = static_cast<std::uint64_t>(me);
    if (at < index.size()) {
      mine.sources = mine.destinations =
          ranks_of(list(Arg::edges), at == 0 ? 0 : static_cast<std::uint64_t>(index[at - 1]),
                   static_cast<std::uint64_t>(index[at]));
    }
  } else if (r.call.info().base == Proc::dist_graph_create_adjacent) {
    const ArrayView in = list(Arg::sources), out = list(Arg::destinations);
    mine.sources = ranks_of(in, 0, in.size());
    mine.destinations = ranks_of(out, 0, out.size());
  } else {
    g->ordered = false;  // in which order a node has its neighbours is the library's to say
    const ArrayView from = list(Arg::sources), degrees = list(Arg::degrees),
                    to = list(Arg::destinations);
    std::uint64_t next = 0;
    for (std::uint64_t i = 0; i < from.size() && i < degrees.size(); ++i) {
      for (std::int64_t k = 0; k < degrees[i] && next < to.size(); ++k, ++next) {
        const std::int64_t a = from[i], b = to[next];
        if (a < 0 || b < 0 || a >= size || b >= size) continue;
        g->nodes[static_cast<int>(a)].destinations.push_back(static_cast<int>(b));
        g->nodes[static_cast<int>(b)].sources.push_back(static_cast<int>(a));
      }
    }
  }
  mine.told = true;
  return g;
}

void graph(const Returned& r, Communicator& c) {
  c.topology = Topology::graph;
  const std::vector<std::int64_t> index = r.list(Arg::index);
  if (c.rank >= 0 && static_cast<std::size_t>(c.rank) < index.size()) {
    const auto me = static_cast<std::size_t>(c.rank);
    c.indegree = c.outdegree = static_cast<int>(index[me] - (me > 0 ? index[me - 1] : 0));
  }
  first_of_parent(r, c, r.value(Arg::nnodes));
}

void fill(const Returned& r, const Communicator* parent, Communicator& c) {
  const Process& process = r.process;
  const int far =
      r.world.size() > 0 ? r.world.size() : 1;  // no rank is refused before the facts are there
  switch (r.call.info().base) {
    case Proc::comm_dup:
    case Proc::comm_dup_with_info:
    case Proc::comm_idup:
    case Proc::comm_idup_with_info:
      if (parent != nullptr) like_parent(c, *parent, true);
      break;
    case Proc::comm_create:
    case Proc::comm_create_group:
    case Proc::comm_create_from_group:
      if (parent != nullptr) like_parent(c, *parent, false);
      if (const Group* g = process.groups.find(r.handle(Arg::group)))
        take_group(c, process, g->members, g->size);
      break;
    case Proc::intercomm_create_from_groups:
      c.remote_size = far;
      if (const Group* g = process.groups.find(r.handle(Arg::local_group)))
        take_group(c, process, g->members, g->size);
      if (const Group* g = process.groups.find(r.handle(Arg::remote_group));
          g != nullptr && g->size >= 0)
        c.remote_size = g->size;
      break;
    case Proc::intercomm_create:
    case Proc::comm_accept:
    case Proc::comm_connect:
    case Proc::comm_spawn:
    case Proc::comm_spawn_multiple:
      if (parent != nullptr) like_parent(c, *parent, false);
      c.remote_size = far;
      break;
    case Proc::comm_join:
      c.size = 1;
      c.rank = 0;
      c.remote_size = 1;
      break;
    case Proc::intercomm_merge:
      if (parent != nullptr) c.size = parent->size + std::max(parent->remote_size, 0);
      break;
    case Proc::cart_create:
      if (parent != nullptr) like_parent(c, *parent, false);
      cart(r, c);
      break;
    case Proc::cart_sub:
      if (parent != nullptr) cart_sub(r, *parent, &c);
      break;
    case Proc::graph_create:
      if (parent != nullptr) like_parent(c, *parent, false);
      graph(r, c);
      break;
    case Proc::dist_graph_create_adjacent:
      if (parent != nullptr) like_parent(c, *parent, false);
      c.indegree = static_cast<int>(r.value(Arg::indegree));
      c.outdegree = static_cast<int>(r.value(Arg::outdegree));
      c.topology = Topology::dist_graph;
      break;
    case Proc::dist_graph_create:
      if (parent != nullptr) like_parent(c, *parent, false);
      c.topology = Topology::dist_graph;
      break;
    default:  // splits: the group is known only from the facts
      if (parent != nullptr) like_parent(c, *parent, false);
      c.members = nullptr;
  }
}

// Identity
std::uint64_t group_hash(const Process& process, std::uint64_t raw) {
  const Group* g = process.groups.find(raw);
  return g != nullptr && g->members != nullptr ? g->members->hash : 0;
}

// The same number on all agents.
std::uint64_t me(const Returned& r) { return static_cast<std::uint64_t>(r.process.rank.value); }

std::uint64_t colour_of(const Returned& r, const Communicator& parent) {
  switch (r.call.info().base) {
    case Proc::comm_split:
      return static_cast<std::uint64_t>(r.value(Arg::color));
    case Proc::comm_create:
      // MPI-4.1 7.4.2: on an inter-communicator each side names its own group, and one call makes
      // at most one communicator.
      return parent.inter() ? 0 : group_hash(r.process, r.handle(Arg::group));
    case Proc::cart_sub:
      return cart_sub(r, parent, nullptr);
    default:
      return 0;
  }
}

std::uint64_t identity(const Returned& r, Communicator* parent) {
  switch (r.call.info().base) {
    case Proc::comm_create_from_group: {
      const std::uint64_t key = mix(group_hash(r.process, r.handle(Arg::group)),
                                    hash_of(r.enter.array(r.param(Arg::stringtag)).text()));
      return mix(key, r.process.from_groups.next(key));
    }
    case Proc::intercomm_create_from_groups: {
      // The other group is significant at the leader only: it joins the halves.
      const std::uint64_t tag = hash_of(r.enter.array(r.param(Arg::stringtag)).text());
      const Group* local = r.process.groups.find(r.handle(Arg::local_group));
      const std::uint64_t near = group_hash(r.process, r.handle(Arg::local_group));
      const std::uint64_t own = mix(mix(hash_of("half"), near), tag);
      const std::uint64_t half = mix(own, r.process.from_groups.next(own));
      if (local != nullptr && local->members != nullptr &&
          local->members->rank_of(r.process.rank).value == r.value(Arg::local_leader)) {
        // In either order: both sides must come to the same.
        const std::uint64_t far = group_hash(r.process, r.handle(Arg::remote_group));
        const std::uint64_t key = mix(mix(std::min(near, far), std::max(near, far)), tag);
        r.world.join_halves(half, mix(key, r.process.from_groups.next(key)));
      }
      if (r.world.inter_id(half) == half) r.world.await_join(half);
      return r.world.inter_id(half);
    }
    case Proc::comm_create_group: {
      const std::uint64_t tag = static_cast<std::uint64_t>(r.value(Arg::tag));
      const std::uint64_t key = mix(group_hash(r.process, r.handle(Arg::group)), tag);
      if (parent == nullptr) return key;
      return r.world.derive(parent->id, mix(key, parent->by_part.next(key)));
    }
    case Proc::comm_join:
      return mix(hash_of("join"), me(r));
    default:
      break;
  }
  if (parent == nullptr) return mix(me(r), r.call.seq());
  const std::uint64_t number = ++parent->constructors;
  const std::uint64_t step = mix(number, colour_of(r, *parent));
  const std::uint64_t half = r.world.derive(parent->id, step);
  // Who spawns has met those whom it spawned already.
  if (is_spawn(r.call.proc())) return r.world.inter_id(half);
  if (r.call.info().base != Proc::intercomm_create) return half;
  const bool leader = parent->rank == r.value(Arg::local_leader);
  Communicator* peer = leader ? r.process.comms.find(r.handle(Arg::peer_comm)) : nullptr;
  if (peer != nullptr && peer->members != nullptr) {
    const auto far = static_cast<std::uint64_t>(
        peer->members->world(CommRank{static_cast<int>(r.value(Arg::remote_leader))}).value);
    const auto near = static_cast<std::uint64_t>(r.process.rank.value);
    const std::uint64_t key = mix(mix(std::min(near, far), std::max(near, far)),
                                  static_cast<std::uint64_t>(r.value(Arg::tag)));
    // The peer's own name may still change, and the other leader may see it changed.
    const std::uint64_t meeting = mix(mix(hash_of("leaders"), key), peer->by_part.next(key));
    r.world.join_halves(half, r.world.derive(peer->id, meeting));
  }
  const std::uint64_t id = r.world.inter_id(half);
  // Else the leader came before, and this is no half any more.
  if (id == half && half == mix(parent->id, step)) r.world.await_join(half);
  return id;
}

// Hints
void take_hints(const Returned& r, Communicator& c) {
  const int p = r.param(Arg::info);
  const Info* info = p < 0 ? nullptr : r.process.infos.find(r.enter.handle(p));
  if (info == nullptr) return;
  c.no_any_tag |= info->no_any_tag;
  c.no_any_source |= info->no_any_source;
  c.exact_length |= info->exact_length;
  c.promised = r.call.site();
  if (info->exact_length)
    r.process.exact_lengths.emplace(c.id, Process::Promise{r.call.seq(), r.call.site()});
}

void comm_set_info(const Returned& r) {
  Communicator* c = r.ok() ? r.process.comms.find(r.handle(Arg::comm)) : nullptr;
  if (c != nullptr) take_hints(r, *c);
}

// Which processes are on its other side, where that is another world.
void know_others(const Returned& r, const Communicator* parent, Communicator& c) {
  switch (r.call.info().base) {
    case Proc::comm_accept:
    case Proc::comm_connect:
    case Proc::comm_join:
      c.outside = c.others == nullptr || c.members == nullptr || !c.members->all_known();
      return;
    case Proc::comm_spawn:
    case Proc::comm_spawn_multiple: {
      const auto& all = r.world.spawned();
      const auto world = std::find_if(all.begin(), all.end(), [&](const SpawnedWorld& w) {
        return w.parents != nullptr && between(w) == c.id;
      });
      c.outside = world == all.end() || world->size != c.remote_size;
      c.others = c.outside ? nullptr : world->members;
      return;
    }
    default:
      break;
  }
  if (parent == nullptr) return;
  c.outside = parent->outside;
  if (r.call.info().base != Proc::intercomm_merge || c.members == nullptr ||
      parent->others == nullptr || c.members->all_known() || !listable(*c.members))
    return;
  // MPI-4.1 7.6.2: each group stays in its order.
  std::vector<int> ranks = c.members->list();
  int next = 0;
  for (int& rank : ranks) {
    if (rank < 0) rank = parent->others->world(CommRank{next++}).value;
  }
  c.members = r.world.intern(Members::of(ranks));
}

// The two ends of a connection have no parent in common: it is the n-th between their groups. Each
// process counts those by itself, since all members of a group connect in one order.
void name_connection(const Returned& r, Communicator& c) {
  if (!c.connects() || is_spawn(c.made_by) || c.outside) return;
  const std::uint64_t near = c.members->hash, far = c.others->hash;
  const std::uint64_t key =
      mix(hash_of("connection"), mix(std::min(near, far), std::max(near, far)));
  c.id = mix(key, r.process.from_groups.next(key));
}

void make_comm(const Returned& r) {
  if (!r.ok() || r.leave == nullptr) return;
  const int p = parent_param(r.info());
  Communicator* parent = p < 0 ? nullptr : r.process.comms.find(r.enter.handle(p));
  // Counted also where this process gets MPI_COMM_NULL: the others count it.
  const std::uint64_t id = identity(r, parent);
  const bool later = r.info().has(kNonblocking);
  if (later) make_request(r);
  const auto raw = static_cast<std::uint64_t>(r.output(Kind::comm, 0));
  Communicator unborn;
  Communicator* c = born(r, r.process.comms, Kind::comm, raw);
  if (c == nullptr) {
    if (!later) return;
    c = &unborn;
    c->made = r.call.site();
    c->made_by = r.call.proc();
    c->poisoned = r.call.poisoned;
  }
  fill(r, parent, *c);
  c->id = id;
  take_hints(r, *c);
  if (c == &unborn) return r.process.expect(std::move(unborn));
  c->ready = !later;
  r.process.take_facts(*c);
  know_others(r, parent, *c);
  name_connection(r, *c);
  // The facts have told its colour: this identity, too, follows the parent's.
  if (c->id != id && c->members != nullptr && !c->connects()) {
    const int first = c->members->world(CommRank{0}).value;
    c->id = r.world.derive(id, static_cast<std::uint64_t>(first));
  }
  switch (r.call.info().base) {
    case Proc::graph_create:
    case Proc::dist_graph_create:
    case Proc::dist_graph_create_adjacent:
      // Where the library has put the processes in another order, edges are between other ones.
      if (parent != nullptr && c->rank == parent->rank) c->graph = edges(r, c->size, c->rank, id);
      break;
    default:
      break;
  }
}

void comm_get_parent(const Returned& r) {
  if (!r.ok() || r.leave == nullptr) return;
  const auto raw = static_cast<std::uint64_t>(r.output(Kind::comm, 0));
  if (r.process.comms.find(raw) != nullptr) return;
  Communicator* c = born(r, r.process.comms, Kind::comm, raw);
  if (c == nullptr) return;
  if (const Communicator* world = r.process.comms.find(r.process.raw_of(Constant::comm_world))) {
    like_parent(*c, *world, false);
  }
  c->remote_size = std::max(r.world.size(), 1);
  const SpawnedWorld* world = r.world.world_of(r.process);
  c->outside = world == nullptr || world->parents == nullptr;
  c->id = world != nullptr ? between(*world) : hash_of("parent");
  r.process.take_facts(*c);
  if (!c->outside) c->others = world->parents;
}

}  // namespace

Effect comm_effect(Proc proc) {
  const ProcInfo& about = info(proc);
  if (proc == Proc::comm_get_parent) return comm_get_parent;
  if (proc == Proc::comm_set_info) return comm_set_info;
  return about.has(kConstructor) && about.first(Kind::comm, Dir::out) >= 0 ? make_comm : nullptr;
}

}  // namespace vouch
