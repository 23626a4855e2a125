"""Grains that are not balls (tests/validation/SHAPES.md): the runs of `jobs/validation shapes`, what is kept of them and how it is drawn.

`tools` is jobs/validation itself: reading and writing of tables, running, drawing.
"""
import math
import os
import resource
import subprocess
import sys

import numpy as np
import pile

diameter = 0.01                       # m, of the ball of equal volume, in shape-packing.toml and shape-pile.toml
area = 0.08 ** 2                      # m^2, ground of shape-packing.toml
shapes = ("sphere", "spheroid", "triaxial", "cube")
packings = [(shape, friction) for shape in shapes for friction in (0.0, 0.5) if shape != "cube" or friction > 0]  # cubes are compared with dice
heaps = ("sphere", "spheroid", "dodecahedron")
heap_seeds = (1,)
drum_times = (0.5, 1.0)               # s: the cost of the time between them is that of a bed that flows
tables = ("impacts", "creep", "slopes", "tipping", "soft-ground", "stack", "heaps", "spin")
titles = {"sphere": "spheres", "spheroid": "spheroids 1.5:1:1", "triaxial": "ellipsoids 1.25:1:0.8", "cube": "cubes", "dodecahedron": "12-faced grains"}
# Without friction and jammed; with friction, from loose to dense.
published = {"sphere": ("0.64", "0.55 to 0.64"), "spheroid": ("0.68 to 0.71", "–"), "triaxial": ("0.735", "–"), "cube": ("–", "0.54 to 0.67")}


def own_case(name):
    """A case whose shapes are chosen by --set, so it stands here and not among those for users."""
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tests", "validation", "cases", name)


# ---- Runs ------------------------------------------------------------------------------------------------------------

def run_tests(tools, options):
    """Blocks and stacks for ten seconds, a hundred heaps: the tests write their tables if a folder is named."""
    folder = os.path.join(options.work, "shapes")
    os.makedirs(folder, exist_ok=True)
    command = [options.tests, "--gtest_brief=1", "--gtest_filter=ShapesValidation.*"]
    print("jobs/validation: " + " ".join(command), flush=True)
    failed = subprocess.call(command, env={**os.environ, "GRANARY_VALIDATION_DATA": folder, "GRANARY_SHAPES_LONG": "1", "OMP_NUM_THREADS": "1"}) != 0
    for name in tables:
        tools.write(os.path.join(options.data, f"shapes-{name}.csv"), tools.read(os.path.join(folder, f"shapes-{name}.csv")))
    if failed:
        sys.exit("jobs/validation: a test failed")


def packing_fraction(state):
    """Slope of the volume below a height, between three diameters above the floor and four below the top."""
    z = np.sort(np.array(pile.column(state, "/bodies/position")).reshape(-1, 3)[:, 2])
    count = np.arange(len(z)) + 0.5
    inside = (z > 3 * diameter) & (z < z[-1] - 4 * diameter)
    slope = np.polyfit(z[inside], count[inside], 1)[0]
    return slope * math.pi / 6 * diameter ** 3 / area, z[-1]


def run_packing(tools, options):
    rows = []
    for shape, friction in packings:
        # Faces give way less than the round sides of ellipsoids.
        softer = ["materials.grain.young=1e7"] if shape == "cube" else []
        out = tools.run(options, f"shapes-packing-{shape}-{friction:g}", own_case("shape-packing.toml"),
                        ["output.frames_every=0", f"bodies.grains.shape={shape}", f"materials.grain.friction={friction:g}"] + softer)
        fraction, height = packing_fraction(os.path.join(out, "state.h5"))
        last = tools.read(os.path.join(out, "series.csv"))[-1]
        rows.append({"shape": shape, "friction": friction, "grains": last["balls_inside"], "fraction": fraction, "height_m": height,
                     "contacts_a_grain": 2 * last["contacts"] / last["balls_inside"], "overlap_share": last["largest_overlap_share"],
                     "kinetic_J": last["kinetic_energy_J"]})
    tools.write(os.path.join(options.data, "shapes-packing.csv"), rows)


def heap_at_rest(state):
    """Centres of the grains on the dish that are at rest, and how many still move faster than 0.05 m/s."""
    x, v = (np.array(pile.column(state, "/bodies/" + name)).reshape(-1, 3) for name in ("position", "velocity"))
    moves = np.linalg.norm(v, axis=1) > 0.05
    return x[~moves & (np.hypot(x[:, 0], x[:, 1]) < 0.08) & (x[:, 2] > 0)], int(np.sum(moves))


