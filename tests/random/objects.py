"""Steps that make communicators and other objects, use them, and free them."""

import collectives
import p2p
from layout import BASICS, c_array
from program import FREE, MAKE, MEET, START, Call, Comm


def new_comm(p, groups, private=False, remotes=None):
    """A communicator variable with one Comm for each group of world ranks."""
    name = p.name("c", "MPI_Comm", "MPI_COMM_NULL")
    made = [Comm(name, group, remotes[i] if remotes else [], private) for i, group in enumerate(groups)]
    p.comms += made
    return name, made


def dup(p, step):
    base = p.pick_comm()
    slot = p.slot(step, MEET)
    name, (made,) = new_comm(p, [base.members])
    made.topology = base.topology
    kind = p.rng.choice(["dup", "info", "idup"])
    if kind == "dup":
        p.all(slot, base.members, "MPI_Comm_dup", base, f"&{name}")
    elif kind == "info":
        p.all(slot, base.members, "MPI_Comm_dup_with_info", base, "MPI_INFO_NULL", f"&{name}")
    else:
        for rank in base.members:
            request = p.request(rank)
            p.call(slot, rank, "MPI_Comm_idup", base, f"&{name}", request.address)
            p.call(slot, rank, "MPI_Wait", request.address, "MPI_STATUS_IGNORE")


def split(p, step):
    """Colours, keys that reorder, and ranks without a part."""
    base = p.pick_comm()
    slot = p.slot(step, MEET)
    colours = {r: p.rng.choice([0, 1, 2, "MPI_UNDEFINED"]) for r in base.members}
    keys = {r: p.rng.randrange(-3, 4) for r in base.members}
    groups = [sorted((r for r in base.members if colours[r] == c), key=lambda r: (keys[r], base.rank(r)))
              for c in (0, 1, 2)]
    name, _ = new_comm(p, [g for g in groups if g])
    for rank in base.members:
        p.call(slot, rank, "MPI_Comm_split", base, colours[rank], keys[rank], f"&{name}")


def split_type(p, step):
    base = p.pick_comm()
    name, _ = new_comm(p, [base.members])
    p.all(p.slot(step, MEET), base.members, "MPI_Comm_split_type", base, "MPI_COMM_TYPE_SHARED", 0, "MPI_INFO_NULL",
          f"&{name}")


def create(p, step):
    """By a group: all of the old communicator call, or only the members."""
    base = p.pick_comm()
    chosen = p.rng.sample(range(base.size), p.rng.randint(1, base.size))
    members = [base.members[i] for i in chosen]
    by_group = p.rng.random() < 0.4
    name, _ = new_comm(p, [members])
    whole, part = p.name("g", "MPI_Group"), p.name("g", "MPI_Group")
    slot = p.slot(step, MEET)
    ranks = members if by_group else base.members
    p.all(slot, ranks, "MPI_Comm_group", base, f"&{whole}")
    p.all(slot, ranks, "MPI_Group_incl", whole, len(chosen), c_array("int", chosen), f"&{part}")
    if by_group:
        p.all(slot, ranks, "MPI_Comm_create_group", base, part, p.tag(), f"&{name}")
    else:
        p.all(slot, ranks, "MPI_Comm_create", base, part, f"&{name}")
    for group in (whole, part):
        p.all(p.slot(p.later(step), FREE), ranks, "MPI_Group_free", f"&{group}")


