#!/usr/bin/env python3
"""vouch explore on real programs: exact numbers of schedules, verdicts, limits, going on, Ctrl-C.

    explore.py --vouch PATH --lib openmpi [--all] [--filter REGEX]

The table has the programs of docs/spec/exploration.md; the name is their number there. README.md says which clause is
tested where.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

from harness import Failure, Harness, pace, parser_of


class Case:
    """runs: schedules with vector clocks; llcp: with Lamport clocks, where that is another number, or from .. to."""

    def __init__(self, name, ranks, text, runs, deadlocks=False, options=(), llcp=None, slow=False, verdict=None,
                 rule="deadlock/", exhausted=True, program="listing", replays=True):
        self.name, self.ranks, self.text, self.runs, self.slow = name, ranks, text, runs, slow
        self.deadlocks, self.options, self.rule = deadlocks, list(options), rule
        self.llcp = llcp or (runs, runs)
        self.verdict = verdict or ("error" if deadlocks else "clean")
        self.exhausted, self.program, self.replays = exhausted, program, replays


def phases(senders, rounds, before="", after=""):
    master = " ".join([before] + ["r* " * senders] + [after, "b"]) + " " + " ".join(["r* " * senders + "b"] * (rounds - 1))
    return "|".join([master] + ["s>0 b " * rounds] * senders)


def receives(senders, rounds):
    """[T17]: so many receives from anybody, then from each what is left."""
    return "|".join([f"{'r* ' * rounds} rest{senders},{rounds}"] + ["s>0 " * rounds] * senders)


def bounded(name, ranks, text, counts, **more):
    """Mixing bounds 0, 1, ...; the last is that without a bound [E37]."""
    return [Case(f"{name}k{k}", ranks, text, runs, options=["-k", str(k)], slow=True,
                 verdict="any" if runs == counts[-1] else "inconclusive", exhausted=runs == counts[-1], **more)
            for k, runs in enumerate(counts)]


WAITS = ["--outcomes", "waits"]
THIRD = " | s>0 | s>0"

CASES = [
    # Crooked barrier: the assertion fails in one of two [T1, E44]. Deadlocks of some schedules: [T2, T5, T12, E41].
    # Collectives in another order, and sends that must be buffered: [T4, E43].
    Case("t1", 3, "is>1#1 b w#1 | ir*#1 b r* w#1 f2 | b is>1#1 w#1", 2, True, rule="crash/exit"),
    Case("t2", 3, "r<0 r<1 r<2 | s>0 | s>0", 1, True),
    Case("t3", 2, "is>1#1 w#1 ir<1#2 w#2 | is>0#1 w#1 ir<0#2 w#2", 1, verdict="any", slow=True),
    Case("t4", 2, "bc0 b | b bc0", 1, True, rule="collective/", slow=True, exhausted=True),
    Case("t5", 3, "s>1 | r* r<2 | s>1", 2, True),
    # No potential deadlock: if the first send of rank 1 waits, the first receive takes just that message.
    Case("t9", 3, "r* r* | s>0 s>2 | r<1 s>0", 2),
    Case("t9pending", 3, "ir*#1 ir*#2 w#1,2 | s>0 s>2 | r<1 s>0", 2),
    Case("t9anytag", 3, "r*:* r*:* | s>0 s>2 | r<1 s>0", 2),
    Case("t9probe", 3, "pr* pr* | s>0 s>2 | r<1 s>0", 2),
    Case("t9picks", 3, "ir<1#1 ir<2#2 wy#1,2 | s>0 s>2 | r<1 s>0", 2, options=WAITS),
    # Where the second receive names rank 2, rank 1 must not wait in its send: that is one [E43].
    Case("t9named", 3, "r<2 r* | s>0 s>2 | r<1 s>0", 1, verdict="error"),
    Case("t10", 3, "is>2#1 w#1 | is>2#1 w#1 | ir*#1 r* w#1", 2),
    Case("t11", 3, "s>1 | r* r* | s>1", 2),
    Case("t12", 3, "r* s>2 | s>0 s>2 | r* r<0", 2, True, llcp=(1, 2)),
    Case("t13", 4, "s>1 | ir*#1 r* r* w#1 | S>1 s>3 | r<2 s>1", 3, slow=True, llcp=(2, 3)),
    Case("t13b", 5, "s>1 | ir*#1 r*:8 r* r* w#1 | S>1 s>3 | r<2 s>1 | s>1:8", 3, slow=True, llcp=(2, 3)),
    Case("t14", 3, "ir*:2#1 ir*:3#2 r*:2 r*:3 w#1 w#2 | s>0:2 s>0:3 | s>0:3 s>0:2", 4, verdict="any"),
    Case("t15", 3, "ir*:3#1 ir*:*#2 r*:2 s>2:100 w#1 w#2 r*:3 | s>0:3 s>0:3 s>0:2 | r<0:100 s>0:3", 1, slow=True),
    Case("t17", 3, receives(2, 3), 8),
    Case("t17three", 4, receives(3, 3), 27, slow=True),
    *bounded("t17", 3, receives(2, 4), (5, 8, 12, 16)),
    Case("t18", 4, phases(3, 1), 6),
    Case("t18two", 3, phases(2, 2), 4, slow=True),
    *bounded("t18", 4, phases(3, 2), (7, 13, 24, 36)),
    Case("t18all", 4, phases(3, 2), 36, slow=True),
    Case("t18marked", 3, phases(2, 2, "pc1", "pc0"), 2, verdict="inconclusive", exhausted=False),
    Case("t18both", 3, "pc1 " + phases(2, 2), 1, verdict="inconclusive", exhausted=False, slow=True),
    Case("t19", 4, "5", 54, slow=True, program="matmul"),
    *bounded("t19", 4, "5", (8, 18, 36, 54), program="matmul"),
    Case("t19small", 3, "2", 2, program="matmul"),
    Case("t20", 6, "r* r* | s>0 | s>0 | r* r* | s>3 | s>3", 4, slow=True),
    Case("t21", 5, "r*:2 r*:* | s>3:5 | s>3:5 | r*:5 y0,1,1,2 r*:5 | s>0:2", 3, llcp=(2, 3)),
    Case("t22", 3, "r*:5 r*:5 r*:5 r* s>2 r* | s>0:5 s>0:5 s>0:5 s>0 s>2 | ir*#1 r* s>0 w#1", 2, llcp=(1, 2), slow=True),
    Case("t23", 3, "r* s>2:1 r* | s>0 | r<0:1 s>0", 1),
    Case("t24", 3, "ir*#1 s>2:1 r* w#1 | s>0 | r<0:1 s>0", 2, slow=True),
    Case("t25", 3, "ir*#1 ir<2#2 w#1 w#2 | s>0 | s>0", 2, True),
    # If the first run hangs, nobody is told which messages its pending receives took: no schedule repeats it.
    Case("t25b", 3, "ir*#1 ir*#2 ir<2#3 w#3 w#1 w#2 | s>0 s>0 | s>0 s>0", 4, True, slow=True, replays=False),
    Case("t26", 3, "pr* pr*" + THIRD, 2, verdict="any"),
    Case("t26three", 4, "pr* pr* pr* | s>0 | s>0 | s>0", 6, slow=True, verdict="any"),
    Case("t27", 3, "r*" + THIRD, 2, verdict="any"),
    Case("t28", 3, "ir*:0#1 r*:* r*:* w#1 | s>0:1 s>0:0 | s>0:0", 3, llcp=(2, 3)),
    Case("t29", 4, "bc0 | r* bc0 r* | bc0 s>1 | s>1 bc0", 2, slow=True, verdict="any"),
    Case("t30", 4, "rd0 | rd0 s>2 | r* rd0 r* | s>2 rd0", 2, slow=True, verdict="any"),
    # Which request MPI_Waitany finds first is explored where that is wanted.
    Case("t31", 3, "ir<1#1 ir<2#2 wy#1,2" + THIRD, 1, verdict="inconclusive", exhausted=False, options=["--outcomes", "sources"]),
    Case("t31auto", 3, "ir<1#1 ir<2#2 wy#1,2" + THIRD, 2),
    Case("t31waits", 3, "ir<1#1 ir<2#2 wy#1,2" + THIRD, 2, options=WAITS),
    # What moves nothing between two ranks does not order them; with data there is one schedule.
    *[Case(f"empty{name}", 3, f"r* {call} r* | s>0 {call} | {call} s>0", 2)
      for name, call in (("bcast", "ebc0"), ("reduce", "erd2"), ("scan", "esc"), ("allreduce", "ear"))],
    *[Case(f"full{name}", 3, f"r* {call} r* | s>0 {call} | {call} s>0", 1)
      for name, call in (("bcast", "bc0"), ("reduce", "rd2"), ("scan", "sc"), ("allreduce", "ar"))],
    Case("emptypart", 3, "r* av0,1,1 r* | s>0 av0,1,1 | av0,1,1 s>0", 2),
    Case("fullpart", 3, "r* av1,0,0 r* | s>0 av1,0,0 | av1,0,0 s>0", 1),
    Case("t32", 4, "|".join(["bc0 rd0 bc0 rd0 bc0"] * 4), 1),
    # Clauses that are no program of their own there [E8, E11, E15, E16].
    Case("e8", 3, "ipr* ipr*" + THIRD, 2, verdict="any"),
    Case("e8matched", 3, "m* m*" + THIRD, 2, verdict="any", slow=True),
    Case("e11", 3, "ir*#1/1 ir*#2/2 w#1,2 | s>0/1 | s>0/2", 1),
    Case("e16", 3, "s>1 | R*#1 st#1 w#1 st#1 w#1 | s>1", 2),
    *[Case(f"e15{how}", 3, f"is>2#1 w#1 | is>2#1 w#1 | ir*#1 r* {how}#1", 2, slow=how not in ("ty", "ws"))
      for how in ("w", "t", "wa", "ta", "wy", "ty", "ws", "ts")],
    *[Case(f"waits{how}", 3, f"ir*#1 ir*#2 {how}#1,2" + THIRD, runs, options=WAITS, slow=True, verdict="any")
      for how, runs in (("wy", 4), ("ws", 6))],
    Case("waits3", 4, "ir<1#1 ir<2#2 ir<3#3 wy#1,2,3 | s>0 | s>0 | s>0", 6, options=WAITS, slow=True),
    # The second message is sent when the first was taken.
    Case("waitsbehind", 3, "ir<1#1 ir<2#2 wy#1,2 | s>2:1 r<2:2 s>0 | s>0 r<1:1 s>1:2", 2, options=WAITS, slow=True),
]

# Programs that depend on more than the order of messages, and what is said of them [E33].
DIVERGING = {
    "time": "depends on more than the order of messages: operation .* tag=",
    "random": "depends on more than the order of messages: operation .* tag=",
    "tag": r"operation \d+ of rank 0 should be MPI_Recv\(source=any, tag=1\) at .*diverge.c:\d+, but is "
           r"MPI_Recv\(source=any, tag=2\)|should be MPI_Send\(dest=0, tag=1\)",
    "kind": r"should be MPI_Recv\(.*, but is MPI_Irecv",
    "comm": "another communicator",
    "number": "could not be followed|did not follow|depends on more",
    "silent": "could not be followed|depends on more",
    "poll": r"comes after \d+ tests, not \d+|depends on more",
    "threads": r"could not be followed: rank 0, MPI_Recv: .*tag|depends on more than the order of messages",
}


def expand(text):
    """What a schedule decides of receives: {rank: [source]}."""
    ranks = {}
    for part in text[1:].split("/") if len(text) > 1 else []:
        rank, rest = part.split("=", 1)
        sources = []
        for item in filter(None, rest.split(":")[0].split(",")):
            item, _, times = item.partition("x")
            first, _, last = item.split("t")[0].partition("-")
            if last:
                step = 1 if int(last) >= int(first) else -1
                sources += [str(s) for s in range(int(first), int(last) + step, step)]
            else:
                sources += [first] * int(times or 1)
        ranks[int(rank)] = sources
    return ranks


class Tester(Harness):
    PROGRAMS = {
        "listing": ["listing.c"],
        "matmul": ["matmul.c"],
        "diverge": ["diverge.c"],
        "counter": ["counter.c"],
        "cancel": ["cancel.c"],
        "lengths": ["lengths.c"],
        "client": ["pool/client.c", "pool/pool.c"],
    }

    def case(self, case):
        program = [self.folder / case.program, case.text]
        report, done = self.explore([*case.options, "-n", case.ranks, *program])
        self.compare(case, report, done)
        if self.options.all:
            report, done = self.explore(["--clocks", "llcp", *case.options, "-n", case.ranks, *program])
            runs = report["exploration"]["schedules"]
            if not case.llcp[0] <= runs <= case.llcp[1]:
                raise Failure(f"llcp: {runs} schedules, not {case.llcp}")
            if not case.deadlocks and report["verdict"] == "error" and case.verdict != "any":
                raise Failure(f"llcp: {done.stderr}")

    def compare(self, case, report, done):
        wrong = []
        found = report["exploration"]["schedules"]
        if found != case.runs:
            wrong.append(f"{found} schedules, not {case.runs}")
        if case.exhausted is not None and report["exploration"]["exhausted"] != case.exhausted:
            wrong.append(f"exhausted is {report['exploration']['exhausted']}")
        errors = [f for f in report["findings"] if f["severity"] == "error" and not f.get("potential")]
        hits = [f for f in errors if f["rule"].startswith(case.rule)]
        if case.deadlocks is not None and bool(hits) != case.deadlocks:
            wrong.append(f"errors {[f['rule'] for f in errors]}")
        if case.verdict != "any" and report["verdict"] != case.verdict:
            gaps = [f"{n['what']}: {n['reason']}" for n in report["not_checked"]]
            wrong.append(f"verdict {report['verdict']}, not {case.verdict} {gaps} {[f['rule'] for f in report['findings']]}")
        if wrong:
            raise Failure("; ".join(wrong) + "\n" + done.stderr)
        # What was found is found again by the command that the report gives [E36].
        if hits and case.runs > 1 and case.replays:
            again = hits[0]["again"].split()
            if again[:2] != ["vouch", "replay"]:
                raise Failure(f"again: {hits[0]['again']}")
            second = self.folder / "again.json"
            self.vouch(["replay", again[2], "--json", second, "-n", case.ranks, self.folder / case.program, case.text], 100)
            shown = [f["rule"] for f in json.loads(second.read_text())["findings"]]
            if not any(rule.startswith(case.rule) for rule in shown):
                raise Failure(f"the replay shows {shown}")

    # ---- what is no table ----
    def check_outputs(self):
        """What the program prints and sends depends on a decision, and that is said [E50]."""
        _, done = self.explore(["-n", 3, self.folder / "matmul", 3, "print"])
        for what in ("what the program prints", "what ranks 1, 2 send"):
            if f"{what} depends on which message rank 0 gets at matmul.c:26" not in done.stderr:
                raise Failure(done.stderr)

    def check_bug(self):
        report, done = self.explore(["-n", 3, self.folder / "matmul", 2, "bug"])
        rules = [f["rule"] for f in report["findings"] if f["severity"] == "error"]
        if not any(r.startswith("deadlock/") for r in rules) or not report["exploration"]["exhausted"]:
            raise Failure(f"{rules} {done.stderr}")

    def lengths(self, *words, rules=("type/truncation",)):
        """The error of lengths.c, and what the command that its report gives shows."""
        report, done = self.explore(["-n", 3, self.folder / "lengths", *words])
        errors = [f for f in report["findings"] if f["severity"] == "error"]
        if [f["rule"] for f in errors] != list(rules) or not report["exploration"]["exhausted"]:
            raise Failure(f"{[f['rule'] for f in errors]} {done.stderr}")
        again = errors[0]["again"].split()
        second = self.folder / "again.json"
        for _ in range(3):
            self.vouch([*again[1:3], "--json", second, *again[3:]], 100)
            shown = [f["rule"] for f in json.loads(second.read_text())["findings"] if f["severity"] == "error"]
            if errors[0]["rule"] not in shown:
                raise Failure(f"{errors[0]['again']} shows {shown}")
        return errors[0]

    def check_lengths(self):
        """A message that is too long is explained, with its sender; another one is what could also be taken."""
        for words in ([], ["late"], ["wait"], ["probe"]):
            error = self.lengths(*words)
            roles = {l.get("role", ""): l["rank"] for l in error["locations"]}
            # Where the probe decides, the error does not happen if that sees rank 2's.
            others = (1, 2) if words == ["probe"] else (1,)
            if roles.get("sent here") != 2 or roles.get("could also be taken", 1) not in others:
                raise Failure(f"{words}: {roles}")

    def check_launcher(self):
        """A launcher that crashes is not the program: the schedule is run again; if it always does, that is said."""
        if self.options.lib != "openmpi":
            return
        fake = self.folder / "bin" / "mpirun.openmpi"
        fake.parent.mkdir()
        real = shutil.which("mpirun.openmpi") or shutil.which("mpirun")
        env = dict(self.env)
        self.env["PATH"] = f"{fake.parent}:{self.env['PATH']}"
        words = ["-n", 3, self.folder / "listing", "r* r*" + THIRD]
        for crashes, verdict in ((2, "clean"), (9, "inconclusive")):
            marks = self.folder / f"marks{crashes}"
            # The first call is a good one.
            fake.write_text(f'#!/bin/bash\necho >> {marks}\nn=$(wc -l < {marks})\n'
                            f'[ $n -gt 1 ] && [ $n -le {1 + crashes} ] && kill -SEGV $$\nexec {real} "$@"\n')
            fake.chmod(0o755)
            try:
                report, done = self.explore(words)
            finally:
                self.env = env if crashes == 9 else self.env
            if report["verdict"] != verdict or (verdict == "inconclusive") != ("was killed by SIGSEGV, 3 times" in done.stderr):
                raise Failure(f"{crashes}: {report['verdict']} {done.stderr}")

    def check_resume(self):
        state = self.folder / "state"
        words = ["-n", 4, self.folder / "listing", phases(3, 1)]
        report, done = self.explore(["--state", state, "--max-runs", 2, *words])
        if report["exploration"]["schedules"] != 2 or done.returncode != 61:
            raise Failure(f"limit: {report['exploration']} status {done.returncode}")
        report, done = self.explore(["--resume", state, "--jobs", 2, *words])
        if report["exploration"]["schedules"] != 6 or not report["exploration"]["exhausted"]:
            raise Failure(f"resumed: {report['exploration']}\n{done.stderr}")

    def check_interrupt(self):  # [E39]
        report = self.folder / "interrupted.json"
        process = subprocess.Popen([self.options.vouch, "explore", "--json", str(report), "-n", "4",
                                    str(self.folder / "matmul"), "40"], cwd=self.folder, env=self.env,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)
        time.sleep(pace.limit(4))
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=pace.limit(60))
        said = json.loads(report.read_text())
        if process.returncode != 61 or said["exploration"]["exhausted"] or said["exploration"]["schedules"] < 1:
            raise Failure(f"status {process.returncode} {said['exploration']} {errors.decode()}")

    def check_cancel(self):
        report, done = self.explore(["-n", 3, self.folder / "cancel"])
        if report["exploration"]["schedules"] != 3 or not report["exploration"]["exhausted"]:
            raise Failure(done.stderr)
        if not any(f["rule"].startswith("deadlock/") for f in report["findings"]):
            raise Failure(f"two messages of rank 1 are no deadlock\n{done.stderr}")
        if not any(gap["what"] == "MPI_Cancel" for gap in report["not_checked"]):
            raise Failure(f"nothing is said of MPI_Cancel\n{done.stderr}")

    def check_launcher_text(self):
        """What the launcher says of a run that hung is nothing that the program prints."""
        for text in ("s>1 | r* r<2 | s>1", "is>1#1 b w#1 | ir*#1 b r* w#1 f2 | b is>1#1 w#1"):
            report, done = self.explore(["--info", "-n", 3, self.folder / "listing", text])
            if report["verdict"] != "error" or "what the program prints" in done.stderr:
                raise Failure(done.stderr)
            errors = [f for f in report["findings"] if f["severity"] == "error"]
            if len(errors) != 1 or not any(place.get("role", "").startswith("decides") for place in errors[0]["locations"]):
                raise Failure(done.stderr)

    def check_timeout(self):
        """A run that is under way when the time is over is ended, and the report comes then."""
        begun = time.time()
        # In one word the harness leaves it alone: it is the time itself that is looked at.
        report, done = self.explore(["--timeout=2s", "--mpi", self.options.lib, "-n", 2, "sleep", 1000])
        took = (self.folder / "report.json").stat().st_mtime - begun
        if took > pace.limit(15) or report["verdict"] != "inconclusive":
            raise Failure(f"{took:.0f} s, {report['verdict']}\n{done.stderr}")

    def check_wrapper(self):
        """[T33]: a tool above ours counts the program's calls and none of ours."""
        report, done = self.explore(["-n", 3, self.folder / "counter"])
        if report["exploration"]["schedules"] != 2 or sorted(done.stdout.split("\n")) != ["", "rank 1 sent 1", "rank 2 sent 1"]:
            raise Failure(f"{report['exploration']} {done.stdout}")

    def check_steady(self):
        """[E40]: what MPI_Waitany found is found again, however often."""
        text = "ir<1#1 ir<2#2 wy#1,2" + THIRD
        for order in ("0,1", "1,0"):
            for _ in range(50 if self.options.all else 3):
                report = self.folder / "steady.json"
                self.vouch(["replay", f"A0=:{order}", "--json", report, "-n", 3, self.folder / "listing", text], 100)
                said = json.loads(report.read_text())
                if said["verdict"] != "clean" or said["schedule"] != f"A0=:{order}":
                    raise Failure(f"{order}: {said['verdict']} {said['schedule']}")

    def diverging(self, mode):
        counter = self.folder / "counter"
        counter.unlink(missing_ok=True)
        begun = time.monotonic()
        report, done = self.explore(["--max-runs", 6, "--order", "depth", "--run-timeout", "60s", "-n", 4,
                                     self.folder / "diverge", mode, counter], 200)
        reasons = [f"{n['what']}: {n['reason']}" for n in report["not_checked"]]
        errors = [f["rule"] for f in report["findings"] if f["severity"] == "error"]
        if report["verdict"] != "inconclusive" or done.returncode != 61 or errors:
            raise Failure(f"verdict {report['verdict']} {errors} {reasons}\n{done.stderr}")
        if not any(re.search(DIVERGING[mode], r) for r in reasons):
            raise Failure(f"{reasons}")
        if time.monotonic() - begun > pace.limit(50) or any("time limit" in r for r in reasons):
            raise Failure(f"it hung: {reasons}")

    def pool(self, bug, rule, words):
        """A library that shares work by wildcards, probes and loops of tests."""
        report, done = self.explore([*words, "--run-timeout", "60s", "-n", 8, self.folder / "client", 2, 2, 2, bug], 1500)
        errors = [f["rule"] for f in report["findings"] if f["severity"] != "info" and not f.get("potential")]
        left = [n["reason"] for n in report["not_checked"] if "follow" in n["reason"] or "depends" in n["reason"]]
        if left:
            raise Failure(f"{left}\n{done.stderr}")
        if rule is None and errors or rule and not any(re.match(rule, e) for e in errors):
            raise Failure(f"{report['exploration']} {errors}\n{done.stderr}")
        print(f"     {report['exploration']}")

    @staticmethod
    def stuck(summary):
        return any(f["rule"].startswith("deadlock/") and f["severity"] == "error" and not f.get("potential")
                   for f in summary["findings"]) or any("time limit" in n["reason"] for n in summary["not_checked"])

    def random(self, count):
        """Random programs as real ones: each outcome that there is in memory, once, and no other [E49]."""
        state = self.folder / "random"
        for line in self.listings("--outcomes", count):
            ranks, outcomes, ending, text = line.split(" ", 3)
            report, done = self.explore(["--run-timeout", "20s", "--state", state, "-n", ranks, self.folder / "listing", text])
            if report["exploration"]["schedules"] != int(outcomes) or not report["exploration"]["exhausted"]:
                raise Failure(f"{outcomes} outcomes, {report['exploration']}: {text}\n{done.stderr}")
            if "p*" in text:
                continue
            runs = [json.loads(run) for run in state.read_text().splitlines()[1:]]
            taken = [expand(run["schedule"]) for run in runs if not self.stuck(json.loads(run["summary"]))]
            found = sorted("/".join(".".join(sources.get(r, [])) for r in range(int(ranks))) for sources in taken)
            if found != sorted(ending.split(",") if ending != "-" else []):
                raise Failure(f"{found}, not {ending}: {text}")


