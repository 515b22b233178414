#!/usr/bin/env python3
"""Debian's own MPI programs with and without vouch: unchanged output, no false alarm [U48].

The programs are installed by hand (packages.txt); one that is missing is skipped with a line, or fails with --require.
Output is compared line by line, in any order (ranks interleave), after masking what depends on time. A finding must
stand in expected.txt with the reason why it is true.
"""

import argparse
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

from apps import APPS

HERE = pathlib.Path(__file__).resolve().parent


def launch(app, prefix, limit):
    """(exit status, lines of output, seconds); stderr is not compared: launchers talk there."""
    with tempfile.TemporaryDirectory(prefix="apps.") as folder:
        for name, text in app.files.items():
            pathlib.Path(folder, name).write_text(text)
        env = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMP_NUM_THREADS="1",
                   OPENBLAS_NUM_THREADS="1", **app.env)
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
                if (finding["severity"], finding["rule"]) == (severity.rstrip("?"), rule)
                and fnmatch.fnmatch(app.name, name)
                and fnmatch.fnmatch(place.get("function") or "", function)]
        used.update(hits)
        if not hits:
            problems.append(shown)
    problems += [f"expected but absent: {' '.join(row)}" for i, row in enumerate(rows)
                 if fnmatch.fnmatch(app.name, row[0]) and i not in used and not row[1].endswith("?")]
    verdict = "error" if any(rows[i][1].startswith("error") for i in used) else "clean"
    if report["verdict"] != verdict:
        gaps = "; ".join(f"{n.get('what')}: {n.get('reason')}" for n in report.get("not_checked", []))
        problems.append(f"verdict {report['verdict']}" + (f" (not checked: {gaps})" if gaps else ""))
    return problems


def check(app, options):
    """(problems, remark)"""
    bare = {"openmpi": ["mpirun.openmpi", "--oversubscribe"], "mpich": ["mpirun.mpich", "-genv", "LD_PRELOAD", str(options.yielding)]}[app.library]
    bare += ["-n", str(app.ranks)]
    with tempfile.TemporaryDirectory(prefix="apps.") as folder:
        path = pathlib.Path(folder, "report.json")
        watched = [options.vouch, "run", "--json", str(path), "-n", str(app.ranks)]
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
    parser.add_argument("--full", action="store_true", help="all of ScaLAPACK's drivers, not a sample")
    parser.add_argument("--require", action="store_true", help="a missing program is a failure")
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    options.vouch = os.path.abspath(options.vouch) if os.sep in options.vouch else options.vouch
    with tempfile.TemporaryDirectory(prefix="apps.") as folder:
        options.yielding = pathlib.Path(folder, "libyield.so")
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", str(HERE / "yield.c"), "-o", str(options.yielding)], check=True)
        return 1 if check_all(options) else 0


def check_all(options):
    """How many failed."""
    failed = passed = 0
    for app in (a for a in APPS if re.search(options.filter, a.name) and (options.full or a.sample)):
        missing = [p for p in [app.command[0], *app.needs, f"/usr/bin/mpirun.{app.library}"] if not os.path.exists(p)]
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
    return failed


if __name__ == "__main__":
    sys.exit(main())