def cart(p, step):
    """A grid, its queries, an exchange along a dimension, a neighbourhood collective, a slice."""
    base = p.pick_comm(2)
    dims = p.rng.choice([d for d in ([1], [2], [2, 1], [2, 2], [3], [4], [2, 3], [5], [2, 2, 2], [7])
                         if product(d) <= base.size])
    periods = [p.rng.randrange(2) for _ in dims]
    members = base.members[: product(dims)]
    name, (comm,) = new_comm(p, [members])
    comm.topology = True
    slot = p.slot(step, MEET)
    p.all(slot, base.members, "MPI_Cart_create", base, len(dims), c_array("int", dims), c_array("int", periods), 0,
          f"&{name}")
    direction, k = p.rng.randrange(len(dims)), len(dims)
    low, high = p.name("d", "int"), p.name("d", "int")
    p.all(slot, members, "MPI_Cart_coords", comm, p.rng.randrange(len(members)), k, "indices")
    p.all(slot, members, "MPI_Cart_rank", comm, "indices", "&index")
    p.all(slot, members, "MPI_Cart_shift", comm, direction, 1, f"&{low}", f"&{high}")
    unit, n, tag = p2p.random_unit(p), p.rng.randint(1, 3), p.tag()
    meeting = p.slot(step, MEET)
    for rank in members:
        p.call(meeting, rank, "MPI_Sendrecv", *p.data(rank, unit, n, step).arguments, high, tag,
               *p.data(rank, unit, n, step).arguments, low, tag, comm, "MPI_STATUS_IGNORE")
    if p.rng.random() < 0.6:
        collectives.neighbour(p, step, comm, {r: (2 * k, 2 * k) for r in members})
    if k > 1:
        keep = [1] + [0] * (k - 1)
        lines = {}
        for i, rank in enumerate(members):
            lines.setdefault(i % product(dims[1:]), []).append(rank)
        sub, parts = new_comm(p, list(lines.values()))
        for part in parts:
            part.topology = True
        p.all(p.slot(step, MEET), members, "MPI_Cart_sub", comm, c_array("int", keep), f"&{sub}")


def product(values):
    result = 1
    for v in values:
        result *= v
    return result


def dist_graph(p, step):
    """A directed ring with one or two jumps."""
    base = p.pick_comm(2)
    jumps = [p.rng.randint(1, base.size - 1) for _ in range(p.rng.randint(1, 2))]
    name, (comm,) = new_comm(p, [base.members])
    comm.topology = True
    slot, k = p.slot(step, MEET), len(jumps)
    for i, rank in enumerate(base.members):
        p.call(slot, rank, "MPI_Dist_graph_create_adjacent", base, k,
               c_array("int", [(i - j) % base.size for j in jumps]), "MPI_UNWEIGHTED", k,
               c_array("int", [(i + j) % base.size for j in jumps]), "MPI_UNWEIGHTED", "MPI_INFO_NULL", 0, f"&{name}")
    collectives.neighbour(p, step, comm, {r: (k, k) for r in base.members})


def inter(p, step):
    """Two halves, an inter-communicator between them, messages across it, and a merge."""
    base = p.pick_comm(2)
    cut = p.rng.randint(1, base.size - 1)
    halves = [base.members[:cut], base.members[cut:]]
    half, _ = new_comm(p, halves, private=True)
    across, comms = new_comm(p, halves, private=True, remotes=halves[::-1])
    slot = p.slot(step, MEET)
    tag = p.tag()
    for side, group in enumerate(halves):
        for rank in group:
            p.call(slot, rank, "MPI_Comm_split", base, side, 0, f"&{half}")
            leader = cut if side == 0 else 0
            p.call(slot, rank, "MPI_Intercomm_create", half, 0, base, leader, tag, f"&{across}")
    p.all(slot, base.members, "MPI_Comm_remote_size", across, "&count")
    source, target = p.rng.choice(halves[0]), p.rng.choice(halves[1])
    unit, n, tag, meeting = p2p.random_unit(p), p.rng.randint(1, 4), p.tag(), p.slot(step, MEET)
    sent, received = p.data(source, unit, n, step), p.data(target, unit, n, step)
    made = p2p.Message(comms[0], source, target, sent, received)
    made.modes = ["blocking", "blocking"]
    made.sends.append(p.call(meeting, source, "MPI_Send", *sent.arguments, halves[1].index(target), tag, across))
    made.receives.append(p.call(meeting, target, "MPI_Recv", *received.arguments, halves[0].index(source), tag, across,
                                "MPI_STATUS_IGNORE"))
    if p.rng.random() < 0.7:
        meeting = p.slot(step, MEET)
        root = p.rng.choice(halves[0])
        for rank in base.members:
            who = halves[0].index(root) if rank in halves[1] else "MPI_ROOT" if rank == root else "MPI_PROC_NULL"
            if rank in halves[0] and rank != root:
                arguments = ["(void*)64", 0, "MPI_INT"]  # the libraries look at the others
            else:
                arguments = p.data(rank, unit, n, step).arguments
            p.call(meeting, rank, "MPI_Bcast", *arguments, who, across)
    if p.rng.random() < 0.5:
        merged, _ = new_comm(p, [base.members])
        meeting = p.slot(step, MEET)
        for side, group in enumerate(halves):
            p.all(meeting, group, "MPI_Intercomm_merge", across, side, f"&{merged}")


