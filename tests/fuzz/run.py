#!/usr/bin/env python3
"""Builds a fuzz target with clang and libFuzzer and runs it for a while. Status 0: nothing was found."""

import argparse
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
# Per target: the sources it needs besides its own.
TARGETS = {
    "trace_text": [
        "base/check.cc",
        *(f"predict/{name}.cc" for name in ("ctp", "builder", "expression", "text_compact", "text_sexpr", "text_print", "state",
                                            "match_pairs", "counting", "steer")),
    ],
    "trace_file": [
        "base/check.cc",
        *(f"event/{name}.cc" for name in ("claim", "event", "proc", "sound", "text_line", "text_names", "text_print")),
        *(f"trace/{name}.cc" for name in ("code", "dump", "format", "load", "reader")),
    ],
}


def build(target, folder, generated):
    """Object by object, so that ccache spares what has not changed."""
    folder.mkdir(parents=True, exist_ok=True)
    compiler = ["ccache", "clang++"] if shutil.which("ccache") else ["clang++"]
    flags = ["-std=c++20", "-O1", "-g", "-fsanitize=fuzzer,address,undefined", "-fno-sanitize-recover=undefined"]
    objects = []
    for source in [HERE / f"{target}.cc", *(ROOT / "src" / name for name in TARGETS[target])]:
        objects.append(str(folder / f"{source.parent.name}_{source.stem}.o"))
        subprocess.run([*compiler, *flags, f"-I{ROOT / 'src'}", f"-I{generated}", "-c", str(source), "-o", objects[-1]], check=True)
    program = folder / target
    subprocess.run(["clang++", *flags, *objects, "-lfmt", "-o", str(program)], check=True)
    return program


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", choices=TARGETS)
    parser.add_argument("--folder", default="build/fuzz", help="where the program and what it finds go")
    parser.add_argument("--generated", help="where the tables made from api/ are; ../gen from the folder by default")
    parser.add_argument("--seconds", type=int, default=60)
    options = parser.parse_args()
    if not shutil.which("clang++"):
        print("clang++ is not installed: not fuzzed")
        return 77
    folder = pathlib.Path(options.folder).resolve()
    program = build(options.target, folder, options.generated or folder.parent / "gen")
    found = folder / f"{options.target}.corpus"
    found.mkdir(exist_ok=True)
    command = [str(program), str(found), str(HERE / "corpus" / options.target),
               f"-max_total_time={options.seconds}", "-max_len=2000", "-timeout=10", "-rss_limit_mb=600",
               f"-artifact_prefix={folder}/", "-verbosity=0", "-print_final_stats=1"]
    words = HERE / "corpus" / f"{options.target}.dict"
    if words.exists():
        command.append(f"-dict={words}")
    return subprocess.run(command).returncode


if __name__ == "__main__":
    sys.exit(main())
