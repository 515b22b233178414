#!/usr/bin/env python3
"""--stacks: how the program came to the calls of a finding. And places: the path in JSON, the user's own line in Python."""

import os
import re
import subprocess
import unittest

from common import LIBRARIES, PROGRAMS, main


def marks(path):
    """Line numbers of the marks in a source file."""
    with open(path, encoding="utf-8") as file:
        return {m.group(1): i for i, line in enumerate(file, 1) for m in [re.search(r"(?://|!|#) @(\w+)", line)] if m}


WRAPPED = os.path.join(PROGRAMS, "wrapped.c")
PYTHON = """import unittest
from mpi4py import MPI
def put(to):
    MPI.COMM_WORLD.Send(bytearray(4), dest=to)  # @send
def first_phase():
    put(98)  # @first
class Test(unittest.TestCase):
    def test(self):
        MPI.COMM_WORLD.Set_errhandler(MPI.ERRORS_RETURN)
        self.assertRaises(MPI.Exception, MPI.COMM_WORLD.Send, bytearray(4), dest=97)  # @helper
        try:
            first_phase()  # @loop
        except MPI.Exception:
            pass
unittest.main()
"""


class Stacks(unittest.TestCase):
    def build(self, name, compiler, source, *words):
        subprocess.run([compiler, "-g", *words, source, "-o", name], cwd=self.bench.dir, check=True)
        return "./" + name

    def finding(self, run, rule="argument/rank"):
        found = [f for f in run.report["findings"] if f["rule"] == rule]
        self.assertEqual(len(found), 1, run)
        return found[0]

    def lines(self, location):
        return [c["line"] for c in location["stack"]]

    def test_each_way_to_a_wrapper(self):
        at = marks(WRAPPED)
        for mpi in LIBRARIES:
            for words in (["-O2"], ["-O0"], ["-O2", "-fno-omit-frame-pointer"], ["-O1", "-fno-asynchronous-unwind-tables",
                                                                                "-fno-omit-frame-pointer"]):
                with self.subTest(mpi=mpi, words=words):
                    program = self.build("wrapped." + mpi, "mpicc." + mpi, WRAPPED, *words)
                    run = self.bench.run("--stacks", "-n", "1", program)
                    self.assertEqual(run.status, 60, run)
                    f = self.finding(run)  # one line, one finding
                    self.assertEqual(f["count"], 6)
                    self.assertEqual([self.lines(l) for l in f["locations"]],
                                     [[at["send"], at["first"], at["loop"]], [at["send"], at["second"], at["last"]]], run)
                    self.assertEqual(f["locations"][0]["stack"][1]["function"], "first_phase")
                    self.assertIn(f"called from first_phase (wrapped.c:{at['first']})", run.err)
                    self.assertIn(f"also called from wrapped.c:{at['second']}", run.err)

    def test_as_many_as_wanted(self):
        at = marks(WRAPPED)
        program = self.build("wrapped", "mpicc." + LIBRARIES[0], WRAPPED, "-O2")
        f = self.finding(self.bench.run("--stacks=1", "-n", "1", program))
        self.assertEqual(self.lines(f["locations"][0]), [at["send"], at["first"]])
        for wrong in ("--stacks=0", "--stacks=33", "--stacks=x"):
            run = self.bench.run(wrong, "-n", "1", program, json_report=False)
            self.assertEqual((run.status, run.out), (64, ""), run)

    def test_without_the_flag(self):
        program = self.build("wrapped", "mpicc." + LIBRARIES[0], WRAPPED, "-O2")
        f = self.finding(self.bench.run("-n", "1", program))
        self.assertEqual((f["count"], len(f["locations"])), (6, 1))

    def test_fortran(self):
        source = os.path.join(PROGRAMS, "wrapped.f90")
        at = marks(source)
        for mpi in LIBRARIES:
            with self.subTest(mpi=mpi):
                run = self.bench.run("--stacks", "-n", "1", self.build("wf." + mpi, "mpifort." + mpi, source, "-O1", "-fno-inline"))
                location = self.finding(run)["locations"][0]
                self.assertEqual(self.lines(location)[:3], [at["send"], at["first"], at["loop"]], run)

    def test_with_check_buffers(self):
        at = marks(WRAPPED)
        for mpi in LIBRARIES:
            program = self.build("wrapped." + mpi, "mpicc." + mpi, WRAPPED, "-O2")
            f = self.finding(self.bench.run("--stacks", "--check-buffers", "-n", "1", program))
            self.assertEqual(self.lines(f["locations"][0]), [at["send"], at["first"], at["loop"]])

    def test_path_of_the_source(self):
        program = self.build("wrapped", "mpicc." + LIBRARIES[0], WRAPPED, "-O2")
        place = self.finding(self.bench.run("-n", "1", program))["locations"][0]
        self.assertEqual(os.path.realpath(place["file"]), os.path.realpath(WRAPPED))


class Python(unittest.TestCase):
    def setUp(self):
        done = subprocess.run(["/usr/bin/python3", "-c", "import mpi4py"], check=False, capture_output=True)
        if done.returncode != 0:
            self.skipTest("no mpi4py here")
        self.at = marks(self.bench.write("case.py", PYTHON))

    def places(self, *flags):
        run = self.bench.run(*flags, "-n", "1", "/usr/bin/python3", "case.py")
        self.assertEqual(run.status, 60, run)
        return {l["line"]: l for f in run.report["findings"] if f["rule"] == "argument/rank" for l in f["locations"]}, run

    def test_the_users_own_line(self):
        places, run = self.places()
        self.assertEqual(sorted(places), sorted([self.at["helper"], self.at["send"]]), run)

    def test_callers(self):
        places, run = self.places("--stacks")
        stack = places[self.at["send"]]["stack"]
        self.assertEqual([c["line"] for c in stack][:3], [self.at["send"], self.at["first"], self.at["loop"]], run)
        self.assertEqual(stack[1]["function"], "first_phase")


if __name__ == "__main__":
    main(globals())
