#!/usr/bin/env python3
"""Launching: wrappers around the program, launchers that do not fit or fail themselves, programs that cannot be watched."""

import os
import shutil
import struct
import unittest

from common import LIBRARIES, main, subprocess

LAUNCHER = {"openmpi": "mpirun.openmpi", "mpich": "mpirun.mpich"}
OTHER = {"openmpi": "mpich", "mpich": "openmpi"}


class Wrappers(unittest.TestCase):
    """The launcher is that of the innermost program's library."""

    def clean(self, mpi, *words):
        program = self.bench.program("ring", mpi)
        run = self.bench.run("-n", "2", *[program if w == "APP" else w for w in words])
        self.assertEqual((run.status, run.report and run.report["ranks"]), (0, 2), f"{words}\n{run}")
        self.assertIn("rank 1 of 2", run.out)

    def test_wrappers(self):
        wrappers = [["env", "-u", "B", "A=1", "APP"], ["nice", "-n", "1", "APP"], ["timeout", "-k", "5", "100", "APP"],
                    ["stdbuf", "-oL", "APP"], ["bash", "-c", "true && exec \"$0\"", "APP"], ["sh", "-c", 'A=1 "$@"', "name", "APP"],
                    ["setsid", "-w", "APP"]]
        more = {"taskset": ["taskset", "-c", "0-63", "APP"], "numactl": ["numactl", "--localalloc", "APP"], "time": ["time", "-f", "%e", "APP"],
                "strace": ["strace", "-f", "-o", "/dev/null", "-e", "trace=none", "APP"]}
        wrappers += [words for name, words in more.items() if shutil.which(name)]
        for mpi in LIBRARIES:
            for words in wrappers:
                with self.subTest(mpi=mpi, words=words):
                    self.clean(mpi, *words)

    def test_valgrind(self):
        if not shutil.which("valgrind"):
            self.skipTest("no valgrind here")
        self.clean("mpich" if "mpich" in LIBRARIES else LIBRARIES[0], "valgrind", "-q", "--error-exitcode=0", "APP")

    def test_gdb(self):
        if not shutil.which("gdb"):
            self.skipTest("no gdb here")
        for mpi in LIBRARIES:
            self.clean(mpi, "gdb", "-batch", "-ex", "run", "--args", "APP")

    def test_scripts(self):
        for mpi in LIBRARIES:
            program = self.bench.program("ring", mpi)
            for name, text in (("plain.sh", f"#!/bin/sh\nset -e\n{program}\n"), ("args.sh", '#!/usr/bin/env bash\nexec "$@"\n'),
                               ("beside.sh", f'#!/bin/bash\nHERE=$(dirname "$0")\n"$HERE"/{program[2:]}\n')):
                self.bench.write(name, text, 0o755)
                words = ["./" + name, "APP"] if name == "args.sh" else ["./" + name]
                self.clean(mpi, *words)
            self.bench.write("noshebang.sh", f"{program}\n")
            self.clean(mpi, "bash", "noshebang.sh")

    def test_errors_behind_a_wrapper(self):
        self.bench.write("static.c", "int main(void) { return 0; }")
        subprocess.run(["cc", "-static", "static.c", "-o", "static"], cwd=self.bench.dir, check=True)
        run = self.bench.run("-n", "2", "nice", "./static", json_report=False)
        self.assertEqual(run.status, 64, run)
        self.assertIn("./static is statically linked", run.err)


