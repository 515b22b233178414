#!/usr/bin/env python3
"""What scripts rely on: exit status, what passes through untouched, options, signals, the time limit."""

import os
import pty
import shutil
import time
import unittest

from common import LIBRARIES, agent_of, job_of, launcher_of, limit, main, signal, socket_of, subprocess, wait_until


def each_library(test):
    def run(self):
        for mpi in LIBRARIES:
            with self.subTest(mpi=mpi):
                test(self, mpi)
    return run


class Status(unittest.TestCase):
    @each_library
    def test_clean_gives_the_programs_own_status(self, mpi):
        program = self.bench.program("clean", mpi)
        # One rank for a status of its own: with more, the launcher ends the others when the first one has left.
        for ranks, status in ((2, 0), (1, 3)):
            run = self.bench.run("-n", str(ranks), program, str(status))
            self.assertEqual(run.report["verdict"], "clean", run)
            self.assertEqual(run.status, status, run)

    @each_library
    def test_error_is_60_or_what_was_asked_for(self, mpi):
        program = self.bench.program("bad_rank", mpi)
        run = self.bench.run("-n", "2", program)
        self.assertEqual((run.status, run.report["verdict"], run.rules()), (60, "error", ["argument/rank"]), run)
        self.assertEqual(self.bench.run("--error-exitcode", "9", "-n", "1", program).status, 9)
        self.assertEqual(self.bench.run("--error-exitcode=0", "-n", "1", program).status, 0)

    @each_library
    def test_warnings_keep_the_status_and_strict_lifts_them(self, mpi):
        program = self.bench.program("leak", mpi)
        run = self.bench.run("-n", "1", program, "seven")
        self.assertEqual((run.status, run.report["verdict"], run.rules()), (7, "clean", ["leak/communicator"]), run)
        run = self.bench.run("--strict", "-n", "1", program, "seven")
        self.assertEqual((run.status, run.report["verdict"]), (60, "error"), run)

    @each_library
    def test_suppressed_is_clean(self, mpi):
        self.bench.write("mine.supp", "# known\nargument/rank bad_rank.c main\n")
        run = self.bench.run("--suppressions", "mine.supp", "-n", "1", self.bench.program("bad_rank", mpi))
        self.assertEqual((run.status, run.report["verdict"], run.rules()), (0, "clean", []), run)

    def test_no_mpi_is_inconclusive(self):
        run = self.bench.run("sh", "-c", "echo hello; exit 3")
        self.assertEqual((run.status, run.out), (61, "hello\n"), run)
        self.assertIn("no process called MPI: nothing was checked", run.err)


