"""What the benchmarks that start MPI jobs share: kernels, launchers, tables."""

import os
import pathlib
import shutil
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
LIBRARIES = [name for name in ("openmpi", "mpich") if shutil.which(f"mpicc.{name}") and shutil.which(f"mpirun.{name}")]


def environment():
    env = dict(os.environ)
    env.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    return env


def compile_kernel(name, library, folder):
    """Builds kernels/NAME.c for one library and returns the program's path."""
    program = pathlib.Path(folder) / f"{name}.{library}"
    subprocess.run([f"mpicc.{library}", "-O2", "-g", str(HERE / "kernels" / f"{name}.c"), "-o", str(program), "-ldl"],
                   check=True)
    return str(program)


def launcher(library, ranks):
    command = [f"mpirun.{library}", "-n", str(ranks)]
    if library == "openmpi":
        command[1:1] = ["--oversubscribe"]
    return command


def vouch_of(build):
    return str(pathlib.Path(build).resolve() / "bin" / "vouch")


def verdict(good):
    return "met" if good else "MISSED"
