// One state of a running trace program, and the steps it allows.
//
// The rules at the head of ctp.h, written as directly as possible and without looking at any
// encoding: explorer and replay stand on it, and the encodings are tested against them. So it
// prefers being plainly right over being fast: a state scans its operations.

#pragma once

#include <string>
#include <vector>

#include "predict/program/ctp.h"

namespace vouch::predict {

// Why a step cannot be taken. Most refusals are only asked about, so the sentence comes later.
struct Refusal {
  enum class Why : std::uint8_t {
    none,
    unknown,
    not_issuable,
    issued_before,
    not_reached,
    not_issued,
    unmatched,
    not_entered,
    no_message,
    not_blocking,
    no_receive,
    no_send,
    matched_before,
    not_accepted,
    earlier_send,
    earlier_receive
  };
  Why why = Why::none;
  OpId op = kNoOp, other = kNoOp;
  explicit operator bool() const { return why != Why::none; }
};

class State {
 public:
  State(const Program&, Buffering);

  Refusal refusal(const Step&) const;  // none: it can be taken now
  void take(const Step&);              // one that is not refused

  // Issues and passes until none is left; they never prevent anything and never choose. Steps taken
  // are appended to the schedule, if there is one.
  void settle(Schedule* = nullptr);
  // The matches possible now. After settle() there is nothing else to do.
  std::vector<Step> matches() const;
  // All steps possible now, of every kind.
  std::vector<Step> enabled() const;

  bool finished() const;
  bool finished(int process) const { return at_[process] == program_->first[process + 1]; }
  // Where the process stands: the operation it has not passed yet.
  OpId at(int process) const { return at_[process]; }
  bool issued(OpId op) const {
    const int p = program_->ops[op].process;
    return op < at_[p] || (op == at_[p] && entered_[p]);
  }
  OpId partner(OpId op) const { return partner_[op]; }  // kNoOp: unmatched
  std::vector<Match> matching() const;                  // by receive

  bool operator==(const State&) const = default;
  // Equal for equal states of one program.
  std::string key() const;

 private:
  Refusal refuse_issue(OpId) const;
  Refusal refuse_pass(OpId) const;
  Refusal refuse_match(OpId receive, OpId send) const;
  Refusal incomplete(OpId) const;
  bool can_be_matched(OpId receive, OpId send) const;
  void go_on(int process);

  const Program* program_;
  Buffering buffering_;
  std::vector<OpId> at_;       // by process
  std::vector<bool> entered_;  // by process: the operation at_ is issued, though not passed
  std::vector<OpId> partner_;  // by operation
};

// How a schedule ends.
enum class End : std::uint8_t { complete, deadlock, unfinished };

struct Replayed {
  End end = End::unfinished;
  State state;  // after the last step
};

// Executes a schedule step by step. The error names the first step that is not allowed.
Result<Replayed> replay(const Program&, Buffering, const Schedule&);
// How a state ends: `unfinished` when there is still something to do.
End end_of(const State&);

std::string print_refusal(const Program&, const Refusal&);
std::string print_step(const Program&, const Step&);
// One line per step.
std::string print_schedule(const Program&, const Schedule&);

// In a complete matching, the value each receive gets (by OpId).
std::vector<std::int64_t> values_of(const Program&, const std::vector<Match>&);

}  // namespace vouch::predict
