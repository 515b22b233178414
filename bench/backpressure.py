"""Ranks that are faster than the agent, and ranks that are faster than their partners.

A rank floods the agent with calls while the agent is stopped: it must wait when its ring is full, go on when the agent
does, and no call may be lost. A rank sends to one that is slower than itself (D10). Neither a rank nor the agent may grow
with the number of calls.
"""

import json
import os
import pathlib
import re
import signal
import subprocess
import time

from mpi import LIBRARIES, compile_kernel, environment, launcher, verdict, vouch_of

CALLS = 10_000_000
MAX_GROWTH_KIB = 16 * 1024  # of either side: a ring is 4 MiB


def status_kib(pid, key):
    try:
        for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith(key):
                return int(line.split()[1])
    except OSError:
        pass
    return None


def cpu_ticks(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


def agent_of(vouch_pid):
    """The child of vouch that runs the same program."""
    program = os.readlink(f"/proc/{vouch_pid}/exe")
    for child in pathlib.Path(f"/proc/{vouch_pid}/task/{vouch_pid}/children").read_text().split():
        if os.readlink(f"/proc/{child}/exe") == program:
            return int(child)
    raise RuntimeError("vouch has no agent")


def wait_for(condition, seconds, what):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise RuntimeError(f"waited {seconds} s for {what}")
        time.sleep(0.01)


def wait_until_blocked(pid):
    """Until the process has used no processor time for half a second."""
    quiet = 0
    last = cpu_ticks(pid)
    end = time.monotonic() + 60
    while quiet < 5:
        time.sleep(0.1)
        now = cpu_ticks(pid)
        quiet = quiet + 1 if now == last else 0
        last = now
        if time.monotonic() > end:
            raise RuntimeError("the flooding rank was never stopped by a full ring")


def flood(vouch, library, folder):
    program = compile_kernel("flood", library, folder)
    ready = pathlib.Path(folder) / f"ready.{library}"
    report = pathlib.Path(folder) / f"report.{library}.json"
    command = [vouch, "run", "--json", str(report), "--"] + launcher(library, 1) + [program, str(CALLS), str(ready)]
    job = subprocess.Popen(command, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    agent = None
    try:
        wait_for(lambda: ready.exists() and ready.read_text().endswith("\n"), 60, "the rank")
        rank = int(ready.read_text())
        agent = agent_of(job.pid)
        before = status_kib(agent, "VmRSS:")
        os.kill(agent, signal.SIGSTOP)
        ready.unlink()
        wait_until_blocked(rank)
        os.kill(agent, signal.SIGCONT)
        peak = before
        while job.poll() is None:
            peak = max(peak, status_kib(agent, "VmHWM:") or 0)
            time.sleep(0.05)
        output = job.communicate(timeout=60)[0]
    finally:
        if agent is not None and job.poll() is None:
            os.kill(agent, signal.SIGCONT)
        if job.poll() is None:
            job.terminate()
            job.wait(timeout=30)
    if job.returncode != 0:
        raise RuntimeError(f"status {job.returncode}:\n{output}")
    grown = re.search(r"grown (\d+)", output)
    seen = json.loads(report.read_text())["statistics"].get("MPI_Send", 0)
    return seen, int(grown.group(1)), peak - before


def ahead(vouch, library, folder, messages=CALLS, work=200):
    """Seconds, how much the agent grew after the first third, and the report, with a sender far ahead of its receiver."""
    program = compile_kernel("ahead", library, folder)
    report = pathlib.Path(folder) / f"ahead.{library}.json"
    command = [vouch, "run", "--json", str(report), "--"] + launcher(library, 2) + [program, str(messages), str(work)]
    start = time.monotonic()
    job = subprocess.Popen(command, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    sizes = []
    try:
        while job.poll() is None:
            try:
                sizes.append(status_kib(agent_of(job.pid), "VmRSS:") or 0)
            except (RuntimeError, OSError):
                pass
            time.sleep(0.05)
        output = job.communicate(timeout=60)[0]
    finally:
        if job.poll() is None:
            job.terminate()
            job.wait(timeout=30)
    if job.returncode not in (0, 61) or "sum right" not in output:
        raise RuntimeError(f"status {job.returncode}:\n{output}")
    early = max(sizes[:max(1, len(sizes) // 3)])
    return time.monotonic() - start, max(sizes) - early, json.loads(report.read_text())


def main(build, folder):
    """Prints the tables; True if nothing was lost and memory is bounded."""
    vouch = vouch_of(build)
    good = True
    print(f"back-pressure: {CALLS} calls against a stopped agent")
    print("library        calls seen   rank grew   agent grew")
    for library in LIBRARIES:
        seen, rank, agent = flood(vouch, library, folder)
        met = seen == CALLS and rank <= MAX_GROWTH_KIB and agent <= MAX_GROWTH_KIB
        good = good and met
        print(f"{library:<9} {seen:>15} {rank:>7} KiB {agent:>8} KiB   {verdict(met)}", flush=True)
    print(f"\na sender of {CALLS} messages, and a slower receiver")
    print("library      seconds   agent grew   verdict")
    for library in LIBRARIES:
        seconds, grown, report = ahead(vouch, library, folder)
        met = grown <= MAX_GROWTH_KIB and report["verdict"] == "clean"
        good = good and met
        print(f"{library:<9} {seconds:>9.1f} {grown:>8} KiB   {report['verdict']:<12} {verdict(met)}", flush=True)
    return good
