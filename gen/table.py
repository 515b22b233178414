"""The API table: what api/*.api says, checked, and the wire layout that follows from it.

    table = load(Path("api"))
    for proc in table.procedures: ...        # sorted by name, _c and MPIX_ twins included
    table.attach("openmpi", read_header("/usr/bin/mpicc.openmpi"))

Everything a generator needs hangs on Procedure and Param; no generator looks at api/*.api by itself.
A mistake in the table is a TableError of one sentence that begins with file and line.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Dict, List, Optional, Tuple

FAMILIES = (
    "p2p completion probe collective neighbour comm group datatype op request partitioned rma window io info "
    "attribute errhandler topology dynamic session lifecycle environment pack conversion tool"
).split()

# Flags of a procedure's first line that may stand alone.
PLAIN_FLAGS = (
    "blocking nonblocking persistent local anytime deprecated removed constructor destructor poll collective"
).split()
RETURNS = "error double aint int handle fint".split()
LIBRARIES = ("openmpi", "mpich")

FORMS = {
    # form: bytes of an element in a tail (8 if wide)
    "int": 4,
    "aint": 8,
    "handle": 8,
    "status": 24,
    "string": 1,
    "address": 8,
}

# Open MPI has a second entry of these in `use mpi`, for a base address of type(c_ptr).
WITH_CPTR = ("MPI_Alloc_mem", "MPI_Win_allocate", "MPI_Win_allocate_shared", "MPI_Win_shared_query")

# What a call does to messages, requests and other processes; the second line only by a stanza's role=.
ROLES = (
    "none post probe mprobe mrecv complete join "
    "start ready cancel free join_group join_groups detach finalize "
    "win_post win_wait win_start win_complete win_lock win_unlock win_flush"
).split()
FLOWS = "none nobody all from_root to_root prefix neighbours root_to_me each_to_root each_to_me all_to_my_part".split()
MODES = "standard buffered ready synchronous".split()

# What single checks need to know of a procedure (api/README.md).
TRAITS = (
    "harmless always pure plain meeting needs_all seekable may_fail cart graph dist_graph "
    "sets_attribute deletes_attribute intra inter from_fortran section"
).split()

SIGNIFICANCE = "everywhere root leaf both leader not_first unless_undefined".split()
IN_PLACE = "never root all any".split()


class TableError(Exception):
    """One sentence for the person who edits the table."""


@dataclass(frozen=True)
class Kind:
    """A row of kinds.api."""

    name: str
    form: str  # key of FORMS
    ctypes: Tuple[str, ...]  # base C types it may have: "int", "MPI_Count"; "*" any
    leave: bool  # an output of this kind is recorded at leave
    constants: Tuple[str, ...]  # full names of the constants it may take, besides plain values
    check: str  # check of src/analysis/argument that attaches to it, "" none
    wide: bool = False  # int in the plain procedure, 8 bytes in its _c twin
    canonical: bool = False  # may take a constant that is recorded in canonical form, which needs 8 bytes

    @property
    def enumerator(self) -> str:
        return cxx_name(self.name.lower())

    @property
    def is_handle(self) -> bool:
        return self.form == "handle"


@dataclass(frozen=True)
class Length:
    """How many elements an array has.

    what      arg          value
    param     name         value of that parameter (an out or inout parameter: through its pointer)
    number    "3"          that number
    product   "n*3"        name, factor: parameter times number
    size      -            members of the communicator; of the remote group on an inter-communicator
    localsize -            members of the local group
    indegree  -            in-neighbours of the communicator's topology
    outdegree -            out-neighbours
    cartdims  -            dimensions of the communicator's Cartesian topology
    sum       name         sum of that array's elements
    last      name         last element of that array
    nul       -            up to the terminating NUL
    """

    what: str
    arg: str = ""
    factor: int = 1


@dataclass(frozen=True)
class CType:
    """C type of a parameter as a header declares it."""

    text: str  # "const int *", as it would stand in a cast
    base: str  # "int", "MPI_Comm", "void"
    pointers: int  # depth; an array counts as one
    const: bool
    declaration: str  # "const int displs[]", as it stands in the header


@dataclass
class Param:
    """One parameter. The layout members are filled by Procedure.lay_out()."""

    name: str
    kind: Kind
    dir: str = "in"  # in, out, inout
    length: Optional[Length] = None  # of an array
    used: str = ""  # out array: name of the out parameter that says how many were filled
    count: str = ""  # BUFFER: names of its count and type parameters
    type: str = ""
    at: str = "everywhere"  # SIGNIFICANCE: who passes a meaningful value
    ignored_if: Tuple[str, str] = ("", "")  # at=unless_undefined: (parameter, constant)
    inplace: str = "never"  # IN_PLACE: where MPI_IN_PLACE may stand
    ignores: Tuple[str, ...] = ()  # parameters that MPI_IN_PLACE here makes insignificant
    optional: bool = False  # NULL is fine
    wide: bool = False  # grows to 8 bytes in the _c twin; in a twin: has grown
    leave: bool = False  # recorded at leave (out and inout only)
    leave_if_wild: bool = False  # leave only matters if source or tag was a wildcard
    leave_if_failed: bool = False  # array: length 0 at leave unless the call failed
    side: str = ""  # collective buffers: send, recv
    index: int = 0
    line: int = 0
    ctype: Dict[str, CType] = field(default_factory=dict)  # library: type

    # layout
    enter_word: int = -1
    enter_words: int = 0
    leave_word: int = -1
    leave_words: int = 0
    enter_tail: int = -1  # position among the tails of the enter record
    leave_tail: int = -1

    @property
    def is_array(self) -> bool:
        return self.length is not None

    @property
    def is_string(self) -> bool:
        return self.kind.form == "string"

    @property
    def by_address(self) -> bool:
        """Recorded as an address and never read through: buffers, functions, a status that goes in."""
        if self.is_array:
            return False
        return self.kind.form == "address" and not self.leave or self.kind.form == "status" and self.dir == "in"

    @property
    def shape(self) -> str:
        """Shape of src/event/proc.h."""
        if self.is_array:
            return {"in": "array_in", "out": "array_out", "inout": "array_inout"}[self.dir]
        if self.by_address or self.dir == "in":
            return "scalar"
        return "pointer_out" if self.dir == "out" else "pointer_inout"

    wide_now: bool = False  # wide, and in a _c procedure

    @property
    def elem_size(self) -> int:
        """Bytes of an array's element in the tail."""
        if self.kind.form == "int" and (self.wide_now or self.kind.canonical):
            return 8
        return FORMS[self.kind.form]

    @property
    def pointer_depth(self) -> Tuple[int, ...]:
        """Depths of indirection its C type may have."""
        form = self.kind.form
        if self.kind.name == "FUNCTION":
            return (0, 1)
        if self.kind.name == "ARGV":
            return (2, 3)
        if form == "address":
            return (1, 2, 3) if self.kind.name in ("POINTER", "EXTRA_STATE") else (1,)
        if self.is_array and self.kind.name == "RANGE":
            return (2,)
        if self.is_array or form in ("status", "string"):
            return (1,)
        return (0,) if self.dir == "in" else (1,)