class PassThrough(unittest.TestCase):
    @each_library
    def test_streams(self, mpi):
        for words in (["-n", "2"], []):
            run = self.bench.run(*words, self.bench.program("clean", mpi), stdin="a\nb\n")
            self.assertEqual(run.out, "a\nb\n", run)
            self.assertTrue(run.err.startswith("said on stderr\n"), run)

    @each_library
    def test_quiet_prints_nothing_of_a_clean_run(self, mpi):
        run = self.bench.run("--quiet", "-n", "1", self.bench.program("clean", mpi))
        self.assertEqual(run.err, "said on stderr\n", run)

    @each_library
    def test_a_launcher_as_it_stands(self, mpi):
        program = self.bench.program("bad_rank", mpi)
        more = ["--oversubscribe", "-x", "HOME"] if mpi == "openmpi" else []
        run = self.bench.run("--", "mpirun." + mpi, "-n", "3", *more, program)
        self.assertEqual((run.status, run.report["ranks"]), (60, 3), run)
        self.assertEqual(run.report["findings"][0]["ranks"], [0, 1, 2], run)

    @each_library
    def test_a_script(self, mpi):
        more = "--oversubscribe" if mpi == "openmpi" else ""
        self.bench.write("job.sh", f"#!/bin/sh\nmpirun.{mpi} {more} -n 3 {self.bench.program('bad_rank', mpi)}\nexit 5\n", 0o755)
        run = self.bench.run("./job.sh")
        self.assertEqual((run.status, run.report["ranks"]), (60, 3), run)

    def test_python(self):
        python = "/usr/bin/python3"
        if subprocess.run([python, "-c", "import mpi4py"], capture_output=True, check=False).returncode != 0:
            self.skipTest("no mpi4py")
        text = "from mpi4py import MPI\nc = MPI.COMM_WORLD\nc.Set_errhandler(MPI.ERRORS_RETURN)\n" \
               "try:\n  c.send(1, dest=77)\nexcept MPI.Exception:\n  pass\n"
        self.bench.write("job.py", f"#!{python}\n{text}", 0o755)
        for command in (["./job.py"], [python, "job.py"]):
            run = self.bench.run("-n", "2", *command)
            self.assertEqual((run.status, run.report["ranks"], run.rules()), (60, 2, ["argument/rank"]), run)
            place = run.report["findings"][0]["locations"][0]
            self.assertEqual((os.path.basename(place["file"]), place["line"]), ("job.py", 6), run)

    @each_library
    def test_more_ranks_than_cores(self, mpi):
        ranks = (os.cpu_count() or 1) + 3
        run = self.bench.run("-n", str(ranks), self.bench.program("clean", mpi))
        self.assertEqual((run.status, run.report["ranks"]), (0, ranks), run)

    @each_library
    def test_a_program_alone_is_one_rank(self, mpi):
        run = self.bench.run(self.bench.program("bad_rank", mpi))
        self.assertEqual((run.status, run.report["ranks"]), (60, 1), run)

    @each_library
    def test_options_of_the_program_are_its_own(self, mpi):
        run = self.bench.run("-n", "1", self.bench.program("clean", mpi), "0", "--json", "/nowhere/x", "-n", "7", "--bogus")
        self.assertEqual(run.status, 0, run)

    def test_vouch_may_lie_in_a_folder_with_a_blank_in_its_name(self):
        build = os.path.dirname(os.path.dirname(self.bench.vouch))
        home = self.bench.path("a folder: of mine")
        for place in ("bin", "lib"):
            os.makedirs(os.path.join(home, place))
        shutil.copy(self.bench.vouch, os.path.join(home, "bin", "vouch"))
        for name in os.listdir(os.path.join(build, "lib")):
            if name.startswith("libvouch") and name.endswith(".so"):
                shutil.copy(os.path.join(build, "lib", name), os.path.join(home, "lib", name))
        for mpi in LIBRARIES:
            done = subprocess.run([os.path.join(home, "bin", "vouch"), "run", "-n", "2", self.bench.program("bad_rank", mpi)],
                                  cwd=self.bench.dir, env=self.bench.environment(), capture_output=True, text=True, timeout=limit(60),
                                  check=False)
            self.assertEqual(done.returncode, 60, done.stderr)

    def test_an_older_preload_stays_first(self):
        run = self.bench.run("sh", "-c", "echo $LD_PRELOAD", env={"LD_PRELOAD": "/lib/x86_64-linux-gnu/libm.so.6"})
        first, second = run.out.strip().split(":")
        self.assertEqual(first, "/lib/x86_64-linux-gnu/libm.so.6")
        self.assertTrue(second.endswith("/libvouch.so"), run)

    def test_the_runtime_of_a_sanitizer_goes_behind_it(self):
        runtime = subprocess.run(["gcc", "-print-file-name=libubsan.so"], capture_output=True, text=True).stdout.strip()
        if not os.path.isabs(runtime):
            self.skipTest("gcc has no libubsan.so")
        run = self.bench.run("sh", "-c", "echo $LD_PRELOAD", env={"LD_PRELOAD": f"{runtime} /lib/x86_64-linux-gnu/libm.so.6"})
        words = run.out.strip().split(":")
        self.assertEqual((words[0], words[2]), ("/lib/x86_64-linux-gnu/libm.so.6", runtime), run)
        self.assertTrue(words[1].endswith("/libvouch.so"), run)


