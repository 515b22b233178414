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

// The table ------------------------------------------------
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
  const auto at = [&](int param) -> const Param& {
    return about.params[static_cast<std::size_t>(param)];
  };
  const auto word = [&](int param) {
    if (param < 0) return std::int8_t{-1};
    return static_cast<std::int8_t>(at(param).enter_word +
                                    (at(param).shape == Shape::pointer_inout));
  };
  const auto side = [&](int buffer) {
    Side s;
    if (buffer < 0) return s;
    s.buffer = static_cast<std::int8_t>(buffer);
    s.count = at(buffer).count_param;
    s.type = at(buffer).type_param;
    s.buffer_word = at(buffer).enter_word;
    s.count_word = word(s.count);
    s.type_word = word(s.type);
    s.buffer_matters = at(buffer).significant;
    if (s.count >= 0) {
      s.counts = at(s.count).is_array();
      s.count_matters = at(s.count).significant;
    }
    s.types = s.type >= 0 && at(s.type).is_array();
    return s;
  };
  p.object_word = word(p.object);
  p.root = static_cast<std::int8_t>(about.first(Kind::root, Dir::in));
  p.root_word = word(p.root);
  p.makes_window = about.first(Kind::win, Dir::out) >= 0;
  p.makes_file = about.first(Kind::file, Dir::out) >= 0;
  p.leaves = p.makes_window || p.makes_file || about.has(kDestructor);
  if (about.base == Proc::comm_create) p.group = static_cast<std::int8_t>(about.param(Arg::group));
  if (about.family == Family::collective || about.family == Family::neighbour) {
    p.op = static_cast<std::int8_t>(about.first(Kind::op, Dir::in));
    p.op_word = word(p.op);
    if (p.op >= 0) p.op_matters = at(p.op).significant;
    p.send =
        side(about.param(Arg::sendbuf) >= 0 ? about.param(Arg::sendbuf) : about.param(Arg::buffer));
    if (p.op < 0) p.recv = side(about.param(Arg::recvbuf));
  }
  return p;
}

Waves::Waves(World& world) : world_(world), memory_(std::make_unique<Memory>()) {}

Waves::~Waves() = default;

// Who calls ------------------------------------------------
void Waves::not_compared(const Call& call, const char* why) {
  const Family family = call.info().family;
  if (family != Family::collective && family != Family::neighbour) return;
  for (MatchObserver* o : observers_) o->on_not_compared(call.site(), why);
}

Waves::Door* Waves::comm_door(Process& process, Local& mine, std::uint64_t raw, const Call& call) {
  auto& latest = mine.latest;
  if (latest.door != nullptr && latest.raw == raw && latest.changes == process.changes) [[likely]]
    return latest.door;
  const Communicator* c = process.comms.find(raw);
  if (c == nullptr || c->rank < 0) return nullptr;
  const auto found = mine.comms.find(raw);
  Door* door = found != mine.comms.end() && found->second.generation == c->generation
                   ? &found->second
                   : open_door(process, mine, *c, call);
  latest = {raw, process.changes, door};
  return door;
}

Waves::Door* Waves::open_door(Process& process, Local& mine, const Communicator& c,
                              const Call& call) {
  if (!c.inter() && c.size == 1) return nullptr;  // nobody to disagree with
  if (const Hidden why = hidden(world_, process, c); why != Hidden::no) {
    not_compared(call, reason(why));
    return nullptr;
  }
  if (c.id == 0 || c.members == nullptr) {
    not_compared(call, "its members are not known");
    return nullptr;
  }
  // Communicators that one call made may have one id; their members tell them apart.
  const std::uint64_t key = c.inter() ? c.id : mix(c.id, c.members->hash);
  std::unique_ptr<Assembly>& assembly = assemblies_[key];
  if (assembly == nullptr) {
    assembly = std::make_unique<Assembly>();
    assembly->id = c.id;
    assembly->key = key;
    assembly->constant = c.constant;
    assembly->made = c.made;
    assembly->inter = c.inter();
    assembly->total = c.size + std::max(c.remote_size, 0);
    assembly->dims = c.dims;
    assembly->periods = c.periods;
    assembly->topology = c.topology;
    assembly->graph = c.graph;
  }
  // A part of another agent may have made it: what only members know is new.
  if (assembly->here == 0 && world_.apart(c) && home_) {
    for (const int rank : c.members->list()) assembly->here += world_.here(WorldRank{rank});
    assembly->home = home_(*c.members);
    assembly->made = c.made;
    assembly->graph = c.graph;
    if (world_.own() == assembly->home) assembly->home = -1;
  }
  if (c.poisoned)
    assembly->doubtful_ = true;  // what its members think of it follows from a finding
  Door door;
  door.assembly = assembly.get();
  door.generation = c.generation;
  door.me = c.rank;
  const Members** groups = assembly->groups;
  if (groups[0] == nullptr) groups[0] = c.members;
  if (groups[0] != c.members) {
    door.side = 1;
    groups[1] = c.members;
  }
  return &(mine.comms[c.raw] = door);
}

