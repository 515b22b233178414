#include "agent/moment_link.h"

#include "base/bytes.h"

namespace vouch {

void MomentLink::send(int node, Packet packet) {
  ++tally_.went;
  wire_.send(node, net::Lane::regular, packet, bytes_);
}

void MomentLink::known(int node, std::uint64_t number, const Moment& m) {
  bytes_.clear();
  ByteWriter out(bytes_);
  out.number(number);
  out.flag(m.doubtful);
  out.flag(m.by_memory);
  // Ranks that are counted, by their distance from the one before.
  std::size_t last = 0;
  for (std::size_t rank = 0; m.before != nullptr && rank < m.before->of.size(); ++rank) {
    if (m.before->of[rank] == 0) continue;
    out.number(rank - last);
    out.number(m.before->of[rank]);
    last = rank;
  }
  send(node, Packet::moment);
}

void MomentLink::met(int node, WorldRank sender, std::uint64_t op, std::uint64_t number) {
  bytes_.clear();
  ByteWriter out(bytes_);
  out.integer(sender.value);
  out.number(op);
  out.number(number);
  send(node, Packet::met);
}

void MomentLink::told(int node, const std::vector<CallName>& calls, std::uint64_t number,
                      bool doubtful) {
  bytes_.clear();
  ByteWriter out(bytes_);
  out.number(number);
  out.flag(doubtful);
  for (const CallName& call : calls) {
    out.integer(call.rank.value);
    out.number(call.seq);
  }
  send(node, Packet::told);
}

bool MomentLink::take(int from, Packet packet, std::string_view bytes) {
  ++tally_.came;
  switch (packet) {
    case Packet::moment:
      return take_moment(from, bytes);
    case Packet::met:
      return take_met(from, bytes);
    default:
      return take_told(from, bytes);
  }
}

bool MomentLink::take_moment(int from, std::string_view bytes) {
  ByteReader in(bytes);
  const std::uint64_t number = in.number();
  const bool doubtful = in.flag(), by_memory = in.flag();
  ApartClocks::Counted counted;
  for (std::uint64_t rank = 0; in.ok() && !in.done();) {
    rank += in.number();
    if (rank > INT32_MAX) return false;
    counted.emplace_back(static_cast<int>(rank), static_cast<std::uint32_t>(in.number()));
  }
  return in.done() && clocks_.apart().take_known(from, number, doubtful, by_memory, counted);
}

bool MomentLink::take_met(int from, std::string_view bytes) {
  ByteReader in(bytes);
  const WorldRank sender{in.integer<int>()};
  const std::uint64_t op = in.number();
  const std::uint64_t number = in.number();
  return in.done() && clocks_.apart().take_met(from, sender, op, number);
}

bool MomentLink::take_told(int from, std::string_view bytes) {
  ByteReader in(bytes);
  const std::uint64_t number = in.number();
  const bool doubtful = in.flag();
  std::vector<CallName> calls;
  while (in.ok() && !in.done()) {
    CallName call;
    call.rank = WorldRank{in.integer<int>()};
    call.seq = static_cast<std::uint32_t>(in.number());
    calls.push_back(call);
  }
  return in.done() && clocks_.apart().take_told(from, calls, number, doubtful);
}

}  // namespace vouch
