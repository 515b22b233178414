"""Random datatypes: one sequence of basic types, many layouts.

    maker.type_of(["MPI_INT", "MPI_DOUBLE"])     some datatype with exactly this type signature

A type knows its whole typemap, so the memory that a buffer needs is known exactly, and the generated program asserts
that the MPI library agrees. Layouts never touch a byte twice: every type may be received into.
"""

from dataclasses import dataclass, field

BASICS = {"MPI_CHAR": 1, "MPI_SHORT": 2, "MPI_INT": 4, "MPI_FLOAT": 4, "MPI_LONG": 8, "MPI_DOUBLE": 8,
          "MPI_UNSIGNED": 4, "MPI_UNSIGNED_CHAR": 1}
PAIRS = {"MPI_2INT": ["MPI_INT", "MPI_INT"], "MPI_FLOAT_INT": ["MPI_FLOAT", "MPI_INT"]}


@dataclass
class Type:
    name: str
    entries: list  # (basic, displacement), in the order of the typemap
    lb: int
    ub: int
    calls: list = field(default_factory=list)  # the constructor and those of its parts, in order
    parts: list = field(default_factory=list)  # derived types it is made of

    def __str__(self):
        return self.name

    @property
    def extent(self):
        return self.ub - self.lb

    @property
    def size(self):
        return sum(BASICS[basic] for basic, _ in self.entries)

    @property
    def true_lb(self):
        return min((at for _, at in self.entries), default=0)

    @property
    def true_ub(self):
        return max((at + BASICS[basic] for basic, at in self.entries), default=0)

    @property
    def derived(self):
        return bool(self.calls)

    def memory(self, count):
        """[first, last) byte that count elements touch, relative to the buffer's address."""
        return (self.true_lb, self.true_ub + (count - 1) * self.extent) if count and self.entries else (0, 0)


def basic_type(name):
    """A predefined type by its name."""
    if name in PAIRS:
        first, second = PAIRS[name]
        return Type(name, [(first, 0), (second, 4)], 0, 8)
    return Type(name, [(name, 0)], 0, BASICS[name])


def c_array(ctype, values):
    """A C array literal. An empty one is not C, so it is NULL: such an array is not significant."""
    return f"({ctype}[]){{{', '.join(map(str, values))}}}" if values else "NULL"


def factors(n):
    return [k for k in range(1, n + 1) if n % k == 0]


