"""A random program: what each rank calls, in an order that cannot deadlock.

Every call has a *slot* (step, place within the step, serial), and every rank makes its calls in the order of slots.
A call that may wait needs only what other ranks do in an earlier slot, or in the very same one (both sides of one
meeting: a blocking send and its receive, a collective). So the ranks cannot wait for each other in a circle, even if
the library buffers nothing: the rank with the earliest slot can always go on.
"""

import collections
import itertools
import pathlib
import sys
from dataclasses import dataclass, field

import layout

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "gen"))
import table  # noqa: E402  (the tree's own description of every MPI procedure)

PROCEDURES = {p.name: p for p in table.load(pathlib.Path(__file__).resolve().parents[2] / "api").procedures}
FEATURES = {  # what a library has beyond MPI-3.1
    "openmpi": set(),
    "mpich": {"partitioned", "persistent collectives", "sessions", "isendrecv"},
}
# Places within a step: all that is started, then what may wait for others, then completions, then frees.
MAKE, START, MEET, FINISH, FREE = 0, 2, 5, 8, 9


class Call:
    """One MPI call. `form` is the C around it; a mark makes the line known to the test."""

    def __init__(self, name, *arguments, form="{};"):
        self.name, self.arguments, self.form, self.mark = name, list(arguments), form, ""
        self.before, self.after = [], []  # lines of C, or calls, that a mutation adds

    def __str__(self):
        text = self.form.format(f"{self.name}({', '.join(map(str, self.arguments))})")
        return text + (f"  // @{self.mark}" if self.mark else "")

    def lines(self):
        return [*(line for b in self.before for line in lines_of(b)), str(self),
                *(line for a in self.after for line in lines_of(a))]

    def index(self, parameter):
        return next(i for i, p in enumerate(PROCEDURES[self.name].params) if p.name == parameter)

    def has(self, parameter):
        return any(p.name == parameter for p in PROCEDURES[self.name].params)

    def __getitem__(self, parameter):
        return self.arguments[self.index(parameter)]

    def __setitem__(self, parameter, value):
        self.arguments[self.index(parameter)] = value

    def parameters(self, kind):
        """Names of its parameters of a kind of the API table ("RANK", "DATATYPE" …)."""
        return [p.name for p in PROCEDURES[self.name].params if p.kind.name == kind]


def lines_of(item):
    return item.lines() if isinstance(item, Call) else [str(item)]


@dataclass(eq=False)
class Comm:
    """One group of a communicator variable; a split has several. An inter-communicator has a remote group."""

    name: str
    members: list  # world ranks
    remote: list = field(default_factory=list)
    private: bool = False  # made by a step for itself: ordinary steps leave it alone
    topology: bool = False

    def __str__(self):
        return self.name

    def rank(self, world):
        return self.members.index(world)

    @property
    def size(self):
        return len(self.members)


@dataclass(eq=False)
class Buffer:
    name: str
    rank: int
    size: int
    storage: str  # heap, static, stack


@dataclass
class Data:
    """A buffer argument: address, count, type."""

    buffer: Buffer
    address: str
    count: int
    type: layout.Type
    sequence: list

    @property
    def arguments(self):
        return [self.address, self.count, self.type]


class Request:
    """Stands in the array q; its place is decided when it is known which requests are completed together."""

    def __init__(self, rank, persistent=False):
        self.rank, self.persistent, self.index = rank, persistent, None
        self.alone = False  # completed by a call of its own

    def __str__(self):
        return f"q[{self.index}]"

    @property
    def address(self):
        return Address(self)


class Address:
    def __init__(self, request):
        self.request = request

    def __str__(self):
        return f"&{self.request}"


