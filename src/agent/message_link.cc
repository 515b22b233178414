#include "agent/message_link.h"

#include <memory>

#include "base/bytes.h"

namespace vouch {
namespace {

constexpr std::size_t kLargestSignature = 64 << 10, kMostTypes = 1 << 16;
constexpr int kDeepest = 64;

// False: too large.
bool write(ByteWriter& out, const std::string& bytes, const Signature& s) {
  if (bytes.size() > kLargestSignature) return false;
  out.number(s.n);
  out.number(s.children.size());
  if (s.children.empty()) {
    out.number(s.atom.id);
    out.number(s.atom.bytes);
  }
  for (const SignatureRef& child : s.children) {
    if (!write(out, bytes, *child)) return false;
  }
  return true;
}

SignatureRef read_signature(ByteReader& in, int depth = 0) {
  const std::uint64_t n = in.number();
  const std::size_t children = in.count();
  if (depth > kDeepest || n > std::uint64_t{1} << 48) in.fail();
  if (!in.ok()) return empty_signature();
  if (children == 0) {
    Atom atom;
    atom.id = static_cast<std::uint32_t>(in.number());
    atom.bytes = static_cast<std::uint32_t>(in.number());
    if (atom.constant() >= Constant::count_) in.fail();
    if (!in.ok()) return empty_signature();
    return n == 0 ? empty_signature() : run_of(atom, n);
  }
  std::vector<SignatureRef> list;
  for (std::size_t i = 0; i < children && in.ok(); ++i)
    list.push_back(read_signature(in, depth + 1));
  return repeat(n, sequence(list));
}

}  // namespace

TypeRef MessageLink::type(int from, std::uint32_t number) const {
  const auto found = types_.find({from, number});
  return found == types_.end() ? nullptr : found->second;
}

std::uint32_t MessageLink::number(int node, const SignatureRef& signature) {
  if (signature == nullptr) return 0;
  const Digest& d = signature->digest;
  const TypeKey key{node, d.atoms, d.bytes, d.h[0], d.h[1]};
  if (const auto found = told_types_.find(key); found != told_types_.end()) {
    unsent_ += found->second == 0;
    return found->second;
  }
  if (told_types_.size() >= kMostTypes) {
    ++unsent_;
    return 0;
  }
  std::uint32_t& number = told_types_[key];
  std::string bytes;
  ByteWriter out(bytes);
  const auto next = static_cast<std::uint32_t>(told_types_.size());
  out.number(next);
  if (!write(out, bytes, *signature)) {
    ++unsent_;
    return number = 0;
  }
  wire_.send(node, net::Lane::urgent, Packet::signature, bytes);
  return number = next;
}

void MessageLink::posted(const Operation& op, WorldRank to) {
  const int node = world_.owner(to);
  if (node < 0) return;
  const std::uint32_t site = places_.number(node, op.site);
  const std::uint32_t made = places_.number(node, op.channel->made);
  const std::uint32_t type = op.type == nullptr ? 0 : number(node, op.type->signature);
  bytes_.clear();
  ByteWriter out(bytes_);
  out.integer(world_.process(op.process).rank.value);
  out.number(op.position());
  out.number(op.channel->id);
  out.number(static_cast<std::uint64_t>(op.channel->constant));
  out.number(made);
  out.integer(op.me);
  out.integer(op.peer);
  out.integer(op.tag);
  out.byte(static_cast<std::uint8_t>(op.mode));
  out.number(static_cast<std::uint64_t>(op.proc));
  out.number(site);
  out.integer(op.count);
  out.integer(op.partitions);
  out.number(type);
  out.flag(op.poisoned);
  out.number(facts_.clocks().apart().number_of(node, op));
  wire_.send(node, net::Lane::regular, Packet::posted, bytes_);
}

void MessageLink::ended(const Operation& op, WorldRank to, bool taken) {
  const int node = world_.owner(to);
  if (node < 0) return;
  bytes_.clear();
  ByteWriter out(bytes_);
  out.integer(world_.process(op.process).rank.value);
  out.number(op.position());
  out.byte(static_cast<std::uint8_t>((taken ? 1 : 0) | (op.poisoned ? 2 : 0) |
                                     (op.incomplete ? 4 : 0) | (op.cancel_asked ? 8 : 0)));
  wire_.send(node, net::Lane::regular, Packet::ended, bytes_);
}

bool MessageLink::take(int from, Packet packet, std::string_view bytes) {
  switch (packet) {
    case Packet::posted:
      return take_posted(from, bytes);
    case Packet::ended:
      return take_ended(from, bytes);
    default:
      return take_signature(from, bytes);
  }
}

bool MessageLink::take_signature(int from, std::string_view bytes) {
  ByteReader in(bytes);
  const auto number = static_cast<std::uint32_t>(in.number());
  auto type = std::make_shared<Type>();
  type->signature = read_signature(in);
  type->size = static_cast<std::int64_t>(type->signature->digest.bytes);
  if (!in.done()) return false;
  types_[{from, number}] = std::move(type);
  return true;
}

bool MessageLink::take_posted(int from, std::string_view bytes) {
  ByteReader in(bytes);
  ForeignSend send;
  const int rank = in.integer<int>();
  send.number = in.number();
  send.comm = in.number();
  const std::uint64_t constant = in.number();
  send.made = places_.site(from, static_cast<std::uint32_t>(in.number()));
  send.me = in.integer<int>();
  send.peer = in.integer();
  send.tag = in.integer();
  send.mode = static_cast<SendMode>(in.byte_below(4));
  const std::uint64_t proc = in.number();
  send.proc = static_cast<Proc>(proc);
  send.site = places_.site(from, static_cast<std::uint32_t>(in.number()));
  send.count = in.integer();
  send.partitions = in.integer();
  send.type = type(from, static_cast<std::uint32_t>(in.number()));
  send.poisoned = in.flag();
  const std::uint64_t when = in.number();
  if (constant >= static_cast<std::uint64_t>(Constant::count_)) return false;
  send.constant = static_cast<Constant>(constant);
  if (!in.done() || !owns(from, rank) || proc >= static_cast<std::uint64_t>(Proc::count_) ||
      send.peer < 0 || send.peer > INT32_MAX || send.tag < 0 || send.tag > INT32_MAX)
    return false;
  send.process = static_cast<std::uint32_t>(world_.away(WorldRank{rank}).index);
  send.when = facts_.clocks().apart().moment_of(from, WorldRank{rank}, when);
  facts_.mailroom().take(send);
  return true;
}

bool MessageLink::take_ended(int from, std::string_view bytes) {
  ByteReader in(bytes);
  const int rank = in.integer<int>();
  ForeignEnd end;
  end.number = in.number();
  const std::uint8_t bits = in.byte_below(16);
  end.taken = (bits & 1) != 0;
  end.poisoned = (bits & 2) != 0;
  end.incomplete = (bits & 4) != 0;
  end.cancel_asked = (bits & 8) != 0;
  if (!in.done() || !owns(from, rank)) return false;
  facts_.mailroom().take(static_cast<std::uint32_t>(world_.away(WorldRank{rank}).index), end);
  return true;
}

}  // namespace vouch
