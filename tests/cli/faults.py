#!/usr/bin/env python3
"""Kills or stops every kind of process of a run at random moments, on one node or several.

Whatever happens: the run comes to an end, nothing of the job is left running, nothing with our name is left in shared
memory. Where vouch lives there is a verdict: of a killed rank its number, the signal, the last call and its line, and of no
other rank a crash; of a killed or stopped agent that the rest was not checked, while the application goes on; of a killed
launcher where each rank was; of what was stopped for good that the time limit was reached.

    faults.py --vouch build/bin/vouch --count 500 --seed 1 [--jobs 3]      one node, each library
    faults.py --vouch build/bin/vouch --count 100 --nodes 2                two (network namespaces; needs root)

A failure names the seed of its case: --case SEED runs it again.
"""

import argparse
import concurrent.futures
import os
import random
import resource
import sys
import threading
import time

from common import (HERE, Bench, LIBRARIES, agent_of, children, job_of, launcher_of, limit, name_of, ranks_of, read_report, signal,
                    socket_of, subprocess, variable_of, wait_until)

sys.path.insert(0, os.path.join(os.path.dirname(HERE), "nodes"))
from nodes import Cluster  # noqa: E402

VICTIMS = ("rank", "agent", "vouch", "launcher")
SIGNALS = ("KILL", "STOP", "SEGV")
LENGTH = 1.0   # seconds that the program works
STOPPED = 4    # seconds after which a job with a stopped rank or launcher is ended
LONGEST = 30   # seconds that the end may take, whatever happens
AGENT_END = 10  # the same where only the agent is stopped, besides the program's own time


class Failed(Exception):
    pass


def expect(condition, text):
    if not condition:
        raise Failed(text)


class OneNode:
    ranks = 2

    def start(self, bench, mpi, program, words):
        return bench.start(*words, "-n", str(self.ranks), program, str(LENGTH))

    def agents(self, vouch):
        return [pid for pid in [agent_of(vouch)] if pid]

    def left(self):
        return []


