#!/usr/bin/env python3
"""A job that hangs, on each library: what is told, drawn and done about it (--on-deadlock, --picture)."""

import os
import pathlib
import re
import socket
import sys
import time
import unittest
import xml.etree.ElementTree as ElementTree

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cli"))
import common  # noqa: E402
from common import LIBRARIES, limit, main, read_report, signal, wait_until  # noqa: E402

common.PROGRAMS = str(HERE / "programs")
RULE = "deadlock/wait-cycle"


def alive(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


class Stuck(unittest.TestCase):
    def each(self):
        for library in LIBRARIES:
            with self.subTest(library=library):
                yield library, self.bench.program("nested", library)

    def test_the_job_is_ended_and_the_report_tells_all(self):
        for library, program in self.each():
            svg, dot = self.bench.path("waits.svg"), self.bench.path("waits.dot")
            start = time.monotonic()
            run = self.bench.run("--picture", svg, "-n", "3", program)
            self.assertLess(time.monotonic() - start, limit(30), run)
            self.assertEqual(run.status, 60, run)
            self.assertEqual(run.rules(), [RULE], run)
            finding = run.report["findings"][0]
            self.assertEqual([location["rank"] for location in finding["locations"]], [0, 1, 2])
            self.assertIn("also stuck", finding["locations"][2]["role"])
            for location in finding["locations"][:2]:
                self.assertEqual([c["function"] for c in location["stack"]], ["exchange", "step", "main"], run)
                self.assertTrue(all(c["file"].endswith("nested.c") and c["line"] > 0 for c in location["stack"]))
            self.assertIn("in exchange, called from step (nested.c:", run.err.replace(str(HERE / "programs") + "/", ""))
            self.assertIn("rank 2 waits for them", run.err)
            picture = ElementTree.parse(svg).getroot()
            words = " ".join(picture.itertext())
            for part in ("rank 0", "rank 1", "rank 2", "MPI_Recv", "nested.c:"):
                self.assertIn(part, words)
            self.assertEqual(finding["picture"]["svg"], pathlib.Path(svg).read_text())
            self.bench.run("--picture", dot, "-n", "3", program)
            self.assertRegex(pathlib.Path(dot).read_text(), r"n0 -> n1;\n")

    def test_a_picture_of_nothing(self):
        run = self.bench.run("--picture", self.bench.path("x.svg"), "true")
        self.assertEqual(ElementTree.parse(self.bench.path("x.svg")).getroot().tag.split("}")[1], "svg", run)
        run = self.bench.run("--picture", self.bench.path("x.png"), "true")
        self.assertEqual(run.status, 64, run)

    def stuck_job(self, how, program):
        """The run, and what it said until it had told of the deadlock."""
        report = self.bench.path("report.json")
        pathlib.Path(report).unlink(missing_ok=True)
        job = self.bench.start("--on-deadlock", how, "--json", report, "--timeout", str(round(limit(60))), "-n", "3", program)
        said = ""
        while f"[{RULE}]" not in said or "the job is left as it is" not in said or (how == "pause" and "Ctrl-C" not in said):
            line = job.stderr.readline()
            if not line:
                break
            said += line
        return job, said, report

    def interrupt(self, job, report, said):
        job.send_signal(signal.SIGINT)
        job.communicate(timeout=limit(60))
        found = read_report(report)
        self.assertIsNotNone(found, said)
        self.assertEqual([f["rule"] for f in found["findings"]], [RULE])

    def test_report_leaves_the_job_alone(self):
        for library, program in self.each():
            job, said, report = self.stuck_job("report", program)
            self.assertIn(f"[{RULE}]", said)
            ranks = common.ranks_of(next(filter(None, map(common.socket_of, common.children(job.pid)))), program)
            self.assertEqual(len(ranks), 3, said)
            self.assertTrue(all(alive(pid) for pid in ranks), said)
            self.interrupt(job, report, said)
            self.assertTrue(wait_until(lambda: not any(alive(pid) for pid in ranks)))

    def test_pause_tells_how_to_attach_to_each_stuck_rank(self):
        for library, program in self.each():
            job, said, report = self.stuck_job("pause", program)
            found = re.findall(r"rank (\d+): process (\d+) on (\S+): gdb -p (\d+)", said)
            self.assertEqual([int(rank) for rank, *_ in found], [0, 1, 2], said)
            for _, pid, host, gdb in found:
                self.assertEqual((pid, host), (gdb, socket.gethostname()))
                self.assertEqual(os.path.basename(os.readlink(f"/proc/{pid}/exe")), os.path.basename(program))
            self.interrupt(job, report, said)

    def test_abort_kills_the_ranks_and_is_no_crash_of_theirs(self):
        for library, program in self.each():
            run = self.bench.run("--on-deadlock", "abort", "-n", "3", program)
            self.assertEqual(run.status, 60, run)
            self.assertEqual(run.rules(), [RULE], run)

    def test_an_unknown_way(self):
        run = self.bench.run("--on-deadlock", "wait", "true", json_report=False)
        self.assertEqual(run.status, 64, run)


if __name__ == "__main__":
    main(globals())
