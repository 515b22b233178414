#include "cli/help.h"

namespace vouch {

std::string_view help_main() {
  return R"(NAME
  vouch - is this MPI program correct?

SYNOPSIS
  vouch run [OPTIONS] [-n N] [--] COMMAND [ARGUMENT...]
  vouch record -o FILE [OPTIONS] [-n N] [--] COMMAND [ARGUMENT...]
  vouch replay SCHEDULE [OPTIONS] [-n N] [--] COMMAND [ARGUMENT...]
  vouch explore [OPTIONS] -n N COMMAND [ARGUMENT...]
  vouch predict [OPTIONS] FILE
  vouch predict [OPTIONS] -n N COMMAND [ARGUMENT...]
  vouch trace dump FILE
  vouch doctor
  vouch help [COMMAND]
  vouch --version

DESCRIPTION
  vouch runs an MPI program and tells what is wrong with it: which ranks, which calls,
  which source lines, why, and what to do. It works with Open MPI and MPICH, with C, C++,
  Fortran and Python (mpi4py). Nothing is recompiled; compile with -g to see source lines.

COMMANDS
  run       check one run of a program
  record    the same, and keep what was decided by chance
  replay    the same run again: the same matches, the same answers of tests
  explore   run a program again and again until every message race is covered
  predict   decide all schedules of a run or of a recorded trace
  trace     look at the events that a run has kept
  doctor    what is installed, what works here, what is missing and how to get it
  help      the manual of a command; the same as COMMAND --help

EXIT STATUS
  of vouch run: the program's own when nothing is wrong, 60 errors were found,
  61 something could not be checked, 64 wrong usage, 70 internal error.

EXAMPLES
  vouch run -n 4 ./app input.txt
  vouch run -- mpirun -np 4 ./app input.txt
  vouch help run
)";
}

std::string_view help_run() {
  return R"(NAME
  vouch run - check one run of an MPI program

SYNOPSIS
  vouch run [OPTIONS] -n N COMMAND [ARGUMENT...]
  vouch run [OPTIONS] [--] LAUNCHER [ARGUMENT...]
  vouch run [OPTIONS] [--] COMMAND [ARGUMENT...]

DESCRIPTION
  Runs the program and checks every MPI call it makes. The program's output, input,
  signals and exit status pass through; the report comes after its output, on
  standard error.

  With -n, vouch picks the launcher of the MPI library that the program is linked
  with, also through Python scripts. Without -n the command is started as it stands:
  mpirun, mpiexec, srun, a script that calls one of them, or the program alone as one
  rank. Options of vouch stand before the command; what follows belongs to it.

OPTIONS
  -n N                     start N ranks with the launcher that fits
  --mpi openmpi|mpich      which launcher, where the program does not tell (scripts)
  --json FILE              also write the report as JSON
  --trace FILE             also keep all events of the run, for vouch trace
  --suppressions FILE      leave out what FILE names (rule, file, function; may be repeated)
  --strict                 warnings count as errors
  --info                   also list what is only information
  --quiet                  print the findings alone; nothing if there are none
  --check-buffers          also watch the memory of messages: calls that reach past a heap
                           block or a global variable, memory freed or changed while an
                           operation pends. Costs time: each allocation is noted, and
                           what pending sends read is read twice
  --stacks[=N]             record how the program comes to each call: N callers of it
                           (default 8, at most 32). All places of a finding then show
                           them, also those of calls long ago; without it only calls
                           that a rank is stuck in do. Costs some time per call
  --timeout TIME           end the job after TIME: 90, 90s, 2m, 1h. The verdict is then
                           inconclusive unless errors were found; the report tells where
                           each rank was
  --patience TIME          how long a rank whose records wait to be read waits for an agent of
                           vouch that does nothing (default 5s): one that is stopped, not
                           one that is slow. Then the rank goes on unchecked
  --buffering HOW          which sends may block: strict (all that the library may buffer;
                           the default), as-run (those that did), limit=BYTES (longer ones)
  --most-unexpected N      messages that may wait to be received at once (default 10000000, for
                           which vouch needs up to 1 GB). Of more than that the oldest are
                           only counted, with what they have in common, and the report
                           names them as not checked
  --on-deadlock WHAT       end the job (the default), report and let it be, abort (its ranks
                           get SIGABRT), pause (tells how to attach a debugger)
  --picture FILE           also draw who waits for whom in a deadlock: an .svg to look at, or
                           a .dot for Graphviz
  --net WHAT               addresses on which the agents of several nodes meet: an interface
                           (eth0), a network (10.1.0.0/16), ipv4, ipv6, auto (all but
                           loopback; the default where the launcher is told hosts or a
                           batch system gives several nodes), none (this node only)
  --fanout N               children of an agent in the tree of agents (default 16)
  --error-exitcode STATUS  exit status for errors, instead of 60
  --color WHEN             auto (on a terminal; the default), always, never
  -h, --help               this text

EXIT STATUS
  The program's own   the verdict is clean (perhaps with warnings)
  60                  error: at least one error was found
  61                  inconclusive: no error, but something was not checked; the report names it
  64                  wrong usage: unknown option, no such program, a program that vouch cannot check
  70                  internal error, or the report could not be written

ENVIRONMENT
  NO_COLOR    if set, no colours unless --color always
  LD_PRELOAD  libraries named there stay before that of vouch, runtimes of sanitizers behind it

EXAMPLES
  vouch run -n 4 ./app input.txt            check a run with four ranks
  vouch run -n 2 python3 solver.py          Python with mpi4py
  vouch run -- srun -n 64 ./app             any launcher as it stands
  vouch run --timeout 5m --json r.json -n 4 ./app
                                            for a test system
)";
}

