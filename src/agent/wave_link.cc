#include "agent/wave_link.h"

#include <utility>

#include "agent/group_codec.h"

namespace vouch {
namespace {

constexpr std::size_t kMostBlocks = 4096;  // of all classes in one part

void write_list(ByteWriter& out, const std::vector<std::int64_t>& list) {
  out.number(list.size());
  for (const std::int64_t v : list) out.integer(v);
}

std::vector<std::int64_t> read_list(ByteReader& in) {
  std::vector<std::int64_t> list(in.count());
  for (std::int64_t& v : list) v = in.integer();
  return list;
}

Kind read_kind(ByteReader& in) {
  return static_cast<Kind>(in.byte_below(static_cast<std::uint8_t>(Kind::count_)));
}

Constant read_constant(ByteReader& in) {
  const std::uint64_t v = in.number();
  if (v >= static_cast<std::uint64_t>(Constant::count_)) in.fail();
  return in.ok() ? static_cast<Constant>(v) : Constant::none;
}

}  // namespace

void WaveLink::part(int home, const Wave& wave) {
  std::size_t blocks = 0;
  for (const Wave::Class& c : wave.classes)
    blocks += c.said.send.blocks.size() + c.said.recv.blocks.size();
  const bool fits = blocks <= kMostBlocks;
  unsent_ += !fits;

  // Places and types first: they are packets of their own.
  std::string bytes;
  ByteWriter out(bytes);
  write_assembly(out, home, *wave.assembly);
  out.number(wave.index);
  out.flag(wave.poisoned);
  out.flag(wave.doubtful);
  out.number(wave.classes.size());
  for (const Wave::Class& c : wave.classes) write_class(out, home, c, fits);
  const std::vector<std::uint64_t> moments = facts_.clocks().apart().give(home, wave);
  out.number(moments.size());
  for (const std::uint64_t number : moments) out.number(number);
  wire_.send(home, net::Lane::regular, Packet::part, bytes);
}

void WaveLink::write_assembly(ByteWriter& out, int home, const Assembly& a) {
  out.number(a.id);
  out.number(a.key);
  out.byte(static_cast<std::uint8_t>(a.kind));
  out.number(static_cast<std::uint64_t>(a.constant));
  out.number(places_.number(home, a.made));
  write(out, *a.groups[0]);
  out.integer(a.total);
  out.byte(static_cast<std::uint8_t>(a.topology));
  write_list(out, a.dims);
  out.number(a.periods.size());
  for (const bool p : a.periods) out.flag(p);
}

// `fits`: its blocks of data go with it.
void WaveLink::write_class(ByteWriter& out, int home, const Wave::Class& c, bool fits) {
  const auto portion = [&](const Portion& p) {
    out.byte(static_cast<std::uint8_t>(p.what));
    out.flag(p.per_peer);
    out.flag(p.known && fits);
    out.number(p.hash);
    out.number(fits ? p.blocks.size() : 0);
    for (std::size_t i = 0; fits && i < p.blocks.size(); ++i) {
      out.number(p.blocks[i].count);
      out.number(p.blocks[i].known() ? types_.number(home, p.blocks[i].type) : 0);
    }
  };
  const Said& s = c.said;
  out.number(static_cast<std::uint64_t>(s.proc));
  out.byte(static_cast<std::uint8_t>((s.rooted ? 1 : 0) | (s.at_root ? 2 : 0) |
                                     (s.reduces ? 4 : 0) | (s.in_place ? 8 : 0) |
                                     (s.group != nullptr ? 16 : 0)));
  out.integer(s.root);
  out.number(static_cast<std::uint64_t>(s.op));
  out.number(s.hash);
  portion(s.send);
  portion(s.recv);
  if (s.group != nullptr) write(out, *s.group);
  out.number(s.args.size());
  for (const auto& list : s.args) write_list(out, list);
  out.number(c.members.size());
  for (const Attendee& m : c.members) {
    out.integer(m.rank.value);
    out.integer(m.me);
    out.number(m.seq);
    out.number(places_.number(home, m.site));
  }
}

Assembly WaveLink::read_assembly(ByteReader& in, int from) {
  Assembly like;
  like.id = in.number();
  like.key = in.number();
  like.kind = read_kind(in);
  like.constant = read_constant(in);
  like.made = places_.site(from, static_cast<std::uint32_t>(in.number()));
  like.groups[0] = read_members(in, world_);
  like.total = in.integer<int>();
  like.topology = static_cast<Topology>(in.byte_below(4));
  like.dims = read_list(in);
  like.periods.resize(in.count());
  for (std::size_t i = 0; i < like.periods.size(); ++i) like.periods[i] = in.flag();
  return like;
}

void WaveLink::read_portion(ByteReader& in, int from, Portion& p) {
  p.what = static_cast<Portion::What>(in.byte_below(3));
  p.per_peer = in.flag();
  p.known = in.flag();
  p.hash = in.number();
  p.blocks.resize(in.count(2));
  for (Payload& b : p.blocks) {
    b.count = in.number();
    const TypeRef type = types_.type(from, static_cast<std::uint32_t>(in.number()));
    if (type == nullptr) {
      p.known = false;
      continue;
    }
    b.type = type->signature;
    b.digest = digest_of(b.type, b.count);
  }
}

namespace {

// As Waves::add_args makes them: what an analysis compares is there.
bool has_form(const Said& s) {
  const ProcInfo& about = info(s.proc);
  const std::size_t agreed = about.agree.size(), etype = s.proc == Proc::file_set_view ? 1 : 0;
  if (s.args.size() != agreed + etype) return false;
  for (std::size_t i = 0; i < agreed; ++i) {
    const bool list = about.params[static_cast<std::size_t>(about.agree[i])].is_array();
    if (!list && s.args[i].size() != 1) return false;
  }
  return etype == 0 || s.args.back().size() <= 1;
}

}  // namespace

// False: it is malformed.
bool WaveLink::read_class(ByteReader& in, int from, Wave::Class& c) {
  Said& s = c.said;
  const std::uint64_t proc = in.number();
  if (proc == 0 || proc >= static_cast<std::uint64_t>(Proc::count_)) return false;
  s.proc = static_cast<Proc>(proc);
  const std::uint8_t bits = in.byte_below(32);
  s.rooted = (bits & 1) != 0;
  s.at_root = (bits & 2) != 0;
  s.reduces = (bits & 4) != 0;
  s.in_place = (bits & 8) != 0;
  s.root = in.integer();
  s.op = read_constant(in);
  s.hash = in.number();
  read_portion(in, from, s.send);
  read_portion(in, from, s.recv);
  if ((bits & 16) != 0) s.group = read_members(in, world_);
  s.args.resize(in.count());
  for (auto& list : s.args) list = read_list(in);
  if (!in.ok() || !has_form(s)) return false;
  c.members.resize(in.count(4));
  for (Attendee& m : c.members) {
    m.rank = WorldRank{in.integer<int>()};
    m.me = in.integer<int>();
    m.seq = static_cast<std::uint32_t>(in.number());
    m.site = places_.site(from, static_cast<std::uint32_t>(in.number()));
    if (world_.owner(m.rank) != from || m.me < 0 || m.me >= world_.ranks()) return false;
    m.process = static_cast<std::uint32_t>(world_.away(m.rank).index);
  }
  return in.ok() && !c.members.empty();
}

bool WaveLink::take(int from, std::string_view bytes) {
  ByteReader in(bytes);
  const Assembly like = read_assembly(in, from);
  const std::uint64_t index = in.number();
  const bool poisoned = in.flag(), doubtful = in.flag();
  std::vector<Wave::Class> classes(in.count());
  std::vector<std::uint32_t> processes;
  for (Wave::Class& c : classes) {
    if (!read_class(in, from, c)) return false;
    for (const Attendee& m : c.members) processes.push_back(m.process);
  }
  std::vector<std::uint64_t> moments(in.count());
  for (std::uint64_t& number : moments) number = in.number();
  if (!in.done() || like.groups[0] == nullptr || like.total < 0 || like.total > world_.ranks())
    return false;
  facts_.clocks().apart().bring(from, like.key, index, processes, moments);
  facts_.all_waves().take(like, index, poisoned, doubtful, std::move(classes));
  return true;
}

}  // namespace vouch