@dataclass(frozen=True)
class Word:
    """One word (status: three) of a record, for people and golden files."""

    index: int
    param: str  # "" for the error class
    what: str  # value, address, length, status, error


@dataclass(frozen=True)
class Tail:
    param: str
    elem_size: int


@dataclass
class Prototype:
    """A function as a header declares it."""

    name: str
    returns: str
    params: List[Tuple[str, CType]]
    variadic: bool = False


@dataclass
class Procedure:
    name: str  # "MPI_Send"
    family: str
    flags: frozenset  # of PLAIN_FLAGS
    clause: str = ""  # of MPI-4.1
    replacement: str = ""  # deprecated=, removed=
    unchecked: str = ""  # reason
    glue: frozenset = frozenset()  # libraries whose Fortran entry does not pass through (P)MPI_X: "openmpi", "mpich"
    returns: str = "error"  # RETURNS
    params: List[Param] = field(default_factory=list)
    large: bool = False  # is a _c twin
    plain: str = ""  # of a _c or MPIX_ twin: the procedure it was derived from, else ""
    base: str = ""  # plain blocking procedure it is a variant of, else its own name
    role: str = ""  # ROLES; "" in a stanza: follows from family, flags and kinds
    flow: str = ""  # FLOWS: how data flow in a collective; variants have that of their base
    mode: str = ""  # MODES of a send, likewise
    agree: Tuple[str, ...] = ()  # parameters that all members must pass alike, likewise
    traits: Tuple[str, ...] = ()  # TRAITS; a _c twin has those of its stanza, other variants have none
    has_large: bool = False  # stanza has a `large` line
    mpix: bool = False  # stanza has an `mpix` line: MPIX_ twin of the same parameters
    variadic: bool = False
    number: int = 0  # Proc; 1 is the first
    line: int = 0
    prototype: Dict[str, Prototype] = field(default_factory=dict)  # library: declaration, only where it exists

    enter_words: int = 0
    leave_words: int = 1
    enter_tails: List[Tail] = field(default_factory=list)
    leave_tails: List[Tail] = field(default_factory=list)

    @property
    def enumerator(self) -> str:
        """Proc::send, Proc::t_init_thread, Proc::x_bcast_init."""
        if self.name.startswith("MPIX_"):
            return "x_" + self.name[5:].lower()
        return cxx_name(self.name[4:].lower())

    @property
    def fortran(self) -> str:
        """Name of its Fortran entries without underscore or suffix: mpi_send, also for MPI_Send_c."""
        return (self.name[:-2] if self.large else self.name).lower()

    def fortran_entries(self, binding: str) -> List[str]:
        """Symbols a program may call from binding mpif (mpif.h and use mpi) or f08, where the library has them."""
        if binding == "mpif":
            if self.large:
                return []  # mpif.h and use mpi have no large counts
            names = [self.fortran + "_"]
            if self.name in WITH_CPTR:
                names.append(self.fortran + "_cptr_")
            return names
        suffixes = ("_f08_large_", "_f08ts_large_") if self.large else ("_f08_", "_f08ts_")
        stem = self.fortran
        if stem.startswith("mpix_delete_error"):
            stem = "mpi" + stem[4:]  # MPICH's module calls them so
        return [stem + suffix for suffix in suffixes]

    @property
    def recorded_outputs(self) -> List[Param]:
        return [p for p in self.params if p.leave_word >= 0]

    @property
    def collective(self) -> bool:
        return "collective" in self.flags or self.family in ("collective", "neighbour")

    def exists(self, library: str) -> bool:
        return library in self.prototype

    def param(self, name: str) -> Optional[Param]:
        for p in self.params:
            if p.name == name:
                return p
        return None

    def first(self, kinds, dirs=("in", "out", "inout")) -> int:
        """Index of the first parameter of the first of these kinds that there is, -1: none."""
        for kind in kinds:
            for p in self.params:
                if p.kind.name == kind and p.dir in dirs:
                    return p.index
        return -1

    def named(self, *names: str, dirs=("in", "out", "inout")) -> int:
        """Index of the first of these parameters that there is, -1: none."""
        for name in names:
            p = self.param(name)
            if p and p.dir in dirs:
                return p.index
        return -1

    def side(self, what: str) -> Tuple[int, ...]:
        """Buffer, count, type, peer and tag of the send or receive side of a transfer."""
        peer = self.named({"send": "dest", "recv": "source"}[what])
        takes = what == "recv" and self.named("message") >= 0
        if self.family not in ("p2p", "probe", "partitioned", "collective"):
            return (-1,) * 5
        if self.family != "collective" and peer < 0 and not takes:
            return (-1,) * 5
        buffer = self.named(what + "buf", "buf", "buffer")
        count = self.named(what + "count", what + "counts", "count")
        datatype = self.named(what + "type", what + "types", "datatype")
        return buffer, count, datatype, peer, self.named(what + "tag", "tag")

    def places(self) -> Tuple[int, ...]:
        """Indices of what calls of many kinds have; the order is that of CallParams (proc.h)."""
        return (
            self.first(("COMM", "WIN", "FILE"), ("in", "inout")),
            self.first(("REQUEST",)),
            self.first(("STATUS",), ("out",)),
            self.named("flag", dirs=("out",)),
            self.named("index", "array_of_indices", dirs=("out",)),
            self.named("outcount"),
            self.first(("MESSAGE",)),
            self.named("partitions"),
            self.first(("ROOT",)),
            self.first(("GROUP",), ("in",)),
        )

    def derived_role(self) -> str:
        if self.family in ("p2p", "partitioned"):
            if self.named("message") >= 0:
                return "mrecv"
            return "post" if self.named("comm") >= 0 and self.named("dest", "source") >= 0 else "none"
        if self.family == "probe":
            return "mprobe" if self.named("message") >= 0 else "probe"
        if self.family == "completion":
            return "complete"
        return "join" if self.collective and not self.unchecked and self.places()[0] >= 0 else "none"

    def words(self, phase: str) -> List[Word]:
        """The words of a record in order, tails not included."""
        words: List[Word] = [Word(0, "", "error")] if phase == "leave" else []
        for p in self.params:
            at = p.enter_word if phase == "enter" else p.leave_word
            if at < 0:
                continue
            if phase == "leave":
                what = ["length"] if p.is_array else ["status"] if p.kind.form == "status" else ["value"]
            else:
                what = {
                    "scalar": ["address" if p.by_address else "value"],
                    "pointer_out": ["address"],
                    "pointer_inout": ["address", "value"],
                    "array_in": ["address", "length"],
                    "array_inout": ["address", "length"],
                    "array_out": ["address", "length"],
                }[p.shape]
            words += [Word(at + i, p.name, w) for i, w in enumerate(what)]
        return words

    def describe(self) -> str:
        """The layout as text, for people and for golden files."""
        lines = [f"{self.name} {self.family}"]
        for phase, tails in (("enter", self.enter_tails), ("leave", self.leave_tails)):
            words = [f"{w.index}:{w.param}.{w.what}" if w.param else f"{w.index}:{w.what}" for w in self.words(phase)]
            lines.append(f"  {phase} words {' '.join(words) or '-'}")
            lines.append(f"  {phase} tails {' '.join(f'{t.param}*{t.elem_size}' for t in tails) or '-'}")
        return "\n".join(lines) + "\n"

    def lay_out(self) -> None:
        at, leave = 0, 1
        self.enter_tails, self.leave_tails = [], []
        for i, p in enumerate(self.params):
            p.index = i
            p.enter_word, p.enter_words = at, 1
            if p.is_array or p.shape == "pointer_inout":
                p.enter_words = 2
            at += p.enter_words
            p.enter_tail = p.leave_tail = p.leave_word = -1
            p.leave_words = 0
            if p.is_array and p.dir != "out":
                p.enter_tail = len(self.enter_tails)
                self.enter_tails.append(Tail(p.name, p.elem_size))
            if p.leave and p.dir != "in":
                p.leave_word = leave
                p.leave_words = 3 if p.kind.form == "status" and not p.is_array else 1
                leave += p.leave_words
                if p.is_array:
                    p.leave_tail = len(self.leave_tails)
                    self.leave_tails.append(Tail(p.name, p.elem_size))
        self.enter_words, self.leave_words = at, leave


