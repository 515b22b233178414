#!/usr/bin/env python3
"""vouch explore --clocks-in-band: what messages carry is what records tell, and the program does not notice.

    piggyback.py --vouch PATH --lib openmpi [--all] [--random N] [--filter REGEX]

The programs of explore.py with clocks in their messages: the same schedules, and no difference between the two clocks. Exact
clocks [E17]. carried.c: calls whose results must be the library's own.
"""

import re
import subprocess
import sys

import explore
from harness import Failure, pace, parser_of

IN_BAND = ["--clocks-in-band"]
EQUAL = re.compile(r"clocks in messages: (\d+) runs? compared with the records' clocks, (\d+) events?, (\d+) alternatives?: all equal")
SAMPLE = ("t1", "t10", "t14", "t17", "t26", "t28", "e16", "e15ws")

# What the carried clocks tell of the first run, by rank and event: (clock, clock of its message).
CLOCKS = {
    # Two sends; the sender's clock is raised between them by a receive from itself. Waited for in either order [T16a, T16b].
    "t16a": (2, "ir*#1 ir*#2 w#1 w#2 | is>0#1 is>1:9#3 r*:9 w#3 is>0#2 w#1 w#2",
             {(0, 0): (0, 0), (0, 1): (1, 1), (1, 0): (0, 0)}),
    "t16b": (2, "ir*#1 ir*#2 w#2 w#1 | is>0#1 is>1:9#3 r*:9 w#3 is>0#2 w#1 w#2",
             {(0, 0): (0, 0), (0, 1): (1, 1), (1, 0): (0, 0)}),
    # A pending receive does not raise the clock at a barrier.
    "t1": (3, "is>1#1 b w#1 | ir*#1 b r* w#1 | b is>1#1 w#1", {(1, 0): (0, 0), (1, 1): (1, 0)}),
    "t10": (3, "is>2#1 w#1 | is>2#1 w#1 | ir*#1 r* w#1", {(2, 0): (0, 0), (2, 1): (1, 0)}),
    "t14": (3, "ir*:2#1 ir*:3#2 r*:2 r*:3 w#1 w#2 | s>0:2 s>0:3 | s>0:3 s>0:2",
            {(0, 0): (0, 0), (0, 1): (2, 0), (0, 2): (1, 0), (0, 3): (3, 0)}),
    # Persistent receives are events at each start.
    "e16": (3, "s>1 | R*#1 st#1 w#1 st#1 w#1 | s>1", {(1, 0): (0, 0), (1, 1): (1, 0)}),
    # Along the data: from the root, to the root, to those behind, to all. Rank 1 has raised its clock by two.
    "bcast": (3, "bc1 r* | is>1#1 r* w#1 is>1#1 r* w#1 bc1 s>0 | bc1", {(0, 0): (2, 2), (1, 0): (0, 0), (1, 1): (1, 1)}),
    "bcast-against": (3, "bc0 r* | is>1#1 r* w#1 bc0 | bc0 s>0", {(0, 0): (0, 0)}),
    "reduce": (3, "rd0 r* | is>1#1 r* w#1 rd0 | rd0 s>0", {(0, 0): (1, 0)}),
    "reduce-against": (3, "rd1 r* | is>1#1 r* w#1 rd1 | rd1 s>0", {(0, 0): (0, 0)}),
    "scan": (3, "sc r* | is>1#1 r* w#1 sc | sc s>0", {(0, 0): (1, 1)}),
    "scan-against": (3, "sc r* | is>1#1 r* w#1 sc s>0:1 | sc s>0", {(0, 0): (1, 1)}),
    "allreduce": (3, "ar r* | is>1#1 r* w#1 ar | ar s>0", {(0, 0): (1, 1)}),
    # Nothing is told where nothing moves.
    "bcast-empty": (3, "ebc1 r* | is>1#1 r* w#1 ebc1 | ebc1 s>0", {(0, 0): (0, 0)}),
    "reduce-empty": (3, "erd0 r* | is>1#1 r* w#1 erd0 | erd0 s>0", {(0, 0): (0, 0)}),
    "scan-empty": (3, "esc r* | is>1#1 r* w#1 esc | esc s>0", {(0, 0): (0, 0)}),
    "allreduce-empty": (3, "ear r* | is>1#1 r* w#1 ear | ear s>0", {(0, 0): (0, 0)}),
    "part-empty": (3, "av1,0,1 r* | is>1#1 r* w#1 av1,0,1 | av1,0,1 s>0", {(0, 0): (0, 0)}),
}

# Programs of carried.c: lengths [E18], probes [E19], all others [E20, E22].
PARTS = {
    "lengths": "error", "probes": "inconclusive", "modes": "clean", "places": "clean", "exchanges": "any",
    "requests": "any", "together": "clean", "elsewhere": "inconclusive",
}


