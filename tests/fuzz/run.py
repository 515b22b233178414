#!/usr/bin/env python3
"""Tries damaged inputs: what a rank, a file or another agent may send.

    tests/fuzz/run.py all --build build-asan --runs 1000000     all targets of vouch_fuzz, with sanitizers
    tests/fuzz/run.py ring mesh --first 1000000                 some of them, further inputs
    tests/fuzz/run.py ring --only 4711                          one input alone, again
    tests/fuzz/run.py trace_text --seconds 600                  a target of libFuzzer (clang)

The inputs of vouch_fuzz (fuzz.h) are made from real runs of litmus programs with both MPI libraries, recorded here
first. Status 0: no input ended it, took more than a second or more than 200 MB.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "tests"))
import run_litmus  # noqa: E402

TARGETS = ("ring", "trace", "schedule", "state", "suppressions", "mesh")
# Per target of libFuzzer: the sources it needs besides its own.
CLANG_TARGETS = {
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
# Short runs that together have all kinds of records: one of each family, and what is special. Options of vouch besides
# those of the program.
FEW = {
    "argument": 3, "breadth": 14, "buffer": 4, "collective": 6, "deadlock": 8, "dynamic": 1, "io": 5, "leak": 3, "race": 3,
    "request": 4, "rma": 6, "thread": 4, "topology": 5, "type": 5, "unmatched": 3, "assertion": 1, "lifecycle": 2,
}
VARIANTS = {"buffer": ["--check-buffers"], "rma": ["--check-buffers"], "type": ["--stacks"]}
LARGEST = 60_000  # bytes of a trace
MOST_FOUND = 20  # inputs of a target that end it; then it is given up


def chosen(family, count):
    """Spread over the family's programs in C; the same ones every time."""
    paths = sorted((ROOT / "tests" / "litmus" / family).glob("*.c"))
    programs = [p for p in map(run_litmus.Program, paths) if p.command == "run" and not p.headers["label"]]
    return [programs[i * len(programs) // count] for i in range(min(count, len(programs)))]


class Corpus:
    def __init__(self, folder, vouch):
        self.folder = folder
        self.vouch = str(vouch)
        self.builder = run_litmus.Builder(folder / "programs")

    def vouch_runs(self, command):
        environment = dict(os.environ, VOUCH_VALUES="2", OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        subprocess.run([self.vouch, *map(str, command)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, timeout=120, env=environment, cwd=self.folder)

    def record(self, program, library):
        name = f"{program.path.parent.name}.{program.path.stem}.{library}"
        trace = self.folder / f"{name}.trace"
        more = VARIANTS.get(program.path.parent.name, [])
        start = self.builder.build(program, library)
        options = [o for o in program.options if o not in more]
        self.vouch_runs(["run", "--quiet", "--timeout", "60", *more, "--trace", trace, *options, *start])
        if trace.exists() and trace.stat().st_size > LARGEST:
            trace.unlink()
        if program.path.parent.name == "race":
            self.vouch_runs(["record", "-o", self.folder / f"{name}.schedule", "--quiet", *options, *start])
            self.vouch_runs(["explore", "--quiet", "--max-runs", "4", "--state", self.folder / f"{name}.state",
                             "-n", str(program.ranks), *start])

    def collect(self, share):
        # A trace can only be read by the vouch that wrote it.
        done = self.folder / "done"
        if done.exists() and done.stat().st_mtime >= pathlib.Path(self.vouch).stat().st_mtime:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        done.unlink(missing_ok=True)
        for old in self.folder.glob("*.*"):
            if old.suffix in (".trace", ".state", ".schedule"):
                old.unlink()
        runs = [(program, library) for family, count in FEW.items()
                for program in chosen(family, max(1, count * share // 100))
                for library in program.libraries() if shutil.which(f"mpicc.{library}")]
        for number, (program, library) in enumerate(runs, 1):
            say(f"recording {number} of {len(runs)}: {program.name}, {library}")
            self.record(program, library)
        done.touch()


class Progress:
    """A line every second on a terminal, in place; every half minute elsewhere."""

    def __init__(self):
        self.last = 0.0
        self.terminal = sys.stderr.isatty()

    def __call__(self, text):
        now = time.monotonic()
        if now - self.last >= (1 if self.terminal else 30):
            self.last = now
            print(f"\r{text:<78}" if self.terminal else text, end="" if self.terminal else "\n", file=sys.stderr, flush=True)


say = Progress()


class Effort:
    """The inputs of several targets, tried in slices by some processes at once."""

    TRIED = re.compile(r"^\w+: (\d+) inputs tried, (\d+) of them end it$")

    def __init__(self, targets, options, program, corpus, found):
        self.options = options
        self.command = [str(program), "--corpus", str(corpus), "--found", str(found), "--seed", str(options.seed)]
        self.environment = dict(os.environ)
        # An input that is tried alone tells where its memory was allocated; for all of them that takes too long.
        depth = 30 if options.only is not None else 2
        self.environment.setdefault(
            "ASAN_OPTIONS", f"quarantine_size_mb=8:detect_leaks=0:allocator_may_return_null=1:malloc_context_size={depth}")
        self.environment.setdefault("UBSAN_OPTIONS", "print_stacktrace=1")
        self.start = time.monotonic()
        self.tried, self.ended, self.seconds = ({t: 0 for t in targets} for _ in range(3))
        self.broken = set()
        size = max(400, options.runs // 40)
        end = options.first + options.runs
        # In turn, so that what is left over to the end is some of each.
        self.slices = [(target, first, min(size, end - first)) for first in range(options.first, end, size) for target in targets]

    def one(self, piece):
        target, first, runs = piece
        if target in self.broken or self.ended[target] >= MOST_FOUND:
            return piece, None, 0
        begin = time.monotonic()
        command = [self.command[0], target, *self.command[1:], "--first", str(first), "--runs", str(runs)]
        done = subprocess.run(command, env=self.environment, stdout=subprocess.PIPE, text=True)
        return piece, done, time.monotonic() - begin

    def progress(self):
        tried, whole = sum(self.tried.values()), self.options.runs * len(self.tried)
        left = sum(self.seconds[t] / n * (self.options.runs - n) for t, n in self.tried.items() if n > 0)
        known = all(self.tried.values())
        rest = f", about {left / self.options.jobs / 60:.0f} min more" if known else ""
        return f"{tried} of {whole} inputs in {(time.monotonic() - self.start) / 60:.1f} min{rest}"

    def run(self):
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            for (target, _, _), done, seconds in pool.map(self.one, self.slices):
                if done is None:
                    continue
                self.seconds[target] += seconds
                lines = done.stdout.splitlines()
                last = self.TRIED.match(lines[-1]) if lines else None
                if not last:
                    self.broken.add(target)
                    print(f"{target}: vouch_fuzz ended with status {done.returncode}", *lines, sep="\n", flush=True)
                    continue
                self.tried[target] += int(last.group(1))
                self.ended[target] += int(last.group(2))
                if len(lines) > 1:
                    print(*lines[:-1], sep="\n", flush=True)
                say(self.progress())
        for target, tried in self.tried.items():
            rate = f"{tried / self.seconds[target]:.0f} per second and process" if self.seconds[target] else "none"
            print(f"{target}: {tried} inputs tried, {self.ended[target]} of them end it ({rate})")
        failed = [t for t in self.tried if self.ended[t] or t in self.broken]
        if failed:
            print("failed: " + " ".join(failed))
        return 1 if failed else 0


def fuzz(targets, options):
    build = pathlib.Path(options.build).resolve()
    vouch = pathlib.Path(options.vouch).resolve() if options.vouch else build / "bin" / "vouch"
    # A folder for each share: a small one never stands for the whole.
    corpus = build / "fuzz" / f"corpus.{options.corpus}"
    Corpus(corpus, vouch).collect(options.corpus)
    effort = Effort(targets, options, build / "bin" / "vouch_fuzz", corpus, build / "fuzz")
    if options.only is None:
        return effort.run()
    command = [effort.command[0], targets[0], *effort.command[1:], "--only", str(options.only)]
    return subprocess.run(command, env=effort.environment).returncode


def build_clang(target, folder, generated):
    """Object by object, so that ccache spares what has not changed."""
    folder.mkdir(parents=True, exist_ok=True)
    compiler = ["ccache", "clang++"] if shutil.which("ccache") else ["clang++"]
    flags = ["-std=c++20", "-O1", "-g", "-fsanitize=fuzzer,address,undefined", "-fno-sanitize-recover=undefined"]
    objects = []
    for source in [HERE / f"{target}.cc", *(ROOT / "src" / name for name in CLANG_TARGETS[target])]:
        objects.append(str(folder / f"{source.parent.name}_{source.stem}.o"))
        subprocess.run([*compiler, *flags, f"-I{ROOT / 'src'}", f"-I{generated}", "-c", str(source), "-o", objects[-1]], check=True)
    program = folder / target
    subprocess.run(["clang++", *flags, *objects, "-lfmt", "-o", str(program)], check=True)
    return program


def clang(options):
    if not shutil.which("clang++"):
        print("clang++ is not installed: not fuzzed")
        return 77
    build = pathlib.Path(options.build).resolve()
    folder = build / "fuzz"
    program = build_clang(options.target, folder, build / "gen")
    found = folder / f"{options.target}.corpus"
    found.mkdir(exist_ok=True)
    command = [str(program), str(found), str(HERE / "corpus" / options.target),
               f"-max_total_time={options.seconds}", "-max_len=2000", "-timeout=10", "-rss_limit_mb=600",
               f"-artifact_prefix={folder}/", "-verbosity=0", "-print_final_stats=1"]
    words = HERE / "corpus" / f"{options.target}.dict"
    if words.exists():
        command.append(f"-dict={words}")
    return subprocess.run(command).returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", nargs="+", choices=("all", *TARGETS, *CLANG_TARGETS))
    parser.add_argument("--build", default="build", help="the build folder; what is recorded and found goes to its fuzz/")
    parser.add_argument("--vouch", help="records the runs; that of the build folder by default")
    parser.add_argument("--runs", type=int, default=2000, help="inputs of each target")
    parser.add_argument("--first", type=int, default=0, help="the number of the first one")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at once")
    parser.add_argument("--corpus", type=int, default=100, help="percent of the runs to record")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, help="the input with this number")
    parser.add_argument("--seconds", type=int, default=60, help="of a target of libFuzzer")
    options = parser.parse_args()
    if options.target[0] in CLANG_TARGETS:
        options.target = options.target[0]
        return clang(options)
    return fuzz(list(TARGETS) if "all" in options.target else options.target, options)


if __name__ == "__main__":
    sys.exit(main())
