"""Steps of point-to-point communication."""

from layout import BASICS
from program import FREE, MAKE, MEET, START, Call

BLOCKING_SENDS = ["MPI_Send", "MPI_Send", "MPI_Ssend"]
SENDS = {"blocking": BLOCKING_SENDS, "nonblocking": ["MPI_Isend", "MPI_Isend", "MPI_Issend"],
         "persistent": ["MPI_Send_init", "MPI_Ssend_init"]}
RECEIVES = {"blocking": ["recv", "recv", "probe", "iprobe", "mprobe", "improbe"], "nonblocking": ["MPI_Irecv"],
            "persistent": ["MPI_Recv_init"]}
MODES = ["blocking", "blocking", "nonblocking", "nonblocking", "persistent"]
POLL = "do {}; while (!flag);"


class Message:
    """What a mutation needs to know of one exchange."""

    def __init__(self, comm, source, target, sent, received):
        self.comm, self.source, self.target = comm, source, target
        self.sent, self.received = sent, received
        self.sends, self.receives = [], []  # calls that name the buffers
        self.slack = 0  # room in the receive beyond what is sent


def random_unit(p):
    """A short sequence of basic types that messages repeat."""
    return [p.rng.choice(list(BASICS)) for _ in range(p.rng.choice([1, 1, 1, 2, 3]))]


def two(p, comm, itself=0.1):
    """Two members' world ranks, rarely the same."""
    first, second = p.rng.sample(comm.members, 2)
    return (first, first) if p.rng.random() < itself else (first, second)


def receive(p, slot, rank, kind, data, source, tag, comm, done=None):
    """A blocking receive of some kind, complete at the end of step `done`; the calls that name the buffer."""
    status = p.rng.choice(["MPI_STATUS_IGNORE", "&status"])
    if kind == "recv":
        return [p.call(slot, rank, "MPI_Recv", *data.arguments, source, tag, comm, status)]
    if kind in ("probe", "iprobe"):
        if kind == "probe":
            p.call(slot, rank, "MPI_Probe", source, tag, comm, "&status")
        else:
            p.call(slot, rank, "MPI_Iprobe", source, tag, comm, "&flag", "&status", form=POLL)
        if data.count:
            p.call(slot, rank, "MPI_Get_count", "&status", data.type, "&count")
        return [p.call(slot, rank, "MPI_Recv", *data.arguments, "status.MPI_SOURCE", "status.MPI_TAG", comm, status)]
    message = p.name("m", "MPI_Message")
    if kind == "mprobe":
        p.call(slot, rank, "MPI_Mprobe", source, tag, comm, f"&{message}", "&status")
        return [p.call(slot, rank, "MPI_Mrecv", *data.arguments, f"&{message}", status)]
    p.call(slot, rank, "MPI_Improbe", source, tag, comm, "&flag", f"&{message}", "MPI_STATUS_IGNORE", form=POLL)
    request = p.request(rank)
    made = p.call(slot, rank, "MPI_Imrecv", *data.arguments, f"&{message}", request.address)
    p.to_complete[rank, slot[0] if done is None else done].append(request)
    return [made]


class Side:
    """The sender or the receiver of a message, over all rounds of it."""

    def __init__(self, p, rank, mode, kinds):
        self.p, self.rank, self.mode, self.kind = p, rank, mode, p.rng.choice(kinds[mode])
        self.request = p.request(rank, True) if mode == "persistent" else None

    def initialize(self, step, arguments):
        """The call that makes a persistent request."""
        return self.p.call(self.p.slot(step, MAKE), self.rank, self.kind, *arguments, self.request.address)

    def start(self, step, arguments):
        """Starts a nonblocking operation; (calls that name the buffer, request)."""
        slot = self.p.slot(step, START)
        if self.mode == "persistent":
            start = ("MPI_Start", [self.request.address]) if self.p.rng.random() < 0.7 else \
                ("MPI_Startall", [1, self.request.address])
            self.p.call(slot, self.rank, start[0], *start[1])
            return [], self.request
        request = self.p.request(self.rank)
        return [self.p.call(slot, self.rank, self.kind, *arguments, request.address)], request


