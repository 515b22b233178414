// Datatype constructors whose arguments are bound to each other.

#include <fmt/format.h>

#include "analysis/argument/checks.h"

namespace vouch {
namespace {

void fire_entry(Checker& c, int param, std::uint64_t i, std::int64_t v, std::string_view must) {
  c.fire(Rule::type_constructor, param,
         [&] { return fmt::format("{} must be {}", c.show(param, i, v), must); });
}

// Positive number of dimensions; without it the arrays mean nothing.
bool has_dimensions(Checker& c, int ndims) {
  if (c.value(ndims) > 0) return true;
  c.fire(Rule::type_constructor, ndims,
         [&] { return fmt::format("{} must be positive", c.show(ndims)); });
  return false;
}

// How a dimension is distributed, as this library numbers it.
enum class Spread { none, block, cyclic, unknown };

Spread spread(const Process& process, std::int64_t v) {
  const auto is = [&](Constant constant) {
    return v == wire::kConstantBase + static_cast<int>(constant) ||
           is_library_value(process, constant, v);
  };
  if (is(Constant::distribute_block)) return Spread::block;
  if (is(Constant::distribute_cyclic)) return Spread::cyclic;
  if (is(Constant::distribute_none)) return Spread::none;
  return Spread::unknown;
}

}  // namespace

// MPI-4.1 5.1.3.
void check_subarray(Checker& c, const Step&) {
  const int ndims = c.info.first(Kind::ndims, Dir::in);
  const int sizes = c.info.param(Arg::array_of_sizes);
  const int subsizes = c.info.param(Arg::array_of_subsizes);
  const int starts = c.info.param(Arg::array_of_starts);
  if (ndims < 0 || sizes < 0 || subsizes < 0 || starts < 0 || !has_dimensions(c, ndims)) return;
  const ArrayView size = c.event.array(sizes);
  const ArrayView sub = c.event.array(subsizes);
  const ArrayView start = c.event.array(starts);
  for (std::uint64_t i = 0; i < size.size() && i < sub.size() && i < start.size(); ++i) {
    if (size[i] < 1) return fire_entry(c, sizes, i, size[i], "at least 1");
    if (sub[i] < 1 || sub[i] > size[i]) {
      return fire_entry(c, subsizes, i, sub[i], fmt::format("in 1..{}", size[i]));
    }
    if (start[i] < 0 || start[i] > size[i] - sub[i]) {
      return fire_entry(c, starts, i, start[i], fmt::format("in 0..{}", size[i] - sub[i]));
    }
  }
}

// MPI-4.1 5.1.4.
void check_darray(Checker& c, const Step&) {
  const int size = c.info.param(Arg::size);
  const int rank = c.info.param(Arg::rank);
  const int ndims = c.info.first(Kind::ndims, Dir::in);
  const int gsizes = c.info.param(Arg::array_of_gsizes);
  const int distribs = c.info.param(Arg::array_of_distribs);
  const int dargs = c.info.param(Arg::array_of_dargs);
  const int psizes = c.info.param(Arg::array_of_psizes);
  if (size < 0 || rank < 0 || ndims < 0 || gsizes < 0 || distribs < 0 || dargs < 0 || psizes < 0)
    return;
  if (!has_dimensions(c, ndims)) return;
  if (c.value(size) < 1) {
    c.fire(Rule::type_constructor, size,
           [&] { return fmt::format("{} must be positive", c.show(size)); });
    return;
  }
  if (c.value(rank) < 0 || c.value(rank) >= c.value(size)) {
    c.fire(Rule::type_constructor, rank,
           [&] { return fmt::format("{} must be in 0..{}", c.show(rank), c.value(size) - 1); });
  }
  const ArrayView gsize = c.event.array(gsizes);
  const ArrayView distrib = c.event.array(distribs);
  const ArrayView darg = c.event.array(dargs);
  const ArrayView psize = c.event.array(psizes);
  std::int64_t grid = 1;
  const std::uint64_t n = static_cast<std::uint64_t>(c.value(ndims));
  if (gsize.size() < n || distrib.size() < n || darg.size() < n || psize.size() < n) return;
  for (std::uint64_t i = 0; i < n; ++i) {
    if (gsize[i] < 1) return fire_entry(c, gsizes, i, gsize[i], "at least 1");
    if (psize[i] < 1) return fire_entry(c, psizes, i, psize[i], "at least 1");
    const Spread how = spread(c.process, distrib[i]);
    if (how == Spread::unknown) {
      if (!c.process.has(Constant::distribute_cyclic)) return;
      c.fire(Rule::argument_constant, distribs, [&] {
        return fmt::format(
            "{} is not one of MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE",
            c.show(distribs, i, distrib[i]));
      });
      return;
    }
    const bool by_default =
        darg[i] == wire::kConstantBase + static_cast<int>(Constant::distribute_dflt_darg) ||
        is_library_value(c.process, Constant::distribute_dflt_darg, darg[i]);
    if (how == Spread::none && psize[i] != 1) {
      return fire_entry(c, psizes, i, psize[i], "1 where nothing is distributed");
    }
    if (how != Spread::none && !by_default && darg[i] < 1) {
      return fire_entry(c, dargs, i, darg[i], "positive or MPI_DISTRIBUTE_DFLT_DARG");
    }
    if (how == Spread::block && !by_default && darg[i] * psize[i] < gsize[i]) {
      return fire_entry(c, dargs, i, darg[i],
                        fmt::format("at least {}", (gsize[i] + psize[i] - 1) / psize[i]));
    }
    grid *= psize[i];
  }
  if (grid != c.value(size)) {
    c.fire(Rule::type_constructor, psizes, [&] {
      return fmt::format("array_of_psizes multiplies to {}, but size={}", grid, c.value(size));
    });
  }
}

}  // namespace vouch
