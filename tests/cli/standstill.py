#!/usr/bin/env python3
"""Runs a short unchanged program very often, beside busy loops, and looks for a run that stands still.

    standstill.py --vouch build/bin/vouch --count 2000 --loops 8 [--jobs 2] [--mpi mpich] [--plain]

A run that takes longer than its limit is looked at twice: its ranks' stacks (gdb) and the words of their rings (how much is
written and read, which call was entered and left last) go to a file in --keep. If the words differ between the two looks
the run is slow; if not, it stands still. With --plain the program runs without vouch, for comparison. SIGTERM ends it after the
runs under way, with the numbers so far.
"""

import argparse
import concurrent.futures
import os
import shutil
import struct
import sys
import threading
import time

from common import Bench, children, launcher_of, name_of, ranks_of, signal, socket_of, subprocess

RANKS = 4


def ring_words(pid):
    """Of each ring of a process: head, tentative, polls, left, entered, closed, full_waits, and the agent's tail."""
    words = []
    try:
        with open(f"/proc/{pid}/maps", encoding="utf-8") as maps, open(f"/proc/{pid}/mem", "rb", 0) as memory:
            for line in maps:
                fields = line.split()
                if "memfd:vouch-ring" not in line or int(fields[2], 16) != 0:
                    continue
                memory.seek(int(fields[0].split("-")[0], 16))
                header = memory.read(128)
                words.append(struct.unpack_from("<QQQIIII", header, 0) + struct.unpack_from("<Q", header, 64))
    except (OSError, ValueError):
        pass
    return words


def offspring(pid):
    found = []
    for child in children(pid):
        found += [child] + offspring(child)
    return found


def stacks(pid):
    if shutil.which("gdb") is None:
        return "(no gdb)\n"
    done = subprocess.run(["gdb", "-q", "-batch", "-p", str(pid), "-ex", "thread apply all bt 25"], capture_output=True, text=True)
    return done.stdout


class Watch:
    def __init__(self, bench, args):
        self.bench, self.args = bench, args
        self.program = bench.program("laps", args.mpi)
        self.lock = threading.Lock()
        self.times, self.slow, self.still, self.failed = [], 0, 0, 0
        self.over = False

    def ranks(self, run):
        socket = socket_of(launcher_of(run.pid) or 0)
        if socket is not None:
            return ranks_of(socket, self.program)
        name = os.path.basename(self.program)
        return [pid for pid in offspring(run.pid) if name_of(pid) == name[:15]]

    def look(self, run, number):
        """What a run that takes too long is about; True: it stands still."""
        ranks = self.ranks(run)
        before = [ring_words(pid) for pid in ranks]
        first = "".join(f"--- {pid}\n{stacks(pid)}" for pid in ranks)
        time.sleep(5)
        after = [ring_words(pid) for pid in ranks]
        second = "".join(f"--- {pid}\n{stacks(pid)}" for pid in ranks)
        ended = run.poll() is not None
        still = not ended and before == after
        with open(os.path.join(self.args.keep, f"run{number}.txt"), "w", encoding="utf-8") as out:
            out.write(f"{'stands still' if still else 'is slow'}\nrings before {before}\nrings after  {after}\n{first}\n=== later\n{second}")
        return still

    def one(self, number):
        if self.over:
            return
        words = [self.program, str(self.args.laps)]
        if self.args.plain:
            command = ["mpirun." + self.args.mpi, "-n", str(RANKS), *words]
        else:
            command = [self.bench.vouch, "run", "-n", str(RANKS), *words]
        begun = time.monotonic()
        run = subprocess.Popen(command, cwd=self.bench.dir, env=self.bench.environment(), stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        still = slow = False
        out = ""
        try:
            out, _ = run.communicate(timeout=self.args.limit)
        except subprocess.TimeoutExpired:
            slow, still = True, self.look(run, number)
            try:
                out, _ = run.communicate(timeout=1 if still else 10 * self.args.limit)
            except subprocess.TimeoutExpired:
                still = True
                run.send_signal(signal.SIGTERM)
                out, _ = run.communicate()
        with self.lock:
            self.times.append(time.monotonic() - begun)
            self.slow += slow and not still
            self.still += still
            if run.returncode != 0:
                self.failed += not still
                print(f"run {number}: status {run.returncode}, {'stood still' if still else ''}\n{out}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vouch", required=True)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--loops", type=int, default=8)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--laps", type=int, default=20)
    parser.add_argument("--limit", type=float, default=60, help="seconds after which a run is looked at")
    parser.add_argument("--mpi", choices=("openmpi", "mpich"), default="mpich")
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--keep", default=".", help="folder for what is seen of slow runs")
    args = parser.parse_args()
    bench = Bench(args.vouch)
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(args.loops)]
    watch = Watch(bench, args)
    signal.signal(signal.SIGTERM, lambda *_: setattr(watch, "over", True))
    try:
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            list(pool.map(watch.one, range(args.count)))
    finally:
        for loop in loops:
            loop.kill()
        bench.close()
    times = sorted(watch.times)
    print(f"{args.mpi} {'without' if args.plain else 'with'} vouch: {len(times)} runs, median {times[len(times) // 2]:.2f} s, "
          f"longest {times[-1]:.2f} s; slow {watch.slow}, stood still {watch.still}, other failures {watch.failed}")
    sys.exit(1 if watch.still or watch.failed else 0)


if __name__ == "__main__":
    main()
