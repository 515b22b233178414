#include "agent/wait_codec.h"

#include "event/sound.h"

namespace vouch {
namespace {

using namespace wait;
using namespace net;
using wait::Kind;  // not that of a parameter

// Which fields a message of a type has; one list for both directions.
enum Field : unsigned {
  none = 0,
  process = 1,
  index = 2,
  envelope = 4,
  wave = 8,
  count = 16,
  snapshot = 32,
  partner = 64,  // Message::at is a process
};

constexpr std::uint8_t kTypes = static_cast<std::uint8_t>(Message::Type::lenient) + 1;
constexpr auto kKinds = static_cast<std::uint8_t>(static_cast<int>(Kind::other) + 1);
constexpr auto kTermKinds = static_cast<std::uint8_t>(static_cast<int>(Term::Kind::wave) + 1);

constexpr unsigned fields(Message::Type type) {
  switch (type) {
    case Message::Type::pass_send:
      return process | index | envelope;
    case Message::Type::recv_active:
    case Message::Type::lenient:
      return process | index;
    case Message::Type::forgive:
      return process | partner;
    case Message::Type::relax:
      return process;
    case Message::Type::collective_ready:
      return wave | count;
    case Message::Type::collective_ack:
      return wave;
    case Message::Type::waits:
      return snapshot;
    case Message::Type::request_state:
    case Message::Type::ping:
    case Message::Type::pong:
    case Message::Type::ack_state:
      return none;
    case Message::Type::request_waits:
      return count;
  }
  return none;
}

// Writing ------------------------------------------------

void write(ByteWriter& out, const RankSet& set) {
  out.number(set.runs().size());
  Rank before = 0;
  for (const RankSet::Run& run : set.runs()) {
    out.integer(run.first - before);
    out.integer(run.last - run.first);
    before = run.last;
  }
}

void write(ByteWriter& out, const Term& t) {
  out.byte(static_cast<std::uint8_t>(t.kind));
  out.byte(static_cast<std::uint8_t>((t.side & 1) | (t.offered ? 2 : 0) | (t.loose ? 4 : 0) |
                                     (t.taken ? 8 : 0)));
  out.integer(t.rank);
  out.number(t.comm);
  out.number(t.wave);
}

void write(ByteWriter& out, const Blocked& b) {
  out.number(b.label.proc);
  out.number(b.label.site.value);
  out.byte(static_cast<std::uint8_t>(b.kind));
  out.byte(static_cast<std::uint8_t>((b.returned ? 1 : 0) | (b.polling ? 2 : 0) | (b.all ? 4 : 0)));
  out.number(b.terms.size());
  for (const Term& t : b.terms) write(out, t);
  write(out, b.ranks);
}

void write(ByteWriter& out, const Snapshot& s) {
  out.number(s.blocked.size());
  for (const Blocked& b : s.blocked) write(out, b);
  out.number(s.waves.size());
  for (const WaveState& w : s.waves) {
    out.number(w.comm);
    out.number(w.wave);
    write(out, w.came);
  }
  out.number(s.unexpected.size());
  for (const Unexpected& u : s.unexpected) {
    out.integer(u.receiver);
    out.integer(u.source);
  }
  write(out, s.running);
  write(out, s.finished);
  out.number(s.undecided.size());
  for (const auto& [receiver, senders] : s.undecided) {
    out.integer(receiver);
    write(out, senders);
  }
  write(out, s.still);
  write(out, s.moving);
  out.number(s.largest);
  out.flag(s.decided);
  write(out, s.unmet);
}

// Reading ------------------------------------------------

class Decoder {
 public:
  Decoder(std::string_view bytes, int ranks) : in_(bytes), ranks_(ranks) {}

  std::optional<Message> message() {
    Message m;
    m.type = static_cast<Message::Type>(in_.byte_below(kTypes));
    const unsigned has = fields(m.type);
    if (has & process) m.rank = rank();
    if (has & index) m.at = in_.number();
    if (has & partner) m.at = static_cast<Index>(rank());
    if (has & envelope) {
      m.envelope.comm = in_.number();
      m.envelope.source = rank();
      m.envelope.dest = rank();
      m.envelope.tag = in_.integer<std::int32_t>();
    }
    if (has & wave) {
      m.comm = in_.number();
      m.wave = in_.number();
    }
    if (has & count) m.count = in_.number();
    if (has & snapshot) m.snapshot = std::make_shared<const Snapshot>(state());
    if (!in_.done()) return std::nullopt;
    return m;
  }

 private:
  Rank rank() {
    const Rank r = in_.integer<Rank>();
    if (r < 0 || r >= ranks_) in_.fail();
    return r;
  }

  RankSet set() {
    RankSet set;
    std::int64_t before = -1;
    std::int64_t base = 0;
    for (std::size_t n = in_.count(2); n > 0; --n) {
      const std::int64_t first = base + in_.integer<std::int32_t>();
      const std::int64_t last = first + in_.integer<std::int32_t>();
      if (!in_.ok() || first <= before || last < first || last >= ranks_) {
        in_.fail();
        return {};
      }
      set.add(static_cast<Rank>(first), static_cast<Rank>(last));
      base = before = last;
    }
    return set;
  }

