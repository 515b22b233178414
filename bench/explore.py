"""How many schedules per second, how long to exhaust a program, and what a run costs that is to be explored.

The program is tests/explore/integrate.c: every rank but one sends a part, rank 0 adds them in the order in which they come.
A plain restart loop runs as many jobs, one after the other, without vouch.
"""

import json
import os
import pathlib
import re
import statistics
import subprocess
import time

from mpi import HERE, LIBRARIES, compile_kernel, environment, launcher, verdict, vouch_of

LEAST_RATE = 10.0  # schedules per second, 4 ranks, on one library at least
MAX_MINUTES = 10.0  # for the 5,040 schedules of 8 ranks
MAX_DISCOVERY = 1.25  # loop of the first run, beside that of vouch run; what is measured sways by as much
DISCOVERED = {"bursts that fit the ring": 2000, "sustained": 100000}  # messages
TURNS = 9


def integrate(library, folder):
    program = pathlib.Path(folder) / f"integrate.{library}"
    tree = HERE.parent
    subprocess.run([f"mpicc.{library}", "-O2", "-g", "-w", f"-I{tree / 'api'}", str(tree / "tests" / "explore" / "integrate.c"),
                    "-o", str(program)], check=True)
    return str(program)


def explore(vouch, folder, *words, limit=1800):
    """Seconds, and what the report says."""
    report = pathlib.Path(folder) / "explore.json"
    report.unlink(missing_ok=True)
    begun = time.monotonic()
    done = subprocess.run([vouch, "explore", "--json", str(report), *map(str, words)], env=environment(), capture_output=True,
                          text=True, timeout=limit)
    seconds = time.monotonic() - begun
    if not report.exists():
        raise RuntimeError(f"{words}: status {done.returncode}\n{done.stderr}")
    said = json.loads(report.read_text())
    if not said["exploration"]["exhausted"] and "--max-runs" not in words:
        raise RuntimeError(f"{words}: not exhausted\n{done.stderr}")
    return seconds, said, done


def loop_seconds(command):
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, timeout=600)
    found = re.search(r"loop ([\d.]+)", done.stdout)
    if not found:
        raise RuntimeError(f"{command}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return float(found.group(1))


def rates(vouch, folder):
    print("36 schedules of 4 ranks                       library     schedules/s   seconds   target")
    best = 0
    for library in LIBRARIES:
        program = integrate(library, folder)
        begun, loops = time.monotonic(), 12
        for _ in range(loops):
            subprocess.run(launcher(library, 4) + [program, "again"], env=environment(), check=True, capture_output=True)
        plain = (time.monotonic() - begun) / loops
        print(f"{'plain restart loop, without vouch':<45} {library:<9} {1 / plain:>11.1f} {36 * plain:>9.1f}", flush=True)
        for jobs in (1, 2):
            seconds, said, _ = explore(vouch, folder, "--jobs", jobs, "-n", 4, program, "again")
            runs = said["exploration"]["schedules"]
            if runs != 36:
                raise RuntimeError(f"{runs} schedules")
            best = max(best, runs / seconds)
            print(f"{f'vouch explore --jobs {jobs}':<45} {library:<9} {runs / seconds:>11.1f} {seconds:>9.1f}", flush=True)
    met = best >= LEAST_RATE
    print(f"{'best':<45} {'':<9} {best:>11.1f} {'':>9} {LEAST_RATE:>8.0f}  {verdict(met)}")
    return met


def exhausting(vouch, folder):
    print("\n5,040 schedules of 8 ranks                    library             run    proved   minutes   target")
    good = True
    for library in LIBRARIES:
        seconds, said, _ = explore(vouch, folder, "--prove", "-n", 8, integrate(library, folder))
        run, proved = said["exploration"]["schedules"], said["statistics"]["schedules proved"]
        met = run + proved == 5040 and seconds <= 60 * MAX_MINUTES
        good = good and met
        print(f"{'vouch explore --prove':<45} {library:<9} {run:>13} {proved:>9} {seconds / 60:>9.2f} {MAX_MINUTES:>8.0f}  "
              f"{verdict(met)}", flush=True)
    return good


def discovery(vouch, folder):
    """Bursts fit the ring: that is what ranks pay. Sustained, they wait for the agent, which also keeps all events and values."""
    print("\nfirst run, 2 ranks, Isend, Recv, Wait          library        vouch run   explore    ratio   target")
    good = True
    for library in LIBRARIES:
        program = compile_kernel("exchange", library, folder)
        for title, messages in DISCOVERED.items():
            pairs = []
            for _ in range(TURNS):
                run = loop_seconds([vouch, "run", "-n", "2", program, str(messages)])
                first = loop_seconds([vouch, "explore", "--max-runs", "1", "-n", "2", program, str(messages)])
                pairs.append((run, first))
            run, first = min(p[0] for p in pairs), min(p[1] for p in pairs)
            met = first / run <= MAX_DISCOVERY
            good = good and met
            print(f"{title:<45} {library:<9} {1e9 * run / messages:>11.0f} ns {1e9 * first / messages:>6.0f} ns "
                  f"{first / run:>8.2f} {MAX_DISCOVERY:>8.2f}  {verdict(met)}", flush=True)
    return good


def carried(vouch, folder):
    """What it costs to carry clocks in messages. The kernel takes turns: past vouch, through it."""
    print("\nclocks in messages, 8 bytes, bursts            library      without   vouch run    explore    in band    ratio")
    kinds = {"run": ["run"], "explore": ["explore", "--max-runs", "1"],
             "band": ["explore", "--max-runs", "1", "--clocks-in-band"]}
    for library in LIBRARIES:
        program = compile_kernel("latency", library, folder)
        for mode, title in (("pingpong", "ping-pong"), ("ring", "ring with barrier")):
            past, through = [], {}
            for kind, words in kinds.items():
                done = subprocess.run([vouch, *words, "-n", "2", program, mode, "21", "2000", "30"], env=environment(),
                                      capture_output=True, text=True, timeout=600)
                pairs = [tuple(map(float, line.split())) for line in done.stdout.splitlines()
                         if re.fullmatch(r"[\d.]+ [\d.]+", line)]
                if len(pairs) != 21:
                    raise RuntimeError(f"{kind} {mode}: status {done.returncode}\n{done.stdout}{done.stderr}")
                past += [p for p, _ in pairs]
                through[kind] = statistics.median(t for _, t in pairs)
            without = statistics.median(past)
            print(f"{title:<45} {library:<9} {without:>7.0f} ns {through['run']:>8.0f} ns {through['explore']:>7.0f} ns "
                  f"{through['band']:>7.0f} ns {through['band'] / without:>8.2f}", flush=True)
    return True


def main(build, folder):
    """Prints the tables; True if every target is met."""
    vouch = vouch_of(build)
    load = os.getloadavg()[0]
    if load > 1:
        print(f"note: the machine is busy (load {load:.1f})")
    met = [part(vouch, folder) for part in (rates, exhausting, discovery, carried)]
    return all(met)
