#!/usr/bin/env python3
"""What the plugins of the compilers take away: callbacks in loops that can be counted, and, with clang, those for memory that nobody
else knows of; and that all works without them."""

import re
import shutil
import stat
import subprocess
import sys
import unittest

from instrument import LIBRARIES, Instrument

# One function each: what it does, and whether its callback is one before the loop.
LOOPS = {
    "up": ("void f(double* a, long n) { for (long i = 0; i < n; i++) a[i] = i; }", True),
    "down": ("void f(double* a, long n) { for (long i = n; i-- > 0;) a[i] = i; }", True),
    "strided": ("void f(double* a, long n) { for (long i = 0; i < n; i += 3) a[i] = i; }", True),
    "field": ("struct s { long x, y; }; void f(struct s* a, long n) { for (long i = 0; i < n; i++) a[i].y = i; }", True),
    "mathematics": ("double sin(double); void f(double* a, long n) { for (long i = 0; i < n; i++) a[i] = sin(i); }", True),
    "sometimes": ("void f(double* a, long n) { for (long i = 0; i < n; i++) if (n % (i + 1) == 3) a[i] = i; }", False),
    "left early": ("void f(double* a, long n) { for (long i = 0; i < n; i++) { if (a[i] == 7) break; a[i] = i; } }", False),
    "calls": ("void g(void); void f(double* a, long n) { for (long i = 0; i < n; i++) { a[i] = i; g(); } }", False),
    "atomic": ("void f(double* a, long n, int* k) { for (long i = 0; i < n; i++) { a[i] = i; __atomic_store_n(k, 1, 5); } }", False),
    "volatile": ("void f(double* a, long n, volatile int* k) { for (long i = 0; i < n; i++) { a[i] = i; *k = 1; } }", False),
    "assembler": ('void f(double* a, long n) { for (long i = 0; i < n; i++) { a[i] = i; __asm__ volatile("" ::: "memory"); } }', False),
    "list": ("struct s { struct s* next; double x; }; void f(struct s* a) { for (; a; a = a->next) a->x = 1; }", False),
}
# How many of its loads and stores are left out by the plugin of clang, of how many.
PRIVATE = {
    "a local array": ("long f(long n) { long a[8]; for (int i = 0; i < 8; i++) a[i] = n + i; return a[n & 7]; }", True),
    "a local array that is given away": ("void g(long*); long f(long n) { long a[8]; a[n & 7] = n; g(a); return a[n & 3]; }", False),
    "a block that nobody else knows": ("#include <stdlib.h>\nlong f(long n) { long* a = malloc(n * 8); for (long i = 0; i < n; i++) a[i] = i * n; long s = a[n / 2]; free(a); return s; }", True),
    "a block that is stored": ("#include <stdlib.h>\nextern long* kept; void f(long n) { long* a = malloc(n * 8); for (long i = 0; i < n; i++) a[i] = i; kept = a; }", False),
    "a static variable": ("static long a[8]; long f(long n) { a[n & 7] = n; return a[n & 3]; }", True),
    "a static variable that is given away": ("static long a[8]; void g(long*); long f(long n) { g(a); a[n & 7] = n; return a[n & 3]; }", False),
    "through a function that keeps nothing": ("__attribute__((noinline)) static long sum(const long* a) { long s = 0; for (int i = 0; i < 8; i++) s += a[i] * i; return s; }"
                                              " long f(long n) { long a[8]; for (int i = 0; i < 8; i++) a[i] = n ^ i; return sum(a) + a[n & 7]; }", None),
    "an argument": ("long f(long* a, long n) { a[n] = 3; return a[n + 1]; }", False),
}


