"""The API table: what api/*.api says, checked, and the wire layout that follows from it.

    table = load(Path("api"))
    for proc in table.procedures: ...        # sorted by name, _c and MPIX_ twins included
    table.attach("openmpi", read_header("/usr/bin/mpicc.openmpi"))

Everything a generator needs hangs on Procedure and Param; no generator looks at api/*.api by itself.
A mistake in the table is a TableError of one sentence that begins with file and line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Dict, List, Optional, Tuple

FAMILIES = (
    "p2p completion probe collective neighbour comm group datatype op request partitioned rma window io info "
    "attribute errhandler topology dynamic session lifecycle environment pack conversion tool"
).split()

# Flags without a value, as they are written on a procedure's first line.
PLAIN_FLAGS = (
    "blocking nonblocking persistent local anytime deprecated removed constructor destructor poll collective"
).split()
# Flags with a value.
VALUE_FLAGS = "deprecated removed unchecked glue returns mpi base".split()
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
    constants: Tuple[str, ...]  # names of constants.api it may take, besides plain values
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
        """Name of its Fortran entry without underscore or suffix: mpi_send."""
        return self.name.lower()

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
        prefix = "x_" if self.name.startswith("MPIX_") else ""
        return cxx_name(prefix + self.name.split("_", 1)[1].lower())


@dataclass
class Table:
    kinds: Dict[str, Kind]
    constants: List[Constant]
    procedures: List[Procedure]
    headers: Dict[str, "object"] = field(default_factory=dict)  # library: header.Header

    def __post_init__(self):
        self.by_name = {p.name: p for p in self.procedures}
        self.constant_by_name = {c.name: c for c in self.constants}

    def attach(self, library: str, header) -> None:
        """Takes over the prototypes of a library's header; see header.read_header()."""
        from header import attach

        attach(self, library, header)


CXX_KEYWORDS = set(
    "and and_eq asm auto bitand bitor bool break case catch char class compl const continue default delete do double else "
    "enum explicit export extern false float for friend goto if inline int long mutable namespace new not operator or "
    "private protected public register return short signed sizeof static struct switch template this throw true try "
    "typedef typename union unsigned using virtual void volatile while xor complex".split()
)


def cxx_name(name: str) -> str:
    """An enumerator for it: keywords get a trailing underscore, a leading digit a leading one."""
    if name in CXX_KEYWORDS:
        return name + "_"
    return "_" + name if name[0].isdigit() else name


# ---------------------------------------------------------------------------------------------------------------------
# Reading


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
            raise TableError(f"{where}: {name} has id {words[0]}, but ids go on by one and {len(constants) + 1} is next")
        if words[2] not in kinds:
            raise TableError(f"{where}: {name} has an unknown kind {words[2]}")
        if words[3] not in ("value", "sentinel", "handle") or words[4:] not in ([], ["null"]):
            raise TableError(f"{where}: {name} is neither value, sentinel nor handle")
        if name in names:
            raise TableError(f"{where}: {name} is there twice")
        names.add(name)
        constants.append(Constant(int(words[0]), name, kinds[words[2]], words[3], words[4:] == ["null"], number))
    return constants


_LENGTH = re.compile(r"^(?:(?P<what>sum|last):(?P<array>\w+)|(?P<name>[A-Za-z]\w*)\*(?P<factor>\d+)|(?P<number>\d+)|(?P<word>\w+))$")
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
    for p in proc.params:
        where = f"{path.name}:{p.line}"

        def need(name: str, what: str) -> Param:
            other = proc.param(name)
            if other is None:
                raise TableError(f"{where}: {what} of {p.name} of {proc.name} names {name}, which is no parameter")
            return other

        if p.length and p.length.what == "param" and proc.param(p.length.arg) is None:
            if p.length.arg not in _LENGTH_WORDS:
                raise TableError(f"{where}: length of {p.name} of {proc.name} names {p.length.arg}, which is no parameter")
            p.length = Length(p.length.arg)
        if p.length and p.length.arg and p.length.what != "number":
            other = need(p.length.arg, "length")
            if p.length.what in ("sum", "last") and not other.is_array:
                raise TableError(f"{where}: length of {p.name} of {proc.name} adds up {other.name}, which is no array")
            if p.length.what in ("param", "product") and other.is_array:
                raise TableError(f"{where}: length of {p.name} of {proc.name} is {other.name}, which is an array itself")
        if p.length and p.length.what in ("size", "localsize", "indegree", "outdegree", "cartdims"):
            if not any(q.kind.name == "COMM" for q in proc.params):
                raise TableError(f"{where}: length of {p.name} of {proc.name} is [{p.length.what}], but there is no COMM")
        if p.count and need(p.count, "count").kind.name not in ("COUNT", "BUFFER_SIZE"):
            raise TableError(f"{where}: count of {p.name} of {proc.name} names {p.count}, which is no COUNT")
        if p.type and need(p.type, "type").kind.name != "DATATYPE":
            raise TableError(f"{where}: type of {p.name} of {proc.name} names {p.type}, which is no DATATYPE")
        if p.used and need(p.used, "used").dir == "in":
            raise TableError(f"{where}: used of {p.name} of {proc.name} names {p.used}, which is no output")
        for name in p.ignores:
            need(name, "ignores")
        if p.ignored_if[0]:
            need(p.ignored_if[0], "ignored_if")
        if p.at in ("root", "leaf", "both") and not any(q.kind.name == "ROOT" for q in proc.params):
            raise TableError(f"{where}: {p.name} of {proc.name} is significant at={p.at}, but there is no ROOT")
        if p.inplace != "never" and p.kind.name != "BUFFER":
            raise TableError(f"{where}: {p.name} of {proc.name} is no BUFFER and cannot be MPI_IN_PLACE")


# ---------------------------------------------------------------------------------------------------------------------
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


def load(api: Path) -> Table:
    """Reads and validates api/*.api."""
    kinds = load_kinds(api / "kinds.api")
    constants = load_constants(api / "constants.api", kinds)
    names = {c.name: c for c in constants}
    for kind in list(kinds.values()):
        for constant in kind.constants:
            if "MPI_" + constant not in names:
                raise TableError(f"kinds.api: kind {kind.name} may be {constant}, which is not in constants.api")
        canonical = kind.form == "int" and any(names["MPI_" + c].form == "value" for c in kind.constants)
        kinds[kind.name] = replace(kind, canonical=canonical)
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
    for proc in procedures:
        for p in proc.params:
            if p.ignored_if[1] and p.ignored_if[1] not in names:
                raise TableError(f"mpi.api:{p.line}: {p.ignored_if[1]} is not in constants.api")
    return Table(kinds, constants, procedures)
