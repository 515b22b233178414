// Persistent receives from any source, in a guided run.
//
// Such a receive cannot change its source. So when it is started with a decided one, another
// persistent receive is made for it, from that source, and started instead. The user keeps the
// handle; where a call gets it, the library gets the other one.

#pragma once

#include "shim/core/call.h"
#include "shim/core/lib.h"

namespace vouch::shim {

// The request that the library shall see in place of the user's.
MPI_Request stand_in_for(MPI_Request);
bool any_stand_ins();
// Decides the source and makes the stand-in; what is to be started is returned.
MPI_Request start_as(Call&, MPI_Request, std::uint64_t place);
void forget_stand_in(MPI_Request);

// The user's array as the library shall see it.
class RequestView {
 public:
  RequestView(int count, MPI_Request* users);
  // What the library has set to null is set in the user's array.
  ~RequestView();
  RequestView(const RequestView&) = delete;
  RequestView& operator=(const RequestView&) = delete;

  MPI_Request* get() { return view_; }
  MPI_Request& operator[](int i) { return view_[i]; }

 private:
  static constexpr int kFew = 16;
  std::uint64_t bytes() const { return static_cast<std::uint64_t>(count_) * sizeof(MPI_Request); }
  MPI_Request* const users_;
  const int count_;
  MPI_Request* view_;
  MPI_Request few_[kFew];
};

}  // namespace vouch::shim
