#include "match/wave.h"

#include <algorithm>
#include <array>
#include <utility>

#include "match/hidden.h"
#include "model/effect.h"

namespace vouch {
namespace {

bool is_truth(Kind kind) { return kind == Kind::logical || kind == Kind::periods; }

bool attended_by(const Wave& wave, const std::vector<int>& ranks) {
  for (const Wave::Class& c : wave.classes) {
    for (const Attendee& a : c.members) {
      if (std::binary_search(ranks.begin(), ranks.end(), a.rank.value)) return true;
    }
  }
  return false;
}

std::uint64_t hash_of(const Digest& d) { return mix(mix(d.h[0], d.h[1]), d.atoms); }

bool same_portion(const Portion& a, const Portion& b) {
  if (a.what != b.what || a.hash != b.hash || a.known != b.known ||
      a.blocks.size() != b.blocks.size())
    return false;
  for (std::size_t i = 0; i < a.blocks.size(); ++i) {
    if (a.blocks[i].known() != b.blocks[i].known() || !(a.blocks[i].digest == b.blocks[i].digest))
      return false;
  }
  return true;
}

}  // namespace

bool Said::same(const Said& o) const {
  return hash == o.hash && proc == o.proc && side == o.side && rooted == o.rooted &&
         at_root == o.at_root && root == o.root && reduces == o.reduces && op == o.op &&
         in_place == o.in_place && group == o.group && args == o.args &&
         same_portion(send, o.send) && same_portion(recv, o.recv);
}

// The digest of (type, count) costs as many multiplications as the count has digits; programs use
// few of them.
struct Waves::Memory {
  struct Known {
    SignatureRef type;
    std::uint64_t count = 0;
    Digest digest;
  };
  static constexpr std::size_t kKnown = 256;
  std::array<Known, kKnown> known;

