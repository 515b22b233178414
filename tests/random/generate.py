"""Random correct MPI programs: generate(seed, library) gives one, the same for equal arguments."""

import random

import collectives
import objects
import p2p
from program import FEATURES, FREE, MAKE, MEET, Call, Program

# step → (how often, feature it needs)
STEPS = {
    p2p.message: (14, None),
    p2p.stream: (2, None),
    p2p.fan_in: (2, None),
    p2p.shift: (3, None),
    p2p.wildcard: (1, None),
    p2p.buffered: (1, None),
    p2p.ready: (1, None),
    p2p.packed: (1, None),
    p2p.partitioned: (1, "partitioned"),
    p2p.cancelled: (1, None),
    p2p.nobody: (1, None),
    p2p.general_request: (1, None),
    collectives.collective: (14, None),
    objects.dup: (1, None),
    objects.split: (3, None),
    objects.split_type: (1, None),
    objects.create: (2, None),
    objects.cart: (2, None),
    objects.dist_graph: (1, None),
    objects.inter: (1, None),
    objects.groups: (1, None),
    objects.info: (1, None),
    objects.attributes: (1, None),
    objects.errhandler: (1, None),
    objects.operation: (1, None),
    objects.window: (1, None),
    objects.one_sided: (2, None),
    objects.file: (1, None),
    objects.session: (1, "sessions"),
}


class RandomProgram(Program):
    def __init__(self, rng, ranks, steps, features):
        super().__init__(rng, ranks, steps, features)
        self.collectives = []  # (name, form, communicator, shape, calls), for mutations

    def dup(self, base, step):
        """A communicator for one step."""
        name, (made,) = objects.new_comm(self, [base.members], private=True)
        self.all(self.slot(step, MEET), base.members, "MPI_Comm_dup", base, f"&{name}")
        return made

    def user_op(self, rank, step):
        name = self.name("o", "MPI_Op")
        self.call(self.slot(step, MAKE), rank, "MPI_Op_create", "user_op", 1, f"&{name}")
        self.put(self.slot(self.last + 1, FREE), rank, Call("MPI_Op_free", f"&{name}"))
        return name


def generate(seed, library, ranks=None, must=()):
    """A random correct program; `must` are steps that it contains in any case."""
    rng = random.Random(f"{seed} {library}")
    ranks = ranks or rng.randint(2, 8)
    steps = rng.randint(3, 12)
    p = RandomProgram(rng, ranks, max(steps, len(must) + 2), FEATURES[library])
    able = [(step, weight) for step, (weight, feature) in STEPS.items() if feature is None or feature in p.features]
    chosen = rng.choices([s for s, _ in able], [w for _, w in able], k=p.last + 1)
    for step, place in zip(must, rng.sample(range(len(chosen)), len(must))):
        chosen[place] = step
    for i, step in enumerate(chosen):
        step(p, i)
    p.finish()
    return p
