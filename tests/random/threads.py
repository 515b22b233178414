"""Random programs whose threads call MPI (MPI_THREAD_MULTIPLE): correct ones, and ones with a planted deadlock.

A program is a sequence of phases; each starts threads, which end with it. What threads do in a phase is ordered by
joins, locks, flags or messages, never by luck, so a program is correct whatever the timing. Phases compute and sleep at
random places outside MPI: a process whose threads wait in MPI runs while one of its threads is there.

A planted deadlock is a phase of which the last thread never comes: all threads of the ranks in it wait forever, in MPI
or for each other.
"""

import random

PRELUDE = r"""
#include <mpi.h>
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int rank, ranks;
static void spend(int sleeps, int us) {  // sleeping or computing
  if (sleeps) {
    usleep(us);
  } else {
    const double end = MPI_Wtime() + us * 1e-6;
    while (MPI_Wtime() < end) continue;
  }
}
static void must(int ok) {
  if (!ok) MPI_Abort(MPI_COMM_WORLD, 17);
}
static int query(void* s, MPI_Status* status) {
  MPI_Status_set_elements(status, MPI_INT, 0);
  MPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = status->MPI_TAG = MPI_UNDEFINED;
  return MPI_SUCCESS;
}
static int no_free(void* s) { return MPI_SUCCESS; }
static int no_cancel(void* s, int complete) { return MPI_SUCCESS; }
"""


class Program:
    def __init__(self, seed, library, ranks, plant=None):
        self.random = random.Random(f"threads {seed} {library} {ranks} {plant}")
        self.library, self.ranks, self.plant = library, ranks, plant
        self.functions, self.body, self.count = [], [], 0

    def pause(self):
        """Time outside MPI, on some ranks."""
        r = self.random
        if r.random() < 0.4:
            return ""
        us = r.choice([50, 500, 3000, 15000] + ([350000] if r.random() < 0.03 else []))
        who = "" if r.random() < 0.3 else f"if (rank == {r.randrange(self.ranks)}) "
        return f"{who}spend({r.randrange(2)}, {us});"

    def thread(self, name, *lines):
        """A thread's function; its argument is its number."""
        self.functions += [f"static void* {name}(void* argument) {{", "const int me = (int)(long)argument; (void)me;",
                           *lines, "return NULL;", "}"]

    def name(self, what):
        self.count += 1
        return f"{{name}}_{what}{self.count}"

    def with_threads(self, names, *between):
        """Starts these, does something, joins them."""
        n = len(names)
        self.body += ["{", f"pthread_t t[{n}];"]
        self.body += [f"pthread_create(&t[{i}], NULL, {name}, (void*)(long){i});" for i, name in enumerate(names)]
        self.body += [*between, f"for (int i = 0; i < {n}; ++i) pthread_join(t[i], NULL);", "}"]

    def render(self, name):
        text = [*self.functions, "static void {name}(void) {", *self.body, "}"]
        return "\n".join(text).replace("{name}", name)


def dup(p, what):
    comm = p.name(what)
    p.functions.insert(0, f"static MPI_Comm {comm};")
    p.body.append(f"MPI_Comm_dup(MPI_COMM_WORLD, &{comm});")
    return comm


NEXT, PREVIOUS = "(rank + 1) % ranks", "(rank + ranks - 1) % ranks"


