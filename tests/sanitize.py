#!/usr/bin/env python3
"""Runs the litmus programs, with both MPI libraries, while sanitizers watch vouch itself.

    tests/sanitize.py agent       address and undefined behaviour: vouch and its agent
    tests/sanitize.py shim        the same, for what is preloaded into the ranks
    tests/sanitize.py threads     thread sanitizer: unit tests of what has threads, and the litmus programs

Builds what it needs (the presets asan, asan-shim, tsan) first. Options it does not know go to run_litmus.py
(--filter, --lib, --jobs). Status 0: no report about vouch, and every program as it says.

Reports lie in files of the build folder; in the ranks the undefined-behaviour sanitizer writes to standard error all the
same, so what the programs print is searched too.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PRESETS = {"agent": "asan", "shim": "asan-shim", "threads": "tsan"}
TESTS = ("agent_test", "net_test", "record_test")  # with threads
# Programs that die on purpose shall die as they do without a sanitizer, and nobody's memory is freed at an exit.
ALONE = ":".join(f"handle_{name}=0" for name in ("segv", "sigbus", "abort", "sigill", "sigfpe")) + ":detect_leaks=0"
REPORT = re.compile(r"^(?:==\d+==(?:ERROR|WARNING): |WARNING: ThreadSanitizer|.*: runtime error: )")
FRAME = re.compile(r"^\s*#\d+ 0x[0-9a-f]+ (?:in )?.*?\(([^()]*)\+0x[0-9a-f]+\)")
RUNTIMES = ("libasan", "libubsan", "libtsan")


def runtimes():
    """The sanitizers' libraries, to be loaded into the ranks."""
    names = [subprocess.run(["g++", f"-print-file-name={name}.so"], capture_output=True, text=True).stdout.strip()
             for name in ("libasan", "libubsan")]
    return ":".join(os.path.realpath(name) for name in names)


def build(mode, folder):
    targets = ["product", *(TESTS if mode == "threads" else ())]
    if not (folder / "build.ninja").exists():
        subprocess.run(["cmake", "--preset", PRESETS[mode], "-B", str(folder)], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", str(folder), "--target", *targets], check=True)


def environment(mode, logs):
    env = dict(os.environ)
    log = f":log_path={logs}/{mode}"
    if mode == "threads":
        env["TSAN_OPTIONS"] = "second_deadlock_stack=1" + log
        return env
    env["UBSAN_OPTIONS"] = "print_stacktrace=1" + log
    env["ASAN_OPTIONS"] = ALONE + log
    if mode == "shim":
        env["ASAN_OPTIONS"] += ":halt_on_error=0"
    return env


def in_log(path):
    """The reports in a file that holds nothing else, each as its lines."""
    found = []
    for line in path.read_text(errors="replace").splitlines():
        if REPORT.match(line):
            found.append([f"{path}:"])
        if found:
            found[-1].append(line)
    return found


def in_output(path):
    """Those among what a program prints: of each its first line and the frames behind it."""
    found, inside = [], False
    for line in path.read_text(errors="replace").splitlines():
        if REPORT.match(line):
            found.append([f"{path}:", line])
            inside = True
        elif inside := inside and FRAME.match(line) is not None:
            found[-1].append(line)
    return found


def reports(logs, outputs):
    found = []
    for path in sorted(logs.iterdir()):
        found += in_log(path)
    for path in sorted(outputs.rglob("*.txt")):
        found += in_output(path)
    return found


def about_us(mode, report):
    """In the ranks, the programs' own errors are seen too, where the library copies what they gave it."""
    if mode != "shim" or any(": runtime error: " in line for line in report):
        return True
    for line in report:
        if (frame := FRAME.match(line)) and not os.path.basename(frame.group(1)).startswith(RUNTIMES):
            return os.path.basename(frame.group(1)).startswith("libvouch")
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mode", choices=PRESETS)
    parser.add_argument("--build", type=pathlib.Path, help="the build folder (build-asan, build-asan-shim, build-tsan)")
    parser.add_argument("--no-build", action="store_true", help="take what is there")
    options, more = parser.parse_known_args()
    folder = (options.build or ROOT / f"build-{PRESETS[options.mode]}").resolve()
    if not options.no_build:
        build(options.mode, folder)
    logs, outputs = folder / "sanitizer", folder / "sanitizer-outputs"
    for place in (logs, outputs):
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
    env = environment(options.mode, logs)
    good = True
    for test in TESTS if options.mode == "threads" else ():
        good = subprocess.run([folder / "bin" / test, "--gtest_brief=1"], env=env).returncode == 0 and good
    command = [sys.executable, ROOT / "tests" / "run_litmus.py", "--vouch", folder / "bin" / "vouch",
               "--build-dir", folder / "litmus", "--limit", "120", "--outputs", outputs, *more]
    if options.mode == "shim":
        command += ["--preload", runtimes()]
    good = subprocess.run(list(map(str, command)), env=env).returncode == 0 and good
    ours, others = [], []
    for report in reports(logs, outputs):
        (ours if about_us(options.mode, report) else others).append(report)
    for report in ours:
        print(*report, sep="\n", end="\n\n")
    print(f"{len(ours)} reports about vouch" + (f", {len(others)} about the programs" if others else ""))
    return 0 if good and not ours else 1


if __name__ == "__main__":
    sys.exit(main())
