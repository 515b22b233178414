"""What the tests of the command line share: programs, running vouch, processes of a job."""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from pace import limit  # noqa: E402

PROGRAMS = os.path.join(HERE, "programs")
LIBRARIES = [mpi for mpi in ("openmpi", "mpich") if shutil.which("mpicc." + mpi)]
LIMIT = limit(120)  # seconds: generous, since a hang is what is looked for


class Run:
    """A finished run of vouch."""

    def __init__(self, status, out, err, report):
        self.status, self.out, self.err, self.report = status, out, err, report

    def rules(self):
        return [f["rule"] for f in self.report["findings"]]

    def gaps(self):
        return [f'{g["what"]}: {g["reason"]}' for g in self.report["not_checked"]]

    def __str__(self):
        return f"status {self.status}\n--- out\n{self.out}\n--- err\n{self.err}"


class Bench:
    """A folder with compiled programs, and the vouch to test."""

    def __init__(self, vouch):
        self.vouch = os.path.abspath(vouch)
        self.dir = tempfile.mkdtemp(prefix="vouch-cli-")
        self.compiled = {}

    def close(self):
        shutil.rmtree(self.dir, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.dir, name)

    def program(self, name, mpi):
        """programs/NAME.c compiled with one library; the name of its executable."""
        if (name, mpi) not in self.compiled:
            out = f"{name}.{mpi}"
            # MPICH declares MPI_STATUSES_IGNORE in a way that gcc warns of.
            subprocess.run(["mpicc." + mpi, "-g", "-O1", "-Wno-stringop-overflow", os.path.join(PROGRAMS, name + ".c"), "-o", self.path(out)],
                           check=True, cwd=self.dir)
            self.compiled[name, mpi] = "./" + out
        return self.compiled[name, mpi]

    def write(self, name, text, mode=0o644):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(self.path(name), mode)
        return self.path(name)

    def environment(self, extra=None):
        env = dict(os.environ)
        env.pop("NO_COLOR", None)
        env.update({"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"})
        env.update(extra or {})
        return env

    def run(self, *words, env=None, stdin=None, json_report=True, **more):
        """vouch run WORDS; the JSON report is read too."""
        report = self.path("report.json")
        if os.path.exists(report):
            os.remove(report)
        extra = ["--json", report] if json_report else []
        done = subprocess.run([self.vouch, "run", *extra, *words], cwd=self.dir, env=self.environment(env), input=stdin,
                              stdin=subprocess.DEVNULL if stdin is None else None,
                              capture_output=True, text=True, timeout=LIMIT, **more)
        return Run(done.returncode, done.stdout, done.stderr, read_report(report))

    def start(self, *words, env=None):
        """vouch run WORDS, not waited for."""
        return subprocess.Popen([self.vouch, "run", *words], cwd=self.dir, env=self.environment(env), stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def read_report(path):
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError):
        return None


def children(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            return [int(word) for word in file.read().split()]
    except OSError:
        return []


def name_of(pid):
    try:
        with open(f"/proc/{pid}/comm", encoding="utf-8") as file:
            return file.read().strip()
    except OSError:
        return ""


def agent_of(vouch):
    return next((pid for pid in children(vouch) if name_of(pid) == "vouch-agent"), None)


def launcher_of(vouch):
    return next((pid for pid in children(vouch) if name_of(pid).startswith(("mpirun", "orterun", "mpiexec"))), None)


def variable_of(pid, name):
    """The value of a variable in a process's environment."""
    start = name.encode() + b"="
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            for entry in file.read().split(b"\0"):
                if entry.startswith(start):
                    return entry[len(start):].decode()
    except OSError:
        pass
    return None


def socket_of(pid):
    return variable_of(pid, "VOUCH_SOCKET")


def job_of(socket):
    """Live processes of a job."""
    return [int(pid) for pid in os.listdir("/proc") if pid.isdigit() and socket is not None and socket_of(pid) == socket]


def ranks_of(socket, program):
    found = []
    for pid in job_of(socket):
        try:
            if os.path.basename(os.readlink(f"/proc/{pid}/exe")) == os.path.basename(program):
                found.append(pid)
        except OSError:
            pass
    return sorted(found)


def wait_until(condition, seconds=20):
    """Whether it came true in time."""
    end = time.monotonic() + limit(seconds)
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def main(module_globals):
    """Runs the unittest cases of a module with a Bench in Case.bench."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--vouch", required=True)
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    bench = Bench(args.vouch)
    unittest.TestCase.bench = bench
    try:
        result = unittest.main(module=module_globals["__name__"], argv=[sys.argv[0], *args.names], exit=False, verbosity=2).result
    finally:
        bench.close()
    sys.exit(0 if result.wasSuccessful() else 1)


__all__ = ["Bench", "HERE", "LIBRARIES", "LIMIT", "Run", "agent_of", "children", "job_of", "launcher_of", "limit", "main", "name_of", "ranks_of",
           "read_report", "signal", "socket_of", "subprocess", "variable_of", "wait_until"]
