#include "cli/pages.h"

#include "base/check.h"

namespace vouch {
namespace {

constexpr PageRow kClean = {"the program's own", "the verdict is clean (perhaps with warnings)"};
constexpr PageRow kError = {"60",
                            "error: at least one error was found; --error-exitcode changes it"};
constexpr PageRow kInconclusive = {
    "61", "inconclusive: no error, but something was not checked; the report names it"};
constexpr PageRow kUsage = {"64",
                            "wrong usage: unknown option, no such program, a program that vouch "
                            "cannot check, a file that cannot be written"};
constexpr PageRow kInternal = {"70", "internal error, or the report could not be written"};

constexpr PageRow kNoColor = {"NO_COLOR", "if set, no colours unless --color always"};
constexpr PageRow kTerm = {"TERM", "if dumb, no colours unless --color always"};
constexpr PageRow kPreload = {
    "LD_PRELOAD",
    "libraries named there stay before that of vouch, runtimes of sanitizers behind it"};

Page main_page() {
  return {
      .does = "is this MPI program correct?",
      .synopsis = {"vouch COMMAND [OPTIONS] ...", "vouch help [COMMAND]", "vouch --version"},
      .description =
          R"(vouch runs an MPI program and reports what is wrong with it: which ranks, which calls, which source lines, why, and what to do. It works with Open MPI and MPICH, with C, C++, Fortran and Python (mpi4py). Nothing is recompiled; compile with -g to see source lines.)",
      .status = {kClean, kError, kInconclusive, kUsage, kInternal},
      .examples = {{"vouch run -n 4 ./app input.txt", "check a run with four ranks"},
                   {"vouch run -- mpirun -np 4 ./app input.txt", "any launcher as it stands"},
                   {"vouch explore -n 4 ./app", "every outcome of its message races"},
                   {"vouch help run", "all options of vouch run"}},
  };
}

Page run_page() {
  return {
      .command = Subcommand::run,
      .does = "check one run of an MPI program",
      .synopsis = {"vouch run [OPTIONS] -n N COMMAND [ARGUMENT...]",
                   "vouch run [OPTIONS] [--] LAUNCHER [ARGUMENT...]",
                   "vouch run [OPTIONS] [--] COMMAND [ARGUMENT...]"},
      .description =
          R"(Runs the program and checks every MPI call it makes. The program's output, input, signals and exit status pass through; the report comes after its output, on standard error.

With -n, vouch picks the launcher of the MPI library that the program is linked with, also through Python scripts. Without -n the command is started as it stands: mpirun, mpiexec, srun, a script that calls one of them, or the program alone as one rank. Options of vouch stand before the command; what follows belongs to it.)",
      .status = {kClean, kError, kInconclusive, kUsage, kInternal},
      .environment = {kNoColor, kTerm, kPreload},
      .examples = {{"vouch run -n 4 ./app input.txt", "check a run with four ranks"},
                   {"vouch run -n 2 python3 solver.py", "Python with mpi4py"},
                   {"vouch run -- srun -n 64 ./app", "any launcher as it stands"},
                   {"vouch run --timeout 5m --json r.json -n 4 ./app", "for a test system"}},
  };
}

Page record_page() {
  return {
      .command = Subcommand::record,
      .does = "check a run and keep what was decided by chance",
      .synopsis = {"vouch record -o FILE [OPTIONS] -n N COMMAND [ARGUMENT...]"},
      .description =
          R"(The same as vouch run, and writes a schedule to FILE: which message each receive or probe from MPI_ANY_SOURCE took, and what MPI_Waitany, MPI_Test and their kind answered. vouch replay @FILE makes the next run decide the same.)",
      .status = {kClean, kError, kInconclusive, kUsage, kInternal},
      .environment = {kNoColor, kTerm, kPreload},
      .examples = {{"vouch record -o bad.schedule -n 4 ./app", "keep what a run decided"},
                   {"vouch replay @bad.schedule -n 4 ./app", "and decide the same again"}},
  };
}

Page replay_page() {
  return {
      .command = Subcommand::replay,
      .does = "the same run again",
      .synopsis = {"vouch replay SCHEDULE [OPTIONS] -n N COMMAND [ARGUMENT...]"},
      .description =
          R"(Checks a run like vouch run, but what is left to chance is decided by SCHEDULE: the sources of receives and probes from MPI_ANY_SOURCE, and the answers of MPI_Waitany, MPI_Waitsome, MPI_Test and its kind, MPI_Iprobe and MPI_Improbe. What it does not decide is left to the library.

SCHEDULE is the text that a report gives, or @FILE: a file of vouch record, or a trace of vouch run --trace. The text has a part for each rank:

    A0=1,2,1x3/2=3:nx12,y

Rank 0: its receives from any source take 1, 2, and three times 1. Rank 2: one takes 3; behind the colon what its tests answer, 12 times not yet, then yes. "_" leaves one free, "1t5" decides the tag too, "0+2" is what MPI_Waitsome returned.

Where the program does something else than the schedule expects, the report names the rank, the call and both, and the verdict is inconclusive unless errors were found.)",
      .options_note =
          "Options follow the schedule. --buffering strict, if it is given, also makes standard "
          "sends wait for their receives: what happens when nothing is buffered.",
      .status = {kClean,
                 kError,
                 {"61",
                  "inconclusive: no error, but something was not checked, or the schedule could "
                  "not be followed; the report names it"},
                 kUsage,
                 kInternal},
      .environment = {kNoColor, kTerm, kPreload},
      .examples = {{"vouch replay A0=2,1 -n 3 ./app", "rank 0 receives from rank 2 first"},
                   {"vouch replay @bad.schedule -n 4 ./app", "a schedule of vouch record"}},
  };
}

