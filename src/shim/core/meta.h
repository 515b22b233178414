// Records of what is no call (wire::Meta).

#pragma once

#include <cstddef>
#include <cstdint>

#include "event/wire.h"
#include "shim/core/runtime.h"

namespace vouch::shim {

struct Text {
  const char* data;
  std::uint64_t length;
};

// Words, then texts, each a length word and its bytes. False if it could not be recorded.
bool write_meta(Thread&, wire::Meta, const std::uint64_t* words, std::uint32_t count,
                const Text* texts = nullptr, std::uint32_t text_count = 0);

// While one of these lives, a signal handler of the application that calls MPI is forwarded
// unrecorded.
class Busy {
 public:
  explicit Busy(Thread& t) : thread_(t), before_(t.inside) { t.inside = before_ | 1; }
  ~Busy() { thread_.inside = before_; }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

 private:
  Thread& thread_;
  std::uint64_t before_;
};

}  // namespace vouch::shim
