"""What stands in the table of real functions while clocks travel in messages (src/shim/band/band.h).

    shim/<library>/band_messages.inc      point-to-point:              VOUCH_BAND(isend, Isend)
    shim/<library>/band_probes.inc        probes, and receives of what they matched
    shim/<library>/band_collectives.inc   collectives:                 VOUCH_BAND(bcast, Together, Flow::from_root, 4, 3, 1, 2, -1)
    shim/<library>/band_outside.inc       calls in which the library may send messages of its own

Which template carries the clock of a procedure follows from its flags and parameters; the numbers behind a collective are
the places of its communicator, root, counts, types and request among the parameters, -1: none.
"""

from __future__ import annotations

from typing import Dict, Optional

from emit_wrappers import BANNER, member
from table import LIBRARIES, Procedure, Table

def emit(table: Table) -> Dict[str, str]:
    files: Dict[str, str] = {}
    for library in LIBRARIES:
        if library not in table.headers:
            continue
        procs = [p for p in table.procedures if p.exists(library)]
        for name, line in (("messages", message), ("probes", probe), ("collectives", collective), ("outside", outside)):
            text = "".join(f"VOUCH_BAND({row})\n" for row in map(line, procs) if row)
            files[f"shim/{library}/band_{name}.inc"] = BANNER + text
    return files


def plain_name(proc: Procedure) -> str:
    return proc.name[4:-2] if proc.large else proc.name[4:]


def message(proc: Procedure) -> Optional[str]:
    """Named after what it does: Send, Isend, Send_init, Recv, ..., Sendrecv, Isendrecv_replace."""
    sends, receives = proc.param("dest"), proc.param("source")
    if proc.family != "p2p" or not (sends or receives):
        return None
    form = plain_name(proc)
    if not receives:
        form = "Isend" if "nonblocking" in proc.flags else "Send_init" if "persistent" in proc.flags else "Send"
    return f"{member(proc)}, {form}"


def probe(proc: Procedure) -> Optional[str]:
    matched = proc.family == "p2p" and proc.param("message")
    return f"{member(proc)}, {plain_name(proc)}" if matched or proc.family == "probe" else None


def collective(proc: Procedure) -> Optional[str]:
    # A companion on the same communicator has no neighbours to itself, and what is not about a communicator has none.
    if proc.flow in ("none", "nobody", "neighbours") or proc.family == "io":
        return None
    if "persistent" in proc.flags:
        return f"{member(proc)}, Uncarried"
    # Of what a member gets nothing by a count of 0, or by a type without data, it learns nothing.
    _, counts, types, _, _ = proc.side("recv")
    request = proc.named("request")
    places = (proc.places()[0], proc.named("root"), counts, types, request)
    return f"{member(proc)}, Together, Flow::{proc.flow}, {', '.join(map(str, places))}"


def outside(proc: Procedure) -> Optional[str]:
    return f"{member(proc)}, Outside" if proc.family == "io" and proc.returns == "error" and not proc.variadic else None
