#!/usr/bin/env python3
"""A program that overwrites the memory it shares with vouch.

The agent lives, the damage is named, the damaged rank is not called crashed, and the other ranks are judged.

    scribble.py --vouch build/bin/vouch --count 200 --seed 1       runs with each library
"""

import argparse
import sys

from common import Bench, LIBRARIES, Run, limit, subprocess

WAYS = 8
HARMLESS = (2, 3)  # the next call may put it right before anybody has looked
HIDDEN = (7,)      # single words of arguments: the record is still one
PLANTED = {"argument/count": [2], "leak/request": [0]}


def problem(run, way):
    """Of one run; None: all is as it should be."""
    if run.report is None:
        return "there is no report"
    gaps = run.gaps()
    if any("the agent of vouch" in g for g in gaps):
        return "the agent died"
    if "done" not in run.out:
        return "the program did not come to its end"
    found = {f["rule"]: f["ranks"] for f in run.report["findings"] if f["severity"] != "info"}
    for rule, ranks in PLANTED.items():
        if found.pop(rule, None) != ranks:
            return f"{rule} of rank {ranks[0]} was not found"
    crashes = [rule for rule in found if rule.startswith("crash/")]
    if crashes or (found and way not in HIDDEN):
        return f"findings that are none: {found}"
    named = any(g.startswith("rank 1") and "damaged" in g for g in gaps)
    if not named and way not in HIDDEN and not (way in HARMLESS and not gaps):
        return f"the damage is not named: {gaps}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vouch", required=True)
    parser.add_argument("--count", type=int, default=WAYS, help="runs with each library; each way in turn")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mpi", choices=LIBRARIES, action="append")
    args = parser.parse_args()
    bench = Bench(args.vouch)
    failures = 0
    try:
        for mpi in args.mpi or LIBRARIES:
            program = bench.program("scribble", mpi)
            failed = 0
            for number in range(args.count):
                way, seed = number % WAYS, args.seed * 1000 + number
                try:
                    run = bench.run("--timeout", f"{limit(60):.0f}s", "-n", "3", program, str(way), str(seed))
                except subprocess.TimeoutExpired:
                    run = Run(-1, "", "vouch did not end", None)
                wrong = problem(run, way)
                if wrong is not None:
                    failed += 1
                    print(f"FAILED {mpi} way {way} seed {seed}: {wrong}\n{run}", flush=True)
            print(f"{mpi:8} {args.count} runs, {failed} failed", flush=True)
            failures += failed
    finally:
        bench.close()
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
