#!/usr/bin/env python3
"""Correct programs that look stuck, while processes of the run are stopped now and then: never a finding.

    patience.py --vouch V [--runs 200] [--first SEED]
"""

import argparse
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "cli"), str(HERE.parent)]
from common import agent_of, limit, ranks_of, socket_of  # noqa: E402
from run_litmus import LIBRARIES, launcher  # noqa: E402


class Stopper(threading.Thread):
    """Stops a rank or the agent of a run for a moment, again and again, so that records come late."""

    def __init__(self, job, program, seed):
        super().__init__(daemon=True)
        self.job, self.program, self.dice, self.over = job, program, random.Random(seed), threading.Event()

    def run(self):
        while not self.over.wait(self.dice.uniform(0.02, 0.4)):
            agent = agent_of(self.job.pid)
            socket = next((s for s in (socket_of(pid) for pid in self.started()) if s), None)
            ranks = ranks_of(socket, self.program) if socket else []
            chosen = self.dice.choice(ranks + [agent] if agent else ranks) if ranks else None
            if chosen is None:
                continue
            try:
                os.kill(chosen, signal.SIGSTOP)
                time.sleep(self.dice.choice([0.03, 0.1, 0.7]))
            finally:
                try:
                    os.kill(chosen, signal.SIGCONT)
                except ProcessLookupError:
                    pass

    def started(self):
        try:
            return [int(p) for p in pathlib.Path(f"/proc/{self.job.pid}/task/{self.job.pid}/children").read_text().split()]
        except OSError:
            return []


def run(vouch, library, program, seed, folder):
    dice = random.Random(seed)
    report = folder / "report.json"
    report.unlink(missing_ok=True)
    ranks = dice.choice([2, 3, 4, 5])
    prefix = ["taskset", "-c", "0"] if dice.random() < 0.25 else []
    command = prefix + [vouch, "run", "--timeout", str(round(limit(100))), "--json", str(report), "--", *launcher(library, ranks),
                        str(program), str(seed), "10"]
    env = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    job = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    stopper = Stopper(job, program, seed)
    if dice.random() < 0.6:
        stopper.start()
    try:
        output = job.communicate(timeout=limit(130))[0]
    finally:
        stopper.over.set()
        if job.poll() is None:
            job.terminate()
    found = json.loads(report.read_text()) if report.exists() else {"verdict": "none", "findings": []}
    told = [f["rule"] for f in found["findings"] if f["severity"] != "info"]
    if job.returncode == 0 and found["verdict"] == "clean" and not told:
        return True
    print(f"FAILED: {library} seed {seed}, {ranks} ranks: status {job.returncode}\n{output}", flush=True)
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vouch", required=True)
    parser.add_argument("--runs", type=int, default=200, help="of each library")
    parser.add_argument("--first", type=int, default=0, help="seed of the first")
    parser.add_argument("--lib", choices=LIBRARIES, action="append")
    options = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory(prefix="patience.") as name:
        folder = pathlib.Path(name)
        for library in options.lib or LIBRARIES:
            program = folder / f"patience.{library}"
            subprocess.run([f"mpicc.{library}", "-g", "-O1", "-w", "-o", program, HERE / "programs" / "patience.c"], check=True)
            for seed in range(options.first, options.first + options.runs):
                failed += not run(os.path.abspath(options.vouch), library, program, seed, folder)
            print(f"{library}: {options.runs} runs, {failed} with a finding so far", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
