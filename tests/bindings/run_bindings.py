#!/usr/bin/env python3
"""Runs a program under the shim and compares what rank 0 recorded with the marks in its source.

    run_bindings.py --dump ring_dump --preload libvouch.so --launch "mpirun.mpich -n 2" [--compile "mpicc.mpich -g"] SOURCE

A mark stands at the end of a line: `@ MPI_Send [xN|xA-B] [name=value…] [words…]` says that this line makes this call so often
(once if not said) and how it is recorded. A line without mark makes no call, and nothing else is recorded: so a call that
is seen twice, not at all, or at another line fails.

    name=value    argument in the enter record: a number, [1,2], or IN_PLACE, IGNORE, ANY_SOURCE, INSIGNIFICANT…
    leave noleave failed     there is a leave record, none, one with an error class
    statuses=N bytes=N from=N index=N    in the leave record
    fortran=0|1 callback=0|1             flags of the enter record (default: fortran by source, callback 0)

A line `also: MPI_X…` names procedures that may be called besides, by anybody and anywhere.
"""

import argparse
import json
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from pace import limit  # noqa: E402

MARK = re.compile(r"@ (MPIX?_\w+)(.*)$")
FORTRAN = {".F90", ".f90"}


def read_marks(source):
    marks = {}
    for number, line in enumerate(source.read_text().splitlines(), 1):
        match = MARK.search(line)
        if match:
            low, high, rest = 1, 1, {}
            for word in match[2].split():
                times = re.fullmatch(r"x(\d+)(?:-(\d+))?", word)
                key, _, value = word.partition("=")
                if times:
                    low, high = int(times[1]), int(times[2] or times[1])
                else:
                    rest[key] = value or True
            marks[number] = (match[1], low, high, rest)
    return marks


class Resolver:
    """Source line of a site."""

    def __init__(self, records, source):
        self.source = source
        self.modules = {r["module"]: r["path"] for r in records if r.get("meta") == "module"}
        self.sites = {r["words"][0]: r["words"] for r in records if r.get("meta") == "site"}
        self.python = {r["site"]: r for r in records if r.get("meta") == "python_site"}
        self.known = {}

    def line(self, site):
        if site not in self.known:
            self.known[site] = self.look_up(site)
        return self.known[site]

    def look_up(self, site):
        if site in self.python:
            place = self.python[site]
            return place["line"] if Path(place["file"]).name == self.source.name else f"{place['file']}:{place['line']}"
        _, module, offset = self.sites[site][:3]
        run = subprocess.run(["addr2line", "-e", self.modules[module], hex(offset - 1)], capture_output=True, text=True, check=True)
        name, _, line = run.stdout.strip().split(" ")[0].rpartition(":")
        return int(line) if Path(name).name == self.source.name else run.stdout.strip()


def check(mark, enter, leave, fortran):
    """What is wrong with one recorded call."""
    wrong = []
    args, flags = enter["args"], enter["flags"]
    for key, value in mark.items():
        if key in ("leave", "noleave", "failed", "statuses", "bytes", "from", "index", "fortran", "callback"):
            continue
        want = json.loads(value) if re.fullmatch(r"-?\d+|\[.*\]", value) else value
        if args.get(key) != want:
            wrong.append(f"{key} is {args.get(key)}, not {want}")
    if bool(flags & 2) != bool(int(mark.get("fortran", fortran))):
        wrong.append(f"flags are {flags}")
    if bool(flags & 4) != bool(int(mark.get("callback", 0))):
        wrong.append(f"flags are {flags}")
    if "leave" in mark and (leave is None or leave["error"] != 0):
        wrong.append(f"leave record is {leave}")
    if "noleave" in mark and leave is not None:
        wrong.append("it has a leave record")
    if "failed" in mark and (leave is None or leave["error"] == 0):
        wrong.append(f"leave record is {leave}")
    if leave is not None:
        results = leave["args"]
        status = results.get("status", {})
        for key, got in (("bytes", status.get("bytes")), ("from", status.get("source")), ("index", results.get("index")),
                         ("statuses", len(results.get("array_of_statuses", [])))):
            if key in mark and got != int(mark[key]):
                wrong.append(f"{key} is {got}, not {mark[key]}")
    return wrong


def of_rank_0(records):
    """Of the first world, if there are several."""
    mine = [r for r in records if r.get("rank") == 0]
    return [r for r in mine if r["pid"] == mine[0]["pid"]]


