#!/usr/bin/env python3
"""Bad input: one sentence and an exit status each, and nothing is run."""

import os
import unittest

from common import LIBRARIES, agent_of, limit, main, signal, subprocess, wait_until


class BadInput(unittest.TestCase):
    def refuse(self, words, part, status=64, env=None, lines=1):
        run = self.bench.run(*words, json_report=False, env=env)
        self.assertEqual(run.status, status, run)
        self.assertEqual(run.out, "", run)
        self.assertIn(part, run.err)
        self.assertTrue(run.err.startswith("vouch: "), run)
        self.assertEqual(len(run.err.splitlines()), lines, run)
        return run

    def c_program(self, name, text, *words):
        self.bench.write(name + ".c", text)
        subprocess.run(["cc", name + ".c", "-o", name, *words], cwd=self.bench.dir, check=True)
        return "./" + name

    # The program ---------------------------------------------------------------------------------

    def test_no_program(self):
        self.refuse([], "no program to run")
        self.refuse(["-n", "2"], "no program to run")
        self.refuse(["--"], "no program to run")

    def test_missing(self):
        for words in (["./nothing"], ["-n", "2", "./nothing"], ["--", "./nothing"]):
            self.refuse(words, "there is no program ./nothing")
        self.refuse(["vouch-no-such-command"], "PATH")

    def test_directory(self):
        self.refuse(["-n", "2", "/tmp"], "/tmp is a directory, not a program")

    def test_not_executable(self):
        self.bench.write("text", "hello\n")
        self.refuse(["./text"], "./text is not executable")

    def test_unreadable(self):
        if os.geteuid() == 0:
            # Root reads everything; a dangling link cannot be read by anybody.
            os.symlink("/nowhere/at/all", self.bench.path("dangling"))
            self.refuse(["./dangling"], "there is no program ./dangling")
            return
        self.bench.write("secret", "#!/bin/sh\n", 0o111)
        self.refuse(["./secret"], "cannot be read")

    def test_unreadable_for_another_user(self):
        if os.geteuid() != 0:
            self.skipTest("only root can become somebody else")
        os.chmod(self.bench.dir, 0o755)
        self.bench.write("secret", "#!/bin/sh\n", 0o711)
        done = subprocess.run(["setpriv", "--reuid=65534", "--clear-groups", self.bench.vouch, "run", self.bench.path("secret")],
                              capture_output=True, text=True, timeout=limit(60), check=False)
        if "setpriv" in done.stderr or not os.access(self.bench.vouch, os.X_OK) or done.returncode == 127:
            self.skipTest("this tree cannot be entered by another user")
        self.assertEqual((done.returncode, "cannot be read" in done.stderr), (64, True), done)

    def test_not_a_program(self):
        self.bench.write("words", "just words\n", 0o755)
        self.refuse(["./words"], "is not a program")
        self.bench.write("empty", "", 0o755)
        self.refuse(["./empty"], "is empty")
        self.refuse([self.c_program("lib.so", "int f;", "-shared", "-fPIC")], "is a library")

    def test_static(self):
        self.refuse([self.c_program("static", "int main(void) { return 0; }", "-static")], "is statically linked")

    def test_mpi_linked_statically(self):
        program = self.c_program("fat", "int MPI_Init(int* c, char*** v) { return c && v; } int main(void) { return MPI_Init(0, 0); }")
        self.refuse(["-n", "2", program], "has its MPI library linked into it")

    def test_unknown_mpi(self):
        self.c_program("libmpi.so.99", "int MPI_Init(int* c, char*** v) { return c && v; }", "-shared", "-fPIC", "-Wl,-soname,libmpi.so.99")
        program = self.c_program("strange", "int MPI_Init(int*, char***); int main(void) { return MPI_Init(0, 0); }",
                                 "-L.", "-l:libmpi.so.99", "-Wl,-rpath,$ORIGIN")
        self.refuse(["-n", "2", program], "neither Open MPI nor MPICH")

    def test_non_mpi_program_runs_and_is_inconclusive(self):
        program = self.c_program("plain", '#include <stdio.h>\nint main(void) { puts("ran"); return 0; }')
        for words in ([program], ["-n", "2", program]):
            run = self.bench.run(*words)
            self.assertEqual(run.status, 61, run)
            self.assertIn("ran\n", run.out)
            self.assertIn("no process called MPI: nothing was checked", run.err)

    def test_the_wrong_library(self):
        if len(LIBRARIES) < 2:
            self.skipTest("needs two MPI libraries")
        self.refuse(["--mpi", "mpich", "-n", "2", self.bench.program("clean", "openmpi")], "uses Open MPI")

    def test_no_launcher(self):
        program = self.bench.program("clean", LIBRARIES[0])
        self.refuse(["-n", "2", program], "is installed (looked for mpirun", env={"PATH": "/nowhere"})

    # Options -------------------------------------------------------------------------------------

    def test_wrong_flag(self):
        self.refuse(["--bogus", "-n", "2", "./x"], "there is no option --bogus (see vouch run --help)")
        self.refuse(["-q"], "there is no option -q")

    def test_number_of_ranks(self):
        for value in ("0", "abc", "-1", "2x", "99999999999"):
            self.refuse(["-n", value, "/bin/true"], f"-n needs a number of ranks, 1 or more, not '{value}'")
        self.refuse(["-n"], "-n")

    def test_values(self):
        self.refuse(["--timeout", "soon", "/bin/true"], "--timeout needs a time")
        self.refuse(["--timeout", "0", "/bin/true"], "--timeout needs a time")
        self.refuse(["--mpi", "lam", "/bin/true"], "--mpi is openmpi or mpich, not 'lam'")
        self.refuse(["--color", "pink", "/bin/true"], "--color is auto, always or never, not 'pink'")
        self.refuse(["--error-exitcode", "many", "/bin/true"], "--error-exitcode")
        self.refuse(["--error-exitcode", "256", "/bin/true"], "--error-exitcode")

    def test_a_network_that_this_node_has_not(self):
        self.refuse(["--net", "no-such-interface", "-n", "2", "/bin/true"], "--net no-such-interface: ")

    def test_commands(self):
        for words, part in ((["frobnicate"], "there is no command frobnicate"), (["--frob"], "there is no option --frob"),
                            (["help", "frob"], "there is no command frob"), (["help", "run", "it"], "not also it"),
                            (["trace"], "trace needs a word"), (["trace", "dump"], "needs one file"), (["predict", "a", "b"], "not also b"),
                            (["predict", "--trace", "b", "a"], "--trace is for a program that is run"), (["record", "true"], "-o FILE"),
                            (["replay", "-n", "2", "true"], "no schedule"), (["explore", "true"], "-n says"), (["run", "--json=", "true"], "--json needs a value"), (["doctor", "--frob"], "--frob")):
            done = subprocess.run([self.bench.vouch, *words], capture_output=True, text=True, timeout=limit(60), check=False)
            self.assertEqual(done.returncode, 64, done)
            self.assertIn(part, done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 1, done)
        self.assertEqual(subprocess.run([self.bench.vouch], capture_output=True, timeout=limit(60), check=False).returncode, 64)

    # Files ---------------------------------------------------------------------------------------

    def test_json_file_is_tried_before_the_run(self):
        self.refuse(["--json", "/nowhere/report.json", "sh", "-c", "touch ran"], "cannot write to /nowhere/report.json")
        self.refuse(["--json", ".", "sh", "-c", "touch ran"], "cannot write to .")
        self.assertFalse(os.path.exists(self.bench.path("ran")))

    def test_suppressions(self):
        self.refuse(["--suppressions", "none.supp", "/bin/true"], "none.supp")
        self.refuse(["--suppressions", "/tmp", "/bin/true"], "cannot read the suppressions file '/tmp'")
        self.bench.write("bad.supp", "# fine\nleak/*\n\nnonsense\n")
        self.refuse(["--suppressions", "bad.supp", "/bin/true"], "bad.supp:4:")

    def test_full_disk(self):
        program = self.bench.program("clean", LIBRARIES[0])
        run = self.bench.run("--json", "/dev/full", "-n", "1", program, json_report=False)
        self.assertEqual(run.status, 70, run)
        self.assertIn("the report could not be written to /dev/full: No space left on device", run.err)
        with open("/dev/full", "w", encoding="ascii") as full:
            done = subprocess.run([self.bench.vouch, "run", "-n", "1", self.bench.program("bad_rank", LIBRARIES[0])], stderr=full,
                                  env=self.bench.environment(), cwd=self.bench.dir, timeout=limit(60), check=False)
        self.assertEqual(done.returncode, 70)

    def test_a_reader_that_went_away_is_no_failure(self):
        done = subprocess.run(f"{self.bench.vouch} run -n 1 {self.bench.program('bad_rank', LIBRARIES[0])} 2>&1 >/dev/null | true; "
                              "exit ${PIPESTATUS[0]}", shell=True, executable="/bin/bash", env=self.bench.environment(),
                              cwd=self.bench.dir, timeout=limit(60), check=False)
        self.assertEqual(done.returncode, 60)

    # Vouch itself --------------------------------------------------------------------------------

    def test_agent_killed(self):
        run = self.bench.start("-n", "2", self.bench.program("works", LIBRARIES[0]), "1")
        self.assertEqual(run.stdout.readline(), "up\n")
        self.assertTrue(wait_until(lambda: agent_of(run.pid)))
        os.kill(agent_of(run.pid), signal.SIGKILL)
        out, err = run.communicate(timeout=limit(60))
        self.assertEqual((run.returncode, out), (61, "done\n"), err)
        self.assertIn("the agent of vouch was killed by SIGKILL", err)


if __name__ == "__main__":
    main(globals())
