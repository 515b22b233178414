#!/usr/bin/env python3
"""Generates what follows from api/*.api.

    vouchgen.py --out DIR [--header openmpi=/usr/bin/mpicc.openmpi] [--header mpich=/usr/bin/mpicc.mpich]
                [--coverage docs/coverage.md] [--layout MPI_Send]

DIR/event holds what src/event includes, DIR/shim what src/shim includes. A file is written only when its
content changed, so a build after an unrelated edit does nothing. Says nothing on success; a mistake is one
sentence and status 1.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path
from typing import Dict

sys.path.insert(0, str(Path(__file__).resolve().parent))

import header  # noqa: E402
import table  # noqa: E402

# Each has emit(table) -> {path below DIR: content}.
EMITTERS = ("emit_events", "emit_wrappers", "emit_band", "emit_front")


def write_if_changed(path: Path, content: str) -> None:
    if path.is_file() and path.read_text() == content:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)


def parse_arguments(arguments) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Generates what follows from the API table.")
    parser.add_argument("--out", type=Path, metavar="DIR", help="where generated sources go")
    parser.add_argument("--api", type=Path, default=Path(__file__).resolve().parent.parent / "api", metavar="DIR",
                        help="where the table is")
    parser.add_argument("--header", action="append", default=[], metavar="LIBRARY=MPICC",
                        help="read this library's mpi.h with that compiler wrapper")
    parser.add_argument("--coverage", type=Path, metavar="FILE", help="write the coverage page")
    parser.add_argument("--layout", metavar="NAME", help="print the records of one procedure, and nothing else")
    return parser.parse_args(arguments)


def run(arguments) -> None:
    options = parse_arguments(arguments)
    compilers: Dict[str, str] = {}
    for text in options.header:
        library, separator, mpicc = text.partition("=")
        if not separator or library not in table.LIBRARIES:
            known = " or ".join(table.LIBRARIES)
            raise table.TableError(f"--header {text} is not LIBRARY=MPICC, where LIBRARY is {known}")
        compilers[library] = mpicc
    api = table.load(options.api)
    if options.layout:
        if options.layout not in api.by_name:
            raise table.TableError(f"{options.layout} has no stanza in the API table")
        print(api.by_name[options.layout].describe(), end="")
        return
    for library, mpicc in compilers.items():
        api.attach(library, header.read_header(mpicc))
    if options.out:
        for name in EMITTERS:
            if (Path(__file__).resolve().parent / f"{name}.py").is_file():
                for path, content in importlib.import_module(name).emit(api).items():
                    write_if_changed(options.out / path, content)
    if options.coverage:
        import emit_coverage

        write_if_changed(options.coverage, emit_coverage.emit(api, compilers))


def main() -> int:
    try:
        run(sys.argv[1:])
    except table.TableError as error:
        print(f"vouchgen: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"vouchgen: {error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
