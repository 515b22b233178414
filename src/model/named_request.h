// Which request a call means by a handle.
//
// Several live requests may share one handle (Request::twins). A call that is given the variable
// the handle was written to means that request. A copy of the handle tells less: of the requests
// that nobody names by their variable, the copies of an array mean the oldest ones in the order of
// the array, which is how arrays are filled. If there are as many copies as such requests, all are
// meant whatever the order, and that is certain.

#pragma once

#include <algorithm>

#include "model/process.h"

namespace vouch {

struct NamedRequest {
  const Request* request = nullptr;  // nullptr: not known, null, or gone
  bool certain = true;
};

// Element `i` (0 of a single one) of the call's parameter `param`, which holds requests.
NamedRequest named_request(const Process&, const Call&, int param, std::uint64_t i);
// Of a parameter that is a single request; most share their handle with no other.
inline NamedRequest named_request(const Process& process, const Call& call, int param) {
  const Request* only = process.requests.find(call.enter().handle(param));
  if (only == nullptr || (only->twins.empty() && call.meant.empty())) [[likely]]
    return {only, true};
  return named_request(process, call, param, 0);
}

// The elements of a parameter that is an array of requests.
class NamedRequests {
 public:
  NamedRequests(const Process& process, const Call& call, int param)
      : process_(process), call_(call), param_(param), handles_(call.enter().array(param)) {}
  std::uint64_t size() const { return handles_.size(); }
  std::uint64_t raw(std::uint64_t i) const { return static_cast<std::uint64_t>(handles_[i]); }
  NamedRequest operator[](std::uint64_t i) const {
    return i < size() ? of(i, process_.requests.find(raw(i))) : NamedRequest{};
  }
  // `newest`: that the handle names by itself.
  NamedRequest of(std::uint64_t i, const Request* newest) const {
    if (newest == nullptr || (newest->twins.empty() && call_.meant.empty())) [[likely]]
      return {newest, true};
    return named_request(process_, call_, param_, i);
  }

 private:
  const Process& process_;
  const Call& call_;
  const int param_;
  const ArrayView handles_;
};

// Those of a request's partitions that MPI_Pready and its kin name.
template <typename F>
void each_partition(const Call& call, std::size_t partitions, F&& f) {
  const Event enter = call.enter();
  const int first = call.info().first(Kind::partition, Dir::in);
  const auto end = static_cast<std::int64_t>(partitions);
  if (call.info().params[static_cast<std::size_t>(first)].is_array()) {
    const ArrayView list = enter.array(first);
    for (std::uint64_t i = 0; i < list.size(); ++i) {
      if (list[i] >= 0 && list[i] < end) f(static_cast<std::size_t>(list[i]));
    }
    return;
  }
  const std::int64_t low = enter.value(first);
  const std::int64_t high = call.proc() == Proc::pready_range ? enter.value(first + 1) : low;
  for (std::int64_t i = std::max<std::int64_t>(low, 0); i <= std::min(high, end - 1); ++i)
    f(static_cast<std::size_t>(i));
}

}  // namespace vouch
