"""Steps of collective communication: one row per procedure, in blocking, nonblocking and persistent form."""

import random

import layout
from layout import basic_type
from p2p import random_unit
from program import FREE, MEET, START, Call

# Predefined operations and types they are defined for.
OPS = [(op, basic) for op in ("MPI_SUM", "MPI_MAX", "MPI_MIN", "MPI_PROD")
       for basic in ("MPI_INT", "MPI_DOUBLE", "MPI_FLOAT", "MPI_LONG", "MPI_SHORT", "MPI_UNSIGNED")]
OPS += [(op, basic) for op in ("MPI_BAND", "MPI_LOR", "MPI_BXOR") for basic in ("MPI_INT", "MPI_LONG", "MPI_UNSIGNED")]
OPS += [("MPI_MINLOC", "MPI_2INT"), ("MPI_MAXLOC", "MPI_FLOAT_INT")]
IN_PLACE = ["MPI_IN_PLACE", 0, "MPI_DATATYPE_NULL"]
GARBAGE = ["(void*)64", -7, "MPI_DATATYPE_NULL"]  # where nothing is significant


class Shape:
    """What the members have agreed on before a collective: its data, its root, and whether it is in place."""

    def __init__(self, p, step, comm):
        self.p, self.step, self.comm = p, step, comm
        self.unit, self.n = random_unit(p), p.rng.choice([0, 1, 2, 3, 4, 6])
        self.root = p.rng.choice(comm.members)
        self.counts = [p.rng.randrange(4) for _ in comm.members]  # per member, for the v-forms
        self.pairs = [[p.rng.randrange(3) for _ in comm.members] for _ in comm.members]  # [from][to]
        self.in_place = p.rng.random() < 0.3
        self.op, self.basic = p.rng.choice(OPS)
        self.user_type = None  # seed of a type for a user's operation
        if p.rng.random() < 0.25:
            self.take_user_op()

    def take_user_op(self):
        """An operation of the user. Open MPI 4.1 reduces beyond types with empty room at either end."""
        tight = False
        while not tight:
            self.user_type = self.p.rng.randrange(1 << 30)
            made = layout.TypeMaker(random.Random(self.user_type), str, Call).type_of(self.unit * 2)
            tight = (made.lb, made.ub) == (0, made.true_ub) and made.true_lb == 0
            self.unit = self.unit if tight or self.p.rng.random() < 0.9 else ["MPI_INT"]

    def data(self, rank, blocks=1, n=None):
        return self.p.data(rank, self.unit, self.n if n is None else n, self.step, blocks).arguments

    def named(self, ctype, values):
        """A C array that lives as long as the program: nonblocking calls keep its address."""
        name = f"n{self.p.names['n']}"
        self.p.names["n"] += 1
        self.p.declared.append(f"{ctype} {name}[] = {{{', '.join(map(str, values))}}};")
        return name

    def blocks(self, rank, counts):
        """Blocks of these counts of one type for `unit`, apart and in any order: address, counts, displs, type."""
        p = self.p
        made = p.make_type(rank, self.unit, self.step)
        at, places = 0, [0] * len(counts)
        for i in p.rng.sample(range(len(counts)), len(counts)):
            places[i] = at
            at += counts[i] + p.rng.randrange(2)
        low, high = made.memory(max([place + c for place, c in zip(places, counts) if c], default=0))
        offset = -low + low % 8 if low < 0 else 0
        buffer = p.buffer(rank, offset + max(high, 0))
        return [f"{buffer.name} + {offset}", self.named("int", counts), self.named("int", places), made]

    def typed_blocks(self, rank, counts):
        """Each block with a type of its own, displacements in bytes: address, counts, displs, types."""
        p = self.p
        types = [p.make_type(rank, self.unit, self.step) if c else basic_type("MPI_INT") for c in counts]
        at, places = 0, []
        for made, c in zip(types, counts):
            low, high = made.memory(c)
            place = at - low + (low - at) % 8
            places.append(place)
            at = max(at, place + high)
        buffer = p.buffer(rank, at)
        names = [made.name if c else "MPI_DATATYPE_NULL" for made, c in zip(types, counts)]
        # Open MPI 4.1.4 refuses a null type even beside a count of zero.
        names = [name if name != "MPI_DATATYPE_NULL" or "partitioned" in p.features else "MPI_INT" for name in names]
        declared = f"n{p.names['n']}"
        p.names["n"] += 1
        p.declared.append(f"MPI_Datatype {declared}[{len(names)}];")
        slot = p.slot(self.step, START)
        p.put(slot, rank, *(f"{declared}[{i}] = {name};" for i, name in enumerate(names)))
        return [buffer.name, self.named("int", counts), self.named("int", places), declared]

    def operands(self, rank, blocks=1):
        """sendbuf, recvbuf and [count, type, op] of a reduction."""
        p = self.p
        if self.user_type is None:
            made, op = basic_type(self.basic), self.op
        else:  # the same type on all ranks, made by each of them
            made = p.make_type(rank, self.unit * 2, self.step, rng=random.Random(self.user_type))
            op = p.user_op(rank, self.step)
        buffers = []
        for _ in range(2):
            low, high = made.memory(self.n * blocks)
            offset = -low + low % 8 if low < 0 else 0
            buffer = p.buffer(rank, offset + high)
            buffers.append(f"{buffer.name} + {offset}" if offset else buffer.name)
        return buffers, [self.n, made, op]


