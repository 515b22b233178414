#!/usr/bin/env python3
"""docs/coverage.md is what the generator writes here, and lists whatever an installed header declares."""

import re
import shutil
import sys
import unittest
from pathlib import Path

GEN = Path(__file__).resolve().parent
sys.path.insert(0, str(GEN))

import emit_coverage  # noqa: E402
import header  # noqa: E402
import table  # noqa: E402

PAGE = GEN.parent / "docs" / "coverage.md"


def compilers():
    found = {library: shutil.which(f"mpicc.{library}") for library in table.LIBRARIES}
    return {library: path for library, path in found.items() if path}


class Coverage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.compilers = compilers()
        if not cls.compilers:
            raise unittest.SkipTest("no MPI library is installed")
        cls.table = table.load(GEN.parent / "api")
        for library, mpicc in cls.compilers.items():
            cls.table.attach(library, header.read_header(mpicc))  # refuses a procedure without a stanza
        cls.page = PAGE.read_text()

    def versions_of_the_page(self):
        return re.findall(r"^- ((?:Open MPI|MPICH) [\w.]+):", self.page, re.MULTILINE)

    def test_page_is_up_to_date(self):
        if len(self.compilers) < len(table.LIBRARIES):
            self.skipTest("the page describes both libraries, and one is not installed")
        versions = [self.table.headers[library].version for library in table.LIBRARIES]
        if versions != self.versions_of_the_page():
            self.skipTest(f"the page describes {self.versions_of_the_page()}, here are {versions}")
        self.assertEqual(self.page, emit_coverage.emit(self.table, self.compilers),
                         "docs/coverage.md is old: run gen/vouchgen.py --coverage")

    def test_no_declared_procedure_is_missing(self):
        rows = set(re.findall(r"^\| (MPIX?_\w+) \|", self.page, re.MULTILINE))
        for library in self.compilers:
            head = self.table.headers[library]
            if head.version in self.versions_of_the_page():
                self.assertEqual(set(head.prototypes) - rows, set())

    def test_every_fortran_entry_has_a_procedure(self):
        known = {entry for p in self.table.procedures for b in ("mpif", "f08") for entry in p.fortran_entries(b)}
        # No procedures of C: sentinels, MPI_Sizeof of each type, MPI_F_sync_reg, callbacks passed by name.
        other = re.compile(r"^mpi_(fortran_|sizeof_|f_sync_reg_|\w*_fn_$|conversion_fn_null_$)")
        for library, mpicc in self.compilers.items():
            entries = [s for s in emit_coverage.fortran_symbols(library, mpicc) if re.match(r"^mpix?_\w*[a-z0-9]_$", s)]
            self.assertEqual([s for s in entries if s not in known and not other.search(s)], [], library)


if __name__ == "__main__":
    unittest.main()
