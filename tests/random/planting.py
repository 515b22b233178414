"""Ways to plant an error into a random program. What is planted for which rule is the table in mutations.py.

A way is a function of a Mutant that changes its program and says where the error is: it marks calls, or ends added
lines with `// @a`, and names the rank. It returns False if this program has no place for the error.
"""

import re
from dataclasses import dataclass, field

from program import MEET

BOTH, MPICH = ("openmpi", "mpich"), ("mpich",)


@dataclass
class Rule:
    id: str
    plant: callable  # plant(mutant) → False if this program has no place for it
    must: tuple = ()  # steps that make a place
    severity: str = "error"
    libraries: tuple = BOTH
    also: set = field(default_factory=set)  # what else this mistake brings about, by the rule pages
    many: bool = False  # found once for each place it shows at
    least: int = 2  # ranks
    most: int = 8
    flags: tuple = ()  # of vouch run
    timeout: int = 0  # seconds; it may hang


class Mutant:
    def __init__(self, rule, program, rng):
        self.rule, self.program, self.rng, self.rank = rule, program, rng, None

    def calls(self, *names):
        return [(slot, rank, call) for slot, rank, call in self.program.calls() if call.name in names]

    def messages(self):
        """Messages that were sent and received by one call each, with data in them."""
        return [m for m in self.program.messages if len(m.sends) == len(m.receives) == 1 and m.sent.count]

    def rank_of(self, wanted):
        return next(rank for _, rank, call in self.program.calls() if call is wanted)

    def mark(self, *calls):
        for call in calls:
            call.mark = "a"

    def made_by(self, variable, rank):
        """The call that made an object."""
        return next(call for _, r, call in self.program.calls() if r == rank
                    and f"&{variable}" in map(str, call.arguments) and not re.search("free|commit", call.name))


# --- ways to plant ----------------------------------------------------------------------------------------------------

def change_message(kind, *values, side=("sends", "receives")):
    """Another value for the parameter of this kind in a call of a message."""
    def plant(m):
        able = [c for message in m.messages() for s in side for c in getattr(message, s) if c.parameters(kind)]
        if not able:
            return False
        call = m.rng.choice(able)
        call[m.rng.choice(call.parameters(kind))] = m.rng.choice(values)
        m.mark(call)
        m.rank = m.rank_of(call)
    return plant


def change_call(names, parameter, *values):
    """Another value for this parameter in a call of one of these procedures."""
    def plant(m):
        able = m.calls(*names)
        if not able:
            return False
        _, m.rank, call = m.rng.choice(able)
        call[parameter] = m.rng.choice(values)
        m.mark(call)
    return plant


def change_collective(names, parameter, value):
    """Another value on one rank; `value` may be a function of the communicator."""
    def plant(m):
        able = [(comm, calls) for name, form, comm, shape, calls in m.program.collectives
                if name in names and shape.n and form != "init"]
        if not able:
            return False
        comm, calls = m.rng.choice(able)
        call = m.rng.choice(calls)
        call[parameter] = value(comm) if callable(value) else value
        m.mark(call)
        m.rank = m.rank_of(call)
    return plant


def insert(*variants, mark=True):
    """A line of C, at any place of any rank."""
    def plant(m):
        slot, m.rank, call = m.rng.choice(list(m.program.calls()))
        call.before.append("{ " + m.rng.choice(variants) + " }" + "  // @a" * mark)
    return plant


def after(names, *variants):
    """Lines of C right behind a call; {name} is that parameter of it."""
    def plant(m):
        able = m.calls(*names)
        if not able:
            return False
        _, m.rank, call = m.rng.choice(able)
        values = {p: call[p] for p in re.findall(r"\{(\w+)\}", variants[0])}
        call.after.append(m.rng.choice(variants).format(**values))
    return plant


def odd_one_out(common, odd, mark_all=False):
    """All members of a communicator make a call, one of them another one, or one of several."""
    def plant(m):
        p, rng = m.program, m.rng
        comm = rng.choice([c for c in p.comms if c.size > 1 and not c.private])
        slot = p.slot(p.last + 1, MEET)
        m.rank = rng.choice(comm.members)
        wrong = rng.choice(odd) if isinstance(odd, tuple) else odd
        me = comm.rank(m.rank)
        other = rng.choice([i for i in range(comm.size) if i != me])
        words = {"comm": comm, "root": other, "me": me, "size": comm.size}
        for rank in comm.members:
            text = wrong if rank == m.rank else common
            line = text.format(**words)
            p.put(slot, rank, "{ static int w[64], x[64]; MPI_Request r; MPI_Comm c; " + line + " }  // @a")
    return plant