Waves::Door* Waves::door(Process& process, Local& mine, const Plan& p, std::uint64_t raw,
                         const Call& call) {
  if (p.kind == Kind::comm) return comm_door(process, mine, raw, call);
  auto& table = p.kind == Kind::win ? mine.windows : mine.files;
  const auto found = table.find(raw);
  return found == table.end() ? nullptr : &found->second;
}

// The process has freed it. Until then it may still call collectives, in the callbacks of its
// attributes (MPI-4.1 7.7.2).
void Waves::close(Process& process, const Call& call, const Plan& p, Assembly& assembly) {
  Local& mine = locals_[process];
  mine.latest = {};
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

// What it says ------------------------------------------------
void Waves::fill(Payload& b, const Process& process, std::int64_t count, std::uint64_t type) {
  const Datatype* t = count <= 0 ? nullptr : process.datatypes.find(type);
  if (t != nullptr && t->known()) {
    b.count = static_cast<std::uint64_t>(count);
    if (b.type != t->type->signature) b.type = t->type->signature;
    b.digest = memory_->digest(b.type, b.count);
    return;
  }
  b = {};
  if (count == 0) b.type = empty_signature();
}

void Waves::fill(const Process& process, const Event& enter, const Side& side, bool significant,
                 Portion& portion) {
  portion.what = Portion::What::none;
  portion.per_peer = false;
  portion.known = true;
  portion.hash = 0;
  if (!significant || !side.counted()) return portion.blocks.clear();
  portion.what = Portion::What::data;
  std::size_t n = 0;
  const auto add = [&](std::int64_t count, std::uint64_t type) {
    Payload& b = portion.blocks[n++];
    fill(b, process, count, type);
    portion.known = portion.known && b.known();
    portion.hash = mix(portion.hash, hash_of(b.digest));
  };
  if (!side.counts) {
    portion.blocks.resize(1);
    return add(static_cast<std::int64_t>(enter.word(side.count_word)), enter.word(side.type_word));
  }
  portion.per_peer = true;
  const ArrayView counts = enter.array(side.count);
  const ArrayView types = side.types ? enter.array(side.type) : ArrayView();
  if (side.types && types.size() != counts.size()) {
    portion.known = false;
    return portion.blocks.clear();
  }
  portion.blocks.resize(counts.size());
  const std::uint64_t one = side.types ? 0 : enter.word(side.type_word);
  for (std::uint64_t i = 0; i < counts.size(); ++i)
    add(counts[i], side.types ? static_cast<std::uint64_t>(types[i]) : one);
}

// Most calls say what the last one at their place said.
const Said& Waves::said_by(const Process& process, const Call& call, const Plan& p,
                           const Door& door, Local& mine) {
  const std::uint32_t site = call.enter().header().site;
  if (site >= kPlaces) {
    say(process, call, p, door, said_);
    return said_;
  }
  if (site >= mine.places.size()) [[unlikely]]
    mine.places.resize(site + 1);
  Local::Place& place = mine.places[site];
  // The side of a process in an inter-communicator may become another one (rejoin).
  if (call.repeated && place.proc == call.proc() && !door.assembly->inter) return place.said;
  say(process, call, p, door, place.said);
  place.proc = call.proc();
  return place.said;
}

void Waves::say(const Process& process, const Call& call, const Plan& p, const Door& door,
                Said& s) {
  const Event enter = call.enter();
  const bool inter = door.assembly->inter;
  s.proc = call.proc();
  s.side = door.side;
  s.rooted = p.root >= 0;
  s.root = s.rooted ? static_cast<std::int64_t>(enter.word(p.root_word)) : 0;
  s.at_root = s.rooted && s.root == (inter ? wire::kRoot : door.me);
  const auto significant = [&](Significant who) {
    switch (who) {
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
  s.reduces = p.op >= 0 && significant(p.op_matters);
  s.op = s.reduces ? process.constant_of(Kind::op, enter.word(p.op_word)) : Constant::none;
  s.in_place = false;
  // A reduction in place still tells its count and type; other calls do not.
  const auto portion = [&](const Side& side, Portion& to) {
    const bool in_place = side.there() && enter.word(side.buffer_word) == wire::kInPlace;
    s.in_place = s.in_place || (in_place && significant(side.buffer_matters));
    const bool told = side.there() && side.count >= 0 &&
                      significant(p.op >= 0 ? side.count_matters : side.buffer_matters);
    const bool here = told && p.op < 0 && in_place;
    fill(process, enter, side, told && !here, to);
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
  if (!info(s.proc).agree.empty() || s.proc == Proc::file_set_view) add_args(process, call, s);
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

void Waves::add_args(const Process& process, const Call& call, Said& s) {
  const Event enter = call.enter();
  const ProcInfo& about = call.info();
  for (const int param : about.agree) {
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
  if (s.proc != Proc::file_set_view) return;
  // The etype's extent must be the same, not the etype.
  const Datatype* etype = process.datatypes.find(enter.handle(about.param(Arg::etype)));
  s.args.emplace_back();
  if (etype != nullptr && etype->known()) s.args.back().push_back(etype->extent());
}

// Events ------------------------------------------------
bool Waves::enter(Process& process, Call& call) {
  const Plan& p = plan(call.proc());
  if (joined_) rejoin();
  const std::uint64_t raw = call.enter().word(p.object_word);
  Local& mine = locals_[process];
  Door* at = door(process, mine, p, raw, call);
  if (at == nullptr) return false;
  const Said& said = said_by(process, call, p, *at, mine);
  Assembly& assembly = *at->assembly;
  const std::uint64_t index = at->next++;
  if (index < assembly.first_) {  // its MPI_Comm_free failed: nobody knows where it stands
    assembly.trusted_ = 0;
    return false;
  }
  mine.open.push_back({call.seq(), assembly.key, index});
  add(assembly, index, said,
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
  if (leave.error_class() == 0 && !p.leaves) return;
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
      wave.classes.emplace_back();
    } else {
      wave.classes.push_back(std::move(spare_classes_.back()));
      spare_classes_.pop_back();
    }
    wave.classes.back().said = said;
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
  wave->classes.clear();
  wave->arrived = 0;
  wave->poisoned = wave->doubtful = wave->sent = wave->complete = wave->told = false;
  spare_.push_back(std::move(wave));
}

void Waves::tell(Wave& wave) {
  if (wave.told) return;
  wave.told = true;
  wave.doubtful = wave.doubtful || wave.assembly->doubtful_ || wave.index > wave.assembly->trusted_;
  for (Wave::Class& c : wave.classes) {
    const auto lower = [](const Attendee& a, const Attendee& b) { return a.rank < b.rank; };
    if (!std::is_sorted(c.members.begin(), c.members.end(), lower))
      std::sort(c.members.begin(), c.members.end(), lower);
    for (const Attendee& a : c.members)
      wave.doubtful = wave.doubtful || world_.process(a.process).lossy;
  }
  if (wave.classes.size() > 1) sort_classes(wave);
  for (MatchObserver* o : observers_) o->on_wave(wave);
}

void Waves::sort_classes(Wave& wave) {
  std::sort(wave.classes.begin(), wave.classes.end(),
            [](const Wave::Class& a, const Wave::Class& b) {
              if (a.members.size() != b.members.size()) return a.members.size() < b.members.size();
              return a.members[0].rank < b.members[0].rank;
            });
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
