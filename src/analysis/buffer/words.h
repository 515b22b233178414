// How memory is called in messages.

#pragma once

#include <string>

#include <fmt/format.h>

#include "base/count_words.h"
#include "event/proc.h"
#include "memory/region.h"

namespace vouch {

inline std::string bytes_words(std::int64_t n) {
  if (n <= 0) return "memory";
  return count_words(n, "byte");
}

// "recvbuf", "block 3 of recvbuf", "partition 0 of buf".
inline std::string region_words(const Region& r, Proc of) {
  const char* name = info(of).params[static_cast<std::size_t>(r.param)].name;
  if (r.block < 0) return name;
  return info(of).family == Family::partitioned ? fmt::format("partition {} of {}", r.block, name)
                                                : fmt::format("block {} of {}", r.block, name);
}

}  // namespace vouch
