"""How soon a deadlock is told, and what watching for it costs.

From the moment in which the last rank begins to wait until the report is on the terminal; and the stress test of the
MUST paper, through vouch and past it in turns within one run, as long as it takes the agent to be busy all the time.
"""

import os
import re
import statistics
import subprocess
import time

from mpi import LIBRARIES, compile_kernel, environment, launcher, verdict, vouch_of
from overhead import timing

RUNS = 20
MAX_SECONDS = 1.0  # median, 4 ranks
MAX_SLOWDOWN = 3.0  # of the stress test, 2 ranks


def hang(vouch, library, program, kind, ranks=4):
    """Seconds from the hang to the report, and to the end of the run."""
    command = [vouch, "run", "--timeout", "60", "--"] + launcher(library, ranks) + [program, kind]
    job = subprocess.Popen(command, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    told = None
    errors = []
    for line in job.stderr:
        errors.append(line)
        if told is None and "[deadlock/" in line:
            told = time.clock_gettime(time.CLOCK_MONOTONIC)
    output = job.stdout.read()
    job.wait(timeout=90)
    ended = time.clock_gettime(time.CLOCK_MONOTONIC)
    stamps = [float(stamp) for stamp in re.findall(r"hangs (\d+\.\d+)", output)]
    if told is None or len(stamps) != ranks or job.returncode != 60:
        raise RuntimeError(f"{library} {kind}: status {job.returncode}, {len(stamps)} ranks\n{output}{''.join(errors)}")
    return told - max(stamps), ended - max(stamps)


def main(build, folder):
    """Prints the tables; True if every target is met."""
    vouch = vouch_of(build)
    good = True
    load = os.getloadavg()[0]
    if load > 1:
        print(f"note: the machine is busy (load {load:.1f})")
    print(f"from hang to report, 4 ranks, {RUNS} runs   library      median   longest   target")
    for library in LIBRARIES:
        program = compile_kernel("hang", library, folder)
        for kind in ("recv", "wildcard", "barrier"):
            times = [hang(vouch, library, program, kind)[0] for _ in range(RUNS)]
            met = statistics.median(times) < MAX_SECONDS
            good = good and met
            print(f"{kind:<40} {library:<9} {statistics.median(times):>7.2f} s {max(times):>7.2f} s {MAX_SECONDS:>6.2f} s  "
                  f"{verdict(met)}", flush=True)
    print("\nstress test, 2 ranks, all checks           library       without        with    ratio   target")
    for library in LIBRARIES:
        program = compile_kernel("latency", library, folder)
        past, through, ratio = timing(vouch, library, program, "stress", 5, 300000, 1500)
        met = ratio <= MAX_SLOWDOWN
        good = good and met
        print(f"{'Isend right, Recv left, Wait; barriers':<42} {library:<9} {past:>7.0f} ns {through:>8.0f} ns {ratio:>8.2f} "
              f"{MAX_SLOWDOWN:>8.2f}  {verdict(met)}", flush=True)
    return good