def groups(p, step):
    """Local arithmetic on groups."""
    rank, comm = p.rng.randrange(p.ranks), p.world
    slot, made = p.slot(step, START), [p.name("g", "MPI_Group") for _ in range(4)]
    some = p.rng.sample(range(comm.size), p.rng.randint(1, comm.size))
    p.call(slot, rank, "MPI_Comm_group", comm, f"&{made[0]}")
    p.call(slot, rank, "MPI_Group_incl", made[0], len(some), c_array("int", some), f"&{made[1]}")
    p.call(slot, rank, "MPI_Group_range_incl", made[0], 1, f"(int[][3]){{{{0, {comm.size - 1}, 1}}}}", f"&{made[2]}")
    p.call(slot, rank, p.rng.choice(["MPI_Group_union", "MPI_Group_intersection"]), made[1], made[2], f"&{made[3]}")
    p.call(slot, rank, "MPI_Group_translate_ranks", made[1], 1, c_array("int", [0]), made[0], "indices")
    p.call(slot, rank, "MPI_Group_compare", made[0], made[3], "&index")
    p.put(p.slot(p.later(step), FREE), rank, *(Call("MPI_Group_free", f"&{g}") for g in made))


def info(p, step):
    rank = p.rng.randrange(p.ranks)
    slot, made, copy = p.slot(step, START), p.name("i", "MPI_Info"), p.name("i", "MPI_Info")
    p.call(slot, rank, "MPI_Info_create", f"&{made}")
    p.call(slot, rank, "MPI_Info_set", made, '"colour"', '"green"')
    p.call(slot, rank, "MPI_Info_get_nkeys", made, "&count")
    p.call(slot, rank, "MPI_Info_dup", made, f"&{copy}")
    p.call(slot, rank, "MPI_Info_delete", copy, '"colour"')
    for name in (made, copy):
        p.free_later(step, rank, "MPI_Info_free", f"&{name}")


def attributes(p, step):
    """A keyval may be freed while attributes of it live."""
    comm = p.pick_comm()
    key, slot = p.name("k", "int"), p.slot(step, MEET)
    value = p.name("v", "static int")
    _, (copy,) = new_comm(p, [comm.members], private=True)
    p.all(slot, comm.members, "MPI_Comm_create_keyval", "MPI_COMM_DUP_FN", "MPI_COMM_NULL_DELETE_FN", f"&{key}", "NULL")
    p.all(slot, comm.members, "MPI_Comm_dup", comm, f"&{copy}")
    p.all(slot, comm.members, "MPI_Comm_set_attr", copy, key, f"&{value}")
    address = p.name("a", "void*", "NULL")
    p.all(slot, comm.members, "MPI_Comm_get_attr", copy, key, f"&{address}", "&flag")
    if p.rng.random() < 0.5:
        p.all(slot, comm.members, "MPI_Comm_delete_attr", copy, key)
    p.all(p.slot(p.later(step), FREE), comm.members, "MPI_Comm_free_keyval", f"&{key}")


