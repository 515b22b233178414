#!/usr/bin/env python3
"""What loads and stores cost: a tracer advection over four windows, as it is, built with vouch fc, and that under vouch run.

    bench/instrument.py [--vouch build/bin/vouch] [--rounds 5]
"""

import argparse
import os
import shutil
import statistics
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def seconds(command, env):
    done = subprocess.run(command, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    lines = dict(line.split(None, 1) for line in done.stdout.splitlines() if " " in line)
    if "seconds" not in lines:
        raise SystemExit(f"{' '.join(command)} ends with status {done.returncode}\n{done.stdout}{done.stderr}")
    return float(lines["seconds"]), lines["total"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vouch", default="build/bin/vouch")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    vouch = os.path.abspath(arguments.vouch)
    env = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    source = os.path.join(HERE, "kernels", "advection.f90")
    print(f"{'library':<10}{'as it is':>10}{'built with vouch fc':>22}{'under vouch run':>18}")
    for mpi in ("openmpi", "mpich"):
        if not shutil.which("mpifort." + mpi):
            continue
        with tempfile.TemporaryDirectory(prefix="vouch-bench-") as folder:
            plain, built = os.path.join(folder, "plain"), os.path.join(folder, "built")
            for compiler, out in ((["mpifort." + mpi], plain), ([vouch, "fc", "--mpi", mpi], built)):
                subprocess.run([*compiler, "-O2", "-g", source, "-o", out], check=True, cwd=folder, env=env)
            launcher = ["mpirun.openmpi", "--oversubscribe", "-np", "2"] if mpi == "openmpi" else ["mpirun.mpich", "-np", "2"]
            ways = ([*launcher, plain], [*launcher, built], [vouch, "run", "-n", "2", built])
            times, totals = [[], [], []], set()
            for _ in range(arguments.rounds):
                for way, found in zip(ways, times):
                    took, total = seconds(way, env)
                    found.append(took)
                    totals.add(total)
            if len(totals) != 1:
                raise SystemExit(f"the results differ: {totals}")
            best = [min(found) for found in times]
            spread = statistics.median(times[2]) / statistics.median(times[0])
            print(f"{mpi:<10}{best[0]:>8.3f} s{best[1]:>10.3f} s ({best[1] / best[0]:.2f}x){best[2]:>8.3f} s ({best[2] / best[0]:.2f}x)"
                  f"   median {spread:.2f}x")


if __name__ == "__main__":
    main()
