#!/usr/bin/env python3
"""How long the tests will take that ctest would run, from what they took last time.

    ctest --test-dir build -N -L fast | tools/estimate.py --costs build/Testing/Temporary/CTestCostData.txt --jobs 3

Prints one sentence. ctest keeps the average time of each test; where there is none for a test, it counts as one of the
usual length.
"""

import argparse
import re
import sys

USUAL = 3.0  # seconds of a test that was never run


def read_costs(text):
    """name -> seconds. The list ends with a line of dashes; tests that failed stand behind it."""
    costs = {}
    for line in text.splitlines():
        if line.startswith("---"):
            break
        name, runs, seconds = line.rsplit(" ", 2)
        if int(runs) > 0:
            costs[name] = float(seconds)
    return costs


def names(listing):
    return re.findall(r"^ *Test +#\d+: (\S+)", listing, re.M)


def duration(seconds):
    if seconds < 90:
        return f"{max(10, round(seconds / 10) * 10)} s"
    return f"{round(seconds / 60)} minutes"


def sentence(tests, costs, jobs):
    known = [costs[name] for name in tests if name in costs]
    if len(known) * 2 < len(tests):
        return f"{len(tests)} tests"
    total = sum(known) + USUAL * (len(tests) - len(known))
    # No run is shorter than its longest test.
    return f"{len(tests)} tests, about {duration(max(total / jobs, *known))} if they take as long as last time"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--costs", required=True)
    parser.add_argument("--jobs", type=int, required=True)
    options = parser.parse_args()
    try:
        with open(options.costs, encoding="utf-8") as file:
            costs = read_costs(file.read())
    except OSError:
        costs = {}
    print(sentence(names(sys.stdin.read()), costs, options.jobs))


if __name__ == "__main__":
    main()