def message(p, step, comm=None, source_mode=None, target_mode=None, any_source=0.2, tag=None):
    """One message, or several rounds of it if a side is persistent."""
    comm = comm or p.pick_comm(2)
    source, target = two(p, comm)
    modes = [source_mode or p.rng.choice(MODES), target_mode or p.rng.choice(MODES)]
    if source == target and modes == ["blocking", "blocking"]:
        modes[0] = "nonblocking"
    sender, receiver = Side(p, source, modes[0], SENDS), Side(p, target, modes[1], RECEIVES)
    rounds = p.rng.randint(1, 3) if "persistent" in modes else 1
    unit, n, slack = random_unit(p), p.rng.choice([0, 1, 2, 3, 4, 6, 8, 12]), p.rng.choice([0, 0, 0, 1, 3])

    # First when, then what: types must live as long as somebody starts with them.
    plan, at = [], step
    while rounds and at <= p.last:
        meeting = p.slot(p.later(at), MEET) if "blocking" in modes else None
        done = p.later(meeting[0] if meeting else at)
        plan.append((at, meeting, done))
        at, rounds = done + 1 + p.rng.randrange(2), rounds - 1
    ends = [max(meeting[0] if mode == "blocking" else start for start, meeting, _ in plan) for mode in modes]
    sent = p.data(source, unit, n, step, until=ends[0])
    received = p.data(target, unit, n + slack, step, until=ends[1])
    tag = tag or p.tag()
    to = [comm.rank(target), tag, comm]
    source_name = "MPI_ANY_SOURCE" if p.rng.random() < any_source else comm.rank(source)
    made = Message(comm, source, target, sent, received)
    made.slack, made.modes = slack, modes
    p.messages.append(made)
    if sender.mode == "persistent":
        made.sends.append(sender.initialize(step, [*sent.arguments, *to]))
    if receiver.mode == "persistent":
        made.receives.append(receiver.initialize(step, [*received.arguments, source_name, tag, comm]))
    for start, meeting, done in plan:
        for side, data, calls, peer in ((sender, sent, made.sends, to), (receiver, received, made.receives,
                                                                         [source_name, tag, comm])):
            if side.mode != "blocking":
                named, request = side.start(start, [*data.arguments, *peer])
                calls += named
                p.to_complete[request.rank, done].append(request)
        if sender.mode == "blocking":
            made.sends.append(p.call(meeting, source, sender.kind, *sent.arguments, *to))
        if receiver.mode == "blocking":
            made.receives += receive(p, meeting, target, receiver.kind, received, source_name, tag, comm, done)
    for side in (sender, receiver):
        if side.mode == "persistent":
            p.free_later(plan[-1][2], side.rank, "MPI_Request_free", side.request.address)
    return made


def stream(p, step):
    """Several messages with one tag: they arrive in the order they were sent."""
    comm, tag = p.pick_comm(2), p.tag()
    source, target = p.rng.sample(comm.members, 2)
    blocking = p.rng.random() < 0.5
    meeting = p.slot(step, MEET)
    for _ in range(p.rng.randint(2, 5)):
        unit, n = random_unit(p), p.rng.randint(1, 6)
        sent, received = p.data(source, unit, n, step), p.data(target, unit, n, step)
        request = p.request(source)
        made = Message(comm, source, target, sent, received)
        made.modes = ["nonblocking", "stream"]
        made.sends.append(p.call(p.slot(step, START), source, "MPI_Isend", *sent.arguments, comm.rank(target), tag,
                                 comm, request.address))
        arguments = [*received.arguments, comm.rank(source), tag, comm]
        p.complete(request, step)
        if blocking:
            made.receives.append(p.call(meeting, target, "MPI_Recv", *arguments, "MPI_STATUS_IGNORE"))
        else:
            request = p.request(target)
            made.receives.append(p.call(p.slot(step, START), target, "MPI_Irecv", *arguments, request.address))
            p.complete(request, step)
        p.messages.append(made)