std::string_view help_explore() {
  return R"(NAME
  vouch explore - run a program until every message race has been covered

SYNOPSIS
  vouch explore [OPTIONS] -n N COMMAND [ARGUMENT...]

DESCRIPTION
  Which message a receive from MPI_ANY_SOURCE gets is up to chance. vouch explore runs the
  program, finds out from its clocks which other messages each of them could have got, and
  runs it again with another choice, until each outcome was run once. Every run is checked
  as by vouch run; each finding is told once, with the command that shows it again.

  The program must depend on nothing but its input and the order of its messages; a run
  that does not follow its schedule is told, and the verdict is inconclusive.

  MPI_Pcontrol(1) begins a part of the program in which other choices are not explored,
  MPI_Pcontrol(0) ends it; MPI_Pcontrol(R), R from 2 on, begins region R (see -k).

OPTIONS
  -n N                     ranks
  --mpi openmpi|mpich      which launcher, where the program does not tell (scripts)
  --engine clocks|poe      how the alternatives of a run are found: by clocks, or as ISP does,
                           with all match-sets fired before the wildcard. The same
                           schedules; poe also says which barriers order nothing
  --sends HOW              buffered (the default): as the library does it; synchronous:
                           standard sends wait for their receives, so deadlocks that
                           buffering hides are found
  --clocks lvcp|llcp       vector clocks (the default) find every outcome; Lamport clocks
                           may miss some where several ranks receive from any source
  --clocks-in-band         also carry these clocks in the program's own messages, as the
                           literature does, and compare them with those that vouch computes
                           from its records; for comparison, it costs and finds nothing more
  --clocks-file FILE       write there what the carried clocks told, one line per event
  --outcomes WHAT          sources: which message a receive or probe from MPI_ANY_SOURCE gets;
                           waits: also which of several requests MPI_Waitany, MPI_Waitsome,
                           MPI_Testany and MPI_Testsome find complete; auto (the default):
                           these too if they have at most 32 orders in the first run. How
                           often a test says "not yet" is not explored
  --prove                  where only one rank receives from MPI_ANY_SOURCE, copy that rank and
                           try all its orders alone, thousands per minute: schedules in which
                           nobody does anything else are proved and need not be run
  --first SCHEDULE         what the first run follows (see vouch replay); else chance decides
  -k K, -k R=K             mixing bound: below a choice that was changed, change only the
                           next K; for region R alone with R=K; both: -k 3=0,2
  --loops N                explore the first N receives of each line of the program on each
                           rank; later ones are iterations of a loop and keep what they get
  --order depth|novel      which of the schedules that are known is run next: the one that
                           changes the last decision, or one that shows what no run has
                           shown: messages of kinds (line and tag of the send) in an order,
                           or in a state of the receiver, that is new; fewest changed
                           decisions first. novel is the default with --max-runs, --timeout
                           and --first-error. All schedules are the same in either order
  --max-runs N             run at most N schedules
  --timeout TIME           start no run after TIME: 90, 90s, 2m, 1h
  --run-timeout TIME       end a single run after TIME; otherwise after a minute, or twenty
                           times as long as the longest one so far
  --jobs N                 runs at once
  --first-error            stop at the first error
  --state FILE             keep what was explored there
  --resume FILE            go on where an exploration with --state was left
  --buffering HOW          as in vouch run
  --json FILE              also write the report as JSON
  --suppressions FILE      findings not to be reported
  --strict                 warnings count as errors
  --info                   also list what is only information
  --quiet                  print the findings alone; nothing if there are none
  --error-exitcode STATUS  exit status for errors, instead of 60
  --color WHEN             auto (on a terminal; the default), always, never
  -h, --help               this text

EXIT STATUS
  as vouch run; 61 also if schedules are left

EXAMPLES
  vouch explore -n 4 ./app input.txt
  vouch explore --jobs 4 --timeout 10m --state app.state -n 8 ./app
  vouch explore --resume app.state --jobs 4 -n 8 ./app
)";
}

