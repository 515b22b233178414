#!/usr/bin/env python3
"""The manual follows the table of options: --help, man pages, and what `cmake --install` puts where."""

import glob
import os
import re
import shutil
import unittest

from common import HERE, LIBRARIES, limit, main, subprocess

ROOT = os.path.dirname(os.path.dirname(HERE))

COMMANDS = ("run", "record", "replay", "explore", "predict", "cc", "cxx", "fc", "trace", "doctor")
# A value that no option of this type takes.
WRONG = {"choice": "nonsense", "list": "nonsense", "number": "many", "duration": "soon", "buffering": "eager", "folder": "/nowhere/at/all", "checks": "nonsense"}


class Manual(unittest.TestCase):
    def vouch(self, *words, **more):
        return subprocess.run([self.bench.vouch, *words], capture_output=True, text=True, timeout=limit(60), check=False, **more)

    def rows(self):
        """command, option, letter, value, type, words, fallback of each row."""
        listing = self.vouch("__generate", "options").stdout.splitlines()
        rows = [line.split("\t") for line in listing]
        self.assertEqual({row[0] for row in rows}, set(COMMANDS))
        self.assertTrue(all(len(row) == 7 for row in rows), rows)
        return rows

    def installed(self):
        """A folder into which vouch was installed, once for all tests."""
        bench = self.bench
        if not hasattr(bench, "prefix"):
            prefix = bench.path("prefix")
            build = os.path.dirname(os.path.dirname(bench.vouch))
            done = subprocess.run(["cmake", "--install", build, "--prefix", prefix], capture_output=True, text=True, timeout=limit(120), check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            bench.prefix = prefix
        return bench.prefix

    def test_every_option_is_in_the_help_and_in_the_man_page(self):
        texts = {command: self.vouch(command, "--help").stdout for command in COMMANDS}
        pages = {command: self.vouch("__generate", "man", command).stdout for command in COMMANDS}
        for command, option, letter, value, kind, _, fallback in self.rows():
            with self.subTest(command=command, option=option):
                term = ", ".join(filter(None, (letter, option)))
                text, roff = texts[command], pages[command]
                start = re.search(rf"^  {re.escape(term)}(\[=| |$)", text, re.M)
                self.assertIsNotNone(start, f"{term} in\n{text}")
                entry = re.split(r"^  -", text[start.end():], flags=re.M)[0].split("\n\n")[0]
                if value:
                    self.assertIn(value, text[start.start():start.end() + 20])
                if fallback:
                    self.assertTrue(re.sub(r"\s+", " ", entry).rstrip().endswith(f"Default: {fallback}"), entry)
                self.assertIn("\\fB" + option.replace("-", "\\-") + "\\fR", roff)
                self.assertIn(kind, ("flag", "text", "number", "duration", "choice", "list", "file", "folder", "buffering", "checks"))

    def test_checks_are_documented(self):
        with open(os.path.join(ROOT, "docs", "checks.md"), encoding="utf-8") as file:
            self.assertEqual(file.read(), self.vouch("__generate", "checks").stdout, "docs/checks.md is old: vouch __generate checks > docs/checks.md")

    def test_every_option_is_read(self):
        for command, option, letter, value, kind, _, _ in self.rows():
            if option == "--help":
                continue  # it is answered, whatever else is wrong
            with self.subTest(command=command, option=option):
                name = letter or option
                if kind == "flag":
                    done = self.vouch(command, option + "=x")
                    self.assertIn(f"{name} takes no value", done.stderr)
                elif kind in WRONG:
                    done = self.vouch(command, f"{option}={WRONG[kind]}", "/bin/true")
                    self.assertRegex(done.stderr, rf"^vouch: {name} .*, not '{WRONG[kind]}' \(see vouch {command} --help\)\n$")
                else:
                    done = self.vouch(command, option)
                    self.assertIn(f"{name} needs a value: {value}", done.stderr)
                self.assertEqual(done.returncode, 64, done)

    def test_help_on_every_way(self):
        for command in COMMANDS:
            texts = {self.vouch(*words).stdout for words in ((command, "--help"), (command, "-h"), ("help", command))}
            self.assertEqual(len(texts), 1, command)
            text = texts.pop()
            for heading in ("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS"):
                self.assertRegex(text, rf"(?m)^{heading}$")
        text = self.vouch("--help").stdout
        for command in COMMANDS:
            self.assertRegex(text, rf"(?m)^  {command} +\S")

    def documents(self):
        """Path, line, text of each line of the documents."""
        for pattern in ("*.md", "docs/*.md", "docs/design/*.md", "docs/rules/**/*.md", "docs/spec/*.md"):
            for path in sorted(glob.glob(os.path.join(ROOT, pattern), recursive=True)):
                with open(path, encoding="utf-8") as file:
                    for number, text in enumerate(file, 1):
                        yield f"{os.path.relpath(path, ROOT)}:{number}", text

    def test_documents_name_options_that_there_are(self):
        rows = self.rows()
        seen = 0
        for place, text in self.documents():
            for command, words in re.findall(rf"vouch ({'|'.join(COMMANDS)})((?: [^`|#]*)?)", text):
                own = {spelling: row for row in rows if row[0] == command for spelling in row[1:3] if spelling}
                words = words.split()
                while words and (words[0] in own or words[0].startswith("--")) and words[0] != "--":
                    option = words.pop(0).split("=")[0].rstrip(").,;:")
                    with self.subTest(place=place, command=command, option=option):
                        self.assertIn(option, own)
                    seen += 1
                    if option in own and own[option][3] and words and not words[0].startswith("-"):
                        words.pop(0)
        self.assertGreater(seen, 20)

    def test_man_pages(self):
        pages = os.path.join(self.installed(), "share", "man", "man1")
        expected = {"vouch.1"} | {f"vouch-{command}.1" for command in COMMANDS}
        self.assertEqual(set(os.listdir(pages)), expected)
        if shutil.which("man") is None:
            self.skipTest("no man: install man-db")
        for page in sorted(expected):
            with self.subTest(page=page):
                done = subprocess.run(["man", "--warnings=w", "-l", os.path.join(pages, page)], capture_output=True, text=True, check=False,
                                      timeout=limit(60), env={**os.environ, "MANWIDTH": "80", "LC_ALL": "C.UTF-8", "MANROFFOPT": "-ww"})
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertIn("EXIT STATUS", done.stdout)
                shown = done.stdout.replace("\u2010", "-")
                for command, option, *_ in self.rows():
                    if page == f"vouch-{command}.1":
                        self.assertIn(option, shown)
        found = subprocess.run(["man", "-M", os.path.dirname(pages), "-w", "vouch-run"], capture_output=True, text=True, check=False)
        self.assertEqual(found.stdout.strip(), os.path.join(pages, "vouch-run.1"), found.stderr)

    def test_installed_vouch_works(self):
        prefix = self.installed()
        for path in ("bin/vouch", "share/bash-completion/completions/vouch", "share/zsh/site-functions/_vouch", "include/vouch.h"):
            self.assertTrue(os.path.exists(os.path.join(prefix, path)), path)
        for mpi in LIBRARIES:
            done = subprocess.run([os.path.join(prefix, "bin", "vouch"), "run", "-n", "2", self.bench.program("bad_rank", mpi)],
                                  cwd=self.bench.dir, env=self.bench.environment(), capture_output=True, text=True, timeout=limit(60), check=False)
            self.assertEqual(done.returncode, 60, done.stderr)


if __name__ == "__main__":
    main(globals())