  const Digest& digest(const SignatureRef& type, std::uint64_t count) {
    Known& k = known[((reinterpret_cast<std::uintptr_t>(type.get()) >> 4) * 31 + count) % kKnown];
    if (k.type != type || k.count != count) k = {type, count, digest_of(type, count)};
    return k.digest;
  }
};

// The table
// -------------------------------------------------------------------------------------------------------------
Waves::Plan Waves::make_plan(Proc proc) {
  Plan p;
  const ProcInfo& about = info(proc);
  p.joins = about.role == CallRole::join_groups;
  if (!about.has(kCollective) || about.has(kUnchecked)) return p;
  for (const Kind kind : {Kind::comm, Kind::win, Kind::file}) {
    for (std::size_t i = 0; i < about.params.size() && p.object < 0; ++i) {
      if (about.params[i].kind != kind || about.params[i].dir == Dir::out) continue;
      p.object = static_cast<std::int8_t>(i);
      p.kind = kind;
    }
  }
  if (p.object < 0) return p;
  const auto side = [&](int buffer) {
    Side s;
    if (buffer < 0) return s;
    const Param& param = about.params[static_cast<std::size_t>(buffer)];
    s = {static_cast<std::int8_t>(buffer), param.count_param, param.type_param};
    return s;
  };
  p.root = static_cast<std::int8_t>(about.first(Kind::root, Dir::in));
  p.makes_window = about.first(Kind::win, Dir::out) >= 0;
  p.makes_file = about.first(Kind::file, Dir::out) >= 0;
  if (about.base == Proc::comm_create) p.group = static_cast<std::int8_t>(about.param(Arg::group));
  if (about.family == Family::collective || about.family == Family::neighbour) {
    p.op = static_cast<std::int8_t>(about.first(Kind::op, Dir::in));
    p.send =
        side(about.param(Arg::sendbuf) >= 0 ? about.param(Arg::sendbuf) : about.param(Arg::buffer));
    if (p.op < 0) p.recv = side(about.param(Arg::recvbuf));
  }
  return p;
}

Waves::Waves(World& world) : world_(world), memory_(std::make_unique<Memory>()) {}

Waves::~Waves() = default;

// Who calls
// ---------------------------------------------------------------------------------------------------------------
void Waves::not_compared(const Call& call, const char* why) {
  const Family family = call.info().family;
  if (family != Family::collective && family != Family::neighbour) return;
  for (MatchObserver* o : observers_) o->on_not_compared(call.site(), why);
}

Waves::Door* Waves::comm_door(Process& process, std::uint64_t raw, const Call& call) {
  const Communicator* c = process.comms.find(raw);
  if (c == nullptr || c->rank < 0) return nullptr;
  Local& mine = locals_[process];
  const auto found = mine.comms.find(raw);
  if (found != mine.comms.end() && found->second.generation == c->generation) return &found->second;
  if (!c->inter() && c->size == 1) return nullptr;  // nobody to disagree with
  if (const Hidden why = hidden(world_, process, *c); why != Hidden::no) {
    not_compared(call, reason(why));
    return nullptr;
  }
  if (c->id == 0 || c->members == nullptr) {
    not_compared(call, "its members are not known");
    return nullptr;
  }
  // Communicators that one call made may have one id; their members tell them apart.
  const std::uint64_t key = c->inter() ? c->id : mix(c->id, c->members->hash);
  std::unique_ptr<Assembly>& assembly = assemblies_[key];
  if (assembly == nullptr) {
    assembly = std::make_unique<Assembly>();
    assembly->id = c->id;
    assembly->key = key;
    assembly->constant = c->constant;
    assembly->made = c->made;
    assembly->inter = c->inter();
    assembly->total = c->size + std::max(c->remote_size, 0);
    assembly->dims = c->dims;
    assembly->periods = c->periods;
    assembly->topology = c->topology;
    assembly->graph = c->graph;
  }
  // A part of another agent may have made it: what only members know is new.
  if (assembly->here == 0 && world_.apart(*c) && home_) {
    for (const int rank : c->members->list()) assembly->here += world_.here(WorldRank{rank});
    assembly->home = home_(*c->members);
    assembly->made = c->made;
    assembly->graph = c->graph;
    if (world_.own() == assembly->home) assembly->home = -1;
  }
  if (c->poisoned)
    assembly->doubtful_ = true;  // what its members think of it follows from a finding
  Door door;
  door.assembly = assembly.get();
  door.generation = c->generation;
  door.me = c->rank;
  const Members** groups = assembly->groups;
  if (groups[0] == nullptr) groups[0] = c->members;
  if (groups[0] != c->members) {
    door.side = 1;
    groups[1] = c->members;
  }
  return &(mine.comms[raw] = door);
}

Waves::Door* Waves::door(Process& process, const Plan& p, std::uint64_t raw, const Call& call) {
  if (p.kind == Kind::comm) return comm_door(process, raw, call);
  Local& mine = locals_[process];
  auto& table = p.kind == Kind::win ? mine.windows : mine.files;
  const auto found = table.find(raw);
  return found == table.end() ? nullptr : &found->second;
}

// The process has freed it. Until then it may still call collectives, in the callbacks of its
// attributes (MPI-4.1 7.7.2).
void Waves::close(Process& process, const Call& call, const Plan& p, Assembly& assembly) {
  Local& mine = locals_[process];
  auto& doors = p.kind == Kind::comm ? mine.comms : p.kind == Kind::win ? mine.windows : mine.files;
  const auto at = doors.find(call.enter().handle(p.object));
  // Another thread may have got the handle for a new object meanwhile.
  std::uint64_t joined = ~std::uint64_t{0};
  if (at != doors.end() && at->second.assembly == &assembly) {
    joined = at->second.next;
    doors.erase(at);
  }
  assembly.freed.push_back(
      {{static_cast<std::uint32_t>(process.index), process.rank, -1, call.seq(), call.site()},
       joined});
  assembly.least_joined_ = std::min(assembly.least_joined_, joined);
  const std::uint64_t key = assembly.key;
  told(assembly);
  const auto still = assemblies_.find(key);
  if (still != assemblies_.end() && all_closed(*still->second)) assemblies_.erase(still);
}

// Members that will not join its first open wave, having freed it before.
int Waves::gone(const Assembly& a) {
  if (away(a) || a.here > 0 || a.first_ < a.least_joined_) return 0;
  return static_cast<int>(std::count_if(a.freed.begin(), a.freed.end(),
                                        [&](const auto& f) { return f.joined <= a.first_; }));
}

// All members of ours have freed it, and nothing of it is open.
bool Waves::all_closed(const Assembly& a) {
  return static_cast<int>(a.freed.size()) >= (a.here > 0 ? a.here : a.total) && a.waves_.empty();
}

// What it says
// --------------------------------------------------------------------------------------------------------------
Payload Waves::block(const Process& process, std::int64_t count, std::uint64_t type) {
  Payload b;
  if (count == 0) {
    b.type = empty_signature();
    return b;
  }
  const Datatype* t = count < 0 ? nullptr : process.datatypes.find(type);
  if (t == nullptr || !t->known()) return b;
  b.count = static_cast<std::uint64_t>(count);
  b.type = t->type->signature;
  b.digest = memory_->digest(b.type, b.count);
  return b;
}

void Waves::fill(const Process& process, const Event& enter, const ProcInfo& about,
                 const Side& side, bool significant, Portion& portion) {
  portion.what = Portion::What::none;
  portion.per_peer = false;
  portion.known = true;
  portion.hash = 0;
  portion.blocks.clear();
  if (!significant || side.buffer < 0 || side.count < 0 || side.type < 0) return;
  portion.what = Portion::What::data;
  const bool counts = about.params[static_cast<std::size_t>(side.count)].is_array();
  const bool types = about.params[static_cast<std::size_t>(side.type)].is_array();
  const auto add = [&](std::int64_t count, std::uint64_t type) {
    portion.blocks.push_back(block(process, count, type));
    portion.known = portion.known && portion.blocks.back().known();
    portion.hash = mix(portion.hash, hash_of(portion.blocks.back().digest));
  };
  if (!counts) return add(enter.value(side.count), enter.handle(side.type));
  portion.per_peer = true;
  const ArrayView n = enter.array(side.count);
  const ArrayView t = types ? enter.array(side.type) : ArrayView();
  if (types && t.size() != n.size()) {
    portion.known = false;
    return;
  }
  const std::uint64_t one = types ? 0 : enter.handle(side.type);
  for (std::uint64_t i = 0; i < n.size(); ++i)
    add(n[i], types ? static_cast<std::uint64_t>(t[i]) : one);
}

void Waves::say(const Process& process, const Call& call, const Plan& p, const Door& door) {
  Said& s = said_;
  const Event enter = call.enter();
  const ProcInfo& about = call.info();
  const bool inter = door.assembly->inter;
  s.proc = call.proc();
  s.side = door.side;
  s.rooted = p.root >= 0;
  s.root = s.rooted ? enter.value(p.root) : 0;
  s.at_root = s.rooted && s.root == (inter ? wire::kRoot : door.me);
  const auto significant = [&](int param) {
    switch (about.params[static_cast<std::size_t>(param)].significant) {
      case Significant::root:
        return s.at_root;
      case Significant::leaf:
        return !inter || !s.rooted || s.root >= 0;
      case Significant::both:
        return s.root != wire::kProcNull;
      default:
        return true;
    }
  };
  s.reduces = p.op >= 0 && significant(p.op);
  s.op = s.reduces ? process.constant_of(Kind::op, enter.handle(p.op)) : Constant::none;
  s.in_place = false;
  for (const Side* side : {&p.send, &p.recv}) {
    if (side->buffer >= 0 && significant(side->buffer) &&
        enter.address(side->buffer) == wire::kInPlace)
      s.in_place = true;
  }
  // A reduction in place still tells its count and type; other calls do not.
  const auto portion = [&](const Side& side, Portion& to) {
    const bool told =
        side.buffer >= 0 && side.count >= 0 && significant(p.op >= 0 ? side.count : side.buffer);
    const bool here = told && p.op < 0 && enter.address(side.buffer) == wire::kInPlace;
    fill(process, enter, about, side, told && !here, to);
    if (here) to.what = Portion::What::in_place;
  };
  portion(p.send, s.send);
  portion(p.recv, s.recv);
  s.group = nullptr;
  if (p.group >= 0) {
    const Group* g = process.groups.find(enter.handle(p.group));
    if (g != nullptr) s.group = g->members;
  }
  s.args.clear();
  for (const int param : info(s.proc).agree) {
    const Param& about_param = about.params[static_cast<std::size_t>(param)];
    std::vector<std::int64_t>& list = s.args.emplace_back();
    const auto add = [&](std::int64_t v) {
      list.push_back(is_truth(about_param.kind) ? v != 0 : v);
    };
    if (!about_param.is_array()) {
      add(enter.value(param));
      continue;
    }
    const ArrayView values = enter.array(param);
    for (std::uint64_t i = 0; i < values.size(); ++i) add(values[i]);
  }
  if (s.proc == Proc::file_set_view) {  // the etype's extent must be the same, not the etype
    const Datatype* etype = process.datatypes.find(enter.handle(about.param(Arg::etype)));
    s.args.emplace_back();
    if (etype != nullptr && etype->known()) s.args.back().push_back(etype->extent());
  }
  std::uint64_t h = static_cast<std::uint64_t>(s.proc);
  h = mix(h, static_cast<std::uint64_t>(s.root));
  h = mix(h, static_cast<std::uint64_t>(s.op) * 8 + static_cast<std::uint64_t>(s.side) * 4 +
                 s.at_root * 2 + s.in_place);
  h = mix(mix(h, s.send.hash), s.recv.hash);
  for (const auto& list : s.args) {
    for (const std::int64_t v : list) h = mix(h, static_cast<std::uint64_t>(v));
  }
  s.hash = h;
}

// Events
// --------------------------------------------------------------------------------------------------------------------
bool Waves::enter(Process& process, Call& call) {
  const Plan& p = plan(call.proc());
  if (joined_) rejoin();
  const std::uint64_t raw = call.enter().handle(p.object);
  Door* at = door(process, p, raw, call);
  if (at == nullptr) return false;
  say(process, call, p, *at);
  Assembly& assembly = *at->assembly;
  const std::uint64_t index = at->next++;
  if (index < assembly.first_) {  // its MPI_Comm_free failed: nobody knows where it stands
    assembly.trusted_ = 0;
    return false;
  }
  Local& mine = locals_[process];
  mine.open.push_back({call.seq(), assembly.key, index});
  add(assembly, index, said_,
      {static_cast<std::uint32_t>(process.index), process.rank, at->me, call.seq(), call.site()},
      call.poisoned);
  return true;
}

void Waves::leave(Process& process, Call& call, const Event& leave) {
  const Plan& p = plan(call.proc());
  if (p.joins) joined_ = true;
  Local& mine = locals_[process];
  const auto found = std::find_if(mine.open.rbegin(), mine.open.rend(),
                                  [&](const Open& o) { return o.seq == call.seq(); });
  if (found == mine.open.rend()) return;
  const Open open = *found;
  mine.open.erase(std::next(found).base());
  const auto at = assemblies_.find(open.key);
  if (at == assemblies_.end()) return;
  Assembly& assembly = *at->second;
  if (leave.error_class() != 0) {
    // Files report what is expected to fail, and to all members alike.
    if (call.info().family != Family::io)
      assembly.trusted_ = std::min(assembly.trusted_, open.index);
    return;
  }
  if (call.info().has(kDestructor)) return close(process, call, p, assembly);
  if (!p.makes_window && !p.makes_file) return;
  if (!leave.has_words()) return;
  const Kind kind = p.makes_window ? Kind::win : Kind::file;
  const auto raw = static_cast<std::uint64_t>(leave.result(call.info().first(kind, Dir::out)));
  const std::uint64_t key = mix(mix(assembly.key, open.index), static_cast<std::uint64_t>(kind));
  const auto member = mine.comms.find(call.enter().handle(p.object));
  if (member == mine.comms.end()) return;
  std::unique_ptr<Assembly>& made = assemblies_[key];
  if (made == nullptr) {
    made = std::make_unique<Assembly>();
    made->id = assembly.id;
    made->key = key;
    made->kind = kind;
    made->made = call.site();
    made->total = assembly.total;
    made->groups[0] = assembly.groups[0];
    made->home = assembly.home;
    made->here = assembly.here;
  }
  Door door = member->second;
  door.assembly = made.get();
  door.next = 0;
  (kind == Kind::win ? mine.windows : mine.files)[raw] = door;
}

void Waves::add(Assembly& assembly, std::uint64_t index, const Said& said, const Attendee& attendee,
                bool poisoned) {
  if (assembly.abandoned_) return;
  if (index - assembly.first_ >= kInFlight) {
    // Some of its members are not known as such, or will never come.
    assembly.abandoned_ = true;
    in_flight_ -= assembly.waves_.size();
    assembly.waves_.clear();
    for (MatchObserver* o : observers_)
      o->on_not_compared(attendee.site, "too many calls that others have not joined");
    return;
  }
  while (index - assembly.first_ >= assembly.waves_.size()) {
    std::unique_ptr<Wave> wave;
    if (spare_.empty()) {
      wave = std::make_unique<Wave>();
    } else {
      wave = std::move(spare_.back());
      spare_.pop_back();
    }
    wave->assembly = &assembly;
    wave->all = this;
    wave->index = assembly.first_ + assembly.waves_.size();
    assembly.waves_.push_back(std::move(wave));
    ++in_flight_;
  }
  Wave& wave = *assembly.waves_[index - assembly.first_];
  wave.poisoned = wave.poisoned || poisoned;
  ++wave.arrived;
  auto of = std::find_if(wave.classes.begin(), wave.classes.end(),
                         [&](const Wave::Class& c) { return c.said.same(said); });
  if (of == wave.classes.end()) {
    if (spare_classes_.empty()) {
      wave.classes.push_back({said, {}});
    } else {
      wave.classes.push_back(std::move(spare_classes_.back()));
      spare_classes_.pop_back();
      wave.classes.back().said = said;
    }
    of = std::prev(wave.classes.end());
  }
  of->members.push_back(attendee);
  told(assembly);
}

void Waves::told(Assembly& assembly) {
  bool freed = false;
  const int enough = away(assembly) ? assembly.here : assembly.total;
  while (!assembly.waves_.empty() && assembly.waves_.front()->arrived + gone(assembly) >= enough) {
    std::unique_ptr<Wave> wave = std::move(assembly.waves_.front());
    assembly.waves_.pop_front();
    ++assembly.first_;
    --in_flight_;
    wave->complete = wave->arrived >= enough;
    freed = std::all_of(wave->classes.begin(), wave->classes.end(),
                        [](const Wave::Class& c) { return info(c.said.proc).has(kDestructor); });
    away(assembly) ? send(*wave) : tell(*wave);
    give_back(std::move(wave));
  }
  // Of one with members elsewhere, the last to free it may be one of them.
  const bool theirs = !away(assembly) && assembly.here > 0 && assembly.here < assembly.total;
  if (freed && theirs && static_cast<int>(assembly.freed.size()) >= assembly.here &&
      assembly.waves_.empty())
    assemblies_.erase(assembly.key);
}

// It keeps its memory.
void Waves::give_back(std::unique_ptr<Wave> wave) {
  constexpr std::size_t kSpare = 1024;
  if (spare_.size() >= kSpare) return;
  for (Wave::Class& c : wave->classes) {
    if (spare_classes_.size() >= kSpare) break;
    c.members.clear();
    spare_classes_.push_back(std::move(c));
  }
  Wave next;
  next.classes = std::move(wave->classes);
  next.classes.clear();
  *wave = std::move(next);
  spare_.push_back(std::move(wave));
}

void Waves::tell(Wave& wave) {
  if (wave.told) return;
  wave.told = true;
  wave.doubtful = wave.doubtful || wave.assembly->doubtful_ || wave.index > wave.assembly->trusted_;
  for (Wave::Class& c : wave.classes) {
    std::sort(c.members.begin(), c.members.end(),
              [](const Attendee& a, const Attendee& b) { return a.rank < b.rank; });
    for (const Attendee& a : c.members)
      wave.doubtful = wave.doubtful || world_.process(a.process).lossy;
  }
  std::sort(wave.classes.begin(), wave.classes.end(),
            [](const Wave::Class& a, const Wave::Class& b) {
              if (a.members.size() != b.members.size()) return a.members.size() < b.members.size();
              return a.members[0].rank < b.members[0].rank;
            });
  for (MatchObserver* o : observers_) o->on_wave(wave);
}

void Waves::send(Wave& wave) {
  if (std::exchange(wave.sent, true)) return;
  wave.doubtful = wave.assembly->doubtful_ || wave.index > wave.assembly->trusted_;
  for (const Wave::Class& c : wave.classes) {
    for (const Attendee& a : c.members)
      wave.doubtful = wave.doubtful || world_.process(a.process).lossy;
  }
  remote_->part(wave.assembly->home, wave);
}

void Waves::send_open(const std::vector<int>* ranks) {
  for (const auto& [key, a] : assemblies_) {
    if (!away(*a)) continue;
    for (const auto& wave : a->waves_) {
      if (ranks == nullptr || attended_by(*wave, *ranks)) send(*wave);
    }
  }
}

void Waves::take(const Assembly& like, std::uint64_t index, bool poisoned, bool doubtful,
                 std::vector<Wave::Class> classes) {
  std::unique_ptr<Assembly>& assembly = assemblies_[like.key];
  if (assembly == nullptr) {
    assembly = std::make_unique<Assembly>();
    assembly->id = like.id;
    assembly->key = like.key;
    assembly->kind = like.kind;
    assembly->constant = like.constant;
    assembly->made = like.made;
    assembly->groups[0] = like.groups[0];
    assembly->total = like.total;
    assembly->topology = like.topology;
    assembly->dims = like.dims;
    assembly->periods = like.periods;
  }
  Assembly& at = *assembly;
  if (index < at.first_) return;
  if (doubtful) at.trusted_ = index == 0 ? 0 : std::min(at.trusted_, index - 1);
  if (doubtful && index == 0) at.doubtful_ = true;
  for (Wave::Class& c : classes) {
    for (const Attendee& a : c.members) {
      const auto still = assemblies_.find(like.key);
      if (still == assemblies_.end()) return;
      add(at, index, c.said, a, poisoned);
    }
  }
}

// Some groups have learnt which inter-communicator they belong to.
void Waves::rejoin() {
  joined_ = false;
  std::vector<Assembly*> old;
  for (const auto& [key, a] : assemblies_) {
    if (a->kind == Kind::comm && world_.inter_id(a->id) != a->id) old.push_back(a.get());
  }
  for (Assembly* from : old) {
    const std::uint64_t id = world_.inter_id(from->id);
    const std::uint64_t key = from->inter ? id : mix(id, from->groups[0]->hash);
    const std::unique_ptr<Assembly> half = std::move(assemblies_[from->key]);
    assemblies_.erase(from->key);
    std::unique_ptr<Assembly>& whole = assemblies_[key];
    if (whole == nullptr) {
      whole = std::make_unique<Assembly>();
      whole->id = id;
      whole->key = key;
      whole->made = half->made;
      whole->inter = half->inter;
      whole->total = half->total;
      whole->dims = half->dims;
      whole->periods = half->periods;
      whole->topology = half->topology;
      whole->graph = half->graph;
    }
    std::int8_t side[2] = {0, 0};
    for (int i = 0; i < 2; ++i) {
      const Members* group = half->groups[i];
      if (group == nullptr) continue;
      if (whole->groups[0] == nullptr) whole->groups[0] = group;
      if (whole->groups[0] == group) continue;
      side[i] = 1;
      whole->groups[1] = group;
    }
    whole->freed.insert(whole->freed.end(), half->freed.begin(), half->freed.end());
    whole->least_joined_ = std::min(whole->least_joined_, half->least_joined_);
    whole->doubtful_ = whole->doubtful_ || half->doubtful_;
    whole->abandoned_ = whole->abandoned_ || half->abandoned_;
    whole->trusted_ = std::min(whole->trusted_, half->trusted_);
    locals_.for_each([&](std::size_t, Local& local) {
      for (Open& o : local.open) {
        if (o.key == from->key) o.key = key;
      }
      for (auto& [raw, door] : local.comms) {
        if (door.assembly != from) continue;
        door.assembly = whole.get();
        door.side = side[door.side];
      }
    });
    Assembly& into = *whole;
    for (const auto& wave : half->waves_) {
      --in_flight_;
      for (Wave::Class& c : wave->classes) {
        c.said.side = side[c.said.side];
        for (const Attendee& a : c.members) add(into, wave->index, c.said, a, wave->poisoned);
      }
    }
  }
}

void Waves::finish() {
  if (joined_) rejoin();
  tell_open(nullptr);
}

void Waves::tell_waiting(const std::vector<int>& ranks) {
  if (joined_) rejoin();
  tell_open(&ranks);
}

// In an order that does not depend on who came first.
void Waves::tell_open(const std::vector<int>* ranks) {
  std::vector<Assembly*> all;
  for (const auto& [key, a] : assemblies_) {
    if (!a->waves_.empty()) all.push_back(a.get());
  }
  const auto lowest = [](const Assembly* a) {
    WorldRank rank{INT32_MAX};
    for (const Wave::Class& c : a->waves_.front()->classes) {
      for (const Attendee& m : c.members) rank = std::min(rank, m.rank);
    }
    return rank;
  };
  std::sort(all.begin(), all.end(), [&](const Assembly* a, const Assembly* b) {
    return a->id != b->id ? a->id < b->id : lowest(a) < lowest(b);
  });
  for (Assembly* a : all) {
    for (const auto& wave : a->waves_) {
      if (!away(*a) && (ranks == nullptr || attended_by(*wave, *ranks))) tell(*wave);
    }
  }
}

void Waves::for_each_open(const std::function<void(const Wave&)>& f) const {
  for (const auto& [key, a] : assemblies_) {
    for (const auto& wave : a->waves_) {
      if (!away(*a) && !wave->classes.empty()) f(*wave);
    }
  }
}

}  // namespace vouch
