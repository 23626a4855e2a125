"""LAMMPS and LIGGGHTS in jobs/compare-peers. Both read commands of one family; where the dialects differ, the classes say so."""
import os
import re
import subprocess
import tempfile

from peers import grain, launch
from peers.result import Result, last_table, number

loop_pattern = r"^Loop time of ([0-9.eE+-]+) on"


def first_match(pattern, text):
    found = re.search(pattern, text)
    return found.group(1) if found else "unknown"


class Family:
    """newton: a pair across ranks is computed once and the force sent back (on), or on both sides (off); LIGGGHTS with history needs off. --tune
    may find another one for a scene and a number of ranks (newtons)."""
    skins = {"bed": 0.2e-3, "silo": 0.6e-3}   # found by --tune; from 0.4 to 0.8 mm the silo is equally fast within 3 %

    def __init__(self, program):
        self.program, self.newtons = program, {}

    def data(self, scene):
        box = "".join(f"{scene.lower[k]:.17g} {scene.upper[k]:.17g} {'xyz'[k]}lo {'xyz'[k]}hi\n" for k in range(3))
        head = f"balls\n\n{len(scene.balls)} atoms\n1 atom types\n\n{box}\nAtoms\n\n"
        return head + "".join("%d 1 %.17g %.17g %.17g %.17g %.17g\n" % (n, 2 * b[3], grain.density, b[0], b[1], b[2])
                              for n, b in enumerate(scene.balls, 1))

    def commands(self, scene, law, ranks, skin):
        boundary = "p p f" if scene.periodic else "f f f"
        # The silo is cut across its width: a cut at half the height of the box would leave one rank with little to do.
        processors = "" if scene.periodic else "processors * 1 1\n"
        return f"""units si
{self.style}
boundary {boundary}
newton {self.newtons.get((scene.name, ranks), self.newton)}
{self.velocities}
{processors}read_data balls.data
{self.forces(scene, law)}
fix gravity all gravity {grain.gravity} vector 0 0 -1
fix motion all nve/sphere
timestep {scene.dt}
neighbor {skin} bin
neigh_modify delay 0 every 1 check yes
thermo_modify lost error
compute touching all contact/atom
compute contacts all reduce sum c_touching
compute spin all erotate/sphere
compute force all reduce sum fz
thermo {scene.steps}
run 0
shell sh mark .
run {scene.steps} pre no
shell sh mark .
thermo_style custom step ke c_spin c_contacts c_force
thermo_modify norm no format float %.15g
run 0
{"" if scene.periodic else "write_dump all custom last.dump id x y z radius"}
"""

    def run(self, scene, law, ranks, skin, folder):
        os.makedirs(folder, exist_ok=True)
        for name, text in (("balls.data", self.data(scene)), ("commands.txt", self.commands(scene, law, ranks, skin))):
            with open(os.path.join(folder, name), "w") as file:
                file.write(text)
        done = launch.run([self.program, "-in", "commands.txt", "-log", "log.txt"], folder, ranks)
        last = last_table(done.output, "Step")
        timed = done.output[:done.output.rindex("Setting up")]   # what follows is the last `run 0`
        wall = number(loop_pattern, timed)
        if last is None or wall is None or "c_force" not in last and "force" not in last:
            raise launch.Failed(f"{self.program}: no result in {folder}/output.txt")
        value = {key.replace("c_", "").lower(): x for key, x in last.items()}
        r = Result()
        r.balls, r.steps, r.wall, r.cpu, r.bytes = len(scene.balls), scene.steps, wall, done.marked_cpu, done.bytes
        r.contacts = value["contacts"] / 2
        r.kinetic = value["kineng"] + value["spin"]
        r.neighbour = number(self.neighbour_pattern, timed) / 100
        r.rebuilds = number(r"^Neighbor list builds = ([0-9]+)", timed)
        if scene.periodic:   # all forces on the balls: floor - weight
            r.floor = 1 + value["force"] / (scene.mass * grain.gravity)
        else:
            r.out = scene.discharged(self.positions(os.path.join(folder, "last.dump")))
        return r

    def positions(self, path):
        with open(path) as file:
            lines = file.read().splitlines()
        begin = next(n for n, line in enumerate(lines) if line.startswith("ITEM: ATOMS")) + 1
        return [tuple(float(x) for x in line.split()[1:5]) for line in lines[begin:]]


