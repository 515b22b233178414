"""Tests of the wrappers' text. Golden texts are compared whole: a change of the emitter shows as a diff of them.

    wrappers_test.py --update      writes the golden texts anew
"""

import re
import sys
import unittest
from pathlib import Path

GEN = Path(__file__).resolve().parent
sys.path.insert(0, str(GEN))

import emit_front  # noqa: E402
import emit_wrappers  # noqa: E402
import header  # noqa: E402
import parse  # noqa: E402

# A header of a few prototypes: the tests need no MPI.
HEADER = """
#define MPI_ANY_SOURCE (-1)
#define MPI_PROC_NULL (-2)
#define MPI_ROOT (-4)
#define MPI_ANY_TAG (-1)
#define MPI_UNDEFINED (-32766)
int MPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm);
int MPI_Recv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Status *status);
int MPI_Gatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm);
int MPI_Testsome(int incount, MPI_Request array_of_requests[], int *outcount, int array_of_indices[],
                 MPI_Status array_of_statuses[]);
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *newcomm);
int MPI_Comm_set_attr(MPI_Comm comm, int comm_keyval, void *attribute_val);
double MPI_Wtime(void);
"""
GOLDEN = GEN / "golden" / "wrappers.txt"


def load():
    table = parse.load(GEN.parent / "api")
    table.attach("openmpi", header.parse_header(HEADER))
    return table


def text():
    table = load()
    numbered = {k.name for k in table.kinds.values() if emit_wrappers.numbers(table, "openmpi", k)}
    wrappers = [p for p in table.procedures if p.exists("openmpi")]
    parts = [emit_wrappers.Wrapper(p, "openmpi", numbered).text() for p in wrappers]
    parts += [emit_wrappers.Checked(p, "openmpi", numbered).text() for p in wrappers]
    guided = [emit_wrappers.Guided(p, "openmpi", numbered) for p in wrappers]
    parts += [g.text() for g in guided if g.wanted()]
    parts.append(emit_wrappers.Direct(table.by_name["MPI_Comm_set_attr"], "openmpi", numbered).text())
    return "".join(parts)


class Wrappers(unittest.TestCase):
    def test_golden(self):
        self.assertEqual(text(), GOLDEN.read_text())

    def test_a_wrapper_per_procedure_of_the_header(self):
        files = emit_wrappers.emit_library(load(), "openmpi")
        bodies = "".join(t for name, t in files.items() if name.endswith(".cc"))
        for name in ("send", "recv", "gatherv", "testsome", "comm_dup", "wtime"):
            self.assertEqual(len(re.findall(rf"^VOUCH_WRAPPER \w+ wrap_{name}\(", bodies, re.M)), 1, name)
        rows = [line for line in files["wrappers.inc"].splitlines() if line]
        self.assertEqual(len(rows), len(load().procedures) + 1)
        self.assertIn("wrap_send", rows[load().by_name["MPI_Send"].number])


class Front(unittest.TestCase):
    def test_names(self):
        names = {name: proc.name for name, proc in emit_front.fortran_entries(load())}
        self.assertEqual(names["mpi_send_"], "MPI_Send")
        self.assertEqual(names["pmpi_send_f08_"], "MPI_Send")
        self.assertEqual(names["mpi_send_f08ts_large_"], "MPI_Send_c")
        self.assertEqual(names["mpi_send__"], "MPI_Send")
        # Entries with names of their own: a base address of type(c_ptr), and what MPICH's module calls otherwise.
        self.assertEqual(names["mpi_win_allocate_cptr_"], "MPI_Win_allocate")
        self.assertEqual(names["pmpi_win_shared_query_cptr_"], "MPI_Win_shared_query")
        self.assertEqual(names["mpi_delete_error_class_f08_"], "MPIX_Delete_error_class")
        self.assertFalse([n for n in names if n.endswith("_fn_")], "predefined callbacks are the library's own")
        self.assertNotIn("mpi_comm_f2c_", names)
        # Without an underscore they would take over functions of users' own libraries.
        self.assertFalse([n for n in names if not n.endswith("_")])

    def test_all_entries_of_a_procedure(self):
        table = load()
        names = {name for name, _ in emit_front.fortran_entries(table)}
        for proc in table.procedures:
            if proc.family in emit_front.NOT_FORTRAN:
                continue
            entries = proc.fortran_entries("mpif") + proc.fortran_entries("f08")
            self.assertEqual([e for e in entries if e not in names or "p" + e not in names], [], proc.name)

    def test_each_name_once(self):
        names = [name for name, _ in emit_front.fortran_entries(load())]
        self.assertEqual(len(names), len(set(names)))


if __name__ == "__main__":
    if sys.argv[1:] == ["--update"]:
        GOLDEN.write_text(text())
    else:
        unittest.main()
