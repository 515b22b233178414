#!/usr/bin/env python3
"""The rules table, the rules that analyses report and the pages in docs/rules say the same.

Each rule that an analysis can report has a page; each page belongs to a rule, opens with its title, severity and clause,
and holds two C programs: a wrong one and the same program fixed. The index docs/rules/README.md lists all rules (--write makes it).

  --cc CC          also compile the programs (syntax only); several: a library may lack a procedure, but not all may
  --run VOUCH      also run them: the wrong one must give its rule and the fixed one must be clean of it; needs one --cc
  --only REGEX     compile and run only the pages that match
  --catalogue FILE also compare the ids with those in backquotes in this file
"""

import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
RULE = re.compile(
    r'VOUCH_RULE\(\s*(\w+),\s*"([^"]+)",\s*(error|warning|info),\s*"([^"]*)",\s*"([^"]+)",\s*((?:"[^"]*"\s*)+)\)'
)
NO_CLAUSE = {"crash": "no clause: the program ended by itself", "assertion": "no clause: the program's own word"}
NO_SUCH_PROCEDURE = re.compile(r"implicit declaration of function|unknown type name .MPI_")
LACKS = {("dynamic/argument", "mpich")}  # Debian's MPICH cannot spawn
HOW_TO_RUN = re.compile(r"`vouch run ((?:--[a-z-]+ )*-n \d+)`")
BLOCK = re.compile(r"^```c\n(.*?)^```", re.M | re.S)


ERRORS = []


def complain(text):
    ERRORS.append(text)


def read_rules():
    """id -> (name, severity, clause, title)."""
    text = (ROOT / "src/report/rules.def").read_text()
    rules = {}
    for name, rule, severity, clause, title, _ in RULE.findall(text):
        if rule in rules:
            complain(f"rules.def: {rule} stands there twice")
        if name != re.sub("[/-]", "_", rule):
            complain(f"rules.def: {rule} should be called {re.sub('[/-]', '_', rule)}, not {name}")
        rules[rule] = (name, severity, clause, title)
    if len(rules) != len(re.findall(r"^VOUCH_RULE\(", text, re.M)):
        complain("rules.def: some line cannot be read")
    return rules


def reported():
    """Names of the rules that analyses mention, with one file that does."""
    names = {}
    for file in sorted((ROOT / "src/analysis").rglob("*")):
        if file.suffix in (".cc", ".h", ".def", ".inc") and not file.name.endswith("_test.cc"):
            for name in re.findall(r"\bRule::(\w+)", file.read_text()):
                names.setdefault(name, file.relative_to(ROOT))
    names.pop("count_", None)
    return names


def pages():
    folder = ROOT / "docs/rules"
    for file in sorted(folder.rglob("*.md")):
        if file.name != "README.md":
            yield file.relative_to(folder).with_suffix("").as_posix(), file.read_text()


def check_page(rule, text, rules):
    if rule not in rules:
        return complain(f"docs/rules/{rule}.md: there is no such rule")
    _, severity, clause, title = rules[rule]
    lines = text.splitlines()
    expected = [f"# {rule}: {title}", "", f"{severity} · {clause or NO_CLAUSE[rule.split('/')[0]]}", ""]
    for number, (is_, should) in enumerate(zip(lines, expected), 1):
        if is_ != should:
            complain(f"docs/rules/{rule}.md:{number}: should read '{should}'")
    for heading in ("## Wrong", "## Fixed", "## Silent"):
        if lines.count(heading) != 1:
            complain(f"docs/rules/{rule}.md: needs one '{heading}'")
    if len(BLOCK.findall(text)) != 2:
        complain(f"docs/rules/{rule}.md: needs two C programs")
    if not HOW_TO_RUN.search(text):
        complain(f"docs/rules/{rule}.md: does not say how to run the wrong program")


def index(rules, with_page):
    out = [
        "# Rules",
        "",
        "Every rule of vouch. Those that have an analysis in this version link to their page: what it means, a wrong program, the",
        "same program fixed, and when vouch stays silent. Severity is the default; a finding may be milder where its page says so.",
        "",
        "| rule | severity | what it says | clause |",
        "|---|---|---|---|",
    ]
    for rule, (_, severity, clause, title) in rules.items():
        link = f"[`{rule}`]({rule}.md)" if rule in with_page else f"`{rule}`"
        out.append(f"| {link} | {severity} | {title} | {clause} |")
    return "\n".join(out) + "\n"


