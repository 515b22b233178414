#!/usr/bin/env python3
"""tools/check_deps.py on small trees: what it names."""

import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tools"))
import check_deps  # noqa: E402


class CheckDeps(unittest.TestCase):
    def problems(self, **files):
        """Of a tree with these files: a__b_h is a/b.h."""
        with tempfile.TemporaryDirectory() as directory:
            src = pathlib.Path(directory)
            for name, text in files.items():
                file = src / (name.replace("__", "/").replace("_h", ".h").replace("_cc", ".cc").replace("deps", "deps.txt"))
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
            return (list(check_deps.violations(src)) + list(check_deps.families(src)) + check_deps.cycles(src)
                    + list(check_deps.pumps(src)))

    def test_what_is_allowed(self):
        self.assertEqual(self.problems(base__deps="", base__x_h="", net__deps="base\n", net__y_cc='#include "base/x.h"\n'), [])

    def test_include_that_is_not_named(self):
        self.assertEqual(self.problems(base__deps="", base__x_h="", net__deps="", net__y_cc='\n#include "base/x.h"\n'),
                         ["net/y.cc:2: includes base/, which deps.txt does not name"])

    def test_name_that_nothing_needs(self):
        self.assertEqual(self.problems(base__deps="", net__deps="base\n"), ["net: deps.txt names base, which nothing includes"])

    def test_cycle(self):
        found = self.problems(a__deps="b\n", a__x_h='#include "b/y.h"\n', b__deps="a\n", b__y_h='#include "a/x.h"\n')
        self.assertEqual(found, ["a -> b -> a: folders include each other"])

    def test_family_that_includes_another(self):
        found = self.problems(analysis__deps="", analysis__type__t_h="", analysis__race__r_cc='#include "analysis/type/t.h"\n')
        self.assertEqual(found, ["analysis/race/r.cc:1: includes the family analysis/type/"])

    def test_what_families_share_includes_none_of_them(self):
        found = self.problems(analysis__deps="", analysis__type__t_h="", analysis__all_h='#include "analysis/type/t.h"\n')
        self.assertEqual(found, ["analysis/all.h:1: includes the family analysis/type/"])

    def test_includes_of_a_family(self):
        self.assertEqual(self.problems(
            analysis__deps="", analysis__all_h="", analysis__type__t_h='#include "analysis/all.h"\n',
            analysis__type__u_cc='#include "analysis/type/t.h"\n', analysis__registry_cc='#include "analysis/type/t.h"\n',
            analysis__race__r_test_cc='#include "analysis/type/t.h"\n'), [])

    def test_pump(self):
        found = self.problems(wait__deps="net\n", wait__x_cc='#include "net/mesh.h"\nvoid f() { mesh.pump(); }\n', net__deps="",
                              net__mesh_h="")
        self.assertEqual(found, ["wait: its includes reach net/, from where the mesh can be pumped",
                                 "wait/x.cc:2: pumps the mesh, which only the agent's loop may (MeshRole::talk_for)"])


if __name__ == "__main__":
    unittest.main()
