#!/usr/bin/env python3
"""What is read from a header, and when table and header do not fit."""

import sys
import unittest
from pathlib import Path

GEN = Path(__file__).resolve().parent
sys.path.insert(0, str(GEN))

import header  # noqa: E402
import table  # noqa: E402

TEXT = """
#define MPI_ANY_SOURCE -1
#define MPI_UB THIS_SYMBOL_WAS_REMOVED_IN_MPI30(MPI_UB)
#define MPI_Comm_c2f(comm) (MPI_Fint)(comm)
#define OMPI_MAJOR_VERSION 4
#define OMPI_MINOR_VERSION 1
#define OMPI_RELEASE_VERSION 4
typedef int MPI_Datatype;
typedef int (MPI_Copy_function)(MPI_Comm, int, void *);
enum { MPI_TAG_UB, MPI_IO };
extern int *MPI_UNWEIGHTED;
__attribute__((visibility("default"))) int MPI_Send(const void *buf, int count, MPI_Datatype datatype,
    int dest, int tag, MPI_Comm comm);
int PMPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm);
int MPI_Group_range_incl(MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup)
    __attribute__((deprecated("x (y)")));
double MPI_Wtime(void);
int MPI_Pcontrol(const int level, ...);
MPI_Comm MPI_Comm_f2c(MPI_Fint comm);
int MPI_Init(int *argc, char ***argv);
"""


class Reading(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.header = header.parse_header(TEXT)

    def test_functions(self):
        names = ["MPI_Send", "MPI_Group_range_incl", "MPI_Wtime", "MPI_Pcontrol", "MPI_Comm_f2c", "MPI_Init"]
        self.assertEqual(list(self.header.prototypes), names)

    def test_types(self):
        params = {name: ctype for name, ctype in self.header.prototypes["MPI_Send"].params}
        self.assertEqual((params["buf"].text, params["buf"].base, params["buf"].pointers), ("const void *", "void", 1))
        self.assertTrue(params["buf"].const)
        self.assertEqual((params["comm"].text, params["comm"].pointers), ("MPI_Comm", 0))
        ranges = self.header.prototypes["MPI_Group_range_incl"].params[2][1]
        self.assertEqual((ranges.text, ranges.declaration), ("int (*)[3]", "int ranges[][3]"))
        self.assertEqual(self.header.prototypes["MPI_Init"].params[1][1].text, "char ***")

    def test_returns_and_dots(self):
        self.assertEqual(self.header.prototypes["MPI_Wtime"].returns, "double")
        self.assertEqual(self.header.prototypes["MPI_Comm_f2c"].returns, "MPI_Comm")
        self.assertTrue(self.header.prototypes["MPI_Pcontrol"].variadic)

    def test_constants(self):
        for name in ("MPI_ANY_SOURCE", "MPI_TAG_UB", "MPI_UNWEIGHTED"):
            self.assertTrue(self.header.has_constant(name), name)
        for name in ("MPI_UB", "MPI_ROOT", "MPI_Send"):
            self.assertFalse(self.header.has_constant(name), name)

    def test_version(self):
        self.assertEqual(self.header.version, "Open MPI 4.1.4")

    def test_no_compiler(self):
        with self.assertRaises(table.TableError) as caught:
            header.read_header("/nowhere/mpicc")
        self.assertEqual(str(caught.exception), "/nowhere/mpicc cannot be run: No such file or directory")


class Fitting(unittest.TestCase):
    def refuse(self, declaration, sentence):
        loaded = table.load(GEN.parent / "api")
        with self.assertRaises(table.TableError) as caught:
            loaded.attach("mpich", header.parse_header(declaration))
        text = str(caught.exception)
        self.assertEqual(text.split(": ", 1)[1] if text.startswith("mpi.api:") else text, sentence)

    def test_function_without_stanza(self):
        self.refuse("int MPI_Frobnicate(int n);",
                    "MPI_Frobnicate is declared in mpich's mpi.h but has no stanza in api/mpi.api")

    def test_extension_without_stanza(self):
        loaded = table.load(GEN.parent / "api")
        loaded.attach("mpich", header.parse_header("int MPIX_Frobnicate(int n);"))
        self.assertFalse(any(p.exists("mpich") for p in loaded.procedures))

    def test_number_of_parameters(self):
        self.refuse("int MPI_Barrier(MPI_Comm comm, int how);",
                    "MPI_Barrier has 1 parameters, but 2 in mpich's mpi.h")

    def test_type_of_a_parameter(self):
        self.refuse("int MPI_Barrier(MPI_Group comm);",
                    "comm of MPI_Barrier is `MPI_Group comm` in mpich's mpi.h, which does not fit COMM in")

    def test_pointer_where_a_value_should_be(self):
        self.refuse("int MPI_Barrier(MPI_Comm *comm);",
                    "comm of MPI_Barrier is `MPI_Comm *comm` in mpich's mpi.h, which does not fit COMM in")

    def test_const_output(self):
        self.refuse("int MPI_Comm_free(const MPI_Comm *comm);",
                    "comm of MPI_Comm_free is `const MPI_Comm *comm` in mpich's mpi.h, which does not fit COMM inout")

    def test_element_size(self):
        self.refuse("int MPI_Startall(int count, MPI_Request r[]); int MPI_Pready_list(int length, MPI_Count p[], MPI_Request r);",
                    "array_of_partitions of MPI_Pready_list is `MPI_Count p[]` in mpich's mpi.h,"
                    " which does not fit PARTITION in array")

    def test_count_that_did_not_grow(self):
        self.refuse("int MPI_Type_contiguous_c(int count, MPI_Datatype oldtype, MPI_Datatype *newtype);",
                    "count of MPI_Type_contiguous_c is `int count` in mpich's mpi.h, which does not fit COUNT in")

    def test_return_type(self):
        self.refuse("int MPI_Wtime(void);", "MPI_Wtime returns int in mpich's mpi.h, not double")


if __name__ == "__main__":
    unittest.main()
