#include "analysis/io/shared_pointer.h"

#include <algorithm>

#include "model/saturate.h"

namespace vouch {

using What = SharedPointer::Step::What;

void SharedPointer::add(int rank, const Step& step) {
  std::deque<Step>& mine = ahead_[rank];
  begun_ = true;
  if (off_ || (mine.empty() && step.what == What::free)) return take_free(rank, step);
  if (mine.empty()) ++waiting_;
  mine.push_back(step);
  while (waiting_ == members_ && !off_) take_all();
  if (mine.size() <= kAhead) return;
  off_ = true;
  known_ = false;
  for (auto& [r, steps] : ahead_) {
    for (const Step& s : steps) take_free(r, s);
    steps.clear();
  }
}

void SharedPointer::take_free(int rank, const Step& step) {
  if (!step.compared) {
    if (step.what != What::free) return;
  } else if (off_) {
    return conflicts_.add_unplaced(step.access, rank, true);
  } else {
    free_.emplace(std::pair(step.access.key(), rank), step.access);
  }
  free_known_ = free_known_ && step.known && (step.origin >= 0 || step.amount == 0);
  free_bytes_ = vouch::add(free_bytes_, step.amount);
  if (step.origin >= 0) free_origin_ = step.origin;
}

void SharedPointer::flush() {
  for (const auto& [key, access] : free_) {
    if (known_ && free_known_) {
      place(access, key.second, free_origin_, at_, free_bytes_);
    } else {
      conflicts_.add_unplaced(access, key.second, true);
    }
  }
  at_ = vouch::add(at_, free_bytes_);
  known_ = known_ && free_known_;
  free_.clear();
  free_bytes_ = 0;
  free_known_ = true;
}

// Every rank has come to the same collective step, or they disagree, which is a finding.
void SharedPointer::take_all() {
  flush();
  const What kind = ahead_.begin()->second.front().what;
  std::int64_t next = at_;
  bool known = kind == What::set || known_;
  for (const auto& [rank, steps] : ahead_) {
    const Step& step = steps.front();
    known = known && step.known && step.what == kind;
    switch (step.what) {
      case What::ordered:
        if (step.compared && known && step.origin >= 0) {
          place(step.access, rank, step.origin, next, step.amount);
        } else if (step.compared) {
          conflicts_.add_unplaced(step.access, rank, true);
        }
        next = vouch::add(next, step.amount);
        break;
      case What::set:
        next = step.amount;
        break;
      case What::move:
        if (rank == 0) next = vouch::add(next, step.amount);
        break;
      case What::free:
        break;
    }
  }
  at_ = next;
  known_ = known;
  for (auto& [rank, mine] : ahead_) {
    mine.pop_front();
    while (!mine.empty() && mine.front().what == What::free) {
      take_free(rank, mine.front());
      mine.pop_front();
    }
    if (mine.empty()) --waiting_;
  }
}

void SharedPointer::place(const FileAccess& access, int rank, std::int64_t origin,
                          std::int64_t from, std::int64_t n) {
  const std::int64_t lo = vouch::add(origin, from), hi = vouch::add(lo, n);
  if (lo < hi) conflicts_.add(conflicts_.group_of(access), rank, lo, hi);
}

void SharedPointer::finish() {
  flush();
  for (auto& [rank, steps] : ahead_) {
    for (const Step& step : steps) {
      if (step.compared) conflicts_.add_unplaced(step.access, rank, true);
    }
    steps.clear();
  }
}

}  // namespace vouch