# Each row: arguments between the procedure's name and `comm`, for one member.

def bcast(s, rank):
    return [*s.data(rank), s.comm.rank(s.root)]


def gather(s, rank):
    sent = IN_PLACE if s.in_place and rank == s.root else s.data(rank)
    received = s.data(rank, s.comm.size) if rank == s.root else GARBAGE
    return [*sent, *received, s.comm.rank(s.root)]


def scatter(s, rank):
    received = IN_PLACE if s.in_place and rank == s.root else s.data(rank)
    sent = s.data(rank, s.comm.size) if rank == s.root else GARBAGE
    return [*sent, *received, s.comm.rank(s.root)]


def allgather(s, rank):
    sent = IN_PLACE if s.in_place else s.data(rank)
    return [*sent, *s.data(rank, s.comm.size)]


def alltoall(s, rank):
    sent = IN_PLACE if s.in_place else s.data(rank, s.comm.size)
    return [*sent, *s.data(rank, s.comm.size)]


def gatherv(s, rank):
    mine = s.counts[s.comm.rank(rank)]
    sent = IN_PLACE if s.in_place and rank == s.root else s.data(rank, n=mine)
    received = s.blocks(rank, s.counts) if rank == s.root else ["NULL", "NULL", "NULL", "MPI_DATATYPE_NULL"]
    return [*sent, *received, s.comm.rank(s.root)]


def scatterv(s, rank):
    mine = s.counts[s.comm.rank(rank)]
    received = IN_PLACE if s.in_place and rank == s.root else s.data(rank, n=mine)
    sent = s.blocks(rank, s.counts) if rank == s.root else ["NULL", "NULL", "NULL", "MPI_DATATYPE_NULL"]
    return [*sent, *received, s.comm.rank(s.root)]


def allgatherv(s, rank):
    mine = s.counts[s.comm.rank(rank)]
    return [*(IN_PLACE if s.in_place else s.data(rank, n=mine)),
            *s.blocks(rank, s.counts)]


def sides(s, rank):
    me = s.comm.rank(rank)
    return s.pairs[me], [row[me] for row in s.pairs]


def alltoallv(s, rank):
    sent, received = sides(s, rank)
    return [*s.blocks(rank, sent), *s.blocks(rank, received)]


def alltoallw(s, rank):
    sent, received = sides(s, rank)
    return [*s.typed_blocks(rank, sent), *s.typed_blocks(rank, received)]


