#!/usr/bin/env python3
"""Debian's own MPI programs with 4 ranks, with and without vouch: unchanged output, no false alarm.

The programs are installed by hand (packages.txt); one that is missing is skipped with a line, or fails with --require.
Output is compared line by line, in any order (ranks interleave), after masking what depends on time. A finding must
stand in expected.txt with the reason why it is true.
"""

import argparse
import dataclasses
import difflib
import fnmatch
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from typing import Callable

HERE = pathlib.Path(__file__).resolve().parent
RANKS = 4
NUMBER = re.compile(r"[-+]?\d+(\.\d*)?([eE][-+]?\d+)?")
DECIMAL = re.compile(r"[-+]?\d*\.\d+([eEdD][-+]?\d+)?")


def mask_all(line):
    """Only the words: everything else of a benchmark is a measurement."""
    return " ".join(NUMBER.sub("#", line).split())


def mask_decimals(line):
    return " ".join(DECIMAL.sub("#", line).split())


def mask_lines(pattern):
    """All numbers of the lines that match."""
    expression = re.compile(pattern, re.IGNORECASE)
    return lambda line: mask_all(line) if expression.search(line) else line.rstrip()


@dataclasses.dataclass
class App:
    name: str
    library: str
    needs: list  # paths
    command: list
    mask: Callable
    files: dict = dataclasses.field(default_factory=dict)  # name in the working folder: text
    stdin: str = ""  # path
    outputs: list = dataclasses.field(default_factory=list)  # files compared besides stdout
    must_say: str = ""  # proof that it did its work
    repeats: bool = False  # prints some lines as often as time allows: how often is not compared


def hpcc_input():
    template = pathlib.Path("/usr/share/doc/hpcc/examples/_hpccinf.txt")
    text = template.read_text() if template.exists() else ""
    return re.sub(r"^1000(\s+Ns)", r"200\1", text, flags=re.MULTILINE)


def scalapack(library):
    """All 240 tests of the package's own input take minutes where MPICH's 4 ranks spin on fewer busy cores; a tenth will do."""
    folder = f"/usr/lib/x86_64-linux-gnu/scalapack/{library}-tests"
    data = pathlib.Path(folder, "LU.dat")
    text = data.read_text() if data.exists() else ""
    for what, few in [("problems sizes", 2), ("NB's", 2), ("NRHS's", 1), ("NBRHS's", 1)] if "--full" not in sys.argv else []:
        text = re.sub(rf"^\d+(\s+number of {what})", rf"{few}\1", text, flags=re.MULTILINE | re.IGNORECASE)
    return App(f"xdlu.{library}", library, [f"{folder}/xdlu"], [f"{folder}/xdlu"], mask_decimals,
               files={"LU.dat": text}, must_say="tests completed and passed")


APPS = [
    App("hpcc", "openmpi", ["/usr/bin/hpcc"], ["/usr/bin/hpcc"], mask_all, files={"hpccinf.txt": hpcc_input()},
        outputs=["hpccoutf.txt"], must_say="Success=1", repeats=True),
    App("lammps", "openmpi", ["/usr/bin/lmp"], ["/usr/bin/lmp", "-in", str(HERE / "melt.lammps"), "-log", "none"],
        mask_lines(r"time|performance|cpu|pair |neigh|comm |output |modify|other |timesteps|version|LAMMPS \("),
        must_say="Total wall time"),
    scalapack("openmpi"),
    scalapack("mpich"),
    App("mumps", "openmpi", ["/usr/lib/mumps/dsimpletest"], ["/usr/lib/mumps/dsimpletest"],
        mask_lines(r"time|elapsed|memory|space|MBYTES"), stdin="/usr/lib/mumps/input_simpletest_real", must_say="Solution is"),
    App("mpi4py", "openmpi", ["/usr/lib/python3/dist-packages/mpi4py"], ["/usr/bin/python3", str(HERE / "exchange.py")],
        str.rstrip, must_say="own op"),
]


def launch(app, prefix, limit):
    """(exit status, lines of output, seconds); stderr is not compared: launchers talk there."""
    with tempfile.TemporaryDirectory(prefix="apps.") as folder:
        for name, text in app.files.items():
            pathlib.Path(folder, name).write_text(text)
        env = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMP_NUM_THREADS="1",
                   OPENBLAS_NUM_THREADS="1")
        start = time.monotonic()
        with open(app.stdin or os.devnull, "rb") as stdin:
            done = subprocess.run(prefix + app.command, stdin=stdin, capture_output=True, cwd=folder, env=env, timeout=limit)
        seconds = time.monotonic() - start
        text = done.stdout.decode(errors="replace")
        for name in app.outputs:
            text += pathlib.Path(folder, name).read_text(errors="replace")
        return done.returncode, text, done.stderr.decode(errors="replace"), seconds