def remove(name, everywhere=False, variable=None):
    """Takes away the call that frees something; the object's birth is where the finding is."""
    def plant(m):
        able = [(slot, rank, call) for slot, rank, call in m.calls(name)
                if not variable or str(call.arguments[0]).startswith(f"&{variable}")]
        if not able:
            return False
        slot, m.rank, call = m.rng.choice(able)
        object_name = str(call.arguments[0])[1:]
        try:
            births = {r: m.made_by(object_name, r) for _, r, c in able if str(c) == str(call)}
        except StopIteration:
            return False
        if everywhere and len({str(b) for b in births.values()}) > 1:
            return False  # several lines make it: that would be several findings
        for s, r, c in able:
            if c is call or everywhere and str(c) == str(call):
                m.program.remove(s, r, c)
        m.mark(*births.values())
    return plant


# --- special ones -----------------------------------------------------------------------------------------------------

def uncommitted(m):
    asked = {str(c["datatype"]) for _, _, c in m.calls("MPI_Get_count")}  # Open MPI does not answer for such types
    able = [(c, d) for x in m.messages() for c, d in ((x.sends, x.sent), (x.receives, x.received))
            if d.type.derived and str(d.type) not in asked]
    if not able:
        return False
    (call,), data = m.rng.choice(able)
    commits = m.calls("MPI_Type_commit")
    slot, m.rank, commit = next((s, r, c) for s, r, c in commits if c.arguments[0] == f"&{data.type}")
    m.program.remove(slot, m.rank, commit)
    m.mark(call)


def constructor(m):
    """A negative count or block length."""
    able = m.calls("MPI_Type_contiguous", "MPI_Type_vector", "MPI_Type_create_hvector")
    if not able:
        return False
    _, m.rank, call = m.rng.choice(able)
    call[m.rng.choice(["count"] + ["blocklength"] * call.has("blocklength"))] = -3
    m.mark(call)


def retype(mapping):
    """The sender describes its data by other basic types of the same size."""
    def plant(m):
        able = [x for x in m.messages() if any(b in mapping for b in x.sent.sequence)]
        if not able:
            return False
        chosen = m.rng.choice(able)
        calls = chosen.sent.type.calls or chosen.sends
        pattern = re.compile(r"\b(" + "|".join(mapping) + r")\b")
        changed = 0
        for call in calls:
            for i, argument in enumerate(call.arguments):
                text = pattern.sub(lambda found: mapping[found[1]], str(argument))
                if text != str(argument):
                    call.arguments[i], changed = text, changed + 1
        if not changed:
            return False
        m.mark(*chosen.sends, *chosen.receives)
        m.rank = chosen.target
    return plant


def truncation(m):
    able = [x for x in m.messages() if not x.slack]
    if not able:
        return False
    chosen = m.rng.choice(able)
    (call,) = chosen.receives
    call["count"] = chosen.received.count - 1
    m.mark(call)
    m.rank = chosen.target


def overlapping_receive(m):
    able = [x for x in m.messages() if not x.received.type.derived and x.received.count > 1]
    if not able:
        return False
    chosen = m.rng.choice(able)
    (call,) = chosen.receives
    call.before.append(f"MPI_Datatype twice; MPI_Type_vector({call['count']}, 1, 0, {call['datatype']}, &twice); "
                       "MPI_Type_commit(&twice);")
    call.after.append("MPI_Type_free(&twice);")
    call["count"], call["datatype"] = 1, "twice"
    m.mark(call)
    m.rank = chosen.target


def pending_overlap(m):
    """A message to itself lands in the buffer of a pending receive or send."""
    able = [(c, d) for x in m.messages() for c, d in ((x.sends, x.sent), (x.receives, x.received))
            if c[0].name in ("MPI_Irecv", "MPI_Isend", "MPI_Issend")]
    if not able:
        return False
    (call,), data = m.rng.choice(able)
    m.rank = m.rank_of(call)
    call.after.append("{ char byte = 1; MPI_Sendrecv(&byte, 1, MPI_CHAR, 0, 999, (char*)(" + f"{data.address}) + "
                      f"{data.type.true_lb}, 1, MPI_CHAR, 0, 999, MPI_COMM_SELF, MPI_STATUS_IGNORE); }}  // @a")


