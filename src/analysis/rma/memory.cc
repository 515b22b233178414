#include "analysis/rma/memory.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/count_words.h"
#include "model/ascent.h"
#include "model/saturate.h"

namespace vouch {
namespace {

// All bytes of an access lie in [lo, hi), and its first and last byte are there.
Interval bounds_of(std::int64_t at, std::int64_t count, const Type& type) {
  const std::int64_t last = mul(count - 1, type.extent());
  return {add(add(at, std::min<std::int64_t>(last, 0)), type.true_lb),
          add(add(at, std::max<std::int64_t>(last, 0)), type.true_ub)};
}

bool is_empty(std::int64_t count, const Type& type) { return count <= 0 || type.size == 0; }

}  // namespace

bool WindowPart::holds(std::int64_t lo, std::int64_t hi) const {
  auto after = attached_.upper_bound(lo);
  return after != attached_.begin() && std::prev(after)->second >= hi;
}

WindowPart::Fit WindowPart::fit(std::int64_t disp, std::int64_t count, const Type& type) const {
  if (is_empty(count, type)) return Fit::inside;
  if (!known) return Fit::unclear;
  const Interval box = bounds_of(mul(disp, unit), count, type);
  if (!dynamic) return box.lo >= 0 && box.hi <= bytes ? Fit::inside : Fit::outside;
  if (too_many_) return Fit::unclear;
  if (holds(box.lo, box.hi)) return Fit::inside;
  bool over = false;
  const AscentRef pieces = ascent_of(buffer_layout(type.layout, type.extent(), count), over);
  if (pieces == nullptr) return over ? Fit::unclear : Fit::inside;
  Interval piece{0, 0};
  // From each piece of the memory to the first one behind it that holds the next byte.
  for (std::int64_t from = box.lo; next_piece(*pieces, disp, from, piece);) {
    const auto after = attached_.upper_bound(piece.lo);
    if (after == attached_.begin()) return Fit::outside;
    from = std::prev(after)->second;
    if (from < piece.hi) return Fit::outside;
  }
  return Fit::inside;
}

std::string WindowPart::words(std::int64_t disp, std::int64_t count, const Type& type) const {
  const Interval box = bounds_of(mul(disp, unit), count, type);
  if (dynamic) {
    return fmt::format("{} at {:#x}, which rank {} has not attached to the window",
                       count_words(box.hi - box.lo, "byte"), static_cast<std::uint64_t>(box.lo),
                       rank.value);
  }
  return fmt::format("bytes {} to {}, but the window of rank {} has {}", box.lo, box.hi - 1,
                     rank.value, bytes);
}

void WindowPart::attach(std::int64_t base, std::int64_t size) {
  if (size <= 0) return;
  std::int64_t lo = base, hi = add(base, size);
  auto at = attached_.upper_bound(lo);
  if (at != attached_.begin() && std::prev(at)->second >= lo) --at;
  while (at != attached_.end() && at->first <= hi) {
    lo = std::min(lo, at->first);
    hi = std::max(hi, at->second);
    at = attached_.erase(at);
  }
  if (attached_.size() >= kMostPieces) {
    too_many_ = true;
    return;
  }
  attached_.emplace(lo, hi);
}

void WindowPart::sweep() {
  std::erase_if(waiting_, [&](const WindowAccess& a) {
    return fit(a.disp, a.count, *a.type) == Fit::inside;
  });
  sweep_at_ = std::max<std::size_t>(64, 2 * waiting_.size());
}

bool WindowPart::wait(WindowAccess&& access) {
  if (waiting_.size() >= sweep_at_ && known) sweep();
  if (waiting_.size() >= kMostWaiting) return false;
  waiting_.push_back(std::move(access));
  return true;
}

std::vector<WindowAccess> WindowPart::take_waiting() { return std::exchange(waiting_, {}); }

}  // namespace vouch