def expectations():
    rows = []
    for line in (HERE / "expected.txt").read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            rows.append(line.split(None, 4))
    return rows


def judge_findings(app, report, rows):
    """Differences between the report and the expected findings."""
    problems = []
    used = set()
    for finding in report["findings"]:
        if finding["severity"] == "info":
            continue
        place = (finding.get("locations") or [{}])[0]
        shown = (f"{finding['severity']} {finding['rule']} at {place.get('file')}:{place.get('line')} in "
                 f"{place.get('function')} {place.get('call')}: {finding['message']}")
        hits = [i for i, (name, severity, rule, function, _) in enumerate(rows)
                if (finding["severity"], finding["rule"]) == (severity, rule) and fnmatch.fnmatch(app.name, name)
                and fnmatch.fnmatch(place.get("function") or "", function)]
        used.update(hits)
        if not hits:
            problems.append(shown)
    problems += [f"expected but absent: {' '.join(row)}" for i, row in enumerate(rows)
                 if fnmatch.fnmatch(app.name, row[0]) and i not in used]
    verdict = "error" if any(rows[i][1] == "error" for i in used) else "clean"
    if report["verdict"] != verdict:
        gaps = "; ".join(f"{n.get('what')}: {n.get('reason')}" for n in report.get("not_checked", []))
        problems.append(f"verdict {report['verdict']}" + (f" (not checked: {gaps})" if gaps else ""))
    return problems


def check(app, options):
    """(problems, remark)"""
    bare = {"openmpi": ["mpirun.openmpi", "--oversubscribe"], "mpich": ["mpirun.mpich"]}[app.library] + ["-n", str(RANKS)]
    with tempfile.TemporaryDirectory(prefix="apps.") as folder:
        path = pathlib.Path(folder, "report.json")
        watched = [options.vouch, "run", "--json", str(path), "-n", str(RANKS)]
        try:
            status, text, errors, seconds = launch(app, bare, options.limit)
            if app.must_say not in text:
                return [f"does not work without vouch: {text[-300:]} {errors[-300:]}"], ""
            status2, text2, errors2, seconds2 = launch(app, watched, options.limit)
            report = json.loads(path.read_text())
        except subprocess.TimeoutExpired as error:
            return [f"not done after {options.limit} s: {shlex.join(error.cmd)}"], ""
        except (OSError, ValueError) as error:
            return [f"no report: {error!r}"], ""
    problems = judge_findings(app, report, expectations())
    if status2 != status and report["verdict"] == "clean":
        problems.append(f"exit status {status2}, not {status}: {errors2[-500:]}")
    lines, lines2 = ([app.mask(line) for line in t.splitlines()] for t in (text, text2))
    lines, lines2 = (sorted(set(ls) if app.repeats else ls) for ls in (lines, lines2))
    if lines != lines2:
        difference = [d for d in difflib.unified_diff(lines, lines2, "without", "with", lineterm="", n=0)]
        problems.append("output differs:\n" + "\n".join(difference[:20]))
    calls = report.get("statistics", {}).get("calls")
    return problems, f"{seconds:.1f} s without, {seconds2:.1f} s with vouch, {calls} calls"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--vouch", default=os.environ.get("VOUCH", shutil.which("vouch") or "vouch"))
    parser.add_argument("--filter", default="", help="regular expression on the name")
    parser.add_argument("--limit", type=float, default=300, help="seconds for one run")
    parser.add_argument("--full", action="store_true", help="the packages' own inputs, not shortened")
    parser.add_argument("--require", action="store_true", help="a missing program is a failure")
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    options.vouch = os.path.abspath(options.vouch) if os.sep in options.vouch else options.vouch
    failed = passed = 0
    for app in (a for a in APPS if re.search(options.filter, a.name)):
        missing = [p for p in app.needs + [f"/usr/bin/mpirun.{app.library}"] if not os.path.exists(p)]
        if missing:
            print(f"{'FAIL' if options.require else 'skip'} {app.name}: {missing[0]} is not installed")
            failed += options.require
            continue
        problems, remark = check(app, options)
        failed += bool(problems)
        passed += not problems
        for problem in problems:
            print(f"FAIL {app.name}: {problem}")
        if not problems or options.verbose:
            print(f"{'    ' if problems else 'ok  '} {app.name}: {remark}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