def fan_in(p, step):
    """Everybody sends the same kind of thing to one, who takes it as it comes."""
    comm, tag = p.pick_comm(3 if p.ranks > 2 else 2), p.tag()
    root = p.rng.choice(comm.members)
    others = [r for r in comm.members if r != root]
    unit, n = random_unit(p), p.rng.randint(1, 5)
    meeting = p.slot(step, MEET)
    blocking = p.rng.random() < 0.5
    for rank in others:
        received = p.data(root, unit, n, step)
        arguments = [*received.arguments, "MPI_ANY_SOURCE", tag, comm]
        if blocking:
            p.call(meeting, root, "MPI_Recv", *arguments, "&status")
        else:
            request = p.request(root)
            p.call(p.slot(step, START), root, "MPI_Irecv", *arguments, request.address)
            p.complete(request, step)
        p.call(meeting, rank, p.rng.choice(BLOCKING_SENDS), *p.data(rank, unit, n, step).arguments,
               comm.rank(root), tag, comm)


def shift(p, step):
    """Sendrecv around a ring, or along a line whose ends have no neighbour."""
    comm = p.pick_comm(1)
    kinds = ["MPI_Sendrecv", "MPI_Sendrecv_replace"] + ["MPI_Isendrecv"] * ("isendrecv" in p.features)
    kind, ring, tag = p.rng.choice(kinds), p.rng.random() < 0.5, p.tag()
    # MPICH 4.0's Isendrecv loses count of the uses of derived types: one basic element only.
    unit, n = (random_unit(p), p.rng.randint(0, 5)) if kind != "MPI_Isendrecv" else (["MPI_INT"], 0)
    slot = p.slot(step, MEET)
    for i, rank in enumerate(comm.members):
        after = (i + 1) % comm.size if ring or i + 1 < comm.size else "MPI_PROC_NULL"
        before = (i - 1) % comm.size if ring or i > 0 else "MPI_PROC_NULL"
        sent = p.data(rank, unit, n, step)
        if kind == "MPI_Sendrecv_replace":
            p.call(slot, rank, kind, *sent.arguments, after, tag, before, tag, comm, "&status")
            continue
        arguments = [*sent.arguments, after, tag, *p.data(rank, unit, n, step).arguments, before, tag, comm]
        if kind == "MPI_Isendrecv" and after == before == "MPI_PROC_NULL":
            continue  # MPICH 4.0 never completes it
        if kind == "MPI_Isendrecv":
            words = [p.buffer(rank, 4).name for _ in range(2)]
            arguments = [words[0], 1, "MPI_INT", after, tag, words[1], 1, "MPI_INT", before, tag, comm]
            request = p.request(rank)
            p.call(slot, rank, kind, *arguments, request.address)
            p.complete(request, step)
        else:
            p.call(slot, rank, kind, *arguments, "MPI_STATUS_IGNORE")


def wildcard(p, step):
    """On a communicator of its own a receive may leave everything open."""
    base = p.pick_comm(2)
    comm = p.dup(base, step)
    source, target = p.rng.sample(comm.members, 2)
    unit, n = random_unit(p), p.rng.randint(1, 4)
    slot = p.slot(step, MEET)
    sent, received = p.data(source, unit, n, step), p.data(target, unit, n, step)
    p.call(slot, source, p.rng.choice(BLOCKING_SENDS), *sent.arguments, comm.rank(target), p.tag(), comm)
    receive(p, slot, target, p.rng.choice(RECEIVES["blocking"]), received, "MPI_ANY_SOURCE", "MPI_ANY_TAG", comm)


