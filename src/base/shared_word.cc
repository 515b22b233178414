#include "base/shared_word.h"

#include <new>

#include <sys/mman.h>

namespace vouch {

std::shared_ptr<std::atomic<std::uint32_t>> shared_word() {
  using Word = std::atomic<std::uint32_t>;
  void* at =
      ::mmap(nullptr, sizeof(Word), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) return nullptr;
  return {new (at) Word(0), [](Word* word) { ::munmap(word, sizeof(Word)); }};
}

}  // namespace vouch
