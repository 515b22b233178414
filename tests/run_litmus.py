#!/usr/bin/env python3
"""Runs the litmus programs under vouch and compares what it reports with what each program expects [U1].

A program is tests/litmus/<family>/<name>_{bad,ok}.{c,cc,f,f90,py}; comment lines at its top say what must happen:

    // vouch: run -n 2 [flags]                  how to run it; without a program, which comes last; or explore
    // explores: 2                              explore: so many schedules
    // expect: error argument/rank @a           severity, rule, mark; one line per finding
    // expect: error rma/race @a @b             both places of a pair, in either order
    // expect: clean                            no finding but info
    // expect: error crash/signal [openmpi]     only with this library
    // requires: mpich | openmpi | sessions partitioned large-count persistent-collectives threads
    // also: crash [openmpi]                    the program itself may die (a bad handle is a wild pointer to some libraries)
    // verdict: inconclusive                    when it does not follow from the expectations
    // not-checked: MPI_X                       must be named under not_checked
    // exit: 3                                  the program's own exit status ("any": not compared)
    // flags: -fopenmp                          for the compiler; {api}: the folder of vouch.h
    // compile: vouch cc                        with loads and stores; vouch cxx, vouch fc: as the suffix wants it
    // label: slow                              only with --slow
    // label: c-only                            not with --as-cxx: it uses what only C has

A mark is a trailing comment, `// @a` (`! @a`, `# @a`). Findings are compared as a multiset of (severity, rule, line of
the first location, or of the first two): nothing else may be reported. Info findings count only where the program expects one of that rule.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import pace  # noqa: E402: beside this file, whoever imports it

LIBRARIES = ("openmpi", "mpich")
FEATURES = {  # which libraries have it
    "openmpi": {"openmpi"},
    "mpich": {"mpich"},
    "sessions": {"mpich"},
    "partitioned": {"mpich"},
    "large-count": {"mpich"},
    "persistent-collectives": {"mpich"},
    "threads": {"openmpi", "mpich"},
}
COMPILERS = {".c": "mpicc", ".cc": "mpicxx", ".f": "mpifort", ".f90": "mpifort", ".py": None}
WRAPPERS = {"mpicc": "cc", "mpicxx": "cxx", "mpifort": "fc"}  # what `vouch` calls them: it adds loads and stores
FLAGS = {
    ".c": ["-std=gnu11"],
    ".cc": ["-std=c++17"],  # with the bindings of C++ that the library may have, as a user's program
    ".f": ["-fallow-argument-mismatch"],
    ".f90": ["-fallow-argument-mismatch"],
}
AS_CXX = ["-x", "c++", "-std=gnu++20", "-fpermissive"]
API = pathlib.Path(__file__).resolve().parent.parent / "api"  # what `{api}` in flags stands for
COMMON_FLAGS = ["-g", "-O0", "-w"]
HEADER = re.compile(r"^(?://|!|#)\s*(vouch|expect|requires|also|verdict|explores|not-checked|exit|flags|label|compile):\s*(.*?)\s*$")
MARK = re.compile(r"(?://|!|#)\s*((?:@\w+\s*)+)$")
ERROR_EXIT, INCONCLUSIVE_EXIT = 60, 61
PYTHON = "/usr/bin/python3"  # Debian's: it is the one that has mpi4py


class BadProgram(Exception):
    """The litmus program itself is written wrongly."""


def for_library(text, library):
    """The text without its [library] suffix, or None if the suffix names another one."""
    match = re.match(r"^(.*?)\s*\[(\w+)\]$", text)
    if not match:
        return text
    return match.group(1) if match.group(2) == library else None


class Program:
    def __init__(self, path):
        self.path = path
        self.source = path.read_text()
        self.headers = collections.defaultdict(list)
        self.marks = {}
        for number, line in enumerate(self.source.splitlines(), 1):
            if header := HEADER.match(line):
                self.headers[header.group(1)].append(header.group(2))
            if mark := MARK.search(line):
                for name in mark.group(1).split():
                    if name in self.marks:
                        raise BadProgram(f"{path}: mark {name} stands twice")
                    self.marks[name] = number
        command = shlex.split(self.headers["vouch"][0]) if self.headers["vouch"] else []
        if command[:1] not in (["run"], ["explore"]):
            raise BadProgram(f"{path}: needs a line '// vouch: run -n N'")
        self.command, self.options = command[0], command[1:]
        if not self.headers["expect"]:
            raise BadProgram(f"{path}: expects nothing; say 'clean' if that is meant")
        if path.stem.endswith("_ok") and any(e.split()[0] == "error" for e in self.headers["expect"]):
            raise BadProgram(f"{path}: an ok program cannot expect an error")
        for text in self.headers["compile"]:
            if text != f"vouch {WRAPPERS.get(COMPILERS[path.suffix])}":
                raise BadProgram(f"{path}: '{text}' does not compile it")
        for library in LIBRARIES:
            self.expected(library)

    @property
    def name(self):
        return str(self.path.relative_to(self.path.parent.parent))

    @property
    def ranks(self):
        return int(self.options[self.options.index("-n") + 1])

    def libraries(self):
        able = set(LIBRARIES) if self.path.suffix != ".py" else {"openmpi"}  # Debian's mpi4py is Open MPI's
        for word in " ".join(self.headers["requires"]).split():
            if word not in FEATURES:
                raise BadProgram(f"{self.path}: requires unknown '{word}'")
            able &= FEATURES[word]
        return [library for library in LIBRARIES if library in able]

    def expected(self, library):
        """[(severity, rule, line or None)]; for two marks the lines are a tuple, in order"""
        result = []
        for text in self.headers["expect"]:
            text = for_library(text, library)
            if text is None or text == "clean":
                continue
            match = re.match(r"^(error|warning|info)\s+([a-z-]+/[a-z-]+)((?:\s+@\w+){0,2})$", text)
            if not match:
                raise BadProgram(f"{self.path}: cannot read expectation '{text}'")
            severity, rule, marks = match.group(1), match.group(2), match.group(3).split()
            if unknown := [mark for mark in marks if mark not in self.marks]:
                raise BadProgram(f"{self.path}: no line is marked {unknown[0]}")
            lines = sorted(self.marks[mark] for mark in marks)
            result.append((severity, rule, tuple(lines) if len(lines) == 2 else lines[0] if lines else None))
        return result

    def verdict(self, library):
        for text in self.headers["verdict"]:
            if (text := for_library(text, library)) is not None:
                return text
        return "error" if any(e[0] == "error" for e in self.expected(library)) else "clean"

    def exit_status(self, library):
        """Of the program itself; None: not compared."""
        for text in self.headers["exit"]:
            if (text := for_library(text, library)) is not None:
                return None if text == "any" else int(text)
        return None if self.may_die(library) else 0

    def may_die(self, library):
        return any(for_library(text, library) == "crash" for text in self.headers["also"])


def show(finding):
    severity, rule, line = finding[:3]
    if isinstance(line, tuple):
        return f"{severity} {rule} at lines {line[0]} and {line[1]}"
    return f"{severity} {rule} at line {'?' if line is None else line}"


def fits(finding, item):
    """Does (severity, rule, first line, lines of the first two places) fit (severity, rule, line, lines or None)?"""
    return finding[:2] == item[:2] and item[2] in (None, *finding[2:])


def compare(program, library, report, status):
    """Differences between a JSON report with its exit status and what the program expects."""
    differences = []
    wanted = program.expected(library)
    wanted_infos = {rule for severity, rule, _ in wanted if severity == "info"}
    found = []
    for finding in report["findings"]:
        if finding["severity"] == "info" and finding["rule"] not in wanted_infos:
            continue
        places = finding.get("locations") or [{}]
        lines = [place.get("line") for place in places[:2]]
        if lines[0] and os.path.basename(places[0].get("file", "")) != program.path.name:
            differences.append(f"{finding['rule']} is placed in {places[0].get('file')}")
        found.append((finding["severity"], finding["rule"], lines[0], tuple(sorted(line or 0 for line in lines))))
    # Expectations without a mark last: they take what is left of their rule.
    for item in sorted(wanted, key=lambda e: (e[2] is None, not isinstance(e[2], tuple))):
        hit = next((f for f in found if fits(f, item)), None)
        if hit:
            found.remove(hit)
        else:
            differences.append(f"missing: {show(item)}")
    differences += [f"not expected: {show(f)}" for f in found]
    verdict = program.verdict(library)
    if report["verdict"] != verdict:
        gaps = "; ".join(f"{n.get('what')}: {n.get('reason')}" for n in report.get("not_checked", []))
        differences.append(f"verdict {report['verdict']}, not {verdict}" + (f" (not checked: {gaps})" if gaps else ""))
    for text in program.headers["explores"]:
        if (text := for_library(text, library)) is not None and report["exploration"]["schedules"] != int(text):
            differences.append(f"{report['exploration']['schedules']} schedules, not {text}")
    named = " ".join(str(n) for n in report.get("not_checked", []))
    differences += [f"not_checked does not name {t}" for t in program.headers["not-checked"] if t not in named]
    # What a time limit ends was not recognised: the verdict would come too late for a user, or by chance.
    differences += [f"ended by its time limit ({n['what']}: {n['reason']})" for n in report.get("not_checked", [])
                    if "time limit" in n.get("reason", "")][:1]
    wanted_status = {"error": ERROR_EXIT, "inconclusive": INCONCLUSIVE_EXIT}.get(verdict, program.exit_status(library))
    if wanted_status is not None and status != wanted_status:
        differences.append(f"exit status {status}, not {wanted_status}")
    return differences


HEADING = re.compile(r"^(?:potential )?(?:error|warning|info): .* \[([a-z-]+/[a-z-]+)\]$")


def printed_twice(output, report):
    """Rules of which the text shows more findings than there are: one was shown during the run and again at its end."""
    shown = collections.Counter(m.group(1) for line in output.splitlines() if (m := HEADING.match(line)))
    there = collections.Counter(finding["rule"] for finding in report["findings"])
    return [f"printed twice: {rule} ({shown[rule]} times, {there[rule]} found)" for rule in sorted(shown)
            if shown[rule] > there[rule]]


FOREVER = re.compile(r"\band so ranks? [\d,-]+ waits? forever")


def went_on(report):
    """What follows from a finding is said to wait forever, although the job ended by itself."""
    if any(gap.get("reason") == "what comes after the deadlock" for gap in report.get("not_checked", [])):
        return []
    return [f"said to wait forever, but went on: {text}" for finding in report["findings"]
            for text in finding.get("consequences", []) if FOREVER.search(text)]


class Builder:
    """Compiles programs once per content and compiler. as_cxx: those in C as C++. vouch: what compiles those that
    want loads and stores; without one the library's own compiler does."""

    def __init__(self, directory, as_cxx=False, vouch=None):
        self.directory = directory
        self.as_cxx = as_cxx
        self.vouch = vouch
        self.versions = {}

    def version(self, compiler):
        if compiler not in self.versions:
            shown = subprocess.run([compiler, "-show"], capture_output=True, text=True).stdout
            real = subprocess.run([compiler, "-dumpfullversion"], capture_output=True, text=True).stdout
            self.versions[compiler] = shown + real
        return self.versions[compiler]

    def build(self, program, library):
        """The command that starts the program; raises CalledProcessError with the compiler's words."""
        if program.path.suffix == ".py":
            return [PYTHON, str(program.path)]
        as_cxx = self.as_cxx and program.path.suffix == ".c"
        name = "mpicxx" if as_cxx else COMPILERS[program.path.suffix]
        compiler = f"{name}.{library}"
        flags = COMMON_FLAGS + (AS_CXX if as_cxx else FLAGS[program.path.suffix]) + [f.replace("{api}", str(API)) for f in shlex.split(" ".join(program.headers["flags"]))]
        # The path is part of the debug information, so it is part of the key.
        command, made_by = [compiler], ""
        if program.headers["compile"] and self.vouch:
            command = [self.vouch, WRAPPERS[name], "--mpi", library]
            made_by = str(os.stat(self.vouch).st_mtime_ns)  # another vouch instruments anew
        key = "\0".join([str(program.path), program.source, compiler, self.version(compiler), made_by, *flags])
        target = self.directory / f"{program.path.stem}.{library}.{hashlib.sha256(key.encode()).hexdigest()[:16]}"
        if not target.exists():
            self.directory.mkdir(parents=True, exist_ok=True)
            part = target.with_suffix(f".{os.getpid()}.part")
            with tempfile.TemporaryDirectory() as modules:  # where gfortran leaves its module files
                subprocess.run([*command, *flags, "-o", part.resolve(), program.path.resolve()], check=True, cwd=modules,
                               capture_output=True, text=True)
            part.replace(target)
        return [str(target)]


