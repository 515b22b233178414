// Which requests a completing call has completed, as its results tell.
//
// A failed operation is complete, too. After MPI_ERR_IN_STATUS the statuses tell which are; after
// any other error the handles do: what became null is complete.

#pragma once

#include <cstdint>

#include "model/named_request.h"

namespace vouch {

// For each of them: its place among the requests of the call (0 of a single one), its status
// (nullptr: not told) and the error class of its operation. Inactive requests and null handles may
// be among them.
template <typename F>
void each_completed(const Process& process, const Call& call, const Event& leave, F&& f) {
  const ProcInfo& about = call.info();
  const CallParams& at = about.at;
  const auto array = [&](int param) {
    return about.params[static_cast<std::size_t>(param)].is_array();
  };
  const bool told = leave.has_words();
  const int error = leave.error_class();
  if (at.flag >= 0 && (!told || leave.result(at.flag) == 0)) return;
  if (!array(at.request)) {
    // One that is still there may only be inactive.
    if (error != 0 &&
        static_cast<std::uint64_t>(leave.result(at.request)) == call.enter().handle(at.request)) {
      const Request* request = named_request(process, call, at.request, 0).request;
      if (request == nullptr || !request->persistent) return;
    }
    const wire::Status status = told ? leave.result_status(at.status) : wire::Status{};
    return f(std::uint64_t{0}, told ? &status : nullptr, error);
  }
  const auto is = [&](int code, Constant name) {
    return code != 0 &&
           process.constant_of(Kind::error_class, static_cast<std::uint64_t>(code)) == name;
  };
  const std::uint64_t size = call.enter().array(at.request).size();
  const auto became_null = [&](std::uint64_t i) {
    const ArrayView after = leave.result_array(at.request);
    return i < after.size() && process.is_null(Kind::request, static_cast<std::uint64_t>(after[i]));
  };
  if (at.index >= 0 && at.outcount < 0) {
    const std::int64_t i = told ? leave.result(at.index) : -1;  // MPI_UNDEFINED is negative
    const auto place = static_cast<std::uint64_t>(i);
    if (i < 0 || place >= size || (error != 0 && !became_null(place))) return;
    const wire::Status status = leave.result_status(at.status);
    return f(place, &status, error);
  }
  if (error != 0 && !is(error, Constant::err_in_status)) {
    for (std::uint64_t i = 0; i < size; ++i) {
      if (became_null(i)) f(i, static_cast<const wire::Status*>(nullptr), error);
    }
    return;
  }
  const ArrayView statuses = told ? leave.result_array(at.status) : ArrayView();
  const auto judge = [&](std::uint64_t place, std::uint64_t k) {
    if (k >= statuses.size()) return f(place, static_cast<const wire::Status*>(nullptr), 0);
    const wire::Status status = statuses.status(k);
    const int failed = error == 0 ? 0 : status.error;
    if (!is(failed, Constant::err_pending)) f(place, &status, failed);
  };
  if (at.outcount < 0) {
    for (std::uint64_t i = 0; i < size; ++i) judge(i, i);
    return;
  }
  const ArrayView indices = told ? leave.result_array(at.index) : ArrayView();
  const std::int64_t n = told ? leave.result(at.outcount) : 0;
  for (std::uint64_t k = 0; k < indices.size() && static_cast<std::int64_t>(k) < n; ++k) {
    const auto place = static_cast<std::uint64_t>(indices[k]);
    if (place < size) judge(place, k);
  }
}

}  // namespace vouch
