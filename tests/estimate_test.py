#!/usr/bin/env python3
"""tools/estimate.py: what it makes of ctest's listing and of the times it has kept."""

import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
import estimate  # noqa: E402

LISTING = """Test project /x
  Test   #1: unit.base
  Test #103: litmus.runner

Total Tests: 2
"""


class Estimate(unittest.TestCase):
    def test_reading(self):
        self.assertEqual(estimate.names(LISTING), ["unit.base", "litmus.runner"])
        self.assertEqual(estimate.read_costs("unit.base 3 1.5\nnever.run 0 0\n---\nunit.net\n"), {"unit.base": 1.5})

    def test_shared_by_jobs_but_no_shorter_than_the_longest(self):
        for costs, words in (([30, 30, 30, 30], "about 60 s "), ([80, 10, 10, 10], "about 80 s "), ([600] * 4, "about 20 minutes ")):
            tests = [f"t{i}" for i in range(len(costs))]
            self.assertIn(words, estimate.sentence(tests, dict(zip(tests, costs)), 2))

    def test_nothing_is_said_where_too_little_is_known(self):
        self.assertEqual(estimate.sentence(["a", "b", "c"], {"a": 5}, 2), "3 tests")


if __name__ == "__main__":
    unittest.main()
