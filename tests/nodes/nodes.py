"""Nodes of a cluster on one machine: network namespaces with a bridge, and a remote shell between them.

Each node has its own network, host name, /dev/shm and System V memory, so that MPI libraries find
nothing to share, as on machines of their own. Needs root and the `ip` command of iproute2."""

import os
import shutil
import subprocess
import sys
import tempfile

SKIP = 77  # what a test returns where it cannot run


def run(*words, **options):
    return subprocess.run(words, check=True, capture_output=True, text=True, **options)


class Cluster:
    """with Cluster(2) as c: c.mpirun("openmpi", 4, ["./a.out"])"""

    def __init__(self, count):
        self.tag = f"vn{os.getpid()}"
        self.head = f"{self.tag}h"
        self.nodes = [f"{self.tag}{chr(ord('a') + i)}" for i in range(count)]
        self.folder = tempfile.mkdtemp(prefix="vouch-nodes-")
        self.made = []

    def __enter__(self):
        try:
            self.set_up()
        except (subprocess.CalledProcessError, OSError) as error:
            self.__exit__(None, None, None)
            why = getattr(error, "stderr", "") or str(error)
            print(f"skipped: no network namespaces here ({why.strip()})")
            sys.exit(SKIP)
        return self

    def set_up(self):
        if os.geteuid() != 0:
            raise OSError("only root may make them")
        names = [self.head] + self.nodes
        for name in names:
            run("ip", "netns", "add", name)
            self.made.append(name)
            self.inside(name, "ip", "link", "set", "lo", "up")
        self.inside(self.head, "ip", "link", "add", "br0", "type", "bridge")
        self.inside(self.head, "ip", "addr", "add", "10.77.0.254/24", "dev", "br0")
        self.inside(self.head, "ip", "link", "set", "br0", "up")
        hosts = f"127.0.0.1 localhost\n10.77.0.254 {self.head}\n"
        for i, name in enumerate(self.nodes, 1):
            port = f"p{i}"
            run("ip", "link", "add", "eth0", "netns", name, "type", "veth", "peer", "name", port,
                "netns", self.head)
            self.inside(name, "ip", "addr", "add", f"10.77.0.{i}/24", "dev", "eth0")
            self.inside(name, "ip", "link", "set", "eth0", "up")
            self.inside(self.head, "ip", "link", "set", port, "master", "br0", "up")
            hosts += f"10.77.0.{i} {name}\n"
        for name in names:
            os.makedirs(f"/etc/netns/{name}", exist_ok=True)
            with open(f"/etc/netns/{name}/hosts", "w") as out:
                out.write(hosts)
        self.shell = os.path.join(self.folder, "rsh")
        self.hold = os.path.join(self.folder, "hold")  # while there is such a file nothing starts on a node
        with open(self.shell, "w") as out:
            out.write("""#!/bin/bash
while [[ "$1" == -* ]]; do shift; done; host=$1; shift
while [[ -e HOLD ]]; do sleep 0.02; done
exec ip netns exec "$host" unshare --uts --ipc --mount -- /bin/bash -c 'hostname "$0"
mount -t tmpfs -o size=1g tmpfs /dev/shm; exec /bin/bash -c "$1"' "$host" "$*"
""".replace("HOLD", self.hold))
        os.chmod(self.shell, 0o755)
        # Proves that such a node works at all.
        run(self.shell, self.nodes[0], "true")

    def __exit__(self, *_):
        for name in self.made:
            subprocess.run(["ip", "netns", "del", name], capture_output=True)
            shutil.rmtree(f"/etc/netns/{name}", ignore_errors=True)
        if os.path.isdir("/etc/netns") and not os.listdir("/etc/netns"):
            os.rmdir("/etc/netns")
        shutil.rmtree(self.folder, ignore_errors=True)

    def inside(self, name, *words):
        return run("ip", "netns", "exec", name, *words)

    def cut(self, node):
        """The cable of that node (0, 1 …) is pulled."""
        self.inside(self.head, "ip", "link", "set", f"p{node + 1}", "down")

    def mend(self, node):
        self.inside(self.head, "ip", "link", "set", f"p{node + 1}", "up")

    def launcher(self, library, ranks):
        """The words of mpirun with its own remote launch, ranks in blocks."""
        per_node = -(-ranks // len(self.nodes))
        hosts = os.path.join(self.folder, f"hosts.{library}")
        with open(hosts, "w") as out:
            for node in self.nodes:
                out.write(f"{node} slots={per_node}\n" if library == "openmpi" else f"{node}:{per_node}\n")
        if library == "openmpi":
            return ["mpirun.openmpi", "--hostfile", hosts, "-np", str(ranks), "--mca", "plm_rsh_agent", self.shell,
                    "--mca", "oob_tcp_if_include", "10.77.0.0/24", "--mca", "btl_tcp_if_include", "10.77.0.0/24",
                    "--mca", "mpi_yield_when_idle", "1", "--bind-to", "none"]
        return ["mpirun.mpich", "-launcher", "rsh", "-launcher-exec", self.shell, "-f", hosts, "-localhost", self.head,
                "-iface", "br0", "-np", str(ranks)]

    def at_head(self, words):
        return ["ip", "netns", "exec", self.head] + words
