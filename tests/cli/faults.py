#!/usr/bin/env python3
"""Kills every kind of process of a run at random moments.

Whatever dies: nothing hangs, nothing of the job is left running, nothing with our name is left in shared memory.
Where vouch lives there is a verdict: of a killed rank the last call and its line; of a killed agent that the rest was not
checked, while the application goes on; of a killed launcher where each rank was.
"""

import argparse
import os
import random
import sys
import time

from common import (Bench, LIBRARIES, agent_of, job_of, launcher_of, limit, ranks_of, read_report, signal, socket_of, subprocess,
                    wait_until)

VICTIMS = ("rank", "agent", "vouch", "launcher")
LENGTH = 1.0  # seconds that the program works


class Failed(Exception):
    pass


def expect(condition, text):
    if not condition:
        raise Failed(text)


def find_socket(vouch):
    launcher = launcher_of(vouch)
    return socket_of(launcher) if launcher else None


def one(bench, mpi, victim, moment, after_up):
    """One run, one death. `moment`: seconds after the start, or after all ranks are up."""
    program = bench.program("works", mpi)
    report = bench.path("report.json")
    if os.path.exists(report):
        os.remove(report)
    run = bench.start("--json", report, "-n", "2", program, str(LENGTH))
    pids = {"vouch": run.pid}
    socket = None
    killed = False
    try:
        expect(wait_until(lambda: find_socket(run.pid) or run.poll() is not None), "the launcher did not start")
        socket = find_socket(run.pid)
        up = False
        if after_up:
            up = run.stdout.readline() == "up\n"
            expect(up, "the program did not start")
        time.sleep(moment)
        pids["launcher"] = launcher_of(run.pid)
        pids["agent"] = agent_of(run.pid)
        if victim == "rank":
            wait_until(lambda: ranks_of(socket, program) or run.poll() is not None)
            pids["rank"] = random.choice(ranks_of(socket, program) or [None])
        if pids[victim] is not None and run.poll() is None:
            try:
                os.kill(pids[victim], signal.SIGKILL)
                killed = True
            except ProcessLookupError:
                pass
        try:
            out, err = run.communicate(timeout=limit(60))
        except subprocess.TimeoutExpired as slow:
            raise Failed("vouch hangs") from slow
        expect(wait_until(lambda: not job_of(socket), 15), f"still running: {job_of(socket)}")
        left = [name for name in os.listdir("/dev/shm") if "vouch" in name]
        expect(not left, f"left in shared memory: {left}")
        if victim == "vouch":
            return killed
        text = f"status {run.returncode}\n{out}\n{err}"
        summary = read_report(report)
        expect(summary is not None, "there is no report: " + text)
        if not killed:
            expect(run.returncode == 0, "it ended before the kill, but: " + text)
            return killed
        check_verdict(victim, summary, run.returncode, out, after_up, text)
        return killed
    finally:
        if run.poll() is None:
            run.kill()
            run.wait()
        for pid in job_of(socket):
            os.kill(pid, signal.SIGKILL)


def check_verdict(victim, summary, status, out, after_up, text):
    # At the very end, or before the first call, a death may go unnoticed or unexplained; in between it must not.
    finished = "done" in out
    if victim == "rank" and after_up and not finished:
        expect(status == 60, "no error for a killed rank: " + text)
        crash = [f for f in summary["findings"] if f["rule"].startswith("crash/")]
        expect(len(crash) == 1, "not one crash: " + text)
        place = crash[0]["locations"][0]
        expect(place["call"].startswith("MPI_") and place["line"] > 0, "its last call is not named: " + text)
    elif victim == "agent" and not finished:
        raise Failed("the application did not go on without the agent: " + text)
    elif victim == "agent":
        expect(status in (0, 61), "a killed agent is no error of the program: " + text)
        gaps = " ".join(g["reason"] for g in summary["not_checked"])
        expect(status == 0 or "agent" in gaps, "the report does not tell of the agent: " + text)
    elif victim == "launcher" and after_up and not finished:
        expect(status == 61, "a killed launcher is no error of the program: " + text)
        gaps = " ".join(f'{g["what"]} {g["reason"]}' for g in summary["not_checked"])
        for rank in ("rank 0 it was in MPI_", "rank 1 it was in MPI_"):
            after = rank.replace("was in", "was after")
            expect(rank in gaps or after in gaps, f"the report does not tell where {rank[:6]} was: " + text)
    else:
        expect(status in (0, 60, 61, 137), "unknown status: " + text)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vouch", required=True)
    parser.add_argument("--moments", type=int, default=1, help="per kind of process and library")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--victim", choices=VICTIMS, action="append")
    parser.add_argument("--mpi", choices=LIBRARIES, action="append")
    args = parser.parse_args()
    random.seed(args.seed)
    bench = Bench(args.vouch)
    failures = 0
    try:
        for mpi in args.mpi or LIBRARIES:
            for victim in args.victim or VICTIMS:
                killed = 0
                for number in range(args.moments):
                    after_up = number % 3 != 2
                    moment = random.uniform(0, LENGTH * 0.9 if after_up else 0.6)
                    try:
                        killed += one(bench, mpi, victim, moment, after_up)
                    except Failed as failure:
                        failures += 1
                        print(f"FAILED {mpi} {victim} {moment:.3f} s after {'all were up' if after_up else 'the start'}: {failure}")
                print(f"{mpi:8} {victim:8} {killed} of {args.moments} killed", flush=True)
    finally:
        bench.close()
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