  Term term() {
    Term t;
    t.kind = static_cast<Term::Kind>(in_.byte_below(kTermKinds));
    const std::uint8_t bits = in_.byte_below(16);
    t.side = static_cast<std::int8_t>(bits & 1);
    t.offered = (bits & 2) != 0;
    t.loose = (bits & 4) != 0;
    t.taken = (bits & 8) != 0;
    t.rank = in_.integer<Rank>();
    if (t.rank <= -ranks_ || t.rank >= ranks_) in_.fail();
    if (t.kind == Term::Kind::rank && t.rank < 0) in_.fail();
    t.comm = in_.number();
    t.wave = in_.number();
    return t;
  }

  Blocked blocked() {
    Blocked b;
    const std::uint64_t proc = in_.number(), site = in_.number();
    if (proc >= static_cast<std::uint64_t>(Proc::count_) || site > 0xffffffff) in_.fail();
    b.label = {static_cast<std::uint16_t>(proc), Site{static_cast<std::uint32_t>(site)}};
    b.kind = static_cast<Kind>(in_.byte_below(kKinds));
    const std::uint8_t bits = in_.byte_below(8);
    b.returned = (bits & 1) != 0;
    b.polling = (bits & 2) != 0;
    b.all = (bits & 4) != 0;
    for (std::size_t n = in_.count(5); n > 0; --n) b.terms.push_back(term());
    b.ranks = set();
    // What is relative must stay within the job for each of them.
    for (const Term& t : b.terms) {
      if (t.kind != Term::Kind::offset || b.ranks.empty()) continue;
      if (b.ranks.first() + t.rank < 0 || b.ranks.runs().back().last + t.rank >= ranks_) in_.fail();
    }
    return b;
  }

  Snapshot state() {
    Snapshot s;
    for (std::size_t n = in_.count(6); n > 0 && in_.ok(); --n) s.blocked.push_back(blocked());
    for (std::size_t n = in_.count(3); n > 0 && in_.ok(); --n) {
      WaveState w;
      w.comm = in_.number();
      w.wave = in_.number();
      w.came = set();
      s.waves.push_back(std::move(w));
    }
    for (std::size_t n = in_.count(2); n > 0 && in_.ok(); --n) {
      Unexpected u;
      u.receiver = rank();
      u.source = rank();
      s.unexpected.push_back(u);
    }
    s.running = set();
    s.finished = set();
    for (std::size_t n = in_.count(2); n > 0 && in_.ok(); --n) {
      const Rank receiver = rank();
      s.undecided[receiver] = set();
    }
    s.still = set();
    s.moving = set();
    s.largest = in_.number();
    s.decided = in_.flag();
    s.unmet = set();
    return s;
  }

  ByteReader in_;
  const int ranks_;
};

}  // namespace

void write_message(std::string& bytes, const Message& m) {
  ByteWriter out(bytes);
  out.byte(static_cast<std::uint8_t>(m.type));
  const unsigned has = fields(m.type);
  if (has & process) out.integer(m.rank);
  if (has & index) out.number(m.at);
  if (has & partner) out.integer(static_cast<std::int64_t>(m.at));
  if (has & envelope) {
    out.number(m.envelope.comm);
    out.integer(m.envelope.source);
    out.integer(m.envelope.dest);
    out.integer(m.envelope.tag);
  }
  if (has & wave) {
    out.number(m.comm);
    out.number(m.wave);
  }
  if (has & count) out.number(m.count);
  if (has & snapshot) write(out, *m.snapshot);
}

std::optional<Message> read_message(std::string_view bytes, int ranks) {
  return Decoder(bytes, ranks).message();
}

// Ranks of one node mostly follow each other: runs of equal owners.
std::string write_layout(const Layout& layout) {
  std::string bytes;
  ByteWriter out(bytes);
  out.number(static_cast<std::uint64_t>(layout.nodes));
  out.number(static_cast<std::uint64_t>(layout.fanout));
  const std::size_t ranks = layout.owners == nullptr ? 0 : layout.owners->size();
  out.number(ranks);
  for (std::size_t r = 0; r < ranks;) {
    const std::size_t first = r;
    while (r < ranks && (*layout.owners)[r] == (*layout.owners)[first]) ++r;
    out.number(static_cast<std::uint64_t>((*layout.owners)[first]));
    out.number(r - first);
  }
  return bytes;
}

std::optional<Layout> read_layout(std::string_view bytes, int nodes) {
  ByteReader in(bytes);
  const std::uint64_t n = in.number(), fanout = in.number(), ranks = in.number();
  if (!in.ok() || n != static_cast<std::uint64_t>(nodes) || fanout == 0 || fanout > 1 << 16 ||
      ranks > kMostRanks)
    return std::nullopt;
  auto owners = std::make_shared<std::vector<int>>();
  while (in.ok() && owners->size() < ranks) {
    const std::uint64_t owner = in.number(), count = in.number();
    if (owner >= n || count == 0 || count > ranks - owners->size()) return std::nullopt;
    owners->insert(owners->end(), count, static_cast<int>(owner));
  }
  if (!in.done()) return std::nullopt;
  Layout layout;
  layout.nodes = nodes;
  layout.fanout = static_cast<int>(fanout);
  if (ranks > 0) layout.owners = std::move(owners);
  return layout;
}

}  // namespace vouch
