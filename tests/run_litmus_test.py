#!/usr/bin/env python3
"""The litmus runner must be able to fail: a vouch that says too much, too little or the wrong thing is caught."""

import contextlib
import io
import json
import pathlib
import re
import stat
import sys
import tempfile
import unittest

import run_litmus

# Rules that stand in the catalogue, and need what no run shows so far: the program's own loads and stores.
NO_ANALYSIS = {"type/memory"}

BAD = """# vouch: run -n 2
# expect: error argument/rank @a
# expect: warning leak/communicator @b
call()  # @a
call()
call()  # @b
"""
OK = """# vouch: run -n 2
# expect: clean
# exit: 3
"""


def finding(severity, rule, line, file="x_bad.py"):
    return {"severity": severity, "rule": rule, "locations": [{"rank": 0, "file": f"/some/where/{file}", "line": line}]}


HEADING = "error: rank out of range [argument/rank]"
RANK = finding("error", "argument/rank", 4)
LEAK = finding("warning", "leak/communicator", 6)


def report(verdict, *findings, not_checked=()):
    return {"verdict": verdict, "findings": list(findings), "not_checked": list(not_checked)}


class Litmus(unittest.TestCase):
    def setUp(self):
        self.directory = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        (self.directory / "family").mkdir()
        self.bad = self.write("x_bad.py", BAD)
        self.ok = self.write("x_ok.py", OK)

    def write(self, name, text):
        path = self.directory / "family" / name
        path.write_text(text)
        return run_litmus.Program(path)

    def compare(self, program, *arguments):
        return run_litmus.compare(program, "openmpi", *arguments)

    def test_exactly_what_is_expected_passes(self):
        self.assertEqual(self.compare(self.bad, report("error", LEAK, RANK), 60), [])
        self.assertEqual(self.compare(self.ok, report("clean"), 3), [])

    def test_info_counts_only_where_expected(self):
        info = finding("info", "race/message", 5)
        self.assertEqual(self.compare(self.bad, report("error", RANK, LEAK, info), 60), [])
        wants = self.write("y_ok.py", "# vouch: run -n 2\n# expect: info race/message @a\ncall()  # @a\n")
        self.assertEqual(self.compare(wants, report("clean", finding("info", "race/message", 3, "y_ok.py")), 0), [])
        self.assertTrue(self.compare(wants, report("clean"), 0))
        self.assertTrue(self.compare(wants, report("clean", finding("info", "race/message", 2, "y_ok.py")), 0))

    def test_each_way_to_be_wrong_is_told(self):
        for name, given, status in [
            ("missing", report("error", RANK), 60),
            ("too much", report("error", RANK, LEAK, finding("warning", "leak/op", 5)), 60),
            ("twice", report("error", RANK, RANK, LEAK), 60),
            ("wrong line", report("error", finding("error", "argument/rank", 5), LEAK), 60),
            ("wrong rule", report("error", finding("error", "argument/tag", 4), LEAK), 60),
            ("wrong severity", report("error", finding("warning", "argument/rank", 4), LEAK), 60),
            ("wrong file", report("error", finding("error", "argument/rank", 4, "mpi.h"), LEAK), 60),
            ("wrong verdict", report("inconclusive", RANK, LEAK), 60),
            ("wrong status", report("error", RANK, LEAK), 0),
        ]:
            with self.subTest(name):
                self.assertTrue(self.compare(self.bad, given, status))

    def test_two_marks_are_two_places(self):
        program = self.write("p_bad.py", "# vouch: run -n 2\n# expect: error rma/race @b @a\nput()  # @a\nget()  # @b\n")

        def pair(first, second):
            found = finding("error", "rma/race", first, "p_bad.py")
            found["locations"] += finding("error", "rma/race", second, "p_bad.py")["locations"]
            return report("error", found)
        self.assertEqual(self.compare(program, pair(3, 4), 60), [])
        self.assertEqual(self.compare(program, pair(4, 3), 60), [])
        self.assertTrue(self.compare(program, pair(3, 3), 60))
        self.assertTrue(self.compare(program, report("error", finding("error", "rma/race", 3, "p_bad.py")), 60))
        same = self.write("s_bad.py", "# vouch: run -n 2\n# expect: error rma/race @a @a\nput()  # @a\nget()\n")
        both = pair(3, 3)
        for place in both["findings"][0]["locations"]:
            place["file"] = "s_bad.py"
        self.assertEqual(self.compare(same, both, 60), [])

    def test_a_clean_program_keeps_its_status(self):
        self.assertTrue(self.compare(self.ok, report("clean"), 0))
        self.assertTrue(self.compare(self.ok, report("clean", finding("warning", "leak/op", 1, "x_ok.py")), 3))

    def test_a_gap_must_be_named(self):
        program = self.write("z_ok.py", "# vouch: run -n 1\n# expect: clean\n# verdict: inconclusive\n# not-checked: MPI_Put\n")
        named = [{"what": "MPI_Put", "reason": "not yet", "count": 1}]
        self.assertEqual(self.compare(program, report("inconclusive", not_checked=named), 61), [])
        self.assertTrue(self.compare(program, report("inconclusive"), 61))

    def test_expectations_by_library(self):
        program = self.write("l_bad.py", "# vouch: run -n 1\n# expect: error crash/signal @a [mpich]\ncall()  # @a\n")
        self.assertEqual(program.expected("openmpi"), [])
        self.assertEqual(program.expected("mpich"), [("error", "crash/signal", 3)])

    def test_badly_written_programs_are_refused(self):
        for text in ["# expect: clean\n", "# vouch: run -n 1\n", "# vouch: run -n 1\n# expect: error a/b @a\n",
                     "# vouch: run -n 1\n# expect: oops a/b\n", "# vouch: run -n 1\n# expect: clean\nx  # @a\ny  # @a\n",
                     "# vouch: run -n 1\n# expect: error a/b @a @b\nx  # @a\n", "# vouch: run -n 1\n# expect: clean\n# compile: vouch cc\n"]:
            with self.assertRaises(run_litmus.BadProgram):
                self.write("w_bad.py", text)
        with self.assertRaises(run_litmus.BadProgram):
            self.write("w_ok.py", "# vouch: run -n 1\n# expect: error a/b\n")

    def run_with(self, body, *options):
        """The whole runner against a vouch made of these shell lines; $2 of it is the report to write."""
        vouch = self.directory / "vouch"
        vouch.write_text("#!/bin/sh\nreport=$3\n" + body)
        vouch.chmod(vouch.stat().st_mode | stat.S_IXUSR)
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            status = run_litmus.main(["--vouch", str(vouch), "--litmus-dir", str(self.directory), "--filter", "x_bad",
                                      "--limit", "2", "--build-dir", str(self.directory / "build"), *options])
        return status, output.getvalue()

    @unittest.skipUnless(run_litmus.shutil.which("mpirun.openmpi"), "needs Open MPI's launcher")
    def test_the_runner_as_a_whole(self):
        right = json.dumps(report("error", RANK, LEAK))
        late = json.dumps(dict(report("error", RANK, LEAK), not_checked=[
            {"what": "the run", "reason": "it was ended at the time limit of 20 s"}]))
        follows = [dict(RANK, consequences=["and so rank 1 waits forever at a.c:9"]), LEAK]
        forever = report("error", *follows)
        ended = json.dumps(dict(forever, not_checked=[
            {"what": "rank 1", "reason": "what comes after the deadlock"}]))
        forever = json.dumps(forever)
        could = forever.replace("waits", "could wait")
        for said in (ended, could):
            self.assertEqual(self.run_with(f"echo '{said}' > $report\nexit 60\n"), (0, "1 passed, 0 failed\n"))
        status, output = self.run_with(f"echo '{right}' > $report\necho '{HEADING}'\nexit 60\n")
        self.assertEqual((status, output), (0, "1 passed, 0 failed\n"))
        for name, body, told in [
            ("no report", "exit 60\n", "no report"),
            ("wrong report", "echo '{\"verdict\": \"clean\", \"findings\": []}' > $report\n", "missing: error argument/rank"),
            ("hangs", "exec sleep 60\n", "not done after "),
            ("ended by its time limit", f"echo '{late}' > $report\nexit 60\n", "ended by its time limit (the run"),
            ("printed twice", f"echo '{right}' > $report\necho '{HEADING}'; echo '{HEADING}'\nexit 60\n",
             "printed twice: argument/rank"),
            ("ended by itself", f"echo '{forever}' > $report\nexit 60\n", "said to wait forever, but went on"),
            ("leaves a process", f"echo '{right}' > $report\nsleep 60 >/dev/null 2>&1 &\nexit 60\n", "left behind"),
        ]:
            with self.subTest(name):
                status, output = self.run_with(body)
                self.assertEqual(status, 1)
                self.assertIn(told, output)
                self.assertIn("again: ", output)
                self.assertTrue(output.endswith("0 passed, 1 failed\n"))

    @unittest.skipUnless(run_litmus.shutil.which("mpirun.openmpi"), "needs Open MPI's launcher")
    def test_wrong_once_is_named_and_counted(self):
        right = json.dumps(report("error", RANK, LEAK))
        mark = self.directory / "was-here"
        then = f"echo '{right}' > $report\nexit 60\n"
        for times, options, wanted in [(1, (), 1), (1, ("--unsteady", "1"), 0), (2, ("--unsteady", "1"), 1)]:
            with self.subTest(times=times, options=options):
                mark.unlink(missing_ok=True)
                status, output = self.run_with(f"echo x >> {mark}\n[ $(wc -l < {mark}) -gt {times} ] || exit 70\n" + then, *options)
                self.assertEqual(status, wanted)
                self.assertIn("FAIL openmpi family/x_bad.py", output)
                self.assertEqual("UNSTEADY openmpi family/x_bad.py" in output, wanted == 0)

    def test_every_rule_has_twins(self):  # [U49]
        programs = run_litmus.discover(run_litmus.HERE / "litmus")
        kind = lambda p: (p.path.parent.name, p.path.stem.split("_")[0])
        right = {kind(p) for p in programs if p.path.stem.endswith("_ok")}
        twins = {rule for p in programs if kind(p) in right for l in p.libraries() for _, rule, _ in p.expected(l)}
        text = (run_litmus.HERE.parent / "src/report/rules.def").read_text()
        rules = set(re.findall(r'VOUCH_RULE\(\w+, "([^"]+)"', text))
        self.assertEqual(rules - twins, NO_ANALYSIS)
        self.assertEqual(twins - rules, set())

    def test_a_third_is_fortran(self):
        programs = run_litmus.discover(run_litmus.HERE / "litmus")
        fortran = sum(p.path.suffix in (".f", ".f90") for p in programs)
        self.assertGreaterEqual(len(programs), 350)
        self.assertGreaterEqual(3 * fortran, len(programs) - fortran)


if __name__ == "__main__":
    sys.exit(unittest.main())
