"""What a library's mpi.h declares: prototypes and names of constants.

The header is read as the compiler sees it (`mpicc -E`), so include files, macros and configuration are no concern.
Open MPI keeps its extensions in mpi-ext.h; it is read along where it is there.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List, Set, Tuple

from table import CType, Param, Procedure, Prototype, Table, TableError

# Open MPI still exports what MPI-3.0 removed, and its Fortran entries call it, but it declares them only when asked.
# What includes mpi.h to compile what is generated from it needs the same.
DEFINES = ("-DOMPI_SKIP_MPICXX", "-DMPICH_SKIP_MPICXX", "-DOMPI_OMIT_MPI1_COMPAT_DECLS=0")

_SOURCE = """#include <mpi.h>
#if defined(OPEN_MPI) && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
#if defined(OPEN_MPI) || defined(MPIR_ERRORS_THROW_EXCEPTIONS)
#define MPI_ERRORS_THROW_EXCEPTIONS  // MPI::ERRORS_THROW_EXCEPTIONS; src/shim/core/lib.h says which it is
#endif
"""


@dataclass
class Header:
    prototypes: Dict[str, Prototype]
    names: Set[str]  # macros, enumerators, variables and typedefs beginning with MPI_, MPIX_ or OMPI_
    macros: Dict[str, str]  # text of object-like macros

    def has_constant(self, name: str) -> bool:
        # Open MPI defines names that MPI-3.0 removed as something that does not compile.
        return name in self.names and "REMOVED" not in self.macros.get(name, "")

    @property
    def version(self) -> str:
        """"Open MPI 4.1.4", "MPICH 4.0.2"."""
        if "MPICH_VERSION" in self.macros:
            return "MPICH " + self.macros["MPICH_VERSION"].strip('"')
        parts = [self.macros.get(f"OMPI_{part}_VERSION", "?") for part in ("MAJOR", "MINOR", "RELEASE")]
        return "Open MPI " + ".".join(parts)


def read_header(mpicc: str) -> Header:
    # One run gives both: -dD keeps the macro definitions amid the preprocessed text.
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "h.c"
        source.write_text(_SOURCE)
        command = [mpicc, "-E", "-P", "-dD", *DEFINES, str(source)]
        try:
            run = subprocess.run(command, capture_output=True, text=True, check=False)
        except OSError as error:
            raise TableError(f"{mpicc} cannot be run: {error.strerror}") from None
    if run.returncode != 0:
        said = run.stderr.strip().splitlines()
        raise TableError(f"{mpicc} cannot preprocess mpi.h: {said[0] if said else 'it says nothing'}")
    return parse_header(run.stdout)


_DEFINE = re.compile(r"^#define ((?:MPIX?|OMPI|MPICH)_\w+)(?![\w(])[ \t]*(.*)$", re.MULTILINE)
_ATTRIBUTE = re.compile(r"__attribute__\s*\(\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\)")
_PROTOTYPE = re.compile(r"([\w\s*]*?[\s*])(MPIX?_[A-Z]\w*)\s*\(((?:[^()]|\([^()]*\))*)\)$")


def parse_header(text: str) -> Header:
    macros = {m[1]: m[2].strip() for m in _DEFINE.finditer(text)}
    code = re.sub(r"^#.*$", "", text, flags=re.MULTILINE)
    code = _ATTRIBUTE.sub(" ", code)
    names = set(macros) | set(re.findall(r"\b((?:MPIX?|OMPI)_\w+)\b", _without_parameters(code)))
    prototypes: Dict[str, Prototype] = {}
    for statement in re.split(r"[;{}]", code):
        statement = " ".join(statement.split())
        if statement.startswith("typedef") or "MPI" not in statement:
            continue
        match = _PROTOTYPE.match(statement)
        if match:
            returns = match[1].replace("extern ", "").strip()
            params, variadic = _parse_params(match[3])
            prototypes[match[2]] = Prototype(match[2], returns, params, variadic)
    names -= set(prototypes)
    return Header(prototypes, names, macros)


def _without_parameters(code: str) -> str:
    """Leaves enumerators, variables and types; parameter lists of prototypes hold no names of their own."""
    return re.sub(r"\((?:[^()]|\([^()]*\))*\)", " ", code)


def _parse_params(text: str) -> Tuple[List[Tuple[str, CType]], bool]:
    text = text.strip()
    if text in ("", "void"):
        return [], False
    params, variadic = [], False
    for part in text.split(","):
        part = part.strip()
        if part == "...":
            variadic = True
            continue
        params.append(_parse_declarator(part))
    return params, variadic


def _parse_declarator(text: str) -> Tuple[str, CType]:
    declaration = " ".join(text.split())
    match = re.match(r"^(?P<type>.*?)(?P<name>\w+)\s*(?P<arrays>(?:\[[^\]]*\])*)$", declaration)
    kind, name, arrays = match["type"], match["name"], match["arrays"]
    if not kind.strip() or not re.search(r"\w", kind.replace("const", "")):
        kind, name = declaration, ""  # a type alone
        arrays = ""
    dims = re.findall(r"\[([^\]]*)\]", arrays)
    words = re.findall(r"\w+|\*", kind)
    base = " ".join(w for w in words if w not in ("const", "*", "struct"))
    pointers = words.count("*") + len(dims)
    const = words[0] == "const"
    if not dims:
        text = kind.strip()
    elif len(dims) == 1:
        text = kind.strip() + " *"
    else:
        text = kind.strip() + " (*)" + "".join(f"[{d}]" for d in dims[1:])
    return name, CType(re.sub(r"\s+\*", " *", text), base, pointers, const, declaration)


# Table against header

_RETURNS = {
    "error": ("int",),
    "int": ("int",),
    "fint": ("int", "MPI_Fint"),
    "double": ("double",),
    "aint": ("MPI_Aint",),
}


def attach(table: Table, library: str, header: Header) -> None:
    """Every MPI_ function of the header must have a stanza that fits; extensions (MPIX_) need not have one."""
    table.headers[library] = header
    for name, prototype in header.prototypes.items():
        proc = table.by_name.get(name)
        if proc is not None:
            _fit(proc, prototype, library)
            proc.prototype[library] = prototype
    missing = sorted(n for n in header.prototypes if n not in table.by_name and n.startswith("MPI_"))
    if missing:
        many = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        raise TableError(f"{missing[0]}{many} is declared in {library}'s mpi.h but has no stanza in api/mpi.api")


def _fit(proc: Procedure, prototype: Prototype, library: str) -> None:
    where = f"mpi.api:{proc.line}"
    if len(proc.params) != len(prototype.params) or proc.variadic != prototype.variadic:
        raise TableError(
            f"{where}: {proc.name} has {len(proc.params)} parameters, but {len(prototype.params)} in {library}'s mpi.h"
        )
    allowed = _RETURNS.get(proc.returns)
    if allowed is not None and prototype.returns not in allowed or allowed is None and "MPI_" not in prototype.returns:
        raise TableError(f"{where}: {proc.name} returns {prototype.returns} in {library}'s mpi.h, not {proc.returns}")
    for param, (_, ctype) in zip(proc.params, prototype.params):
        if not _fits(param, ctype):
            raise TableError(
                f"mpi.api:{param.line}: {param.name} of {proc.name} is `{ctype.declaration}` in {library}'s mpi.h,"
                f" which does not fit {param.kind.name} {param.dir}{' array' if param.is_array else ''}"
            )
        param.ctype[library] = ctype


def _fits(param: Param, ctype: CType) -> bool:
    kind = param.kind
    if kind.name == "FUNCTION":
        return ctype.base.endswith(("_function", "_function_c", "_fn", "_FN"))
    if "*" not in kind.ctypes and ctype.base not in kind.ctypes:
        return False
    if param.wide_now and kind.form == "int" and ctype.base == "int":
        return False
    if param.is_array and kind.form == "int" and (ctype.base == "int") == param.wide_now:
        return False  # the element size on the wire would be wrong
    if ctype.pointers not in param.pointer_depth:
        return False
    # What the library may not change is an input, and what is const cannot be an output.
    return not (ctype.const and param.dir != "in" and not param.by_address)