def surface_slope(centres):
    """Of a line through the highest grains of cells one diameter wide, over their distance from the axis, degrees."""
    top = {}
    for x, y, z in centres:
        cell = (math.floor(x / diameter) + 0.5, math.floor(y / diameter) + 0.5)
        top[cell] = max(top.get(cell, 0), z)
    points = [(diameter * math.hypot(*cell), z) for cell, z in top.items() if 1.5 < math.hypot(*cell) < 7]
    return math.degrees(math.atan(-np.polyfit([p[0] for p in points], [p[1] for p in points], 1)[0]))


def run_pile(tools, options):
    rows = []
    for shape in heaps:
        for seed in heap_seeds:
            out = tools.run(options, f"shapes-pile-{shape}-{seed}", own_case("shape-pile.toml"),
                            ["output.frames_every=0", f"bodies.grains.shape={shape}", f"run.seed={seed}"])
            centres, moving = heap_at_rest(os.path.join(out, "state.h5"))
            found = pile.measure([(x, y, z, diameter / 2) for x, y, z in centres])
            rows.append({"shape": shape, "seed": seed, "angle": found["angle"], "spread": found["spread"], "surface": surface_slope(centres), "height_m": found["height"],
                         "grains": found["balls"], "moving": moving})
    tools.write(os.path.join(options.data, "shapes-pile.csv"), rows)


def run_drum(tools, options):
    """The same drum twice, for two times: what lies between is a bed that flows, without start and end of the program."""
    cost = []
    for time in drum_times:
        keep, options.keep = options.keep, False  # a run that is there has no cost
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        out = tools.run(options, f"shapes-drum-{time:g}", "polyhedra-drum.toml",
                        ["output.frames_every=0", "bodies.blocks.shape=stone", f"run.time={time:g}"])
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        options.keep = keep
        series = tools.read(os.path.join(out, "series.csv"))
        cost.append((series[-1]["step"], after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime))
    steps, seconds = cost[1][0] - cost[0][0], cost[1][1] - cost[0][1]
    bed = [r for r in series if r["time_s"] >= drum_times[0]]
    grains = bed[-1]["balls_inside"]
    tools.write(os.path.join(options.data, "shapes-drum.csv"),
                [{"grains": grains, "steps": steps, "cpu_s": seconds, "body_steps_per_s": grains * steps / seconds,
                  "contacts_a_grain": 2 * sum(r["contacts"] for r in bed) / len(bed) / grains}])


steps = {"tests": run_tests, "packing": run_packing, "pile": run_pile, "drum": run_drum}


def run(tools, options):
    for name, step in steps.items():
        if not options.only or name in options.only:
            step(tools, options)


# ---- Drawings --------------------------------------------------------------------------------------------------------

def load(tools, options, name):
    return tools.read(os.path.join(options.data, f"shapes-{name}.csv"))


def draw_impacts(tools, options):
    rows = load(tools, options, "impacts")
    lines = []
    for shape, at in dict.fromkeys((r["shape"], r["at"]) for r in rows):
        some = [r for r in rows if (r["shape"], r["at"]) == (shape, at)]
        by = lambda law: [f"{r['impulse_e']:.3f}" for r in sorted((r for r in some if r["law"] == law), key=lambda r: -r["e"])]
        lines.append([f"{shape}, {at}", *by("hertz-mindlin"), *by("linear"), f"{100 * max(r['momentum_off'] for r in some):.2f} %"])
    asked = [f"{e:g}" for e in sorted({r["e"] for r in rows}, reverse=True)]
    text = tools.table(["hits with", *(f"Hertz, e = {e}" for e in asked), *(f"linear, e = {e}" for e in asked), "angular momentum off by"], lines)
    worst = max(abs((1 + r["impulse_e"]) / (1 + r["e"]) - 1) for r in rows)
    return text + "\n" + tools.judged(f"impulse at most {100 * worst:.2f} % off the rigid body's, {len(rows)} impacts; required below 0.5 %", worst < 0.005)