std::string_view help_record() {
  return R"(NAME
  vouch record - check a run and keep what was decided by chance

SYNOPSIS
  vouch record -o FILE [OPTIONS] -n N COMMAND [ARGUMENT...]

DESCRIPTION
  The same as vouch run, and writes a schedule to FILE: which message each receive or
  probe from MPI_ANY_SOURCE took, and what MPI_Waitany, MPI_Test and their kind
  answered. vouch replay @FILE makes the next run decide the same.

OPTIONS
  -o FILE     where the schedule goes
  All options of vouch run.

EXIT STATUS
  As of vouch run.

EXAMPLES
  vouch record -o bad.schedule -n 4 ./app
  vouch replay @bad.schedule -n 4 ./app
)";
}

std::string_view help_replay() {
  return R"(NAME
  vouch replay - the same run again

SYNOPSIS
  vouch replay SCHEDULE [OPTIONS] -n N COMMAND [ARGUMENT...]

DESCRIPTION
  Checks a run like vouch run, but what is left to chance is decided by SCHEDULE: the
  sources of receives and probes from MPI_ANY_SOURCE, and the answers of MPI_Waitany,
  MPI_Waitsome, MPI_Test and its kind, MPI_Iprobe and MPI_Improbe. What it does not
  decide is left to the library.

  SCHEDULE is the text that a report gives, or @FILE: a file of vouch record, or a trace of
  vouch run --trace. The text has a part for each rank:

      A0=1,2,1x3/2=3:nx12,y

  Rank 0: its receives from any source take 1, 2, and three times 1. Rank 2: one takes 3;
  behind the colon what its tests answer, 12 times not yet, then yes. "_" leaves one
  free, "1t5" decides the tag too, "0+2" is what MPI_Waitsome returned.

  Where the program does something else than the schedule expects, the report names the
  rank, the call and both, and the verdict is inconclusive unless errors were found.

OPTIONS
  All options of vouch run; they follow the schedule. --buffering strict also makes
  standard sends wait for their receives: what happens when nothing is buffered.

EXIT STATUS
  As of vouch run; 61 also if the schedule could not be followed.

EXAMPLES
  vouch replay A0=2,1 -n 3 ./app            rank 0 receives from rank 2 first
  vouch replay @bad.schedule -n 4 ./app
)";
}

