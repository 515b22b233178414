#include "analysis/rma/epochs.h"

#include <fmt/format.h>

namespace vouch {

Epochs::Since Epochs::opener() const {
  if (access_ != Access::locks) return since_;
  for (const Since& lock : locks_) {
    if (lock.proc != Proc::none) return lock;
  }
  return {};
}

std::string Epochs::Fault::message() const {
  return fmt::format(fmt::runtime(text), fmt::arg("rank", target),
                     fmt::arg("call", call == Proc::none ? "" : info(call).name));
}

Epochs::Fault Epochs::nested(const char* text, Since other, const char* role) {
  return {.nested = true, .text = text, .other = other, .role = role, .call = other.proc};
}

Epochs::Fault Epochs::missing(const char* text, Cause why, int target) const {
  return {.text = text, .other = closed_, .role = "closed here", .why = why, .target = target};
}

// Another access epoch is open.
Epochs::Fault Epochs::overlaps() const {
  const Since open = opener();
  return nested("the epoch of {call} is open", open);
}

Epochs::Fault Epochs::unfenced() const {
  return nested("no fence has closed the epoch in which {call} was called", moved_, "called here");
}

// A call that opens an access epoch other than by fence.
Epochs::Judged Epochs::opens(Since by) {
  if (fence_ == Fence::used) return unfenced();
  if (fence_ == Fence::open) {
    fence_ = Fence::passed;
    passed_ = by;
  }
  return {};
}

void Epochs::close(Since by) {
  access_ = Access::none;
  since_ = {};
  closed_ = by;
}

Epochs::Judged Epochs::fence(bool no_precede, bool no_succeed, Since by) {
  Judged fault;
  if (access_ != Access::none) {
    fault = overlaps();
  } else if (posted_.proc != Proc::none) {
    fault = nested("the exposure epoch of MPI_Win_post is open", posted_);
  } else if (no_precede && fence_ == Fence::used) {
    fault = nested("it says MPI_MODE_NOPRECEDE, but has to complete {call}", moved_, "called here");
    fault->why = Cause::epoch_no_precede;
  }
  fence_ = no_succeed ? Fence::closed : Fence::open;
  fenced_ = by;
  moved_ = closed_ = {};
  return fault;
}

Epochs::Judged Epochs::start(Since by) {
  if (access_ != Access::none) return overlaps();
  if (Judged fault = opens(by)) return fault;
  access_ = Access::start;
  since_ = by;
  return {};
}

Epochs::Judged Epochs::complete(Since by) {
  if (access_ != Access::start)
    return missing("no MPI_Win_start is open on this window", Cause::epoch_not_open);
  close(by);
  return {};
}

Epochs::Judged Epochs::post(Since by) {
  if (posted_.proc != Proc::none)
    return nested("the exposure epoch of an earlier MPI_Win_post is open", posted_);
  if (access_ == Access::lock_all || (self_ >= 0 && locked(self_))) {
    const Since lock =
        access_ == Access::lock_all ? since_ : locks_[static_cast<std::size_t>(self_)];
    Fault fault = nested("its own memory is locked since {call}", lock, "locked here");
    fault.why = Cause::epoch_locked;
    return fault;
  }
  posted_ = by;
  return {};
}

// MPI-4.1 12.5.3: memory may not be locked and exposed at once.
Epochs::Judged Epochs::exposed(int target) const {
  if (posted_.proc == Proc::none || target != self_) return {};
  Fault fault = nested("its own memory is exposed since {call}", posted_, "exposed here");
  fault.why = Cause::epoch_locked;
  return fault;
}

Epochs::Judged Epochs::test() const {
  if (posted_.proc != Proc::none) return {};
  return Fault{.text = "no MPI_Win_post is open on this window", .why = Cause::epoch_not_open};
}

Epochs::Judged Epochs::wait(Since) {
  Judged fault = test();
  posted_ = {};
  return fault;
}

Epochs::Judged Epochs::lock(int target, Since by) {
  if (access_ == Access::start || access_ == Access::lock_all) return overlaps();
  if (locked(target)) {
    Fault fault = nested("rank {rank} of the window is already locked",
                         locks_[static_cast<std::size_t>(target)], "locked here");
    fault.target = target;
    return fault;
  }
  if (Judged fault = exposed(target)) return fault;
  if (Judged fault = opens(by)) return fault;
  if (static_cast<std::size_t>(target) >= locks_.size())
    locks_.resize(static_cast<std::size_t>(target) + 1);
  locks_[static_cast<std::size_t>(target)] = by;
  access_ = Access::locks;
  ++held_;
  return {};
}

Epochs::Judged Epochs::unlock(int target, Since by) {
  if (!locked(target)) {
    if (access_ == Access::lock_all) {
      return Fault{.text = "the window was locked by MPI_Win_lock_all, not by MPI_Win_lock",
                   .other = since_,
                   .role = "locked here",
                   .why = Cause::epoch_not_open};
    }
    return missing("rank {rank} of the window is not locked", Cause::epoch_not_open, target);
  }
  locks_[static_cast<std::size_t>(target)] = {};
  closed_ = by;
  if (--held_ == 0) close(by);
  return {};
}

Epochs::Judged Epochs::lock_all(Since by) {
  if (access_ != Access::none) return overlaps();
  if (Judged fault = exposed(self_)) return fault;
  if (Judged fault = opens(by)) return fault;
  access_ = Access::lock_all;
  since_ = by;
  return {};
}

Epochs::Judged Epochs::unlock_all(Since by) {
  if (access_ != Access::lock_all) {
    if (access_ == Access::locks)
      return Fault{.text = "the window was locked by MPI_Win_lock, not by MPI_Win_lock_all",
                   .other = opener(),
                   .role = "locked here",
                   .why = Cause::epoch_not_open};
    return missing("no MPI_Win_lock_all is open on this window", Cause::epoch_not_open);
  }
  close(by);
  return {};
}

Epochs::Judged Epochs::flush(int target) const {
  if (access_ == Access::lock_all || locked(target)) return {};
  return missing("rank {rank} of the window is not locked", Cause::epoch_not_open, target);
}

Epochs::Judged Epochs::flush_all() const {
  if (access_ == Access::lock_all || access_ == Access::locks) return {};
  return missing("the window is not locked", Cause::epoch_not_open);
}

Epochs::Judged Epochs::move(int target, bool in_group, bool request, Since by) {
  if (access_ == Access::lock_all || locked(target)) return {};
  const bool fenced = fence_ == Fence::open || fence_ == Fence::used;
  if (request) {
    const Since open = access_ == Access::start ? since_ : fenced ? fenced_ : closed_;
    const bool is_open = access_ == Access::start || fenced;
    return Fault{.text =
                     "rank {rank} of the window is not locked: calls with a request are for "
                     "passive target epochs only",
                 .other = open,
                 .role = is_open ? "opened here" : "closed here",
                 .why = Cause::epoch_request,
                 .target = target};
  }
  if (access_ == Access::start) {
    if (in_group) return {};
    return Fault{.text = "rank {rank} is not in the group of MPI_Win_start",
                 .other = since_,
                 .role = "opened here",
                 .why = Cause::epoch_group,
                 .target = target};
  }
  if (access_ == Access::none && fenced) {
    if (fence_ == Fence::open) moved_ = by;
    fence_ = Fence::used;
    return {};
  }
  if (access_ == Access::locks)
    return Fault{.text = "rank {rank} of the window is not locked",
                 .other = opener(),
                 .role = "another one is locked",
                 .target = target};
  if (fence_ == Fence::closed && closed_.proc == Proc::none)
    return Fault{.text =
                     "no access epoch to rank {rank} is open: the last fence says "
                     "MPI_MODE_NOSUCCEED",
                 .other = fenced_,
                 .role = "fence here",
                 .target = target};
  const bool passed = fence_ == Fence::passed && closed_.proc != Proc::none;
  Fault fault = missing(passed ? "no access epoch to rank {rank} is open; the fence has not opened "
                                 "one either, since {call} came after it"
                               : "no access epoch to rank {rank} is open",
                        Cause::none, target);
  fault.call = passed_.proc;
  return fault;
}

std::vector<Epochs::Since> Epochs::open() const {
  std::vector<Since> all;
  if (access_ != Access::none) all.push_back(opener());
  if (posted_.proc != Proc::none) all.push_back(posted_);
  if (fence_ == Fence::used) all.push_back(fenced_);
  return all;
}

Epochs::Judged Epochs::free() const {
  if (access_ != Access::none) return overlaps();
  if (posted_.proc != Proc::none)
    return nested("the exposure epoch of MPI_Win_post is open", posted_);
  if (fence_ == Fence::used) return unfenced();
  return {};
}

}  // namespace vouch