def service(p, dead=False):
    """A thread receives while the main thread computes and sends."""
    comm, serve, messages = dup(p, "comm"), p.name("serve"), p.random.randrange(1, 4)
    source = p.random.choice(["MPI_ANY_SOURCE", PREVIOUS])
    take = p.random.choice([
        f"MPI_Recv(&word, 1, MPI_INT, {source}, 9, {comm}, MPI_STATUS_IGNORE);",
        f"MPI_Probe({source}, 9, {comm}, MPI_STATUS_IGNORE);"
        f" MPI_Recv(&word, 1, MPI_INT, {PREVIOUS}, 9, {comm}, MPI_STATUS_IGNORE);",
        f"MPI_Message m; MPI_Mprobe({source}, 9, {comm}, &m, MPI_STATUS_IGNORE);"
        " MPI_Mrecv(&word, 1, MPI_INT, &m, MPI_STATUS_IGNORE);",
        f"MPI_Request q; MPI_Irecv(&word, 1, MPI_INT, {source}, 9, {comm}, &q); {p.pause()}"
        " MPI_Wait(&q, MPI_STATUS_IGNORE);",
    ])
    p.thread(serve, "int word = -1;", f"for (int i = 0; i < {messages}; ++i) {{", take, f"must(word == {PREVIOUS});", "}")
    send = p.random.choice(["Send", "Ssend"])
    sent = messages - 1 if dead else messages
    p.with_threads([serve], p.pause(), f"for (int i = 0; i < {sent}; ++i) {{ {p.pause()}",
                   f"MPI_{send}(&rank, 1, MPI_INT, {NEXT}, 9, {comm});", "}", p.pause())
    p.body.append(f"MPI_Comm_free(&{comm});")


def steps_on(p, comm, count):
    """What one thread does on a communicator of its own."""
    r, lines = p.random, ["int in = -1, out = rank; (void)in; (void)out;"]
    for i in range(count):
        lines.append(p.pause())
        kind = r.randrange(7)
        if kind == 0:
            lines.append(f"MPI_Sendrecv(&out, 1, MPI_INT, {NEXT}, {i}, &in, 1, MPI_INT, {PREVIOUS}, {i}, {comm},"
                         f" MPI_STATUS_IGNORE); must(in == {PREVIOUS});")
        elif kind == 1:
            lines.append(f"MPI_Barrier({comm});")
        elif kind == 2:
            lines.append(f"in = rank; MPI_Bcast(&in, 1, MPI_INT, {i % p.ranks}, {comm}); must(in == {i % p.ranks});")
        elif kind == 3:
            lines.append(f"MPI_Allreduce(&out, &in, 1, MPI_INT, MPI_MAX, {comm}); must(in == ranks - 1);")
        elif kind == 4:
            lines.append("{ MPI_Request q[2];" f" MPI_Irecv(&in, 1, MPI_INT, {PREVIOUS}, {i}, {comm}, &q[0]);"
                         f" MPI_Isend(&out, 1, MPI_INT, {NEXT}, {i}, {comm}, &q[1]); {p.pause()}"
                         " MPI_Waitall(2, q, MPI_STATUSES_IGNORE); }")
        elif kind == 5:
            lines.append(f"if (rank == 0) {{ for (int i = 1; i < ranks; ++i) MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, {i},"
                         f" {comm}, MPI_STATUS_IGNORE); }} else MPI_Send(&out, 1, MPI_INT, 0, {i}, {comm});")
        else:
            lines.append(f"{{ MPI_Request q; MPI_Ibarrier({comm}, &q); {p.pause()} MPI_Wait(&q, MPI_STATUS_IGNORE); }}")
    return lines


def comms(p, dead=False):
    """Each thread has its own communicator."""
    names, all_comms = [], []
    for i in range(p.random.randrange(2, 4)):
        comm, work = dup(p, "comm"), p.name("work")
        lines = steps_on(p, comm, p.random.randrange(1, 5))
        if dead and i == 0:  # nobody sends
            lines.append(f"MPI_Recv(&in, 1, MPI_INT, {NEXT}, 77, {comm}, MPI_STATUS_IGNORE);")
        p.thread(work, *lines)
        names.append(work)
        all_comms.append(comm)
    own = dup(p, "comm")
    p.with_threads(names, "{", *steps_on(p, own, p.random.randrange(0, 3)), "}")
    p.body += [f"MPI_Comm_free(&{c});" for c in [*all_comms, own]]