@dataclass(frozen=True)
class Constant:
    """A row of constants.api: a named constant or a predefined handle."""

    id: int
    name: str  # "MPI_COMM_WORLD"
    kind: Kind
    form: str  # value, sentinel, handle
    null: bool  # MPI_COMM_NULL ...
    line: int = 0

    @property
    def is_handle(self) -> bool:
        return self.form == "handle"

    @property
    def enumerator(self) -> str:
        prefix, _, name = self.name.lower().partition("_")
        return cxx_name({"mpi": "", "mpix": "x_"}.get(prefix, prefix + "_") + name)


@dataclass
class Table:
    kinds: Dict[str, Kind]
    constants: List[Constant]
    procedures: List[Procedure]
    headers: Dict[str, "object"] = field(default_factory=dict)  # library: header.Header

    def __post_init__(self):
        self.by_name = {p.name: p for p in self.procedures}
        self.constant_by_name = {c.name: c for c in self.constants}

    def constants_of(self, library: str) -> List[Constant]:
        """Those that the library's header has."""
        return [c for c in self.constants if self.headers[library].has_constant(c.name)]

    def attach(self, library: str, header) -> None:
        """Takes over the prototypes of a library's header; see header.read_header()."""
        from header import attach

        attach(self, library, header)


CXX_KEYWORDS = set(
    "and and_eq asm auto bitand bitor bool break case catch char class compl const continue default delete do "
    "double else enum explicit export extern false float for friend goto if inline int long mutable namespace new "
    "not operator or private protected public register return short signed sizeof static struct switch template "
    "this throw true try typedef typename union unsigned using virtual void volatile while xor complex".split()
)


def cxx_name(name: str) -> str:
    """An enumerator for it: keywords get a trailing underscore, a leading digit a leading one."""
    if name in CXX_KEYWORDS:
        return name + "_"
    return "_" + name if name[0].isdigit() else name


def load(api: Path) -> Table:
    """Reads and validates api/*.api."""
    import parse

    return parse.load(api)