class Lammps(Family):
    name = "lammps"
    laws = {"bed": ("hertz", "linear", "mindlin"), "silo": ("hertz",)}
    style, newton, velocities = "atom_style sphere", "on", "comm_modify vel yes"
    neighbour_pattern = r"^Neigh +\|.*\| *([0-9.]+) *$"

    def __init__(self, program, name="lammps", label="LAMMPS"):
        super().__init__(program)
        self.name, self.label = name, label

    def version(self):
        return first_match(r"Simulator - (.*)", subprocess.run([self.program, "-h"], capture_output=True, text=True).stdout)

    def forces(self, scene, law):
        d = scene.dampers
        if law == "mindlin":   # the exact law of Granary, in general form
            style = "granular"
            terms = (f"hertz {grain.hertz:.17g} {grain.tsuji_restitution():.17g} tangential mindlin {grain.mindlin:.17g} "
                     f"{grain.damping_t / grain.damping_n:.17g} {grain.friction} damping tsuji")
            pair = f"pair_style granular\npair_coeff * * {terms}"
        else:
            style = "hooke/history" if law == "linear" else "hertz/history"
            constants = ((grain.stiffness, grain.stiffness * grain.stiffness_ratio, d.linear_n, d.linear_t) if law == "linear"
                         else (grain.hertz, grain.mindlin, d.hertz_n, d.hertz_t))
            terms = " ".join(f"{c:.17g}" for c in constants) + f" {grain.friction} 1"
            pair = f"pair_style gran/{style} {terms}\npair_coeff * *"
        if scene.periodic:
            return f"{pair}\nfix floor all wall/gran {style} {terms} zplane 0.0 NULL"
        return f"""{pair}
region cone cone z 0 0 {scene.d_h / 2} {scene.d_c / 2} 0 {scene.h_h} open 1 open 2
region bin cylinder z 0 0 {scene.d_c / 2} {scene.h_h} {scene.h_h + scene.h_c} open 1 open 2
region silo union 2 cone bin
fix walls all wall/gran/region {style} {terms} region silo"""


class Liggghts(Family):
    name, label = "liggghts", "LIGGGHTS"
    laws = {"bed": ("hertz",), "silo": ("hertz",)}
    style, newton, velocities = "atom_style granular\natom_modify map array", "off", "communicate single vel yes"
    neighbour_pattern = r"^Neigh +time \(%\) = .*\(([0-9.]+)\)"

    def version(self):
        # It writes log.liggghts where it is started, even for this.
        with tempfile.TemporaryDirectory() as folder:
            text = subprocess.run([self.program, "-h"], capture_output=True, text=True, cwd=folder).stdout
        return first_match(r"\(Version (?:LIGGGHTS-)?([^,]*)", text)

    def forces(self, scene, law):
        floor = "primitive type 1 zplane 0.0"
        mesh = ""
        if not scene.periodic:
            mesh = f"fix hopper all mesh/surface file {os.path.abspath(scene.stl)} type 1 scale 0.001\n"
            floor = "mesh n_meshes 1 meshes hopper"
        return f"""fix young all property/global youngsModulus peratomtype {grain.young}
fix poisson all property/global poissonsRatio peratomtype {grain.poisson}
fix restitution all property/global coefficientRestitution peratomtypepair 1 {grain.restitution}
fix friction all property/global coefficientFriction peratomtypepair 1 {grain.friction}
pair_style gran model hertz tangential history
pair_coeff * *
{mesh}fix walls all wall/gran model hertz tangential history {floor}"""
