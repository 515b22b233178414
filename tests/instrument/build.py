#!/usr/bin/env python3
"""vouch cc in the place of a compiler: what build systems do with one, and what goes wrong."""

import os
import stat
import subprocess
import sys
import unittest

from instrument import LIBRARIES, LIMIT, Instrument, have

HELLO = """#include <mpi.h>
#include <stdio.h>
int part(int);
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  printf("hello %d\\n", part(argc));
  MPI_Finalize();
}
"""
PART = "int table[8]; int part(int n) { table[n] = 41; return table[n] + n; }\n"


class Compile(unittest.TestCase):
    bench = None

    def setUp(self):
        self.folder = os.path.join(self.bench.dir, self.id().rsplit(".", 1)[-1])
        os.makedirs(self.folder)
        self.write("hello.c", HELLO)
        self.write("part.c", PART)

    def write(self, name, text, mode=0o644):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, mode)
        return path

    def cc(self, *words, command="cc", env=None):
        return self.bench.compile(*words, command=command, env=env, cwd=self.folder)

    def good(self, *words, **more):
        done = self.cc(*words, **more)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        return done

    def symbols(self, name):
        return subprocess.run(["nm", name], cwd=self.folder, capture_output=True, text=True, check=True).stdout

    def prints(self, name, text="hello 42\n"):
        done = subprocess.run([os.path.join(self.folder, name)], env=self.bench.environment(), capture_output=True, text=True, timeout=LIMIT)
        self.assertEqual((done.returncode, done.stdout), (0, text), done.stderr)

    def shell(self, text, env=None):
        done = subprocess.run(["sh", "-ec", text], cwd=self.folder, env=self.bench.environment(env), stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=LIMIT * 3)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def compilers(self):
        return {name: f"{self.bench.vouch} {command}" for name, command in (("CC", "cc"), ("CXX", "cxx"), ("FC", "fc"))}

    # What a command may be about.
    def test_compiling_and_linking(self):
        for mpi in LIBRARIES:
            self.good("--mpi", mpi, "-c", "hello.c", "-o", "h.o")
            self.good("--mpi=" + mpi, "-O2", "-c", "part.c")
            self.good("--mpi", mpi, "h.o", "part.o", "-o", "linked")
            self.good("--mpi", mpi, "-O2", "hello.c", "part.c", "-o", "at_once")
            for program in ("linked", "at_once"):
                self.prints(program)
                self.assertIn("vouch_access_module", self.symbols(program))
                self.assertNotIn("libtsan", subprocess.run(["ldd", program], cwd=self.folder, capture_output=True, text=True, check=True).stdout)

    def test_shared_library(self):
        self.good("-shared", "-fPIC", "part.c", "-o", "libpart.so")
        self.good("hello.c", "-L.", "-lpart", "-Wl,-rpath," + self.folder, "-o", "hello")
        self.prints("hello")
        # Each of them has its own.
        self.assertIn("vouch_access_module", self.symbols("libpart.so"))

    def test_response_file(self):
        self.write("words", '-O1 -c "part.c"\n-o part.o')
        self.good("@words")
        self.write("link", "hello.c part.o -o hello")
        self.good("@link")
        self.prints("hello")

    def test_only_asking(self):
        plain = subprocess.run(["mpicc", "--version"], env=self.bench.environment(), capture_output=True, text=True, check=True)
        self.assertEqual(self.good("--version").stdout, plain.stdout)
        self.assertIn("int table[8]", self.good("-E", "part.c").stdout)
        self.assertIn("part.o: part.c", self.good("-MM", "part.c").stdout)
        self.assertEqual(self.good("-dumpmachine").stdout.strip(), subprocess.run(["gcc", "-dumpmachine"], capture_output=True, text=True, check=True).stdout.strip())
        self.assertNotIn("__SANITIZE_THREAD__", self.good("-E", "-dM", "part.c").stdout)
        self.good("-fsyntax-only", "part.c")
        self.good("-S", "part.c", "-o", "part.s")

    def test_debug_information(self):
        for options, level in (((), True), (("-g",), True), (("-g0",), False)):
            self.good(*options, "-c", "part.c", "-o", "part.o")
            sections = subprocess.run(["readelf", "-S", "part.o"], cwd=self.folder, capture_output=True, text=True, check=True).stdout
            self.assertEqual(".debug_line" in sections, level, options)

    def test_static_and_relocatable(self):
        self.good("-c", "part.c")
        self.good("-r", "part.o", "-o", "whole.o", env={"VOUCH_CC": "gcc"})  # mpicc adds libraries
        self.assertNotIn("vouch_access_module", self.symbols("whole.o").replace("U vouch_access_module", ""))
        self.good("hello.c", "whole.o", "-o", "hello")
        self.prints("hello")

    def test_link_time_optimisation(self):
        self.good("-O2", "-flto", "hello.c", "part.c", "-o", "hello")
        self.prints("hello")
        self.assertIn("__tsan_write4", self.symbols("hello"))

    # Build systems.
    def test_make(self):
        self.write("Makefile", "hello: hello.o part.o\n\t$(CC) $(LDFLAGS) -o $@ $^\n")
        self.shell(f'make CC="{self.bench.vouch} cc" CFLAGS="-O2 -Wall -Wextra -Werror"')
        self.prints("hello")
        self.assertIn("__tsan_write4", self.symbols("hello"))

    @unittest.skipUnless(have("cmake"), "no cmake")
    def test_cmake(self):
        self.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.16)\nproject(hello C CXX Fortran)\ninclude(CheckCCompilerFlag)\n"
                   "check_c_compiler_flag(-Wextra HAS_WEXTRA)\nif(NOT HAS_WEXTRA)\nmessage(FATAL_ERROR no)\nendif()\n"
                   "add_library(part SHARED part.c)\nadd_executable(hello hello.c)\ntarget_link_libraries(hello part)\n")
        self.shell("cmake -S . -B out && cmake --build out", self.compilers())
        self.prints("out/hello")
        self.assertIn("vouch_access_module", self.symbols("out/hello"))

    @unittest.skipUnless(have("autoconf", "automake"), "no autotools")
    def test_autotools(self):
        self.write("configure.ac", "AC_INIT([hello],[1])\nAM_INIT_AUTOMAKE([foreign])\nAC_PROG_CC\nAC_C_CONST\nAC_CHECK_HEADERS([mpi.h])\n"
                   "AC_CHECK_FUNCS([memcpy MPI_Init])\nAC_OUTPUT([Makefile])\n")
        self.write("Makefile.am", "bin_PROGRAMS = hello\nhello_SOURCES = hello.c part.c\n")
        self.shell("autoreconf -i && ./configure && make", self.compilers())
        self.prints("hello")
        self.assertIn("__tsan_write4", self.symbols("hello"))

    # What goes wrong.
    def test_no_compiler(self):
        empty = os.path.join(self.folder, "empty")
        os.makedirs(empty)
        done = self.cc("-c", "part.c", env={"PATH": empty})
        self.assertEqual(done.returncode, 64)
        self.assertIn("there is no MPI compiler for C: no mpicc in PATH", done.stderr)
        done = self.cc("-c", "part.c", env={"VOUCH_CC": "no-such-compiler"})
        self.assertEqual(done.returncode, 64)
        self.assertIn("VOUCH_CC is no-such-compiler, and there is no such program", done.stderr)

    def test_unknown_compiler(self):
        other = self.write("othercc", "#!/bin/sh\necho 'Other C 1.0'\n", stat.S_IRWXU)
        done = self.cc("-c", "part.c", env={"VOUCH_CC": other})
        self.assertEqual(done.returncode, 64)
        self.assertIn('is a compiler that vouch cannot instrument: "Other C 1.0"', done.stderr)
        broken = self.write("brokencc", "#!/bin/sh\necho broken >&2\nexit 9\n", stat.S_IRWXU)
        done = self.cc("-c", "part.c", env={"VOUCH_CC": broken})
        self.assertEqual(done.returncode, 9)
        self.assertIn("broken\n", done.stderr)
        self.assertIn("--version ends with status 9", done.stderr)

    def test_wrong_words(self):
        for words, sentence in ((("--mpi", "lam", "-c", "x.c"), "--mpi is openmpi or mpich, not 'lam'"), (("--mpi",), "--mpi needs a value"),
                                ((), "there is nothing to compile")):
            done = self.cc(*words)
            self.assertEqual(done.returncode, 64)
            self.assertIn(sentence, done.stderr)

    def test_a_compiler_that_fails(self):
        self.write("bad.c", "int main( {\n")
        own, ours = self.cc("-c", "bad.c"), subprocess.run(["mpicc", "-c", "bad.c"], cwd=self.folder, env=self.bench.environment(),
                                                           capture_output=True, text=True, check=False)
        self.assertEqual((own.returncode, own.stderr), (ours.returncode, ours.stderr))
        self.assertNotEqual(self.cc("hello.c", "-o", "hello").returncode, 0)  # part() is missing
        self.assertNotEqual(self.cc("no-such-file.c").returncode, 0)

    def test_another_sanitizer(self):
        done = self.cc("-fsanitize=address", "-c", "part.c")
        self.assertEqual(done.returncode, 0)
        self.assertIn("-fsanitize=address leaves no room for anything else", done.stderr)
        self.assertNotIn("tsan", self.symbols("part.o"))


if __name__ == "__main__":
    import argparse

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vouch", default="build/bin/vouch")
    arguments, rest = parser.parse_known_args()
    Compile.bench = Instrument(arguments.vouch)
    try:
        unittest.main(argv=[sys.argv[0], *rest])
    finally:
        Compile.bench.close()
