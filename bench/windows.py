"""What vouch costs a program with windows: the same program with and without it, in turns.

Halo exchanges and random updates are built as ever; the advection of a tracer, all of whose arrays are windows, is built with
vouch fc, so its loads and stores are seen. Each program measures itself, and does the same in all ways.
"""

import os
import shutil
import statistics
import subprocess

from mpi import HERE, LIBRARIES, compile_kernel, environment, launcher, verdict, vouch_of

ROUNDS = 5
MAX_HALO, MAX_UPDATES, MAX_ADVECTION = 1.25, 3.0, 3.0

# title, kernel, words, target
PROGRAMS = [
    ("one-sided halo, fences", "halo", ["fence", "1000"], MAX_HALO),
    ("one-sided halo, post-start-complete-wait", "halo", ["pscw", "1000"], MAX_HALO),
    ("one-sided halo, locks", "halo", ["lock", "1000"], MAX_HALO),
    ("random updates, accumulates", "gups", ["accumulate", "200000", "512"], None),
    ("random updates, fetched one by one", "gups", ["fetch", "100000", "1"], MAX_UPDATES),
]


def seconds(command):
    """What it measured, and its result."""
    done = subprocess.run(command, env=environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600)
    lines = dict(line.split(None, 1) for line in done.stdout.splitlines() if " " in line)
    if done.returncode != 0 or "seconds" not in lines:
        raise RuntimeError(f"{' '.join(command)} ended with status {done.returncode}:\n{done.stdout}{done.stderr}")
    return float(lines["seconds"]), lines["total"]


def compare(ways):
    """Medians of the seconds of each way, and the median of how much longer each took than the first one in its round."""
    times, totals = [[] for _ in ways], set()
    for _ in range(ROUNDS):
        for way, found in zip(ways, times):
            took, total = seconds(way)
            found.append(took)
            totals.add(total)
    if len(totals) != 1:
        raise RuntimeError(f"{' '.join(ways[0])}: the results differ: {totals}")
    ratios = [statistics.median(t / first for t, first in zip(found, times[0])) for found in times]
    return [statistics.median(found) for found in times], ratios


def advection(vouch, library, folder):
    """The program as it is, and built with vouch fc; nothing without a Fortran compiler."""
    if not shutil.which(f"mpifort.{library}"):
        return None
    plain, built = (os.path.join(folder, f"advection.{way}.{library}") for way in ("plain", "built"))
    for compiler, out in ((["mpifort." + library], plain), ([vouch, "fc", "--mpi", library], built)):
        subprocess.run([*compiler, "-O2", "-g", str(HERE / "kernels" / "advection.f90"), "-o", out], check=True, cwd=folder, env=environment())
    return plain, built


def main(build, folder):
    """Prints the table; True if every target is met."""
    vouch = vouch_of(build)
    good = True
    load = os.getloadavg()[0]
    if load > 1:
        print(f"note: the machine is busy (load {load:.1f}): the ratios below say little")

    def row(title, library, times, ratio, target):
        met = target is None or ratio <= target
        bar = "" if target is None else f"{target:>8.2f}  {verdict(met)}"
        print(f"{title:<41} {library:<9} {times[0]:>7.3f} s {times[-1]:>7.3f} s {ratio:>8.2f} {bar}", flush=True)
        return met

    print("programs with windows, 2 ranks            library     without      with    ratio   target")
    for library in LIBRARIES:
        for title, kernel, words, target in PROGRAMS:
            program = compile_kernel(kernel, library, folder)
            plain = [*launcher(library, 2), program, *words]
            times, ratios = compare([plain, [vouch, "run", "--", *plain]])
            good = row(title, library, times, ratios[-1], target) and good
        programs = advection(vouch, library, folder)
        if programs is None:
            print(f"{'advection with loads and stores':<41} {library:<9} not measured: there is no mpifort.{library}")
            continue
        ways = [[*launcher(library, 2), program] for program in programs]
        times, ratios = compare([*ways, [vouch, "run", "--", *ways[1]]])
        row("advection built with vouch fc", library, times[:2], ratios[1], None)
        good = row("advection with loads and stores", library, times, ratios[2], MAX_ADVECTION) and good
    return good
