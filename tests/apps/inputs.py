"""Small inputs for the programs of apps.py: made here, so that each run reads the same."""

import pathlib
import random
import re

BANDS = """(set! deterministic? true)
(set! geometry-lattice (make lattice (size 1 1 no-size)))
(set! geometry (list (make cylinder (center 0 0 0) (radius 0.2) (height infinity) (material (make dielectric (epsilon 12))))))
(set! k-points (list (vector3 0 0 0) (vector3 0.5 0 0)))
(set! resolution 16)
(set! num-bands 4)
(run-te)
"""


def hpcc():
    template = pathlib.Path("/usr/share/doc/hpcc/examples/_hpccinf.txt")
    text = template.read_text() if template.exists() else ""
    return re.sub(r"^1000(\s+Ns)", r"200\1", text, flags=re.MULTILINE)


def scalapack(folder, shortened):
    """The package's inputs; shortened, LU takes two sizes and two block sizes instead of all.

    Without the tests of iterative refinement: psgerfs and psporfs hand pslacon a variable of their stack that was never
    set (valgrind shows it), so ranks go different ways now and then, and hang, with vouch or without."""
    files = {path.name: path.read_text() for path in folder.glob("*.dat")}
    for name in files.keys() & {"LU.dat", "LLT.dat"}:
        files[name] = re.sub(r"^T(\s.*Iter. Ref. Routines)", r"F\1", files[name], flags=re.MULTILINE)
    if shortened and "LU.dat" in files:
        for what, few in [("problems sizes", 2), ("NB's", 2), ("NRHS's", 1), ("NBRHS's", 1)]:
            files["LU.dat"] = re.sub(rf"^\d+(\s+number of {what})", rf"{few}\1", files["LU.dat"],
                                     flags=re.MULTILINE | re.IGNORECASE)
    return files


def grid(n):
    """A square grid in Scotch's graph format."""
    vertices = [[(y + dy) * n + x + dx for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))
                 if 0 <= x + dx < n and 0 <= y + dy < n] for y in range(n) for x in range(n)]
    rows = [" ".join(map(str, [len(near), *near])) for near in vertices]
    return "\n".join(["0", f"{n * n} {sum(map(len, vertices))}", "0 000", *rows, ""])


def alignment(taxa=8, length=300):
    """Sequences that drift away from one ancestor."""
    dice = random.Random(7)
    ancestor = [dice.choice("ACGT") for _ in range(length)]
    return ["".join(dice.choice("ACGT") if dice.random() < 0.05 * (i + 1) else c for c in ancestor) for i in range(taxa)]


def phylip(sequences):
    rows = [f"taxon{i:<5}{sequence}" for i, sequence in enumerate(sequences)]
    return "\n".join([f"{len(sequences)} {len(sequences[0])}", *rows, ""])


def reads(length=3000, count=1500, size=60):
    """Short pieces of one random genome, in FASTA."""
    dice = random.Random(7)
    genome = "".join(dice.choice("ACGT") for _ in range(length))
    starts = [dice.randrange(length - size) for _ in range(count)]
    return "".join(f">r{i}\n{genome[p:p + size]}\n" for i, p in enumerate(starts))