def survivors(token):
    """Processes that carry this run's token in their environment."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                environ = pathlib.Path("/proc", entry, "environ").read_bytes()
                state = pathlib.Path("/proc", entry, "stat").read_text().rsplit(")", 1)[1].split()[0]
            except OSError:
                continue
            if token.encode() in environ and state != "Z":
                found.append(int(entry))
    return found


def run(command, limit, directory, preload=None):
    """(status or None if out of time, output, pids left behind)"""
    token = f"litmus-{uuid.uuid4()}"
    env = dict(os.environ, VOUCH_LITMUS_TOKEN=token, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    if preload:
        env["LD_PRELOAD"] = preload
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                                   cwd=directory, env=env, start_new_session=True)
        try:
            status = process.wait(limit)
        except subprocess.TimeoutExpired:
            status = None
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(3)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        deadline = time.monotonic() + 2
        while (left := survivors(token)) and time.monotonic() < deadline:
            time.sleep(0.05)
        for pid in left:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        output.seek(0)
        return status, output.read().decode(errors="replace"), left if status is not None else []


def launcher(library, ranks):
    if library == "openmpi":
        return ["mpirun.openmpi", "--oversubscribe", "-n", str(ranks)]
    return ["mpirun.mpich", "-n", str(ranks)]


def tail(output, lines=4):
    return " | ".join(output.strip().splitlines()[-lines:])


class Runner:
    def __init__(self, options):
        self.options = options
        self.builder = Builder(options.build_dir, options.as_cxx, None if options.bare else options.vouch)

    def differences(self, program, library):
        """(differences, command to repeat)"""
        try:
            start = self.builder.build(program, library)
        except subprocess.CalledProcessError as error:
            return ["does not compile: " + tail(error.stderr, 2)], shlex.join(map(str, error.cmd))
        with tempfile.TemporaryDirectory(prefix="litmus.") as directory:
            if self.options.bare:
                return self.bare(program, library, start, directory)
            report = pathlib.Path(directory, "report.json")
            how = list(program.options)
            if "--timeout" in how:
                at = how.index("--timeout") + 1
                how[at] = pace.words(how[at])
            command = [self.options.vouch, program.command, "--json", str(report), *how, *start]
            status, output, left = run(command, pace.limit(self.options.limit), directory, self.options.preload)
            again = shlex.join([self.options.vouch, program.command, "--json", "/dev/stdout", *program.options, *start])
            if status is None:
                return [f"not done after {pace.limit(self.options.limit):g} s: {tail(output)}"], again
            try:
                said = json.loads(report.read_text())
                self.keep(program, library, said, output)
                differences = (compare(program, library, said, status) + printed_twice(output, said)
                               + went_on(said))
            except (OSError, ValueError, KeyError) as error:
                differences = [f"no report ({error!r}), exit status {status}: {tail(output)}"]
            if left:
                differences.append(f"processes left behind: {left}")
            if differences and self.options.verbose:
                differences.append("output:\n" + output)
            return differences, again

    def keep(self, program, library, said, output):
        if self.options.outputs is not None:
            place = self.options.outputs / library / (program.name + ".txt")
            place.parent.mkdir(parents=True, exist_ok=True)
            with open(place, "a", encoding="utf-8") as file:  # a program may be run again
                file.write(output)
        if self.options.keep is None:
            return
        place = self.options.keep / library / (program.name + ".json")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(json.dumps(said, indent=1, sort_keys=True))

    def bare(self, program, library, start, directory):
        """Does the program by itself do what its header says?"""
        command = launcher(library, program.ranks) + start
        status, output, _ = run(command, pace.limit(min(self.options.limit, 20)), directory)
        wanted = program.exit_status(library)
        if status is None and "--timeout" not in program.options:
            return [f"not done in time: {tail(output)}"], shlex.join(command)
        if wanted is not None and status != wanted:
            return [f"exit status {status}, not {wanted}: {tail(output)}"], shlex.join(command)
        return [], shlex.join(command)


def discover(root):
    paths = sorted(p for p in root.glob("*/*") if p.suffix in COMPILERS and p.stem.endswith(("_bad", "_ok")))
    return [Program(path) for path in paths]


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--vouch", default=os.environ.get("VOUCH", shutil.which("vouch") or "vouch"))
    parser.add_argument("--litmus-dir", type=lambda text: pathlib.Path(text).resolve(), default=HERE / "litmus")
    parser.add_argument("--build-dir", type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir(), "vouch-litmus"))
    parser.add_argument("--filter", default="", help="regular expression on family/name")
    parser.add_argument("--lib", choices=LIBRARIES, action="append", help="only this library (may be repeated)")
    parser.add_argument("--jobs", type=int, default=2 * len(os.sched_getaffinity(0)),
                        help="programs at once; they wait more than they compute (default: two for each processor)")
    parser.add_argument("--limit", type=float, default=30, help="seconds for one run on a quiet machine")
    parser.add_argument("--repeat", type=int, default=1, help="run each program so often; every time must be right")
    parser.add_argument("--unsteady", type=int, default=0, metavar="N",
                        help="so many programs may be wrong once, if they are right three times when run again alone: "
                             "launchers crash now and then (default: none)")
    parser.add_argument("--slow", action="store_true", help="also the programs labelled slow")
    parser.add_argument("--bare", action="store_true", help="run the programs without vouch: do they behave as they say?")
    parser.add_argument("--as-cxx", action="store_true",
                        help="the programs in C, compiled as C++ by mpicxx (but for those labelled c-only)")
    parser.add_argument("--compile-only", action="store_true")
    parser.add_argument("--keep", type=pathlib.Path, metavar="DIR",
                        help="keep each report; tests/same_reports.py compares two such folders")
    parser.add_argument("--outputs", type=pathlib.Path, metavar="DIR", help="keep what each program, its launcher and vouch print")
    parser.add_argument("--preload", metavar="LIBRARIES", help="what vouch and the ranks have as LD_PRELOAD")
    parser.add_argument("--list", action="store_true", help="only name what would run")
    parser.add_argument("-v", "--verbose", action="store_true")
    return parser.parse_args(arguments)


def main(arguments=None):
    options = parse(arguments)
    options.vouch = os.path.abspath(shutil.which(options.vouch) or options.vouch)  # programs run in folders of their own
    options.build_dir = options.build_dir.absolute()
    try:
        programs = discover(options.litmus_dir)
        tasks = [(program, library) for program in programs for library in program.libraries()]
    except BadProgram as error:
        print(error)
        return 2
    tasks = [(p, l) for p, l in tasks
             if re.search(options.filter, p.name) and (not options.lib or l in options.lib)
             and (options.slow or "slow" not in p.headers["label"])
             and shutil.which(f"mpirun.{l}")]
    if options.as_cxx:
        tasks = [(p, l) for p, l in tasks if p.path.suffix == ".c" and "c-only" not in p.headers["label"]]
    if options.list:
        print(*(f"{library:8} {program.name}" for program, library in tasks), sep="\n")
        return 0
    if not tasks:
        print("no litmus program fits")
        return 2
    runner = Runner(options)
    pace.pace()  # before there are threads

    def one(task):
        program, library = task
        if options.compile_only:
            try:
                runner.builder.build(program, library)
                return task, [], ""
            except subprocess.CalledProcessError as error:
                return task, ["does not compile: " + error.stderr], shlex.join(map(str, error.cmd))
        for _ in range(options.repeat):
            differences, command = runner.differences(program, library)
            if differences:
                break
        return task, differences, command

    failed = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for (program, library), differences, command in pool.map(one, tasks):
            if differences:
                failed.append((program, library))
                print(f"FAIL {library} {program.name}: {'; '.join(differences)}\n     again: {command}", flush=True)
            elif options.verbose:
                print(f"ok   {library} {program.name}", flush=True)
    unsteady = 0
    if len(failed) <= options.unsteady:
        for task in list(failed):
            if not any(one(task)[1] for _ in range(3)):
                failed.remove(task)
                unsteady += 1
                print(f"UNSTEADY {task[1]} {task[0].name}: wrong once, right three times alone", flush=True)
    print(f"{len(tasks) - len(failed)} passed, {len(failed)} failed" + (f"; {unsteady} passed only when run again" if unsteady else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