Page explore_page() {
  return {
      .command = Subcommand::explore,
      .does = "run a program until every message race has been covered",
      .synopsis = {"vouch explore [OPTIONS] -n N COMMAND [ARGUMENT...]"},
      .description =
          R"(Which message a receive from MPI_ANY_SOURCE gets is up to chance. vouch explore runs the program, finds out from its clocks which other messages each of them could have got, and runs it again with another choice, until each outcome was run once. Every run is checked as by vouch run; each finding is reported once, with the command that shows it again.

The program must depend on nothing but its input and the order of its messages; a run that does not follow its schedule is named, and the verdict is inconclusive.

MPI_Pcontrol(1) begins a part of the program in which other choices are not explored, MPI_Pcontrol(0) ends it; MPI_Pcontrol(R), R from 2 on, begins region R (see -k).)",
      .status = {{"the program's own",
                  "the verdict is clean: of the first run that did not return 0, or 0"},
                 kError,
                 {"61",
                  "inconclusive: no error, but something was not checked, or schedules are left; "
                  "the report names it"},
                 kUsage,
                 kInternal},
      .environment = {kNoColor, kTerm, kPreload},
      .examples = {{"vouch explore -n 4 ./app input.txt", "every outcome of its message races"},
                   {"vouch explore --jobs 4 --timeout 10m --state app.state -n 8 ./app",
                    "four runs at once, for ten minutes"},
                   {"vouch explore --resume app.state --jobs 4 -n 8 ./app", "go on from there"}},
  };
}

Page predict_page() {
  return {
      .command = Subcommand::predict,
      .does = "from one trace, decide all schedules",
      .synopsis = {"vouch predict [OPTIONS] FILE",
                   "vouch predict [OPTIONS] -n N COMMAND [ARGUMENT...]"},
      .description =
          R"(Reads a trace, what each process did, or runs a program once and takes its trace. What the run decided by chance, which message a wildcard receive got, is left open; then all executions are decided at once: can a receive get different messages, can an assertion fail, can processes wait forever, with buffered sends or without. What is found comes with a schedule that shows it; a clean verdict is a proof for this trace.

With -n a deadlock or a failing assertion that was found is tried at once: the program is run again and made to take its messages in that order (vouch replay). What that run shows is an error. What it does not show is reported as information, and the verdict is inconclusive: the program went another way, because what it does depends on which messages it gets. Until it is tried, a finding is a potential error.

A program says what its values must be with VOUCH_ASSERT and VOUCH_ASSUME (vouch.h, vouch.f90; installed with vouch, nothing to link).

FILE is a trace that vouch run --trace kept, its dump, or the program of a trace, in the short form, processes separated by |, or as s-expressions:

    r0* r1<1 | s1>0 | s2>0        ; process 0 receives from any, then from 1)",
      .status = {{"0", "the verdict is clean"},
                 kError,
                 {"61", "inconclusive: not everything could be decided; the report names it"},
                 {"64", "wrong usage, a trace that cannot be read, a file that cannot be written"},
                 kInternal},
      .environment = {kNoColor, kTerm, kPreload},
      .examples = {{"vouch predict -n 4 ./app", "run it once, decide all other schedules"},
                   {"vouch predict --questions deadlock app.trace",
                    "a trace of vouch run --trace"}},
  };
}

