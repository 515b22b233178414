#!/usr/bin/env python3
"""Random MPI programs under vouch: correct ones must have no finding, mutants exactly the planted one.

    run_random.py correct --seeds 0-1999             programs without a mistake, many of them in one job
    run_random.py mutants --seeds 0-4 [--rule R]     for each rule of mutations.py and seed one program with one mistake
    run_random.py threads --seeds 0-499              programs whose threads call MPI, without a mistake
    run_random.py thread-deadlocks --seeds 0-99      the same with a hang: each must be found
    run_random.py windows --seeds 0-999              one-sided programs: even seeds have no race, odd ones have one
    run_random.py show --seeds 7 [--rule R]          the program as C, to read or to compile by hand
    run_random.py rules                              is every rule of vouch planted, or is it said why not?
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import generate  # noqa: E402
import mutations  # noqa: E402
import pace  # noqa: E402
import threads  # noqa: E402
import windows  # noqa: E402
from run_litmus import LIBRARIES, launcher, run, tail  # noqa: E402

PER_JOB = 50
FLAGS = ["-std=gnu11", "-g", "-O0", "-w", "-pthread"]


def ranks_of(seed):
    return 2 + seed % 7


def source(programs):
    """One C file of {name: program}. It runs the program named on its command line alone, or all."""
    text = (HERE / "prelude.c").read_text().splitlines()
    for name, p in programs.items():
        text += p.render(name)
        text += [f"static void alone_{name}(void) {{", *p.before_init, p.init, "MPI_Comm_rank(MPI_COMM_WORLD, &rank);",
                 f"{name}();", *p.finalize, *p.after_finalize, "}"]
    text += ["int main(int argc, char** argv) {"]
    text += [f'if (argc > 1 && !strcmp(argv[1], "{name}")) return alone_{name}(), 0;' for name in programs]
    text += ["MPI_Init(NULL, NULL);", "MPI_Comm_rank(MPI_COMM_WORLD, &rank);"]
    # No message of one program may meet a receive of another.
    text += [f"{name}(); MPI_Barrier(MPI_COMM_WORLD);" for name in programs]
    return "\n".join([*text, "MPI_Finalize();", "return 0;", "}"]) + "\n"


class Job:
    """Some programs in one binary."""

    def __init__(self, options, library, ranks, programs, text=None, flags=()):
        self.options, self.library, self.ranks, self.programs = options, library, ranks, programs
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="random."))
        self.file, self.binary = self.folder / "random.c", self.folder / "random"
        self.text, self.flags = text or source(programs), flags
        self.file.write_text(self.text)

    def compile(self):
        command = [f"mpicc.{self.library}", *FLAGS, *self.flags, "-o", self.binary, self.file]
        subprocess.run(command, check=True, capture_output=True, text=True)

    def start(self, name=None, ranks=None, timeout=0, flags=()):
        """(exit status, report or None, output, command)"""
        program = [str(self.binary)] + ([name] if name else [])
        ranks, timeout = ranks or self.ranks, round(pace.limit(timeout or self.options.timeout))
        report = self.folder / f"{name or 'all'}.json"
        if self.options.bare:
            command = launcher(self.library, ranks) + program
        else:
            command = [self.options.vouch, "run", *flags, "--timeout", str(timeout), "--json", str(report), "-n",
                       str(ranks), *program]
        status, output, left = run(command, timeout + 30, self.folder)
        try:
            found = json.loads(report.read_text())
        except (OSError, ValueError):
            found = None
        if left:
            output += f"\nprocesses left behind: {left}"
        return status, found, output, shlex.join(map(str, command))

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)


def show(finding):
    places = [f"rank {l.get('rank')} {l.get('function', '?')}:{l.get('line', '?')} {l.get('call', '')}"
              for l in finding.get("locations", [])[:3]]
    return f"{finding['severity']} {finding['rule']}: {finding.get('message', '')} [{'; '.join(places)}]"


def serious(report):
    return [f for f in report["findings"] if f["severity"] != "info"]


def gaps(report):
    return "; ".join(f"{n.get('what')}: {n.get('reason')}" for n in report.get("not_checked", []))


# --- correct programs -----------------------------------------------------------------------------------------------

def complaint(status, report, output, bare):
    """What is wrong with a run that should be clean, or ""."""
    if bare:
        return "" if status == 0 else f"exit status {status}: {tail(output)}"
    if report is None:
        return f"no report, exit status {status}: {tail(output)}"
    wrong = [show(f) for f in serious(report)]
    if not wrong and report["verdict"] != "clean":
        wrong.append(f"verdict {report['verdict']} (not checked: {gaps(report)})")
    if not wrong and status != 0:
        wrong.append(f"exit status {status}: {tail(output)}")
    return "\n".join(wrong)


def correct(options, library, ranks, seeds):
    """Runs the programs of these seeds in one job; only if that fails each by itself, to name the seed."""
    programs = {f"seed_{seed}": generate.generate(seed, library, ranks) for seed in seeds}
    flags = mutations.CHECK_BUFFERS if ranks % 2 else ()  # half of them with the checks of memory
    job = Job(options, library, ranks, programs)
    try:
        job.compile()
        status, report, output, command = job.start(flags=flags)
        first = complaint(status, report, output, options.bare)
        if not first:
            return len(seeds), []
        failed = []
        named = [name for name in programs if name + ":" in first] or list(programs)
        for name in named:
            wrong = complaint(*job.start(name, flags=flags)[:3], options.bare)
            if wrong:
                failed.append(f"FAIL {library} {name} on {ranks} ranks: {wrong}\n     {again(options, library, name)}")
        if not failed:
            failed = [f"FAIL {library} {'+'.join(programs)} together on {ranks} ranks: {first}"]
        return len(seeds) - len(failed), failed
    finally:
        job.close() if not options.keep else print(job.folder)


def again(options, library, name, rule=None):
    seed = re.sub(r"\D", "", name)
    words = [str(HERE / "run_random.py"), options.what, "--vouch", options.vouch, "--lib", library,
             "--seeds", seed, "--keep"] + (["--rule", rule] if rule else [])
    return "again: " + shlex.join(words)


def all_correct(options, libraries):
    tasks = []
    for library in libraries:
        by_ranks = {}
        for seed in options.seeds:
            by_ranks.setdefault(ranks_of(seed), []).append(seed)
        for ranks, seeds in by_ranks.items():
            tasks += [(library, ranks, seeds[i: i + PER_JOB]) for i in range(0, len(seeds), PER_JOB)]
    passed, failed = 0, []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for done, wrong in pool.map(lambda task: correct(options, *task), tasks):
            passed += done
            failed += wrong
            for text in wrong:
                print(text, flush=True)
    print(f"correct programs: {passed} without a finding, {len(failed)} failed")
    return len(failed)


# --- programs with threads -------------------------------------------------------------------------------------------

THREADS_PER_JOB = 10  # their ranks poll with several threads each


def threads_ranks(seed):
    return 2 + seed % 2


def threads_job(options, library, ranks, seeds, make):
    programs = {f"seed_{seed}": make(seed, library, ranks) for seed in seeds}
    job = Job(options, library, ranks, programs, threads.source(programs), ["-fopenmp"])
    job.compile()
    return job


def threads_tasks(options, libraries):
    tasks = []
    for library in libraries:
        for ranks in sorted({threads_ranks(seed) for seed in options.seeds}):
            mine = [seed for seed in options.seeds if threads_ranks(seed) == ranks]
            tasks += [(library, ranks, mine[i: i + THREADS_PER_JOB]) for i in range(0, len(mine), THREADS_PER_JOB)]
    return tasks


def threads_correct(options, library, ranks, seeds):
    job = threads_job(options, library, ranks, seeds, threads.generate)
    try:
        first = complaint(*job.start()[:3], options.bare)
        if not first:
            return len(seeds), []
        failed = []
        for name in job.programs:
            wrong = complaint(*job.start(name)[:3], options.bare)
            if wrong:
                failed.append(f"FAIL {library} threads {name} on {ranks} ranks: {wrong}\n"
                              f"     {again(options, library, name)}")
        return len(seeds) - len(failed), failed or [f"FAIL {library} threads {seeds} on {ranks} ranks: {first}"]
    finally:
        job.close() if not options.keep else print(job.folder)


def threads_dead(options, library, ranks, seeds):
    """Each hangs, and must be ended with an error of the family deadlock."""
    job, failed = threads_job(options, library, ranks, seeds, threads.deadlock), []
    try:
        for name in job.programs:
            status, report, output, _ = job.start(name)
            found = serious(report) if report else []
            if report is None:
                wrong = f"no report, exit status {status}: {tail(output)}"
            elif not found or not all(f["rule"].startswith("deadlock/") for f in found):
                wrong = "; ".join(map(show, found)) or f"verdict {report['verdict']} (not checked: {gaps(report)})"
            else:
                continue
            failed.append(f"FAIL {library} deadlock {name} on {ranks} ranks: {wrong}\n     {again(options, library, name)}")
        return len(seeds) - len(failed), failed
    finally:
        job.close() if not options.keep else print(job.folder)


def all_threads(options, libraries):
    dead = options.what == "thread-deadlocks"
    run_one = threads_dead if dead else threads_correct
    passed, failed = 0, []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for done, wrong in pool.map(lambda task: run_one(options, *task), threads_tasks(options, libraries)):
            passed += done
            failed += wrong
            for text in wrong:
                print(text, flush=True)
    print(f"programs with threads: {passed} {'deadlocks found' if dead else 'without a finding'}, {len(failed)} failed")
    return len(failed)


# --- programs with windows -------------------------------------------------------------------------------------------

def windows_complaint(options, job, races, name, started):
    """What is wrong with a run of these programs, or ""."""
    status, report, output, _ = started
    if options.bare:
        return "" if status == 0 else f"exit status {status}: {tail(output)}"
    if report is None:
        return f"no report, exit status {status}: {tail(output)}"
    found, others = windows.found_pairs(report, windows.marks(job.text))
    planted = [pair for seed, pairs in races.items() for pair in pairs if name in (None, f"seed_{seed}")]
    wrong = [f"not found: {a} {b}" for a, b in sorted(set(planted) - set(found))]
    wrong += [f"no race: {a} {b}" for a, b in sorted(set(found) - set(planted))]
    wrong += [f"not expected: {show(f)}" for f in others]
    wanted = "error" if planted else "clean"
    if not wrong and report["verdict"] != wanted:
        wrong.append(f"verdict {report['verdict']}, not {wanted} (not checked: {gaps(report)})")
    return "\n  ".join(wrong)


def windows_job(options, library, ranks, seeds):
    """All in one job; only if that fails each by itself, to name the seed."""
    text, races = windows.source(options.windows, ranks, seeds)
    job = Job(options, library, ranks, {f"seed_{seed}": None for seed in seeds}, text)
    job.compile()
    try:
        first = windows_complaint(options, job, races, None, job.start())
        if not first:
            return len(seeds), []
        failed = []
        for name in job.programs:
            wrong = windows_complaint(options, job, races, name, job.start(name))
            if wrong:
                failed.append(f"FAIL {library} windows {name} on {ranks} ranks: {wrong}\n"
                              f"     {again(options, library, name)} --windows {options.windows}")
        return len(seeds) - len(failed), failed or [f"FAIL {library} windows {seeds} on {ranks} ranks: {first}"]
    finally:
        job.close() if not options.keep else print(job.folder)


def all_windows(options, libraries):
    tasks = []
    for library in libraries:
        for ranks in (2, 3, 4):
            for planted in (0, 1):
                mine = [s for s in options.seeds if windows.ranks_of(s) == ranks and s % 2 == planted]
                tasks += [(library, ranks, mine[i: i + windows.PER_JOB]) for i in range(0, len(mine), windows.PER_JOB)]
    passed, failed = 0, []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for done, wrong in pool.map(lambda task: windows_job(options, *task), tasks):
            passed += done
            failed += wrong
            for text in wrong:
                print(text, flush=True)
    print(f"programs with windows: {passed} as planned, {len(failed)} failed")
    return len(failed)


# --- mutants ----------------------------------------------------------------------------------------------------------

def marked(job, name):
    """Lines of this program that carry a mark."""
    lines, inside = [], False
    for number, line in enumerate(job.text.splitlines(), 1):
        if line.startswith("static void "):
            inside = line.startswith((f"static void {name}(", f"static void alone_{name}("))
        if re.search(r"// @\w+", line) and inside:
            lines.append(number)
    return lines


def judge(mutant, lines, status, report, output):
    """What is wrong with the report on a mutant, or ""."""
    if report is None:
        return f"no report, exit status {status}: {tail(output)}"
    severity = mutant.rule.severity
    found = [f for f in report["findings"] if f["severity"] != "info" or severity == "info"]
    planted = [f for f in found if f["rule"] == mutant.rule.id]
    others = [f for f in found if f["rule"] != mutant.rule.id and f["severity"] != "info"
              and f["rule"] not in mutant.rule.also]
    wrong = []
    if not planted:
        wrong.append(f"not found: {mutant.rule.id} (verdict {report['verdict']}, not checked: {gaps(report)})")
    if len(planted) > 1 and not mutant.rule.many:
        wrong.append("found more than once: " + "; ".join(map(show, planted)))
    if planted and planted[0]["severity"] != severity:
        wrong.append(f"severity {planted[0]['severity']}, not {severity}")
    shown = [l.get("line") for f in planted for l in f.get("locations", [])]
    if planted and lines and not set(lines) & set(shown):
        wrong.append(f"at lines {shown}, planted at {lines}: {show(planted[0])}")
    ranks = {r for f in planted for r in f.get("ranks", [])} | {l.get("rank") for f in planted for l in f["locations"]}
    if planted and mutant.rank is not None and mutant.rank not in ranks:
        wrong.append(f"ranks {sorted(ranks)}, planted on {mutant.rank}")
    wrong += [f"not expected: {show(f)}" for f in others]
    if severity == "error" and report["verdict"] != "error":
        wrong.append(f"verdict {report['verdict']}")
    return "\n  ".join(wrong)


def all_mutants(options, libraries):
    rules = [m for m in mutations.MUTATIONS if not options.rule or re.search(options.rule, m.id)]
    count, failed = 0, []
    for library in libraries:
        wanted = [(f"m{i}_{seed}", rule, seed) for i, rule in enumerate(rules) for seed in options.seeds
                  if library in rule.libraries]
        if options.sample:  # some rules here, the others with the other library
            quick = [w for w in wanted if not w[1].timeout]
            wanted = quick[LIBRARIES.index(library)::2][:options.sample]
        mutants = {name: mutations.mutant(rule, seed, library) for name, rule, seed in wanted}
        names = list(mutants)
        for i in range(0, len(names), PER_JOB):
            part = names[i: i + PER_JOB]
            job = Job(options, library, None, {name: mutants[name].program for name in part})
            job.compile()

            def one(name):
                mutant, rule = mutants[name], mutants[name].rule
                status, report, output, _ = job.start(name, mutant.program.ranks, rule.timeout, rule.flags)
                return name, judge(mutant, marked(job, name), status, report, output), output

            with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
                for name, wrong, output in pool.map(one, part):
                    count += 1
                    if wrong:
                        mutant, seed = mutants[name], name.split("_")[1]
                        failed.append(name)
                        print(f"FAIL {library} {mutant.rule.id} seed {seed} on {mutant.program.ranks} ranks:\n"
                              f"  {wrong}\n"
                              f"     {again(options, library, seed, mutant.rule.id)}", flush=True)
                        if options.verbose:
                            print(output)
                    elif options.verbose:
                        print(f"ok   {library} {mutants[name].rule.id} seed {name.split('_')[1]}", flush=True)
            job.close() if not options.keep else print(job.folder)
    print(f"planted errors: {count - len(failed)} of {count} found, each alone")
    return len(failed)


def all_rules():
    """Each rule of rules.def stands in one of the two tables."""
    text = (HERE.parents[1] / "src" / "report" / "rules.def").read_text()
    known = set(re.findall(r'VOUCH_RULE\(\w+, "([^"]+)"', text))
    planted = {m.id for m in mutations.MUTATIONS}
    wrong = [f"{rule}: neither planted nor excused" for rule in sorted(known - planted - set(mutations.NOT_PLANTED))]
    wrong += [f"{rule}: planted and excused" for rule in sorted(planted & set(mutations.NOT_PLANTED))]
    wrong += [f"{rule}: no such rule" for rule in sorted((planted | set(mutations.NOT_PLANTED)) - known)]
    print("\n".join(wrong) or f"{len(planted)} rules planted, {len(mutations.NOT_PLANTED)} not")
    return len(wrong)


def seeds(text):
    result = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        result += range(int(first), int(last or first) + 1)
    return result


def path_of(text):
    """A path holds from every folder; a name alone is looked for by the shell's rules."""
    return os.path.abspath(text) if os.sep in text else text


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["correct", "mutants", "threads", "thread-deadlocks", "windows", "show", "rules"])
    parser.add_argument("--vouch", type=path_of, default=shutil.which("vouch") or "vouch")
    parser.add_argument("--windows", type=path_of, default=shutil.which("vouch_random_windows"), help="the tool of windows.cc")
    parser.add_argument("--seeds", type=seeds, default=[0], help="such as 7 or 0-99 or 1,5,9")
    parser.add_argument("--lib", choices=LIBRARIES, action="append", help="only this library (may be repeated)")
    parser.add_argument("--rule", default="", help="mutants: regular expression on the rule")
    parser.add_argument("--sample", type=int, default=0, help="mutants: only so many with each library, quick ones")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=int, default=120, help="seconds for one job")
    parser.add_argument("--bare", action="store_true", help="without vouch: do the programs run?")
    parser.add_argument("--keep", action="store_true", help="keep the folder with source, binary and report; name it")
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    libraries = [l for l in options.lib or LIBRARIES if shutil.which(f"mpirun.{l}")]
    if options.what == "correct":
        return 1 if all_correct(options, libraries) else 0
    if options.what in ("threads", "thread-deadlocks"):
        return 1 if all_threads(options, libraries) else 0
    if options.what == "windows":
        return 1 if all_windows(options, libraries) else 0
    if options.what == "rules":
        return 1 if all_rules() else 0
    if options.what == "mutants":
        return 1 if all_mutants(options, libraries) else 0
    for seed in options.seeds:
        if options.rule:
            rule = next(m for m in mutations.MUTATIONS if m.id == options.rule)
            program = mutations.mutant(rule, seed, libraries[0]).program
        else:
            program = generate.generate(seed, libraries[0], ranks_of(seed))
        print(source({f"seed_{seed}": program}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
