// Two calls say the same: a digest of the words of an enter record, without what its arrays hold.

#pragma once

#include <cstdint>

#include "event/event.h"

namespace vouch {

inline std::uint64_t digest_of(const Event& enter) {
  std::uint64_t digest = enter.header().proc;
  for (int i = 0; i < enter.info().enter_words; ++i)
    digest = (digest ^ enter.word(i)) * 0x9e3779b97f4a7c15u, digest ^= digest >> 29;
  return digest;
}

}  // namespace vouch
