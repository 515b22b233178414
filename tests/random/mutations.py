"""One planted error per rule.

    mutant(rule, seed, library)     a random correct program with exactly this mistake at a random place

MUTATIONS has a row per rule; NOT_PLANTED names the rules without a row, and why.
"""

import random

import collectives
import objects
import p2p
from generate import generate
from planting import *  # noqa: F403  (the words that rows are written in)


def mutant(rule, seed, library):
    for attempt in range(200):
        rng = random.Random(f"{rule.id} {seed} {attempt}")
        ranks = rng.randint(rule.least, rule.most)
        made = Mutant(rule, generate(f"{rule.id} {seed} {attempt}", library, ranks, rule.must), rng)
        if rule.plant(made) is not False:
            return made
    raise RuntimeError(f"no random program has a place for {rule.id}")


REFUSE = ("int refuse(MPI_Comm c, int k, void* e, void* in, void* out, int* flag) { return MPI_ERR_OTHER; } int key; "
          "static int value; MPI_Comm one, two; MPI_Comm_create_keyval(refuse, MPI_COMM_NULL_DELETE_FN, &key, NULL); "
          "MPI_Comm_dup(MPI_COMM_SELF, &one); MPI_Comm_set_errhandler(one, %s); MPI_Comm_set_attr(one, key, &value); "
          "MPI_Comm_dup(one, &two); MPI_Comm_free(&one); MPI_Comm_free_keyval(&key); ")
SELF_PAIR = "static int w[2]; MPI_Request r; MPI_Irecv(&w[0], 1, MPI_INT, 0, 998, MPI_COMM_SELF, &r); " \
            "MPI_Request s = r; MPI_Send(&w[1], 1, MPI_INT, 0, 998, MPI_COMM_SELF); "
ONE_INT = "MPI_Allreduce(w, x, 1, MPI_INT, MPI_SUM, {comm});"



NO_SEND = "MPI_Send(w, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);"
SELF_SEND = "MPI_Isend(w, 1, MPI_INT, 0, 997, MPI_COMM_SELF, &s); MPI_Request_free(&s); "
SEND_R = "MPI_Isend(w, 1, MPI_INT, 0, 997, MPI_COMM_SELF, &r); "
SEND_S = "MPI_Isend(w, 1, MPI_INT, 0, 997, MPI_COMM_SELF, &s); "
WAIT_BOTH = "MPI_Wait(&r, MPI_STATUS_IGNORE); MPI_Wait(&s, MPI_STATUS_IGNORE); "
SELF_RECV = "MPI_Recv(w + 1, 1, MPI_INT, 0, 997, MPI_COMM_SELF, MPI_STATUS_IGNORE); "
RECV_FROM = "static int w; MPI_Recv(&w, 1, MPI_INT, %s, 9998, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"
PROBE_RECV = "MPI_Probe(0, 997, MPI_COMM_SELF, MPI_STATUS_IGNORE); " + SELF_RECV
SHARED_FILE = "MPI_File f; MPI_File_open({comm}, path(\"shared\", 0), MPI_MODE_RDWR | MPI_MODE_CREATE, " \
              "MPI_INFO_NULL, &f); %s MPI_File_close(&f);"
HALF_EDGE = "MPI_Dist_graph_create_adjacent({comm}, %d, (int[]){{{root}}}, MPI_UNWEIGHTED, %d, (int[]){{{root}}}, " \
            "MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &c); MPI_Comm_free(&c);"
WINDOW = "MPI_Win v; MPI_Win_create(x, 64, 4, MPI_INFO_NULL, {comm}, &v); %s MPI_Win_fence(0, v); MPI_Win_free(&v);"
FENCED = WINDOW % "MPI_Win_fence(0, v); %s"
PUT = "MPI_Put(w, 1, MPI_INT, {root}, 0, 1, MPI_INT, v); "
LOCK, UNLOCK = "MPI_Win_lock(MPI_LOCK_SHARED, {root}, 0, v); ", "MPI_Win_unlock({root}, v); "
CHECK_BUFFERS = ("--check-buffers",)

