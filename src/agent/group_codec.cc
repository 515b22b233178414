#include "agent/group_codec.h"

#include <utility>

namespace vouch {

void write(ByteWriter& out, const Members& members) {
  out.number(members.runs.size());
  for (const RankRun& run : members.runs) {
    out.integer(run.first);
    out.integer(run.stride);
    out.integer(run.length);
  }
}

const Members* read_members(ByteReader& in, World& world) {
  const int ranks = world.ranks();
  Members members;
  for (std::size_t n = in.count(3); n > 0 && in.ok(); --n) {
    RankRun run;
    run.first = in.integer<int>();
    run.stride = in.integer<int>();
    run.length = in.integer<int>();
    const std::int64_t last = std::int64_t{run.first} + std::int64_t{run.stride} * (run.length - 1);
    if (run.length < 1 || run.length > ranks || run.first < 0 || run.first >= ranks || last < 0 ||
        last >= ranks) {
      in.fail();
      break;
    }
    members.runs.push_back(run);
  }
  return in.ok() ? world.intern(std::move(members)) : nullptr;
}

}  // namespace vouch
