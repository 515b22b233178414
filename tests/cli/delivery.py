#!/usr/bin/env python3
"""Reports of all commands: the same options, files, colours and exit statuses mean the same in each."""

import os
import pty
import unittest

from common import LIBRARIES, limit, main, read_report, subprocess

# The command, and what it needs besides its options.
COMMANDS = {"run": (), "record": ("-o", "kept.schedule"), "replay": (), "explore": (), "predict": ()}
MPI = LIBRARIES[-1]


def each_command(test):
    def run(self):
        for command in COMMANDS:
            with self.subTest(command=command):
                test(self, command)
    return run


class Delivery(unittest.TestCase):
    def words(self, command, *words):
        schedule = ["A"] if command == "replay" else []
        return [self.bench.vouch, command, *schedule, *COMMANDS[command], *words]

    def vouch(self, command, *words, stderr=subprocess.PIPE, env=None):
        return subprocess.run(self.words(command, *words), cwd=self.bench.dir, env=self.bench.environment(env), stdout=subprocess.PIPE,
                              stderr=stderr, stdin=subprocess.DEVNULL, text=True, timeout=limit(120), check=False)

    def on_terminal(self, command, *words, env=None):
        """What it writes to a terminal."""
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(self.bench.dir)
            words = self.words(command, *words)
            os.execve(words[0], words, self.bench.environment(env))
        shown = b""
        try:
            while part := os.read(terminal, 65536):
                shown += part
        except OSError:
            pass  # the other end is closed
        os.waitpid(pid, 0)
        os.close(terminal)
        return shown.decode(errors="replace")

    def marking(self):
        """A program that leaves a mark when it is run."""
        return self.bench.write("marks.sh", f"#!/bin/sh\ntouch {self.bench.path('ran')}\nexec {self.bench.program('clean', MPI)}\n", 0o755)

    @each_command
    def test_files_are_tried_before_the_work(self, command):
        program = self.marking()
        for words, part in ((["--json", "/nowhere/report.json"], "cannot write to /nowhere/report.json: No such file"),
                            (["--json", "."], "cannot write to .: "),
                            (["--suppressions", "none.supp"], "none.supp")):
            done = self.vouch(command, *words, "-n", "1", program)
            self.assertEqual(done.returncode, 64, done)
            self.assertIn(part, done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 1, done)
        self.assertFalse(os.path.exists(self.bench.path("ran")))

    @each_command
    def test_a_full_disk_is_70(self, command):
        program = self.bench.program("bad_rank", MPI)
        done = self.vouch(command, "--json", "/dev/full", "-n", "1", program)
        self.assertEqual(done.returncode, 70, done)
        self.assertIn("the report could not be written to /dev/full: No space left on device", done.stderr)
        with open("/dev/full", "w", encoding="ascii") as full:
            self.assertEqual(self.vouch(command, "-n", "1", program, stderr=full).returncode, 70)
            self.assertEqual(self.vouch(command, "--json", "/dev/full", "-n", "1", program, stderr=full).returncode, 70)

    @each_command
    def test_status_and_json(self, command):
        program = self.bench.program("bad_rank", MPI)
        report = self.bench.path("report.json")
        self.bench.write("report.json", "older, and longer than nothing " * 1000)
        done = self.vouch(command, "--json", report, "-n", "1", program)
        self.assertEqual(done.returncode, 60, done)
        written = read_report(report)
        self.assertEqual((written["verdict"], [f["rule"] for f in written["findings"]]), ("error", ["argument/rank"]))
        self.assertEqual(written["command"][:2], ["vouch", command])
        self.assertTrue(written["findings"][0]["again"].startswith("vouch "), written)
        self.assertEqual(self.vouch(command, "--error-exitcode", "9", "-n", "1", program).returncode, 9)

    @each_command
    def test_suppressions(self, command):
        self.bench.write("mine.supp", "leak/communicator\nleak/* unused.c\n")
        done = self.vouch(command, "--suppressions", "mine.supp", "--strict", "--info", "-n", "1", self.bench.program("leak", MPI))
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("suppressed: 1 finding", done.stderr)
        self.assertIn("mine.supp:2", done.stderr)

    @each_command
    def test_strict(self, command):
        program = self.bench.program("leak", MPI)
        self.assertEqual(self.vouch(command, "-n", "1", program).returncode, 0)
        self.assertEqual(self.vouch(command, "--strict", "-n", "1", program).returncode, 60)

    @each_command
    def test_quiet(self, command):
        done = self.vouch(command, "--quiet", "-n", "1", self.bench.program("bad_rank", MPI))
        self.assertIn("[argument/rank]", done.stderr)
        self.assertNotIn("vouch: ", done.stderr)

    @each_command
    def test_colour(self, command):
        words = ["-n", "1", self.bench.program("bad_rank", MPI)]
        colour = "\x1b[1"  # an exploration also writes over its progress
        self.assertNotIn(colour, self.vouch(command, *words, env={"TERM": "xterm"}).stderr)
        self.assertIn(colour, self.vouch(command, "--color", "always", *words, env={"TERM": "dumb", "NO_COLOR": "1"}).stderr)
        self.assertIn(colour, self.on_terminal(command, *words, env={"TERM": "xterm"}))
        for env in ({"TERM": "dumb"}, {"TERM": "xterm", "NO_COLOR": "1"}):
            self.assertNotIn(colour, self.on_terminal(command, *words, env=env))
        self.assertNotIn(colour, self.on_terminal(command, "--color=never", *words, env={"TERM": "xterm"}))

    @each_command
    def test_one_vocabulary_of_buffering(self, command):
        program = self.bench.program("clean", MPI)
        for how in ("strict", "as-run"):
            done = self.vouch(command, "--buffering", how, "-n", "1", program)
            self.assertEqual(done.returncode, 0, done)
        done = self.vouch(command, "--buffering", "zero", "-n", "1", program)
        self.assertEqual((done.returncode, "--buffering is strict" in done.stderr), (64, True), done)

    @each_command
    def test_a_reader_that_went_away_is_no_failure(self, command):
        words = " ".join(self.words(command, "-n", "1", self.bench.program("bad_rank", MPI)))
        done = subprocess.run(f"{words} 2>&1 >/dev/null | true; exit ${{PIPESTATUS[0]}}", shell=True, executable="/bin/bash",
                              env=self.bench.environment(), cwd=self.bench.dir, timeout=limit(120), check=False)
        self.assertEqual(done.returncode, 60)

    def test_checks(self):
        report = self.bench.path("report.json")

        def vouch(checks, program, *words):
            done = self.vouch("run", "--checks", checks, "--json", report, *words, "-n", "1", self.bench.program(program, MPI))
            written = read_report(report)
            off = {gap["what"] for gap in written["not_checked"] if gap["reason"] == "switched off with --checks"}
            return done.returncode, [f["rule"] for f in written["findings"]], off, written["notes"]

        status, rules, off, notes = vouch("all,-leak", "leak")
        self.assertEqual((status, rules, off), (61, [], {"leak"}))
        self.assertIn("switched off with --checks: leak", notes)
        status, rules, off, _ = vouch("leak", "leak", "--strict")
        self.assertEqual((status, set(rules)), (60, {"leak/communicator"}))
        self.assertLess({"deadlock", "argument/values", "crash"}, off)
        # Nothing was there to be looked at.
        status, rules, off, notes = vouch("-io,-rma", "clean")
        self.assertEqual((status, rules, off), (0, [], set()))
        self.assertIn("switched off with --checks: io, rma/epochs, rma/races", notes)
        status, rules, off, _ = vouch("all,-argument", "bad_rank")
        self.assertEqual((status, rules), (61, []))
        self.assertLess({"argument/values"}, off)

    def test_a_check_that_there_is_not(self):
        for command in ("run", "record", "replay"):
            done = self.vouch(command, "--checks", "all,-oi", "-n", "1", "/bin/true")
            self.assertEqual(done.returncode, 64, done)
            self.assertRegex(done.stderr, r"^vouch: --checks has no check '-oi': it is all, low, .*, argument, .*, not 'all,-oi' \(see vouch \w+ --help\)\n$")


if __name__ == "__main__":
    main(globals())
