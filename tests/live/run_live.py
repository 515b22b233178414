#!/usr/bin/env python3
"""Runs `vouch predict` on real programs, with both MPI libraries, and compares with what each program says at its top:

    // predict: -n 3                          words of the command
    // finds: deadlock/ shown                 an error of this rule (or family), not a potential one: the run itself or a replay has shown it
    // finds: race/|type/truncation shown     either of them
    // silent: in every schedule              no finding says so
    // refuted: deadlock/                     predicted, but a replay did not show it
    // verdict: error                         of the report

A deadlock or a broken assertion that is only potential is a failure, unless `finds: RULE potential` expects it.
"""

import argparse
import collections
import json
import pathlib
import re
import shlex
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import run_litmus  # noqa: E402

HEADER = re.compile(r"^(?://|!)\s*(predict|finds|silent|refuted|verdict|flags):\s*(.*?)\s*$")
JUDGED = ("deadlock/", "assertion/")
EXIT = {"clean": 0, "error": 60, "inconclusive": 61}


class Live:
    def __init__(self, path):
        self.path, self.source = path, path.read_text()
        self.headers = collections.defaultdict(list)
        for line in self.source.splitlines():
            if header := HEADER.match(line):
                self.headers[header.group(1)].append(header.group(2))


def differences(live, report, status):
    found = []
    errors = [f for f in report["findings"] if f["severity"] == "error"]
    judged = [f for f in errors if f["rule"].startswith(JUDGED)]
    for text in live.headers["finds"]:
        rule, how = text.split()
        fits = [f for f in errors if f["rule"].startswith(tuple(rule.split("|"))) and f["potential"] == (how == "potential")]
        if not fits:
            found.append(f"missing: {text}")
        if len(fits) != len({(f["rule"], json.dumps(f["locations"][:1])) for f in fits}):
            found.append(f"more than once: {text}")
        judged = [f for f in judged if f not in fits]
    found += [f"not expected: {f['rule']}: {f['message']}" for f in judged]
    for words in live.headers["silent"]:
        found += [f"says: {f['message']}" for f in report["findings"] if words in f["message"]]
    for rule in live.headers["refuted"]:
        if not any(f["rule"].startswith(rule) and f["severity"] == "info" and "did not show it" in f["message"] for f in report["findings"]):
            found.append(f"not refuted: {rule}")
    verdict = live.headers["verdict"][0]
    if report["verdict"] != verdict:
        gaps = "; ".join(f"{n['what']}: {n['reason']}" for n in report["not_checked"])
        found.append(f"verdict {report['verdict']}, not {verdict} {gaps}")
    if status != EXIT[verdict]:
        found.append(f"exit status {status}")
    for finding in report["findings"]:
        if finding["rule"].startswith(JUDGED) and "schedule" in finding["message"] and "vouch replay " not in finding["again"]:
            found.append(f"no replay to see it again: {finding['again']}")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--vouch", required=True)
    parser.add_argument("--build-dir", type=pathlib.Path, required=True)
    parser.add_argument("--filter", default="")
    parser.add_argument("--lib", choices=run_litmus.LIBRARIES, action="append")
    parser.add_argument("--limit", type=float, default=120)
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    builder = run_litmus.Builder(options.build_dir)
    failed = passed = 0
    for path in sorted(p for p in HERE.iterdir() if p.suffix in run_litmus.COMPILERS and p.suffix != ".py"):
        if not re.search(options.filter, path.stem):
            continue
        live = Live(path)
        for library in options.lib or run_litmus.LIBRARIES:
            start = builder.build(live, library)
            with tempfile.TemporaryDirectory(prefix="live.") as directory:
                report = pathlib.Path(directory, "report.json")
                words = [options.vouch, "predict", "--json", str(report), *shlex.split(live.headers["predict"][0]), *start]
                status, output, left = run_litmus.run(words, run_litmus.pace.limit(options.limit), directory)
                if status is None or not report.exists():
                    wrong = [f"no report, status {status}: {output[-400:]}"]
                else:
                    wrong = differences(live, json.loads(report.read_text()), status)
                wrong += [f"processes left behind: {left}"] if left else []
            if options.verbose:
                print(output)
            if wrong:
                failed += 1
                print(f"FAILED {path.stem} {library}: " + "; ".join(wrong) + f"\n  {shlex.join(words)}")
            else:
                passed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
