"""Reports of sanitizers, among their own files and among what programs print."""

import pathlib
import tempfile
import unittest

from sanitize import about_us, reports

UNDEFINED = "src/shim/core/call.cc:12:3: runtime error: load of null pointer of type 'int'\n"
FRAMES = ("    #0 0x7f1 in vouch::shim::record(int) (/b/lib/libvouch_mpich.so+0x17)\n"
          "    #1 0x7f2 in main (/b/a.out+0x18)\n")
ADDRESS = ("=================================================================\n"
           "==123==ERROR: AddressSanitizer: heap-use-after-free on address 0x602 at pc 0x7f\n"
           "    #0 0x7f1 in memcpy (/usr/lib/libasan.so.8+0x1)\n"
           "    #1 0x7f2 in copy (%s+0x2)\n"
           "0x602 is located 0 bytes inside of 8-byte region\n")


class Reports(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.logs, self.outputs = pathlib.Path(folder.name, "logs"), pathlib.Path(folder.name, "outputs")
        self.logs.mkdir()
        (self.outputs / "mpich" / "type").mkdir(parents=True)

    def found(self):
        return [report[1:] for report in reports(self.logs, self.outputs)]

    def test_none(self):
        (self.outputs / "mpich" / "type" / "a_ok.txt").write_text("hello\nvouch: clean: nothing found\n")
        self.assertEqual(self.found(), [])

    def test_undefined_behaviour_that_a_rank_prints(self):
        (self.outputs / "mpich" / "type" / "a_ok.txt").write_text("hello\n" + UNDEFINED + FRAMES + "vouch: clean\n" + UNDEFINED)
        self.assertEqual(self.found(), [(UNDEFINED + FRAMES).splitlines(), UNDEFINED.splitlines()])
        self.assertTrue(all(about_us("shim", report) for report in reports(self.logs, self.outputs)))

    def test_a_file_of_the_sanitizer(self):
        (self.logs / "shim.123").write_text(ADDRESS % "/b/lib/libvouch_mpich.so")
        (self.logs / "shim.124").write_text(ADDRESS % "/usr/lib/libmpich.so")
        self.assertEqual([about_us("shim", report) for report in reports(self.logs, self.outputs)], [True, False])


if __name__ == "__main__":
    unittest.main()
