#!/usr/bin/env python3
"""Traces of runs: kept, dumped, decided; by whom they were cut, and what is no trace."""

import json
import os
import shlex
import unittest

from common import LIBRARIES, LIMIT, agent_of, main, signal, subprocess, wait_until


def each_library(test):
    def run(self):
        for mpi in LIBRARIES:
            with self.subTest(mpi=mpi):
                test(self, mpi)
    return run


class Traces(unittest.TestCase):
    def vouch(self, *words):
        return subprocess.run([self.bench.vouch, *words], cwd=self.bench.dir, env=self.bench.environment(),
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT, check=False)

    def predict(self, *words):
        """The rules that prediction found, and its exit status."""
        report = self.bench.path("prediction.json")
        done = self.vouch("predict", "--json", report, *words)
        with open(report, encoding="utf-8") as file:
            self.found = json.load(file)
        return {f["rule"] for f in self.found["findings"]}, done.returncode

    def finding(self, rule):
        return next(f for f in self.found["findings"] if f["rule"] == rule)

    @each_library
    def test_a_run_is_dumped_and_decided(self, mpi):
        program = self.bench.program("lucky", mpi)
        run = self.bench.run("--trace", "lucky.trace", "-n", "3", program)
        self.assertIsNotNone(run.report, run)
        dump = self.vouch("trace", "dump", "lucky.trace")
        self.assertEqual(dump.returncode, 0, dump)
        self.assertIn("0 Irecv ", dump.stdout)
        self.assertIn("@lucky.c:16 ", dump.stdout)
        self.assertEqual(dump.stdout.count(" Finalize @lucky.c:27\n"), 3, dump.stdout)
        self.bench.write("lucky.text", dump.stdout)
        expected = {"deadlock/finished-rank", "race/message"}
        for name in ("lucky.trace", "lucky.text"):
            rules, status = self.predict(name)
            self.assertEqual((rules, status), (expected, 60), name)
            self.assertTrue(self.finding("deadlock/finished-rank")["potential"], name)
        # The run's own findings come along, and what a replay shows is no more potential.
        rules, status = self.predict("-n", "3", program)
        self.assertLessEqual(expected, rules)
        self.assertEqual(status, 60)
        deadlock = self.finding("deadlock/finished-rank")
        self.assertFalse(deadlock["potential"], deadlock)
        self.assertIn("a replay has shown it", deadlock["message"])
        self.assertIn("vouch replay A0=1 -n 3 ", deadlock["again"])
        again = self.vouch(*shlex.split(deadlock["again"])[1:])
        self.assertEqual(again.returncode, 60, again)
        self.assertIn("deadlock/finished-rank", again.stderr)
        rules, status = self.predict("--no-confirm", "-n", "3", program)
        self.assertTrue(self.finding("deadlock/finished-rank")["potential"])

    @each_library
    def test_a_correct_program_is_proved(self, mpi):
        rules, status = self.predict("-n", "2", self.bench.program("clean", mpi))
        self.assertEqual((rules, status), (set(), 0))

    @each_library
    def test_what_an_agent_that_dies_has_kept_can_be_read(self, mpi):
        name = f"cut.{mpi}.trace"
        running = self.bench.start("--trace", name, "--on-deadlock", "report", "-n", "2", self.bench.program("waits", mpi))
        path = self.bench.path(name)
        try:
            self.assertTrue(wait_until(lambda: os.path.exists(path) and os.path.getsize(path) > 1000))
            os.kill(agent_of(running.pid), signal.SIGKILL)
        finally:
            running.terminate()
            running.communicate(timeout=LIMIT)
        dump = self.vouch("trace", "dump", name)
        self.assertEqual(dump.returncode, 61, dump)
        self.assertIn(" Init", dump.stdout)
        self.assertIn("was cut short", dump.stderr)

    def test_a_trace_that_cannot_be_written(self):
        program = self.bench.program("clean", LIBRARIES[0])
        run = self.bench.run("--trace", "/no/such/folder/t", "-n", "1", program)
        self.assertEqual(run.status, 64, run)
        self.assertIn("cannot write to /no/such/folder/t", run.err)
        run = self.bench.run("--trace", "/dev/full", "-n", "1", program)
        self.assertEqual(run.status, 61, run)
        self.assertIn("the trace: it could not be written to /dev/full: No space left on device", run.gaps())

    def test_what_is_no_trace(self):
        self.bench.write("empty", "")
        self.bench.write("words", "these are words, but not ours")
        self.bench.write("short", "vouchtr\n")
        for name, sentence in (("empty", "it is empty"), ("words", "it is no trace of vouch"),
                               ("short", "it ends before anything was recorded"), ("none", "cannot be read")):
            done = self.vouch("trace", "dump", name)
            self.assertEqual((done.returncode, done.stdout), (64, ""), done)
            self.assertIn(sentence, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_usage(self):
        for words in ([], ["frob"], ["dump"], ["dump", "a", "b"]):
            done = self.vouch("trace", *words)
            self.assertEqual(done.returncode, 64, words)
            self.assertIn("vouch trace --help", done.stderr)
        for words in (["trace", "--help"], ["help", "trace"]):
            self.assertIn("SYNOPSIS", self.vouch(*words).stdout)


if __name__ == "__main__":
    main(globals())
