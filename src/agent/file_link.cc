#include "agent/file_link.h"

#include <algorithm>

#include "agent/group_codec.h"
#include "base/bytes.h"

namespace vouch {

// An access to many ranges is as many accesses.
void FileLink::tell(int home, const FileNews& news) {
  constexpr std::size_t kMost = 4096;
  std::size_t first = 0;
  do {
    const std::size_t last = std::min(first + kMost, news.ranges.size());
    send(home, news, first, last);
    first = last;
  } while (first < news.ranges.size());
}

void FileLink::send(int home, const FileNews& news, std::size_t first, std::size_t last) {
  // Places first: they are packets of their own.
  const std::uint32_t site = places_.number(home, news.access.site);
  const std::uint32_t place = places_.number(home, news.place.site);
  bytes_.clear();
  ByteWriter out(bytes_);
  out.byte(static_cast<std::uint8_t>(news.what));
  out.number(news.file);
  write(out, *news.members);
  out.integer(news.rank);
  out.number(site);
  out.number(static_cast<std::uint64_t>(news.access.proc));
  out.flag(news.access.writes);
  out.number(news.access.synced);
  out.number(news.access.settled);
  out.number(news.number);
  out.number(news.print);
  out.integer(news.place.rank.value);
  out.number(place);
  out.string(news.place.call);
  out.string(news.place.role);
  out.byte(static_cast<std::uint8_t>(news.step.what));
  out.integer(news.step.amount);
  out.integer(news.step.origin);
  out.flag(news.step.known);
  out.flag(news.step.compared);
  out.flag(news.append);
  out.number(last - first);
  std::int64_t at = 0;
  for (std::size_t i = first; i < last; ++i) {
    out.integer(news.ranges[i].first - at);
    out.integer(news.ranges[i].second - news.ranges[i].first);
    at = news.ranges[i].second;
  }
  wire_.send(home, net::Lane::regular, Packet::file, bytes_);
}

bool FileLink::take(int from, std::string_view bytes) {
  ByteReader in(bytes);
  FileNews news;
  news.what =
      static_cast<FileNews::What>(in.byte_below(static_cast<std::uint8_t>(FileNews::What::count_)));
  news.file = in.number();
  news.members = read_members(in, world_);
  news.rank = in.integer<int>();
  news.access.site = places_.site(from, static_cast<std::uint32_t>(in.number()));
  const std::uint64_t proc = in.number();
  news.access.proc = static_cast<Proc>(proc);
  news.access.writes = in.flag();
  news.access.synced = static_cast<std::uint32_t>(in.number());
  news.access.settled = static_cast<std::uint32_t>(in.number());
  news.number = static_cast<std::uint32_t>(in.number());
  news.print = in.number();
  news.place.rank = WorldRank{in.integer<int>()};
  news.place.site = places_.site(from, static_cast<std::uint32_t>(in.number()));
  news.place.call = in.string();
  news.place.role = in.string();
  news.step.what = static_cast<SharedPointer::Step::What>(
      in.byte_below(static_cast<std::uint8_t>(SharedPointer::Step::What::move) + 1));
  news.step.amount = in.integer();
  news.step.origin = in.integer();
  news.step.known = in.flag();
  news.step.compared = in.flag();
  news.append = in.flag();
  news.access.shared = news.what == FileNews::What::shared;
  std::int64_t at = 0;
  for (std::size_t n = in.count(2); n > 0 && in.ok(); --n) {
    const std::int64_t lo = at + in.integer(), hi = lo + in.integer();
    if (lo < 0 || hi <= lo) return false;
    news.ranges.emplace_back(lo, hi);
    at = hi;
  }
  if (!in.done() || news.members == nullptr || news.rank < 0 ||
      proc >= static_cast<std::uint64_t>(Proc::count_) ||
      world_.owner(news.members->world(CommRank{news.rank})) != from)
    return false;
  files_.take(news);
  return true;
}

}  // namespace vouch
