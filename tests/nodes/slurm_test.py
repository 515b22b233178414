#!/usr/bin/env python3
"""A real Slurm on network namespaces: vouch on a login node without any rank, srun from there and inside an allocation.

Skipped where slurm and munge are not installed, or this is not root. Each daemon is started in its node's network namespace
with its own host name; munge has a key and a socket of its own."""

import argparse
import json
import os
import pwd
import shutil
import subprocess
import sys
import time

from nodes import SKIP, Cluster

HERE = os.path.dirname(os.path.abspath(__file__))
NEEDED = ("slurmctld", "slurmd", "srun", "munged", "nsenter", "setpriv")


class Slurm:
    """with Slurm(cluster): s.login(["srun", "-n", "2", "hostname"])"""

    def __init__(self, cluster):
        self.cluster, self.dir, self.daemons = cluster, cluster.folder, []
        self.conf = os.path.join(self.dir, "slurm.conf")

    def on(self, node, words):
        return ["nsenter", f"--net=/run/netns/{node}", "unshare", "--uts", "--", "bash", "-c", 'hostname "$0"; exec "$@"', node, *words]

    def start(self, name, words):
        with open(os.path.join(self.dir, name + ".log"), "w", encoding="utf-8") as log:
            self.daemons.append(subprocess.Popen(words, stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True))

    def __enter__(self):
        d, c = self.dir, self.cluster
        os.chmod(d, 0o755)
        munge = os.path.join(d, "munge")
        os.mkdir(munge)
        user = pwd.getpwnam("munge")
        key = os.path.join(munge, "key")
        with open(key, "wb") as out:
            out.write(os.urandom(1024))
        os.chmod(key, 0o400)
        for path in (munge, key):
            os.chown(path, user.pw_uid, user.pw_gid)
        socket = os.path.join(munge, "socket")
        self.start("munged", ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups", "munged", "-F", f"--key-file={key}",
                              f"--socket={socket}", f"--pid-file={munge}/pid", f"--log-file={munge}/log", f"--seed-file={munge}/seed"])
        nodes = "".join(f"NodeName={n} NodeAddr=10.77.0.{i} NodeHostname={n} CPUs=4 State=UNKNOWN\n" for i, n in enumerate(c.nodes, 1))
        with open(self.conf, "w", encoding="utf-8") as out:
            out.write(f"""ClusterName=vouch
SlurmctldHost={c.head}(10.77.0.254)
SlurmUser=root
SlurmctldPort=6917
SlurmdPort=6918
AuthType=auth/munge
AuthInfo=socket={socket}
CredType=cred/munge
StateSaveLocation={d}/state
SlurmdSpoolDir={d}/spool-%n
SlurmctldPidFile={d}/slurmctld.pid
SlurmdPidFile={d}/slurmd-%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SlurmdParameters=config_overrides
MpiDefault=none
ReturnToService=2
{nodes}PartitionName=all Nodes={",".join(c.nodes)} Default=YES OverSubscribe=YES State=UP
""")
        with open(os.path.join(d, "cgroup.conf"), "w", encoding="utf-8") as out:
            out.write("CgroupPlugin=cgroup/v1\n")
        for name in ["state"] + [f"spool-{n}" for n in c.nodes]:
            os.makedirs(os.path.join(d, name))
        self.start("slurmctld", self.on(c.head, ["slurmctld", "-D", "-f", self.conf]))
        for node in c.nodes:
            self.start("slurmd-" + node, self.on(node, ["slurmd", "-D", "-f", self.conf, "-N", node]))
        for _ in range(60):
            done = self.login(["sinfo", "-h", "-o", "%T %D"], check=False)
            if done.stdout.split() == ["idle", str(len(c.nodes))]:
                return self
            time.sleep(0.5)
        print(f"skipped: Slurm does not come up here: {done.stdout}{done.stderr}")
        self.__exit__()
        sys.exit(SKIP)

    def __exit__(self, *_):
        for daemon in reversed(self.daemons):
            daemon.terminate()
        for daemon in self.daemons:
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()

    def login(self, words, check=False, timeout=180):
        env = dict(os.environ, SLURM_CONF=self.conf)
        return subprocess.run(self.on(self.cluster.head, words), capture_output=True, text=True, timeout=timeout, env=env, check=check,
                              stdin=subprocess.DEVNULL)


def expect(condition, what, done):
    print(("ok    " if condition else "WRONG ") + what, flush=True)
    if not condition:
        print(done.stdout + done.stderr)
    return condition


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--vouch", required=True)
    args = parser.parse_args()
    if any(shutil.which(name) is None for name in NEEDED + ("mpicc.mpich",)):
        print("skipped: needs MPICH, slurm and munge")
        return SKIP
    vouch, good = os.path.abspath(args.vouch), True
    with Cluster(2) as cluster, Slurm(cluster) as slurm:
        program, report = os.path.join(cluster.folder, "waits"), os.path.join(cluster.folder, "report.json")
        subprocess.run(["mpicc.mpich", "-g", os.path.join(HERE, "slurm_job.c"), "-o", program], check=True)
        fine = os.path.join(cluster.folder, "no_disconnect.so")  # MPICH 4.0 hangs in MPI_Finalize over nodes
        subprocess.run(["mpicc.mpich", "-shared", "-fPIC", os.path.join(HERE, "no_disconnect.c"), "-o", fine], check=True)

        def run(before, srun, words):
            if os.path.exists(report):
                os.remove(report)
            done = slurm.login([*before, "env", f"LD_PRELOAD={fine}", vouch, "run", "--json", report, *srun, program, *words])
            with open(report, encoding="utf-8") as file:
                return done, json.load(file)

        over = ["--", "srun", "--mpi=pmi2", "-N", "2", "-n", "4"]
        for name, before in (("login node", []), ("salloc", ["salloc", "-N", "2", "-n", "4"])):
            done, found = run(before, over, ["fine"])
            good &= expect(done.returncode == 0 and found["verdict"] == "clean" and found["ranks"] == 4, f"{name}: clean", done)
            done, found = run(before, over, ["stuck"])
            rules = [f["rule"] for f in found["findings"]]
            good &= expect(done.returncode == 60 and rules == ["deadlock/wait-cycle"], f"{name}: deadlock", done)
        done, found = run([], ["--", "srun", "--mpi=none", "-N", "2", "-n", "4"], ["fine"])
        good &= expect(done.returncode == 61 and not found["findings"] and "alone in an MPI_COMM_WORLD" in done.stderr,
                       "wrong plug-in: worlds of size 1", done)
        done, found = run([], ["--", "srun", "--mpi=pmi2", "--export=NONE", "-n", "2"], ["fine"])
        good &= expect(done.returncode == 61 and "--export=NONE keeps LD_PRELOAD" in done.stderr, "environment not passed on", done)
        done, found = run([], ["--net", "none", *over], ["fine"])
        good &= expect(done.returncode == 61 and "--net" in done.stderr, "without a network the option is named", done)
        done, found = run([], ["--", "srun", "--partition=nowhere", "-n", "4"], ["fine"])
        good &= expect(done.returncode == 61 and "failed itself" in done.stderr, "srun fails itself", done)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