class Report(unittest.TestCase):
    @each_library
    def test_json_holds_what_was_promised(self, mpi):
        run = self.bench.run("-n", "2", self.bench.program("bad_rank", mpi))
        report = run.report
        self.assertEqual(report["schema"], 1)
        self.assertEqual(report["ranks"], 2)
        self.assertEqual(report["command"][0:2], ["vouch", "run"])
        finding = report["findings"][0]
        self.assertEqual(finding["severity"], "error")
        place = finding["locations"][0]
        self.assertEqual((place["line"], place["function"]), (9, "main"), run)
        self.assertTrue(place["file"].endswith("bad_rank.c"), run)
        self.assertTrue(place["call"].startswith("MPI_Send"), run)
        self.assertTrue(finding["again"].startswith("vouch run "), run)
        statistics = report["statistics"]
        self.assertEqual(statistics["MPI_Send"], 2)
        self.assertGreaterEqual(statistics["calls"], 8)

    def test_colour(self):
        program = self.bench.program("bad_rank", LIBRARIES[0])
        self.assertNotIn("\x1b[", self.bench.run("-n", "1", program).err)
        self.assertIn("\x1b[", self.bench.run("--color", "always", "-n", "1", program).err)
        self.assertNotIn("\x1b[", self.bench.run("--color=never", "-n", "1", program).err)


class Signals(unittest.TestCase):
    @each_library
    def test_the_time_limit_tells_where_each_rank_was(self, mpi):
        seconds = round(limit(2))  # all ranks must have come that far
        run = self.bench.run("--timeout", f"{seconds}s", "-n", "2", self.bench.program("waits", mpi))
        self.assertEqual((run.status, run.report["verdict"]), (61, "inconclusive"), run)
        gaps = "\n".join(run.gaps())
        self.assertIn(f"the run: it was ended at the time limit of {seconds} s", gaps)
        self.assertIn("rank 0: it was in MPI_Recv(count=1, source=1, tag=7) when the time limit", gaps)
        self.assertIn("rank 1: it was after MPI_Barrier when the time limit", gaps)
        self.assertIn("waits.c:20", run.err)

    def test_the_time_limit_ends_what_ignores_it(self):
        self.bench.write("stubborn.sh", "#!/bin/sh\ntrap '' TERM\nsleep 1000 &\necho $$\nwhile :; do sleep 0.2; done\n", 0o755)
        run = self.bench.run("--timeout", "1", "./stubborn.sh")
        self.assertEqual(run.status, 61, run)
        self.assertFalse(os.path.exists(f"/proc/{run.out.strip()}/exe"), run)

    @each_library
    def test_an_interrupt_goes_to_the_launcher_and_the_report_is_made(self, mpi):
        for number in (signal.SIGINT, signal.SIGTERM):
            run = self.bench.start("-n", "2", self.bench.program("waits", mpi))
            self.assertEqual(run.stdout.readline(), "up\n")
            socket = socket_of(launcher_of(run.pid))
            self.assertIsNotNone(agent_of(run.pid))
            run.send_signal(number)
            _, err = run.communicate(timeout=limit(60))
            self.assertEqual(run.returncode, 61, err)
            self.assertIn(f"when {number.name} came", err)
            self.assertTrue(wait_until(lambda socket=socket: not job_of(socket)))

    def test_an_interrupt_from_the_terminal_arrives_once(self):
        self.bench.write("counts.sh", "#!/bin/sh\nn=0\ntrap 'n=$((n+1))' INT\ntrap 'echo had $n; exit 0' USR1\necho up\n"
                         "while :; do sleep 0.05; done\n", 0o755)
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(self.bench.dir)
            os.execv(self.bench.vouch, ["vouch", "run", "--quiet", "./counts.sh"])
        shown = b""
        while b"up" not in shown:
            shown += os.read(terminal, 1000)
        os.write(terminal, b"\x03")
        time.sleep(0.5)  # nothing tells that a second signal does not come
        os.kill(pid, signal.SIGUSR1)
        try:
            while True:
                shown += os.read(terminal, 1000)
        except OSError:
            pass  # the other end is closed
        os.waitpid(pid, 0)
        self.assertIn(b"had 1", shown)

    def test_other_signals_reach_the_program(self):
        self.bench.write("listens.sh", "#!/bin/sh\ntrap 'echo got it; exit 0' USR1\necho up\nwhile :; do sleep 0.05; done\n", 0o755)
        run = self.bench.start("./listens.sh")
        self.assertEqual(run.stdout.readline(), "up\n")
        run.send_signal(signal.SIGUSR1)
        out, _ = run.communicate(timeout=limit(60))
        self.assertEqual(out, "got it\n")

    def test_a_rank_that_outlives_its_launcher_is_ended(self):
        mpi = LIBRARIES[-1]
        # The script leaves its rank behind.
        self.bench.write("leaves.sh", f"#!/bin/sh\n{self.bench.program('waits', mpi)} > left.txt 2>&1 &\n"
                         "until grep -q up left.txt 2>/dev/null; do sleep 0.05; done\n", 0o755)
        run = self.bench.run("./leaves.sh")
        self.assertEqual(run.status, 61, run)
        self.assertIn("its launcher was gone", run.err)

    def test_a_daemon_that_never_called_mpi_is_left_alone(self):
        self.bench.write("daemon.sh", "#!/bin/sh\nsleep 5 > /dev/null 2>&1 &\necho $!\n", 0o755)
        run = self.bench.run("./daemon.sh")
        pid = int(run.out)
        self.assertTrue(os.path.exists(f"/proc/{pid}/exe"), run)
        os.kill(pid, signal.SIGKILL)


