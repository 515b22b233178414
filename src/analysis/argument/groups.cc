// Groups: ranks that make a new group, ranges, subsets.

#include <fmt/format.h>

#include <vector>

#include "analysis/argument/checks.h"
#include "base/count_words.h"
#include "model/effect.h"

namespace vouch {
namespace {

// The group that ranks are counted in; nullptr if its size is not known.
const Group* known_group(const Checker& c, int param) {
  const Group* group = param >= 0 ? c.group(param) : nullptr;
  return group && (group->members || group->size > 0 || group->predefined()) ? group : nullptr;
}

// Marks which ranks were named already. The array's own size bounds it, not the group's.
class Seen {
 public:
  explicit Seen(int size) : seen_(static_cast<std::size_t>(size)) {}
  bool again(std::int64_t rank) {
    const bool before = seen_[static_cast<std::size_t>(rank)];
    seen_[static_cast<std::size_t>(rank)] = true;
    return before;
  }

 private:
  std::vector<bool> seen_;
};

}  // namespace

void check_group_ranks(Checker& c, const Step& step) {
  const Group* group = known_group(c, step.other);
  if (!group) return;
  const ArrayView ranks = c.event.array(step.param);
  Seen seen(group->size);
  for (std::uint64_t i = 0; i < ranks.size(); ++i) {
    const std::int64_t v = ranks[i];
    if (v < 0 || v >= group->size) {
      c.fire(
          Cause::group_rank, step.param,
          [&] {
            return fmt::format("{} is not in the group, which has {}", c.show(step.param, i, v),
                               count_words(group->size, "rank"));
          },
          c.origin(*group));
      return;
    }
    if (seen.again(v)) {
      c.fire(
          Cause::group_twice, step.param,
          [&] { return fmt::format("{}: rank {} is listed twice", c.show(step.param, i, v), v); },
          c.origin(*group));
      return;
    }
  }
}

void check_group_ranges(Checker& c, const Step& step) {
  const Group* group = known_group(c, step.other);
  if (!group) return;
  const ArrayView triples = c.event.array(step.param);
  Seen seen(group->size);
  for (std::uint64_t i = 0; i + 2 < triples.size(); i += 3) {
    const std::int64_t first = triples[i], last = triples[i + 1], stride = triples[i + 2];
    const auto range = [&] {
      return fmt::format("{}[{}]=({},{},{})", c.param(step.param).name, i / 3, first, last, stride);
    };
    if (stride == 0) {
      c.fire(Cause::group_range, step.param,
             [&] { return fmt::format("{} has stride 0", range()); });
      return;
    }
    // A range that runs away from its end is empty; libraries differ in what they say to it.
    const std::int64_t steps = (last - first) / stride;
    if ((last - first != 0 && ((last < first) != (stride < 0)))) {
      c.fire(Cause::group_range, step.param,
             [&] { return fmt::format("{} never reaches its end", range()); });
      return;
    }
    for (std::int64_t k = 0; k <= steps; ++k) {
      const std::int64_t v = first + k * stride;
      if (v < 0 || v >= group->size) {
        c.fire(
            Cause::group_rank, step.param,
            [&] {
              return fmt::format("{} lists rank {}, which is not in the group of {}", range(), v,
                                 count_words(group->size, "rank"));
            },
            c.origin(*group));
        return;
      }
      if (seen.again(v)) {
        c.fire(
            Cause::group_twice, step.param,
            [&] { return fmt::format("{}: rank {} is listed twice", range(), v); },
            c.origin(*group));
        return;
      }
    }
  }
}

void check_translated_ranks(Checker& c, const Step& step) {
  const Group* group = known_group(c, step.other);
  if (!group) return;
  const ArrayView ranks = c.event.array(step.param);
  for (std::uint64_t i = 0; i < ranks.size(); ++i) {
    const std::int64_t v = ranks[i];
    if ((v >= 0 && v < group->size) || v == wire::kProcNull ||
        is_library_value(c.process, Constant::proc_null, v)) {
      continue;
    }
    c.fire(
        Cause::group_rank, step.param,
        [&] {
          return fmt::format("{} is not in the group, which has {}", c.show(step.param, i, v),
                             count_words(group->size, "rank"));
        },
        c.origin(*group));
    return;
  }
}

void check_subgroup(Checker& c, const Step& step) {
  const Group* group = c.group(step.param);
  const Communicator* comm = c.comm(step.other);
  if (!group || !comm || !group->members || !comm->members) return;
  if (group->members == comm->members) return;
  // Misses: processes of other worlds, which have no world rank here.
  const WorldRank outside = first_outside(*group->members, *comm->members);
  if (outside.value < 0) return;
  c.fire(
      Cause::group_outside, step.param,
      [&] {
        return fmt::format("{} has rank {} of MPI_COMM_WORLD, which is not in {}",
                           c.param(step.param).name, outside.value, c.name(*comm));
      },
      c.origin(*group));
}

}  // namespace vouch
