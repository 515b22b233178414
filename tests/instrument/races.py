#!/usr/bin/env python3
"""Races of loads and stores with one-sided communication, in programs built with vouch cc: found at both lines, and nothing in the
correct twin of each; and what the report says of parts that were not built so."""

import os
import subprocess
import sys
import unittest

from instrument import LIBRARIES, Instrument

START = """#include <mpi.h>
#include <stdio.h>
static double memory[100], buffer[100];
int main(int argc, char** argv) {
  int rank;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_create(memory, sizeof(memory), 8, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
"""
END = """  MPI_Win_free(&win);
  MPI_Finalize();
}
"""
# name: (body, marked lines of the race in the bad twin); a line with //- is only in the bad twin, one with //+ only in the correct one.
TWINS = {
    "target_store": """  MPI_Win_fence(0, win);
  if (rank == 0) MPI_Put(buffer, 10, MPI_DOUBLE, 1, 0, 10, MPI_DOUBLE, win); // @
  MPI_Win_fence(0, win); //+
  if (rank == 1) memory[3] = 1; // @
  MPI_Win_fence(0, win); //-
""",
    "target_load": """  double seen = 0;
  MPI_Win_lock_all(0, win);
  if (rank == 0) {
    MPI_Put(buffer, 10, MPI_DOUBLE, 1, 0, 10, MPI_DOUBLE, win); // @
    MPI_Win_flush(1, win);
  }
  MPI_Barrier(MPI_COMM_WORLD); //+
  if (rank == 1) seen = memory[9]; // @
  MPI_Win_unlock_all(win);
  printf("%g\\n", seen);
""",
    "origin_store": """  MPI_Win_lock_all(0, win);
  if (rank == 0) {
    MPI_Put(buffer, 10, MPI_DOUBLE, 1, 0, 10, MPI_DOUBLE, win); // @
    MPI_Win_flush_local(1, win); //+
    for (int i = 0; i < 10; i++) buffer[i] = i; // @
  }
  MPI_Win_unlock_all(win);
""",
    "get_load": """  double sum = 0;
  MPI_Win_fence(0, win);
  if (rank == 0) {
    MPI_Get(buffer, 10, MPI_DOUBLE, 1, 0, 10, MPI_DOUBLE, win); // @
  }
  MPI_Win_fence(0, win); //+
  if (rank == 0) {
    for (int i = 0; i < 10; i += 3) sum += buffer[i]; // @
  }
  MPI_Win_fence(0, win); //-
  printf("%g\\n", sum);
""",
    "other_bytes": """  MPI_Win_fence(0, win);
  if (rank == 0) MPI_Put(buffer, 10, MPI_DOUBLE, 1, 0, 10, MPI_DOUBLE, win); // @
  if (rank == 1) {
    for (int i = 10; i < 100; i += 10) memory[i] = 1;
    memory[9] = 2; // @ //-
  }
  MPI_Win_fence(0, win);
""",
}


def twin(name, bad):
    body = [line for line in TWINS[name].splitlines() if ("//+" if bad else "//-") not in line]
    text = START + "\n".join(body) + "\n" + END
    marks = {n for n, line in enumerate(text.splitlines(), 1) if "// @" in line}
    return text, marks


class Races(unittest.TestCase):
    bench = None

    def test_twins(self):
        for mpi in LIBRARIES:
            for name in TWINS:
                for bad in (True, False):
                    with self.subTest(name=name, mpi=mpi, bad=bad):
                        text, marks = twin(name, bad)
                        source = self.bench.write(f"{name}.c", text)
                        done = self.bench.compile("--mpi", mpi, "-O1", source, "-o", "twin")
                        self.assertEqual(done.returncode, 0, done.stderr)
                        run = self.bench.run("-n", "2", "./twin")
                        if not bad:
                            self.assertEqual((run.status, run.rules()), (0, []), str(run))
                            continue
                        self.assertEqual(run.status, 60, str(run))
                        places = {place["line"] for f in run.report["findings"] for place in f["locations"]}
                        self.assertLessEqual(marks, places, str(run))

    def test_parts(self):
        """A part that was not built with vouch cc is named."""
        self.bench.write("main.c", START + "  void other(double*); other(memory);\n" + END)
        self.bench.write("other.c", "void other(double* p) { p[0] = 1; }\n")
        for command in (["mpicc", "-c", "other.c"], [self.bench.vouch, "cc", "main.c", "other.o", "-o", "parts"]):
            subprocess.run(command, check=True, cwd=self.bench.dir, env=self.bench.environment())
        run = self.bench.run("-n", "2", "./parts")
        self.assertEqual(run.status, 0, str(run))
        self.assertIn("loads and stores of a part of parts were not seen: other.c was not built with vouch cc", run.report["notes"])
        whole = self.bench.compile("main.c", "other.c", "-o", "whole")
        self.assertEqual(whole.returncode, 0, whole.stderr)
        run = self.bench.run("-n", "2", "./whole")
        self.assertEqual([note for note in run.report["notes"] if "vouch cc" in note], [])


if __name__ == "__main__":
    import argparse

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vouch", default=os.path.join("build", "bin", "vouch"))
    arguments, rest = parser.parse_known_args()
    Races.bench = Instrument(arguments.vouch)
    try:
        unittest.main(argv=[sys.argv[0], *rest])
    finally:
        Races.bench.close()