def openmp(p, dead=False):
    """A parallel region: every thread talks to its like by its number."""
    comm, threads = dup(p, "comm"), p.random.randrange(2, 4)
    p.body += [f"#pragma omp parallel num_threads({threads})", "{", "const int me = omp_get_thread_num();",
               "int in = -1, out = rank * 10 + me;", p.pause(),
               f"MPI_Sendrecv(&out, 1, MPI_INT, {NEXT}, me, &in, 1, MPI_INT, {PREVIOUS}, me, {comm}, MPI_STATUS_IGNORE);",
               f"must(in == {PREVIOUS} * 10 + me);"]
    if p.random.random() < 0.5:
        p.body += ["#pragma omp single", "{", p.pause(), f"MPI_Barrier({comm});", "}"]
    if p.random.random() < 0.5:
        p.body += ["#pragma omp critical", "{",
                   f"MPI_Sendrecv(&out, 1, MPI_INT, rank, 50 + me, &in, 1, MPI_INT, rank, 50 + me, {comm}, MPI_STATUS_IGNORE);",
                   "}"]
    p.body += ["}"]
    if dead:  # the pool is idle
        p.body += ["{ int in;", f"MPI_Recv(&in, 1, MPI_INT, {NEXT}, 78, {comm}, MPI_STATUS_IGNORE); }}"]
    p.body.append(f"MPI_Comm_free(&{comm});")


def handoff(p, dead=False):
    """Requests of one thread are completed by another."""
    comm, work = dup(p, "comm"), p.name("work")
    p.functions.insert(0, f"static MPI_Request {work}_q[2]; static int {work}_in, {work}_out;")
    wait = p.random.choice([f"MPI_Waitall(2, {work}_q, MPI_STATUSES_IGNORE);",
                            f"for (int i = 0; i < 2; ++i) MPI_Wait(&{work}_q[i], MPI_STATUS_IGNORE);"])
    p.thread(work, p.pause(), wait, f"must({work}_in == {PREVIOUS});")
    p.body += [f"{work}_out = rank;",
               f"MPI_Irecv(&{work}_in, 1, MPI_INT, {PREVIOUS}, {'5' if dead else '4'}, {comm}, &{work}_q[0]);",
               f"MPI_Isend(&{work}_out, 1, MPI_INT, {NEXT}, 4, {comm}, &{work}_q[1]);"]
    p.with_threads([work], p.pause())
    p.body.append(f"MPI_Comm_free(&{comm});")


def turns(p, dead=False):
    """Collectives of one communicator, called by several threads in turn."""
    comm, work, n = dup(p, "comm"), p.name("work"), p.random.randrange(2, 4)
    p.functions.insert(0, f"static int {work}_turn; static pthread_mutex_t {work}_lock = PTHREAD_MUTEX_INITIALIZER;"
                          f" static pthread_cond_t {work}_next = PTHREAD_COND_INITIALIZER;")
    call = p.random.choice([f"MPI_Barrier({comm});", "{ int out = me, in;"
                            f" MPI_Allreduce(&out, &in, 1, MPI_INT, MPI_SUM, {comm}); must(in == me * ranks); }}"])
    if dead:  # nobody sends, and the others wait for the lock
        call += f" if (me == {n - 1}) {{ int in; MPI_Recv(&in, 1, MPI_INT, {NEXT}, 79, {comm}, MPI_STATUS_IGNORE); }}"
    p.thread(work, p.pause(), f"pthread_mutex_lock(&{work}_lock);",
             f"while ({work}_turn != me) pthread_cond_wait(&{work}_next, &{work}_lock);", call,
             f"++{work}_turn; pthread_cond_broadcast(&{work}_next); pthread_mutex_unlock(&{work}_lock);")
    p.body.append(f"{work}_turn = 0;")
    p.with_threads([work] * n, p.pause())
    p.body.append(f"MPI_Comm_free(&{comm});")


