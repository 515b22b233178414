// The counting machine: runs a trace program with numbers instead of messages.
//
// It does not choose who takes what. A receive may go on as long as so many messages of its kind
// were sent as receives of that kind (and narrower) need. That is more than can really happen, so
// where it stops every execution stops, and an instance (receives at which processes are meant to
// be stuck) that it cannot reach is infeasible. Quadratic at worst, and the order of its steps does
// not matter.
//
// Against the dissertation: the count of (destination, any) is of all receives there, not only of
// the wildcards, and receives queue at their corrected nearest-enclosing wait; both are needed:
// without the second T-NEW would be called a deadlock. Tags are kinds like sources. Sends never
// stop it, so its answers hold for every buffering, with zero buffering less sharply.

#pragma once

#include <unordered_map>
#include <vector>

#include "predict/program/ctp.h"

namespace vouch::predict {

class CountingMachine {
 public:
  explicit CountingMachine(const Program&);

  // Stops at these receives (or probes): in the order of its wait queue, before counting it.
  void suspend(OpId op) { suspended_[op] = true; }
  void release(OpId op) { suspended_[op] = false; }

  // As far as it goes; again after a release.
  void run();

  bool finished() const;
  bool finished(int process) const { return at_[process] == program_->first[process + 1]; }
  OpId at(int process) const { return at_[process]; }
  // The process stands at this suspended receive.
  bool stopped_at(OpId op) const { return stopped_[program_->ops[op].process] == op; }

  // Messages issued to `dest` of this kind, and receives counted there that accept nothing else.
  std::size_t sent(int dest, int source = kAny, int tag = kAny, int comm = 0) const;
  std::size_t received(int dest, int source = kAny, int tag = kAny, int comm = 0) const;
  // Messages issued that the receive or probe accepts.
  std::size_t sent_for(OpId receive) const { return sent_[kinds_[receive].front()]; }

 private:
  using Kind = std::uint32_t;  // index into sent_ and received_
  struct KindKey {
    int dest, comm, source, tag;
    bool operator==(const KindKey&) const = default;
  };
  struct KindHash {
    std::size_t operator()(const KindKey&) const;
  };

  Kind kind(int dest, int comm, int source, int tag);
  bool step(int process);
  bool pass_wait(const Operation&, OpId);
  bool entered(OpId sync) const;
  bool all_needed_entered(OpId sync) const;
  bool may_receive(OpId) const;

  const Program* program_;
  std::unordered_map<KindKey, Kind, KindHash> kind_ids_;
  std::vector<std::vector<Kind>> kinds_;      // by send, receive, probe: the kinds that contain it
  std::vector<std::size_t> sent_, received_;  // by kind
  std::vector<std::vector<OpId>> queue_;      // by wait: receives it certifies
  std::vector<std::size_t> popped_;           // by wait
  std::vector<OpId> at_;                      // by process
  std::vector<bool> inside_;                  // by process: entered the collective at_
  std::vector<OpId> stopped_;                 // by process
  std::vector<bool> suspended_;               // by operation
};

// Some process cannot end in any execution, with any buffering.
bool always_deadlocks(const Program&);

}  // namespace vouch::predict
