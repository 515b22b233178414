#!/usr/bin/env python3
"""Every C++ file reads as clang-format writes it (./dev format). 

Another version than ours writes some lines otherwise: without ours nothing is checked (status 77)."""

import pathlib
import shutil
import subprocess
import sys

VERSION = "14"
FOLDERS = ("src", "tests", "bench", "examples")
PROGRAMS = ("tests/litmus", "tests/langs")  # as their users write them; lines are named by marks at their ends


def main():
    tool = shutil.which(f"clang-format-{VERSION}")
    if tool is None:
        print(f"there is no clang-format-{VERSION} here")
        return 77
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    files = [str(path) for folder in FOLDERS for kind in ("*.cc", "*.h") for path in sorted((root / folder).rglob(kind))
             if not path.relative_to(root).as_posix().startswith(PROGRAMS)]
    run = subprocess.run([tool, "--dry-run", "--Werror", *files], capture_output=True, text=True)
    wrong = sorted({line.split(":")[0] for line in run.stderr.splitlines() if ": error: " in line})
    for file in wrong:
        print(f"{file}: run ./dev format")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
