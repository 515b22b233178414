#!/usr/bin/env python3
"""The table as it stands, its layouts, and what the reader refuses."""

import sys
import tempfile
import unittest
from pathlib import Path

GEN = Path(__file__).resolve().parent
sys.path.insert(0, str(GEN))

import emit_events  # noqa: E402
import table  # noqa: E402
import vouchgen  # noqa: E402

KINDS = """
BUFFER   address void
COUNT    int     int|MPI_Count wide
DATATYPE handle  MPI_Datatype leave
RANK     int     int const=PROC_NULL
COLOR    int     int
KEY      int     int
ROOT     int     int
COMM     handle  MPI_Comm leave
STATUS   status  MPI_Status leave
STRING   string  char
POINTER  address *
"""
CONSTANTS = """
1 MPI_PROC_NULL RANK value
2 MPI_UNDEFINED COLOR value
3 MPI_COMM_NULL COMM handle null
"""


def load(procedures, kinds=KINDS, constants=CONSTANTS):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("kinds", kinds), ("constants", constants), ("mpi", procedures)):
            (Path(folder) / f"{name}.api").write_text(text)
        return table.load(Path(folder))


class Refused(unittest.TestCase):
    """Each mistake is one sentence with its place."""

    def refuse(self, procedures, sentence, **files):
        with self.assertRaises(table.TableError) as caught:
            load(procedures, **files)
        self.assertEqual(str(caught.exception), sentence)

    def test_unknown_kind(self):
        self.refuse("MPI_X p2p\n  n NUMBER\n",
                    "mpi.api:2: NUMBER, the kind of n of MPI_X, is not in kinds.api")

    def test_unknown_family(self):
        self.refuse("MPI_X chat\n", "mpi.api:1: family chat of MPI_X is unknown")

    def test_unknown_flag(self):
        self.refuse("MPI_X p2p blocknig\n", "mpi.api:1: MPI_X has an unknown flag blocknig")

    def test_agreement_on_nothing(self):
        self.refuse("MPI_X comm collective agree=n\n  c COMM\n",
                    "mpi.api:1: all must agree on n of MPI_X, which is no parameter")

    def test_flow_of_no_collective(self):
        self.refuse("MPI_X comm flow=all\n  c COMM\n", "mpi.api:1: MPI_X has a flow, but is no collective")

    def test_unknown_role(self):
        self.refuse("MPI_X comm role=jump\n", "mpi.api:1: MPI_X has an unknown flag role=jump")

    def test_unknown_trait(self):
        self.refuse("MPI_X comm traits=pure,odd\n", "mpi.api:1: MPI_X has an unknown flag traits=pure,odd")

    def test_unknown_attribute(self):
        self.refuse("MPI_X p2p\n  n COUNT vide\n", "mpi.api:2: n of MPI_X has an unknown attribute vide")

    def test_twice(self):
        self.refuse("MPI_X p2p\n\nMPI_X p2p\n", "mpi.api:3: MPI_X is there twice, first in line 1")

    def test_parameter_twice(self):
        self.refuse("MPI_X p2p\n  n COUNT\n  n COUNT\n", "mpi.api:3: MPI_X has two parameters n")

    def test_parameter_first(self):
        self.refuse("  n COUNT\n", "mpi.api:1: a parameter stands before the first procedure")

    def test_twin_is_there_already(self):
        self.refuse("MPI_X p2p\n  large\nMPI_X_c p2p\n",
                    "mpi.api:1: MPI_X_c has a stanza and is derived from MPI_X too")

    def test_count_is_no_parameter(self):
        self.refuse("MPI_X p2p\n  b BUFFER count=n\n", "mpi.api:2: b of MPI_X has count n, which is no parameter")

    def test_count_is_no_count(self):
        self.refuse("MPI_X p2p\n  b BUFFER count=r\n  r RANK\n", "mpi.api:2: b of MPI_X has count r, which is no COUNT")

    def test_type_is_no_datatype(self):
        self.refuse("MPI_X p2p\n  b BUFFER type=r\n  r RANK\n", "mpi.api:2: b of MPI_X has type r, which is no DATATYPE")

    def test_length_is_no_parameter(self):
        self.refuse("MPI_X p2p\n  a COUNT [m]\n", "mpi.api:2: a of MPI_X has length m, which is no parameter")

    def test_length_is_an_array(self):
        self.refuse("MPI_X p2p\n  a COUNT [b]\n  b COUNT [3]\n",
                    "mpi.api:2: a of MPI_X has length b, which is an array itself")

    def test_sum_of_a_scalar(self):
        self.refuse("MPI_X p2p\n  a COUNT [sum:n]\n  n COUNT\n",
                    "mpi.api:2: a of MPI_X has length sum:n, which is no array")

    def test_size_without_communicator(self):
        self.refuse("MPI_X p2p\n  a COUNT [size]\n", "mpi.api:2: a of MPI_X has length [size], but there is no COMM")

    def test_length_that_is_none(self):
        self.refuse("MPI_X p2p\n  a COUNT [n+1]\n", "mpi.api:2: array length [n+1] is not understood")

    def test_root_side_without_root(self):
        self.refuse("MPI_X p2p\n  n COUNT at=root\n",
                    "mpi.api:2: n of MPI_X is significant at=root, but there is no ROOT")

    def test_input_recorded_at_leave(self):
        self.refuse("MPI_X p2p\n  n COUNT leave\n",
                    "mpi.api:2: n of MPI_X goes in, so it cannot be recorded at leave")

    def test_in_place_count(self):
        self.refuse("MPI_X p2p\n  n COUNT inplace=all\n",
                    "mpi.api:2: n of MPI_X is no BUFFER and cannot be MPI_IN_PLACE")

    def test_base_is_no_procedure(self):
        self.refuse("MPI_X p2p base=MPI_Y\n", "mpi.api:1: base MPI_Y of MPI_X is no procedure")

    def test_glue_of_unknown_library(self):
        self.refuse("MPI_X p2p glue=direct:lam\n",
                    "mpi.api:1: glue of MPI_X names an unknown library in direct:lam")

    def test_kind_twice(self):
        self.refuse("", "kinds.api:2: kind RANK is there twice", kinds="RANK int int\nRANK int int\n")

    def test_unknown_form(self):
        self.refuse("", "kinds.api:1: form word of kind RANK is none of int, aint, handle, status, string, address",
                    kinds="RANK word int\n")

    def test_kind_with_unknown_constant(self):
        self.refuse("", "kinds.api: kind RANK may be ANYBODY, which is not in constants.api",
                    kinds="RANK int int const=ANYBODY\n", constants="")

    def test_gap_in_constants(self):
        self.refuse("", "constants.api:3: MPI_COMM_NULL has id 4, but 3 is next",
                    constants=CONSTANTS.replace("3 MPI_COMM", "4 MPI_COMM").lstrip())

    def test_constant_twice(self):
        self.refuse("", "constants.api:2: MPI_PROC_NULL is there twice",
                    constants="1 MPI_PROC_NULL RANK value\n2 MPI_PROC_NULL RANK value\n")


