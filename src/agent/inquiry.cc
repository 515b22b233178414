#include "agent/inquiry.h"

#include <map>

#include <fmt/format.h>

namespace vouch {

void Inquiry::tolerate(wait::Label label) {
  for (int node = 1; node < peers_.nodes(); ++node)
    peers_.tell(node, Packet::tolerate, label_bytes(label.proc, places_->number(node, label.site)));
}

// Collectives that the stuck ranks are in are told before the deadlock: they may be its reason.
void Inquiry::gather_waves(const std::vector<int>& stuck) {
  waves_out_.clear();
  peers_.tell_all(Packet::flush_waves, rank_bytes(stuck));
}

bool Inquiry::waves_gathered() {
  for (int node = 1; node < peers_.nodes(); ++node) {
    if (waves_out_.count(node) == 0 && !peers_.lost(node)) return false;
  }
  return true;
}

void Inquiry::ask(const wait::RankSet& ranks) {
  std::map<int, std::vector<int>> by_node;
  asked_ = 0;
  for (const int rank : ranks.list()) {
    const int node = world_.owner(WorldRank{rank});
    if (node <= 0 || peers_.lost(node)) continue;
    by_node[node].push_back(rank);
    ++asked_;
  }
  answers_.clear();
  for (const auto& [node, list] : by_node) peers_.tell(node, Packet::ask, rank_bytes(list));
}

bool Inquiry::take_status(int from, std::string_view bytes) {
  auto notice = StatusNotice::read(bytes);
  if (notice) answers_.emplace_back(from, std::move(*notice));
  return notice.has_value();
}

std::vector<RankStatus> Inquiry::take_answers() {
  std::vector<RankStatus> result;
  for (const auto& [node, notice] : answers_) {
    RankStatus status;
    status.rank = notice.rank;
    status.call = notice.call;
    status.inside = notice.inside;
    status.over = notice.over;
    for (const std::uint32_t site : notice.broken)
      status.broken.push_back(places_->site(node, site));
    for (const std::uint32_t site : notice.stack) status.stack.push_back(places_->site(node, site));
    // A collective between nodes has its finding here.
    for (const std::uint32_t number : notice.at) {
      const Site at = places_->site(node, number);
      if (at.value == 0 || !collector_.offends(WorldRank{notice.rank}, at, kHangs)) continue;
      status.inside = true;
      status.broken.push_back(at);
    }
    result.push_back(std::move(status));
  }
  return result;
}

std::string Inquiry::how_to_look_at_them() const {
  std::string text;
  for (const auto& [node, notice] : answers_) {
    text += fmt::format("rank {}: process {} on {}: gdb -p {}\t", notice.rank, notice.pid,
                        peers_.host_of(node), notice.pid);
  }
  return text;
}

void Inquiry::blame(int rank, Site site, const std::string& text) {
  const int node = world_.owner(WorldRank{rank});
  if (node <= 0) return;
  const Blame blame{rank, places_->number(node, site), collector_.with_places(text)};
  peers_.tell(node, Packet::blame, blame.bytes());
}

}  // namespace vouch
