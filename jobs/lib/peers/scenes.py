"""The two scenes of jobs/compare-peers: balls that all programs start from, at rest and without tangential springs."""
import math
import os
import random
import re
import subprocess

from peers import grain

edge = 0.074                 # m; of the column that `granary bench bed` repeats
column_name = "bench-bed-column-3.h5"


class Scene:
    def __init__(self, name, balls, lower, upper, dt, steps):
        self.name, self.balls, self.lower, self.upper, self.dt, self.steps = name, balls, lower, upper, dt, steps
        self.mass = sum(grain.mass(b[3]) for b in balls)
        self.periodic = name == "bed"

    def discharged(self, positions):
        """Share of the mass below the outlet. positions: (x, y, z, r)."""
        return sum(grain.mass(p[3]) for p in positions if p[2] < 0) / self.mass


def column(path, name):
    text = subprocess.run(["h5dump", "-y", "-w", "0", "-d", name, path], check=True, capture_output=True, text=True).stdout
    begin = text.index("DATA {") + 6
    return [float(x) for x in re.findall(r"[^\s,]+", text[begin:text.index("}", begin)])]   # attributes come after


def balls_of(state):
    x, r = column(state, "/bodies/position"), column(state, "/bodies/radius")
    return [(x[3 * k], x[3 * k + 1], x[3 * k + 2], r[k]) for k in range(len(r))]


def cache_folder():
    return os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "granary")


def bed(granary, n_balls, dt, steps):
    """The settled column of `granary bench bed`, repeated as that command does."""
    path = os.path.join(cache_folder(), column_name)
    if not os.path.exists(path):   # the command settles it
        subprocess.run([granary, "bench", "bed", "--balls", "1", "--steps", "1"], check=True, stdout=subprocess.DEVNULL)
    one = [(x % edge, y % edge, z, r) for x, y, z, r in balls_of(path)]
    tiles = max(1.0, n_balls / len(one))
    nx = max(1, round(math.sqrt(tiles)))
    ny = max(1, round(tiles / nx))
    return tiled(one, nx, ny, dt, steps)


def tiled(one, nx, ny, dt, steps):
    top = max(b[2] for b in one) + 0.02
    balls = [(x + edge * i, y + edge * j, z, r) for j in range(ny) for i in range(nx) for x, y, z, r in one]
    scene = Scene("bed", balls, (0.0, 0.0, -0.01), (edge * nx, edge * ny, top), dt, steps)
    scene.one = one
    scene.dampers = grain.Dampers(grain.contacts(one, (0, 0, -0.01), (edge, edge, top), True))
    return scene


def one_tile(scene):
    """The bed of one column: for a program that is too slow for the whole bed. All columns of a bed move alike."""
    return tiled(scene.one, 1, 1, scene.dt, scene.steps)


def lattice_bed(dt, steps):
    """A small bed that needs no settling, for --self-test: a cubic lattice pressed together by 2 % of a radius."""
    draw = random.Random(1)
    n, gap = 15, edge / 15
    one = [(gap * (i + 0.5), gap * (j + 0.5), 0.98 * 2.45e-3 + gap * k, draw.uniform(0.999, 1.001) * 1.02 * gap / 2)
           for k in range(6) for j in range(n) for i in range(n)]
    return tiled(one, 1, 1, dt, steps)


# ---- Silo ------------------------------------------------------------------------------------------------------------

class Silo(Scene):
    """d_c, h_c: bin; d_h, h_h: outlet and height of the cone, m, as jobs/hopper-stl names them. The outlet is at z = 0."""


def hopper_size(n_balls):
    d_c, d_h, h_h = 0.12, 0.05, 0.06
    h_c = round(2.0 * n_balls * 1.1e-7 / (math.pi / 4 * d_c ** 2) + 0.05, 3)
    return d_c, h_c, d_h, h_h


def silo(granary, top, n_balls, dt, time, folder):
    """A hopper from jobs/hopper-stl, filled and settled by Granary above a closed gate."""
    os.makedirs(folder, exist_ok=True)
    d_c, h_c, d_h, h_h = hopper_size(n_balls)
    stl = os.path.join(folder, "silo.stl")
    with open(stl, "w") as file:
        sizes = [str(x) for pair in zip(("--d_c", "--h_c", "--d_h", "--h_h"), (f"{1000 * x:g}" for x in (d_c, h_c, d_h, h_h))) for x in pair]
        subprocess.run([os.path.join(top, "jobs", "hopper-stl"), "--sides", "48", *sizes], check=True, stdout=file)
    name = f"filled-{n_balls}"
    state = os.path.join(folder, name, "state.h5")
    if not os.path.exists(state):
        with open(os.path.join(folder, name + ".toml"), "w") as file:
            file.write(filling_case(n_balls, d_c, h_c, d_h, h_h))
        subprocess.run([granary, "run", name + ".toml", "--out", name, "--overwrite", "--quiet"], check=True, cwd=folder, stdout=subprocess.DEVNULL)
    balls = balls_of(state)
    fall = 0.05 + 1.5 * time + 5 * time * time     # all that leaves stays in the box: no program sheds balls
    half = d_c / 2 + 0.005
    scene = Silo("silo", balls, (-half, -half, -fall), (half, half, h_h + h_c + 0.01), dt, round(time / dt))
    scene.stl, scene.d_c, scene.h_c, scene.d_h, scene.h_h = stl, d_c, h_c, d_h, h_h
    scene.dampers = grain.Dampers(grain.contacts(balls, scene.lower, scene.upper, False))
    return scene


def material_text(name="grain"):
    return f"""[[materials]]
name = "{name}"
density = {grain.density}
young = {grain.young}
poisson = {grain.poisson}
restitution = {grain.restitution}
friction = {grain.friction}
stiffness = {2 * grain.stiffness}
stiffness_ratio = {grain.stiffness_ratio}
"""


def mesh_text(file):
    return f"""[[walls]]
name = "hopper"
type = "mesh"
file = "{file}"
scale = 0.001
material = "grain"
"""


def filling_case(n_balls, d_c, h_c, d_h, h_h):
    half = d_c / 2 + 0.005
    return f"""title = "Silo of jobs/compare-peers: filled and settled"
[run]
dt = 2e-5
seed = 3
[domain]
lower = [{-half}, {-half}, -0.02]
upper = [{half}, {half}, {h_h + h_c + 0.02}]
{material_text()}
{mesh_text("silo.stl")}
[[walls]]
name = "gate"
type = "disc"
centre = [0.0, 0.0, 0.0]
normal = [0.0, 0.0, 1.0]
radius = {d_h / 2 + 0.003}
material = "grain"
[[stages]]
type = "fill"
method = "dense"
material = "grain"
count = {n_balls}
radius_min = {grain.radius_min}
radius_max = {grain.radius_max}
lower = [{-d_c / 2}, {-d_c / 2}, 0.003]
upper = [{d_c / 2}, {d_c / 2}, {h_h + h_c}]
[[stages]]
type = "settle"
time = 0.3
[output]
frames_every = 0.0
"""
