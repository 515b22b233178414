#!/usr/bin/env python3
"""Each folder of src/ names in deps.txt the folders it may include; an include of any other is an error,
and so is a name that nothing needs. What lies in a folder testing/ is for tests, and no part of vouch.

Each folder of src/analysis/ is a family of its own: it includes no other, and none is included by the files beside
them, but for the registry, which makes them all. What two families need lies beside them, or in a folder below.

Nor may the mesh of agents be pumped (Peers::pump, net::Mesh::pump) but from the agent's own loop: what it
brings changes the model, so an analysis, or what it calls, would be entered again in the middle of a function.
So the analyses and the engines under them reach neither src/net nor src/agent, whatever way the includes take,
and within src/agent one file pumps.
"""

import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"/]+)/')
FAMILY = re.compile(r'^\s*#\s*include\s+"analysis/([^"/]+)/')
PUMP = re.compile(r"(?:->|\.)pump\(")
PUMPS = {"agent/mesh_role.cc", "agent/peers.cc"}  # the loop's place, and what it calls
NEVER_PUMPED = ("analysis", "match", "model", "wait")


def allowed(folder):
    """The folders that `folder` may include, itself among them; None if it says nothing."""
    listing = folder / "deps.txt"
    if not listing.exists():
        return None
    words = [line.split("#")[0].strip() for line in listing.read_text().splitlines()]
    return {word for word in words if word} | {folder.name}


def violations(src):
    for folder in sorted(path for path in src.iterdir() if path.is_dir()):
        may = allowed(folder)
        if may is None:
            yield f"{folder.name}: there is no deps.txt"
            continue
        used = set()
        for file in sorted(folder.rglob("*")):
            if file.suffix not in (".h", ".cc", ".def", ".S"):
                continue
            for_tests = file.name.endswith("_test.cc") or "testing" in file.relative_to(src).parts
            for number, line in enumerate(file.read_text().splitlines(), 1):
                match = INCLUDE.match(line)
                # A test may use any folder's test help: it is not part of the product's layers.
                if not match or for_tests:
                    continue
                used.add(match[1])
                if match[1] not in may:
                    yield f"{file.relative_to(src)}:{number}: includes {match[1]}/, which deps.txt does not name"
                if "/testing/" in line:
                    yield f"{file.relative_to(src)}:{number}: includes what is there for tests only"
        for name in sorted(may - used - {folder.name}):
            yield f"{folder.name}: deps.txt names {name}, which nothing includes"


def families(src):
    """Includes of one family of analyses by another, or by what all of them share."""
    root = src / "analysis"
    for file in sorted(root.rglob("*")) if root.is_dir() else ():
        inside = file.relative_to(root).parts
        if file.suffix not in (".h", ".cc") or file.name.endswith("_test.cc") or "testing" in inside or file.name == "registry.cc":
            continue
        own = inside[0] if len(inside) > 1 else None
        for number, line in enumerate(file.read_text().splitlines(), 1):
            match = FAMILY.match(line)
            if match and match[1] not in (own, "testing"):
                yield f"{file.relative_to(src)}:{number}: includes the family analysis/{match[1]}/"


def cycles(src):
    graph = {path.name: (allowed(path) or set()) - {path.name} for path in src.iterdir() if path.is_dir()}
    done, path = set(), []

    def visit(node):
        if node in path:
            return path[path.index(node):] + [node]
        if node in done:
            return None
        path.append(node)
        for next_node in sorted(graph.get(node, ())):
            found = visit(next_node)
            if found:
                return found
        path.pop()
        done.add(node)
        return None

    for node in sorted(graph):
        found = visit(node)
        if found:
            return [" -> ".join(found) + ": folders include each other"]
    return []


def reached(src, folder):
    """All folders whose files an include in `folder` may lead to."""
    found, todo = set(), [folder]
    while todo:
        name = todo.pop()
        if name in found or not (src / name).is_dir():
            continue
        found.add(name)
        todo += allowed(src / name) or set()
    return found


def pumps(src):
    for folder in NEVER_PUMPED:
        for name in sorted(reached(src, folder) & {"net", "agent"}):
            yield f"{folder}: its includes reach {name}/, from where the mesh can be pumped"
    for file in sorted(src.rglob("*.cc")) + sorted(src.rglob("*.h")):
        name = file.relative_to(src).as_posix()
        if name.startswith("net/") or name.endswith("_test.cc") or name in PUMPS:
            continue
        for number, line in enumerate(file.read_text().splitlines(), 1):
            if PUMP.search(line.split("//")[0]):
                yield f"{name}:{number}: pumps the mesh, which only the agent's loop may (MeshRole::talk_for)"


def main():
    src = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "src")
    problems = list(violations(src)) + list(families(src)) + cycles(src) + list(pumps(src))
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