def draw_blocks(tools, options):
    slopes, creep = load(tools, options, "slopes"), load(tools, options, "creep")
    stacks, tipping, soft = load(tools, options, "stack"), load(tools, options, "tipping"), load(tools, options, "soft-ground")
    text = tools.table(["slope over the limit of sliding", "block turned by", "acceleration, m/s^2", "expected"],
                       [[f"{r['slope_over_limit']:g}", f"{r['turned_deg']:.0f}°", f"{r['measured']:.6g}", f"{r['expected']:.6g}"] for r in slopes]) + "\n"
    text += tools.table(["floor", "block turned by", "time", "creep, of its edge"],
                        [[f"{r['triangles']:.0f} triangles" if r["triangles"] else "plane", f"{r['turned_deg']:.0f}°", f"{r['time_s']:g} s", f"{r['creep']:.1e}" if r["creep"] else "0"] for r in creep]) + "\n"
    worst, time = max(r["creep"] for r in creep), min(r["time_s"] for r in creep)
    text += tools.judged(f"at 0.95 of the limit the block moves by at most {worst:.1e} of its edge in {time:g} s; required below 1e-6 in 10 s", worst < 1e-6 and time >= 10)
    shares = sorted({r["slope_over_limit"] for r in tipping})
    places = list(dict.fromkeys((r["triangles"], r["turned_deg"]) for r in tipping))
    tilt = {(r["slope_over_limit"], r["triangles"], r["turned_deg"]): r for r in tipping}

    def said(row):
        return "–" if row is None else f"falls" if row["tilt_deg"] > 15 else f"{row['tilt_deg']:.3f}° in {row['time_s']:g} s"

    text += "\n" + tools.table(["floor", "block turned by", *(f"{share:g} of the slope at which it tips" for share in shares)],
                               [[f"{floor:.0f} triangles" if floor else "plane", f"{turned:.0f}°", *(said(tilt.get((share, floor, turned))) for share in shares)] for floor, turned in places]) + "\n"
    stands = max(r["tilt_deg"] for r in tipping if r["slope_over_limit"] < 1)
    falls = min(r["tilt_deg"] for r in tipping if r["slope_over_limit"] > 1)
    longest = {share: max(r["time_s"] for r in tipping if r["slope_over_limit"] == share) for share in shares}
    text += tools.judged(f"up to 0.98 of the slope at which it tips the block stands, at 0.95 and 0.98 for {min(longest[0.95], longest[0.98]):g} s, leaning by at most {stands:.2f}°; at 1.02 it falls",
                         stands < 0.6 and falls > 15 and min(longest[0.95], longest[0.98]) >= 10)
    limit = soft[0]["slope_of_rigid"]
    text += tools.judged(f"on ground of {soft[0]['young_pa']:.0e} Pa, where it tips at {limit:.3f} of that slope, it stands at {soft[0]['slope_over_limit']:g} of this slope and falls at {soft[1]['slope_over_limit']:g}",
                         soft[0]["tilt_deg"] < 3 and soft[1]["tilt_deg"] > 15) + "\n"
    text += tools.table(["ten cubes, each beside the last by", "after", "time", "moved, of an edge", "tilted", "fastest at the end"],
                        [[f"{4 * r['beside'] / 2:.0%} of an edge" if r["beside"] else "0", f"{r['waited_s']:g} s", f"{r['time_s']:g} s", f"{r['drift']:.1e}" if r["drift"] else "0", f"{r['tilt']:.1e}",
                          f"{r['fastest_m_per_s']:.1e} m/s"] for r in stacks]) + "\n"
    worst, time = max(r["drift"] for r in stacks), min(r["time_s"] for r in stacks)
    text += tools.judged(f"ten cubes stand: in {time:g} s they move by at most {worst:.1e} of their edge; required below 1e-6 in 10 s", worst < 1e-6 and time >= 10)
    return text


def draw_heaps(tools, options):
    rows = load(tools, options, "heaps")
    rest, still = (sum(r["kinetic_share"] < share for r in rows) for share in (1e-4, 1e-6))
    times = sorted(r["time_s"] for r in rows)
    text = tools.judged(f"{rest} of {len(rows)} heaps come to rest: kinetic energy below 1e-4 m g d, as in a stage `settle`; no number is not finite, no grain leaves the box", rest == len(rows) >= 100)
    return text + tools.judged(f"{still} of {len(rows)} are below 1e-6 m g d within 4 s, half of them within {times[len(times) // 2]:.1f} s", still == len(rows) >= 100)


def draw_spin(tools, options):
    rows = load(tools, options, "spin")
    worst = max(max(r["oscillation"], abs(r["drift"])) for r in rows)
    return (tools.table(["shape", "turns", "oscillation of the energy", "drift from the first to the last tenth"],
                        [[r["shape"], f"{r['turns']:.0f}", f"{r['oscillation']:.1e}", f"{r['drift']:+.1e}"] for r in rows])
            + "\n" + tools.judged(f"no secular drift: at most {worst:.1e} of the energy; required below 1e-11", worst < 1e-11))


