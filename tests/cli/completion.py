#!/usr/bin/env python3
"""Completion in bash and zsh, asked as the shells ask."""

import os
import pty
import select
import shutil
import signal
import time
import unittest

from common import limit, main, subprocess

COMMANDS = ["run", "record", "replay", "explore", "predict", "trace", "doctor"]
BASH = """source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_vouch
printf '%s\\n' "${COMPREPLY[@]}"
"""
# What is offered goes to a file as well. The completion system asks compadd with -O, -A or -D only to find out.
# Control-T lists what there is, as a tab does where there is more than one, and then says that it is done.
ZSH = """PS1= PS2= RPS1= LISTMAX=10000
fpath=({folder} $fpath)
autoload -U compinit && compinit -u -D
compadd() {{
  if [[ ${{@[1,(i)(-|--)]}} != *-(O|A|D)\\ * ]]; then
    local -a offered
    builtin compadd -O offered "$@"
    print -rl -- $offered >> {offers}
  fi
  builtin compadd "$@"
}}
ask() {{ zle list-choices; BUFFER=; print done > {done} }}
zle -N ask
bindkey '^T' ask
print done > {done}
"""


class Shell(unittest.TestCase):
    """Cases that both shells must get right; offers() is the shell's."""

    def setUp(self):
        for name in ("report.json", "graph.svg", "graph.dot", "graph.txt"):
            self.bench.write(name, "")
        os.makedirs(self.bench.path("inner"), exist_ok=True)
        self.rows = [line.split("\t") for line in self.generated("options").splitlines()]
        self.script = self.bench.write("_vouch", self.generated(self.shell))

    def generated(self, what):
        return subprocess.run([self.bench.vouch, "__generate", what], capture_output=True, text=True, check=True).stdout

    def check(self, words, expected):
        self.assertEqual(set(self.offers(*words)), set(expected), words)

    def check_commands(self):
        self.assertLessEqual({*COMMANDS, "help"}, set(self.offers("")))
        self.check(["ex"], ["explore"])
        self.check(["--"], ["--help", "--version"])
        self.check(["help", "pre"], ["predict"])

    def check_options(self):
        for command in COMMANDS:
            start = [command, "A0=1"] if command == "replay" else [command]
            options = {row[1] for row in self.rows if row[0] == command}
            self.check([*start, "--"], options)
        self.check(["run", "--stri"], ["--strict"])

    def check_values(self):
        for command in ("run", "explore", "predict"):
            for row in self.rows:
                if row[0] != command or row[4] not in ("choice", "buffering"):
                    continue
                for spelling in filter(None, row[1:3]):
                    self.check([command, spelling, ""], row[5].split())
        self.check(["explore", "--mpi", "mpich", "--clocks", "l"], ["lvcp", "llcp"])
        self.assertEqual(set(self.offers("run", "-n", "")), set())
        checks = next(row for row in self.rows if row[:2] == ["run", "--checks"])[5].split()
        self.check(["run", "--checks", ""], checks)

    def check_files(self):
        self.check(["run", "--json", "rep"], ["report.json"])
        self.assertEqual({offer.rstrip("/") for offer in self.offers("run", "--picture", "")} - {"inner"}, {"graph.svg", "graph.dot"})
        self.assertEqual({offer.rstrip("/") for offer in self.offers("predict", "--smtlib", "inn")}, {"inner"})
        self.check(["predict", "rep"], ["report.json"])
        self.check(["trace", "d"], ["dump"])
        self.check(["trace", "dump", "rep"], ["report.json"])

    def check_programs(self):
        self.check(["run", "-n", "2", "./rep"], ["./report.json"] if self.whole_paths else ["report.json"])
        # Behind the program nothing is vouch's.
        self.assertNotIn("--json", self.offers("run", "-n", "2", "./program", "--js"))
        self.assertNotIn("--json", self.offers("run", "--", "--js"))
        self.check(["predict", "-n", "2", "./rep"], ["./report.json"] if self.whole_paths else ["report.json"])


class Bash(Shell):
    shell = "bash"
    whole_paths = True

    def offers(self, *words):
        done = subprocess.run(["bash", "--norc", "-c", BASH, "bash", self.script, "vouch", *words], cwd=self.bench.dir,
                              capture_output=True, text=True, timeout=limit(60), check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return [line for line in done.stdout.splitlines() if line]

    def test_commands(self):
        self.check_commands()

    def test_options(self):
        self.check_options()
        self.check(["run", "-"], {spelling for row in self.rows if row[0] == "run" for spelling in row[1:3] if spelling})

    def test_values(self):
        self.check_values()
        self.check(["predict", "--questions", "race,d"], ["race,deadlock"])
        self.check(["run", "--checks", "all,-i"], ["all,-io"])
        self.check(["run", "--checks", "-dead"], ["-deadlock"])
        # --mpi=mp, as bash takes it apart.
        self.check(["run", "--mpi", "=", "mp"], ["mpich"])
        self.check(["run", "--mpi", "="], ["openmpi", "mpich"])
        self.check(["run", "--stacks", "=", "4", "--stri"], ["--strict"])

    def test_files(self):
        self.check_files()

    def test_programs(self):
        self.check_programs()


class Zsh(Shell):
    shell = "zsh"
    whole_paths = False

    @classmethod
    def setUpClass(cls):
        if shutil.which("zsh") is None:
            raise unittest.SkipTest("no zsh: apt-get install zsh")

    def setUp(self):
        super().setUp()
        self.offered, self.done = self.bench.path("offered"), self.bench.path("done")
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.chdir(self.bench.dir)
            os.environ.update({"TERM": "vt100", "ZDOTDIR": self.bench.dir, "COLUMNS": "200"})
            os.execvp("zsh", ["zsh", "-f", "-i"])
        self.send(ZSH.format(folder=self.bench.dir, offers=self.offered, done=self.done))
        self.wait()

    def tearDown(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.terminal)

    def send(self, text):
        for line in text.splitlines(keepends=True):
            os.write(self.terminal, line.encode())
            self.drain(0)

    def drain(self, seconds):
        while select.select([self.terminal], [], [], seconds)[0]:
            os.read(self.terminal, 65536)

    def wait(self):
        """Until zsh has come so far."""
        end = time.monotonic() + limit(60)
        while not os.path.exists(self.done):
            self.drain(0.02)
            self.assertLess(time.monotonic(), end, "zsh does not answer")
        os.remove(self.done)

    def offers(self, *words):
        with open(self.offered, "w", encoding="utf-8"):
            pass
        self.send("vouch " + " ".join(words) + "\x14")
        self.wait()
        with open(self.offered, encoding="utf-8") as file:
            return [line for line in file.read().splitlines() if line]

    def test_commands(self):
        self.check_commands()

    def test_options(self):
        self.check_options()

    def test_values(self):
        self.check_values()
        self.check(["predict", "--questions", "race,d"], ["deadlock"])
        self.check(["run", "--checks", "all,-i"], ["io"])
        self.check(["run", "--checks", "-dead"], ["deadlock"])
        self.check(["run", "--mpi=mp"], ["mpich"])

    def test_files(self):
        self.check_files()

    def test_programs(self):
        self.check_programs()


if __name__ == "__main__":
    main(globals())