class Failures(unittest.TestCase):
    @each_library
    def test_who_fails_is_the_cause_of_all_that_the_launcher_ends(self, mpi):
        # Hydra is quick: those in MPI_Finalize may be gone before the one that called MPI_Abort.
        program = self.bench.program("dies", mpi)
        for how in ("abort", "error", "fault", "exit", "kill"):
            for who in (0, 3):
                run = self.bench.run("-n", "4", program, str(who), how)
                self.assertEqual([f["ranks"] for f in run.report["findings"]], [[who]], run)
                if mpi == "mpich":
                    ended = [gap for gap in run.gaps() if gap.endswith(f"in MPI_Finalize when the launcher ended it, after rank {who} had failed")]
                    self.assertEqual(len(ended), 3, run)


class Manual(unittest.TestCase):
    def check(self, words, status, *parts):
        done = self.bench_command(*words)
        self.assertEqual(done.returncode, status, done)
        for part in parts:
            self.assertIn(part, done.stdout)

    def bench_command(self, *words):
        return subprocess.run([self.bench.vouch, *words], capture_output=True, text=True, timeout=limit(100), check=False)

    def test_help(self):
        for words in (["--help"], ["help"], ["-h"]):
            self.check(words, 0, "SYNOPSIS", "EXIT STATUS", "doctor")
        for words in (["run", "--help"], ["help", "run"], ["run", "-h"]):
            self.check(words, 0, "SYNOPSIS", "EXIT STATUS", "EXAMPLES", "--suppressions", "--timeout")
        for words in (["doctor", "--help"], ["help", "doctor"]):
            self.check(words, 0, "SYNOPSIS", "EXIT STATUS")

    def test_version(self):
        done = self.bench_command("--version")
        self.assertRegex(done.stdout, r"^vouch \d+\.\d+\.\d+\n$")

    def test_doctor(self):
        done = self.bench_command("doctor")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(done.stdout.count("its calls arrive"), len(LIBRARIES), done.stdout)


if __name__ == "__main__":
    main(globals())