# --- the table --------------------------------------------------------------------------------------------------------

MESSAGE = (p2p.message, p2p.message, p2p.stream)
SWAP = {"MPI_INT": "MPI_FLOAT", "MPI_FLOAT": "MPI_INT", "MPI_DOUBLE": "MPI_LONG", "MPI_LONG": "MPI_DOUBLE",
        "MPI_UNSIGNED": "MPI_FLOAT"}
LIKE = {"MPI_INT": "MPI_INT32_T", "MPI_LONG": "MPI_INT64_T"}

MUTATIONS = [
    Rule("argument/communicator", change_message("COMM", "MPI_COMM_NULL"), MESSAGE),
    Rule("argument/rank", change_message("RANK", 99, -33), MESSAGE),
    Rule("argument/tag", change_message("TAG", -77), MESSAGE),
    Rule("argument/count", change_message("COUNT", -1), MESSAGE),
    Rule("argument/root", change_collective(("Bcast", "Reduce", "Gather", "Scatter"), "root", lambda c: c.size + 5),
         (collectives.collective,) * 6),
    Rule("argument/buffer-null", change_message("BUFFER", "NULL"), MESSAGE),
    Rule("argument/in-place", change_message("BUFFER", "MPI_IN_PLACE"), MESSAGE),
    Rule("argument/op", change_collective(("Reduce", "Allreduce", "Scan"), "op", "MPI_OP_NULL"),
         (objects.operation, objects.operation)),
    Rule("argument/group", change_call(["MPI_Group_incl"], "ranks", "(int[]){99, 0, 1, 2, 3, 4, 5, 6}",
                                       "(int[]){-7, 1, 2, 3, 4, 5, 6, 7}"), (objects.create,) * 4),
    Rule("argument/pointer", insert("MPI_Comm_size(MPI_COMM_WORLD, NULL);",
                                    "MPI_Request r = MPI_REQUEST_NULL; MPI_Test(&r, NULL, MPI_STATUS_IGNORE);")),
    Rule("argument/constant", insert("MPI_Datatype t; MPI_Type_create_subarray(1, (int[]){4}, (int[]){2}, (int[]){0}, "
                                     "7777, MPI_INT, &t);")),
    Rule("argument/info", change_call(["MPI_Info_set"], "key", '""'), (objects.info,)),
    Rule("argument/free-predefined", insert("MPI_Datatype t = MPI_INT; MPI_Type_free(&t);",
                                            "MPI_Op o = MPI_SUM; MPI_Op_free(&o);")),
    Rule("argument/attribute", insert(
        "int key; static int value; MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &key, "
        "NULL); MPI_Comm_set_attr(MPI_COMM_SELF, key, &value); MPI_Type_free_keyval(&key);")),

    Rule("type/handle", change_message("DATATYPE", "MPI_DATATYPE_NULL"), MESSAGE),
    Rule("type/uncommitted", uncommitted, MESSAGE),
    Rule("type/constructor", constructor, MESSAGE),
    Rule("type/mismatch", retype(SWAP), MESSAGE),
    Rule("type/equivalent", retype(LIKE), MESSAGE, "warning"),
    Rule("type/truncation", truncation, MESSAGE),
    Rule("type/overlap", overlapping_receive, MESSAGE),

    Rule("buffer/pending-overlap", pending_overlap, MESSAGE),
    Rule("buffer/call-overlap", call_overlap, (objects.operation, objects.operation)),
    Rule("buffer/bounds", too_short, MESSAGE, flags=CHECK_BUFFERS),
    Rule("buffer/freed", freed_too_early, MESSAGE, flags=CHECK_BUFFERS),
    Rule("buffer/modified", modified, MESSAGE, flags=CHECK_BUFFERS),
    Rule("buffer/bsend", bsend_room, (p2p.buffered,), many=True),
    Rule("buffer/pack", pack_room, (p2p.packed,), many=True),  # at the unpacking, too, if the library goes on

    Rule("request/handle", insert("MPI_Request r = MPI_REQUEST_NULL; MPI_Start(&r);",
                                  "MPI_Request r = MPI_REQUEST_NULL; MPI_Request_free(&r);",
                                  SELF_PAIR + "MPI_Wait(&r, MPI_STATUS_IGNORE); MPI_Wait(&s, MPI_STATUS_IGNORE);")),
    Rule("request/start", twice_started, (p2p.message,) * 6),
    Rule("request/never-started", insert(
        "static int w; MPI_Request r; MPI_Send_init(&w, 1, MPI_INT, 0, 998, MPI_COMM_SELF, &r); "
        "MPI_Wait(&r, MPI_STATUS_IGNORE); MPI_Request_free(&r);"), severity="warning"),
    Rule("request/free", on_collective("MPI_Ibarrier({comm}, &r); MPI_Request_free(&r);")),
    Rule("request/cancel", on_collective("MPI_Ibarrier({comm}, &r); MPI_Cancel(&r); MPI_Wait(&r, MPI_STATUS_IGNORE);")),
    Rule("request/duplicate", insert(SELF_PAIR + "MPI_Request both[2] = {r, s}; "
                                     "MPI_Waitall(2, both, MPI_STATUSES_IGNORE);")),
    Rule("request/partition", after(["MPI_Pready"], "MPI_Pready({partition}, {request});  // @a"),
         (p2p.partitioned,) * 3, libraries=MPICH, also={"crash/mpi-error"}),
    Rule("request/message", insert("static int w; MPI_Message n = MPI_MESSAGE_NULL; "
                                   "MPI_Mrecv(&w, 1, MPI_INT, &n, MPI_STATUS_IGNORE);")),
    Rule("request/grequest", after(["MPI_Grequest_complete"], "MPI_Grequest_complete({request});  // @a"),
         (p2p.general_request,)),

    Rule("leak/request", insert("static int w[2]; MPI_Request r; "
                                "MPI_Isend(&w[0], 1, MPI_INT, 0, 998, MPI_COMM_SELF, &r); "
                                "MPI_Recv(&w[1], 1, MPI_INT, 0, 998, MPI_COMM_SELF, MPI_STATUS_IGNORE);")),
    Rule("leak/message", insert("static int w; MPI_Request r; MPI_Message n; "
                                "MPI_Isend(&w, 1, MPI_INT, 0, 998, MPI_COMM_SELF, &r); "
                                "MPI_Mprobe(0, 998, MPI_COMM_SELF, &n, MPI_STATUS_IGNORE); MPI_Request_free(&r);")),
    Rule("leak/file", remove("MPI_File_close", everywhere=True), (objects.file,)),
    Rule("leak/session", remove("MPI_Session_finalize"), (objects.session,), libraries=MPICH,
         also={"crash/signal"}),  # the launcher ends the others when a process exits with a session
    Rule("leak/communicator", remove("MPI_Comm_free", everywhere=True), (objects.dup,), "warning"),
    Rule("leak/datatype", remove("MPI_Type_free"), MESSAGE, "warning"),
    Rule("leak/group", remove("MPI_Group_free"), (objects.groups,), "warning"),
    Rule("leak/op", remove("MPI_Op_free"), (objects.operation,), "warning"),
    # MPICH 4.0 aborts in MPI_Finalize over a window that was not freed; a run that ends so tells no leaks.
    Rule("leak/window", remove("MPI_Win_free", everywhere=True), (objects.window,), "warning", ("openmpi",)),
    Rule("leak/info", remove("MPI_Info_free"), (objects.info,), "warning"),
    Rule("leak/errhandler", remove("MPI_Errhandler_free"), (objects.errhandler,), "warning"),
    Rule("leak/keyval", remove("MPI_Comm_free_keyval"), (objects.attributes,), "warning"),
    Rule("leak/growth", insert("MPI_Datatype t; for (int i = 0; i < 6000; i++) MPI_Type_contiguous(2, MPI_INT, &t);"),
         severity="warning"),

    Rule("collective/mismatch", odd_one_out("MPI_Barrier({comm});", ONE_INT), timeout=25),
    Rule("collective/blocking", odd_one_out(
        "MPI_Bcast(w, 1, MPI_INT, 0, {comm});",
        "MPI_Ibcast(w, 1, MPI_INT, 0, {comm}, &r); MPI_Wait(&r, MPI_STATUS_IGNORE);"), timeout=25),
    Rule("collective/root", odd_one_out("MPI_Bcast(w, 1, MPI_INT, {root}, {comm});",
                                        "MPI_Bcast(w, 1, MPI_INT, {me}, {comm});"), timeout=25),
    Rule("collective/op", odd_one_out(ONE_INT, "MPI_Allreduce(w, x, 1, MPI_INT, MPI_MAX, {comm});")),
    Rule("collective/type", odd_one_out("MPI_Allgather(w, 1, MPI_INT, x, 1, MPI_INT, {comm});",
                                        "MPI_Allgather(w, 1, MPI_FLOAT, x, 1, MPI_INT, {comm});")),
    Rule("collective/in-place", odd_one_out(ONE_INT, "MPI_Allreduce(MPI_IN_PLACE, x, 1, MPI_INT, MPI_SUM, {comm});"),
         severity="warning"),
    Rule("collective/constructor", odd_one_out(
        "MPI_Cart_create({comm}, 1, (int[]){{{size}}}, (int[]){{0}}, 0, &c); MPI_Comm_free(&c);",
        "MPI_Cart_create({comm}, 1, (int[]){{{size}}}, (int[]){{1}}, 0, &c); MPI_Comm_free(&c);")),

    Rule("unmatched/send", insert("static int w; MPI_Request r; "
                                  "MPI_Isend(&w, 1, MPI_INT, (rank + 1) % 2, 9999, MPI_COMM_WORLD, &r); "
                                  "MPI_Request_free(&r);")),
    Rule("unmatched/ready-send", ready_send),
    Rule("unmatched/collective", alone_in_collective, most=2,  # its root may have to wait
         also={"leak/communicator", "deadlock/finished-rank", "deadlock/wait-cycle"}),

    Rule("deadlock/wait-cycle", at_the_end(RECV_FROM % "{1}", RECV_FROM % "{0}"), timeout=25),
    Rule("deadlock/wildcard-knot", at_the_end(everybody=RECV_FROM % "MPI_ANY_SOURCE"), timeout=25),
    Rule("deadlock/finished-rank", at_the_end(RECV_FROM % "{1}", ""), timeout=25),
    Rule("deadlock/livelock", at_the_end(
        "int is = 0; while (!is) MPI_Iprobe({1}, 9998, MPI_COMM_WORLD, &is, MPI_STATUS_IGNORE);", ""),
         severity="warning", timeout=25),

    Rule("race/message", race(1, 1), severity="info", many=True, least=3),
    Rule("race/message-harmful", race(1, 2), least=3),
    Rule("race/probe", threads("MULTIPLE", PROBE_RECV, PROBE_RECV, SEND_R + SEND_S, after=WAIT_BOTH), severity="warning",
         many=True),
    Rule("race/order", threads("MULTIPLE", SEND_R, SEND_S, after=SELF_RECV * 2 + WAIT_BOTH), severity="info", many=True),

    Rule("lifecycle/before-init", around(before_init=["int n; MPI_Comm_size(MPI_COMM_WORLD, &n);  // @a"])),
    Rule("lifecycle/after-finalize", around(after_finalize=["int n; MPI_Comm_size(MPI_COMM_WORLD, &n);  // @a"])),
    Rule("lifecycle/init-twice", insert("MPI_Init(NULL, NULL);")),
    Rule("lifecycle/no-finalize", around(finalize=[]), many=True),
    Rule("lifecycle/session", insert(
        "MPI_Session s; MPI_Group own, world, both = MPI_GROUP_NULL; "
        "MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &s); "
        'MPI_Group_from_session_pset(s, "mpi://SELF", &own); MPI_Comm_group(MPI_COMM_WORLD, &world); '
        "MPI_Group_union(own, world, &both); if (both != MPI_GROUP_NULL) MPI_Group_free(&both); "
        "MPI_Group_free(&own); MPI_Group_free(&world); MPI_Session_finalize(&s);"), libraries=MPICH),
    Rule("lifecycle/callback", callback),
    Rule("lifecycle/deprecated", insert("int* ub, is; MPI_Attr_get(MPI_COMM_WORLD, MPI_TAG_UB, &ub, &is);"),
         severity="info"),

    Rule("thread/level", threads("SINGLE", NO_SEND)),
    Rule("thread/concurrent", threads("SERIALIZED", NO_SEND, NO_SEND), many=True),
    Rule("thread/request", threads("MULTIPLE", "MPI_Wait(&s, MPI_STATUS_IGNORE);", "MPI_Wait(&r, MPI_STATUS_IGNORE);",
                                   SELF_SEND + "MPI_Irecv(w + 1, 1, MPI_INT, 0, 997, MPI_COMM_SELF, &r); s = r;"),
         many=True),
    Rule("thread/collective", threads("MULTIPLE", "MPI_Barrier(c);", "MPI_Barrier(c);",
                                      "MPI_Comm_dup(MPI_COMM_WORLD, &c);", everybody=True),
         many=True, also={"leak/communicator"}),
    Rule("thread/finalize", threads("MULTIPLE", "", finalize=[
        "void* end(void* u) { MPI_Finalize(); return NULL; } pthread_t t; pthread_create(&t, NULL, end, NULL); "
        "pthread_join(t, NULL);  // @a"])),

    Rule("crash/signal", insert("raise(SIGSEGV);", "raise(SIGFPE);", mark=False)),
    Rule("crash/assert", insert("abort();", mark=False)),
    Rule("crash/abort", insert("MPI_Abort(MPI_COMM_WORLD, 3);")),
    Rule("crash/exit", insert("exit(3);", mark=False)),
    Rule("crash/mpi-error", insert(REFUSE % "MPI_ERRORS_ARE_FATAL")),
    Rule("crash/error-return", insert(REFUSE % "MPI_ERRORS_RETURN"), severity="warning"),

    Rule("io/mode", insert('MPI_File f; if (!MPI_File_open(MPI_COMM_SELF, path("x", rank), '
                           "MPI_MODE_RDONLY | MPI_MODE_CREATE, MPI_INFO_NULL, &f)) MPI_File_close(&f);")),
    Rule("io/access", self_file("MPI_File_read_at(f, 0, w, 1, MPI_INT, &status);", "MPI_MODE_WRONLY")),
    Rule("io/view", self_file("MPI_Datatype t; MPI_Type_create_hindexed(2, (int[]){1, 1}, (MPI_Aint[]){8, 0}, "
                              'MPI_INT, &t); MPI_Type_commit(&t); '
                              'MPI_File_set_view(f, 0, MPI_INT, t, "native", MPI_INFO_NULL); '
                              "MPI_Type_free(&t);")),
    Rule("io/type", self_file('MPI_File_set_view(f, 0, MPI_DOUBLE, MPI_DOUBLE, "native", MPI_INFO_NULL); '
                              "MPI_File_write(f, w, 2, MPI_INT, &status);")),
    Rule("io/split", self_file("MPI_File_write_all_begin(f, w, 1, MPI_INT); "
                               "MPI_File_write_all(f, x, 1, MPI_INT, &status); "
                               "MPI_File_write_all_end(f, w, &status);")),
    Rule("io/pending", self_file("MPI_Request r; MPI_File_iwrite_at(f, 0, w, 1, MPI_INT, &r); "
                                 "MPI_File_set_size(f, 64); MPI_Wait(&r, MPI_STATUS_IGNORE);")),
    Rule("io/args", odd_one_out(SHARED_FILE % "MPI_File_set_size(f, 100);", SHARED_FILE % "MPI_File_set_size(f, 200);"),
         timeout=25),
    Rule("io/conflict", odd_one_out(SHARED_FILE % "MPI_File_write_at(f, 0, w, 1, MPI_INT, MPI_STATUS_IGNORE);",
                                    SHARED_FILE % "MPI_File_write_at(f, 2, w, 1, MPI_INT, MPI_STATUS_IGNORE);"),
         severity="warning", many=True),
    # All have a window; one of them does with it what it must not.
    Rule("rma/epoch-missing", odd_one_out(FENCED % "", (
        WINDOW % (PUT + "MPI_Win_fence(0, v);"), FENCED % (LOCK + UNLOCK + PUT), FENCED % "MPI_Win_flush_all(v);",
        FENCED % UNLOCK, FENCED % "MPI_Win_wait(v);")), timeout=25),
    Rule("rma/epoch-nested", odd_one_out(FENCED % "", (
        FENCED % (LOCK + LOCK + UNLOCK), FENCED % (PUT + LOCK + UNLOCK), FENCED % (LOCK + "MPI_Win_lock_all(0, v);"))),
         timeout=25),
    Rule("rma/target-range", odd_one_out(FENCED % "", (
        FENCED % PUT.replace("0, 1", "16, 1"), FENCED % PUT.replace("0, 1", "-1, 1"),
        FENCED % "MPI_Get(w, 17, MPI_INT, {root}, 0, 17, MPI_INT, v);")), timeout=25),
    Rule("rma/window", odd_one_out(FENCED % "", (FENCED % "MPI_Win_attach(v, w, 4);", FENCED % "MPI_Win_detach(v, w);")),
         timeout=25),
    Rule("rma/signature", odd_one_out(FENCED % "", (
        FENCED % PUT.replace("MPI_INT", "MPI_FLOAT", 1), FENCED % PUT.replace("w, 1", "w, 2"))), timeout=25),
    Rule("topology/neighbours", odd_one_out(HALF_EDGE % (0, 0), HALF_EDGE % (0, 1))),
    Rule("topology/kind", insert("int a, b; MPI_Cart_shift(MPI_COMM_WORLD, 0, 1, &a, &b);")),
    Rule("topology/size", insert("MPI_Comm c; MPI_Cart_create(MPI_COMM_SELF, 1, (int[]){7}, (int[]){0}, 0, &c);")),
    Rule("topology/argument", insert("MPI_Comm c; int a, b; "
                                     "MPI_Cart_create(MPI_COMM_SELF, 1, (int[]){1}, (int[]){0}, 0, &c); "
                                     "MPI_Cart_shift(c, 7, 1, &a, &b); MPI_Comm_free(&c);")),
    Rule("dynamic/argument", insert(
        'MPI_Comm c; MPI_Comm_spawn("/bin/true", MPI_ARGV_NULL, -1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &c, '
        "MPI_ERRCODES_IGNORE);")),
]

NOT_PLANTED = {
    "assertion/violated": "needs assertions in the program; tests/litmus/assertion has them",
    "dynamic/disconnect": "needs processes of another world; tests/litmus/dynamic has them",
    "race/local": "needs one-sided operations that race; tests/litmus/race has them",
    "rma/race": "needs one-sided operations that race; tests/litmus/rma has them",
    "type/memory": "needs the element types that only an instrumenting compiler knows",
}
