#!/usr/bin/env python3
"""Loops of every shape, at random: the bytes that a run is seen to read and write are those that the same loops name in a part that is
not instrumented, whatever the compiler did to the loop, and what its plugin says before it.

    tests/instrument/loops.py --vouch build/bin/vouch [--seed 1] [--programs 1] [--kernels 60]
"""

import argparse
import os
import random
import re
import shutil
import sys
import unittest

from instrument import LIBRARIES, Instrument, pieces

TYPES = {"char": 1, "short": 2, "int": 4, "double": 8, "struct pair": 16}
ROOM = 1 << 16  # bytes of each array

MAIN = """#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  char* memory;
  MPI_Win win;
  MPI_Win_allocate(2 * ROOM, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
  for (int i = 0; i < 2 * ROOM; i++) memory[i] = 1;
  char* mirror = calloc(2, ROOM);
  printf("memory %p\\n", (void*)memory);
#define KERNEL(name)                                                       \\
  long name(char* r, char* w, long n, long m, unsigned u);                 \\
  long name##_marks(char* r, char* w, long n, long m, unsigned u);         \\
  MPI_Barrier(MPI_COMM_WORLD);                                             \\
  name(memory, memory + ROOM, 20 + argc, 6 + argc, 8u + (unsigned)argc);   \\
  for (int i = 0; i < 2 * ROOM; i++) mirror[i] = 0;                        \\
  name##_marks(mirror, mirror + ROOM, 20 + argc, 6 + argc, 8u + (unsigned)argc); \\
  for (int side = 0; side < 2; side++) {                                   \\
    printf("%s %s", #name, side ? "store" : "load");                       \\
    for (int i = 0; i < ROOM; i++)                                         \\
      if (mirror[side * ROOM + i]) printf(" %d", i);                       \\
    puts("");                                                              \\
  }
#include "names.h"
  MPI_Win_free(&win);
  MPI_Finalize();
}
"""
KERNELS = """struct pair { long a, b; };
void opaque(void);
#define START(name) long name(char* r, char* w, long n, long m, unsigned u) { long sum = n + m + u; (void)r; (void)w;
#define END return sum; }
#define LD(T, i) sum += (long)((T*)r)[i]
#define ST(T, i) ((T*)w)[i] = (T)(i)
#define LDP(i) sum += ((struct pair*)r)[i].b
#define STP(i) ((struct pair*)w)[i].a = i
#include "bodies.h"
"""
MARKS = """static void mark(char* at, long size) { for (long i = 0; i < size; i++) at[i] = 1; }
struct pair { long a, b; };
void opaque(void) {}
#define START(name) long name##_marks(char* r, char* w, long n, long m, unsigned u) { long sum = n + m + u;
#define END return sum; }
#define LD(T, i) mark(r + (i) * (long)sizeof(T), sizeof(T))
#define ST(T, i) mark(w + (i) * (long)sizeof(T), sizeof(T))
#define LDP(i) mark(r + (i) * 16 + 8, 8)
#define STP(i) mark(w + (i) * 16, 8)
#include "bodies.h"
"""


class Kernel:
    """One function on one line of its own: loops around accesses whose indices stay within the arrays."""

    def __init__(self, name, rng):
        self.rng, self.loops, self.name = rng, [], name
        body = self.nest(rng.choice([1, 1, 2, 2, 3]))
        if rng.random() < 0.3:
            body += self.nest(1)
        self.text = f"START({name}) {body} END"

    def bound(self):
        return self.rng.choice(["n", "m", "u", "n - 1", "12", "n / 2", "5"])

    def loop(self, inner):
        """Its head; the variable runs within [0, 21)."""
        v, b, kind = "ijk"[len(self.loops)], self.bound(), self.rng.choice(["up", "up", "up", "down", "step", "unsigned", "narrow", "while", "do", "triangle", "zero"])
        self.loops.append(v)
        body = inner()
        self.loops.pop()
        if kind == "triangle" and self.loops:
            return f"for (long {v} = 0; {v} < {self.loops[-1]}; {v}++) {{ {body} }}"
        return {
            "down": f"for (long {v} = {b}; {v}-- > 0;) {{ {body} }}",
            "step": f"for (long {v} = {self.rng.randrange(3)}; {v} < {b}; {v} += {self.rng.choice([2, 3])}) {{ {body} }}",
            "unsigned": f"for (unsigned {v} = 0; {v} < (unsigned)({b}); {v}++) {{ {body} }}",
            "narrow": f"for (short {v} = 0; {v} < (short)({b}); {v}++) {{ {body} }}",
            "while": f"{{ long {v} = 0; while ({v} != {b}) {{ {body} {v}++; }} }}",
            "do": f"{{ long {v} = 0; do {{ {body} }} while (++{v} < {b}); }}",
            "zero": f"for (long {v} = n - 21; {v} < n - 21; {v}++) {{ {body} }}",
        }.get(kind, f"for (long {v} = 0; {v} < {b}; {v}++) {{ {body} }}")

    def index(self):
        terms = [str(self.rng.randrange(70, 90))]
        for v in self.loops:
            factor = self.rng.choice([0, 1, 1, 2, 7, -1])
            if factor:
                terms.append(f"{factor} * (long){v}")
        return " + ".join(terms)

    def access(self):
        kind = self.rng.choice(list(TYPES))
        if kind == "struct pair":
            text = f"{self.rng.choice(['LDP', 'STP'])}({self.index()});"
        else:
            text = f"{self.rng.choice(['LD', 'ST'])}({kind}, {self.index()});"
        if self.loops and self.rng.random() < 0.2:
            text = f"if (({self.loops[-1]} * 7 + n) % 3 == 0) {{ {text} }}"
        return text

    def statements(self):
        parts = [self.access() for _ in range(self.rng.choice([1, 1, 2, 3]))]
        extra = self.rng.random()
        if self.loops and extra < 0.1:
            parts.insert(self.rng.randrange(len(parts) + 1), f"if ({self.loops[-1]} == 9) break;")
        elif self.loops and extra < 0.15:
            parts.insert(self.rng.randrange(len(parts) + 1), "opaque();")
        elif self.loops and extra < 0.25:
            parts.insert(self.rng.randrange(len(parts) + 1), f"if ({self.loops[-1]} % 4 == 1) continue;" if self.safe_continue else "")
        return " ".join(parts)

    safe_continue = False  # a while loop would never end

    def nest(self, depth):
        def inner():
            if depth == 1:
                return self.statements()
            parts = [self.nest(depth - 1)]
            if self.rng.random() < 0.5:
                parts.insert(self.rng.randrange(2), self.statements())
            return " ".join(parts)

        return self.loop(inner)