class Layout(unittest.TestCase):
    """Words and tails as docs/design/001-spine.md says."""

    def words(self, procedures, name, phase):
        return [(w.index, w.param, w.what) for w in load(procedures).by_name[name].words(phase)]

    def test_every_shape(self):
        stanza = (
            "MPI_X p2p\n  b BUFFER out\n  n COUNT\n  t DATATYPE inout\n  c COMM out\n  s STATUS out\n  i STATUS\n"
            "  a RANK [n]\n  v COMM out [n]\n  k STRING\n  p POINTER out leave\n"
        )
        self.assertEqual(self.words(stanza, "MPI_X", "enter"), [
            (0, "b", "address"), (1, "n", "value"), (2, "t", "address"), (3, "t", "value"), (4, "c", "address"),
            (5, "s", "address"), (6, "i", "address"), (7, "a", "address"), (8, "a", "length"), (9, "v", "address"),
            (10, "v", "length"), (11, "k", "address"), (12, "k", "length"), (13, "p", "address"),
        ])
        self.assertEqual(self.words(stanza, "MPI_X", "leave"), [
            (0, "", "error"), (1, "t", "value"), (2, "c", "value"), (3, "s", "status"), (6, "v", "length"),
            (7, "p", "value"),
        ])
        proc = load(stanza).by_name["MPI_X"]
        self.assertEqual([(t.param, t.elem_size) for t in proc.enter_tails], [("a", 8), ("k", 1)])
        self.assertEqual([(t.param, t.elem_size) for t in proc.leave_tails], [("v", 8)])
        self.assertEqual((proc.enter_words, proc.leave_words), (14, 8))

    def test_counts_grow_in_the_large_twin(self):
        loaded = load("MPI_X p2p\n  a COUNT [3]\n  k KEY [3]\n  large\n")
        self.assertEqual([t.elem_size for t in loaded.by_name["MPI_X"].enter_tails], [4, 4])
        self.assertEqual([t.elem_size for t in loaded.by_name["MPI_X_c"].enter_tails], [8, 4])

    def test_ranks_need_room_for_canonical_constants(self):
        self.assertEqual(load("MPI_X p2p\n  a RANK [3]\n").by_name["MPI_X"].enter_tails[0].elem_size, 8)

    def test_golden(self):
        loaded = table.load(GEN.parent / "api")
        names = ("MPI_Send", "MPI_Waitany", "MPI_Alltoallw", "MPI_Comm_create_keyval")
        text = "".join(loaded.by_name[name].describe() for name in names)
        self.assertEqual(text, (GEN / "golden" / "layouts.txt").read_text())


