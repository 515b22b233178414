#!/usr/bin/env python3
"""tools/check_spec.py on small trees: what it reports, and where."""

import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tools"))
import check_spec  # noqa: E402

PAGE = "# A page\n\n- **D1** One.\n- **D2** Two.\n\n| **T13b** | a program |\n"
TEST = "// [D1-D2, T13b]\n"


class CheckSpec(unittest.TestCase):
    def problems(self, **files):
        """Of a tree with these files; __ stands for /, and the last _ for a point."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {"docs__spec__a_md": PAGE, "src__a_test_cc": TEST, **files}.items():
                path = pathlib.Path(folder, ".".join(name.replace("__", "/").rsplit("_", 1)))
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return check_spec.check(pathlib.Path(folder))

    def test_all_is_well(self):
        self.assertEqual(self.problems(), [])

    def test_a_clause_that_is_not_there(self):
        self.assertEqual(self.problems(src__b_cc="\n// as in [D3, T13b]\n"), ["src/b.cc:2: D3 is not defined in docs/spec"])
        self.assertEqual(self.problems(docs__b_md="[D1-D3]\n"), ["docs/b.md:1: D3 is not defined in docs/spec"])
        self.assertEqual(self.problems(bench__b_py="# [D2-D1]\n"), ["bench/b.py:1: [D2-D1] is no range"])

    def test_a_clause_without_a_test(self):
        self.assertEqual(self.problems(src__a_test_cc="// [D1, T13b]\n", src__b_cc="// [D2]\n", tests__README_md="[D2]\n"),
                         ["docs/spec/a.md:4: no test cites D2"])
        self.assertEqual(self.problems(src__a_test_cc="// [D1, T13b]\n", tests__litmus__x_bad_c="// [D2]: a reason\n"), [])
        self.assertEqual(self.problems(src__a_test_cc="// [D1, T13b]\n", bench__b_py='"--check"  # [D2]\n'), [])

    def test_a_clause_twice(self):
        self.assertEqual(self.problems(docs__spec__b_md="- **D2** Again.\n"),
                         ["docs/spec/b.md:1: D2 is defined at docs/spec/a.md:4 already"])

    def test_a_file_of_the_glossary(self):
        self.assertEqual(self.problems(docs__glossary_md="\n| site | `src/a_test.cc`, `src/gone.h` |\n"),
                         ["docs/glossary.md:2: there is no src/gone.h"])

    def test_an_id_without_brackets(self):
        for name, line in (("src__b_cc", "int x;  // see D1: it waits"), ("tests__b_py", '"""D1: it waits."""'),
                           ("docs__b_md", "As D1 says."), ("tests__b_f90", "! D1"), ("tests__b_c", "/* D1 */")):
            problems = self.problems(**{name: line + "\n"})
            self.assertEqual(len(problems), 1, line)
            self.assertIn(":1: write [D1], so that it can be found", problems[0])

    def test_what_is_no_id(self):
        self.assertEqual(self.problems(src__b_cc="x[T9] = y[i][D7]; // u8 E2E P2p R15 C99 -D1 F5.2 T1000 noqa: E402\n"
                                                 "template <class T1> void f(T1 a);\n",
                                       docs__b_md="What stands in backquotes is code: `x D9`.\n"), [])


if __name__ == "__main__":
    unittest.main()
