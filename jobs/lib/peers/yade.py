"""Yade in jobs/compare-peers. It is slow: of the bed it gets one column, of the silo it makes a share of the steps, and the table says so."""
import json
import os
import re
import shutil
import subprocess

from peers import grain, launch, scenes
from peers.result import Result

steps_of_silo = 0.1   # share of the steps


class Yade:
    name, label = "yade", "Yade"
    laws = {"bed": ("hertz",), "silo": ("hertz",)}
    skins = {"bed": 0.2e-3, "silo": 0.5e-3}

    def __init__(self, program):
        self.program = program

    def version(self):
        text = subprocess.run([self.program, "--version"], capture_output=True, text=True)
        return re.search(r"[0-9]{4}\.[0-9]{2}\w?", text.stdout + text.stderr).group(0)

    def run(self, scene, law, ranks, skin, folder):
        steps = scene.steps
        if scene.periodic:
            scene = scenes.one_tile(scene)
        else:
            steps = max(10, round(steps_of_silo * steps))
        os.makedirs(folder, exist_ok=True)
        shutil.copy(os.path.join(os.path.dirname(os.path.abspath(__file__)), "yade_scene.py"), folder)
        lift = 0.01 if scene.periodic else 0.0
        values = {key: getattr(grain, key) for key in ("density", "young", "poisson", "friction", "gravity")}
        values.update(damping=grain.alpha / 2, dt=scene.dt, steps=steps, skin=skin, periodic=scene.periodic, lift=lift)
        if scene.periodic:   # twice as high as the bed: its upper end does not touch the floor of the next period
            values["size"] = [scene.upper[0], scene.upper[1], 2 * scene.upper[2] + lift]
        else:
            values["stl"] = os.path.abspath(scene.stl)
        with open(os.path.join(folder, "scene.json"), "w") as file:
            json.dump(values, file)
        with open(os.path.join(folder, "balls.txt"), "w") as file:
            file.writelines("%.17g %.17g %.17g %.17g\n" % b for b in scene.balls)
        found = os.path.join(folder, "result.json")
        if os.path.exists(found):
            os.remove(found)
        done = launch.run([self.program, "-n", "-x", f"-j{ranks}", "yade_scene.py"], folder, threads=ranks)
        try:
            with open(found) as file:
                found = json.load(file)
        except FileNotFoundError:
            raise launch.Failed(f"{self.program}: no result, see {folder}/output.txt")
        r = Result()
        r.balls, r.steps, r.wall, r.cpu, r.bytes = len(scene.balls), found["steps"], found["wall"], done.marked_cpu, done.bytes
        r.contacts, r.kinetic, r.neighbour, r.rebuilds = found["contacts"], found["kinetic"], found["neighbour"], found["rebuilds"]
        if scene.periodic:
            r.floor = found["floor_force"] / (scene.mass * grain.gravity)
        return r