def errhandler(p, step):
    comm = p.pick_comm()
    slot, handler = p.slot(step, MEET), p.name("e", "MPI_Errhandler")
    _, (copy,) = new_comm(p, [comm.members], private=True)
    p.all(slot, comm.members, "MPI_Comm_dup", comm, f"&{copy}")
    p.all(slot, comm.members, "MPI_Comm_create_errhandler", "on_error", f"&{handler}")
    p.all(slot, comm.members, "MPI_Comm_set_errhandler", copy, handler)
    p.all(p.slot(p.later(step), FREE), comm.members, "MPI_Errhandler_free", f"&{handler}")


def operation(p, step):
    """A user's operation, applied here and by all."""
    comm = p.pick_comm()
    shape = collectives.Shape(p, step, comm)
    shape.take_user_op()
    shape.n = p.rng.randint(1, 4)
    collectives.collective(p, step, p.rng.choice(["Allreduce", "Reduce", "Scan"]), comm, "", shape)


def window(p, step):
    """Windows with empty epochs."""
    comm = p.pick_comm(2)  # Open MPI 4.1 cannot make a window of one process in a larger job
    win, slot = p.name("w", "MPI_Win"), p.slot(step, MEET)
    if p.rng.random() < 0.5:
        base = p.name("a", "void*", "NULL")
        p.all(slot, comm.members, "MPI_Win_allocate", 64, 4, "MPI_INFO_NULL", comm, f"&{base}", f"&{win}")
    else:
        for rank in comm.members:
            p.call(slot, rank, "MPI_Win_create", p.buffer(rank, 64).name, 64, 1, "MPI_INFO_NULL", comm, f"&{win}")
    p.all(p.slot(step, MEET), comm.members, "MPI_Win_fence", 0, win)
    p.all(p.slot(p.later(step), MEET), comm.members, "MPI_Win_fence", 0, win)
    p.all(p.slot(p.last + 1, MEET), comm.members, "MPI_Win_free", f"&{win}")