def buffered(p, step):
    """Buffered sends with just enough room."""
    comm = p.pick_comm(2)
    source = p.rng.choice(comm.members)
    slot, k = p.slot(step, MEET), p.rng.randint(1, 3)
    room, address = p.name("s", "int", 0), p.name("a", "void*", "NULL")
    ready = []
    for _ in range(k):
        target = p.rng.choice([r for r in comm.members if r != source])
        unit, n, tag = random_unit(p), p.rng.randint(1, 8), p.tag()
        sent, received = p.data(source, unit, n, step), p.data(target, unit, n, step)
        p.call(p.slot(step, START), source, "MPI_Pack_size", sent.count, sent.type, comm, "&size")
        p.put(p.slot(step, START), source, f"{room} += size + MPI_BSEND_OVERHEAD;")
        ready.append((sent, target, tag, received))
    p.put(p.slot(step, START), source, f"{address} = malloc({room});")
    p.call(p.slot(step, START), source, "MPI_Buffer_attach", address, room)
    for sent, target, tag, received in ready:
        arguments = [*sent.arguments, comm.rank(target), tag, comm]
        if p.rng.random() < 0.6:
            p.call(slot, source, "MPI_Bsend", *arguments)
        else:
            request = p.request(source)
            p.call(slot, source, "MPI_Ibsend", *arguments, request.address)
            p.call(slot, source, "MPI_Wait", request.address, "MPI_STATUS_IGNORE")
        kind = p.rng.choice(RECEIVES["blocking"])
        receive(p, p.slot(step, MEET), target, kind, received, comm.rank(source), tag, comm)
    p.call(p.slot(step, FREE), source, "MPI_Buffer_detach", f"&{address}", f"&{room}",
           form="{}; free(" + address + ");")


def ready(p, step):
    """A ready send after the receiver has told that its receive is posted."""
    comm, tag = p.pick_comm(2), p.tag()
    source, target = p.rng.sample(comm.members, 2)
    unit, n = random_unit(p), p.rng.randint(1, 6)
    sent, received = p.data(source, unit, n, step), p.data(target, unit, n, step)
    request = p.request(target)
    p.call(p.slot(step, START), target, "MPI_Irecv", *received.arguments, comm.rank(source), tag, comm, request.address)
    if p.rng.random() < 0.5:
        p.all(p.slot(step, MEET), comm.members, "MPI_Barrier", comm)
    else:
        slot, word, go = p.slot(step, MEET), p.name("g", "int", 0), p.tag()
        p.call(slot, target, "MPI_Send", f"&{word}", 1, "MPI_INT", comm.rank(source), go, comm)
        p.call(slot, source, "MPI_Recv", f"&{word}", 1, "MPI_INT", comm.rank(target), go, comm, "MPI_STATUS_IGNORE")
    p.call(p.slot(step, MEET), source, "MPI_Rsend", *sent.arguments, comm.rank(target), tag, comm)
    p.complete(request, step)


def packed(p, step):
    """Packed here, received as packed bytes or as what it is."""
    comm, tag = p.pick_comm(2), p.tag()
    source, target = p.rng.sample(comm.members, 2)
    unit, n, slot = random_unit(p), p.rng.randint(1, 6), p.slot(step, MEET)
    sent, received = p.data(source, unit, n, step), p.data(target, unit, n, step)
    space = [p.name("a", "void*", "NULL") for _ in range(2)]
    position = p.name("s", "int", 0)
    p.call(slot, source, "MPI_Pack_size", sent.count, sent.type, comm, "&size")
    p.put(slot, source, f"{space[0]} = malloc(size);")
    p.call(slot, source, "MPI_Pack", *sent.arguments, space[0], "size", f"&{position}", comm)
    p.call(slot, source, "MPI_Send", space[0], position, "MPI_PACKED", comm.rank(target), tag, comm)
    if p.rng.random() < 0.5:
        p.call(slot, target, "MPI_Recv", *received.arguments, comm.rank(source), tag, comm, "&status")
    else:
        p.call(slot, target, "MPI_Pack_size", received.count, received.type, comm, "&size")
        p.put(slot, target, f"{space[1]} = malloc(size + 64);")
        p.call(slot, target, "MPI_Recv", space[1], "size + 64", "MPI_PACKED", comm.rank(source), tag, comm, "&status")
        p.call(slot, target, "MPI_Get_count", "&status", "MPI_PACKED", "&count")
        p.call(slot, target, "MPI_Unpack", space[1], "count", f"&{position}", *received.arguments, comm)
    for rank, address in ((source, space[0]), (target, space[1])):
        p.put(p.slot(step, FREE), rank, f"free({address});")


