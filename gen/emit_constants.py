"""What an installed header's constants are to the wrappers: canonical numbers, and the words that tell an agent of them.

    shim/<library>/canonical.inc constants.inc      written by emit_wrappers.py
"""

from __future__ import annotations

from typing import List

from table import Kind, Table

CANONICAL = {
    "MPI_ANY_SOURCE": "wire::kAnySource",
    "MPI_PROC_NULL": "wire::kProcNull",
    "MPI_ROOT": "wire::kRoot",
    "MPI_ANY_TAG": "wire::kAnyTag",
    "MPI_UNDEFINED": "wire::kUndefined",
}


def numbers(table: Table, library: str, kind: Kind) -> List[str]:
    """Integer constants a parameter of this kind may be."""
    header = table.headers[library]
    names = kind.constants if kind.canonical else ()
    return [n for n in names if header.has_constant(n) and table.constant_by_name[n].form == "value"]


def canonical(table: Table, library: str) -> str:
    """number_of_<kind>(v) for each kind that may be a named constant."""
    text = ""
    for kind in table.kinds.values():
        names = numbers(table, library, kind)
        if not names:
            continue
        text += f"inline std::uint64_t number_of_{kind.name.lower()}(std::int64_t v) {{\n"
        text += "  constexpr bool negative = " + " && ".join(f"{n} < 0" for n in names) + ";\n"
        text += "  if (negative && v >= 0) [[likely]] return number(v);\n"
        for n in names:
            value = CANONICAL.get(n, f"wire::kConstantBase + {table.constant_by_name[n].id}")
            text += f"  if (v == {n}) return number({value});\n"
        text += "  return number(v);\n}\n"
    return text


def constants(table: Table, library: str) -> str:
    header = table.headers[library]
    text = ""
    for c in table.constants:
        if c.form == "sentinel" or not header.has_constant(c.name):
            continue
        if not c.is_handle:
            text += f"tell_value(t, {c.id}, {c.name});\n"
        elif c.kind.name == "DATATYPE":
            text += f"tell_datatype(t, {c.id}, {c.name});\n"
        else:
            text += f"tell_{'null' if c.null else 'handle'}(t, {c.id}, {c.name});\n"
    return text
