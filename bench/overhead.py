"""What vouch costs a rank: instructions per call, and time of small messages with and without it.

Times are taken in turns within one run (kernels/latency.c), so that both see the same machine; the table has medians.
"""

import os
import pathlib
import re
import shutil
import statistics
import subprocess

from mpi import LIBRARIES, compile_kernel, environment, launcher, verdict, vouch_of

MAX_INSTRUCTIONS = 250
MAX_STACKS = 500  # with --stacks
MAX_BURST = 1.35
MAX_SUSTAINED = 4.0

# A ping-pong writes 136 bytes an iteration and rank; a burst stays below half of a ring.
TIMINGS = [
    # title, mode, rounds, iterations, rest in ms before each round, target
    ("ping-pong, bursts that fit the ring", "pingpong", 41, 10000, 60, MAX_BURST),
    ("ping-pong, sustained", "pingpong", 5, 1000000, 1500, MAX_SUSTAINED),
    ("ring with barrier, bursts", "ring", 41, 5000, 60, None),
    ("ring with barrier, sustained", "ring", 5, 300000, 1500, None),
]


def run(command, what):
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, timeout=600)
    if done.returncode != 0:
        raise RuntimeError(f"{what} ended with status {done.returncode}:\n{done.stdout}{done.stderr}")
    return done


def instructions(vouch, library, program, folder, flags=()):
    """Extra instructions per MPI_Send or MPI_Recv, counted by callgrind; None without callgrind."""
    if shutil.which("valgrind") is None:
        return None
    iterations = 1000

    def count(prefix, iterations):
        out = pathlib.Path(folder) / "callgrind.out"
        command = prefix + launcher(library, 1) + [
            "valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", "--toggle-collect=counted_loop",
            program, str(iterations)]
        done = run(command, "callgrind")
        found = re.search(r"Collected : (\d+)", done.stderr)
        if not found:
            raise RuntimeError("callgrind did not say what it collected:\n" + done.stderr)
        return int(found.group(1))

    # The first calls find their sites and libraries: two lengths, and only what is between them counts.
    def per_call(prefix):
        return (count(prefix, 2 * iterations) - count(prefix, iterations)) / (2 * iterations)

    return per_call([vouch, "run", *flags, "--buffering", "as-run", "--"]) - per_call([])


def timing(vouch, library, program, mode, rounds, iterations, rest, flags=()):
    """Median nanoseconds past vouch and through it, and the median of the ratios."""
    command = [vouch, "run", *flags, "--"] + launcher(library, 2) + [program, mode, str(rounds), str(iterations), str(rest)]
    pairs = [tuple(map(float, line.split())) for line in run(command, mode).stdout.splitlines()
             if re.fullmatch(r"[\d.]+ [\d.]+", line)]
    if len(pairs) != rounds:
        raise RuntimeError(f"{mode}: {len(pairs)} rounds of {rounds}")
    past, through = zip(*pairs)
    return statistics.median(past), statistics.median(through), statistics.median(t / p for p, t in pairs)


def main(build, folder):
    """Prints the table; True if every target is met."""
    vouch = vouch_of(build)
    good = True
    load = os.getloadavg()[0]
    if load > 1:
        print(f"note: the machine is busy (load {load:.1f}); the times below say little, the instructions are right")
    print("cost in the rank                          library      without      with    ratio   target")
    for library in LIBRARIES:
        extra = instructions(vouch, library, compile_kernel("calls", library, folder), folder)
        if extra is None:
            print(f"{'instructions per MPI_Send, MPI_Recv':<41} {library:<9} not measured: valgrind is not installed")
        else:
            met = extra <= MAX_INSTRUCTIONS
            good = good and met
            print(f"{'instructions per MPI_Send, MPI_Recv':<41} {library:<9} {'':>10} {extra:>+9.0f} {'':>8} "
                  f"{'+' + str(MAX_INSTRUCTIONS):>8}  {verdict(met)}", flush=True)
            stacks = instructions(vouch, library, compile_kernel("calls", library, folder), folder, ["--stacks"])
            met = stacks <= MAX_STACKS
            good = good and met
            print(f"{'the same with --stacks':<41} {library:<9} {'':>10} {stacks:>+9.0f} {'':>8} {'+' + str(MAX_STACKS):>8}  {verdict(met)}",
                  flush=True)
        program = compile_kernel("latency", library, folder)
        for title, mode, rounds, iterations, rest, target in TIMINGS:
            past, through, ratio = timing(vouch, library, program, mode, rounds, iterations, rest)
            met = target is None or ratio <= target
            good = good and met
            bar = "" if target is None else f"{target:>8.2f}  {verdict(met)}"
            print(f"{title:<41} {library:<9} {past:>7.0f} ns {through:>6.0f} ns {ratio:>8.2f} {bar}", flush=True)
        title, mode, rounds, iterations, rest, _ = TIMINGS[0]
        past, through, ratio = timing(vouch, library, program, mode, rounds, iterations, rest, ["--stacks"])
        print(f"{title + ', --stacks':<41} {library:<9} {past:>7.0f} ns {through:>6.0f} ns {ratio:>8.2f}", flush=True)
    return good