def reduce(s, rank):
    (first, second), rest = s.operands(rank)
    if rank != s.root:
        second = "NULL"
    elif s.in_place:
        first = "MPI_IN_PLACE"
    return [first, second, *rest, s.comm.rank(s.root)]


def allreduce(s, rank):
    (first, second), rest = s.operands(rank)
    return ["MPI_IN_PLACE" if s.in_place else first, second, *rest]


def reduce_scatter_block(s, rank):
    (first, second), rest = s.operands(rank, s.comm.size)
    return ["MPI_IN_PLACE" if s.in_place else first, second, *rest]


def reduce_scatter(s, rank):
    (first, second), (_, made, op) = s.operands(rank, s.comm.size)
    return ["MPI_IN_PLACE" if s.in_place else first, second, s.named("int", [s.n] * s.comm.size), made, op]


ROWS = {"Barrier": lambda s, rank: [], "Bcast": bcast, "Gather": gather, "Scatter": scatter, "Allgather": allgather,
        "Alltoall": alltoall, "Gatherv": gatherv, "Scatterv": scatterv, "Allgatherv": allgatherv,
        "Alltoallv": alltoallv, "Alltoallw": alltoallw, "Reduce": reduce, "Allreduce": allreduce, "Scan": allreduce,
        "Exscan": allreduce, "Reduce_scatter_block": reduce_scatter_block, "Reduce_scatter": reduce_scatter}


def collective(p, step, name=None, comm=None, form=None, shape=None):
    """A collective on some communicator, in some form."""
    comm = comm or p.pick_comm(1)
    name = name or p.rng.choice(list(ROWS))
    forms = ["", "", "I"] + ["init"] * ("persistent collectives" in p.features)
    form = p.rng.choice(forms) if form is None else form
    if name == "Alltoallw" and comm.topology:  # Open MPI 4.1 counts the types of Ialltoallw by neighbours then
        form = ""
    shape = shape or Shape(p, step, comm)
    if form == "init":  # MPICH 4.0 loses count of the uses of derived types
        shape.unit, shape.user_type = shape.unit[:1], None
    p.plain = form == "init"
    calls = issue(p, step, name, comm, form, shape, ROWS[name])
    p.plain = False
    return calls


def issue(p, step, name, comm, form, shape, row):
    slot = p.slot(step, MEET)
    done = p.later(step)
    calls = []
    for rank in comm.members:
        arguments = [*row(shape, rank), comm]
        if form == "":
            calls.append(p.call(slot, rank, f"MPI_{name}", *arguments))
        elif form == "I":
            request = p.request(rank)
            calls.append(p.call(slot, rank, f"MPI_I{name.lower()}", *arguments, request.address))
            calls[-1].request = request
            p.complete(request, step)
        else:
            request = p.request(rank, True)
            request.alone = True  # MPICH 4.0's Testall and its kind fail on a persistent collective
            calls.append(p.call(slot, rank, f"MPI_{name}_init", *arguments, "MPI_INFO_NULL", request.address))
            calls[-1].request = request
            p.call(slot, rank, "MPI_Start", request.address)
            # Once only: MPICH 4.0 may lose the communicator when it is started again.
            p.to_complete[rank, done].append(request)
            p.put(p.slot(p.last + 1, FREE), rank, Call("MPI_Request_free", request.address))
    p.collectives.append((name, form, comm, shape, calls))
    return calls


def neighbour(p, step, comm, degrees):
    """A neighbourhood collective; `degrees` maps a world rank to (incoming, outgoing) edges."""
    shape = Shape(p, step, comm)
    name = p.rng.choice(["Neighbor_allgather", "Neighbor_alltoall"])
    issue(p, step, name, comm, p.rng.choice(["", "I"]), shape, lambda s, rank: [
        *s.data(rank, 1 if name == "Neighbor_allgather" else max(degrees[rank][1], 1)),
        *s.data(rank, max(degrees[rank][0], 1))])
