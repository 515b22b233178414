#!/usr/bin/env python3
"""Every procedure of docs/coverage.md is called by a litmus program that must be clean, with each library that has it.

    tools/check_breadth.py [--list]      --list: the procedures with one such program each

Read from the sources: a program counts for a library if it runs there and expects no finding, and a clean verdict but
for the calls that vouch names as seen and not checked. What no program can call stands in EXCEPTIONS with the reason;
an exception that is no longer needed is an error too.
"""

import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))
import run_litmus  # noqa: E402

FOLDERS = ("litmus", "langs")
COLUMNS = {"openmpi": "Open MPI C", "mpich": "MPICH C"}
COMMENTS = {
    ".c": r"//[^\n]*|/\*.*?\*/", ".cc": r"//[^\n]*|/\*.*?\*/", ".f90": r"![^\n]*", ".f": r"![^\n]*|^[cC*][^\n]*",
}
CALL = re.compile(r"\bP?(MPIX?_\w+)\s*\(", re.IGNORECASE)

# procedure: (libraries, why no program of theirs can call it and go on)
NO_PORTS = (("mpich",), "MPICH 4.0.2 over UCX has no dynamic processes: MPI_Open_port and MPI_Comm_spawn fail")
NO_FAILURES = (("mpich",), "an assertion of MPICH 4.0.2's ch4 device fails in every call of it")
EXCEPTIONS = {
    "MPI_Close_port": NO_PORTS,
    "MPI_Comm_accept": NO_PORTS,
    "MPI_Comm_connect": NO_PORTS,
    "MPI_Comm_join": NO_PORTS,
    "MPI_Comm_spawn": NO_PORTS,
    "MPI_Comm_spawn_multiple": NO_PORTS,
    "MPI_Open_port": NO_PORTS,
    "MPIX_Comm_agree": NO_FAILURES,
    "MPIX_Comm_failure_ack": NO_FAILURES,
    "MPIX_Comm_failure_get_acked": NO_FAILURES,
    "MPIX_Comm_revoke": NO_FAILURES,
    "MPIX_Comm_shrink": NO_FAILURES,
}


def read_page(page):
    """({library: {procedure}} by the columns of the C binding, {procedure that is seen but not checked})"""
    rows = [[cell.strip() for cell in line.strip("|\n").split("|")] for line in page.splitlines() if line.startswith("|")]
    header, rows = rows[0], rows[2:]
    covered = {library: {row[0] for row in rows if row[header.index(column)] == "+"}
               for library, column in COLUMNS.items()}
    return covered, {row[0] for row in rows if "seen but not checked" in row[-1]}


def calls(path):
    """Names that the source calls, in lower case: Fortran does not care."""
    text = re.sub(COMMENTS[path.suffix], " ", path.read_text(), flags=re.DOTALL | re.MULTILINE)
    return {match.group(1).lower() for match in CALL.finditer(text)}


def clean_programs(unchecked):
    for folder in FOLDERS:
        for program in run_litmus.discover(ROOT / "tests" / folder):
            if program.path.suffix == ".py":
                continue
            for library in program.libraries():
                if program.expected(library):
                    continue
                named = set(program.headers["not-checked"])
                if program.verdict(library) == "clean" or (named and named <= unchecked):
                    yield library, program


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    by = {library: {} for library in COLUMNS}
    covered, unchecked = read_page((ROOT / "docs" / "coverage.md").read_text())
    for library, program in clean_programs(unchecked):
        for name in calls(program.path):
            by[library].setdefault(name, program.name)
    bad = 0
    for library, names in covered.items():
        excused = {name for name, (where, _) in EXCEPTIONS.items() if library in where}
        for name in sorted(names):
            program = by[library].get(name.lower())
            if options.list:
                print(f"{library:8} {name:40} {program or EXCEPTIONS.get(name, ('', '-'))[1]}")
            elif program is None and name not in excused:
                bad += 1
                print(f"{library}: no clean program calls {name}")
            elif program is not None and name in excused:
                bad += 1
                print(f"{library}: {program} calls {name}: it is no exception any more")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