def draw_packing(tools, options):
    rows = load(tools, options, "packing")
    at = {(r["shape"], r["friction"]): r for r in rows}
    lines = []
    for shape in shapes:
        free, rough = at.get((shape, 0.0)), at[shape, 0.5]
        lines.append([titles[shape], f"{free['fraction']:.3f}" if free else "–", published[shape][0], f"{free['contacts_a_grain']:.1f}" if free else "–", f"{rough['fraction']:.3f}",
                      published[shape][1], f"{rough['contacts_a_grain']:.1f}"])
    text = tools.table(["1000 grains", "friction 0", "published, frictionless", "contacts a grain", "friction 0.5", "published, with friction", "contacts a grain"], lines) + "\n"
    free = {s: at[s, 0.0]["fraction"] for s in shapes if (s, 0.0) in at}
    rough = {s: at[s, 0.5]["fraction"] for s in shapes}
    off = max(abs(free[s] - wanted) for s, wanted in (("sphere", 0.64), ("spheroid", 0.71), ("triaxial", 0.735)))
    text += tools.judged(f"without friction spheres, spheroids and triaxial ellipsoids are at most {off:.3f} off 0.64, 0.71, 0.735; required below 0.02", off < 0.02)
    text += tools.judged("without friction they are denser in this order: spheres, spheroids, triaxial ellipsoids", free["sphere"] < free["spheroid"] < free["triaxial"])
    text += tools.judged("friction makes every packing looser", all(rough[s] < free[s] for s in free))
    text += tools.judged(f"cubes with friction at {rough['cube']:.3f}; required between the loose and the dense packing of the experiment, 0.54 to 0.67", 0.54 <= rough["cube"] <= 0.67)
    return text


def draw_pile(tools, options):
    rows = load(tools, options, "pile")
    of = {s: [r for r in rows if r["shape"] == s] for s in heaps}
    figure, axis = tools.plt.subplots(figsize=(6, 3))
    for k, shape in enumerate(heaps):
        for key, mark, label in (("angle", "o", "upper edge, as in a photograph"), ("surface", "s", "surface")):
            axis.plot([k] * len(of[shape]), [r[key] for r in of[shape]], mark, mfc="none", color="C0" if key == "angle" else "C1", label=label if k == 0 else None)
    axis.set(xticks=range(len(heaps)), ylabel="angle of the heap, °", ylim=(0, None), xlim=(-0.5, len(heaps) - 0.5))
    axis.set_xticklabels([titles[s] for s in heaps], fontsize=8)
    axis.legend(fontsize=8)
    text = tools.save(figure, "shapes-pile", "Angle of the heap by shape")
    each = lambda shape, form: ", ".join(form.format(**r) for r in of[shape])
    text += tools.table(["800 grains, friction 0.5", "upper edge", "spread over the directions", "surface", "left on the dish", "still moving"],
                        [[titles[s], each(s, "{angle:.1f}°"), each(s, "{spread:.1f}°"), each(s, "{surface:.1f}°"), each(s, "{grains:.0f}"), each(s, "{moving:.0f}")] for s in heaps]) + "\n"
    for key, what in (("angle", "angle of the upper edge"), ("surface", "slope of the surface")):
        mean = [np.mean([r[key] for r in of[s]]) for s in heaps]
        text += tools.judged(f"{what} rises from balls to ellipsoids to polyhedra: {', '.join(f'{m:.1f}°' for m in mean)}", bool(mean[0] < mean[1] < mean[2]))
    return text


def draw_drum(tools, options):
    (r,) = load(tools, options, "drum")
    return tools.judged(f"{r['grains']:.0f} grains with twelve faces, friction 0.5, {r['contacts_a_grain']:.1f} contacts a grain with other grains: {r['body_steps_per_s'] / 1000:.0f} 000 "
                        f"body-steps a second of CPU time on one core ({r['steps']:.0f} steps); required at least 300 000", r["body_steps_per_s"] >= 300000)


parts = {"impacts": (draw_impacts, "impacts", "tests"), "blocks": (draw_blocks, "creep", "tests"), "heaps": (draw_heaps, "heaps", "tests"), "spin": (draw_spin, "spin", "tests"),
         "packing": (draw_packing, "packing", "packing"), "pile": (draw_pile, "pile", "pile"), "drum": (draw_drum, "drum", "drum")}


def draw(tools, options):
    there = lambda needed: os.path.exists(os.path.join(options.data, f"shapes-{needed}.csv"))
    return {name: step(tools, options) if there(needed) else f"No run is kept yet: `jobs/validation shapes --only {of}`.\n" for name, (step, needed, of) in parts.items()}