class Program:
    def __init__(self, rng, ranks, steps, features):
        self.rng, self.ranks, self.last, self.features = rng, ranks, steps - 1, features
        self.events = collections.defaultdict(lambda: collections.defaultdict(list))  # slot → rank → calls
        self.world = Comm("MPI_COMM_WORLD", list(range(ranks)))
        self.comms = [self.world]
        self.buffers, self.types, self.names = [], [], collections.Counter()
        self.declared = []  # declarations of C variables
        self.serial, self.tags = itertools.count(), itertools.count(1)
        self.to_complete = collections.defaultdict(list)  # (rank, step) → requests
        self.requests = []
        self.plain = False  # basic types only
        self.messages = []  # what was exchanged, for mutations
        # Around it, when it stands alone in its job.
        self.before_init, self.after_finalize = [], []
        self.init, self.finalize = "MPI_Init(NULL, NULL);", ["MPI_Finalize();"]

    # --- names and objects ------------------------------------------------------------------------------------------

    def name(self, letter, ctype=None, value=None):
        """A new C variable."""
        name = f"{letter}{self.names[letter]}"
        self.names[letter] += 1
        if ctype:
            self.declared.append(f"{ctype} {name}" + (f" = {value};" if value is not None else ";"))
        return name

    def tag(self):
        return next(self.tags)

    def slot(self, step, place):
        return (step, place, next(self.serial))

    def put(self, slot, rank, *calls):
        self.events[slot][rank].extend(calls)

    def call(self, slot, rank, name, *arguments, **more):
        made = Call(name, *arguments, **more)
        self.put(slot, rank, made)
        return made

    def all(self, slot, ranks, name, *arguments, **more):
        """The same call on several ranks."""
        return [self.call(slot, rank, name, *arguments, **more) for rank in ranks]

    def later(self, step):
        """A step not before this one, mostly soon."""
        return min(self.last, step + self.rng.choice([0, 0, 1, 1, 2, 4]))

    def buffer(self, rank, size):
        storage = self.rng.choice(["heap", "heap", "static", "stack"])
        made = Buffer(self.name("b"), rank, max(size, 1), storage)
        self.buffers.append(made)
        return made

    def make_type(self, rank, sequence, step, until=None, alone=False, rng=None):
        """A committed type that lives from this step to `until` or a later one."""
        if self.plain:
            return layout.basic_type(*sequence)
        maker = layout.TypeMaker(rng or self.rng, lambda: self.name("t", "MPI_Datatype"), Call)
        made = maker.type_of(sequence, alone=alone)
        if not made.derived:
            return made
        slot = self.slot(step, MAKE)
        self.put(slot, rank, *made.calls, Call("MPI_Type_commit", f"&{made}"))
        bounds = [made.size, made.true_lb, made.true_ub - made.true_lb]
        self.put(slot, rank, f"CHECK_TYPE({made}, {', '.join(map(str, bounds))});")
        for part in all_parts(made):
            self.put(slot if self.rng.random() < 0.5 else self.slot(self.later(step), FREE), rank,
                     Call("MPI_Type_free", f"&{part}"))
        self.put(self.slot(self.later(step if until is None else until), FREE), rank, Call("MPI_Type_free", f"&{made}"))
        self.types.append((rank, made))
        return made

    def data(self, rank, unit, n, step, blocks=1, until=None):
        """Memory for `blocks` times (n times unit), each described as count × type."""
        sequence = unit * n
        if not n:
            made = self.buffer(rank, 1)
            return Data(made, self.rng.choice(["NULL", made.name]), 0, layout.basic_type(unit[0]), [])
        count = n if self.plain else self.rng.choice(layout.factors(n))
        made = self.make_type(rank, unit * (n // count), step, until, alone=count == 1 and blocks == 1)
        low, high = made.memory(count * blocks)
        offset = -low + low % 8 if low < 0 else 0
        buffer = self.buffer(rank, offset + high)
        return Data(buffer, f"{buffer.name} + {offset}" if offset else buffer.name, count, made, sequence)

    def request(self, rank, persistent=False):
        made = Request(rank, persistent)
        self.requests.append(made)
        return made

    def complete(self, request, step):
        """Some completion call at the end of this step or of a later one; returns the step."""
        step = self.later(step)
        self.to_complete[request.rank, step].append(request)
        return step

    def free_later(self, slot_step, rank, name, *arguments):
        self.put(self.slot(self.later(slot_step), FREE), rank, Call(name, *arguments))

    def pick_comm(self, least=1):
        able = [c for c in self.comms if c.size >= least and not c.private]
        chosen = self.rng.choice(able)
        return chosen

    # --- the end ------------------------------------------------------------------------------------------------------

    def finish(self):
        """Decides how requests are completed, and frees the communicators."""
        for (rank, step), requests in sorted(self.to_complete.items()):
            self.rng.shuffle(requests)
            while requests:
                n = self.rng.randint(1, min(4, len(requests)))
                n = 1 if any(r.alone for r in requests[:n]) else n
                group, requests = requests[:n], requests[n:]
                complete_group(self, self.slot(step, FINISH), rank, group)
        for request in self.requests:
            if request.index is None:
                request.index = self.next_index(request.rank, 1)
        for comm in self.comms:
            if comm is not self.world and comm.name != "MPI_COMM_SELF":
                slot = self.slot(self.last + 1, FREE)
                self.all(slot, comm.members, "MPI_Comm_free", f"&{comm}")

    def next_index(self, rank, n):
        index = self.names["q", rank]
        self.names["q", rank] += n
        return index

    def calls(self):
        """(slot, rank, call) of all MPI calls."""
        for slot in sorted(self.events):
            for rank, calls in sorted(self.events[slot].items()):
                for call in calls:
                    if isinstance(call, Call):
                        yield slot, rank, call

    def remove(self, slot, rank, call):
        self.events[slot][rank].remove(call)

    def blocks(self):
        """[(ranks, lines)]: the same text on several ranks stands once, and neighbours of the same ranks are joined."""
        blocks = []
        for slot in sorted(self.events):
            texts = collections.defaultdict(list)
            for rank, calls in sorted(self.events[slot].items()):
                texts[tuple(line for call in calls for line in lines_of(call))].append(rank)
            for text, ranks in texts.items():
                if blocks and blocks[-1][0] == ranks:
                    blocks[-1][1].extend(text)
                else:
                    blocks.append((ranks, list(text)))
        return blocks

    def render(self, function):
        """The C function that all ranks call."""
        most = max([self.names["q", rank] for rank in range(self.ranks)] + [1])
        lines = [f"static void {function}(void) {{", f"MPI_Request q[{most}];",
                 f"for (int i = 0; i < {most}; i++) q[i] = MPI_REQUEST_NULL;"]
        lines += ["int flag, index, count, indices[8], size;", "MPI_Status status, statuses[8];", *self.declared]
        for b in self.buffers:
            if b.storage == "heap":
                lines.append(f"char* {b.name} = rank == {b.rank} ? calloc(1, {b.size}) : NULL;")
            else:
                static = "static " if b.storage == "static" else ""
                lines.append(f"{static}char {b.name}[{b.size}] __attribute__((aligned(16)))"
                             f"{'' if static else ' = {0}'};")
        for ranks, text in self.blocks():
            who = "" if len(ranks) == self.ranks else f"if ({' || '.join(f'rank == {r}' for r in ranks)}) "
            lines += [who + "{", *text, "}"]
        lines += [f"free({b.name});" for b in self.buffers if b.storage == "heap"]
        return lines + ["}"]


def all_parts(made):
    """Derived types inside a type, each once."""
    found = []
    for part in made.parts:
        found += [part, *all_parts(part)]
    return list({part.name: part for part in found}.values())


# --- how a group of requests is completed ---------------------------------------------------------------------------

STATUSES = ["MPI_STATUSES_IGNORE", "statuses"]
COMPLETIONS = {  # name → (call, C around it) for n requests at address a
    "wait": lambda n, a: ("MPI_Waitall", [n, a, "{s}"], "{};"),
    "any": lambda n, a: ("MPI_Waitany", [n, a, "&index", "&status"], f"for (int i = 0; i < {n}; i++) {{}};"),
    "some": lambda n, a: ("MPI_Waitsome", [n, a, "&count", "indices", "{s}"],
                          f"for (int left = {n}; left > 0; left -= count) {{}};"),
    "testall": lambda n, a: ("MPI_Testall", [n, a, "&flag", "{s}"], "do {}; while (!flag);"),
    "testany": lambda n, a: ("MPI_Testany", [n, a, "&index", "&flag", "&status"],
                             f"for (int left = {n}; left > 0; left -= flag) {{}};"),
    "testsome": lambda n, a: ("MPI_Testsome", [n, a, "&count", "indices", "{s}"],
                              f"for (int left = {n}; left > 0; left -= count) {{}};"),
}
SINGLE = [("MPI_Wait", [], "{};"), ("MPI_Wait", [], "{};"), ("MPI_Test", ["&flag"], "do {}; while (!flag);")]


def complete_group(program, slot, rank, group):
    rng = program.rng
    if len(group) == 1:
        name, flag, form = rng.choice(SINGLE)
        if group[0].index is None:
            group[0].index = program.next_index(rank, 1)
        status = rng.choice(["MPI_STATUS_IGNORE", "&status"])
        if rng.random() < 0.1:
            program.call(slot, rank, "MPI_Request_get_status", group[0], "&flag", "&status")
        program.call(slot, rank, name, group[0].address, *flag, status, form=form)
        return
    name, arguments, form = COMPLETIONS[rng.choice(list(COMPLETIONS))](len(group), "{a}")
    if any(request.persistent or request.index is not None for request in group):
        for request in group:  # a persistent one is completed several times: it keeps its place
            if request.index is None:
                request.index = program.next_index(rank, 1)
        address = f"w{program.names['w']}"
        program.names["w"] += 1
        program.put(slot, rank, Copy(address, group))
    else:
        first = program.next_index(rank, len(group))
        for i, request in enumerate(group):
            request.index = first + i
        address = f"&q[{first}]"
    statuses = rng.choice(STATUSES)
    arguments = [address if a == "{a}" else statuses if a == "{s}" else a for a in arguments]
    made = program.call(slot, rank, name, *arguments, form=form)
    made.group = group


class Copy:
    """An array of the handles; lines_of() shows it when all places are known."""

    def __init__(self, name, group):
        self.name, self.group = name, group

    def __str__(self):
        return f"MPI_Request {self.name}[] = {{{', '.join(map(str, self.group))}}};"
