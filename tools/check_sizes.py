#!/usr/bin/env python3
"""Classes stay small enough to be held in mind, and functions to be seen at a glance.

In the folders given, no class has more than 25 data members and no function more than 60 lines. The
code is read as clang-format leaves it: no preprocessor, no types, only braces.
"""

import argparse
import pathlib
import re
import sys

MOST_MEMBERS = 25
MOST_LINES = 60

# Comments, then strings and characters, raw ones first.
NOISE = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<raw>[^(\s]*)\(.*?\)(?P=raw)"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])\'',
    re.S)
DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\n|[^\n])*", re.M)
TYPE = re.compile(r"^(?:template\s*<.*>\s*)?(?:class|struct|union)\b\s*(?:\[\[.*?\]\]\s*)?([\w:]*)", re.S)
NOT_DATA = re.compile(r"^(?:using|friend|typedef|template|static|enum|class|struct|union|public|private|protected|static_assert)\b")


def blanked(text):
    """The text without comments, strings and directives; line numbers stay."""
    def blank(match):
        kept = "" if match[0].startswith("/") else '""'
        return kept + "\n" * match[0].count("\n")
    text = NOISE.sub(blank, text)
    return DIRECTIVE.sub(lambda m: "\n" * m[0].count("\n"), text)


def without_pairs(text, opening, closing):
    """What is not between such pairs."""
    kept, depth = [], 0
    for character in text:
        if character == opening:
            depth += 1
        elif character == closing and depth > 0:
            depth -= 1
        elif depth == 0:
            kept.append(character)
    return "".join(kept)


def members_of(statement):
    """How many data members a statement of a class body declares."""
    statement = re.sub(r"\b(?:public|private|protected)\s*:", "", statement).strip()
    statement = re.sub(r"\balignas\s*\([^)]*\)|\[\[.*?\]\]|\bdecltype\s*\([^)]*\)", "", statement).strip()
    if not statement or NOT_DATA.match(statement):
        return 0
    declared = without_pairs(statement, "{", "}").replace("->", "").replace("<=", "").replace(">=", "")
    declared = without_pairs(declared, "<", ">").split("=")[0] if "(" not in declared.split("=")[0] else without_pairs(declared, "<", ">")
    if "(" in declared.split("=")[0] or re.search(r"\boperator\b", declared):
        return 0
    whole = without_pairs(without_pairs(without_pairs(statement, "{", "}"), "<", ">"), "(", ")")
    return 1 + whole.count(",")


class Reader:
    """Walks the braces of one file."""

    def __init__(self, text):
        self.text = blanked(text)
        self.classes = []    # (name, line, members)
        self.functions = []  # (name, line, lines)

    def line(self, at):
        return self.text.count("\n", 0, at) + 1

    def closing(self, at):
        depth = 0
        for i in range(at, len(self.text)):
            if self.text[i] == "{":
                depth += 1
            elif self.text[i] == "}":
                depth -= 1
                if depth == 0:
                    return i
        return len(self.text)

    def walk(self, at, end, in_class):
        """Declarations between `at` and `end`; how many are data members."""
        members, start = 0, at
        while at < end:
            character = self.text[at]
            if character == ";":
                if in_class:
                    members += members_of(self.text[start:at])
                start = at + 1
            elif character == "{":
                last = self.closing(at)
                head = re.sub(r"\b(?:public|private|protected)\s*:(?!:)", "", self.text[start:at]).strip()
                after = self.text[last + 1:last + 80].lstrip()[:1]
                kind = TYPE.match(head)
                if re.match(r"^(?:inline\s+)?namespace\b", head) or head.startswith("extern"):
                    self.walk(at + 1, last, False)
                    start = last + 1
                elif kind and not head.endswith(")"):
                    own = self.walk(at + 1, last, True)
                    self.classes.append((kind[1] or "unnamed", self.line(start), own))
                    # What stands behind it is a member of this type.
                    self.text = self.text[:start] + re.sub(r"[^\n]", " ", self.text[start:last + 1]) + self.text[last + 1:]
                elif "(" in head and after not in (",", "{", ";", ")") and not re.match(r"^enum\b", head):
                    begin = start + len(self.text[start:at]) - len(self.text[start:at].lstrip())
                    name = re.search(r"([\w:~]+)\s*\(", head)
                    self.functions.append((name[1] if name else "?", self.line(begin), self.line(last) - self.line(begin) + 1))
                    start = last + 1
                elif re.match(r"^enum\b", head):
                    start = last + 1
                at = last
            at += 1
        return members


def problems(path, shown):
    reader = Reader(path.read_text())
    reader.walk(0, len(reader.text), False)
    for name, line, members in reader.classes:
        if members > MOST_MEMBERS:
            yield f"{shown}:{line}: class {name} has {members} data members, more than {MOST_MEMBERS}"
    for name, line, lines in reader.functions:
        if lines > MOST_LINES:
            yield f"{shown}:{line}: function {name} has {lines} lines, more than {MOST_LINES}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("src", type=pathlib.Path)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--list", action="store_true", help="name the largest of all instead")
    options = parser.parse_args()
    found = []
    classes, functions = [], []
    for folder in options.folders:
        for path in sorted((options.src / folder).rglob("*")):
            if path.suffix not in (".h", ".cc") or path.name.endswith("_test.cc"):
                continue
            found += problems(path, path.relative_to(options.src))
            reader = Reader(path.read_text())
            reader.walk(0, len(reader.text), False)
            classes += [(members, name, path.name) for name, _, members in reader.classes]
            functions += [(lines, name, path.name) for name, _, lines in reader.functions]
    if options.list:
        for row in sorted(classes, reverse=True)[:12] + sorted(functions, reverse=True)[:12]:
            print(*row)
        return 0
    if not classes or not functions:
        found.append("nothing was read: are the folders right?")
    for problem in found:
        print(problem)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