class TheTable(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.table = table.load(GEN.parent / "api")

    def test_bases(self):
        pairs = {
            "MPI_Isend_c": "MPI_Send", "MPI_Improbe": "MPI_Mprobe", "MPI_Iprobe": "MPI_Probe", "MPI_Rput": "MPI_Put",
            "MPI_Ineighbor_alltoallw_c": "MPI_Neighbor_alltoallw", "MPIX_Bcast_init": "MPI_Bcast",
            "MPI_File_iread_at_all": "MPI_File_read_at_all", "MPI_Psend_init": "MPI_Psend_init",
            "MPI_Comm_idup": "MPI_Comm_dup", "MPI_Session_init": "MPI_Session_init", "MPI_Info_create": "MPI_Info_create",
        }
        self.assertEqual({name: self.table.by_name[name].base for name in pairs}, pairs)

    def test_enumerators_are_unique(self):
        for things in (self.table.procedures, self.table.constants, self.table.kinds.values()):
            names = [thing.enumerator for thing in things]
            self.assertEqual(len(names), len(set(names)))

    def test_numbers_do_not_depend_on_what_is_installed(self):
        self.assertEqual([p.number for p in self.table.procedures], list(range(1, len(self.table.procedures) + 1)))
        names = [p.name for p in self.table.procedures]
        self.assertEqual(names, sorted(names))

    def test_what_makes_a_request_has_one(self):
        for proc in self.table.procedures:
            if proc.flags & {"nonblocking", "persistent"}:
                self.assertTrue([p for p in proc.params if p.kind.name == "REQUEST" and p.dir == "out"], proc.name)

    def test_constructors_give_and_destructors_take_a_handle(self):
        for proc in self.table.procedures:
            handles = [p for p in proc.params if p.kind.is_handle or p.kind.name == "KEYVAL"]
            if "constructor" in proc.flags:
                self.assertTrue([p for p in handles if p.dir == "out" and p.leave], proc.name)
            if "destructor" in proc.flags:
                self.assertTrue([p for p in handles if p.dir == "inout" and p.leave], proc.name)

    def test_message_buffers_know_count_and_type(self):
        for proc in self.table.procedures:
            if proc.family in ("p2p", "collective", "neighbour"):
                for p in proc.params:
                    if p.kind.name == "BUFFER":
                        self.assertTrue(p.count and p.type, f"{p.name} of {proc.name}")

    def test_every_procedure_has_a_clause_or_is_an_extension(self):
        for proc in self.table.procedures:
            self.assertTrue(proc.clause or proc.name.startswith("MPIX_"), proc.name)

    def test_only_extensions_are_unchecked(self):
        for proc in self.table.procedures:
            self.assertEqual(bool(proc.unchecked), proc.name.startswith("MPIX_Comm_"), proc.name)

    def test_replacements_exist(self):
        for proc in self.table.procedures:
            if proc.replacement:
                self.assertIn(proc.replacement, self.table.by_name, proc.name)

    def test_canonical_constants_of_the_wire_come_first(self):
        # wire.h: kCanonicalBase + 1 … + 5
        names = ["MPI_ANY_SOURCE", "MPI_PROC_NULL", "MPI_ROOT", "MPI_ANY_TAG", "MPI_UNDEFINED"]
        self.assertEqual([c.name for c in self.table.constants[:5]], names)

    def test_in_place(self):
        """Where MPI_IN_PLACE may stand [U3, U50]; nonblocking, persistent and large ones alike."""
        expected = {"Gather": ("sendbuf", "root"), "Gatherv": ("sendbuf", "root"), "Scatter": ("recvbuf", "root"),
                    "Scatterv": ("recvbuf", "root"), "Reduce": ("sendbuf", "root")}
        for name in "Allgather Allgatherv Alltoall Alltoallv Alltoallw Allreduce Reduce_scatter_block".split():
            expected[name] = ("sendbuf", "all")
        for name in "Reduce_scatter Scan Exscan".split():
            expected[name] = ("sendbuf", "any")
        for proc in self.table.procedures:
            found = [(p.name, p.inplace) for p in proc.params if p.inplace != "never"]
            wanted = expected.get(proc.base[4:]) if proc.family == "collective" else None
            self.assertEqual(found, [wanted] if wanted else [], proc.name)

    def test_callable_at_any_time(self):
        """[U39]; Init, Init_thread and Abort have rules of their own."""
        for name in ("MPI_Initialized", "MPI_Finalized", "MPI_Get_version", "MPI_Get_library_version", "MPI_Info_set",
                     "MPI_Session_init", "MPI_Session_create_errhandler", "MPI_Errhandler_free", "MPI_Error_string",
                     "MPI_Info_f2c", "MPI_Errhandler_c2f", "MPI_T_init_thread", "MPI_Add_error_code"):
            self.assertIn("anytime", self.table.by_name[name].flags, name)
        for name in ("MPI_Comm_free", "MPI_Wtime", "MPI_Type_c2f", "MPI_Session_finalize", "MPI_Comm_rank"):
            self.assertNotIn("anytime", self.table.by_name[name].flags, name)

    def test_roles(self):
        role = {p.name: p.role for p in self.table.procedures}
        for name, expected in (("MPI_Isendrecv_c", "post"), ("MPI_Psend_init", "post"), ("MPI_Improbe", "mprobe"),
                               ("MPI_Imrecv", "mrecv"), ("MPI_Testsome", "complete"), ("MPI_Startall", "start"),
                               ("MPI_Win_fence", "join"), ("MPI_Win_test", "win_wait"), ("MPI_Comm_create_group", "join_group"),
                               ("MPI_Parrived", "none"), ("MPI_Request_get_status", "none"), ("MPI_Comm_rank", "none")):
            self.assertEqual(role[name], expected, name)
        # What makes or completes requests of messages has a role.
        for p in self.table.procedures:
            if p.family in ("p2p", "probe", "completion"):
                self.assertNotEqual(p.role, "none", p.name)

    def test_sides(self):
        def sides(name):
            proc = self.table.by_name[name]
            names = lambda at: " ".join(proc.params[i].name if i >= 0 else "-" for i in at)  # noqa: E731
            return names(proc.side("send")), names(proc.side("recv"))

        none = "- - - - -"
        self.assertEqual(sides("MPI_Ssend"), ("buf count datatype dest tag", none))
        self.assertEqual(sides("MPI_Sendrecv_replace"), ("buf count datatype dest sendtag", "buf count datatype source recvtag"))
        self.assertEqual(sides("MPI_Mrecv"), (none, "buf count datatype - -"))
        self.assertEqual(sides("MPI_Ialltoallw"), ("sendbuf sendcounts sendtypes - -", "recvbuf recvcounts recvtypes - -"))
        self.assertEqual(sides("MPI_Comm_dup"), (none, none))

    def test_flow_and_mode_of_variants_are_those_of_their_base(self):
        for p in self.table.procedures:
            base = self.table.by_name[p.base]
            self.assertEqual(p.mode, base.mode, p.name)
            if p.collective:
                self.assertEqual(p.flow, base.flow, p.name)
        # Every collective that moves data says how.
        for p in self.table.procedures:
            if p.family in ("collective", "neighbour"):
                self.assertNotEqual(p.flow, "none", p.name)

    def test_what_orders_nobody(self):
        flow = {p.name: p.flow for p in self.table.procedures}
        for name in ("MPI_Comm_free", "MPI_Comm_disconnect", "MPI_File_close", "MPI_File_sync", "MPI_File_iwrite_all", "MPI_Win_set_info"):
            self.assertEqual(flow[name], "nobody", name)
        # MPI-4.1 12.2.5: but for windows that are never locked it is a barrier.
        for name in ("MPI_Win_free", "MPI_File_open", "MPI_Win_create"):
            self.assertEqual(flow[name], "none", name)
        self.assertEqual(flow["MPI_Comm_idup"], "all")
        self.assertEqual(flow["MPI_File_read_ordered"], "prefix")


class Emitted(unittest.TestCase):
    def test_written_only_when_changed(self):
        with tempfile.TemporaryDirectory() as folder:
            vouchgen.run(["--out", folder])
            files = {p: p.stat().st_mtime_ns for p in Path(folder).rglob("*.inc")}
            self.assertTrue(files)
            vouchgen.run(["--out", folder])
            self.assertEqual(files, {p: p.stat().st_mtime_ns for p in Path(folder).rglob("*.inc")})

    def test_tables_have_a_row_for_each(self):
        loaded = table.load(GEN.parent / "api")
        files = emit_events.emit(loaded)
        self.assertEqual(files["event/proc_enum.inc"].count("\n"), len(loaded.procedures) + 1)
        self.assertIn('{"MPI_Send_c", Family::p2p, kBlocking | kLargeCount, ', files["event/proc_table.inc"])
        self.assertIn('{"MPI_COMM_NULL", Kind::comm, true, true},', files["event/constant_table.inc"])

    def test_bad_header_option(self):
        with self.assertRaises(table.TableError) as caught:
            vouchgen.run(["--header", "lam=/usr/bin/mpicc"])
        self.assertEqual(str(caught.exception),
                         "--header lam=/usr/bin/mpicc is not LIBRARY=MPICC, where LIBRARY is openmpi or mpich")


if __name__ == "__main__":
    unittest.main()
