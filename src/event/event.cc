#include "event/event.h"

namespace vouch {
namespace {

constexpr std::uint64_t padded(std::uint64_t bytes) { return (bytes + 7) & ~std::uint64_t{7}; }

}  // namespace

// Tails stand in parameter order, each padded to 8 bytes, so the ones before tell where this one
// begins.
const std::byte* Event::tail(int position, bool leave) const {
  const ProcInfo& proc = info();
  const std::byte* at = tails_ != nullptr
                            ? tails_
                            : reinterpret_cast<const std::byte*>(
                                  words_ + (leave ? proc.leave_words : proc.enter_words));
  if (position == 0) return at;
  for (const Param& p : proc.params) {
    const int its = leave ? p.leave_tail : p.enter_tail;
    if (its < 0) continue;
    if (its == position) break;
    at += padded(words_[leave ? p.leave_word : p.enter_word + 1] * p.elem_size);
  }
  return at;
}

std::span<const std::byte> Event::blob_tails() const {
  if (tails_ == nullptr) return {};
  std::uint64_t bytes = 0;
  for (const Param& p : info().params) {
    const int word = is_leave() ? (p.leave_tail >= 0 ? p.leave_word : -1)
                                : (p.enter_tail >= 0 ? p.enter_word + 1 : -1);
    if (word >= 0) bytes += padded(words_[word] * p.elem_size);
  }
  return {tails_, bytes};
}

ArrayView Event::array(int param) const {
  const Param& p = at(param);
  VOUCH_CHECK(p.enter_tail >= 0);
  return {tail(p.enter_tail, false), words_[p.enter_word + 1], p.elem_size};
}

ArrayView Event::result_array(int param) const {
  const Param& p = at(param);
  VOUCH_CHECK(p.leave_tail >= 0);
  return {tail(p.leave_tail, true), words_[p.leave_word], p.elem_size};
}

}  // namespace vouch
