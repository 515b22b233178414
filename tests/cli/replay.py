#!/usr/bin/env python3
"""Schedules: each alternative can be forced, a recorded run comes again, and what does not fit is told."""

import itertools
import os
import unittest

from common import LIBRARIES, LIMIT, PROGRAMS, Run, main, read_report, subprocess

# How rank 0 asks for its messages (programs/order.c). These take them from any source ...
WILDCARDS = ["recv", "anytag", "ignored", "probe", "iprobe", "mprobe", "improbe", "sendrecv", "irecv", "start", "startall"]
# ... and these from named ones, in the order in which they are found complete.
PICKS = ["waitany", "waitsome", "testany", "testsome"]


class Replay(unittest.TestCase):
    def vouch(self, command, *words):
        report = self.bench.path("report.json")
        if os.path.exists(report):
            os.remove(report)
        first = [command[0], *command[1:]]
        done = subprocess.run([self.bench.vouch, *first, "--json", report, *words], cwd=self.bench.dir,
                              env=self.bench.environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=LIMIT, check=False)
        return Run(done.returncode, done.stdout, done.stderr, read_report(report))

    def replay(self, schedule, *words):
        return self.vouch(["replay", schedule], *words)

    def fortran(self, name, mpi):
        out = self.bench.path(f"{name}.{mpi}.exe")
        if not os.path.exists(out):
            subprocess.run(["mpifort." + mpi, "-g", os.path.join(PROGRAMS, name), "-o", out], check=True, cwd=self.bench.dir)
        return out

    def check_order(self, run, order):
        self.assertEqual(run.out.strip(), "order: " + " ".join(map(str, order)), run)
        self.assertEqual(run.gaps(), [], run)
        self.assertEqual((run.status, run.report["verdict"]), (0, "clean"), run)

    def orders(self, sources):
        """Of two messages each; non-overtaking makes the two of a source equal."""
        return sorted(set(itertools.permutations([s for s in sources for _ in range(2)])))

    def force_wildcards(self, mpi, how, orders, program=None):
        program = program or self.bench.program("order", mpi)
        for order in orders:
            with self.subTest(mpi=mpi, how=how, order=order):
                run = self.replay("A0=" + ",".join(map(str, order)), "-n", "3", program, *([how] if how else []))
                self.check_order(run, order)

    # [RR2]
    def test_each_kind_of_receive_takes_what_was_decided(self):
        for mpi in LIBRARIES:
            for how in WILDCARDS:
                self.force_wildcards(mpi, how, [(2, 1, 1, 2), (1, 2, 2, 1)])

    def test_each_order_of_one(self):
        for mpi in LIBRARIES:
            self.force_wildcards(mpi, "recv", self.orders([1, 2]))

    # [RR2]
    def test_ranks_of_the_other_group(self):
        for mpi in LIBRARIES:
            self.force_wildcards(mpi, "inter", [(1, 0, 0, 1), (0, 1, 1, 0)])

    # [RR2, RR3]
    def test_fortran(self):
        for mpi in LIBRARIES:
            self.force_wildcards(mpi, "recv", [(2, 1, 1, 2), (1, 2, 2, 1)], self.fortran("order_f08.f90", mpi))
            self.force_wildcards(mpi, "", [(2, 1, 1, 2), (1, 2, 2, 1)], self.fortran("order_mpif.f", mpi))
            for picks, order in (("2,0,1,3", (2, 1, 1, 2)), ("0,3,2,1", (1, 2, 2, 1))):
                if mpi == "mpich":  # its own MPI_Waitany gives f08 programs an index that is one too small
                    continue
                run = self.replay("A0=:" + picks, "-n", "3", self.fortran("order_f08.f90", mpi), "waitany")
                self.check_order(run, order)

    # [RR3]
    def test_each_kind_of_completion_picks_what_was_decided(self):
        for mpi in LIBRARIES:
            program = self.bench.program("order", mpi)
            for how in PICKS:
                wait = "" if how.startswith("wait") else "nx3,"
                for picks, order in (("2,0,1,3", (2, 1, 1, 2)), ("0,3,2,1", (1, 2, 2, 1))):
                    with self.subTest(mpi=mpi, how=how, picks=picks):
                        self.check_order(self.replay(f"A0=:{wait}{picks}", "-n", "3", program, how), order)
                if how.endswith("some"):
                    with self.subTest(mpi=mpi, how=how):
                        self.check_order(self.replay(f"A0=:{wait}3+0,1+2,u", "-n", "3", program, how), (2, 1, 1, 2))
            # One after the other: what fails is asked again later.
            self.check_order(self.replay("A0=:nx2,y,nx3,yx3", "-n", "3", program, "test"), (2, 1, 1, 2))

    # [RR10]
    def test_a_cancelled_receive(self):
        for mpi in LIBRARIES:
            program = self.bench.program("order", mpi)
            self.check_order(self.replay("A0=c,2,1,1,2", "-n", "3", program, "cancelled"), (2, 1, 1, 2))
            run = self.vouch(["run"], "-n", "3", program, "cancelled")
            self.assertTrue(run.report["schedule"].startswith("A0=c,"), run.report["schedule"])

    # [RR4]
    def test_what_is_not_decided_is_observed(self):
        for mpi in LIBRARIES:
            run = self.replay("A0=_,2", "-n", "3", self.bench.program("order", mpi), "recv")
            self.assertEqual(run.out.split()[2], "2", run)
            self.assertEqual(run.status, 0, run)

    # [RR7]
    def test_a_deadlock_of_one_schedule(self):
        for mpi in LIBRARIES:
            program = self.bench.program("trap", mpi)
            run = self.replay("A0=1", "-n", "3", program)
            self.assertEqual(run.rules(), ["race/message-harmful"], run)  # what could have been is known without it
            run = self.replay("A0=2", "-n", "3", program)
            self.assertEqual(run.status, 60, run)
            self.assertIn("deadlock/finished-rank", run.rules(), run)
            self.assertIn("vouch replay A0=2 ", run.report["findings"][0]["again"])

    def record(self, mpi, name, *arguments, ranks="4"):
        program = self.bench.program(name, mpi)
        file = self.bench.path("kept.schedule")
        run = self.vouch(["record", "-o", file], "-n", ranks, program, *arguments)
        self.assertEqual(run.status, 0, run)
        return run, file, program

    # [RR1]
    def test_a_recorded_run_comes_again(self):
        for mpi in LIBRARIES:
            for _ in range(10):
                run, file, program = self.record(mpi, "racy")
                again = self.replay("@" + file, "-n", "4", program)
                self.assertEqual((again.out, again.status), (run.out, 0), again)
                self.assertEqual(again.gaps(), [])
                self.assertEqual(again.report["schedule"], run.report["schedule"])

    # [RR3]
    def test_the_last_tests_of_a_rank_that_is_killed(self):
        """They are counted in the rank, which has no time to announce them: a launcher ends all when one fails."""
        for mpi in LIBRARIES:
            program = self.bench.program("mute", mpi)
            with self.subTest(mpi=mpi):
                run = self.replay("A0=:nx3", "-n", "2", program, "end", "3")
                self.assertEqual((run.gaps(), run.report["schedule"]), ([], "A0=:nx3"), run)
                run = self.replay("A", "-n", "2", program, "wait", "3")
                self.assertTrue(any(rule.startswith("deadlock/") for rule in run.rules()), run)
                self.assertEqual(run.report["schedule"], "A0=:nx3", run)
                trace = self.bench.path("mute.trace")
                self.vouch(["run"], "--trace", trace, "-n", "2", program, "wait", "3")
                self.left(self.replay("@" + trace, "-n", "2", program, "end", "1"), "ended after 1 picks", "decides 3")

    # [RR9]
    def test_a_trace_is_a_schedule(self):
        for mpi in LIBRARIES:
            program = self.bench.program("order", mpi)
            trace = self.bench.path("order.trace")
            run = self.vouch(["run"], "--trace", trace, "-n", "3", program, "iprobe")
            again = self.replay("@" + trace, "-n", "3", program, "iprobe")
            self.assertEqual((again.out, again.status), (run.out, 0), again)

    # What does not fit ----------------------------------------------------------------------------------------------

    def left(self, run, *words):
        self.assertEqual((run.status, run.report["verdict"]), (61, "inconclusive"), run)
        gaps = [g for g in run.report["not_checked"] if g["what"] == "the schedule"]
        self.assertEqual(len(gaps), 1, run)
        for word in words:
            self.assertIn(word, gaps[0]["reason"] + " " + gaps[0].get("where", ""), run)

    # [RR5]
    def test_another_program_than_the_schedule_expects(self):
        for mpi in LIBRARIES:
            program = self.bench.program("order", mpi)
            with self.subTest(mpi=mpi):
                self.left(self.replay("A0=1,7", "-n", "3", program, "recv"), "rank 0", "MPI_Recv", "match 1", "rank 7", "order.c:")
                self.left(self.replay("A0=1t8", "-n", "3", program, "recv"), "match 0", "tag 8", "tag 7")
                self.left(self.replay("A0=:y", "-n", "3", program, "waitany"), "MPI_Waitany", "pick 0", "'yes'")
                self.left(self.replay("A0=:9", "-n", "3", program, "waitany"), "pick 0", "request 9")
                self.left(self.replay("A0=:0,0", "-n", "3", program, "waitany"), "pick 1", "MPI_REQUEST_NULL")
                self.left(self.replay("A0=1,2,1,2,1", "-n", "3", program, "recv"), "ended after 4 matches", "decides 5")

    # [RR6]
    def test_a_message_that_never_comes(self):
        for mpi in LIBRARIES:
            program = self.bench.program("order", mpi)
            with self.subTest(mpi=mpi):
                self.left(self.replay("A0=1,1,1", "-n", "3", program, "recv"), "never comes", "rank 0", "waits for rank 1", "MPI_Recv")
                self.left(self.replay("A0=1,1,1", "-n", "3", program, "irecv"), "never comes", "MPI_Waitall")
                self.left(self.replay("A0=1,1,1:yx3", "-n", "3", program, "iprobe"), "never comes", "MPI_Iprobe")
                self.left(self.replay("A0=1,1,1", "-n", "3", program, "startall"), "never comes", "MPI_Waitall")

    # [RR8]
    def test_wrong_words(self):
        program = self.bench.program("order", LIBRARIES[0])
        for words, sentence in ((("replay", "B0=1", "-n", "3", program), "a schedule begins with A"),
                                (("replay", "A0=1;", "-n", "3", program), "at character 5"),
                                (("replay", "@missing", "-n", "3", program), "missing cannot be read"),
                                (("replay", "-n", "3", program), "no schedule to replay"),
                                (("record", "-n", "3", program), "-o FILE")):
            done = subprocess.run([self.bench.vouch, *words], cwd=self.bench.dir, capture_output=True, text=True, timeout=LIMIT,
                                  check=False)
            self.assertEqual(done.returncode, 64, done)
            self.assertIn(sentence, done.stderr)


if __name__ == "__main__":
    main(globals())
