#!/usr/bin/env python3
"""A run in poor surroundings: closed standard descriptors, a limit on the size of files, no /proc, a stopped agent."""

import itertools
import os
import time
import unittest

from common import LIBRARIES, LIMIT, Run, agent_of, limit, main, read_report, signal, subprocess


class Surroundings(unittest.TestCase):
    def shell(self, line):
        """A line for /bin/sh, in which $VOUCH is `vouch run` with a JSON report."""
        report = self.bench.path("report.json")
        if os.path.exists(report):
            os.remove(report)
        env = self.bench.environment({"VOUCH": f"{self.bench.vouch} run --json {report}"})
        done = subprocess.run(["/bin/sh", "-c", line], cwd=self.bench.dir, env=env, capture_output=True, text=True, timeout=LIMIT)
        return Run(done.returncode, done.stdout, done.stderr, read_report(report))

    def test_closed_descriptors(self):
        closings = ["<&-", ">&-", "2>&-"]
        for mpi in LIBRARIES:
            program = self.bench.program("leak", mpi)
            for count in (1, 2, 3):
                for some in itertools.combinations(closings, count):
                    with self.subTest(mpi=mpi, closed=some):
                        run = self.shell(f"$VOUCH -n 2 {program} {' '.join(some)}")
                        self.assertIsNotNone(run.report, f"no JSON\n{run}")
                        self.assertEqual(run.rules(), ["leak/communicator"], str(run))
                        self.assertEqual(run.gaps(), [])
                        self.assertEqual(run.status, 0, str(run))

    def test_closed_descriptors_stay_closed_for_the_program(self):
        for mpi in LIBRARIES:
            program = self.bench.program("descriptors", mpi)
            for closed, expected in (("", "0 1 2"), ("<&-", "1 2")):
                with self.subTest(mpi=mpi, closed=closed):
                    plain = self.shell(f"{program} {closed}")
                    checked = self.shell(f"$VOUCH -- {program} {closed}")
                    self.assertEqual(plain.out, expected + "\n", str(plain))
                    self.assertEqual(checked.out, plain.out, str(checked))
                    self.assertEqual(checked.report["verdict"], "clean", str(checked))

    def test_limit_on_files(self):
        """The ring's memory counts as a file. Where the library itself can do with the limit, so can we."""
        for mpi in LIBRARIES:
            program = self.bench.program("leak", mpi)
            works = 0
            for blocks in (65536, 16384, 8192, 4096, 1024):  # of 512 bytes; a ring of the usual size needs 8200
                with self.subTest(mpi=mpi, blocks=blocks):
                    plain = self.shell(f"ulimit -f {blocks}; {program}")
                    run = self.shell(f"ulimit -f {blocks}; $VOUCH -- {program}")
                    if plain.status != 0:
                        continue
                    works += 1
                    self.assertIsNotNone(run.report, f"no JSON\n{run}")
                    self.assertEqual(run.rules(), ["leak/communicator"], str(run))
                    self.assertEqual((run.status, run.gaps()), (0, []), str(run))
            self.assertGreaterEqual(works, 2, mpi)

    def test_no_proc(self):
        if os.geteuid() != 0 or subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode != 0:
            self.skipTest("only root may hide /proc")
        for mpi in LIBRARIES:
            with self.subTest(mpi=mpi):
                program = self.bench.program("leak", mpi)
                hide = "mount -t tmpfs none /proc && exec sh -c"
                plain = self.shell(f"unshare --mount -- sh -c '{hide} {program}'")
                run = self.shell(f"""unshare --mount -- sh -c "{hide} '$VOUCH -- {program}'" """)
                self.assertNotIn("libvouch.so is missing", run.err)
                if plain.status == 0:
                    self.assertIsNotNone(run.report, str(run))
                    self.assertEqual(run.rules(), ["leak/communicator"], str(run))

    def test_stopped_agent(self):
        """Its ranks have filled their rings long before the end of the program."""
        for mpi in LIBRARIES:
            with self.subTest(mpi=mpi):
                report = self.bench.path("stopped.json")
                run = self.bench.start("--json", report, "-n", "2", self.bench.program("works", mpi), "2")
                self.assertEqual(run.stdout.readline(), "up\n")
                os.kill(agent_of(run.pid), signal.SIGSTOP)
                begun = time.monotonic()
                out, err = run.communicate(timeout=LIMIT)
                self.assertLess(time.monotonic() - begun, limit(2 + 10))
                self.assertIn("done", out)
                self.assertEqual(run.returncode, 61, err)
                self.assertIn("the agent of vouch had done nothing for 5 s", err)

    def test_stopped_agent_and_vouch(self):
        """Nobody is there to end the agent: the ranks see by themselves that it does nothing."""
        for mpi in LIBRARIES:
            with self.subTest(mpi=mpi):
                # On a very busy machine the rings may not be full at the end: then nothing was lost.
                for seconds in (2, 8, 30):
                    status, err = self.stopped_with_vouch(mpi, seconds)
                    if status != 0:
                        break
                    self.assertIn("vouch: clean", err)
                self.assertEqual(status, 61, err)
                self.assertIn("went on without vouch", err)
                self.assertNotIn("error", err.replace("vouch: error", ""))

    def stopped_with_vouch(self, mpi, seconds):
        run = self.bench.start("--patience", "2s", "-n", "2", self.bench.program("works", mpi), str(seconds), "100000")
        self.assertEqual(run.stdout.readline(), "up\n")
        agent = agent_of(run.pid)
        for pid in (agent, run.pid):
            os.kill(pid, signal.SIGSTOP)
        begun = time.monotonic()
        self.assertEqual(run.stdout.readline(), "done\n")
        self.assertLess(time.monotonic() - begun, limit(seconds + 6))
        for pid in (agent, run.pid):
            os.kill(pid, signal.SIGCONT)
        _, err = run.communicate(timeout=LIMIT)
        return run.returncode, err

    def test_slow_agent_loses_nothing(self):
        """It is stopped again and again, but never for as long as the patience lasts."""
        for mpi in LIBRARIES:
            with self.subTest(mpi=mpi):
                run = self.bench.start("-n", "2", self.bench.program("works", mpi), "6")
                self.assertEqual(run.stdout.readline(), "up\n")
                agent = agent_of(run.pid)
                for _ in range(3):
                    os.kill(agent, signal.SIGSTOP)
                    time.sleep(1.5)
                    os.kill(agent, signal.SIGCONT)
                    time.sleep(0.2)
                out, err = run.communicate(timeout=LIMIT)
                self.assertIn("done", out)
                self.assertEqual(run.returncode, 0, err)


if __name__ == "__main__":
    main(globals())