class Loops(unittest.TestCase):
    bench, seed, programs, kernels = None, 1, 1, 60

    def write_program(self, rng):
        kernels = [Kernel(f"k{i}", rng) for i in range(self.kernels)]
        self.bench.write("bodies.h", "\n".join(kernel.text for kernel in kernels) + "\n")
        self.bench.write("names.h", "\n".join(f"KERNEL({kernel.name})" for kernel in kernels) + "\n")
        for name, text in (("main", MAIN), ("kernels", KERNELS), ("marks", MARKS)):
            self.bench.write(name + ".c", f"#define ROOM {ROOM}\n" + text)
        return kernels

    def check(self, kernels, mpi, level, env):
        def build(*words):
            done = self.bench.compile("--mpi", mpi, *words, env=env)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

        build("-g", level, "-c", "kernels.c", "-o", "kernels.o")
        for part in ("main", "marks"):
            self.bench.plain_compile(mpi, "-c", part + ".c", "-o", part + ".o")
        build("main.o", "kernels.o", "marks.o", "-o", "loops")
        run, lines = self.bench.lines("./loops", ranks=1)
        self.assertEqual(run.status, 0, str(run))
        wanted, memory = {}, None
        for line in run.out.splitlines():
            words = line.split()
            if words[0] == "memory":
                memory = int(words[1], 16)
            elif words[0].startswith("k"):
                wanted[(words[0], words[1])] = {int(word) for word in words[2:]}
        found = {key: set() for key in wanted}
        for line in lines:
            access = pieces(line)
            if access is None:
                continue
            # clang's own callbacks have no line where the optimiser has moved the access.
            place = re.fullmatch(r"@.*bodies\.h:(\d+)|@(k\d+)\+.*", access[3])
            self.assertIsNotNone(place, line)
            kernel = place[2] or f"k{int(place[1]) - 1}"
            base = memory + (ROOM if access[1] == "store" else 0)
            for address, size in access[2]:
                found[(kernel, access[1])].update(range(address - base, address - base + size))
        for (name, kind), bytes_wanted in wanted.items():
            text = next(kernel.text for kernel in kernels if kernel.name == name)
            self.assertEqual(sorted(found[(name, kind)]), sorted(bytes_wanted), f"{kind}s of {text}")

    def test_random_loops(self):
        compilers = [None] + ([{"OMPI_CC": "clang-19", "MPICH_CC": "clang-19"}] if shutil.which("clang-19") else [])
        for program in range(self.programs):
            kernels = self.write_program(random.Random(self.seed + program))
            mpi = LIBRARIES[(self.seed + program) % len(LIBRARIES)]
            for env in compilers:
                for level in ("-O0", "-O1", "-O2", "-O3"):
                    with self.subTest(seed=self.seed + program, mpi=mpi, level=level, env=env):
                        self.check(kernels, mpi, level, env)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vouch", default=os.path.join("build", "bin", "vouch"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--programs", type=int, default=1)
    parser.add_argument("--kernels", type=int, default=60)
    arguments, rest = parser.parse_known_args()
    Loops.bench = Instrument(arguments.vouch)
    Loops.seed, Loops.programs, Loops.kernels = arguments.seed, arguments.programs, arguments.kernels
    try:
        unittest.main(argv=[sys.argv[0], *rest])
    finally:
        Loops.bench.close()
