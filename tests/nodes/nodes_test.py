#!/usr/bin/env python3
"""Jobs over several nodes, launched by mpirun itself, with an agent on each node (nodes.py)."""

import argparse
import glob
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

from nodes import SKIP, Cluster

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import pace  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
DEADLOCKS = {"d1": "deadlock/wait-cycle", "d2": "deadlock/wait-cycle", "d3": "deadlock/wildcard-knot",
             "d4": "deadlock/finished-rank", "d5": "deadlock/wait-cycle", "d6": "deadlock/wait-cycle"}

BETWEEN = {"types": "type/mismatch", "lost": "unmatched/send", "roots": "collective/root",
           "race": "race/message-harmful", "file": "io/conflict", "mixed": "collective/mismatch"}

# windows.c: what is found, and the marks of its lines.
WINDOWS = {"w_stuck": ("deadlock/wait-cycle", {"wait", "recv"})}


def agents(cluster, node=None):
    """Agents on the nodes of this cluster (its head is None), or on one of them."""
    names = [cluster.head] + cluster.nodes if node is None else [cluster.nodes[node]]
    networks = {os.stat(f"/run/netns/{name}").st_ino for name in names}
    found = set()
    for path in glob.glob("/proc/[0-9]*"):
        try:
            with open(f"{path}/comm") as comm:
                if comm.read().strip() == "vouch-agent" and os.stat(f"{path}/ns/net").st_ino in networks:
                    found.add(int(path.split("/")[2]))
        except OSError:
            pass
    return found


def listening(pid):
    """Ports at which a process waits for connections from the network."""
    sockets = set()
    for fd in glob.glob(f"/proc/{pid}/fd/*"):
        try:
            sockets.add(os.readlink(fd))
        except OSError:
            pass
    rows = []
    for name in ("tcp", "tcp6"):
        with open(f"/proc/{pid}/net/{name}") as table:
            rows += [line.split() for line in table][1:]
    return [str(int(row[1].split(":")[1], 16)) for row in rows if row[3] == "0A" and f"socket:[{row[9]}]" in sockets]