def main():
    parser = parser_of(__doc__)
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    tester = Tester(options)
    tests = [(c.name, lambda c=c: tester.case(c)) for c in CASES if options.all or not c.slow]
    tests += [(n[6:], getattr(tester, n)) for n in sorted(dir(tester)) if n.startswith("check_")]
    for mode in DIVERGING:
        if options.all or mode in ("time", "tag", "silent"):
            tests.append((f"diverge-{mode}", lambda mode=mode: tester.diverging(mode)))
    # Bounds, and the planted errors: what shows them, within so many runs [E41, E42].
    bounds = ["-k", "1", "--loops", "4"] if options.all else ["-k", "0", "--loops", "1"]
    pools = [("pool-bounded", "none", None, [*bounds, "--max-runs", 60 if options.all else 3]),
             ("pool-forgotten", "forgotten", "leak/request", ["--first-error", "--max-runs", 20]),
             ("pool-twice", "twice", "race/message-harmful", ["--first-error", "--max-runs", 60])]
    if options.all:
        pools += [("pool", "none", None, ["--max-runs", 300]),
                  ("pool-wake", "wake", "deadlock/", ["--first-error", "--max-runs", 600])]
    tests += [(name, lambda rest=rest: tester.pool(*rest)) for name, *rest in pools]
    if options.random and options.listings:
        tests.append(("random", lambda: tester.random(options.random)))
    return tester.run(tests)


if __name__ == "__main__":
    sys.exit(main())