def partitioned(p, step):
    """The same bytes in other partitions on both sides."""
    comm, tag, total = p.pick_comm(2), p.tag(), 24
    source, target = p.rng.sample(comm.members, 2)
    basic = p.rng.choice(list(BASICS))
    parts = [p.rng.choice([1, 2, 3, 4, 6]) for _ in range(2)]
    buffers = [p.buffer(rank, total * BASICS[basic]) for rank in (source, target)]
    requests = [p.request(rank, True) for rank in (source, target)]
    for request in requests:  # MPICH 4.0's Testall and its kind leave the error of a partitioned one unset
        request.alone = True
    slot = p.slot(step, MAKE)
    p.call(slot, source, "MPI_Psend_init", buffers[0].name, parts[0], total // parts[0], basic, comm.rank(target), tag,
           comm, "MPI_INFO_NULL", requests[0].address)
    p.call(slot, target, "MPI_Precv_init", buffers[1].name, parts[1], total // parts[1], basic, comm.rank(source), tag,
           comm, "MPI_INFO_NULL", requests[1].address)
    done, at = step, step
    for _ in range(p.rng.randint(1, 2)):
        if at > p.last:
            break
        for rank, request in zip((source, target), requests):
            p.call(p.slot(at, START), rank, "MPI_Start", request.address)
        if p.rng.random() < 0.3:
            p.call(p.slot(at, START), source, "MPI_Pready_range", 0, parts[0] - 1, requests[0])
        else:
            for i in p.rng.sample(range(parts[0]), parts[0]):
                p.call(p.slot(at, START), source, "MPI_Pready", i, requests[0])
        if p.rng.random() < 0.5:
            p.call(p.slot(at, START), target, "MPI_Parrived", requests[1], p.rng.randrange(parts[1]), "&flag")
        done = p.later(at)
        for request in requests:
            p.to_complete[request.rank, done].append(request)
        at = done + 1
    for rank, request in zip((source, target), requests):
        p.free_later(done, rank, "MPI_Request_free", request.address)


def cancelled(p, step):
    """A receive that nobody answers, taken back."""
    comm = p.pick_comm(1)
    rank = p.rng.choice(comm.members)
    data, request = p.data(rank, random_unit(p), 2, step), p.request(rank)
    slot = p.slot(step, START)
    source = comm.rank(p.rng.choice(comm.members))
    p.call(slot, rank, "MPI_Irecv", *data.arguments, source, p.tag(), comm, request.address)
    p.call(slot, rank, "MPI_Cancel", request.address)
    p.call(slot, rank, "MPI_Wait", request.address, "&status")
    p.call(slot, rank, "MPI_Test_cancelled", "&status", "&flag")


def nobody(p, step):
    """MPI_PROC_NULL takes everything and sends nothing."""
    comm = p.pick_comm(1)
    rank, slot = p.rng.choice(comm.members), p.slot(step, START)
    data = p.data(rank, random_unit(p), 2, step)
    p.call(slot, rank, "MPI_Send", *data.arguments, "MPI_PROC_NULL", p.tag(), comm)
    p.call(slot, rank, "MPI_Recv", *data.arguments, "MPI_PROC_NULL", "MPI_ANY_TAG", comm, "&status")
    request = p.request(rank)
    p.call(slot, rank, "MPI_Irecv", *data.arguments, "MPI_PROC_NULL", p.tag(), comm, request.address)
    p.complete(request, step)


def general_request(p, step):
    """A request that the program completes by itself."""
    rank, request = p.rng.randrange(p.ranks), p.request(p.rng.randrange(p.ranks))
    request.rank = rank
    slot = p.slot(step, START)
    p.call(slot, rank, "MPI_Grequest_start", "grequest_query", "grequest_free", "grequest_cancel", "NULL",
           request.address)
    p.call(slot, rank, "MPI_Grequest_complete", request)
    p.complete(request, step)