class WrongLauncher(unittest.TestCase):
    """Processes that do not know of each other are told, and not judged."""

    def test_singletons(self):
        if len(LIBRARIES) < 2:
            self.skipTest("needs two MPI libraries")
        for mpi in LIBRARIES:
            run = self.bench.run("--", LAUNCHER[OTHER[mpi]], "-n", "2", self.bench.program("ring", mpi))
            self.assertEqual((run.status, run.rules()), (61, []), run)
            self.assertIn("alone in an MPI_COMM_WORLD of size 1", " ".join(run.gaps()))

    def test_a_program_alone_is_no_such_case(self):
        for mpi in LIBRARIES:
            run = self.bench.run(self.bench.program("clean", mpi))
            self.assertEqual(run.status, 0, run)
            run = self.bench.run("-n", "1", self.bench.program("clean", mpi), env={"SLURM_NTASKS": "4", "SLURM_PROCID": "0"})
            self.assertEqual(run.status, 0, run)

    def test_two_jobs_in_turn(self):
        for mpi in LIBRARIES:
            bad = self.bench.program("bad_rank", mpi)
            good = self.bench.program("clean", mpi)
            run = self.bench.run("sh", "-c", f"{LAUNCHER[mpi]} -n 2 {good}; {LAUNCHER[mpi]} -n 2 {good}")
            self.assertEqual((run.status, run.rules()), (61, []), run)
            self.assertIn("more than one MPI job was run, one after the other", " ".join(run.gaps()))
            run = self.bench.run("sh", "-c", f"{LAUNCHER[mpi]} -n 2 {bad}; {LAUNCHER[mpi]} -n 2 {good}")
            self.assertEqual(run.status, 60, run)  # what the first one did stands

    def test_two_programs_in_one_job(self):
        for mpi in LIBRARIES:
            a, b = self.bench.program("ring", mpi), self.bench.program("ring2", mpi)
            run = self.bench.run("--", LAUNCHER[mpi], "-n", "1", a, ":", "-n", "1", b)
            self.assertEqual((run.status, run.report["ranks"]), (0, 2), run)


class LauncherFails(unittest.TestCase):
    """Its own words and status, and nothing about ranks."""

    def fails(self, words, part, env=None):
        run = self.bench.run("--", *words, env=env)
        self.assertEqual((run.status, run.rules()), (61, []), run)
        gaps = " ".join(run.gaps())
        self.assertIn("failed itself, with status", gaps)
        self.assertIn(part, gaps)
        self.assertIn(part, run.err)
        return run

    def test_wrong_option(self):
        if "openmpi" in LIBRARIES:
            self.fails(["mpirun.openmpi", "--bogus", "-n", "2", self.bench.program("ring", "openmpi")], 'unknown option "--bogus"')
        if "mpich" in LIBRARIES:
            self.fails(["mpirun.mpich", "-bogus", "-n", "2", self.bench.program("ring", "mpich")], "unrecognized argument bogus")

    def test_no_such_program(self):
        if "openmpi" in LIBRARIES:
            self.fails(["mpirun.openmpi", "-n", "2", "./nothing"], "could not access")
        if "mpich" in LIBRARIES:
            self.fails(["mpirun.mpich", "-n", "2", "./nothing"], "execvp error on file ./nothing")

    def test_no_descriptors(self):
        # Some ranks may be up already when it fails: they are then ended, and not killed by themselves.
        if "mpich" in LIBRARIES:
            program = self.bench.program("works", "mpich")
            run = self.bench.run("--", "mpirun.mpich", "-n", "8", program, "1", preexec_fn=lambda: __import__("resource").setrlimit(
                __import__("resource").RLIMIT_NOFILE, (26, 26)))
            self.assertEqual((run.status, run.rules()), (61, []), run)
            self.assertIn("Too many open files", " ".join(run.gaps()))

    def test_no_such_host(self):
        # Hydra's mpiexec does not notice that ssh has failed, and waits forever.
        if "mpich" in LIBRARIES:
            ssh = self.bench.write("ssh_fails", "#!/bin/sh\necho 'ssh: Could not resolve hostname elsewhere' >&2\nexit 255\n", 0o755)
            run = self.bench.run("--", "mpirun.mpich", "-launcher-exec", ssh, "-hosts", "elsewhere", "-n", "2",
                                 self.bench.program("ring", "mpich"))
            self.assertEqual((run.status, run.rules()), (61, []), run)
            self.assertIn("before that it said: ssh: Could not resolve hostname elsewhere", " ".join(run.gaps()))
            self.assertNotIn("no process called MPI", run.err)

    def test_a_process_that_fails_is_not_the_launcher(self):
        for mpi in LIBRARIES:
            run = self.bench.run("--", LAUNCHER[mpi], "-n", "2", "sh", "-c", "exit 3")
            self.assertEqual((run.status, run.rules()), (61, []), run)
            self.assertNotIn("failed itself", run.err)
            self.assertIn("no process called MPI", run.err)
            run = self.bench.run("--", LAUNCHER[mpi], "-n", "2", self.bench.program("killed", mpi))
            self.assertEqual((run.status, run.rules()), (60, ["crash/signal"]), run)
            self.assertNotIn("failed itself", run.err)

    def test_what_the_job_writes_to_standard_error_comes_through(self):
        for mpi in LIBRARIES:
            script = 'i=0; while [ $i -lt 3000 ]; do echo "line $i" >&2; i=$((i+1)); done; exec ' + self.bench.program("clean", mpi)
            run = self.bench.run("-n", "1", "sh", "-c", script)
            self.assertEqual(run.status, 0, run)
            lines = [line for line in run.err.splitlines() if line.startswith("line ")]
            self.assertEqual(lines, [f"line {i}" for i in range(3000)])
            self.assertTrue(run.err.rstrip().splitlines()[-1].startswith("vouch: clean"), run.err[-300:])


