#!/usr/bin/env python3
"""Compares the reports of two versions of vouch on the same programs.

run_litmus.py --keep DIR leaves one report per program and library. What a change of the inside must
not change is compared: the verdict, and of each finding its rule, severity, message, ranks and
lines. Each difference is printed; the exit status is 1 if there is one.
"""

import argparse
import json
import pathlib
import re
import sys


def place(location):
    return (location.get("call"), pathlib.Path(location.get("file") or "").name, location.get("line"), location.get("role"))


def substance(report):
    """What must stay the same. Process numbers, times and addresses in messages are not of it."""
    found = sorted(
        (f["severity"], f["rule"], re.sub(r"0x[0-9a-f]+|\d+\.\d+ s", "#", f["message"]),
         json.dumps(f.get("ranks")), json.dumps(sorted(map(str, map(place, f.get("locations", []))))))
        for f in report["findings"])
    return {"verdict": report["verdict"], "findings": found,
            "not_checked": sorted({n["what"] if isinstance(n, dict) else n for n in report.get("not_checked", [])})}


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("before", type=pathlib.Path)
    parser.add_argument("after", type=pathlib.Path)
    options = parser.parse_args(arguments)
    names = sorted({p.relative_to(d) for d in (options.before, options.after) for p in d.rglob("*.json")})
    different = 0
    for name in names:
        sides = [d / name for d in (options.before, options.after)]
        missing = [str(s) for s in sides if not s.exists()]
        if missing:
            print(f"{name}: only on one side, not {missing[0]}")
            different += 1
            continue
        before, after = (substance(json.loads(s.read_text())) for s in sides)
        if before == after:
            continue
        different += 1
        print(f"{name}:")
        for key in before:
            if before[key] == after[key]:
                continue
            if not isinstance(before[key], list):
                print(f"  {key}: {before[key]} -> {after[key]}")
                continue
            for row in before[key]:
                if row not in after[key]:
                    print(f"  - {row}")
            for row in after[key]:
                if row not in before[key]:
                    print(f"  + {row}")
    print(f"{len(names) - different} the same, {different} different")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