class Run:
    def __init__(self, test, cluster, library, ranks, words, options=(), mends_finalize=True, limit="60s", program=None,
                 extra=()):
        self.test = test
        self.cluster = cluster
        self.json = tempfile.mktemp(suffix=".json", dir=cluster.folder)
        environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        if library == "mpich" and mends_finalize:
            environment["LD_PRELOAD"] = test.no_disconnect
        self.started = time.time()
        self.process = subprocess.Popen(
            cluster.at_head([test.vouch, "run", "--json", self.json, "--timeout", pace.words(limit), *options, "--"]
                            + cluster.launcher(library, ranks) + [*extra, test.programs[(library, program) if program else library], *words]),
            env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def wait_for_agents(self, seconds=20):
        """One on each node, and that of vouch."""
        count = len(self.cluster.nodes) + 1
        end = time.time() + pace.limit(seconds)
        while time.time() < end:
            if len(agents(self.cluster)) >= count:
                return
            time.sleep(0.05)
        raise AssertionError(f"{count} agents expected, {len(agents(self.cluster))} came")

    def end(self):
        try:
            self.output, self.errors = self.process.communicate(timeout=pace.limit(120))
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.output, self.errors = self.process.communicate()
            raise AssertionError("vouch did not end:\n" + self.errors)
        self.seconds = time.time() - self.started
        with open(self.json) as report:
            self.report = json.load(report)
        self.rules = sorted({f["rule"] for f in self.report["findings"] if f["severity"] != "info"})
        self.notes = sorted({f["rule"] for f in self.report["findings"] if f["severity"] == "info"})
        self.gaps = [f"{g['what']}: {g['reason']}" for g in self.report["not_checked"]]
        end = time.time() + pace.limit(10)
        while agents(self.cluster) and time.time() < end:
            time.sleep(0.05)
        left = agents(self.cluster)
        self.test.expect(not left, f"agents left: {left}")
        return self


class Tests:
    def __init__(self, options, folder):
        self.vouch = options.vouch
        self.failures = 0
        self.name = ""
        self.last = None
        self.programs = {}
        for library in options.lib:
            self.programs[library] = os.path.join(folder, f"waits.{library}")
            subprocess.run([f"mpicc.{library}", "-g", "-O1", "-w", "-o", self.programs[library], f"{HERE}/waits.c"], check=True)
            self.programs[library, "windows"] = os.path.join(folder, f"windows.{library}")
            subprocess.run([f"mpicc.{library}", "-g", "-O1", "-w", "-o", self.programs[library, "windows"], f"{HERE}/windows.c"],
                           check=True)
        self.no_disconnect = os.path.join(folder, "no_disconnect.so")
        subprocess.run(["cc", "-shared", "-fPIC", "-o", self.no_disconnect, f"{HERE}/no_disconnect.c"], check=True)

    def expect(self, holds, text):
        if holds:
            return
        self.failures += 1
        print(f"FAILED {self.name}: {text}")
        if self.last is not None and hasattr(self.last, "errors"):
            print(self.last.output + self.last.errors)

    def run(self, cluster, library, ranks, words, options=(), **more):
        self.last = Run(self, cluster, library, ranks, words, options, **more)
        return self.last

    # Scenes ------------------------------------------------

    def deadlock(self, cluster, library, ranks, which):
        r = self.run(cluster, library, ranks, [which]).end()
        self.expect(r.rules == [DEADLOCKS[which]], f"findings {r.rules}")
        self.expect(r.report["verdict"] == "error", f"verdict {r.report['verdict']}")
        for f in r.report["findings"]:
            if f["severity"] == "info":
                continue
            self.expect(f["potential"] == (which == "d2"), "potential or not")
            self.expect(all(l["line"] > 0 and l["file"].endswith("waits.c") for l in f["locations"]), "lines")
            if which == "d1":  # wherever they are
                self.expect(all(l.get("stack", [{}])[-1].get("function") == "main" for l in f["locations"]), "stacks")
        if which == "d6":
            self.expect(r.seconds < 9, f"only told after {r.seconds:.1f} s, when the others were through")

    def fine(self, cluster, library, ranks, program="ok", notes=["race/message"]):
        r = self.run(cluster, library, ranks, [program]).end()
        self.expect(r.rules == [] and r.notes == notes, f"findings {r.rules}, notes {r.notes}")
        self.expect(r.report["statistics"].get("processes") == ranks, "all ranks are watched")
        self.expect(r.report["verdict"] == "clean", f"verdict {r.report['verdict']}, gaps {r.gaps}")

    def ordered(self, cluster, library, ranks):
        """What makes race harmless goes over nodes: a reduction, a synchronous send, a message."""
        self.fine(cluster, library, ranks, "ordered", [])

    def synced(self, cluster, library, ranks):
        self.fine(cluster, library, ranks, "synced", [])

    def wrong(self, cluster, library, ranks):
        r = self.run(cluster, library, ranks, ["wrong"]).end()
        self.expect(r.rules == ["argument/rank", "leak/communicator"], f"findings {r.rules}")
        self.expect(all(f["ranks"] == [ranks - 1] for f in r.report["findings"]), "of the last rank")

    def crash(self, cluster, library, ranks):
        r = self.run(cluster, library, ranks, ["crash"]).end()
        self.expect(r.rules == ["crash/signal"], f"findings {r.rules}")
        self.expect(r.report["findings"][0]["ranks"] == [ranks - 1], "the rank that failed, and no other")

    def stacks(self, cluster, library, ranks):
        """The call paths of ranks on other nodes are shown, too."""
        r = self.run(cluster, library, ranks, ["types"], ["--stacks"]).end()
        places = [l for f in r.report["findings"] if f["rule"] == "type/mismatch" for l in f["locations"]]
        self.expect({l["rank"] for l in places} >= {0, ranks - 1}, f"places {places}")
        self.expect(all(l.get("stack", [{}])[-1].get("function") == "main" for l in places), f"places {places}")

    def killed(self, cluster, library, ranks):
        """The library of a living rank may give up before the dead one's node has reported its death."""
        for _ in range(5):
            r = self.run(cluster, library, ranks, ["killed"]).end()
            self.expect(r.rules == ["crash/signal"], f"findings {r.rules}")
            self.expect([f["ranks"] for f in r.report["findings"]] == [[2]], "the rank that was killed, and no other")

    def late(self, cluster, library, ranks):
        """No rank is on the first node, whose agent has read nothing since the start."""
        r = self.run(cluster, library, ranks, ["late"]).end()
        self.expect(r.report["verdict"] == "clean", f"verdict {r.report['verdict']}, gaps {r.gaps}")
        self.expect("in MPI_Finalize" not in r.errors, "a notice for no reason")

    def outlives(self, cluster, library, ranks):
        """A node is done long before another: its remote shell has ended, and Hydra lets it lie."""
        r = self.run(cluster, library, ranks, ["outlives"]).end()
        self.expect("went on to the end" in r.output, f"the program was ended: {r.errors}")
        self.expect(r.report["verdict"] == "clean", f"verdict {r.report['verdict']}, gaps {r.gaps}")

    def between(self, cluster, library, ranks, which):
        """Found by comparing what ranks on different nodes said."""
        r = self.run(cluster, library, ranks, [which]).end()
        self.expect(BETWEEN[which] in r.rules, f"findings {r.rules}")
        for f in r.report["findings"]:
            if f["rule"] == BETWEEN[which]:
                self.expect(0 in f["ranks"], f"ranks {f['ranks']}")
        if which == "mixed":
            self.expect(r.rules == [BETWEEN[which]] and r.seconds < 12, f"findings {r.rules} after {r.seconds:.1f} s")
            self.expect(not any("time limit" in g for g in r.gaps), f"gaps {r.gaps}")

    def windows(self, cluster, library, ranks, scene):
        """One-sided communication between nodes."""
        # Debian's Open MPI has no other way between nodes than this.
        extra = ["--mca", "osc", "pt2pt"] if library == "openmpi" else []
        r = self.run(cluster, library, ranks, [scene[2:]], program="windows", extra=extra).end()
        rule, marks = WINDOWS[scene]
        self.expect(r.rules == [rule], f"findings {r.rules}")
        with open(f"{HERE}/windows.c") as source:
            marked = {i for i, text in enumerate(source, 1) if any(f"[{scene[2:]} {m}]" in text for m in marks)}
        for f in r.report["findings"]:
            found = {l["line"] for l in f["locations"]}
            self.expect(f["rule"] != rule or found == marked, f"lines {found}, not {marked}")

    def killed_agent(self, cluster, library, ranks):
        r = self.run(cluster, library, ranks, ["slow"])
        r.wait_for_agents()
        time.sleep(1)
        for pid in agents(cluster, len(cluster.nodes) - 1):
            os.kill(pid, signal.SIGKILL)
        r.end()
        self.expect("went on to the end" in r.output, "the program goes on")
        self.expect(r.report["verdict"] == "inconclusive", f"verdict {r.report['verdict']}")
        self.expect(any("not watched since" in g and g.startswith("rank") for g in r.gaps), f"gaps {r.gaps}")

    def stopped_agent(self, cluster, library, ranks):
        """Stopped forever: the ranks, whose rings are soon full, are held up no longer than the patience lasts."""
        own, patience = 3, 10
        for node in [None, *range(len(cluster.nodes))]:
            r = self.run(cluster, library, ranks, ["busy", str(own)])
            r.wait_for_agents()
            up = r.process.stdout.readline()
            nodes = set().union(*(agents(cluster, i) for i in range(len(cluster.nodes))))
            stopped = agents(cluster) - nodes if node is None else agents(cluster, node)
            self.expect(up == "up\n" and len(stopped) == 1, f"{up!r}, agents {stopped}")
            begun = time.time()
            for pid in stopped:
                os.kill(pid, signal.SIGSTOP)
            done = r.process.stdout.readline()
            seconds = time.time() - begun
            r.end()
            where = "vouch itself" if node is None else cluster.nodes[node]
            self.expect(done == "done\n", f"stopped beside {where}: the program does not go on: {done!r}")
            self.expect(seconds < pace.limit(own + patience), f"stopped beside {where}: its end came after {seconds:.1f} s")
            self.expect(r.process.returncode == 61, f"stopped beside {where}: status {r.process.returncode}, gaps {r.gaps}")
            self.expect(r.rules == [], f"stopped beside {where}: findings {r.rules}")
            self.expect(any("agent" in g for g in r.gaps), f"stopped beside {where}: gaps {r.gaps}")

    def lost_at_the_start(self, cluster, library, ranks):
        """An agent that has announced its ranks is stopped, and then the last rank comes: the agent is ended while the others
        wait to be connected to it. Its ranks do what the others do, though nobody sees it."""
        r = self.run(cluster, library, ranks, ["tardy", "1"])
        last = len(cluster.nodes) - 1
        end = time.time() + pace.limit(20)
        while not agents(cluster, last) and time.time() < end:
            time.sleep(0.02)
        time.sleep(1)
        for pid in agents(cluster, last):
            os.kill(pid, signal.SIGSTOP)
        r.end()
        self.expect("done" in r.output, "the program goes on")
        self.expect(r.rules == [], f"findings {r.rules}")
        self.expect(r.report["verdict"] == "inconclusive", f"verdict {r.report['verdict']}")
        self.expect(any("was lost" in g for g in r.gaps), f"gaps {r.gaps}")

    def cut_network(self, cluster, library, ranks):
        r = self.run(cluster, library, ranks, ["slow"])
        r.wait_for_agents()
        time.sleep(1)
        cluster.cut(len(cluster.nodes) - 1)
        try:
            # The job cannot go on without its network; what it does then is the launcher's affair.
            time.sleep(15)
        finally:
            cluster.mend(len(cluster.nodes) - 1)
        r.end()
        self.expect(r.report["verdict"] == "inconclusive", f"verdict {r.report['verdict']}")
        self.expect(any("not watched since" in g and g.startswith("rank") for g in r.gaps), f"gaps {r.gaps}")

    def finalize_hang(self, cluster, library, ranks):
        """MPICH 4.0 may hang in MPI_Finalize over several nodes: said, and never called a deadlock of the program."""
        r = self.run(cluster, library, ranks, ["ok"], mends_finalize=False, limit="16s").end()
        self.expect(r.rules == [], f"findings {r.rules}")
        if any("time limit" in g for g in r.gaps):
            self.expect("have been in MPI_Finalize for 10 s" in r.errors, "a notice")

    def squat(self, cluster, library, ranks):
        """Another user takes the name of the root's socket on every other node before anybody is there, visits all agents, and
        knocks at the root's door in the network."""
        strangers = []
        with open(cluster.hold, "w", encoding="ascii"):
            pass
        try:
            r = self.run(cluster, library, ranks, ["slow"])
            name, doors = "", []
            end = time.time() + pace.limit(20)
            while not (name and doors) and time.time() < end:
                table = cluster.inside(cluster.head, "cat", "/proc/net/unix").stdout
                name = next((l.split("@")[1] for l in table.splitlines() if "@vouch-" in l), "")
                doors = [port for pid in agents(cluster) for port in listening(pid)]
            self.expect(name, "the root's socket has a name that all can read")
            self.expect(doors, "the root listens in the network")
            for node in cluster.nodes:
                strangers.append(self.stranger(cluster, node, "squat", name))
            strangers.append(self.stranger(cluster, cluster.nodes[0], "knock", "10.77.0.254", *doors))
            strangers.append(self.stranger(cluster, cluster.head, "visit"))
            for node in cluster.nodes:
                strangers.append(self.stranger(cluster, node, "visit", name))
        finally:
            os.remove(cluster.hold)
        r.end()
        said = [json.loads(s.communicate("\n")[0]) for s in strangers]
        count = len(cluster.nodes)
        squatters, knocks, visitors = said[:count], said[count], said[count + 1:]
        self.expect(all(s["connections"] > 0 for s in squatters), f"the ranks came to the squatter's name: {squatters}")
        self.expect(any(s["connections"] > 0 for s in visitors), f"the strangers came to agents: {visitors}")
        self.expect(all(s["bytes"] == 0 and s["descriptors"] == 0 for s in squatters + visitors), f"a stranger was given something: {said}")
        # Everybody is greeted, in 64 bytes.
        self.expect(0 < knocks["connections"] and knocks["bytes"] <= 64 * knocks["connections"], f"who knocked was let in: {knocks}")
        self.expect(r.report["verdict"] == "clean" and r.rules == [], f"verdict {r.report['verdict']}, gaps {r.gaps}")
        self.expect(r.report["statistics"].get("processes") == ranks, "all ranks are watched")

    def stranger(self, cluster, node, *words):
        process = subprocess.Popen(["ip", "netns", "exec", node, sys.executable, f"{HERE}/stranger.py", *words],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        line = process.stdout.readline()
        self.expect(line == "bound\n", f"the stranger is there: {line}")
        return process

    def secret(self, cluster, library, ranks):
        """The key is in no command line that others can read."""
        r = self.run(cluster, library, ranks, ["slow"])
        r.wait_for_agents()
        keys = set()
        lines = []
        for path in glob.glob("/proc/[0-9]*"):
            try:
                with open(f"{path}/environ", "rb") as e, open(f"{path}/cmdline", "rb") as c:
                    for entry in e.read().split(b"\0"):
                        if entry.startswith(b"VOUCH_JOIN=") and b"," in entry:
                            keys.add(entry.split(b",")[2])
                    lines.append(c.read())
            except OSError:
                pass
        r.end()
        self.expect(keys, "the invitation is in an environment")
        self.expect(not any(key in line for key in keys for line in lines), "a key on a command line")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vouch", required=True)
    parser.add_argument("--lib", nargs="+", default=["openmpi", "mpich"])
    parser.add_argument("--nodes", nargs="+", type=int, default=[2])
    parser.add_argument("--only", nargs="*", help="scenes")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    scenes = [*DEADLOCKS, *BETWEEN, *WINDOWS, "fine", "ordered", "synced", "wrong", "crash", "stacks", "killed", "late", "outlives", "killed_agent", "stopped_agent", "lost_at_the_start", "cut_network", "finalize_hang", "secret",
              "squat"]
    for nodes in options.nodes:
        with Cluster(nodes) as cluster:
            tests = Tests(options, cluster.folder)
            for library in options.lib:
                for scene in options.only or scenes:
                    tests.name = f"{scene} on {nodes} nodes with {library}"
                    # [D6] needs four, [D2] three.
                    ranks = 4 if nodes == 2 or scene == "d6" else 3
                    try:
                        if scene in DEADLOCKS:
                            tests.deadlock(cluster, library, ranks, scene)
                        elif scene in BETWEEN:
                            tests.between(cluster, library, ranks, scene)
                        elif scene in WINDOWS:
                            tests.windows(cluster, library, ranks, scene)
                        else:
                            getattr(tests, scene)(cluster, library, ranks)
                    except (AssertionError, OSError, ValueError, LookupError) as error:
                        tests.expect(False, str(error))
                    if options.verbose:
                        print(f"{tests.name}: {time.time() - tests.last.started:.1f} s", flush=True)
                        print(tests.last.errors)
            if tests.failures:
                return 1
    print("all as expected")
    return 0


if __name__ == "__main__":
    sys.exit(main())
