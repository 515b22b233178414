#!/usr/bin/env python3
"""A watched process ends, forks, starts threads and floods as it would alone, and its records tell so.

    run_behaviour.py --dump ring_dump --preload libvouch.so --cc mpicc.mpich
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from pace import limit  # noqa: E402

HERE = Path(__file__).resolve().parent
SIGNAL = 128


class Case:
    def __init__(self, options, program):
        self.options, self.program, self.wrong = options, program, []

    def run(self, what, count=False, same_text=True, **environment):
        """Alone and watched; the records of the second."""
        env = {**os.environ, **environment}
        alone = subprocess.run([self.program, what], capture_output=True, text=True, timeout=limit(60), env=env, check=False)
        status = alone.returncode if alone.returncode >= 0 else SIGNAL - alone.returncode
        command = [self.options.dump] + ["--count"] * count + [self.options.preload, self.program, what]
        run = subprocess.run(command, capture_output=True, text=True, timeout=limit(60), env=env, check=False)
        self.expect(run.returncode == status, what, f"status {run.returncode}, alone {status}: {run.stderr}")
        # Process numbers and addresses differ; the lines of a library's own backtrace do not.
        lengths = [len(t.splitlines()) for t in (alone.stderr, run.stderr)]
        self.expect(lengths[0] == lengths[1] or not same_text, what, f"stderr differs:\n{alone.stderr}\n{run.stderr}")
        records = [json.loads(line) for line in run.stdout.split("\n") if line.startswith("{")]
        return records, [r for r in records if "ring" in r]

    def expect(self, condition, what, why):
        if not condition:
            self.wrong.append(f"{what}: {why}")


def metas(records, name):
    return [r["words"] for r in records if r.get("meta") == name]


def calls(records, proc):
    return [r for r in records if r.get("proc") == proc and r["phase"] == "enter"]


def ends(case):
    for what, words in (("status", [3, 0]), ("exit", [5, 0]), ("_exit", [6, 1]), ("fork", [0, 0])):
        records, rings = case.run(what)
        case.expect(metas(records, "exit") == [words], what, f"exit records {metas(records, 'exit')}")
        case.expect(all(r["closed"] for r in rings) and len(rings) == 1, what, f"rings {rings}")
        case.expect(len(calls(records, "MPI_Initialized")) == 0, what, "the child of a fork was recorded")


def signals(case):
    for what, number in (("segv", signal.SIGSEGV), ("raise", signal.SIGFPE), ("abort", signal.SIGABRT), ("bad-array", signal.SIGSEGV)):
        records, rings = case.run(what, same_text=what != "bad-array")  # a backtrace out of a call shows our frames
        seen = metas(records, "signal")
        case.expect(len(seen) == 1 and seen[0][0] == number, what, f"signal records {seen}")
        case.expect(not rings[0]["closed"], what, "the ring was closed")
        if what == "bad-array":
            case.expect(len(calls(records, "MPI_Waitall")) == 1, what, "the call that crashed was not recorded")
    records, _ = case.run("early-handler")
    case.expect(len(metas(records, "signal")) >= 1, "early-handler", "no signal record")
    records, rings = case.run("kill")
    case.expect(metas(records, "signal") == [] and not rings[0]["closed"], "kill", "wrong end")


def polls(case):
    records, rings = case.run("polls")
    case.expect(rings[0]["polls"] == 9, "polls", f"rings {rings}")
    case.expect(len(calls(records, "MPI_Iprobe")) == 1, "polls", "ten equal polls are not one record")


def threads(case):
    records, rings = case.run("threads")
    case.expect(len(rings) == 5 and all(r["closed"] for r in rings), "threads", f"rings {rings}")
    case.expect(len(calls(records, "MPI_Sendrecv")) == 4000, "threads", "calls are missing")
    numbers = sorted(r["seq"] for r in records if "seq" in r)
    case.expect(numbers == list(range(1, len(numbers) + 1)), "threads", "numbers are not without a gap")
    for thread in range(5):
        mine = [r["seq"] for r in records if r.get("thread") == thread and "seq" in r]
        case.expect(mine == sorted(mine), "threads", "a ring is out of order")


def sizes(case):
    records, _ = case.run("large")
    calls_ = calls(records, "MPI_Type_indexed")
    want = [i % 3 + 1 for i in range(100000)]
    case.expect(len(calls_) == 1 and calls_[0]["args"]["array_of_blocklengths"] == want, "large", "an array differs")
    case.expect(calls_[0]["args"]["array_of_displacements"][-1] == 5 * 99999, "large", "an array differs")
    leave = [r for r in records if r.get("proc") == "MPI_Waitall" and r["phase"] == "leave"]
    case.expect(len(leave) == 1 and len(leave[0]["args"]["array_of_statuses"]) == 100000, "large", "statuses are missing")
    _, rings = case.run("flood", count=True, VOUCH_RING_BYTES="65536")
    case.expect(rings[0]["enters"] >= 300000 and rings[0]["waits"] > 0, "flood", f"rings {rings}")


def jumps(case):
    if "mpich" in case.options.cc:
        return  # keeps a lock: it stops by itself at the next call
    records, _ = case.run("jump")
    barrier = calls(records, "MPI_Barrier")
    case.expect(len(barrier) == 1 and barrier[0]["flags"] == 0, "jump", f"after a jump out of a call: {barrier}")


def alone(case):
    """Nobody listens, nobody is named, the back end is missing, nothing is MPI: the program runs as if alone."""
    plain = {**os.environ, "LD_PRELOAD": case.options.preload}
    for what, env in (("no agent", {**plain, "VOUCH_SOCKET": "vouch-nobody"}), ("no socket", plain)):
        run = subprocess.run([case.program, "status"], capture_output=True, text=True, timeout=limit(60), env=env, check=False)
        case.expect(run.returncode == 3 and run.stderr == "", what, f"status {run.returncode}: {run.stderr}")
    run = subprocess.run(["/bin/sh", "-c", "exit 4"], env={**plain, "VOUCH_SOCKET": "vouch-nobody"}, check=False)
    case.expect(run.returncode == 4, "no MPI", f"status {run.returncode}")


def main():
    parser = argparse.ArgumentParser(description="Checks how watched processes behave.")
    parser.add_argument("--dump", required=True)
    parser.add_argument("--preload", required=True)
    parser.add_argument("--cc", required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program = folder + "/program"
        subprocess.run([options.cc, "-g", "-O1", "-w", str(HERE / "behaviour.c"), "-o", program, "-lpthread"], check=True)
        case = Case(options, program)
        for group in (ends, signals, polls, threads, sizes, jumps, alone):
            group(case)
    for line in case.wrong:
        print(line)
    return 1 if case.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
