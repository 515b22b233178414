"""Reads api/*.api and refuses what is malformed.

A stanza becomes a Procedure; `large` and `mpix` lines make twins; then every procedure learns its number, its base and
its layout. What is wrong is said in one sentence with file and line.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Dict, List, Optional

from table import (
    FAMILIES, FLOWS, FORMS, IN_PLACE, LIBRARIES, MODES, PLAIN_FLAGS, RETURNS, ROLES, SIGNIFICANCE,
    TRAITS, Constant, Kind, Length, Param, Procedure, Table, TableError,
)


def _lines(path: Path):
    for number, raw in enumerate(path.read_text().splitlines(), 1):
        text = raw.split("#", 1)[0].rstrip()
        if text.strip():
            yield number, text


def load_kinds(path: Path) -> Dict[str, Kind]:
    kinds: Dict[str, Kind] = {}
    for number, text in _lines(path):
        where = f"{path.name}:{number}"
        words = text.split()
        if len(words) < 3:
            raise TableError(f"{where}: a kind needs a name, a form and its C types")
        name, form, ctypes = words[:3]
        if name in kinds:
            raise TableError(f"{where}: kind {name} is there twice")
        if form not in FORMS:
            raise TableError(f"{where}: form {form} of kind {name} is none of {', '.join(FORMS)}")
        leave, wide, constants, check = False, False, (), ""
        for word in words[3:]:
            if word == "leave":
                leave = True
            elif word == "wide":
                wide = True
            elif word.startswith("const="):
                constants = tuple(word[6:].split(","))
            elif word.startswith("check="):
                check = word[6:]
            else:
                raise TableError(f"{where}: kind {name} has an unknown attribute {word}")
        kinds[name] = Kind(name, form, tuple(ctypes.split("|")), leave, constants, check, wide)
    return kinds


def load_constants(path: Path, kinds: Dict[str, Kind]) -> List[Constant]:
    constants: List[Constant] = []
    names = set()
    for number, text in _lines(path):
        where = f"{path.name}:{number}"
        words = text.split()
        if len(words) not in (4, 5) or not words[0].isdigit():
            raise TableError(f"{where}: a constant is written: id name KIND value|sentinel|handle [null]")
        name = words[1]
        if int(words[0]) != len(constants) + 1:
            raise TableError(f"{where}: {name} has id {words[0]}, but {len(constants) + 1} is next")
        if words[2] not in kinds:
            raise TableError(f"{where}: {name} has an unknown kind {words[2]}")
        if words[3] not in ("value", "sentinel", "handle") or words[4:] not in ([], ["null"]):
            raise TableError(f"{where}: {name} is neither value, sentinel nor handle")
        if name in names:
            raise TableError(f"{where}: {name} is there twice")
        names.add(name)
        constants.append(Constant(int(words[0]), name, kinds[words[2]], words[3], words[4:] == ["null"], number))
    return constants


_LENGTH = re.compile(
    r"^(?:(?P<what>sum|last):(?P<array>\w+)|(?P<name>[A-Za-z]\w*)\*(?P<factor>\d+)|(?P<number>\d+)|(?P<word>\w+))$"
)
_LENGTH_WORDS = ("size", "localsize", "indegree", "outdegree", "cartdims", "nul")


def _parse_length(text: str, where: str) -> Length:
    match = _LENGTH.match(text)
    if not match:
        raise TableError(f"{where}: array length [{text}] is not understood")
    if match["what"]:
        return Length(match["what"], match["array"])
    if match["name"]:
        return Length("product", match["name"], int(match["factor"]))
    if match["number"]:
        return Length("number", match["number"])
    return Length("param", match["word"])


def _parse_param(words: List[str], kinds: Dict[str, Kind], proc: Procedure, where: str, line: int) -> Param:
    if len(words) < 2:
        raise TableError(f"{where}: parameter {words[0]} of {proc.name} has no kind")
    if words[1] not in kinds:
        raise TableError(f"{where}: {words[1]}, the kind of {words[0]} of {proc.name}, is not in kinds.api")
    kind = kinds[words[1]]
    p = Param(words[0], kind, line=line)
    leave: Optional[bool] = None
    for word in words[2:]:
        key, _, value = word.partition("=")
        if word in ("in", "out", "inout"):
            p.dir = word
        elif word[0] == "[" and word[-1] == "]":
            p.length = _parse_length(word[1:-1], where)
        elif key in ("count", "type", "used") and value:
            setattr(p, key, value)
        elif key == "at" and value in SIGNIFICANCE:
            p.at = value
        elif key == "inplace" and value in IN_PLACE:
            p.inplace = value
        elif key == "ignores" and value:
            p.ignores = tuple(value.split(","))
        elif key == "ignored_if" and ":" in value:
            other, constant = value.split(":")
            p.ignored_if, p.at = (other, "MPI_" + constant), "unless_undefined"
        elif word in ("optional", "wide"):
            setattr(p, word, True)
        elif word in ("leave", "noleave"):
            leave = word == "leave"
        elif word == "leave=wild":
            p.leave_if_wild = True
        elif word == "leave=failed":
            p.leave_if_failed = True
        elif word in ("send", "recv"):
            p.side = word
        else:
            raise TableError(f"{where}: {words[0]} of {proc.name} has an unknown attribute {word}")
    if kind.form == "string" and p.length is None:
        p.length = Length("nul")
    p.leave = p.dir != "in" and (kind.leave if leave is None else leave)
    p.wide = p.wide or kind.wide
    if leave and p.dir == "in":
        raise TableError(f"{where}: {p.name} of {proc.name} goes in, so it cannot be recorded at leave")
    return p


_COLUMNS = {(key, value) for key, values in (("role", ROLES), ("flow", FLOWS), ("mode", MODES)) for value in values}


def _parse_head(text: str, where: str, line: int) -> Procedure:
    # A value may be quoted: unchecked="one-sided data races are not analysed yet".
    words = [w.replace("\0", " ") for w in re.sub(r'"([^"]*)"', lambda m: m[1].replace(" ", "\0"), text).split()]
    if len(words) < 2:
        raise TableError(f"{where}: procedure {words[0]} has no family")
    name, family = words[:2]
    if not re.match(r"^MPIX?_[A-Z]\w*$", name):
        raise TableError(f"{where}: {name} is no name of an MPI procedure")
    if family not in FAMILIES:
        raise TableError(f"{where}: family {family} of {name} is unknown")
    proc = Procedure(name, family, frozenset(), line=line)
    flags = set()
    for word in words[2:]:
        key, _, value = word.partition("=")
        if word in PLAIN_FLAGS:
            flags.add(word)
        elif key in ("deprecated", "removed") and value:
            flags.add(key)
            proc.replacement = value
        elif key == "unchecked" and value:
            proc.unchecked = value
        elif key == "mpi" and value:
            proc.clause = value
        elif key == "base" and value:
            proc.base = value
        elif (key, value) in _COLUMNS:
            setattr(proc, key, value)
        elif key == "agree" and value:
            proc.agree = tuple(value.split(","))
        elif key == "traits" and set(value.split(",")) <= set(TRAITS):
            proc.traits = tuple(value.split(","))
        elif key == "glue" and value.startswith("direct"):
            _, _, libraries = value.partition(":")
            proc.glue = frozenset(libraries.split(",")) if libraries else frozenset(["openmpi"])
            if not proc.glue <= set(LIBRARIES):
                raise TableError(f"{where}: glue of {name} names an unknown library in {value}")
        elif key == "returns" and value in RETURNS:
            proc.returns = value
        else:
            raise TableError(f"{where}: {name} has an unknown flag {word}")
    proc.flags = frozenset(flags)
    return proc


def parse_procedures(path: Path, kinds: Dict[str, Kind]) -> List[Procedure]:
    """The stanzas as written, without twins."""
    procedures: List[Procedure] = []
    seen: Dict[str, int] = {}
    for number, text in _lines(path):
        where = f"{path.name}:{number}"
        if not text[0].isspace():
            proc = _parse_head(text, where, number)
            if proc.name in seen:
                raise TableError(f"{where}: {proc.name} is there twice, first in line {seen[proc.name]}")
            seen[proc.name] = number
            procedures.append(proc)
            continue
        if not procedures:
            raise TableError(f"{where}: a parameter stands before the first procedure")
        proc = procedures[-1]
        words = text.split()
        if words == ["large"]:
            proc.has_large = True
        elif words == ["mpix"]:
            proc.mpix = True
        elif words == ["..."]:
            proc.variadic = True
        else:
            param = _parse_param(words, kinds, proc, where, number)
            if proc.param(param.name):
                raise TableError(f"{where}: {proc.name} has two parameters {param.name}")
            proc.params.append(param)
    for proc in procedures:
        _resolve(proc, path)
    return procedures


def _resolve(proc: Procedure, path: Path) -> None:
    """Checks that every name a parameter refers to is there, and is what it must be."""
    for name in proc.agree:
        if proc.param(name) is None:
            raise TableError(f"{path.name}:{proc.line}: all must agree on {name} of {proc.name}, which is no parameter")
    if proc.flow and not proc.collective:
        raise TableError(f"{path.name}:{proc.line}: {proc.name} has a flow, but is no collective")
    kinds = {p.kind.name for p in proc.params}
    for p in proc.params:

        def bad(text: str) -> TableError:
            return TableError(f"{path.name}:{p.line}: {p.name} of {proc.name} {text}")

        def need(name: str, attribute: str) -> Param:
            other = proc.param(name)
            if other is None:
                raise bad(f"has {attribute} {name}, which is no parameter")
            return other

        if p.length:
            _resolve_length(p, proc, kinds, bad, need)
        if p.count and need(p.count, "count").kind.name not in ("COUNT", "BUFFER_SIZE"):
            raise bad(f"has count {p.count}, which is no COUNT")
        if p.type and need(p.type, "type").kind.name != "DATATYPE":
            raise bad(f"has type {p.type}, which is no DATATYPE")
        if p.used and need(p.used, "used").dir == "in":
            raise bad(f"has used {p.used}, which is no output")
        for name in p.ignores:
            need(name, "ignores")
        if p.ignored_if[0]:
            need(p.ignored_if[0], "ignored_if")
        if p.at in ("root", "leaf", "both") and "ROOT" not in kinds:
            raise bad(f"is significant at={p.at}, but there is no ROOT")
        if p.at == "leader" and not proc.param("local_leader"):
            raise bad("is significant at=leader, but there is no local_leader")
        if p.inplace != "never" and p.kind.name != "BUFFER":
            raise bad("is no BUFFER and cannot be MPI_IN_PLACE")


def _resolve_length(p: Param, proc: Procedure, kinds, bad, need) -> None:
    if p.length.what == "param" and proc.param(p.length.arg) is None and p.length.arg in _LENGTH_WORDS:
        p.length = Length(p.length.arg)
    what, arg = p.length.what, p.length.arg
    if what in ("param", "product", "sum", "last"):
        is_array = need(arg, "length").is_array
        if what in ("sum", "last") and not is_array:
            raise bad(f"has length {what}:{arg}, which is no array")
        if what in ("param", "product") and is_array:
            raise bad(f"has length {arg}, which is an array itself")
    elif what in ("size", "localsize", "indegree", "outdegree", "cartdims") and "COMM" not in kinds:
        raise bad(f"has length [{what}], but there is no COMM")


# Twins and bases


def _twin(proc: Procedure, name: str, large: bool) -> Procedure:
    params = [replace(p, ctype={}, wide_now=large and p.wide) for p in proc.params]
    return replace(
        proc, name=name, params=params, large=large, plain=proc.name, base="", has_large=False, mpix=False,
        glue=frozenset(), prototype={}, enter_tails=[], leave_tails=[],
    )


def _blocking_name(name: str) -> List[str]:
    """Names the plain blocking procedure may have."""
    short = name[4:]
    names = []
    if short.endswith("_init"):
        names.append(short[:-5])
    if re.match(r"^I[a-z]", short):
        names.append(short[1].upper() + short[2:])
        names.append("M" + short[2:] if short.startswith("Im") else "")
    if re.match(r"^R(put|get|accumulate)", short):
        names.append(short[1].upper() + short[2:])
    if short.startswith("File_i"):
        names.append("File_" + short[6:])
    if short.startswith("Comm_idup"):
        names.append("Comm_" + short[6:])
    return ["MPI_" + n for n in names if n]


def _set_bases(procedures: List[Procedure]) -> None:
    by_name = {p.name: p for p in procedures}
    for proc in procedures:
        name = proc.plain or proc.name
        root = by_name[name]
        if root.base:
            if root.base not in by_name:
                raise TableError(f"mpi.api:{root.line}: base {root.base} of {root.name} is no procedure")
            proc.base = root.base
            continue
        proc.base = name
        if root.flags & {"nonblocking", "persistent", "poll"}:
            for candidate in _blocking_name(name):
                if candidate in by_name:
                    proc.base = candidate
                    break


def _set_columns(procedures: List[Procedure]) -> None:
    """What the stanzas of variants leave unsaid: that of the base, else what follows from the parameters."""
    by_name = {p.name: p for p in procedures}
    for proc in procedures:
        base = by_name[proc.base]
        if not proc.flow and proc.collective:
            proc.flow = base.flow
        proc.flow = proc.flow or "none"
        proc.mode = proc.mode or base.mode or "standard"
        proc.agree = proc.agree or tuple(name for name in base.agree if proc.param(name))
        proc.role = proc.role or proc.derived_role()


def load(api: Path) -> Table:
    """Reads and validates api/*.api."""
    kinds = load_kinds(api / "kinds.api")
    constants = load_constants(api / "constants.api", kinds)
    names = {c.name: c for c in constants}
    for kind in list(kinds.values()):
        taken: List[str] = []
        for short in kind.constants:
            own = [c.name for c in constants if c.kind.name == kind.name and c.form != "handle"]
            found = own if short == "*" else [name for name in ("MPI_" + short,) if name in names]
            if not found:
                raise TableError(f"kinds.api: kind {kind.name} may be {short}, which is not in constants.api")
            taken += found
        canonical = kind.form in ("int", "aint") and any(names[name].form == "value" for name in taken)
        kinds[kind.name] = replace(kind, constants=tuple(taken), canonical=canonical)
    written = parse_procedures(api / "mpi.api", kinds)
    procedures = list(written)
    taken = {p.name for p in written}
    for proc in written:
        for name, large in ((proc.name + "_c", True), (proc.name.replace("MPI_", "MPIX_", 1), False)):
            if not (proc.has_large if large else proc.mpix):
                continue
            if name in taken:
                raise TableError(f"mpi.api:{proc.line}: {name} has a stanza and is derived from {proc.name} too")
            taken.add(name)
            procedures.append(_twin(proc, name, large))
    procedures.sort(key=lambda p: p.name)
    _set_bases(procedures)
    for number, proc in enumerate(procedures, 1):
        proc.number = number
        if proc.name.endswith("_c") and not proc.plain:
            proc.large = True
            for p in proc.params:
                p.wide_now = p.wide
        proc.lay_out()
    _set_columns(procedures)
    for proc in procedures:
        for p in proc.params:
            if p.ignored_if[1] and p.ignored_if[1] not in names:
                raise TableError(f"mpi.api:{p.line}: {p.ignored_if[1]} is not in constants.api")
    return Table(kinds, constants, procedures)