def compile_program(cc, source, output=None):
    what = ["-fsyntax-only"] if output is None else ["-g", "-o", str(output)]
    flags = ["-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-Wno-deprecated-declarations", "-Wno-stringop-overflow",
             "-Wno-stringop-overread"]
    return subprocess.run([cc, *flags, *what, f"-I{ROOT / 'api'}", str(source), "-pthread"], capture_output=True, text=True)


def run_program(vouch, rule, work, how):
    """Rules of what was found, without the infos of other rules: a fixed program may race on purpose."""
    report = work / "report.json"
    report.unlink(missing_ok=True)
    command = [vouch, "run", "--timeout", "60", "--json", str(report), *how, "./program"]
    done = subprocess.run(command, cwd=work, capture_output=True, text=True, timeout=120)
    if not report.exists():
        return None, done.stdout + done.stderr
    findings = json.loads(report.read_text())["findings"]
    return [f["rule"] for f in findings if f["severity"] != "info" or f["rule"] == rule], done.stdout + done.stderr


def check_programs(rule, text, options, work):
    how = HOW_TO_RUN.search(text).group(1).split()
    for kind, program in zip(("wrong", "fixed"), BLOCK.findall(text)):
        source = work / "program.c"
        source.write_text(program)
        output = work / "program" if options.run else None
        tried = [compile_program(cc, source, output) for cc in options.cc]
        lacking = [t for t in tried if t.returncode and NO_SUCH_PROCEDURE.search(t.stderr)]
        if options.run and (lacking or any((rule, part) in LACKS for part in options.cc[0].split("."))):
            print(f"{rule}: not in this MPI library, skipped")
            return
        for attempt in tried:
            if attempt.returncode and (attempt not in lacking or len(lacking) == len(tried)):
                complain(f"docs/rules/{rule}.md: the {kind} program does not compile:\n{attempt.stderr}")
                break
        if not options.run or tried[0].returncode:
            continue
        found, output_text = run_program(options.run, rule, work, how)
        if found is None:
            complain(f"{rule}: no report of the {kind} program:\n{output_text}")
        elif kind == "wrong" and set(found) != {rule}:
            complain(f"{rule}: the wrong program gives {found}")
        elif kind == "fixed" and found:
            complain(f"{rule}: the fixed program gives {found}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write docs/rules/README.md")
    parser.add_argument("--cc", action="append", default=[])
    parser.add_argument("--run", metavar="VOUCH")
    parser.add_argument("--only", default="")
    parser.add_argument("--catalogue", type=pathlib.Path)
    options = parser.parse_args()

    rules = read_rules()
    names = {name: rule for rule, (name, *_) in rules.items()}
    have = dict(pages())
    for rule, text in have.items():
        check_page(rule, text, rules)
    can = reported()
    for name, file in can.items():
        if name not in names:
            complain(f"{file}: Rule::{name} is not in rules.def")
        elif names[name] not in have:
            complain(f"{file} reports {names[name]}, which has no page docs/rules/{names[name]}.md")

    readme = ROOT / "docs/rules/README.md"
    if options.write:
        readme.write_text(index(rules, have))
    elif not readme.exists() or readme.read_text() != index(rules, have):
        complain("docs/rules/README.md is not up to date: run tools/check_rules.py --write")

    if options.catalogue:
        families = {rule.split("/")[0] for rule in rules}
        ids = set(re.findall(r"`([a-z]+/[a-z-]+)`", options.catalogue.read_text()))
        ids = {i for i in ids if i.split("/")[0] in families}
        for rule in sorted(ids ^ set(rules)):
            complain(f"{rule}: only in {'the catalogue' if rule in ids else 'rules.def'}")

    if options.cc and not ERRORS:
        work = pathlib.Path(tempfile.mkdtemp(prefix="vouch_rules_"))
        try:
            for rule, text in have.items():
                if re.search(options.only, rule) and (not options.run or rules[rule][0] in can):
                    check_programs(rule, text, options, work)
        finally:
            shutil.rmtree(work)

    for error in ERRORS:
        print(error, file=sys.stderr)
    return 1 if ERRORS else 0


if __name__ == "__main__":
    sys.exit(main())
