#!/usr/bin/env python3
"""What messages that wait to be received, and requests that pend, cost the agent, and what is said where there are too many.

    unexpected.py --vouch build/bin/vouch [--many]

With --many ten million messages and, as far as the library can, a million requests; an MPI library itself needs some GB for
that, and a library for which there is not enough memory is left out.
"""

import argparse
import os
import sys
import threading
import time

from common import Bench, LIBRARIES, agent_of, limit, read_report, subprocess, wait_until

MESSAGE = 100       # bytes of the agent for each of them, at most
REQUEST = 1500
MANY_MESSAGES = 10_000_000
MANY_REQUESTS = {"openmpi": 1_000_000, "mpich": 250_000}  # of more than 2^18 at once MPICH 4.0 dies
LIBRARY = {"openmpi": 1000, "mpich": 400}  # bytes that the MPI library itself needs for a message


def kib(path, key):
    try:
        with open(path, encoding="ascii") as file:
            return next((int(line.split()[1]) for line in file if line.startswith(key + ":")), 0)
    except OSError:
        return 0


def worked(pid):
    """Processor time of a process."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            fields = file.read().rsplit(")", 1)[1].split()
    except OSError:
        return -1
    return int(fields[11]) + int(fields[12])


class Flood:
    """A run of programs/flood.c, and what the agent needed at most by the time of its sign and in all."""

    def __init__(self, bench, mpi, mode, count, *options):
        sign, report = bench.path("sign"), bench.path("flood.json")
        for path in (sign, report):
            if os.path.exists(path):
                os.remove(path)
        words = [*options, "--json", report, "-n", "2", bench.program("flood", mpi), mode, str(count), sign]
        start = time.monotonic()
        job = bench.start(*words)
        said = []
        reader = threading.Thread(target=lambda: said.extend(job.communicate()))
        reader.start()
        try:
            self.agent, self.peak, self.at_sign = None, 0, 0
            patience = 60 + count / 5000  # seconds; what is too slow is a failure
            wait_until(lambda: not self.look(job) or os.path.exists(sign), patience)
            if os.path.exists(sign):
                self.wait_until_idle()
                self.at_sign = kib(f"/proc/{self.agent}/status", "VmHWM")
                os.remove(sign)
            self.ended = wait_until(lambda: not self.look(job) and job.poll() is not None, patience)
        finally:
            if job.poll() is None:
                job.terminate()
            reader.join()
        self.seconds = time.monotonic() - start
        self.status, self.report, self.err = job.returncode, read_report(report), said[1]

    def look(self, job):
        self.agent = self.agent or agent_of(job.pid)
        self.peak = max(self.peak, kib(f"/proc/{self.agent}/status", "VmHWM"))
        return job.poll() is None

    def wait_until_idle(self):
        """The agent has read all there is. While somebody waits it looks at them time and again, which is little."""
        before, calm = worked(self.agent), 0
        while calm < 3:
            time.sleep(limit(0.2))
            now = worked(self.agent)
            calm = calm + 1 if now - before <= 2 else 0
            before = now

    def found(self):
        return sorted({f["rule"] for f in self.report["findings"] if f["severity"] != "info"})

    def gaps(self):
        return {gap["what"]: gap["count"] for gap in self.report["not_checked"]}

    def __str__(self):
        return (f"status {self.status}, {self.seconds:.0f} s, agent {self.at_sign} KiB at the sign, {self.peak} KiB in all\n"
                f"{self.err}")


class Tests:
    def __init__(self, bench):
        self.bench, self.failed = bench, 0

    def check(self, name, flood, *, status, found=(), gaps=(), bytes_each=None, most=None, peak=None):
        """found: rules; gaps: what is not checked; bytes_each: measured, and at most `most`; peak: KiB of the agent."""
        wrong = []
        if flood.report is None or not flood.ended:
            wrong.append("it did not end")
        else:
            if flood.status != status:
                wrong.append(f"status {flood.status} and not {status}")
            if flood.found() != sorted(found):
                wrong.append(f"found {flood.found()}")
            if sorted(flood.gaps()) != sorted(gaps):
                wrong.append(f"not checked: {flood.gaps()}")
        if bytes_each is not None and not 0 < bytes_each <= most:
            wrong.append(f"{bytes_each:.0f} bytes each, more than {most}")
        if peak is not None and flood.peak > peak:
            wrong.append(f"{flood.peak} KiB, more than {peak}")
        each = "" if bytes_each is None else f", {bytes_each:.0f} bytes each"
        print(f"{'FAILED' if wrong else 'ok':7} {name}{each}, {flood.peak} KiB, {flood.seconds:.0f} s", flush=True)
        if wrong:
            self.failed += 1
            print("; ".join(wrong) + f"\n{flood}", flush=True)

    def cost(self, mpi, mode, few, many, most, **expected):
        """Between two counts, so that what an agent needs anyway is not counted."""
        small = Flood(self.bench, mpi, mode, few)
        large = Flood(self.bench, mpi, mode, many)
        each = (large.at_sign - small.at_sign) * 1024 / (many - few)
        self.check(f"{mpi} {mode} {many}", large, bytes_each=each, most=most, **expected)

    def few(self, mpi):
        # More than 2^20, from where on a rank's records have to wait.
        self.cost(mpi, "buffered", 50_000, 1_100_000, MESSAGE, status=0)
        self.cost(mpi, "requests", 2_000, 20_000, REQUEST, status=0)
        # What is known of the oldest is enough to find the mistakes.
        limited = ["--most-unexpected", "5000"]
        self.check(f"{mpi} limited", Flood(self.bench, mpi, "buffered", 50_000, *limited), status=61,
                   gaps=["messages that waited long", "waiting"])
        self.check(f"{mpi} limited, lost", Flood(self.bench, mpi, "lost", 50_000, *limited), status=60,
                   found=["unmatched/send"], gaps=["messages that waited long", "waiting"])
        self.check(f"{mpi} standard", Flood(self.bench, mpi, "standard", 20_000), status=60, found=["deadlock/wait-cycle"])

    def many(self, mpi):
        if kib("/proc/meminfo", "MemAvailable") * 1024 > MANY_MESSAGES * (LIBRARY[mpi] + MESSAGE):
            flood = Flood(self.bench, mpi, "buffered", MANY_MESSAGES)
            self.check(f"{mpi} buffered {MANY_MESSAGES}", flood, status=0, peak=1024 * 1024)
        else:
            print(f"skipped {mpi} buffered {MANY_MESSAGES}: not enough memory", flush=True)
        count = MANY_REQUESTS[mpi]
        flood = Flood(self.bench, mpi, "requests", count)
        self.check(f"{mpi} requests {count}", flood, status=0, peak=REQUEST * count // 1024)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vouch", required=True)
    parser.add_argument("--many", action="store_true")
    parser.add_argument("--mpi", choices=LIBRARIES, action="append")
    args = parser.parse_args()
    bench = Bench(args.vouch)
    tests = Tests(bench)
    try:
        for mpi in args.mpi or LIBRARIES:
            (tests.many if args.many else tests.few)(mpi)
    finally:
        bench.close()
    sys.exit(1 if tests.failed else 0)


if __name__ == "__main__":
    main()
