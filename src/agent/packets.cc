#include "agent/packets.h"

#include <algorithm>

#include "base/bytes.h"

namespace vouch {
namespace {

constexpr auto kEnds = static_cast<std::uint8_t>(static_cast<int>(End::detached) + 1);
constexpr auto kModes =
    static_cast<std::uint8_t>(static_cast<int>(wait::Buffering::Mode::limit) + 1);
constexpr auto kCommands =
    static_cast<std::uint8_t>(static_cast<int>(CommandKind::launcher_ended) + 1);

constexpr std::int64_t kLatest = std::int64_t{1} << 60;  // nanoseconds: no clock says more

template <typename T>
std::optional<T> whole(const ByteReader& in, T value) {
  if (!in.done()) return std::nullopt;
  return value;
}

std::int64_t moment(ByteReader& in) {
  const auto nanoseconds = in.integer<std::int64_t>();
  if (nanoseconds < 0 || nanoseconds > kLatest) in.fail();
  return nanoseconds;
}

}  // namespace

std::string MeshPlan::bytes() const {
  std::string bytes;
  ByteWriter out(bytes);
  out.string(write_layout(layout));
  out.number(missing.size());
  for (const int rank : missing) out.integer(rank);
  out.byte(static_cast<std::uint8_t>(buffering.mode));
  out.number(buffering.bytes);
  out.number(most_unexpected);
  out.flag(ends_deadlocks);
  return bytes;
}

std::optional<MeshPlan> MeshPlan::read(std::string_view bytes, int nodes) {
  ByteReader in(bytes);
  MeshPlan plan;
  const auto layout = read_layout(in.string(), nodes);
  if (!layout || layout->owners == nullptr) return std::nullopt;
  plan.layout = *layout;
  plan.missing.resize(in.count());
  for (int& rank : plan.missing) {
    rank = in.integer<int>();
    if (rank < 0 || rank >= std::ssize(*layout->owners)) in.fail();
  }
  plan.buffering.mode = static_cast<wait::Buffering::Mode>(in.byte_below(kModes));
  plan.buffering.bytes = in.number();
  plan.most_unexpected = in.number();
  plan.ends_deadlocks = in.flag();
  return whole(in, plan);
}

std::string Came::bytes() const {
  std::string bytes;
  ByteWriter out(bytes);
  out.integer(rank);
  out.integer(size);
  return bytes;
}

std::optional<Came> Came::read(std::string_view bytes) {
  ByteReader in(bytes);
  Came came;
  came.rank = in.integer<std::int32_t>();
  came.size = in.integer<std::int32_t>();
  return whole(in, came);
}

std::string DeathNotice::bytes() const {
  std::string bytes;
  ByteWriter out(bytes);
  out.number(process);
  out.integer(rank);
  out.byte(static_cast<std::uint8_t>(how));
  out.flag(abnormal);
  out.flag(silent);
  out.flag(unknown);
  out.flag(gave_up);
  out.flag(finalized);
  out.integer(signal);
  out.flag(outside_mpi);
  out.flag(crowded);
  out.integer(hung_up);
  out.integer(pid);
  out.flag(stopped);
  return bytes;
}

std::optional<DeathNotice> DeathNotice::read(std::string_view bytes) {
  ByteReader in(bytes);
  DeathNotice d;
  d.process = in.number() & 0xffffffff;
  d.rank = in.integer<std::int32_t>();
  d.how = static_cast<End>(in.byte_below(kEnds));
  d.abnormal = in.flag();
  d.silent = in.flag();
  d.unknown = in.flag();
  d.gave_up = in.flag();
  d.finalized = in.flag();
  d.signal = in.integer<std::int32_t>();
  d.outside_mpi = in.flag();
  d.crowded = in.flag();
  d.hung_up = moment(in);
  d.pid = in.integer<std::int32_t>();
  d.stopped = in.flag();
  return whole(in, d);
}

std::string ClockNotice::bytes() const {
  std::string bytes;
  ByteWriter(bytes).integer(sent);
  return bytes;
}

std::optional<ClockNotice> ClockNotice::read(std::string_view bytes) {
  ByteReader in(bytes);
  const ClockNotice c{moment(in)};
  return whole(in, c);
}

std::string Judgement::bytes() const {
  std::string bytes;
  ByteWriter out(bytes);
  out.number(process);
  out.byte(static_cast<std::uint8_t>(how));
  out.flag(from_outside);
  out.string(when);
  return bytes;
}

std::optional<Judgement> Judgement::read(std::string_view bytes) {
  ByteReader in(bytes);
  Judgement j;
  j.process = in.number();
  j.how = static_cast<End>(in.byte_below(kEnds));
  j.from_outside = in.flag();
  j.when = in.string();
  return whole(in, std::move(j));
}

std::string StatusNotice::bytes() const {
  std::string bytes;
  ByteWriter out(bytes);
  out.integer(rank);
  out.integer(pid);
  out.string(call);
  out.flag(inside);
  out.flag(over);
  for (const auto* sites : {&at, &broken, &stack}) {
    out.number(sites->size());
    for (const std::uint32_t site : *sites) out.number(site);
  }
  return bytes;
}

std::optional<StatusNotice> StatusNotice::read(std::string_view bytes) {
  ByteReader in(bytes);
  StatusNotice d;
  d.rank = in.integer<std::int32_t>();
  d.pid = in.integer<std::int32_t>();
  d.call = in.string();
  d.inside = in.flag();
  d.over = in.flag();
  for (auto* sites : {&d.at, &d.broken, &d.stack}) {
    sites->resize(in.count());
    for (std::uint32_t& site : *sites) site = static_cast<std::uint32_t>(in.number());
  }
  return whole(in, std::move(d));
}

std::string Blame::bytes() const {
  std::string bytes;
  ByteWriter out(bytes);
  out.integer(rank);
  out.number(site);
  out.string(text);
  return bytes;
}

std::optional<Blame> Blame::read(std::string_view bytes) {
  ByteReader in(bytes);
  Blame b;
  b.rank = in.integer<std::int32_t>();
  b.site = static_cast<std::uint32_t>(in.number());
  b.text = in.string();
  return whole(in, std::move(b));
}

std::string Tally::bytes() const {
  std::string bytes;
  ByteWriter out(bytes);
  out.number(went);
  out.number(came);
  return bytes;
}

std::optional<Tally> Tally::read(std::string_view bytes) {
  ByteReader in(bytes);
  Tally t;
  t.went = in.number();
  t.came = in.number();
  return whole(in, t);
}

std::string rank_bytes(const std::vector<int>& ranks) {
  std::string bytes;
  ByteWriter out(bytes);
  out.number(ranks.size());
  for (const int rank : ranks) out.integer(rank);
  return bytes;
}

std::optional<std::vector<int>> read_rank_bytes(std::string_view bytes) {
  ByteReader in(bytes);
  std::vector<int> ranks(in.count());
  for (int& rank : ranks) rank = in.integer<int>();
  return whole(in, std::move(ranks));
}

std::string label_bytes(std::uint16_t proc, std::uint32_t site) {
  std::string bytes;
  ByteWriter out(bytes);
  out.number(proc);
  out.number(site);
  return bytes;
}

std::optional<std::pair<std::uint16_t, std::uint32_t>> read_label(std::string_view bytes) {
  ByteReader in(bytes);
  const auto proc = static_cast<std::uint16_t>(in.number());
  const auto site = static_cast<std::uint32_t>(in.number());
  return whole(in, std::pair(proc, site));
}

std::string command_bytes(const Command& command) {
  std::string bytes;
  ByteWriter out(bytes);
  out.byte(static_cast<std::uint8_t>(command.kind));
  out.integer(command.value);
  out.integer(command.pid);
  out.integer(command.named);
  return bytes;
}

std::optional<Command> read_command(std::string_view bytes) {
  ByteReader in(bytes);
  Command command{};
  command.kind = static_cast<CommandKind>(in.byte_below(kCommands));
  command.value = in.integer<std::int32_t>();
  command.pid = in.integer<std::int32_t>();
  command.named = in.integer<std::int32_t>();
  return whole(in, command);
}

}  // namespace vouch
