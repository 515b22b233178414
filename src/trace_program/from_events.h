// From the events of one run to its trace program (predict/program/ctp.h).
//
// A process of the program is a rank of MPI_COMM_WORLD; its operations are those its calls asked
// for, in the order of the calls. What the run decided by chance is left out: which message a
// wildcard got. What the program itself decided on is kept: which of several requests a
// MPI_Waitany found complete counts as that request's wait, and a test or probe that found nothing
// left no trace. One that found something is passed when what it found is there; a process that
// stands there forever asks forever.
//
//     MPI_Send, MPI_Recv      the operation, and its wait
//     MPI_Isend, MPI_Start    the operation; the call that completes it is its wait
//     MPI_Sendrecv            both, and one wait for them
//     MPI_Mprobe              a receive and its wait; MPI_Mrecv adds nothing, and where the sender
//                             may have to wait for it that is named
//     collectives             synchronisation in the direction in which data flow
//     VOUCH_ASSERT            a condition over what was received (values.h)
//
// What the program does not show is named: a clean verdict would promise too much.

#pragma once

#include <map>
#include <utility>
#include <vector>

#include "base/result.h"
#include "event/proc.h"
#include "event/text.h"
#include "policy/schedule.h"
#include "predict/program/ctp.h"
#include "report/finding.h"

namespace vouch {

struct TraceProgram {
  predict::Program program{};
  std::vector<NotChecked> not_checked{};
  // Of each operation: its number among those with MPI_ANY_SOURCE of its rank, -1: none.
  std::vector<std::int64_t> wildcards{};
  std::map<int, std::vector<int>> members{};  // of communicators other than the world
  bool answers = false;  // tests, or waits for some of several requests, answered something
  // Communication that is not in it. If nothing was left to chance, every schedule is that of the
  // run, and who has judged the run has judged this, too.
  std::vector<NotChecked> not_shown{};
  bool chance = false;  // wildcards, answers, threads, MPI_Cancel
};

// Fails with one sentence: members of a collective that disagree, no process at all, ...
Result<TraceProgram> program_of(const TextTrace&);

// The same with what the run decided by chance, for whoever wants to have it decided otherwise.
// Receives that never completed stay in it, so that the k-th one from any source here is the k-th
// that the process issued; one that was cancelled is there on no communicator (kNowhere) and gets
// nothing.
struct RunProgram {
  static constexpr int kNowhere = -1;
  struct Mark {  // by MPI_Pcontrol: 1 begins a loop to be left alone, 0 ends it; from 2 on: region
    bool abstracted = false;
    int region = 0;
  };
  // What a call asked for, beyond what its operation shows.
  struct Asked {
    Proc call = Proc::none;
    int thread = 0;
    std::uint64_t comm = 0;   // the same in every run
    std::uint64_t picks = 0;  // picks (policy/schedule.h) of its rank before it
    std::uint64_t data = 0;   // send: a digest of what it reads; 0: not known
  };
  // A wait, or a test that said yes, for some of several requests.
  struct Choice {
    predict::OpId wait = predict::kNoOp;
    std::uint64_t pick = 0;                             // its number
    bool several = false;                               // the call may find more than one
    std::vector<int> chosen{};                          // places in its array
    std::vector<std::pair<int, predict::OpId>> open{};  // all that were pending there
  };
  predict::Program program{};
  std::vector<predict::OpId> met{};  // by operation: receive, probe: the send, or none
  std::vector<Mark> marks{};         // by operation
  std::vector<Asked> asked{};        // by operation
  std::vector<Choice> choices{};     // by wait
  std::vector<bool> stands{};        // by process: it has not returned from its last operation
  bool unfinished = false;           // some process did not return from MPI_Finalize
  policy::Schedule schedule{};       // all that was decided by chance
  bool cancels = false;              // a message might have come before an MPI_Cancel
  bool spawned = false;              // some processes are no part of it, having been spawned
  bool whole = true;  // false: processes talked in ways that are not shown (windows, spawned ones)
  std::map<int, std::vector<int>> members{};  // of communicators other than the world
  std::vector<NotChecked> not_checked{};
};
Result<RunProgram> run_of(const TextTrace&);

}  // namespace vouch
