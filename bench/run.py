#!/usr/bin/env python3
"""Runs the benchmarks and prints their tables. With --check the status is 1 when a target is missed."""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import backpressure  # noqa: E402
import deadlock  # noqa: E402
import explore  # noqa: E402
import overhead  # noqa: E402
import windows  # noqa: E402


def agent(build, _folder):
    program = pathlib.Path(build).resolve() / "bin" / "bench_agent"
    return subprocess.run([str(program), "--check"]).returncode == 0


def predict(build, _folder):
    program = pathlib.Path(build).resolve() / "bin" / "bench_predict"
    return subprocess.run([str(program), "--check"]).returncode == 0


def clocks(build, folder):
    """Vector clocks per operation, from 16 to 1,024 ranks; instructions decide, where they can be counted."""
    program = pathlib.Path(build).resolve() / "bin" / "bench_clocks"
    if shutil.which("valgrind") is None:
        return subprocess.run([str(program), "--check"]).returncode == 0
    subprocess.run([str(program)], check=True)
    counts = []
    for ranks in (16, 1024):
        out = pathlib.Path(folder) / "callgrind.out"
        done = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}",
                               "--toggle-collect=vouch::explore::analyse*", str(program), str(ranks)],
                              check=True, capture_output=True, text=True)
        collected = int(re.search(r"Collected : (\d+)", done.stderr).group(1))
        counts.append(collected / int(re.search(r"(\d+) operations", done.stdout).group(1)))
        print(f"{ranks:5} ranks: {counts[-1]:6.0f} instructions per operation", flush=True)
    growth = counts[1] / counts[0]
    print(f"growth {growth:.2f} of instructions, at most 2: {'met' if growth <= 2 else 'MISSED'}")
    return growth <= 2


BENCHMARKS = {"overhead": overhead.main, "agent": agent, "backpressure": backpressure.main,
              "deadlock": deadlock.main, "windows": windows.main, "predict": predict, "clocks": clocks, "explore": explore.main}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default="build", help="build folder (default: build)")
    parser.add_argument("--check", action="store_true", help="fail when a target is missed")
    parser.add_argument("what", nargs="*", choices=[*BENCHMARKS, []], help="which ones (default: all)")
    options = parser.parse_args()
    good = True
    with tempfile.TemporaryDirectory(prefix="vouch-bench.") as folder:
        for name in options.what or BENCHMARKS:
            good = BENCHMARKS[name](options.build, folder) and good
            print(flush=True)
    return 1 if options.check and not good else 0


if __name__ == "__main__":
    sys.exit(main())
