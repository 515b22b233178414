#!/usr/bin/env python3
"""vouch explore --prove on real programs: what is run and what is proved are together all schedules, and nothing is missed.

    prove.py --vouch build/bin/vouch --lib mpich [--listings build/bin/explore_listings --random N] [--large]
"""

import math
import sys
import time

from harness import Failure, Harness, pace, parser_of

# Words of integrate.c: how many of the 3! schedules of 4 ranks are proved at least, and the rule of an error.
WORDS = {
    "": (5, None),
    "again": (35, None),
    "print": (0, None),
    "odd": (1, "race/message-harmful"),
    "first": (1, None),
    "claim": (1, "assertion"),
    "leak": (1, "leak/"),
    "lose": (0, "unmatched/"),
}
# Programs of listing.c: ranks, schedules, at least so many of them proved, options. Where a send must be buffered, nothing is proved
# unless sends count as they were run.
AS_RUN = ("--buffering", "as-run")
LISTINGS = [
    (4, "r* r* r* | s>0 | s>0 | s>0", 6, 5),
    (4, "ir*#1 ir*#2 ir*#3 wa#1,2,3 | s>0 | s>0 | s>0", 6, 5),
    (3, "ir*#1 ir<2#2 w#1 w#2 | s>0 | s>0", 2, 0),  # a deadlock in one of them
    (4, "r*:1 s>1:5 r*:1 r*:1 | s>0:1 r<0:5 | s>0:1 | s>0:1", 6, 5, *AS_RUN),
    (4, "r*:1 s>1:5 r*:1 r*:1 | s>0:1 r<0:5 | s>0:1 | s>0:1", 6, 0),
    (4, "r* s>1:5 r* r* r* | s>0 r<0:5 s>0 | s>0 | s>0", 12, 1, *AS_RUN),
    (3, "r* r* r* r* | s>0 s>0 | s>0 s>0", 6, 1),
    (4, "r* b r* r* | s>0 b | b s>0 | b s>0", 2, 0),
]


class Tester(Harness):
    PROGRAMS = {"listing": ["listing.c"], "integrate": ["integrate.c"]}

    def prove(self, *words, limit=300):
        said, done = self.explore(["--prove", *words], limit)
        return said, said["exploration"]["schedules"], said["statistics"]["schedules proved"], done.stderr

    def expect(self, found, schedules, least):
        said, run, proved, text = found
        if run + proved != schedules or proved < least or not said["exploration"]["exhausted"]:
            raise Failure(f"{run} run and {proved} proved, not {schedules}, {least} of them proved: {said['exploration']}\n{text}")
        return said

    def word(self, word):
        least, rule = WORDS[word]
        said = self.expect(self.prove("-n", 4, self.folder / "integrate", *word.split()), 36 if word == "again" else 6, least)
        rules = [f["rule"] for f in said["findings"] if f["severity"] == "error"]
        if (rule is None) != (not rules) or (rule and not any(rule in r for r in rules)):
            raise Failure(f"errors {rules}")

    def listing(self, ranks, text, schedules, least, *options):
        self.expect(self.prove(*options, "-n", ranks, self.folder / "listing", text), schedules, least)

    def check_resume(self):
        """What was proved is in the state file."""
        state = self.folder / "state"
        words = ["-n", 4, self.folder / "integrate", "odd"]
        _, run, _, _ = self.prove("--state", state, "--max-runs", 2, *words)
        if run != 2:
            raise Failure(f"{run} schedules with --max-runs 2")
        self.expect(self.prove("--resume", state, *words), 6, 1)

    def check_large(self):
        """5,040 schedules."""
        begun = time.monotonic()
        self.expect(self.prove("-n", 8, self.folder / "integrate", limit=600), math.factorial(7), 5000)
        if time.monotonic() - begun > pace.limit(600):
            raise Failure("more than ten minutes")

    def check_random(self):
        lines = self.listings(self.options.random)
        proved = 0
        for line in lines:
            ranks, outcomes, text = line.split(" ", 2)
            found = self.prove("-n", ranks, self.folder / "listing", text)
            proved += found[2]
            self.expect(found, int(outcomes), 0)
        print(f"  {proved} proved in {len(lines)} programs")


def main():
    parser = parser_of(__doc__)
    parser.add_argument("--large", action="store_true")
    options = parser.parse_args()
    tester = Tester(options)
    tests = [(f"integrate {w}".strip(), lambda w=w: tester.word(w)) for w in WORDS]
    tests += [(f"listing {t[1]}", lambda t=t: tester.listing(*t)) for t in LISTINGS]
    tests.append(("resume", tester.check_resume))
    if options.large:
        tests.append(("large", tester.check_large))
    if options.random:
        tests.append(("random", tester.check_random))
    return tester.run(tests)


if __name__ == "__main__":
    sys.exit(main())