def call_overlap(m):
    """Allreduce with one buffer for both sides."""
    able = [calls for name, form, _, shape, calls in m.program.collectives
            if name in ("Allreduce", "Scan") and form == "" and shape.n and not shape.in_place]
    if not able:
        return False
    call = m.rng.choice(m.rng.choice(able))
    call["recvbuf"] = call["sendbuf"]
    m.mark(call)
    m.rank = m.rank_of(call)


def bsend_room(m):
    able = m.calls("MPI_Buffer_attach")
    if not able:
        return False
    slot, m.rank, attach = m.rng.choice(able)
    attach["size"] = "MPI_BSEND_OVERHEAD"  # and nothing for the data
    first = min((s, i) for i, (s, r, c) in enumerate(m.program.calls()) if r == m.rank and s > slot
                and c.name in ("MPI_Bsend", "MPI_Ibsend"))
    m.mark(list(m.program.calls())[first[1]][2])


def pack_room(m):
    able = [(r, c) for _, r, c in m.calls("MPI_Pack") if c["incount"] and (c["datatype"].size > 1 or c["incount"] > 1)]
    if not able:
        return False
    m.rank, call = m.rng.choice(able)
    call["outsize"] = 1
    m.mark(call)


def twice_started(m):
    able = [(r, c) for _, r, c in m.calls("MPI_Start") if not c.arguments[0].request.alone]
    if not able:
        return False
    m.rank, call = m.rng.choice(able)
    call.after.append(f"{call}  // @a")


def on_collective(lines):
    """All start an Ibarrier; one rank mistreats its request."""
    return odd_one_out("MPI_Ibarrier({comm}, &r); MPI_Wait(&r, MPI_STATUS_IGNORE);", lines)


def alone_in_collective(m):
    """Only the root starts a broadcast on a communicator that all have. MPICH's rank 0 can go on without the others."""
    p = m.program
    slot, name = p.slot(p.last + 1, MEET), p.name("c", "MPI_Comm")
    p.all(slot, range(p.ranks), "MPI_Comm_dup", "MPI_COMM_WORLD", f"&{name}")
    m.rank = 0
    p.put(p.slot(p.last + 1, MEET), m.rank, "{ MPI_Request r; static int w; "
          f"MPI_Ibcast(&w, 1, MPI_INT, {m.rank}, {name}, &r); MPI_Wait(&r, MPI_STATUS_IGNORE); }}  // @a")


def callback(m):
    m.program.declared.append("void talk(void* a, void* b, int* n, MPI_Datatype* t) { "
                              "MPI_Barrier(MPI_COMM_SELF); }  // @a")
    return insert("int w[2] = {1, 2}; MPI_Op o; MPI_Op_create(talk, 1, &o); "
                  "MPI_Reduce_local(&w[0], &w[1], 1, MPI_INT, o); MPI_Op_free(&o);", mark=False)(m)


def order_is_known(m):
    """vouch says nothing about order behind calls that may order ranks in ways it does not look at."""
    unclear = re.compile("MPI_(Intercomm_create|Comm_create_group|Win_(lock|lock_all|start|post)|"
                         "(?!Send|Ssend|Recv|Session)[A-Z][a-z_]*_init)$")
    return not any(unclear.match(call.name) for _, _, call in m.program.calls())


def ready_send(m):
    """A ready send that nothing orders after its receive."""
    if not order_is_known(m):
        return False
    p = m.program
    m.rank, target = m.rng.sample(range(p.ranks), 2)
    slot = p.slot(p.last + 1, MEET)
    p.put(slot, m.rank, f"{{ static int w; MPI_Rsend(&w, 1, MPI_INT, {target}, 9998, MPI_COMM_WORLD); }}  // @a")
    p.put(slot, target, f"{{ static int w; MPI_Recv(&w, 1, MPI_INT, {m.rank}, 9998, MPI_COMM_WORLD, "
                        "MPI_STATUS_IGNORE); }")


