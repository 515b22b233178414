#!/usr/bin/env python3
"""What is cited exists in docs/spec, and what stands there is tested.

A clause is defined in docs/spec by its bold id at the start of a list item or of a table row: `- **D8** …`, `| **T14** |`.
It is cited in square brackets, alone, in a list or as a range: `[D8]`, `[U19, U20]`, `[P41-P48]`. Only the prefixes below
are ids, so that a subscript, a register or a template parameter is not taken for one. This script reports, as file:line,

  - a citation of a clause that docs/spec does not define, and a range that runs backwards;
  - an id in a comment or in a page that stands outside brackets, where nobody would find it;
  - a clause that is defined twice;
  - a file that docs/glossary.md names and that is gone;
  - a clause that no test cites. Tests are tests/** (headers of litmus programs included, pages not), src/**/*_test.cc,
    gen/*_test.py, and benchmarks with --check, which are run as tests.
"""

import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PREFIX = "(?:RR|[CDEGPSTUW])"
ID = rf"{PREFIX}\d{{1,2}}[ab]?"
CLAUSE = re.compile(rf"^(?:- |\| )\*\*({ID})\*\*")
# Not behind a name or a closing bracket: that would be a subscript.
CITATION = re.compile(rf"(?<![\w)\]])\[({ID}(?:-{ID})?(?:, {ID}(?:-{ID})?)*)\]")
# C, G, S and W begin too many other words (C99) to be looked for without brackets.
BARE = re.compile(r"(?:(?<![\w.\"'/<\[-])|(?<=\"\"\"))((?:RR|[DEPTU])\d{1,2}[ab]?)(?![\w\"'(=*/>]|\.\d)")
COMMENT = {
    ".cc": r"//.*|/\*.*|^\s*\*.*", ".c": r"//.*|/\*.*|^\s*\*.*", ".h": r"//.*|/\*.*|^\s*\*.*", ".def": r"//.*",
    ".py": r"#.*|\"\"\".*", ".f90": r"!.*", ".F90": r"!.*", ".f": r"(?:^[cC*]|!).*", ".txt": r"#.*", ".api": r"#.*",
}
FOLDERS = ("api", "bench", "docs", "examples", "gen", "src", "tests", "tools")
PAGES = ("ARCHITECTURE.md", "CONTRIBUTING.md", "README.md")
LEFT_OUT = ("tests/fuzz/corpus/", "tests/check_spec_test.py", "docs/coverage.md", "tools/check_spec.py")


def lines_of(root, path):
    try:
        return (root / path).read_text().splitlines()
    except UnicodeDecodeError:
        return []


def files(root):
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.is_file() and "__pycache__" not in name and not name.startswith(LEFT_OUT):
                yield name
    yield from (page for page in PAGES if (root / page).exists())


def is_test(name, lines):
    if name.startswith("tests/"):
        return not name.endswith(".md")
    if name.startswith("bench/"):
        return any("--check" in line for line in lines)
    return name.endswith(("_test.cc", "_test.py"))


def expand(text):
    """'D1-D3, D8' -> D1, D2, D3, D8; None for a range that runs backwards or from one family to another."""
    ids = []
    for part in text.split(", "):
        first, _, last = part.partition("-")
        if not last:
            ids.append(first)
            continue
        (family, low), (other, high) = (re.fullmatch(r"([A-Z]+)(\d+)[a-z]?", end).groups() for end in (first, last))
        if family != other or int(low) >= int(high):
            return None
        ids += [f"{family}{number}" for number in range(int(low), int(high) + 1)]
    return ids


def prose(name, line):
    """The part of a line that is a comment, or a page's text; what stands in backquotes is code."""
    suffix = pathlib.PurePath(name).suffix
    if suffix == ".md":
        return re.sub(r"`[^`]*`", "", line)
    found = re.search(COMMENT[suffix], line) if suffix in COMMENT else None
    return found[0] if found else ""


def defined(root, problems):
    clauses = {}
    for path in sorted((root / "docs/spec").glob("*.md")):
        name = path.relative_to(root).as_posix()
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = CLAUSE.match(line)
            if match and match[1] in clauses:
                problems.append(f"{name}:{number}: {match[1]} is defined at {clauses[match[1]]} already")
            elif match:
                clauses[match[1]] = f"{name}:{number}"
    return clauses


def gone(root):
    glossary = root / "docs/glossary.md"
    for number, line in enumerate(glossary.read_text().splitlines() if glossary.exists() else [], 1):
        for path in re.findall(r"`((?:docs|gen|src|tests)/[^`]+)`", line):
            if not (root / path).exists():
                yield f"docs/glossary.md:{number}: there is no {path}"


def check(root):
    problems, tested = list(gone(root)), set()
    clauses = defined(root, problems)
    for name in files(root):
        lines = lines_of(root, name)
        test = is_test(name, lines)
        for number, line in enumerate(lines, 1):
            for match in CITATION.finditer(line):
                ids = expand(match[1])
                if ids is None:
                    problems.append(f"{name}:{number}: [{match[1]}] is no range")
                    continue
                for cited in ids:
                    if cited not in clauses:
                        problems.append(f"{name}:{number}: {cited} is not defined in docs/spec")
                    elif test:
                        tested.add(cited)
            if not name.startswith("docs/spec/"):
                for match in BARE.finditer(CITATION.sub("", prose(name, line))):
                    problems.append(f"{name}:{number}: write [{match[1]}], so that it can be found")
    problems += [f"{place}: no test cites {clause}" for clause, place in clauses.items() if clause not in tested]
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", nargs="?", type=pathlib.Path, default=ROOT)
    problems = check(parser.parse_args().root)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