def compare(records, source, marks):
    wrong = []
    rank0 = of_rank_0(records)
    also = re.findall(r"MPI_\w+", " ".join(re.findall(r"\balso:(.*)", source.read_text())))
    enters = [r for r in rank0 if r.get("phase") == "enter" and r["proc"] not in also]
    leaves = {r["site"]: r for r in rank0 if r.get("phase") == "leave"}
    resolver = Resolver(rank0, source)
    seen = {}
    for enter in enters:
        line = resolver.line(enter["site"])
        seen[line] = seen.get(line, 0) + 1
        if line not in marks:
            wrong.append(f"{source.name}:{line}: {enter['proc']} is recorded but not marked")
            continue
        proc, _, _, rest = marks[line]
        if proc != enter["proc"]:
            wrong.append(f"{source.name}:{line}: {enter['proc']} is recorded, not {proc}")
            continue
        for what in check(rest, enter, leaves.get(enter["seq"]), source.suffix in FORTRAN):
            wrong.append(f"{source.name}:{line}: {proc}: {what}")
    for line, (proc, low, high, _) in marks.items():
        times = seen.get(line, 0)
        if not low <= times <= high:
            wrong.append(f"{source.name}:{line}: {proc} is recorded {times} times, not {low}" + (f" to {high}" if high != low else ""))
    numbers = sorted(r["seq"] for r in rank0)
    if numbers != list(range(1, len(numbers) + 1)):
        wrong.append("the records of rank 0 are not numbered without a gap")
    if any("bad" in r for r in records):
        wrong.append("a meta record does not parse")
    rings = [r for r in records if "ring" in r]
    if not rings or any(r["corrupt"] or not r["closed"] for r in rings):
        wrong.append(f"a ring is corrupt or not closed: {rings}")
    return wrong


def compare_procedures(records, source, marks):
    """Without lines: how often each procedure is called, and that each marked call is among the recorded ones."""
    wrong = []
    rank0 = of_rank_0(records)
    enters = [r for r in rank0 if r.get("phase") == "enter"]
    leaves = {r["site"]: r for r in rank0 if r.get("phase") == "leave"}
    resolver = Resolver(rank0, source)
    for enter in enters:
        place = resolver.sites.get(enter["site"])
        if place is None or Path(resolver.modules[place[1]]).name != "program":
            wrong.append(f"{enter['proc']} is recorded at no place of the program")
    for name in sorted({m[0] for m in marks.values()} | {e["proc"] for e in enters}):
        mine = [m for m in marks.values() if m[0] == name]
        times = sum(e["proc"] == name for e in enters)
        low, high = sum(m[1] for m in mine), sum(m[2] for m in mine)
        if not low <= times <= high:
            wrong.append(f"{name} is recorded {times} times, not {low} to {high}")
    for line, (proc, low, _, rest) in marks.items():
        good = [e for e in enters if e["proc"] == proc and not check(rest, e, leaves.get(e["seq"]), source.suffix in FORTRAN)]
        if len(good) < low:
            wrong.append(f"{source.name}:{line}: {proc} is recorded as marked {len(good)} times, not {low}")
    return wrong


def main():
    parser = argparse.ArgumentParser(description="Compares records with marks.")
    parser.add_argument("--dump", required=True)
    parser.add_argument("--preload", required=True)
    parser.add_argument("--launch", required=True)
    parser.add_argument("--compile", default="")
    parser.add_argument("--no-lines", action="store_true", help="the compiler's line table is wrong")
    parser.add_argument("source", type=Path)
    options = parser.parse_args()
    options.source = options.source.resolve()
    with tempfile.TemporaryDirectory() as folder:
        program = [str(options.source)]
        if options.compile:
            program = [folder + "/program"]
            subprocess.run(shlex.split(options.compile) + [str(options.source), "-o", program[0]], check=True, cwd=folder)
        else:
            program = ["/usr/bin/python3"] + program
        command = [options.dump, options.preload] + shlex.split(options.launch) + program
        run = subprocess.run(command, capture_output=True, text=True, timeout=limit(100), check=False)
        records = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]
        compare_all = compare_procedures if options.no_lines else compare
        wrong = compare_all(records, options.source, read_marks(options.source))
    if run.returncode != 0:
        wrong.append(f"the program ended with status {run.returncode}: {run.stderr}")
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