class Plugins(unittest.TestCase):
    bench = None

    def plugin(self, name):
        doctor = subprocess.run([self.bench.vouch, "doctor"], env=self.bench.environment({"OMPI_CC": name, "MPICH_CC": name}),
                                capture_output=True, text=True, check=False).stdout
        return bool(re.search(r"vouch cc: .*, with a plugin", doctor))

    def symbols(self, text, *words, env=None):
        self.bench.write("part.c", text)
        done = self.bench.compile(*words, "-c", "part.c", env=env)
        self.assertEqual(done.returncode, 0, done.stderr)
        undefined = subprocess.run(["nm", "-u", "part.o"], cwd=self.bench.dir, capture_output=True, text=True, check=True).stdout
        return undefined, done.stderr

    def loops(self, env=None, may_call=()):
        for name, (text, before) in LOOPS.items():
            before = before and name not in may_call
            for level in ("-O1", "-O2", "-O3"):
                with self.subTest(loop=name, level=level):
                    undefined, _ = self.symbols(text, level, env=env)
                    callback = re.search(r"__tsan_write\d", undefined) is not None
                    self.assertEqual(("vouch_access_pattern" in undefined, callback), (before, not before), undefined)

    def test_loops_of_gcc(self):
        if not self.plugin("gcc"):
            self.skipTest("no plugin for gcc")
        self.loops()

    def test_counts_of_gcc(self):
        if not self.plugin("gcc"):
            self.skipTest("no plugin for gcc")
        _, said = self.symbols(LOOPS["up"][0], "--counts", "-O2")
        self.assertEqual(said, "vouch: part.c: 1 loads and stores; 1 are told before their loops\n")

    def test_loops_of_clang(self):
        clang = {"OMPI_CC": "clang-19", "MPICH_CC": "clang-19"}
        if not shutil.which("clang-19") or not self.plugin("clang-19"):
            self.skipTest("no plugin for clang")
        self.loops(clang, may_call=("mathematics",))  # to clang, sin may set errno, and so is a call like others

    def test_private_memory(self):
        clang = {"OMPI_CC": "clang-19", "MPICH_CC": "clang-19"}
        if not shutil.which("clang-19") or not self.plugin("clang-19"):
            self.skipTest("no plugin for clang")
        for name, (text, private) in PRIVATE.items():
            for level in ("-O0", "-O1", "-O2"):
                with self.subTest(memory=name, level=level):
                    undefined, said = self.symbols(text, "--counts", level, env=clang)
                    found = re.search(r"(\d+) loads and stores; (\d+) are left out", said)
                    self.assertIsNotNone(found, said)
                    every, left_out = map(int, found.groups())
                    seen = re.search(r"__tsan_(read|write)|vouch_access_pattern", undefined) is not None
                    self.assertEqual(seen, left_out < every, undefined)
                    if private is not None and level != "-O0":  # without optimisation all variables are in memory
                        self.assertEqual(seen, not private, said)

    def test_without_a_plugin(self):
        """Another release of the compiler than the plugin is for."""
        other = self.bench.write("othercc", '#!/bin/sh\nif [ "$1" = --version ]; then\n'
                                 'echo "gcc (Other) 12.9.9"; echo "Copyright (C) 2022 Free Software Foundation, Inc."\nelse exec mpicc "$@"; fi\n', stat.S_IRWXU)
        undefined, said = self.symbols(LOOPS["up"][0], "-O2", env={"VOUCH_CC": other})
        self.assertIn("__tsan_write8", undefined)
        self.assertNotIn("vouch_access_pattern", undefined)
        self.assertEqual(said, "")
        _, said = self.symbols(LOOPS["up"][0], "--counts", "-O2", env={"VOUCH_CC": other})
        self.assertIn("--counts: there is no plugin for gcc (Other) 12.9.9, so nothing is counted", said)

    def test_with_and_without_in_one_program(self):
        """Objects of a compiler with a plugin and of one without it make one program."""
        self.bench.write("main.c", '#include <mpi.h>\n#include <stdio.h>\nvoid f(double*, long); int main(int c, char** v) { MPI_Init(&c, &v);'
                         ' double a[9]; f(a, 9); printf("%g\\n", a[8]); MPI_Finalize(); }\n')
        self.bench.write("part.c", LOOPS["up"][0])
        for mpi in LIBRARIES:
            other = self.bench.write("othercc", f'#!/bin/sh\nif [ "$1" = --version ]; then\necho "gcc (Other) 12.9.9"; echo "Free Software Foundation"\nelse exec mpicc.{mpi} "$@"; fi\n', stat.S_IRWXU)
            for words, env in ((("-O2", "-c", "part.c"), {"VOUCH_CC": other}), (("--mpi", mpi, "-O2", "main.c", "part.o", "-o", "both"), None)):
                done = self.bench.compile(*words, env=env)
                self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(self.bench.plain("./both", mpi, 1), (0, "8\n"))


if __name__ == "__main__":
    import argparse

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vouch", default="build/bin/vouch")
    arguments, rest = parser.parse_known_args()
    Plugins.bench = Instrument(arguments.vouch)
    try:
        unittest.main(argv=[sys.argv[0], *rest])
    finally:
        Plugins.bench.close()
