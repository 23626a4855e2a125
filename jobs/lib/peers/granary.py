"""Granary in jobs/compare-peers: the case, run with the command line that a user would type."""
import csv
import json
import os
import statistics
import subprocess

from peers import grain, launch, scenes
from peers.result import Result

neighbour_phases = ("migrate", "sort", "ghosts", "search", "carry")   # the whole rebuild


class Granary:
    name, label = "granary", "Granary"
    laws = {"bed": ("hertz", "linear"), "silo": ("hertz",)}
    skins = {"bed": "auto", "silo": "auto"}

    def __init__(self, program):
        self.program = program
        self.start_cpu = {}   # CPU seconds of runs of one step, by folder

    def version(self):
        return subprocess.run([self.program, "--version"], check=True, capture_output=True, text=True).stdout.strip()

    def case(self, scene, law, skin, steps):
        def triple(v):
            return "[" + ", ".join(repr(float(x)) for x in v) + "]"
        wall = scenes.mesh_text(os.path.abspath(scene.stl)) if scene.name == "silo" else (
            '[[walls]]\nname = "floor"\ntype = "plane"\npoint = [0.0, 0.0, 0.0]\nnormal = [0.0, 0.0, 1.0]\nmaterial = "grain"\n')
        return f"""[run]
dt = {scene.dt}
steps = {steps}
skin = {f'"{skin}"' if skin == "auto" else skin}
slab_axis = "{'x' if scene.name == 'bed' else 'z'}"
[law]
type = "{'linear' if law == 'linear' else 'hertz-mindlin'}"
[domain]
lower = {triple(scene.lower)}
upper = {triple(scene.upper)}
{'periodic = ["x", "y"]' if scene.periodic else ""}
{scenes.material_text()}
{wall}
[[bodies]]
source = "file"
file = "balls.txt"
material = "grain"
[output]
frames_every = 0.0
series_every = {scene.dt * (steps if scene.name == 'bed' else max(1, steps // 10))}
log_every = {scene.dt * steps}
"""

    def start(self, scene, law, skin, ranks, steps, folder):
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "balls.txt"), "w") as file:
            file.writelines("%.17g %.17g %.17g %.17g\n" % b for b in scene.balls)
        with open(os.path.join(folder, "case.toml"), "w") as file:
            file.write(self.case(scene, law, skin, steps))
        return launch.run([self.program, "run", "case.toml", "--out", "out", "--overwrite"], folder, ranks)

    def run(self, scene, law, ranks, skin, folder):
        # Start and end (input, first search, state file, report) are not the loop. Their CPU time is that of a run of one step, the median of
        # those made so far.
        short = self.start_cpu.setdefault(folder, [])
        short.append(self.start(scene, law, skin, ranks, 1, folder).cpu)
        done = self.start(scene, law, skin, ranks, scene.steps, folder)
        with open(os.path.join(folder, "out", "phases.json")) as file:
            phases = json.load(file)
        seconds = {p["name"]: p["mean_s"] for p in phases["phases"]}
        with open(os.path.join(folder, "out", "series.csv"), newline="") as file:
            rows = list(csv.DictReader(file))
        r = Result()
        r.balls, r.steps = len(scene.balls), scene.steps
        r.wall = phases["wall_s"] - seconds["measure"]   # peers are asked for energies and contacts after their loop
        r.cpu = max(done.cpu - statistics.median(short), 1e-3) * scene.steps / max(1, scene.steps - 1)
        r.bytes = done.bytes
        r.neighbour = sum(seconds[p] for p in neighbour_phases) / r.wall
        r.contacts = int(rows[-1]["contacts"])
        r.kinetic = float(rows[-1]["kinetic_energy_J"])
        r.series = [(int(row["step"]), float(row["kinetic_energy_J"])) for row in rows]
        for line in done.output.splitlines():
            words = line.split()
            if len(words) > 1 and words[1].startswith("rebuild"):
                r.rebuilds = int(words[0])
        if scene.name == "bed":
            r.floor = -float(rows[-1]["force_z_N:floor"]) / (scene.mass * grain.gravity)
        else:
            r.out = scene.discharged(scenes.balls_of(os.path.join(folder, "out", "state.h5")))
        return r
