#include "agent/wait_link.h"

#include <memory>

#include "agent/wait_codec.h"
#include "base/bytes.h"

namespace vouch {
namespace {

void write(ByteWriter& out, const SourcePlace& place) {
  out.string(place.file);
  out.integer(place.line);
  out.string(place.function);
  out.number(place.offset);
  out.string(place.path);
}

SourcePlace read_place(ByteReader& in) {
  SourcePlace place;
  place.file = in.string();
  place.line = in.integer<int>();
  place.function = in.string();
  place.offset = in.number();
  place.path = in.string();
  return place;
}

// Members mostly follow each other.
void write(ByteWriter& out, const wait::RankList& ranks) {
  std::vector<std::pair<wait::Rank, std::uint64_t>> runs;
  for (const wait::Rank r : ranks) {
    if (!runs.empty() && runs.back().first + static_cast<wait::Rank>(runs.back().second) == r) {
      ++runs.back().second;
    } else {
      runs.emplace_back(r, 1);
    }
  }
  out.number(runs.size());
  for (const auto& [first, count] : runs) {
    out.integer(first);
    out.number(count);
  }
}

wait::RankList read_ranks(ByteReader& in, int ranks) {
  wait::RankList list;
  for (std::size_t runs = in.count(2); runs > 0 && in.ok(); --runs) {
    const auto first = in.integer<wait::Rank>();
    const std::uint64_t count = in.number();
    if (first < 0 || first >= ranks || count > static_cast<std::uint64_t>(ranks - first)) {
      in.fail();
      break;
    }
    list.add({first, 1, static_cast<std::int32_t>(count)});
  }
  return list;
}

}  // namespace

std::uint32_t WaitLink::number(int node, Site site) {
  if (site.value == 0 || !told_places_.emplace(node, site.value).second) return site.value;
  const PortableSite portable = sites_.portable(site);
  // The receiver must know the callers before the path that names them.
  const std::vector<Site> path = sites_.path(site);
  for (const Site caller : path) number(node, caller);
  std::string bytes;
  ByteWriter out(bytes);
  out.number(site.value);
  out.flag(portable.native);
  out.flag(portable.exact);
  out.string(portable.module);
  out.number(portable.offset);
  write(out, portable.place);
  out.flag(portable.application.has_value());
  if (portable.application) write(out, *portable.application);
  out.number(path.size());
  for (const Site caller : path) out.number(caller.value);
  wire_.send(node, net::Lane::urgent, Packet::place, bytes);
  return site.value;
}

Site WaitLink::site(int from, std::uint32_t number) const {
  const auto found = places_.find({from, number});
  return found == places_.end() ? Site{} : found->second;
}

void WaitLink::define(int node, wait::CommId comm) {
  const auto group = node_->groups().find(comm);
  if (group == node_->groups().end() || !told_groups_.emplace(node, comm).second) return;
  std::string bytes;
  ByteWriter out(bytes);
  out.number(comm);
  write(out, group->second->members);
  write(out, group->second->others);
  wire_.send(node, net::Lane::urgent, Packet::group, bytes);
}

void WaitLink::need(int node, const wait::Snapshot& snapshot) {
  for (const wait::Blocked& b : snapshot.blocked) {
    number(node, b.label.site);
    for (const wait::Term& t : b.terms) {
      if (t.kind == wait::Term::Kind::any || t.kind == wait::Term::Kind::wave) define(node, t.comm);
    }
  }
  for (const wait::WaveState& w : snapshot.waves) define(node, w.comm);
}

void WaitLink::send(int node, wait::Message message) {
  if (message.type == wait::Message::Type::collective_ready) define(node, message.comm);
  if (message.snapshot != nullptr) need(node, *message.snapshot);
  bytes_.clear();
  write_message(bytes_, message);
  wire_.send(node, message.matching() ? net::Lane::regular : net::Lane::urgent, Packet::wait,
             bytes_);
}

bool WaitLink::take(int from, Packet packet, std::string_view bytes) {
  if (packet == Packet::place) return take_place(from, bytes);
  if (packet == Packet::group) return take_group(bytes);
  auto message = read_message(bytes, ranks_);
  if (!message) return false;
  if (message->snapshot != nullptr) {
    auto ours = std::make_shared<wait::Snapshot>(*message->snapshot);
    for (wait::Blocked& b : ours->blocked) b.label.site = site(from, b.label.site.value);
    ours->normalize();
    message->snapshot = std::move(ours);
  }
  node_->receive(from, std::move(*message));
  return true;
}

bool WaitLink::take_place(int from, std::string_view bytes) {
  ByteReader in(bytes);
  const auto number = static_cast<std::uint32_t>(in.number());
  PortableSite portable;
  portable.native = in.flag();
  portable.exact = in.flag();
  portable.module = in.string();
  portable.offset = in.number();
  portable.place = read_place(in);
  if (in.flag()) portable.application = read_place(in);
  std::vector<Site> path;
  for (std::size_t callers = in.count(1); callers > 0 && in.ok(); --callers)
    path.push_back(site(from, static_cast<std::uint32_t>(in.number())));
  if (!in.done() || number == 0) return false;
  const Site call = sites_.adopt(portable);
  places_[{from, number}] = path.empty() ? call : sites_.with_path(call, path);
  return true;
}

bool WaitLink::take_group(std::string_view bytes) {
  ByteReader in(bytes);
  const wait::CommId comm = in.number();
  auto group = std::make_shared<wait::Group>();
  group->members = read_ranks(in, ranks_);
  group->others = read_ranks(in, ranks_);
  if (!in.done()) return false;
  if (!node_->groups().contains(comm)) node_->define(comm, std::move(group));
  return true;
}

}  // namespace vouch
