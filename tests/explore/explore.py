#!/usr/bin/env python3
"""vouch explore on real programs: exact numbers of schedules, verdicts, limits, going on, Ctrl-C.

    explore.py --vouch PATH --lib openmpi [--all] [--filter REGEX]

The table has the programs of the exploration specification; what stands for itself in the name is its number there.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent


class Case:
    def __init__(self, name, ranks, text, runs, deadlocks=False, options=(), llcp=None, slow=False, verdict=None,
                 rule="deadlock/", exhausted=True, program="listing"):
        self.name, self.ranks, self.text, self.runs, self.slow = name, ranks, text, runs, slow
        self.deadlocks, self.options, self.llcp, self.rule = deadlocks, list(options), llcp, rule
        self.verdict = verdict or ("error" if deadlocks else "clean")
        self.exhausted, self.program = exhausted, program


def phases(senders, rounds, before="", after=""):
    master = " ".join([before] + ["r* " * senders] + [after, "b"]) + " " + " ".join(["r* " * senders + "b"] * (rounds - 1))
    return "|".join([master] + ["s>0 b " * rounds] * senders)


CASES = [
    # Crooked barrier: the assertion fails in one of two.
    Case("t1", 3, "is>1#1 b w#1 | ir*#1 b r* w#1 f2 | b is>1#1 w#1", 2, True, rule="crash/exit"),
    Case("t2", 3, "r<0 r<1 r<2 | s>0 | s>0", 1, True),
    Case("t5", 3, "s>1 | r* r<2 | s>1", 2, True),
    Case("t9", 3, "r* r* | s>0 s>2 | r<1 s>0", 2, verdict="any"),
    Case("t10", 3, "is>2#1 w#1 | is>2#1 w#1 | ir*#1 r* w#1", 2),
    Case("t11", 3, "s>1 | r* r* | s>1", 2),
    Case("t12", 3, "r* s>2 | s>0 s>2 | r* r<0", 2, True, llcp=(1, 2)),
    Case("t13", 4, "s>1 | ir*#1 r* r* w#1 | S>1 s>3 | r<2 s>1", 3, slow=True),
    Case("t14", 3, "ir*:2#1 ir*:3#2 r*:2 r*:3 w#1 w#2 | s>0:2 s>0:3 | s>0:3 s>0:2", 4, verdict="any"),
    Case("t15", 3, "ir*:3#1 ir*:*#2 r*:2 s>2:100 w#1 w#2 r*:3 | s>0:3 s>0:3 s>0:2 | r<0:100 s>0:3", 1, slow=True),
    Case("t17", 3, "r* r* r* r* r* r* | s>0 s>0 s>0 | s>0 s>0 s>0", 20, slow=True),
    Case("t18", 4, phases(3, 1), 6),
    Case("t18k0", 4, phases(3, 2), 7, options=["-k", "0"], verdict="inconclusive", exhausted=False, slow=True),
    Case("t18all", 4, phases(3, 2), 36, slow=True),
    Case("t18marked", 3, phases(2, 2, "pc1", "pc0"), 2, verdict="inconclusive", exhausted=False),
    Case("t19", 4, "5", 54, slow=True, program="matmul"),
    Case("t19small", 3, "2", 2, program="matmul"),
    Case("t20", 6, "r* r* | s>0 | s>0 | r* r* | s>3 | s>3", 4, slow=True),
    Case("t23", 3, "r* s>2:1 r* | s>0 | r<0:1 s>0", 1),
    Case("t24", 3, "ir*#1 s>2:1 r* w#1 | s>0 | r<0:1 s>0", 2, slow=True),
    Case("t25", 3, "ir*#1 ir<2#2 w#1 w#2 | s>0 | s>0", 2, True),
    Case("t25b", 3, "ir*#1 ir*#2 ir<2#3 w#3 w#1 w#2 | s>0 s>0 | s>0 s>0", 4, True, slow=True),
    Case("t26", 3, "pr* pr* | s>0 | s>0", 2, verdict="any"),
    Case("t26three", 4, "pr* pr* pr* | s>0 | s>0 | s>0", 6, slow=True, verdict="any"),
    Case("t27", 3, "r* | s>0 | s>0", 2, verdict="any"),
    Case("t28", 3, "ir*:0#1 r*:* r*:* w#1 | s>0:1 s>0:0 | s>0:0", 3, llcp=(2, 3)),
    Case("t29", 4, "bc0 | r* bc0 r* | bc0 s>1 | s>1 bc0", 2, slow=True, verdict="any"),
    Case("t31", 3, "ir<1#1 ir<2#2 wy#1,2 | s>0 | s>0", 1),
    Case("t32", 4, "bc0 rd0 bc0 rd0 bc0 | bc0 rd0 bc0 rd0 bc0 | bc0 rd0 bc0 rd0 bc0 | bc0 rd0 bc0 rd0 bc0", 1),
] + [Case(f"e15{how}", 3, f"is>2#1 w#1 | is>2#1 w#1 | ir*#1 ir*#2 {how}#1,2", 2, slow=how != "wy")
     for how in ("w", "t", "wa", "wy", "ws")]


class Failure(Exception):
    pass


class Tester:
    def __init__(self, options):
        self.options = options
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="vouch-explore."))
        self.env = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        for program in ("listing", "matmul"):
            subprocess.run([f"mpicc.{options.lib}", "-g", "-O0", "-w", "-o", self.folder / program, HERE / f"{program}.c"],
                           check=True)

    def explore(self, words, limit=300):
        report = self.folder / "report.json"
        report.unlink(missing_ok=True)
        command = [self.options.vouch, "explore", "--json", str(report), *map(str, words)]
        done = subprocess.run(command, cwd=self.folder, env=self.env, capture_output=True, text=True, timeout=limit)
        if not report.exists():
            raise Failure(f"no report, status {done.returncode}: {done.stderr}")
        return json.loads(report.read_text()), done

    def case(self, case):
        program = [self.folder / case.program, case.text]
        report, done = self.explore([*case.options, "-n", case.ranks, *program])
        self.compare(case, report, done, (case.runs, case.runs))
        if case.llcp and self.options.all:
            report, done = self.explore(["--clocks", "llcp", "-n", case.ranks, *program])
            runs = report["exploration"]["schedules"]
            if not case.llcp[0] <= runs <= case.llcp[1]:
                raise Failure(f"llcp: {runs} schedules, not {case.llcp}")

    def compare(self, case, report, done, runs):
        wrong = []
        found = report["exploration"]["schedules"]
        if not runs[0] <= found <= runs[1]:
            wrong.append(f"{found} schedules, not {case.runs}")
        if report["exploration"]["exhausted"] != case.exhausted:
            wrong.append(f"exhausted is {report['exploration']['exhausted']}")
        errors = [f for f in report["findings"] if f["severity"] == "error" and not f.get("potential")]
        hits = [f for f in errors if f["rule"].startswith(case.rule)]
        if bool(hits) != case.deadlocks:
            wrong.append(f"errors {[f['rule'] for f in errors]}")
        if case.verdict != "any" and report["verdict"] != case.verdict:
            gaps = [f"{n['what']}: {n['reason']}" for n in report["not_checked"]]
            wrong.append(f"verdict {report['verdict']}, not {case.verdict} {gaps} {[f['rule'] for f in report['findings']]}")
        if wrong:
            raise Failure("; ".join(wrong) + "\n" + done.stderr)
        # What was found is found again by the command that the report gives.
        if hits and case.runs > 1:
            again = hits[0]["again"].split()
            if again[:2] != ["vouch", "replay"]:
                raise Failure(f"again: {hits[0]['again']}")
            second = self.folder / "again.json"
            command = [self.options.vouch, "replay", again[2], "--json", str(second), "-n", str(case.ranks),
                       str(self.folder / case.program), case.text]
            subprocess.run(command, cwd=self.folder, env=self.env, capture_output=True, timeout=100)
            shown = [f["rule"] for f in json.loads(second.read_text())["findings"]]
            if not any(rule.startswith(case.rule) for rule in shown):
                raise Failure(f"the replay shows {shown}")

    # ---- what is no table ----
    def check_outputs(self):
        """What the program prints depends on a decision, and that is said."""
        report, done = self.explore(["-n", 3, self.folder / "matmul", 2, "print"])
        if "what the program prints depends on which message rank 0 gets at" not in done.stderr:
            raise Failure(done.stderr)

    def check_bug(self):
        report, done = self.explore(["-n", 3, self.folder / "matmul", 2, "bug"])
        rules = [f["rule"] for f in report["findings"] if f["severity"] == "error"]
        if not any(r.startswith("deadlock/") for r in rules) or not report["exploration"]["exhausted"]:
            raise Failure(f"{rules} {done.stderr}")

    def check_resume(self):
        state = self.folder / "state"
        words = ["-n", 4, self.folder / "listing", phases(3, 1)]
        report, done = self.explore(["--state", state, "--max-runs", 2, *words])
        if report["exploration"]["schedules"] != 2 or done.returncode != 61:
            raise Failure(f"limit: {report['exploration']} status {done.returncode}")
        report, done = self.explore(["--resume", state, "--jobs", 2, *words])
        if report["exploration"]["schedules"] != 6 or not report["exploration"]["exhausted"]:
            raise Failure(f"resumed: {report['exploration']}\n{done.stderr}")

    def check_interrupt(self):
        report = self.folder / "interrupted.json"
        process = subprocess.Popen([self.options.vouch, "explore", "--json", str(report), "-n", "4",
                                    str(self.folder / "matmul"), "40"], cwd=self.folder, env=self.env,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)
        time.sleep(4)
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        said = json.loads(report.read_text())
        if process.returncode != 61 or said["exploration"]["exhausted"] or said["exploration"]["schedules"] < 1:
            raise Failure(f"status {process.returncode} {said['exploration']} {errors.decode()}")

    def check_random(self, count=12):
        """Random programs as real ones: as many schedules as all outcomes in memory."""
        lines = subprocess.run([self.options.listings, str(count)], check=True, capture_output=True, text=True).stdout
        for line in lines.splitlines():
            ranks, outcomes, text = line.split(" ", 2)
            report, done = self.explore(["-n", ranks, self.folder / "listing", text])
            if report["exploration"]["schedules"] != int(outcomes) or not report["exploration"]["exhausted"]:
                raise Failure(f"{outcomes} outcomes, {report['exploration']}: {text}\n{done.stderr}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--vouch", required=True)
    parser.add_argument("--listings", help="the program that prints random listings")
    parser.add_argument("--lib", choices=("openmpi", "mpich"), required=True)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--random", type=int, default=0, help="also so many random programs")
    parser.add_argument("--filter", default="")
    options = parser.parse_args()
    tester = Tester(options)
    tests = [(c.name, lambda c=c: tester.case(c)) for c in CASES if options.all or not c.slow]
    tests += [(n[6:], getattr(tester, n)) for n in sorted(dir(tester)) if n.startswith("check_") and n != "check_random"]
    if options.random and options.listings:
        tests.append(("random", lambda: tester.check_random(options.random)))
    failed = 0
    for name, test in tests:
        if not re.search(options.filter, name):
            continue
        begun = time.monotonic()
        try:
            test()
            print(f"ok   {name} ({time.monotonic() - begun:.1f} s)", flush=True)
        except (Failure, subprocess.TimeoutExpired) as error:
            failed += 1
            print(f"FAIL {name}: {error}", flush=True)
    shutil.rmtree(tester.folder, ignore_errors=True)
    print(f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