class NotWatched(unittest.TestCase):
    """Programs into which libvouch.so cannot be loaded, and runs in which nothing was seen: why."""

    def refuse(self, words, part):
        run = self.bench.run(*words, json_report=False)
        self.assertEqual((run.status, run.out), (64, ""), run)
        self.assertIn(part, run.err)
        self.assertEqual(len(run.err.splitlines()), 1, run)

    def test_another_architecture(self):
        header = b"\x7fELF" + bytes([1, 1, 1]) + bytes(9) + struct.pack("<HHIIIIIHHHHHH", 2, 3, 1, 0x8048000, 52, 0, 0, 52, 32, 0, 40, 0, 0)
        with open(self.bench.path("old"), "wb") as file:
            file.write(header + bytes(64))
        os.chmod(self.bench.path("old"), 0o755)
        self.refuse(["-n", "2", "./old"], "./old is built for another architecture")

    def test_set_user_id(self):
        if os.geteuid() != 0:
            self.skipTest("only root can give a file away")
        mpi = LIBRARIES[0]
        shutil.copy(self.bench.path(self.bench.program("clean", mpi)), self.bench.path("other"))
        os.chown(self.bench.path("other"), 65534, 65534)
        os.chmod(self.bench.path("other"), 0o4755)
        self.refuse(["-n", "2", "./other"], "./other runs with another user's rights")

    def test_two_libraries(self):
        if len(LIBRARIES) < 2:
            self.skipTest("needs two MPI libraries")
        self.bench.write("part.c", "#include <mpi.h>\nint part(void) { int f; return MPI_Initialized(&f); }")
        self.bench.write("whole.c", "#include <mpi.h>\nint part(void); int main(void) { MPI_Init(0, 0); part(); MPI_Finalize(); return 0; }")
        for words in (["mpicc.mpich", "-shared", "-fPIC", "part.c", "-o", "libpart.so"],
                      ["mpicc.openmpi", "whole.c", "-o", "whole", "-L.", "-Wl,--no-as-needed", "-lpart", "-Wl,-rpath,$ORIGIN"]):
            subprocess.run(words, cwd=self.bench.dir, check=True)
        self.refuse(["-n", "2", "./whole"], "./whole is linked with two MPI libraries")

    def unseen(self, words, part):
        run = self.bench.run(*words)
        self.assertEqual(run.status, 61, run)
        self.assertIn("no process called MPI: nothing was checked", run.err)
        self.assertIn(part, " ".join(run.gaps()))

    def test_reasons(self):
        self.unseen(["-n", "2", "true"], "is linked with no MPI library")
        for mpi in LIBRARIES:
            program = self.bench.program("clean", mpi)
            self.unseen(["env", "-i", program], "env -i keeps LD_PRELOAD")
            self.bench.write("static.c", "int main(void) { return 0; }")
            subprocess.run(["cc", "-static", "static.c", "-o", "static"], cwd=self.bench.dir, check=True)
            self.unseen(["--", LAUNCHER[mpi], "-n", "2", "./static"], "./static is statically linked")


if __name__ == "__main__":
    main(globals())
