"""What the tests of vouch cc share: building with it, and which bytes a run is seen to read and write."""

import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "cli"))
from common import LIBRARIES, LIMIT, Bench  # noqa: E402, F401

PROGRAMS = os.path.join(HERE, "programs")
COMMANDS = {".c": "cc", ".cc": "cxx", ".f90": "fc"}


class Instrument(Bench):
    """A folder with programs that are built by vouch cc, vouch cxx and vouch fc."""

    def compile(self, *words, command="cc", env=None, cwd=None):
        return subprocess.run([self.vouch, command, *words], cwd=cwd or self.dir, env=self.environment(env), stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=LIMIT)

    def plain_compile(self, mpi, *words):
        """The same without vouch."""
        subprocess.run(["mpicc." + mpi, *words], cwd=self.dir, env=self.environment(), check=True, timeout=LIMIT)

    def build(self, source, mpi, *options, env=None):
        """programs/SOURCE built for a library; how it is called."""
        stem, ending = os.path.splitext(source)
        out = f"{stem}{ending[1:]}.{mpi}"
        done = self.compile("--mpi", mpi, *options, os.path.join(PROGRAMS, source), "-o", out, command=COMMANDS[ending], env=env)
        if done.returncode != 0:
            raise AssertionError(done.stdout + done.stderr)
        return "./" + out

    def plain(self, program, mpi, ranks=2):
        """What the program prints without vouch."""
        launcher = ["mpirun.openmpi", "--oversubscribe"] if mpi == "openmpi" else ["mpirun.mpich"]
        done = subprocess.run([*launcher, "-np", str(ranks), program], cwd=self.dir, env=self.environment(), stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=LIMIT)
        return done.returncode, done.stdout

    def lines(self, program, ranks=2):
        """A run of it under vouch, and the lines of its trace that are loads and stores."""
        trace = self.path("run.trace")
        run = self.run("-n", str(ranks), "--trace", trace, program)
        done = subprocess.run([self.vouch, "trace", "dump", trace], capture_output=True, text=True, timeout=LIMIT)
        return run, done.stdout.splitlines()


KINDS = ("load", "store", "atomic_load", "atomic_store", "atomic_update")


def pieces(line):
    """(rank, kind, [(address, bytes)], place) of a line of the trace; None: it is no access."""
    words = line.split()
    if len(words) < 4 or words[1] not in KINDS:
        return None
    given = {"step": 0, "count": 1, "stride": 0, "rows": 1}
    for word in words[4:]:
        name, _, value = word.partition("=")
        if name in given:
            given[name] = int(value)
    place = words[-1] if words[-1].startswith("@") else ""
    address, size = int(words[2], 16), int(words[3])
    found = [(address + row * given["stride"] + i * given["step"], size) for row in range(given["rows"]) for i in range(given["count"])]
    return int(words[0].split(".")[0]), words[1], found, place


def seen(out, lines, rank=0):
    """{array: {kind: bytes of it}}: which bytes of each array that the program names were read and written."""
    arrays = {}
    for line in out.splitlines():
        words = line.split()
        if words[:1] == ["array"]:
            arrays[words[1]] = int(words[2], 16)
    found = {name: {} for name in arrays}
    starts = sorted((address, name) for name, address in arrays.items())
    for line in lines:
        access = pieces(line)
        if access is None or access[0] != rank:
            continue
        for address, size in access[2]:
            name = next((n for a, n in reversed(starts) if a <= address), None)
            if name is None:
                continue
            offset = address - arrays[name]
            found[name].setdefault(access[1], set()).update(range(offset, offset + size))
    return found


def bytes_of(first, last, size=8, step=None):
    """Elements first, ..., last - 1 of so many bytes, every `step` bytes."""
    step = step or size
    return {b for i in range(first, last) for b in range(i * step, i * step + size)}


def have(*tools):
    return all(shutil.which(tool) for tool in tools)
