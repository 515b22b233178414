// Which request a call means by a handle.
//
// Several live requests may share one handle (Request::twins). A call that is given the variable
// the handle was written to means that request. A copy of the handle tells less: of the requests
// that nobody names by their variable, the copies of an array mean the oldest ones in the order of
// the array, which is how arrays are filled. If there are as many copies as such requests, all are
// meant whatever the order, and that is certain.

#pragma once

#include "model/process.h"

namespace vouch {

struct NamedRequest {
  const Request* request = nullptr;  // nullptr: not known, null, or gone
  bool certain = true;
};

// Element `i` (0 of a single one) of the call's parameter `param`, which holds requests.
NamedRequest named_request(const Process&, const Call&, int param, std::uint64_t i);

}  // namespace vouch