class Nodes:
    ranks = 4

    def __init__(self, cluster, no_disconnect):
        self.cluster, self.no_disconnect = cluster, no_disconnect
        self.networks = {os.stat(f"/run/netns/{name}").st_ino for name in [cluster.head] + cluster.nodes}

    def start(self, bench, mpi, program, words):
        env = bench.environment({"LD_PRELOAD": self.no_disconnect} if mpi == "mpich" else None)
        return subprocess.Popen(self.cluster.at_head([bench.vouch, "run", *words, "--"] + self.cluster.launcher(mpi, self.ranks) +
                                                     [bench.path(program), str(LENGTH)]),
                                cwd=bench.dir, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def named(self, names):
        found = []
        for pid in os.listdir("/proc"):
            try:
                if pid.isdigit() and name_of(pid) in names and os.stat(f"/proc/{pid}/ns/net").st_ino in self.networks:
                    found.append(int(pid))
            except OSError:
                pass
        return found

    def agents(self, _vouch):
        return self.named(("vouch-agent",))

    def left(self):
        return self.named(("vouch-agent", "vouch-guard"))


class Case:
    """What is done to whom, and when; all from one seed."""

    def __init__(self, seed, mpi, victims=VICTIMS, signals=SIGNALS):
        self.random = random.Random(seed)
        self.seed, self.mpi = seed, mpi
        self.victim = self.random.choice(victims)
        self.signal = self.random.choice(signals)
        self.after_up = self.random.random() < 0.7  # else after the start
        self.moment = self.random.uniform(0, LENGTH * 0.9 if self.after_up else 0.6)

    def __str__(self):
        return (f"--mpi {self.mpi} --case {self.seed}: SIG{self.signal} to {self.victim} {self.moment:.3f} s after "
                f"{'all were up' if self.after_up else 'the start'}")


def rank_of(pid):
    for name in ("OMPI_COMM_WORLD_RANK", "PMI_RANK"):
        value = variable_of(pid, name)
        if value is not None:
            return int(value)
    return None


def find_socket(vouch):
    launcher = launcher_of(vouch)
    return socket_of(launcher) if launcher else None


class Fault:
    """One run, one signal."""

    def __init__(self, bench, place, case):
        self.bench, self.place, self.case = bench, place, case
        self.program = bench.program("works", case.mpi)
        self.report = bench.path(f"report.{case.mpi}.{case.seed}.json")
        self.socket = self.rank = self.run = None
        self.out = self.err = ""

    def words(self):
        words = ["--json", self.report]
        if self.case.signal == "STOP" and self.case.victim in ("rank", "launcher"):
            words += ["--timeout", str(limit(LENGTH) + STOPPED)]
        return words

    def target(self):
        """Whom to hit, if it is there."""
        victim = self.case.victim
        if victim == "vouch":
            return self.run.pid
        if victim == "launcher":
            return launcher_of(self.run.pid)
        if victim == "agent":
            return self.case.random.choice(sorted(self.place.agents(self.run.pid)) or [None])
        wait_until(lambda: ranks_of(self.socket, self.program) or self.run.poll() is not None)
        pid = self.case.random.choice(ranks_of(self.socket, self.program) or [None])
        self.rank = rank_of(pid) if pid else None
        return pid

    def strike(self):
        """True: the signal was sent."""
        run, case = self.run, self.case
        wait_until(lambda: find_socket(run.pid) or run.poll() is not None)
        self.socket = find_socket(run.pid)
        if case.after_up:
            line = run.stdout.readline()
            self.out += line
            expect(line == "up\n", f"the program did not start: {line}")
        time.sleep(case.moment)
        pid = self.target()
        if pid is None or run.poll() is not None:
            return False
        try:
            os.kill(pid, getattr(signal, "SIG" + case.signal))
        except ProcessLookupError:
            return False
        if case.victim == "vouch" and case.signal == "STOP":
            expect(wait_until(lambda: not self.job(), LONGEST), "the job does not end while vouch is stopped")
            os.kill(pid, signal.SIGCONT)
        return True

    def job(self):
        return job_of(self.socket)

    def go(self):
        try:
            self.run = self.place.start(self.bench, self.case.mpi, self.program, self.words())
            sent = self.strike()
            begun = time.monotonic()
            try:
                out, err = self.run.communicate(timeout=limit(LONGEST))
            except subprocess.TimeoutExpired as slow:
                raise Failed(f"vouch does not end; there are {self.processes()}") from slow
            self.out += out
            self.err += err
            self.check(sent, time.monotonic() - begun)
            return sent
        finally:
            self.clean_up()

    def processes(self):
        return [(pid, name_of(pid)) for pid in [self.run.pid] + children(self.run.pid) + self.job()]

    def clean_up(self):
        if self.run is not None and self.run.poll() is None:
            self.run.kill()
            self.run.wait()
        for pid in self.job() + self.place.left():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        if os.path.exists(self.report):
            os.remove(self.report)

    def check(self, sent, seconds):
        text = f"status {self.run.returncode}\n{self.out}\n{self.err}"
        expect(wait_until(lambda: not self.job(), 15), f"still running: {self.processes()}")
        # An agent whose ranks were killed before they came to it waits 30 s for others (docs/design/006-tree.md).
        expect(wait_until(lambda: not self.place.left(), 40), f"agents left: {[(p, name_of(p)) for p in self.place.left()]}")
        left = [name for name in os.listdir("/dev/shm") if "vouch" in name]
        expect(not left, f"left in shared memory: {left}")
        killed = self.case.signal != "STOP"
        if self.case.victim == "vouch" and killed and sent:
            return
        summary = read_report(self.report)
        expect(summary is not None, "there is no report: " + text)
        gaps = " ".join(f'{g["what"]} {g["reason"]}' for g in summary["not_checked"])
        crashes = [f for f in summary["findings"] if f["rule"].startswith("crash/")]
        others = [f["rule"] for f in summary["findings"] if f["severity"] != "info" and f not in crashes]
        expect(not others, "a finding that is none: " + text)
        self.gaps, self.crashes, self.text, self.seconds = gaps, crashes, text, seconds
        status = self.run.returncode
        if not sent:
            expect(status == 0 and not crashes, "nothing was done to it, but: " + text)
        elif self.case.victim == "rank" and killed:
            self.check_killed_rank(status)
        else:
            expect(not crashes, "a crash, but no rank was killed: " + text)
            getattr(self, "check_" + self.case.victim)(status, killed)

    # At the very end, or before the first call, a death may go unnoticed or unexplained; in between it must not.
    def check_killed_rank(self, status):
        finished = "done" in self.out
        wrong = [f["ranks"] for f in self.crashes if f["ranks"] != [self.rank]]
        expect(not wrong, f"rank {self.rank} was killed, but {wrong} named: {self.text}")
        if not self.case.after_up or finished:
            return
        expect(status == 60, "no error for a killed rank: " + self.text)
        expect(len(self.crashes) == 1, "not one crash: " + self.text)
        expect(f"SIG{self.case.signal}" in str(self.crashes[0]), "another signal is named: " + self.text)
        place = self.crashes[0]["locations"][0]
        expect(place["call"].startswith("MPI_") and place["line"] > 0, "its last call is not named: " + self.text)

    def check_rank(self, status, _killed):
        if "done" not in self.out:
            expect(status == 61 and "time limit" in self.gaps, "a stopped rank: " + self.text)

    def check_agent(self, status, killed):
        expect("done" in self.out, "the application did not go on without the agent: " + self.text)
        expect(status in (0, 61), "a lost agent is no error of the program: " + self.text)
        expect(status == 0 or "agent" in self.gaps, "the report does not name the agent: " + self.text)
        if not killed:
            expect(self.seconds < limit(LENGTH + AGENT_END), f"the end came after {self.seconds:.1f} s: {self.text}")

    def check_vouch(self, status, _killed):
        expect(status in (0, 61), "vouch was stopped and went on: " + self.text)

    def check_launcher(self, status, killed):
        finished = "done" in self.out
        if not killed:
            expect(status in (0, 61), "a stopped launcher: " + self.text)
            expect(finished or "time limit" in self.gaps, "a stopped launcher: " + self.text)
        elif self.case.after_up and not finished:
            expect(status == 61, "a killed launcher is no error of the program: " + self.text)
            for rank in range(self.place.ranks):
                known = f"rank {rank} it was in MPI_" in self.gaps or f"rank {rank} it was after MPI_" in self.gaps
                expect(known, f"the report does not tell where rank {rank} was: " + self.text)
        else:
            expect(status in (0, 60, 61, 137, 139), "unknown status: " + self.text)


def run_all(bench, place, mpi, seeds, args):
    sent, failures, count, lock = 0, 0, {}, threading.Lock()

    def one(seed):
        nonlocal sent, failures
        case = Case(seed, mpi, args.victim or VICTIMS, args.signal or SIGNALS)
        try:
            hit, failure = Fault(bench, place, case).go(), None
        except Failed as why:
            hit, failure = True, why
        with lock:
            sent += hit
            key = f"{case.victim} {case.signal}"
            count[key] = count.get(key, 0) + hit
            if failure is not None:
                failures += 1
                print(f"FAILED {case}: {failure}", flush=True)

    bench.program("works", mpi)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        list(pool.map(one, seeds))
    each = ", ".join(f"{key} {count[key]}" for key in sorted(count))
    print(f"{mpi:8} {sent} signals in {len(seeds)} runs, {failures} failed ({each})", flush=True)
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vouch", required=True)
    parser.add_argument("--count", type=int, default=12, help="runs with each library")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--case", type=int, help="one run only, as a failure names it")
    parser.add_argument("--jobs", type=int, default=1, help="at once")
    parser.add_argument("--nodes", type=int, default=1)
    parser.add_argument("--victim", choices=VICTIMS, action="append")
    parser.add_argument("--signal", choices=SIGNALS, action="append")
    parser.add_argument("--mpi", choices=LIBRARIES, action="append")
    args = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    seeds = [args.case] if args.case is not None else range(args.seed * 1_000_000, args.seed * 1_000_000 + args.count)
    bench = Bench(args.vouch)
    failures = 0
    try:
        if args.nodes == 1:
            for mpi in args.mpi or LIBRARIES:
                failures += run_all(bench, OneNode(), mpi, seeds, args)
        else:
            if args.jobs != 1:
                parser.error("over several nodes there is one run at a time")
            no_disconnect = bench.path("no_disconnect.so")
            subprocess.run(["cc", "-shared", "-fPIC", "-o", no_disconnect,
                            os.path.join(os.path.dirname(HERE), "nodes", "no_disconnect.c")], check=True)
            with Cluster(args.nodes) as cluster:
                for mpi in args.mpi or LIBRARIES:
                    failures += run_all(bench, Nodes(cluster, no_disconnect), mpi, seeds, args)
    finally:
        bench.close()
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
