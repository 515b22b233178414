#!/usr/bin/env python3
"""Another user of a node, who wants to be taken for an agent or for a rank (nodes_test.py, scene squat).

    stranger.py squat NAME     listens under the abstract name NAME; says "bound", and at the end of its input what he was given
    stranger.py visit [NAME]   connects to all sockets of vouch here but NAME and sends garbage until the end of its input; the same
    stranger.py knock HOST PORT...   sends garbage to an agent over the network, some of it as one who has another key would
"""

import array
import json
import os
import select
import socket
import sys
import threading

NOBODY = 65534
got = {"connections": 0, "bytes": 0, "descriptors": 0}


def take(connection):
    """What the other side sends, until it hangs up."""
    connection.settimeout(5)
    size = array.array("i").itemsize
    try:
        while True:
            data, riders, _, _ = connection.recvmsg(65536, socket.CMSG_SPACE(16 * size))
            if not data and not riders:
                return
            got["bytes"] += len(data)
            got["descriptors"] += sum(len(rider[2]) // size for rider in riders)
    except OSError:
        pass
    finally:
        connection.close()


def squat(name):
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    listening.bind("\0" + name)
    listening.listen(64)
    print("bound", flush=True)
    while True:
        ready, _, _ = select.select([listening, sys.stdin], [], [])
        if listening in ready:
            connection, _ = listening.accept()
            got["connections"] += 1
            threading.Thread(target=take, args=(connection,), daemon=True).start()
        if sys.stdin in ready:
            return


def names():
    with open("/proc/net/unix", encoding="utf-8", errors="replace") as table:
        found = {line.split()[-1][1:] for line in table if " @vouch-" in line}
    return found


def visit(spared):
    print("bound", flush=True)
    while not select.select([sys.stdin], [], [], 0.02)[0]:
        for name in names() - spared:
            connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            try:
                connection.connect("\0" + name)
                got["connections"] += 1
                with open("/dev/null", "rb") as file:
                    riders = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [file.fileno()]))]
                    connection.sendmsg([os.urandom(32)], riders)
                take(connection)
            except OSError:
                connection.close()


def greeting(mechanism):
    """How ZeroMQ begins: signature, version 3.1, mechanism, that it is a client."""
    return b"\xff" + bytes(7) + b"\x01\x7f\x03\x01" + mechanism.ljust(20, b"\0") + bytes(32)


def knock(host, ports):
    hello = b"\x04\xc8\x05HELLO\x01\0" + bytes(72)  # of CURVE; key, number and box that follow are nobody's
    print("bound", flush=True)
    while not select.select([sys.stdin], [], [], 0.02)[0]:
        garbage = os.urandom(120)
        for words in (garbage, greeting(b"NULL") + garbage, greeting(b"CURVE") + hello + garbage):
            for port in ports:
                connection = socket.socket()
                try:
                    connection.connect((host, int(port)))
                    got["connections"] += 1
                    connection.sendall(words)
                    connection.shutdown(socket.SHUT_WR)
                    take(connection)
                except OSError:
                    connection.close()


def main():
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)
    if sys.argv[1] == "squat":
        squat(sys.argv[2])
    elif sys.argv[1] == "knock":
        knock(sys.argv[2], sys.argv[3:])
    else:
        visit(set(sys.argv[2:]))
    print(json.dumps(got), flush=True)
    os._exit(0)


if __name__ == "__main__":
    main()
