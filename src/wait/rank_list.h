// The members of a communicator, in the order of their numbers in it, as runs of ranks.
//
// A record names a million members in a few words. Kept as runs they take no more than that
// record; many communicators with the same members share one list (Group, snapshot.h).

#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <vector>

#include "wait/operation.h"

namespace vouch::wait {

class RankList {
 public:
  // Its i-th rank is first + i * stride.
  struct Run {
    Rank first = 0;
    std::int32_t stride = 0, length = 0;
    Rank operator[](std::int32_t i) const { return first + i * stride; }
    bool operator==(const Run&) const = default;
  };

  RankList() = default;
  RankList(std::initializer_list<Rank> ranks) {
    for (const Rank r : ranks) push_back(r);
  }

  void push_back(Rank rank) {
    if (!runs_.empty() && runs_.back().length == 1) runs_.back().stride = rank - runs_.back().first;
    if (!runs_.empty() && runs_.back()[runs_.back().length] == rank) {
      ++runs_.back().length;
    } else {
      runs_.push_back({rank, 0, 1});
    }
    ++size_;
  }
  void add(const Run& run) {
    if (run.length <= 0) return;
    runs_.push_back(run);
    size_ += static_cast<std::size_t>(run.length);
  }

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  const std::vector<Run>& runs() const { return runs_; }
  Rank operator[](std::size_t i) const {
    auto run = runs_.begin();
    while (i >= static_cast<std::size_t>(run->length)) {
      i -= static_cast<std::size_t>(run->length);
      ++run;
    }
    return (*run)[static_cast<std::int32_t>(i)];
  }
  // Where it stands; -1: nowhere.
  std::int64_t place_of(Rank rank) const {
    std::int64_t before = 0;
    for (const Run& run : runs_) {
      const Rank distance = rank - run.first;
      if (run.stride == 0 ? distance == 0
                          : distance % run.stride == 0 && distance / run.stride >= 0 &&
                                distance / run.stride < run.length)
        return before + (run.stride == 0 ? 0 : distance / run.stride);
      before += run.length;
    }
    return -1;
  }
  bool contains(Rank rank) const { return place_of(rank) >= 0; }
  // Those from 0 to below `end`, in order; what a run has beyond costs nothing. False: there are
  // others.
  template <typename Visit>
  bool visit_below(Rank end, Visit&& visit) const {
    bool all = true;
    for (const Run& run : runs_) {
      std::int32_t i = 0;
      if (run.stride < 0 && run.first >= end) i = (run.first - end) / -run.stride + 1;
      if (run.stride > 0 && run.first < 0)
        i = static_cast<std::int32_t>((std::int64_t{run.stride} - 1 - run.first) / run.stride);
      const std::int32_t from = i;
      while (i < run.length && run[i] >= 0 && run[i] < end) visit(run[i++]);
      all = all && from == 0 && i == run.length;
    }
    return all;
  }

  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Rank;
    using difference_type = std::ptrdiff_t;
    using pointer = const Rank*;
    using reference = Rank;

    Iterator() = default;
    explicit Iterator(const Run* run) : run_(run) {}
    Rank operator*() const { return (*run_)[at_]; }
    Iterator& operator++() {
      if (++at_ == run_->length) {
        ++run_;
        at_ = 0;
      }
      return *this;
    }
    Iterator operator++(int) {
      const Iterator before = *this;
      ++*this;
      return before;
    }
    bool operator==(const Iterator&) const = default;

   private:
    const Run* run_ = nullptr;
    std::int32_t at_ = 0;
  };
  Iterator begin() const { return Iterator(runs_.data()); }
  Iterator end() const { return Iterator(runs_.data() + runs_.size()); }

 private:
  std::vector<Run> runs_;
  std::size_t size_ = 0;
};

}  // namespace vouch::wait
