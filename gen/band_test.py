"""Tests of what carries clocks in messages: which procedure has which form."""

import sys
import unittest
from pathlib import Path

GEN = Path(__file__).resolve().parent
sys.path.insert(0, str(GEN))

import emit_band  # noqa: E402
import parse  # noqa: E402


class Band(unittest.TestCase):
    def setUp(self):
        self.table = parse.load(GEN.parent / "api")

    def row(self, name, kind):
        return getattr(emit_band, kind)(self.table.by_name[name])

    def test_messages(self):
        for name, form in (("MPI_Rsend", "Send"), ("MPI_Ibsend", "Isend"), ("MPI_Ssend_init", "Send_init"), ("MPI_Recv", "Recv"),
                           ("MPI_Irecv_c", "Irecv"), ("MPI_Sendrecv_replace", "Sendrecv_replace")):
            self.assertTrue(self.row(name, "message").endswith(", " + form), name)
        for name in ("MPI_Psend_init", "MPI_Mrecv", "MPI_Probe", "MPI_Bcast", "MPI_Cancel"):
            self.assertIsNone(self.row(name, "message"), name)
        self.assertEqual(self.row("MPI_Imrecv", "probe"), "imrecv, Imrecv")

    def test_every_point_to_point_call_has_a_form(self):
        for proc in self.table.procedures:
            if proc.family in ("p2p", "probe") and (proc.param("comm") or proc.param("message")):
                self.assertTrue(emit_band.message(proc) or emit_band.probe(proc), proc.name)

    def test_collectives(self):
        self.assertEqual(self.row("MPI_Igatherv", "collective"), "igatherv, Together, Flow::each_to_root, 8, 7, 4, 6, 9")
        self.assertEqual(self.row("MPI_Cart_sub", "collective"), "cart_sub, Together, Flow::all, 0, -1, -1, -1, -1")
        self.assertEqual(self.row("MPI_Bcast_init", "collective"), "bcast_init, Uncarried")
        for proc in self.table.procedures:
            if proc.family == "collective":
                self.assertIsNotNone(emit_band.collective(proc), proc.name)
            if proc.flow in ("nobody", "neighbours") or proc.family == "io":
                self.assertIsNone(emit_band.collective(proc), proc.name)


if __name__ == "__main__":
    unittest.main()
