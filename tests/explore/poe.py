#!/usr/bin/env python3
"""vouch explore --engine poe on real programs: exact numbers of schedules, with buffered sends and with sends that wait
[E23, E24].

    poe.py --vouch build/bin/vouch --lib mpich [--all] [--listings build/bin/explore_listings --random N]
"""

import sys

from harness import Failure, Harness, parser_of


def phases(senders, rounds):
    master = " ".join(["r*"] * senders + ["b"])
    return " | ".join([" ".join([master] * rounds)] + [" ".join(["s>0 b"] * rounds)] * senders)


T9 = "r* r* | s>0 s>2 | r<1 s>0"
# The run that is stuck never sees whom its pending receives met; the messages of rank 2 are all with them.
PENDING = "is>3#0 ir*#1 w#1 w#0 | | s>3 is>3#1 w#1 s>3 | ir<2#0 ir*#1 ir*#2 w#2 ir<2#4 w#4 is>0#6 w#1 w#6 w#0"
T14 = "ir*:2#1 ir*:3#2 r*:2 r*:3 w#1 w#2 | s>0:2 s>0:3 | s>0:3 s>0:2"
# Name, ranks, program, (schedules, deadlock) with buffered sends, the same with synchronous ones (None: not run), and the first
# schedule where a run that is left to chance may hang in a way that only its decisions explain.
TABLE = [
    ("t1", 3, "is>1#1 b w#1 | ir*#1 b r* w#1 | b is>1#1 w#1", (2, False), None),
    ("t2", 3, "r<0 r<1 r<2 | s>0 | s>0", (1, True), None),
    ("t3", 2, "is>1#1 w#1 ir<1#2 w#2 | is>0#1 w#1 ir<0#2 w#2", (1, False), (1, True)),
    ("t5", 3, "s>1 | r* r<2 | s>1", (2, True), (2, True)),
    ("t9", 3, T9, (2, False), (1, False)),
    ("t10", 3, "is>2#1 w#1 | is>2#1 w#1 | ir*#1 r* w#1", (2, False), (2, False)),
    ("t12", 3, "r* s>2 | s>0 s>2 | r* r<0", (2, True), None),
    ("t13", 4, "s>1 | ir*#1 r* r* w#1 | S>1 s>3 | r<2 s>1", (3, False), None),
    ("t14", 3, T14, (4, None), (3, True), "A0=1,2,2,1"),
    ("t18", 4, phases(3, 2), (36, False), None),
    ("t20", 6, "r* r* | s>0 | s>0 | r* r* | s>3 | s>3", (4, False), (4, False)),
    ("t23", 3, "r* s>2:1 r* | s>0 | r<0:1 s>0", (1, False), (1, False)),
    ("pending", 4, PENDING, (3, True), None, "A3=2x2"),
    ("t28", 3, "ir*:0#1 r*:* r*:* w#1 | s>0:1 s>0:0 | s>0:0", (3, False), None),
]
QUICK = {"t1", "t3", "t5", "t9", "t20", "pending"}


class Tester(Harness):
    def case(self, sends, ranks, text, schedules, deadlock, first=None):
        words = ["--first", first] if first else []
        said, done = self.explore([*words, "--engine", "poe", "--sends", sends, "--jobs", 2, "-n", ranks,
                                   self.folder / "listing", text])
        errors = done.stderr
        found = said["exploration"]["schedules"]
        rules = [f["rule"] for f in said["findings"] if f["severity"] == "error" and not f.get("potential")]
        stuck = any(r.startswith("deadlock/") for r in rules)
        if found != schedules or not said["exploration"]["exhausted"] or (deadlock is not None and stuck != deadlock):
            raise Failure(f"{sends}: {found} schedules, not {schedules}; {rules}\n{errors}")
        return errors

    def row(self, row):
        name, ranks, text, buffered, synchronous = row[:5]
        errors = self.case("buffered", ranks, text, *buffered, *row[5:])
        # The pending receive may take the other message in spite of the barrier.
        if name == "t1" and "keeps no receive from getting another message" not in errors:
            raise Failure(f"nothing is said of the barrier\n{errors}")
        if synchronous is not None:
            self.case("synchronous", ranks, text, *synchronous, *row[5:])

    def check_random(self):
        for line in self.listings(self.options.random):
            ranks, outcomes, text = line.split(" ", 2)
            self.case("buffered", ranks, text, int(outcomes), None)


def main():
    parser = parser_of(__doc__)
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    tester = Tester(options)
    tests = [(row[0], lambda row=row: tester.row(row)) for row in TABLE if options.all or row[0] in QUICK]
    if options.random:
        tests.append(("random", tester.check_random))
    return tester.run(tests)


if __name__ == "__main__":
    sys.exit(main())
