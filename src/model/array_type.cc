// Subarrays and distributed arrays (MPI-4.1 5.1.3, 5.1.4).
//
// Built dimension by dimension from the fastest one: `inner` holds what one index of the next
// slower dimension repeats. Its own extent plays no part, since every loop states its stride; the
// result is resized to the whole array.

#include <algorithm>
#include <numeric>

#include "model/datatype.h"
#include "model/saturate.h"

namespace vouch {
namespace {

// Dimensions from fastest to slowest.
std::vector<std::size_t> by_speed(std::size_t n, bool fortran_order) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!fortran_order) std::reverse(order.begin(), order.end());
  return order;
}

TypeRef of_array(Constant combiner, const TypeRef& inner, std::int64_t at, std::int64_t extent,
                 const TypeRef& old, std::vector<std::int64_t> integers) {
  const TypeRef placed = make_hindexed({1}, {at}, inner);
  const TypeRef sized = make_resized(0, extent, placed);
  Type t = *sized;
  t.combiner = combiner;
  t.integers = std::move(integers);
  t.addresses.clear();
  t.types = {old};
  return std::make_shared<const Type>(std::move(t));
}

// What one process holds of a dimension: `full` blocks of `block` indices, `period` apart from
// `start` on, then `rest` indices.
struct Share {
  std::int64_t start = 0, full = 0, block = 0, period = 0, rest = 0;
};

bool share_of(const DarrayDim& d, std::int64_t coordinate, Share& s) {
  if (d.gsize < 1 || d.processes < 1) return false;
  switch (d.distribution) {
    case Distribution::none:
      if (d.processes != 1) return false;
      s = {0, 1, d.gsize, d.gsize, 0};
      return true;
    case Distribution::block: {
      const std::int64_t least = (d.gsize + d.processes - 1) / d.processes;
      const std::int64_t block = d.argument < 0 ? least : d.argument;
      if (block <= 0 || mul(block, d.processes) < d.gsize) return false;
      const std::int64_t start = mul(coordinate, block);
      const std::int64_t mine = std::max<std::int64_t>(std::min(block, d.gsize - start), 0);
      s = {start, mine > 0, mine, mine, 0};
      return true;
    }
    default: {
      const std::int64_t block = d.argument < 0 ? 1 : d.argument;
      if (block <= 0) return false;
      const std::int64_t start = mul(coordinate, block), period = mul(block, d.processes);
      const std::int64_t from =
          std::max<std::int64_t>(d.gsize - start, 0);  // indices from our first one on
      s = {start, from / period, block, period, 0};
      const std::int64_t tail = from % period;
      if (tail >= block) {
        ++s.full;
      } else {
        s.rest = tail;
      }
      return true;
    }
  }
}

}  // namespace

TypeRef make_subarray(const std::vector<std::int64_t>& sizes,
                      const std::vector<std::int64_t>& subsizes,
                      const std::vector<std::int64_t>& starts, bool fortran_order,
                      const TypeRef& old) {
  const std::size_t n = sizes.size();
  if (old == nullptr || n == 0 || subsizes.size() != n || starts.size() != n) return nullptr;
  TypeRef inner = old;
  std::int64_t stride = old->extent(), at = 0;
  for (const std::size_t d : by_speed(n, fortran_order)) {
    if (sizes[d] < 1 || subsizes[d] < 0 || starts[d] < 0 || add(starts[d], subsizes[d]) > sizes[d])
      return nullptr;
    inner = make_hvector(subsizes[d], 1, stride, inner);
    at = add(at, mul(starts[d], stride));
    stride = mul(stride, sizes[d]);
  }
  std::vector<std::int64_t> integers{static_cast<std::int64_t>(n)};
  for (const auto* list : {&sizes, &subsizes, &starts})
    integers.insert(integers.end(), list->begin(), list->end());
  integers.push_back(fortran_order);
  return of_array(Constant::combiner_subarray, inner, at, stride, old, std::move(integers));
}

TypeRef make_darray(std::int64_t size, std::int64_t rank, const std::vector<DarrayDim>& dims,
                    bool fortran_order, const TypeRef& old) {
  const std::size_t n = dims.size();
  if (old == nullptr || n == 0 || size < 1 || rank < 0 || rank >= size) return nullptr;
  // The process grid is always row-major.
  std::vector<std::int64_t> coordinates(n);
  std::int64_t left = rank, grid = 1;
  for (std::size_t d = n; d-- > 0;) {
    if (dims[d].processes < 1) return nullptr;
    coordinates[d] = left % dims[d].processes;
    left /= dims[d].processes;
    grid = mul(grid, dims[d].processes);
  }
  if (grid != size) return nullptr;
  TypeRef inner = old;
  std::int64_t stride = old->extent(), at = 0;
  for (const std::size_t d : by_speed(n, fortran_order)) {
    Share s;
    if (!share_of(dims[d], coordinates[d], s)) return nullptr;
    const TypeRef block = make_hvector(s.block, 1, stride, inner);
    const TypeRef whole = make_hvector(s.full, 1, mul(s.period, stride), block);
    inner = s.rest == 0 ? whole
                        : make_struct({1, 1}, {0, mul(mul(s.full, s.period), stride)},
                                      {whole, make_hvector(s.rest, 1, stride, inner)});
    at = add(at, mul(s.start, stride));
    stride = mul(stride, dims[d].gsize);
  }
  std::vector<std::int64_t> integers{size, rank, static_cast<std::int64_t>(n)};
  for (const DarrayDim& d : dims) integers.push_back(d.gsize);
  for (const DarrayDim& d : dims) integers.push_back(static_cast<std::int64_t>(d.distribution));
  for (const DarrayDim& d : dims) integers.push_back(d.argument);
  for (const DarrayDim& d : dims) integers.push_back(d.processes);
  integers.push_back(fortran_order);
  return of_array(Constant::combiner_darray, inner, at, stride, old, std::move(integers));
}

}  // namespace vouch