def period(sequence):
    """The numbers k such that the sequence is k times the same thing."""
    n = len(sequence)
    return [k for k in factors(n) if sequence == sequence[: n // k] * k]


class TypeMaker:
    """Makes types for one rank: `new_name()` gives a C variable, `call(name, …)` makes a call."""

    def __init__(self, rng, new_name, call):
        self.rng, self.new_name, self.call = rng, new_name, call

    def type_of(self, sequence, depth=0, alone=False):
        """A random type with this signature. `alone`: it is used with count 1 only, its extent does not matter."""
        rng = self.rng
        if len(sequence) == 1 and (depth > 2 or rng.random() < 0.7):
            return basic_type(sequence[0])
        for name, pair in PAIRS.items():
            if sequence == pair and rng.random() < 0.5:
                return basic_type(name)
        wrapped = rng.random()
        if depth < 2 and wrapped < 0.12:
            return self.dup(self.type_of(sequence, depth + 1))
        if depth < 2 and wrapped < 0.25 or len(sequence) == 1:
            return self.resized(self.type_of(sequence, depth + 1))
        repeats = [k for k in period(sequence) if k > 1]
        if repeats and rng.random() < 0.85:
            k = rng.choice(repeats)
            inner = self.type_of(sequence[: len(sequence) // k], depth + 1)
            return rng.choice(self.ARRAYS)(self, k, inner)
        return self.struct(sequence, depth, alone)

    # --- what is made of copies of one type -----------------------------------------------------------------------

    def build(self, procedure, arguments, copies, parts, lb=None, ub=None):
        """A type of `copies` [(part, displacement)]; bounds follow unless given."""
        entries = [(basic, at + disp) for part, disp in copies for basic, at in part.entries]
        lb = min(disp + part.lb for part, disp in copies) if lb is None else lb
        ub = max(disp + part.ub for part, disp in copies) if ub is None else ub
        name = self.new_name()
        made = Type(name, entries, lb, ub, parts=[p for p in parts if p.derived])
        made.calls = [c for p in made.parts for c in p.calls] + [self.call(procedure, *arguments, f"&{name}")]
        return made

    def contiguous(self, k, inner):
        copies = [(inner, i * inner.extent) for i in range(k)]
        return self.build("MPI_Type_contiguous", [k, inner], copies, [inner])

    def vector(self, k, inner, unit=None):
        length = self.rng.choice(factors(k))
        count = k // length
        # Open MPI 4.1 takes a stride of minus one block for a contiguous run: backwards with a gap only.
        stride = self.rng.choice([length, length + 1, length + 2, -length - 1])
        copies = [(inner, (i * stride + j) * inner.extent) for i in range(count) for j in range(length)]
        if unit:
            return self.build("MPI_Type_create_hvector", [count, length, stride * inner.extent, inner], copies, [inner])
        return self.build("MPI_Type_vector", [count, length, stride, inner], copies, [inner])

    def hvector(self, k, inner):
        return self.vector(k, inner, unit="bytes")

    def blocks(self, k, equal):
        """Lengths of blocks that make up k elements, and where they stand: apart, in any order."""
        lengths = []
        if equal:
            length = self.rng.choice(factors(k))
            lengths = [length] * (k // length)
        while sum(lengths) < k:
            lengths.append(self.rng.randint(1, k - sum(lengths)))
        at, places = self.rng.randrange(3) - 1, [0] * len(lengths)
        for i in self.rng.sample(range(len(lengths)), len(lengths)):
            places[i] = at
            at += lengths[i] + self.rng.randrange(3)
        return lengths, places

    def indexed(self, k, inner, equal=False, in_bytes=False):
        lengths, places = self.blocks(k, equal)
        copies = [(inner, (at + j) * inner.extent) for length, at in zip(lengths, places) for j in range(length)]
        shown = [at * inner.extent for at in places] if in_bytes else places
        places_c = c_array("MPI_Aint" if in_bytes else "int", shown)
        lengths_c = lengths[0] if equal else c_array("int", lengths)
        procedure = {(False, False): "MPI_Type_indexed", (False, True): "MPI_Type_create_hindexed",
                     (True, False): "MPI_Type_create_indexed_block",
                     (True, True): "MPI_Type_create_hindexed_block"}[equal, in_bytes]
        return self.build(procedure, [len(lengths), lengths_c, places_c, inner], copies, [inner])

    def hindexed(self, k, inner):
        return self.indexed(k, inner, in_bytes=True)

    def indexed_block(self, k, inner):
        return self.indexed(k, inner, equal=True)

    def hindexed_block(self, k, inner):
        return self.indexed(k, inner, equal=True, in_bytes=True)

    def subarray(self, k, inner):
        if inner.lb:
            return self.contiguous(k, inner)
        rng = self.rng
        rows = rng.choice(factors(k))
        part = [rows, k // rows]
        start = [rng.randrange(2), rng.randrange(2)]
        whole = [s + p + rng.randrange(2) for s, p in zip(start, part)]
        row_major = rng.random() < 0.5
        outer, fast = (0, 1) if row_major else (1, 0)
        copies = [(inner, ((start[outer] + i) * whole[fast] + start[fast] + j) * inner.extent)
                  for i in range(part[outer]) for j in range(part[fast])]
        arguments = [2, *(c_array("int", v) for v in (whole, part, start)),
                     "MPI_ORDER_C" if row_major else "MPI_ORDER_FORTRAN", inner]
        return self.build("MPI_Type_create_subarray", arguments, copies, [inner], 0, whole[0] * whole[1] * inner.extent)

    ARRAYS = [contiguous, vector, hvector, indexed, hindexed, indexed_block, hindexed_block, subarray]

    # --- others ---------------------------------------------------------------------------------------------------

    def dup(self, inner):
        return self.build("MPI_Type_dup", [inner], [(inner, 0)], [inner])

    def resized(self, inner):
        lb = inner.lb - self.rng.choice([0, 0, 8])
        ub = inner.ub + self.rng.choice([0, 8, 16])
        return self.build("MPI_Type_create_resized", [inner, lb, ub - lb], [(inner, 0)], [inner], lb, ub)

    def struct(self, sequence, depth, alone):
        """Pieces of the sequence, one behind the other at multiples of 8, in any order."""
        rng = self.rng
        cuts = sorted(rng.sample(range(1, len(sequence)), min(len(sequence) - 1, rng.randint(1, 3))))
        pieces = [sequence[a:b] for a, b in zip([0] + cuts, cuts + [len(sequence)])]
        fields = []  # (count, type)
        for piece in pieces:
            count = rng.choice(period(piece))
            fields.append((count, self.type_of(piece[: len(piece) // count], depth + 1)))
        at, places = 8 * rng.randrange(-1, 2), [0] * len(fields)
        for i in rng.sample(range(len(fields)), len(fields)):
            count, part = fields[i]
            places[i] = at - part.lb + (-(at - part.lb)) % 8
            at = places[i] + part.lb + count * part.extent + 8 * rng.randrange(2)
        copies = [(part, place + j * part.extent) for (count, part), place in zip(fields, places) for j in range(count)]
        parts = [part for _, part in fields]
        arguments = [len(fields), c_array("int", [count for count, _ in fields]), c_array("MPI_Aint", places),
                     c_array("MPI_Datatype", parts)]
        made = self.build("MPI_Type_create_struct", arguments, copies, parts)
        # The library may round a struct's extent up: it counts only if said explicitly.
        if alone and rng.random() < 0.5:
            return made
        lb, ub = made.lb, made.ub + (-made.ub) % 8 + 8 * rng.randrange(2)
        return self.build("MPI_Type_create_resized", [made, lb, ub - lb], [(made, 0)], [made], lb, ub)