std::string_view help_predict() {
  return R"(NAME
  vouch predict - from one trace, decide all schedules

SYNOPSIS
  vouch predict [OPTIONS] FILE
  vouch predict [OPTIONS] -n N COMMAND [ARGUMENT...]

DESCRIPTION
  Reads a trace, what each process did, or runs a program once and takes its trace. What
  the run decided by chance, which message a wildcard receive got, is left open; then all
  executions are decided at once: can a receive get different messages, can an assertion
  fail, can processes wait forever, with buffered sends or without. What is found comes
  with a schedule that shows it; a clean verdict is a proof for this trace.

  With -n a deadlock or a failing assertion that was found is tried at once: the program
  is run again and made to take its messages in that order (vouch replay). What that run
  shows is an error. What it does not show is told as information, and the verdict is
  inconclusive: the program went another way, because what it does depends on which
  messages it gets. Until it is tried, a finding is a potential error.

  A program says what its values must be with VOUCH_ASSERT and VOUCH_ASSUME (vouch.h,
  vouch.f90; installed with vouch, nothing to link).

  FILE is a trace that vouch run --trace kept, its dump, or the program of a trace, in the
  short form, processes separated by |, or as s-expressions:

      r0* r1<1 | s1>0 | s2>0        ; process 0 receives from any, then from 1

OPTIONS
  -n N                     run COMMAND with N ranks, as vouch run does
  --mpi openmpi|mpich      which launcher, where the program does not tell (scripts)
  --trace FILE             keep the trace of the run
  --run-timeout TIME       end the run then, and look at what it did until then
  --no-confirm             do not replay what was found
  --questions LIST         of race, assertion, deadlock; all three by default
  --buffering HOW          infinite, zero or both (the default)
  --timeout TIME           for deciding: 90, 90s, 2m, 1h; 60s by default. What is not
                           decided then makes the verdict inconclusive
  --sections               try small parts of the possible matches first
  --bound K                with --sections, stop at this size; then nothing is proved
  --pairs RULE             source-aware (the default), rank, endpoint: which matches
                           count as possible
  --encoding E             unified (the default), or e1, e2, e3 as published
  --smtlib FOLDER          write each question for the solver there
  --schedules FILE         write the schedule of each finding
  --json FILE              also write the report as JSON
  --strict                 warnings count as errors
  --info                   also list what is only information, such as races
  --quiet                  print the findings alone; nothing if there are none
  --error-exitcode STATUS  exit status for errors, instead of 60
  --color WHEN             auto (on a terminal; the default), always, never
  -h, --help               this text

EXIT STATUS
  0                   the verdict is clean
  60                  error: at least one error was found
  61                  inconclusive: not everything could be decided
  64                  wrong usage, or a trace that cannot be read
  70                  internal error
)";
}

std::string_view help_doctor() {
  return R"(NAME
  vouch doctor - what is installed and what works here

SYNOPSIS
  vouch doctor

DESCRIPTION
  Looks for MPI libraries, launchers, the parts of vouch itself and what it needs of the
  system, and tries them: it runs a small program under vouch and looks whether its
  calls arrive. Each line is "ok", "missing" or "broken"; what is missing comes with the
  command that gets it.

OPTIONS
  -h, --help  this text

EXIT STATUS
  0   everything that vouch run needs is here
  61  something is missing or broken
  64  wrong usage
)";
}

std::string_view help_trace() {
  return R"(NAME
  vouch trace - look at the events that a run has kept

SYNOPSIS
  vouch run --trace FILE -n N COMMAND [ARGUMENT...]
  vouch trace dump FILE

DESCRIPTION
  A trace holds every MPI call of a run with its arguments, results and source lines. It
  is written while the run goes on: after a crash it can be read up to where it got.

  dump prints it as text, one line per call:

      0 Send buf=0x7ffc count=1 datatype=INT dest=1 tag=7 comm=COMM_WORLD @ring.c:31

  rank, call, arguments, place, and results after ->. A call that did not return ends
  in "...". The order is that of each rank; ranks take turns.

OPTIONS
  -h, --help  this text

EXIT STATUS
  0   the whole trace was printed
  61  it has no end, or parts are missing; what there is was printed
  64  wrong usage, or no trace that can be read
)";
}

std::string_view help_of(std::string_view command) {
  if (command.empty() || command == "vouch" || command == "help") return help_main();
  if (command == "run") return help_run();
  if (command == "record") return help_record();
  if (command == "replay") return help_replay();
  if (command == "explore") return help_explore();
  if (command == "predict") return help_predict();
  if (command == "trace") return help_trace();
  if (command == "doctor") return help_doctor();
  return {};
}

}  // namespace vouch