class Tester(explore.Tester):
    PROGRAMS = {"listing": ["listing.c"], "matmul": ["matmul.c"], "carried": ["carried.c"],
                "client": ["pool/client.c", "pool/pool.c"]}

    def explore(self, words, limit=300):
        report, done = super().explore([*IN_BAND, *words], limit)
        if "internal error" in done.stderr or done.returncode == 70:
            raise Failure(done.stderr)
        return report, done

    def case(self, case):
        words = [*case.options, "-n", case.ranks, self.folder / case.program, case.text]
        report, done = self.explore(words)
        if case.deadlocks is None:
            case.rule = ""  # which error a replay shows is up to chance
        self.compare(case, report, done)
        equal = EQUAL.search(done.stderr)
        if not equal and "m*" not in case.text:
            raise Failure(f"not compared: {done.stderr}")
        if equal and int(equal.group(1)) != report["exploration"]["schedules"]:
            raise Failure(f"{equal.group(0)} of {report['exploration']}")
        if equal:
            report, done = self.explore(["--clocks", "llcp", *words])
            if not EQUAL.search(done.stderr) or not case.llcp[0] <= report["exploration"]["schedules"] <= case.llcp[1]:
                raise Failure(f"llcp: {done.stderr}")

    def clocks(self, ranks, text, expected):
        """Exact clocks of the first run [E17]."""
        file = self.folder / "clocks"
        self.explore(["--clocks", "llcp", "--max-runs", 1, "--clocks-file", file, "-n", ranks, self.folder / "listing", text])
        found = {}
        for line in file.read_text().splitlines():
            words = line.split()
            found[int(words[3]), int(words[5])] = int(words[10]), int(words[12])
        if not expected.items() <= found.items():
            raise Failure(f"{found}, not {expected}: {text}")

    def part(self, name, verdict):
        """The program's output and status are those of the library alone."""
        launcher = [f"mpirun.{self.options.lib}", *(["--oversubscribe"] if self.options.lib == "openmpi" else [])]
        alone = subprocess.run([*launcher, "-n", "2", self.folder / "carried", name], cwd=self.folder, env=self.env,
                               capture_output=True, text=True, timeout=pace.limit(100))
        report, done = self.explore(["--max-runs", 1, "-n", 2, self.folder / "carried", name])
        # MPICH forgets the type of a receive that was cancelled, if it is no named one, and says so.
        said = "".join(line for line in done.stdout.splitlines(True) if "yaksa" not in line)
        if not alone.stdout or alone.stdout != said:
            raise Failure(f"without clocks:\n{alone.stdout}with clocks:\n{done.stdout}{done.stderr}")
        if verdict != "any" and report["verdict"] != verdict:
            raise Failure(f"{report['verdict']}, not {verdict}: {done.stderr}")
        # What carries the clocks is nobody's leak.
        if any(f["rule"].startswith("leak/") for f in report["findings"]):
            raise Failure(done.stderr)

    def check_mismatch(self):
        """Ranks that do not carry the same clocks are told so; the job ends [E21]."""
        script = self.folder / "other.sh"
        rank = "OMPI_COMM_WORLD_RANK" if self.options.lib == "openmpi" else "PMI_RANK"
        script.write_text(f'#!/bin/sh\n[ "${rank}" = 1 ] && export VOUCH_IN_BAND="llcp:${{VOUCH_IN_BAND#*:}}"\n'
                          f'exec {self.folder / "listing"} "s>1 | r*"\n')
        script.chmod(0o755)
        done = self.vouch(["explore", *IN_BAND, "--run-timeout", "20s", "--mpi", self.options.lib, "-n", 2, script], 100)
        if "do not carry the same clocks" not in done.stdout + done.stderr or done.returncode == 0:
            raise Failure(f"status {done.returncode}: {done.stdout}{done.stderr}")

    def check_synchronous(self):
        """A synchronous send brings no clock back: what is thought possible because of that is counted, not run."""
        case = next(c for c in explore.CASES if c.name == "t13")
        _, done = self.explore(["-n", case.ranks, self.folder / "listing", case.text])
        if not EQUAL.search(done.stderr) or "of probes and synchronous sends they know less" not in done.stderr:
            raise Failure(done.stderr)

    def check_options(self):
        for words in (["--clocks-in-band", "--prove"], ["--clocks-file", "x"]):
            done = self.vouch(["explore", *words, "-n", 2, self.folder / "listing", "s>1 | r*"])
            if done.returncode != 64:
                raise Failure(f"{words}: {done.returncode} {done.stderr}")

    def random(self, count):
        for line in self.listings("--outcomes", count):
            ranks, outcomes, _, text = line.split(" ", 3)
            for clocks in ("lvcp", "llcp"):
                words = ["--clocks", clocks, "--run-timeout", "20s", "-n", ranks, self.folder / "listing", text]
                report, done = self.explore(words)
                runs = report["exploration"]["schedules"]
                if runs > int(outcomes) or clocks == "lvcp" and runs < int(outcomes) or not EQUAL.search(done.stderr):
                    raise Failure(f"{clocks}: {outcomes} outcomes, {report['exploration']}: {text}\n{done.stderr}")


# Those of the table are run by explore.py.
for name in [n for n in dir(explore.Tester) if n.startswith("check_") and n not in vars(Tester)]:
    setattr(Tester, name, None)


def main():
    parser = parser_of(__doc__)
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    tester = Tester(options)
    tests = [(f"clocks-{n}", lambda c=c: tester.clocks(*c)) for n, c in CLOCKS.items()]
    tests += [(f"part-{n}", lambda n=n, v=v: tester.part(n, v)) for n, v in PARTS.items()]
    # The collective that carries the clocks waits where one that moves nothing need not.
    tests += [(c.name, lambda c=c: tester.case(c)) for c in explore.CASES
              if (options.all or c.name in SAMPLE) and not c.name.startswith("empty")]
    tests += [(n[6:], getattr(tester, n)) for n in sorted(vars(Tester)) if n.startswith("check_") and getattr(tester, n)]
    if options.all:
        tests.append(("pool", lambda: tester.pool("none", None, ["-k", "0", "--loops", "1", "--max-runs", 10])))
    if options.random and options.listings:
        tests.append(("random", lambda: tester.random(options.random)))
    return tester.run(tests)


if __name__ == "__main__":
    sys.exit(main())
