#!/usr/bin/env python3
"""tools/check_sizes.py on small files: what it counts."""

import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tools"))
import check_sizes  # noqa: E402


def read(text):
    reader = check_sizes.Reader(text)
    reader.walk(0, len(reader.text), False)
    return reader


class CheckSizes(unittest.TestCase):
    def members(self, body):
        return read("namespace a {\nclass B final : public C<D> {\n" + body + "};\n}\n").classes[-1][2]

    def test_data_members(self):
        self.assertEqual(self.members("  int a_ = 0, b_ = f(1, 2);\n  std::map<int, char> c_;  // int d_;\n"), 3)
        self.assertEqual(self.members("  std::function<void(int)> f_;\n  int g_[2] = {1, 2};\n  Task<> t_{x, y};\n"), 3)

    def test_other_declarations(self):
        self.assertEqual(self.members(
            " public:\n  B() : C(1), x{2} {}\n  int f(int a, int b) const { int c; return c; }\n  void g();\n"
            "  bool operator==(const B&) const = default;\n  using T = int;\n  static constexpr int kD = 1;\n"
            "  enum class E { a, b };\n  friend class F;\n  struct G {\n    int h, i;\n  };\n private:\n"), 0)

    def test_a_type_with_its_member(self):
        self.assertEqual(self.members("  struct G {\n    int h, i;\n  } g_;\n  int j_;\n"), 2)
        self.assertEqual([c[2] for c in read("struct A {\n  struct G {\n    int h, i;\n  } g_;\n};\n").classes], [2, 1])

    def test_functions(self):
        text = "namespace {\nint f(int a) {\n" + "  a++;\n" * 3 + "}\n}\nA::A()\n    : a_(1),\n      b_{2} {\n}\n"
        self.assertEqual([f[2] for f in read(text).functions], [5, 4])

    def test_limits(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "a.cc")
            path.write_text("struct A {\n" + "".join(f"  int a{i};\n" for i in range(25)) + "};\n"
                            "void f() {\n" + "  g();\n" * 58 + "}\n")
            self.assertEqual(list(check_sizes.problems(path, "a.cc")), [])
            path.write_text("struct A {\n" + "".join(f"  int a{i};\n" for i in range(26)) + "};\n"
                            "void f() {\n" + "  g();\n" * 59 + "}\n")
            self.assertEqual(list(check_sizes.problems(path, "a.cc")),
                             ["a.cc:1: class A has 26 data members, more than 25",
                              "a.cc:29: function f has 61 lines, more than 60"])


if __name__ == "__main__":
    unittest.main()
