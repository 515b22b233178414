// What somebody keeps of each process: made when it is asked for, at a stable address.

#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "model/process.h"

namespace vouch {

template <typename T>
class PerProcess {
 public:
  T& operator[](const Process& process) { return (*this)[process.index]; }
  T& operator[](std::size_t i) { return i < count_ && all_[i] != nullptr ? *all_[i] : make(i); }
  // nullptr: nothing was asked for yet.
  T* find(const Process& process) { return find(process.index); }
  const T* find(const Process& process) const { return find(process.index); }
  T* find(std::size_t index) { return index < all_.size() ? all_[index].get() : nullptr; }
  const T* find(std::size_t index) const {
    return index < all_.size() ? all_[index].get() : nullptr;
  }
  void drop(const Process& process) {
    if (process.index < all_.size()) all_[process.index].reset();
  }

  // f(index of the process, T&), in their order.
  template <typename F>
  void for_each(F&& f) {
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (all_[i] != nullptr) f(i, *all_[i]);
    }
  }
  template <typename F>
  void for_each(F&& f) const {
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (all_[i] != nullptr) f(i, std::as_const(*all_[i]));
    }
  }

 private:
  [[gnu::noinline]] T& make(std::size_t index) {
    if (index >= all_.size()) all_.resize(index + 1);
    count_ = all_.size();
    all_[index] = std::make_unique<T>();
    return *all_[index];
  }

  std::vector<std::unique_ptr<T>> all_;
  std::size_t count_ = 0;  // of them: it is asked for all the time
};

}  // namespace vouch
