#!/usr/bin/env python3
"""How much slower than usual this machine is now, so that time limits of tests can follow.

A limit says "this hangs", so it must not depend on what else runs: eight busy loops beside the tests make each of them
five times as slow. At its first use this module runs a fixed piece of work on every processor at once and compares the
time with what it usually takes; every limit is multiplied by that. `./dev test` measures once more before all tests and
hands the number on in VOUCH_PACE (and to CMake, for the limits of ctest); the larger one counts.

    from pace import limit
    subprocess.run(command, timeout=limit(60))

As a program it prints the number, rounded up.
"""

import functools
import math
import os
import sys
import time

STEPS = 10_000_000
USUAL = 0.35  # seconds for STEPS on a processor of its own
MOST = 50     # a machine that is slower than that is no place for tests


def work(steps):
    total = 0
    for i in range(steps):
        total += i & 7
    return total


def measure(processes=None):
    """The wall time of the work, on all processors at once, by its usual time; at least 1."""
    begun = time.monotonic()
    children = []
    for _ in range(processes or len(os.sched_getaffinity(0))):
        pid = os.fork()
        if pid == 0:
            work(STEPS)
            os._exit(0)
        children.append(pid)
    for pid in children:
        os.waitpid(pid, 0)
    return min(max(1.0, (time.monotonic() - begun) / USUAL), MOST)


@functools.cache
def pace():
    try:
        known = float(os.environ.get("VOUCH_PACE", "1"))
    except ValueError:
        known = 1.0
    return max(known, measure())


def limit(seconds):
    """`seconds` on a quiet machine, as many as they take now."""
    return seconds * pace()


def words(text):
    """A time as vouch's --timeout takes it ("20", "20s", "500ms"), scaled the same way."""
    number = text.rstrip("smh")
    unit = text[len(number):]
    return f"{math.ceil(float(number) * pace())}{unit}"


if __name__ == "__main__":
    print(math.ceil(measure()))
    sys.exit(0)