def one_sided(p, step):
    """Each rank moves data to and from a place of its own in the window of its neighbour. No bytes are touched twice
    without synchronization in between."""
    comm = p.pick_comm(2)
    win, slot, n = p.name("w", "MPI_Win"), p.slot(step, MEET), comm.size
    unit = p.rng.choice([1, 4])  # MPICH 4.0 puts data at the wrong place if a window does not start at 16 bytes
    for rank in comm.members:
        memory = p.buffer(rank, 64)
        memory.storage = "heap"
        p.call(slot, rank, "MPI_Win_create", memory.name, 64, unit, "MPI_INFO_NULL", comm, f"&{win}")
    how = p.rng.choice(["fence", "lock", "lock_all", "start"])
    slot = p.slot(step, MEET)
    group = p.name("g", "MPI_Group")
    for i, rank in enumerate(comm.members):
        target, disp = (i + 1) % n, i % 2 * 32 // unit
        begin, end = {
            "fence": ([Call("MPI_Win_fence", 0, win)], [Call("MPI_Win_fence", 0, win)]),
            "lock": ([Call("MPI_Win_lock", p.rng.choice(["MPI_LOCK_SHARED", "MPI_LOCK_EXCLUSIVE"]), target, 0, win)],
                     [Call("MPI_Win_unlock", target, win)]),
            "lock_all": ([Call("MPI_Win_lock_all", 0, win)], [Call("MPI_Win_unlock_all", win)]),
            "start": ([Call("MPI_Win_post", group, 0, win), Call("MPI_Win_start", group, 0, win)],
                      [Call("MPI_Win_complete", win), Call("MPI_Win_wait", win)]),
        }[how]
        flush = [Call("MPI_Win_flush", target, win)] * how.startswith("lock")
        if how == "start":
            begin.insert(0, Call("MPI_Win_get_group", win, f"&{group}"))
            end.append(Call("MPI_Group_free", f"&{group}"))
        place = [target, disp, 4, "MPI_INT", win]
        mine = [p.buffer(rank, 16) for _ in range(3)]
        for buffer in mine:
            buffer.storage = "heap"
        write = [Call("MPI_Put", mine[0].name, 16, "MPI_BYTE", target, disp, 16, "MPI_BYTE", win)]
        if p.rng.random() < 0.5:
            write = [Call("MPI_Accumulate", mine[0].name, 4, "MPI_INT", *place[:4], "MPI_SUM", win)]
        read = [Call("MPI_Get", mine[1].name, 4, "MPI_INT", target, disp + 16 // unit, 4, "MPI_INT", win)]
        if how.startswith("lock") and p.rng.random() < 0.5:
            request = p.request(rank)
            write = [Call("MPI_Rput", mine[0].name, 4, "MPI_INT", *place, request.address),
                     Call("MPI_Wait", request.address, "MPI_STATUS_IGNORE")]
        moved = p.rng.choice([write, read, write + read, write + flush, read + flush,
                              [Call("MPI_Put", mine[2].name, 4, "MPI_INT", "MPI_PROC_NULL", 99, 4, "MPI_INT", win)], []])
        p.put(slot, rank, *begin, *moved, *end)
    p.all(p.slot(p.last + 1, MEET), comm.members, "MPI_Win_free", f"&{win}")


def file(p, step):
    """Each rank writes a place of its own, then all read."""
    comm = p.pick_comm()
    handle, slot = p.name("f", "MPI_File"), p.slot(step, MEET)
    path = f'path("{handle}", {min(comm.members)})'
    basic = p.rng.choice(list(BASICS))
    p.all(slot, comm.members, "MPI_File_open", comm, path, "MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE",
          "MPI_INFO_NULL", f"&{handle}")
    slot = p.slot(step, MEET)
    n, p.plain = p.rng.randint(1, 6), True  # ROMIO writes beyond derived types with a negative lower bound
    write = p.rng.choice(["MPI_File_write_at", "MPI_File_write_at_all", "MPI_File_iwrite_at", "view"])
    for i, rank in enumerate(comm.members):
        data = p.data(rank, [basic], n, step)
        offset = i * 1024
        if write == "view":
            p.call(slot, rank, "MPI_File_set_view", handle, offset, basic, basic, '"native"', "MPI_INFO_NULL")
            p.call(slot, rank, "MPI_File_write_all", handle, *data.arguments, "&status")
        elif write == "MPI_File_iwrite_at":
            request = p.request(rank)
            p.call(slot, rank, write, handle, offset, *data.arguments, request.address)
            p.call(slot, rank, "MPI_Wait", request.address, "&status")
        else:
            p.call(slot, rank, write, handle, offset, *data.arguments, "&status")
    p.all(slot, comm.members, "MPI_File_sync", handle)
    p.all(slot, comm.members, "MPI_Barrier", comm)
    p.all(slot, comm.members, "MPI_File_sync", handle)
    for i, rank in enumerate(comm.members):
        p.call(slot, rank, "MPI_File_read_at", handle, 0 if write == "view" else i * 1024,
               *p.data(rank, [basic], n, step).arguments, "&status")
    p.all(p.slot(step, MEET), comm.members, "MPI_File_close", f"&{handle}")
    p.plain = False


def session(p, step):
    rank, slot = p.rng.randrange(p.ranks), p.slot(step, START)
    made, group = p.name("x", "MPI_Session"), p.name("g", "MPI_Group")
    p.call(slot, rank, "MPI_Session_init", "MPI_INFO_NULL", "MPI_ERRORS_ARE_FATAL", f"&{made}")
    p.call(slot, rank, "MPI_Group_from_session_pset", made, '"mpi://SELF"', f"&{group}")
    p.call(slot, rank, "MPI_Group_free", f"&{group}")
    p.call(slot, rank, "MPI_Session_finalize", f"&{made}")