def flag(p, dead=False):
    """A thread that an atomic flag lets go on sends to another one of its own process."""
    comm, work, other = dup(p, "comm"), p.name("work"), p.name("other")
    p.functions.insert(0, f"static atomic_int {work}_go;")
    p.thread(work, f"while (!{work}_go) usleep(100);", f"MPI_Send(&rank, 1, MPI_INT, rank, 3, {comm});")
    p.thread(other, "int in;", f"MPI_Recv(&in, 1, MPI_INT, rank, 3, {comm}, MPI_STATUS_IGNORE); must(in == rank);")
    p.body.append(f"{work}_go = 0;")
    p.with_threads([other] if dead else [work, other], p.pause(), f"{work}_go = 1;", p.pause())
    p.body.append(f"MPI_Comm_free(&{comm});")


def generalized(p, dead=False):
    """Another thread completes what the main one waits for, again and again."""
    work = p.name("work")
    p.functions.insert(0, f"static MPI_Request {work}_q;")
    p.thread(work, p.pause(), f"MPI_Grequest_complete({work}_q);")
    p.body += [f"for (int round = 0; round < {p.random.randrange(1, 4)}; ++round) {{",
               f"MPI_Request copy; MPI_Grequest_start(query, no_free, no_cancel, NULL, &{work}_q); copy = {work}_q;"]
    p.with_threads([work], p.pause(), "MPI_Wait(&copy, MPI_STATUS_IGNORE);")
    p.body.append("}")


def partitions(p, dead=False):
    """Threads make the parts of a message ready, round by round."""
    comm, work, n = dup(p, "comm"), p.name("work"), p.random.randrange(2, 4)
    p.functions.insert(0, f"static MPI_Request {work}_q[2]; static int {work}_out[{n}], {work}_in[{n}];")
    ready = p.random.choice(["MPI_Pready(me, {q}[0]);", "MPI_Pready_range(me, me, {q}[0]);"]).replace("{q}", f"{work}_q")
    p.thread(work, p.pause(), f"{work}_out[me] = rank;", ready)
    p.body += [f"MPI_Psend_init({work}_out, {n}, 1, MPI_INT, {NEXT}, 6, {comm}, MPI_INFO_NULL, &{work}_q[0]);",
               f"MPI_Precv_init({work}_in, {n}, 1, MPI_INT, {PREVIOUS}, 6, {comm}, MPI_INFO_NULL, &{work}_q[1]);",
               f"for (int round = 0; round < {p.random.randrange(1, 4)}; ++round) {{", f"MPI_Startall(2, {work}_q);"]
    p.with_threads([work] * n, p.pause())
    p.body += [f"MPI_Waitall(2, {work}_q, MPI_STATUSES_IGNORE);", "}",
               f"for (int i = 0; i < 2; ++i) MPI_Request_free(&{work}_q[i]);", f"MPI_Comm_free(&{comm});"]


PHASES = [service, comms, openmp, handoff, turns, flag, generalized]
DEADLY = [service, comms, openmp, handoff, turns, flag]


def generate(seed, library, ranks):
    p = Program(seed, library, ranks)
    phases = PHASES + ([partitions] if library == "mpich" else [])
    for _ in range(p.random.randrange(1, 4)):
        p.random.choice(phases)(p)
    return p


def deadlock(seed, library, ranks):
    """A program that hangs in one of its phases."""
    p = Program(seed, library, ranks, "deadlock")
    if p.random.random() < 0.5:
        p.random.choice(PHASES)(p)
    DEADLY[seed % len(DEADLY)](p, True)
    return p


def source(programs):
    """One C file of {name: program}: all in one job, or the one that is named."""
    text = [PRELUDE] + [p.render(name) for name, p in programs.items()]
    text += ["int main(int argc, char** argv) {", "int provided;",
             "MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);",
             "MPI_Comm_rank(MPI_COMM_WORLD, &rank); MPI_Comm_size(MPI_COMM_WORLD, &ranks);",
             "must(provided == MPI_THREAD_MULTIPLE);"]
    for name in programs:
        text += [f'if (argc < 2 || !strcmp(argv[1], "{name}")) {{ {name}(); MPI_Barrier(MPI_COMM_WORLD); }}']
    return "\n".join([*text, "MPI_Finalize();", "return 0;", "}"]) + "\n"
