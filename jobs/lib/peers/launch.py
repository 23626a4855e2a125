"""Starts a program on some ranks and measures what all of them used: CPU time between two marks, peak memory, wall time."""
import json
import os
import signal
import subprocess
import sys
import time

# Run by a program itself, before and after what is timed: adds the CPU time so far, in clock ticks, of all ranks to the file `marks`.
# Fields 14 and 15 of the line; the second one, the name, may contain blanks and ends with a parenthesis.
mark_script = """#!/bin/sh
# usage: mark FOLDER
cpu=0
for file in "$1"/pid.*; do
    read -r pid <"$file"
    read -r line <"/proc/$pid/stat"
    set -- "$1" ${line##*) }
    cpu=$((cpu + ${13} + ${14}))
done
echo "$cpu" >>"$1/marks"
"""


class Failed(Exception):
    pass


def one_rank(arguments):
    """What each rank starts instead of the program: notes its number, and at the end its peak memory and CPU time."""
    folder, command = arguments[0], arguments[1:]
    child = os.posix_spawnp(command[0], command, os.environ)
    with open(os.path.join(folder, f"pid.{child}"), "w") as file:
        file.write(f"{child}\n")
    _, status, usage = os.wait4(child, 0)
    with open(os.path.join(folder, f"usage.{child}"), "w") as file:
        json.dump({"cpu": usage.ru_utime + usage.ru_stime, "bytes": 1024 * usage.ru_maxrss}, file)
    return os.waitstatus_to_exitcode(status)


class Run:
    """cpu: seconds of all ranks from start to end; bytes: sum of their peaks; marked_cpu: seconds between the first two marks, if any."""


def busy():
    return os.getloadavg()[0] > 0.5 * os.cpu_count()


def environment(threads):
    env = dict(os.environ, OMP_NUM_THREADS=str(threads), LC_ALL="C")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        env.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_btl_vader_single_copy_mechanism="none")
    env.update(OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_hwloc_base_binding_policy="none")
    if busy():   # a rank or thread that waits gives its core away; the same for all programs
        env.update(OMPI_MCA_mpi_yield_when_idle="1", OMP_WAIT_POLICY="passive")
    return env


def run(command, folder, ranks=1, threads=1, limit=1800):
    os.makedirs(folder, exist_ok=True)
    for name in os.listdir(folder):
        if name.startswith(("pid.", "usage.")) or name == "marks":
            os.remove(os.path.join(folder, name))
    with open(os.path.join(folder, "mark"), "w") as file:
        file.write(mark_script)
    full = [sys.executable, os.path.abspath(__file__), os.path.abspath(folder), *command]
    if ranks > 1:
        full = ["mpirun", "-n", str(ranks), *full]
    out_path = os.path.join(folder, "output.txt")
    begin = time.monotonic()
    with open(out_path, "w") as out:
        started = subprocess.Popen(full, cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, env=environment(threads),
                                   start_new_session=True)
        try:
            code = started.wait(limit)
        except BaseException as error:   # also an interrupt: nothing is left running
            os.killpg(started.pid, signal.SIGTERM)
            started.wait()
            if isinstance(error, subprocess.TimeoutExpired):
                raise Failed(f"{command[0]} took longer than {limit} s, see {out_path}")
            raise
    result = Run()
    result.seconds = time.monotonic() - begin
    with open(out_path, errors="replace") as out:
        result.output = out.read()
    if code != 0:
        raise Failed(f"{command[0]} failed with exit code {code}, see {out_path}")
    used = []
    for name in os.listdir(folder):
        if name.startswith("usage."):
            with open(os.path.join(folder, name)) as file:
                used.append(json.load(file))
    result.cpu = sum(u["cpu"] for u in used)
    result.bytes = sum(u["bytes"] for u in used)
    marks = os.path.join(folder, "marks")
    if os.path.exists(marks):
        with open(marks) as file:
            ticks = [int(line) for line in file]
        result.marked_cpu = max(ticks[1] - ticks[0], 1) / os.sysconf("SC_CLK_TCK")
    return result


if __name__ == "__main__":
    sys.exit(one_rank(sys.argv[1:]))
