// Objects that come and go all the time, at stable addresses. Memory follows the most that were
// alive at once.

#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace vouch {

template <typename T>
class Pool {
 public:
  T* take() {
    if (free_.empty()) add_chunk();
    T* object = free_.back();
    free_.pop_back();
    return object;
  }
  void give_back(T* object) {
    if constexpr (requires { object->reset(); }) {
      object->reset();
    } else {
      *object = T{};
    }
    free_.push_back(object);
  }
  std::size_t live() const { return chunks_.size() * kChunk - free_.size(); }
  std::size_t capacity() const { return chunks_.size() * kChunk; }

 private:
  static constexpr std::size_t kChunk = 128;
  void add_chunk() {
    chunks_.push_back(std::make_unique<T[]>(kChunk));
    for (std::size_t i = kChunk; i-- > 0;) free_.push_back(&chunks_.back()[i]);
  }
  std::vector<std::unique_ptr<T[]>> chunks_;
  std::vector<T*> free_;
};

}  // namespace vouch
