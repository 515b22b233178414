"""What the tests of vouch explore on real programs have in common: their options, how programs are made and run."""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import pace  # noqa: E402



class Failure(Exception):
    pass


def parser_of(description):
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--vouch", required=True)
    parser.add_argument("--lib", choices=("openmpi", "mpich"), required=True)
    parser.add_argument("--listings", help="the program that prints random listings")
    parser.add_argument("--random", type=int, default=0, help="also so many random programs")
    parser.add_argument("--filter", default="")
    return parser


class Harness:
    PROGRAMS = {"listing": ["listing.c"]}

    def __init__(self, options):
        self.options = options
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="vouch-explore."))
        self.env = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        for program, sources in self.PROGRAMS.items():
            subprocess.run([f"mpicc.{options.lib}", "-g", "-O0", "-w", "-pthread", f"-I{HERE.parent.parent / 'api'}", "-o",
                            self.folder / program, *[HERE / s for s in sources]], check=True)

    def vouch(self, words, limit=300):
        """`limit`, and what the words give as time limits, are for a quiet machine (pace.py)."""
        words = list(map(str, words))
        for i, word in enumerate(words[:-1]):
            if word in ("--run-timeout", "--timeout"):
                words[i + 1] = pace.words(words[i + 1])
        return subprocess.run([self.options.vouch, *words], cwd=self.folder, env=self.env,
                              capture_output=True, text=True, timeout=pace.limit(limit))

    def explore(self, words, limit=300):
        """(report, what vouch printed and its status)"""
        report = self.folder / "report.json"
        report.unlink(missing_ok=True)
        done = self.vouch(["explore", "--json", report, *words], limit)
        if not report.exists():
            raise Failure(f"no report, status {done.returncode}: {done.stderr}")
        return json.loads(report.read_text()), done

    def listings(self, *words):
        return subprocess.run([self.options.listings, *map(str, words)], check=True, capture_output=True,
                              text=True).stdout.splitlines()

    def run(self, tests):
        """Those of (name, function) that the filter lets through; how the process shall end."""
        failed = 0
        for name, test in tests:
            if not re.search(self.options.filter, name):
                continue
            begun = time.monotonic()
            try:
                test()
                print(f"ok   {name} ({time.monotonic() - begun:.1f} s)", flush=True)
            except (Failure, subprocess.TimeoutExpired) as error:
                failed += 1
                print(f"FAIL {name}: {error}", flush=True)
        shutil.rmtree(self.folder, ignore_errors=True)
        print(f"{failed} failed")
        return 1 if failed else 0