Page trace_page() {
  return {
      .command = Subcommand::trace,
      .does = "look at the events that a run has kept",
      .synopsis = {"vouch trace dump FILE"},
      .description =
          R"(A trace holds every MPI call of a run with its arguments, results and source lines (vouch run --trace FILE). It is written while the run goes on: after a crash it can be read up to where it got.

dump prints it as text, one line per call:

    0 Send buf=0x7ffc count=1 datatype=INT dest=1 tag=7 comm=COMM_WORLD @ring.c:31

rank, call, arguments, place, and results after ->. A call that did not return ends in "...". The order is that of each rank; ranks take turns.)",
      .status = {{"0", "the whole trace was printed"},
                 {"61", "it has no end, or parts are missing; what there is was printed"},
                 {"64", "wrong usage, or no trace that can be read"},
                 {"70", "internal error, or the text could not be written"}},
      .examples = {{"vouch run --trace app.trace -n 4 ./app", "keep the events of a run"},
                   {"vouch trace dump app.trace", "and look at them"}},
  };
}

Page compile_page(Subcommand command, std::string_view does, std::string_view synopsis,
                  PageRow variable, PageRow example) {
  return {
      .command = command,
      .does = does,
      .synopsis = {synopsis},
      .description =
          R"(Is the MPI compiler that it stands before, with the same words, output and exit status, and also makes the program's loads and stores visible to vouch run: those to memory of windows and to buffers of operations under way. It compiles, links, does both or only answers questions, as the words say, and may stand for the compiler in make, CMake and autotools. Link with it what was compiled with it.

gcc, g++, gfortran, clang and clang++ can be instrumented. Lines are known with -g; -g1 is added where it is missing. Without vouch run such a program does the same, and is slower by a call for each load and store.

Where vouch was built with a plugin for this very compiler (vouch doctor says so) most loops cost next to nothing: what an instruction touches in a loop whose iterations can be counted is recorded once, before the loop. The plugin of clang also leaves out what surely touches no memory that MPI knows of: variables and blocks of the heap whose address goes nowhere.

Parts of a program that were built otherwise work as before; the report names them. What libraries that were not built so do with the program's memory is not seen (copies by memcpy, memmove and memset are).)",
      .status = {{"the compiler's own", "it was started"},
                 {"64", "there is no MPI compiler, or one that vouch cannot instrument"},
                 {"70", "a part of vouch is missing"}},
      .environment = {variable,
                      {"OMPI_CC, MPICH_CC and the like",
                       "which compiler the MPI compiler uses, as without vouch"}},
      .examples = {example},
  };
}

Page cc_page() {
  return compile_page(Subcommand::cc, "compile C so that loads and stores are seen",
                      "vouch cc [--mpi LIBRARY] [--counts] WORD...",
                      {"VOUCH_CC", "the MPI compiler, if it is not mpicc"},
                      {"make CC=\"vouch cc\"", "a program of a makefile"});
}

Page cxx_page() {
  return compile_page(Subcommand::cxx, "compile C++ so that loads and stores are seen",
                      "vouch cxx [--mpi LIBRARY] [--counts] WORD...",
                      {"VOUCH_CXX", "the MPI compiler, if it is not mpicxx"},
                      {"CXX=\"vouch cxx\" cmake -B build", "a program built by CMake"});
}

Page fc_page() {
  return compile_page(Subcommand::fc, "compile Fortran so that loads and stores are seen",
                      "vouch fc [--mpi LIBRARY] [--counts] WORD...",
                      {"VOUCH_FC", "the MPI compiler, if it is not mpifort"},
                      {"FC=\"vouch fc\" ./configure", "a program built by autotools"});
}

Page doctor_page() {
  return {
      .command = Subcommand::doctor,
      .does = "what is installed and what works here",
      .synopsis = {"vouch doctor"},
      .description =
          R"(Looks for MPI libraries, launchers, the parts of vouch itself and what it needs of the system, and tries them: it runs a small program under vouch and looks whether its calls arrive. Each line is "ok", "missing" or "broken"; what is missing comes with the command that gets it.)",
      .status = {{"0", "everything that vouch run needs is here"},
                 {"61", "something is missing or broken"},
                 {"64", "wrong usage"},
                 kInternal},
  };
}

}  // namespace

const std::vector<Page>& pages() {
  static const std::vector<Page> all = {
      main_page(), run_page(), record_page(), replay_page(), explore_page(), predict_page(),
      cc_page(),   cxx_page(), fc_page(),     trace_page(),  doctor_page()};
  return all;
}

const Page& page_of(Subcommand command) {
  for (const Page& page : pages())
    if (page.command == command) return page;
  VOUCH_CHECK(false);
}

}  // namespace vouch
