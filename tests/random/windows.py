"""Random programs with windows, written by vouch_random_windows (windows.cc): even seeds have no race, odd ones have one.

The tool knows which two calls race by a reference that shares no code with vouch's detector.
"""

import pathlib
import re
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
RULES = {"rma/race", "race/local"}
PER_JOB = 25


def ranks_of(seed):
    return 2 + seed // 2 % 3


def source(tool, ranks, seeds):
    """(one C file of these programs, {seed: pairs of marks that race})"""
    text, races = ["#include <mpi.h>", "#include <stdio.h>", "#include <stdlib.h>", "#include <string.h>",
                   "static int rank;"], {}
    for seed in seeds:
        program = subprocess.run([tool, str(ranks), str(seed), str(seed)], check=True, capture_output=True, text=True)
        text += program.stdout.splitlines()
        races[seed] = [tuple(sorted(m.groups())) for m in re.finditer(r"// race: (\S+) (\S+)", program.stdout)]
    text += ["int main(int argc, char** argv) {", "MPI_Init(NULL, NULL);", "MPI_Comm_rank(MPI_COMM_WORLD, &rank);"]
    for seed in seeds:
        text += [f'if (argc < 2 || !strcmp(argv[1], "seed_{seed}")) {{ seed_{seed}(); MPI_Barrier(MPI_COMM_WORLD); }}']
    return "\n".join([*text, "MPI_Finalize();", "return 0;", "}"]) + "\n", races


def marks(text):
    """{line: mark}"""
    return {number: m.group(1) for number, line in enumerate(text.splitlines(), 1)
            if (m := re.search(r"// @(\S+)", line))}


def found_pairs(report, at):
    """Pairs of marks that are reported, and all other serious findings."""
    pairs, others = [], []
    for f in report["findings"]:
        if f["rule"] in RULES and len(f["locations"]) > 1:
            pairs.append(tuple(sorted(at.get(l.get("line"), f"line {l.get('line')}") for l in f["locations"][:2])))
        elif f["severity"] != "info":
            others.append(f)
    return pairs, others
