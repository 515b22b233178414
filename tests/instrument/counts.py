#!/usr/bin/env python3
"""Which loads and stores of a program built with vouch cc are seen, at each level of optimisation, and that the program does the same
with and without vouch."""

import shutil
import sys
import unittest

from instrument import LIBRARIES, Instrument, bytes_of, pieces, seen

LEVELS = ["-O0", "-O1", "-O2", "-O3"]


class Counts(unittest.TestCase):
    bench = None

    def watch(self, source, mpi, *options, env=None):
        """The bytes that rank 0 is seen to touch; the output must be the same without vouch."""
        program = self.bench.build(source, mpi, *options, env=env)
        status, out = self.bench.plain(program, mpi)
        self.assertEqual(status, 0)
        run, lines = self.bench.lines(program)
        self.assertEqual(run.status, 0, str(run))
        results = [sorted(line for line in text.splitlines() if not line.startswith("array")) for text in (out, run.out)]
        self.assertEqual(*results)
        return seen(run.out, lines), lines

    def each(self, source, check, *options, env=None, levels=LEVELS):
        for mpi in LIBRARIES:
            for level in levels:
                with self.subTest(source=source, mpi=mpi, level=level, env=env):
                    found, lines = self.watch(source, mpi, level, *options, env=env)
                    check(found, lines)

    def c_arrays(self, found, lines):
        self.assertEqual(found["heap"], {"store": bytes_of(0, 1000), "load": bytes_of(0, 500, 8, 16)})
        self.assertEqual(found["global"], {"store": bytes_of(100, 401), "load": bytes_of(120, 121)})
        self.assertEqual(found["points"], {"store": bytes_of(0, 16000, 1), "load": bytes_of(0, 1000, 4, 16)})
        self.assertEqual(found["flag"], {kind: bytes_of(0, 4, 1) for kind in ("atomic_store", "atomic_update", "atomic_load")})
        self.assertEqual(found["unwatched"], {})
        # Each place is known, and a loop is one record.
        accesses = [line for line in lines if pieces(line)]
        for line in accesses:
            self.assertRegex(line, r"@.*accesses\.c:\d+$")
        self.assertLess(len(accesses), 60)

    def test_c(self):
        def check(found, lines):
            self.c_arrays(found, lines)
            # What is read beyond the buffer in one go is not told apart.
            self.assertEqual(set(found["local"]), {"load"})
            self.assertLessEqual(bytes_of(10, 110), found["local"]["load"])
            self.assertLessEqual(found["local"]["load"], bytes_of(0, 200))

        self.each("accesses.c", check)

    def test_cxx(self):
        def check(found, _lines):
            self.assertEqual(found["values"], {"store": bytes_of(0, 1000), "load": bytes_of(0, 500)})
            self.assertEqual(found["counts"], {"store": bytes_of(0, 64), "atomic_update": bytes_of(63, 64), "atomic_load": bytes_of(63, 64)})

        self.each("accesses.cc", check, "-std=c++20", "-pthread")

    def test_fortran(self):
        def check(found, _lines):
            for name in ("of_main", "of_module", "allocated", "pointed"):
                self.assertEqual(found[name], {"load": bytes_of(0, 500)}, name)

        self.each("accesses.f90", check)

    def test_openmp(self):
        def check(found, _lines):
            wanted = set()
            for step in range(3):
                wanted |= bytes_of(step * 1000, step * 1000 + 500)
            self.assertEqual(found["field"], {"store": bytes_of(0, 3000), "load": wanted})

        self.each("threads.c", check, "-fopenmp", levels=["-O0", "-O2"])

    @unittest.skipUnless(shutil.which("clang"), "no clang")
    def test_clang(self):
        self.each("accesses.c", self.c_arrays, env={"OMPI_CC": "clang", "MPICH_CC": "clang"}, levels=["-O0", "-O2"])


if __name__ == "__main__":
    import argparse

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vouch", default="build/bin/vouch")
    arguments, rest = parser.parse_known_args()
    Counts.bench = Instrument(arguments.vouch)
    try:
        unittest.main(argv=[sys.argv[0], *rest])
    finally:
        Counts.bench.close()
