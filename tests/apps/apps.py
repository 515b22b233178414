"""The programs that run_apps.py checks: how each is started and which of its output may change from run to run."""

import dataclasses
import pathlib
import re
from typing import Callable

import inputs

HERE = pathlib.Path(__file__).resolve().parent
NUMBER = re.compile(r"[-+]?\d+(\.\d*)?([eE][-+]?\d+)?")
DECIMAL = re.compile(r"[-+]?(\d*\.\d+|\d+\.(?=\s|$))([eEdD][-+]?\d+)?")
PASSED = "tests completed and passed"


def mask_all(line):
    """Only the words: everything else of a benchmark is a measurement."""
    return " ".join(NUMBER.sub("#", line).split())


def mask_scalapack(line):
    """Residuals; and whether sums differed in the order of this run, without which the tester has nothing to look at."""
    return re.sub("(PASSED|SKIPPED) REPEATABLE SUM", "# REPEATABLE SUM", " ".join(DECIMAL.sub("#", line).split()))


def mask_lines(pattern):
    """All numbers of the lines that match."""
    expression = re.compile(pattern, re.IGNORECASE)
    return lambda line: mask_all(line) if expression.search(line) else line.rstrip()


@dataclasses.dataclass
class App:
    name: str
    library: str
    command: list  # the first word is the program's path
    mask: Callable
    files: dict = dataclasses.field(default_factory=dict)  # name in the working folder: text
    stdin: str = ""  # path
    outputs: list = dataclasses.field(default_factory=list)  # files compared besides stdout
    must_say: str = ""  # proof that it did its work
    repeats: bool = False  # prints some lines as often as time allows: how often is not compared
    ranks: int = 4
    sample: bool = True  # part of an ordinary run; the others need --full
    needs: list = dataclasses.field(default_factory=list)  # paths besides the program
    env: dict = dataclasses.field(default_factory=dict)


# ScaLAPACK's drivers and the text that proves that one did its work. Each exists for s, d, c and z unless it says so.
SCALAPACK = {
    PASSED: "xsbrd xdbrd xcbrd xzbrd xsdblu xddblu xcdblu xzdblu xsdtlu xddtlu xcdtlu xzdtlu xcevc xzevc xsgblu xdgblu xcgblu "
            "xzgblu xsgsep xdgsep xcgsep xzgsep xssyevr xdsyevr xcheevr xzheevr xshrd xdhrd xchrd xzhrd xsinv xdinv xcinv xzinv "
            "xsllt xdllt xcllt xzllt xsls xdls xcls xzls xslu xdlu xclu xzlu xsnep xdnep xcnep xznep xspbllt xdpbllt xcpbllt "
            "xzpbllt xsptllt xdptllt xcptllt xzptllt xsqr xdqr xcqr xzqr xssep xdsep xcsep xzsep xstrd xdtrd xctrd xztrd",
    "PASSED": "xshseqr xdhseqr",
    "Passed": "xssvd xdsvd",
    "": "PBLAS/spb1tst PBLAS/dpb1tst PBLAS/cpb1tst PBLAS/zpb1tst PBLAS/spb2tst PBLAS/dpb2tst PBLAS/cpb2tst PBLAS/zpb2tst "
        "PBLAS/spb3tst PBLAS/dpb3tst PBLAS/cpb3tst PBLAS/zpb3tst BLACS/xCbtest BLACS/xFbtest",
}
SCALAPACK_SAMPLE = {"xdlu", "xzgblu", "xsqr", "PBLAS/dpb2tst"}


def scalapack(library):
    """Every driver of the package. LU's own input takes minutes where MPICH's 4 ranks spin on fewer cores: the sample shortens it."""
    for proof, names in SCALAPACK.items():
        for name in names.split():
            folder = pathlib.Path(f"/usr/lib/x86_64-linux-gnu/scalapack/{library}-tests") / pathlib.Path(name).parent
            files = inputs.scalapack(folder, shortened=name in SCALAPACK_SAMPLE)
            yield App(f"{pathlib.Path(name).name}.{library}", library, [str(folder / pathlib.Path(name).name)],
                      mask_scalapack, files=files, must_say=proof, sample=name in SCALAPACK_SAMPLE)


def netpipe(library, program):
    return App(f"netpipe.{library}", library, [program, "-u", "8192", "-n", "5", "-o", "np.out"], mask_all, ranks=2,
               outputs=["np.out"], must_say="8195 ")


ALIGNMENT = inputs.alignment()
APPS = [
    App("hpcc", "openmpi", ["/usr/bin/hpcc"], mask_all, files={"hpccinf.txt": inputs.hpcc()},
        outputs=["hpccoutf.txt"], must_say="Success=1", repeats=True),
    App("lammps", "openmpi", ["/usr/bin/lmp", "-in", str(HERE / "melt.lammps"), "-log", "none"],
        mask_lines(r"time|performance|cpu|pair |neigh|comm |output |modify|other |timesteps|version|LAMMPS \("),
        must_say="Total wall time"),
    App("mumps", "openmpi", ["/usr/lib/mumps/dsimpletest"], mask_lines(r"time|elapsed|memory|space|MBYTES"),
        stdin="/usr/lib/mumps/input_simpletest_real", must_say="Solution is"),
    App("mpi4py", "openmpi", ["/usr/bin/python3", str(HERE / "exchange.py")], str.rstrip, must_say="own op",
        needs=["/usr/lib/python3/dist-packages/mpi4py"]),
    App("dgpart", "openmpi", ["/usr/bin/dgpart", "4", "grid.grf", "grid.map"], mask_all,  # parts are drawn by lot
        files={"grid.grf": inputs.grid(40)}, outputs=["grid.map"], must_say="1600", repeats=True),
    App("dgord", "openmpi", ["/usr/bin/dgord", "grid.grf", "grid.ord"], str.rstrip,
        files={"grid.grf": inputs.grid(40)}, outputs=["grid.ord"], must_say="1600"),
    App("dgtst", "openmpi", ["/usr/bin/dgtst", "grid.grf"], str.rstrip, files={"grid.grf": inputs.grid(40)},
        must_say="sum=1600"),
    App("phyml", "openmpi", ["/usr/lib/phyml/bin/phyml-mpi", "-i", "a.phy", "-b", "4", "--r_seed", "3"], mask_all,
        files={"a.phy": inputs.phylip(ALIGNMENT)}, must_say="Time used"),
    App("abyss", "openmpi", ["/usr/lib/abyss/ABYSS-P", "-k21", "-c2", "-e2", "reads.fasta", "-o", "contigs.fa"], mask_all,
        files={"reads.fasta": inputs.reads()}, must_say="Assembled", repeats=True,
        env={"OMPI_MCA_btl_vader_eager_limit": "65536"}),  # else its own deadlock (expected.txt) hangs one run in ten
    App("mpb", "openmpi", ["/usr/bin/mpb-mpi", "bands.ctl"], mask_all,  # numbers differ from run to run, also without vouch
        files={"bands.ctl": inputs.BANDS}, ranks=2, must_say="done.", repeats=True),
    netpipe("openmpi", "/usr/bin/NPopenmpi"),
    netpipe("mpich", "/usr/bin/NPmpich2"),
    *scalapack("openmpi"),
    *scalapack("mpich"),
]