def race(first, second):
    """Two ranks send, one takes them from anywhere. A file, which vouch does not see, decides who is first."""
    def plant(m):
        if not order_is_known(m):
            return False
        p = m.program
        m.rank, one, two = m.rng.sample(range(p.ranks), 3)
        slot, file = p.slot(p.last + 1, MEET), f'path("race", {m.rng.randrange(1 << 30)})'
        receive = "MPI_Recv(w, {}, MPI_INT, MPI_ANY_SOURCE, 9998, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"
        send = "MPI_Send(w, {}, MPI_INT, " + str(m.rank) + ", 9998, MPI_COMM_WORLD);"
        p.put(slot, m.rank, f"{{ static int w[8]; {receive.format(first)}  // @a",
              f"fclose(fopen({file}, \"w\"));", receive.format(second) + " }  // @a")
        p.put(slot, one, f"{{ static int w[8]; {send.format(first)} }}")
        p.put(slot, two, f"{{ static int w[8]; while (access({file}, F_OK)) usleep(1000); {send.format(second)} }}")
    return plant


def at_the_end(*lines, everybody=""):
    """The last calls of the program, one line for each of some ranks; {0}, {1} are their names."""
    def plant(m):
        p = m.program
        chosen = m.rng.sample(range(p.ranks), len(lines))
        m.rank = chosen[0] if chosen else 0
        slot = p.slot(p.last + 2, MEET)
        for rank, line in zip(chosen or range(p.ranks), lines or [everybody] * p.ranks):
            p.put(slot, rank, "{ " + (line.format(*chosen) if chosen else line) + " }  // @a")
    return plant


def heap_message(m, side, names=None):
    """A message whose buffer on this side is on the heap: (its only call there, its data)."""
    able = [(calls[0], data) for x in m.messages() for calls, data in
            [(x.sends, x.sent) if side == "send" else (x.receives, x.received)]
            if not names or calls[0].name in names]
    if not able:
        return None
    call, data = m.rng.choice(able)
    data.buffer.storage = "heap"
    m.rank = data.buffer.rank
    return call, data


def too_short(m):
    """A block of memory that is one byte shorter than what is sent from it."""
    found = heap_message(m, "send")
    if not found:
        return False
    call, data = found
    data.buffer.size = data.type.memory(data.count)[1] - 1 + offset_of(data)
    m.mark(call)
    return data.buffer.size > 0


def offset_of(data):
    return int(data.address.partition(" + ")[2] or 0)


def freed_too_early(m):
    found = heap_message(m, "send", ("MPI_Isend",))
    if not found:
        return False
    call, data = found
    call.after.append(f"free({data.buffer.name});  // @a\n{data.buffer.name} = NULL;")


def modified(m):
    # Sends that are complete at once share a handle; then it is not always told which of them has changed.
    found = heap_message(m, "send", ("MPI_Issend",))
    if not found:
        return False
    call, data = found
    call.after.append(f"{data.buffer.name}[{offset_of(data) + data.type.true_lb}] ^= 1;")
    m.mark(call)


def threads(level, worker, main="", setup="", after="", finalize=None, everybody=False):
    """A second thread, of one rank or at the end of everybody; nested functions that use nothing of their surroundings
    are ordinary functions."""
    def plant(m):
        m.program.init = f"int provided; MPI_Init_thread(NULL, NULL, MPI_THREAD_{level}, &provided);"
        if finalize:
            m.program.finalize = finalize
            return None
        lines = ("static int w[4]; static MPI_Request r, s; static MPI_Comm c; void* work(void* u) { " + worker +
                 " return NULL; } " + setup + " pthread_t t; pthread_create(&t, NULL, work, NULL); " + main +
                 " pthread_join(t, NULL); " + after)
        return at_the_end(everybody=lines)(m) if everybody else insert(lines)(m)
    return plant


def around(**parts):
    """Something wrong before MPI_Init, at it, or after MPI_Finalize."""
    def plant(m):
        for part, value in parts.items():
            setattr(m.program, part, value)
    return plant


def self_file(lines, mode="MPI_MODE_RDWR"):
    """Something wrong with a file of this rank alone; errors of files are returned, so the program goes on."""
    return insert("static int w[8], x[8]; MPI_File f; "
                  f'MPI_File_open(MPI_COMM_SELF, path("own", rank), {mode} | MPI_MODE_CREATE, MPI_INFO_NULL, &f); '
                  + lines + " MPI_File_close(&f);")
