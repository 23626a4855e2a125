"""Breakable grains (tests/validation/CLUSTERS.md): the runs of `jobs/validation clusters`, what is kept of them and how it is drawn.

`tools` is jobs/validation itself: reading and writing of tables, running, drawing.
"""
import csv
import math
import os

import numpy as np
import pile

mill_full = 8.0   # s, as in the paper
short_time = 0.9  # s, of the runs that show how the mill depends on what the paper does not print
short_every = 0.05
figure_16 = (1, 2, 4, 6, 8)  # s, moments of the table

# name: (strength in Pa, radius of the steel balls in m). Other radii have the same mass of steel.
mill_variants = {"1 MPa": (1e6, 0.0125), "2 MPa": (2e6, 0.0125), "4 MPa": (4e6, 0.0125), "balls of 10 mm": (2e6, 0.010)}
as_in_the_case = "2 MPa"  # the beginning of the mill itself
lift_speed = 0.05  # m/s, of the hopper
readings = {"swapped": (0.3, 0.1), "as printed": (0.1, 0.3)}
energies = ["energy_in_J", "energy_by_walls_J", "energy_bonds_J", "energy_lost_bond_damping_J", "energy_lost_breaks_J", "energy_turned_over_J",
            "energy_residual_J"]
bond_columns = ["bonds_whole", "bonds_broken", "bonds_broken:tension", "bonds_broken:shear", "bonds_broken:bending", "bonds_cut", "pieces", "single_bodies"]


def thinned(rows, every):
    """A row every so many seconds, and the last one."""
    kept, due = [], -1e-9
    for row in rows:
        if row["time_s"] >= due:
            kept.append(row)
            due = row["time_s"] + 0.999 * every
    return kept if kept[-1] is rows[-1] else kept + [rows[-1]]


def chosen(rows, names):
    return [{k: row[k] for k in names if k in row} for row in rows]


def worst_residual(rows):
    """Of what has been turned over; from a hundredth of the last turnover on, since shares of nothing mean nothing."""
    last = rows[-1]["energy_turned_over_J"]
    return max(abs(r["energy_residual_J"]) / r["energy_turned_over_J"] for r in rows if r["energy_turned_over_J"] > 0.01 * last)


# ---- Runs ------------------------------------------------------------------------------------------------------------

def mill_sets(strength, radius):
    count = round(500 * (0.0125 / radius) ** 3)
    return [f"bonds.rock.tensile_strength={strength:g}", f"bonds.rock.shear_strength={strength:g}", f"bodies.balls.radius={radius:g}",
            f"bodies.balls.count={count}"]


def run_mill(tools, options):
    out = tools.run(options, "clusters-mill", "huang-ball-mill.toml", ["output.frames_every=0", f"run.time={options.mill_time:g}"])
    series = tools.read(os.path.join(out, "series.csv"))
    tools.write(os.path.join(options.data, "clusters-mill.csv"), chosen(thinned(series, 0.05), ["time_s"] + bond_columns + energies))
    fragments = os.path.join(out, "fragments-pieces.csv")
    if os.path.exists(fragments):
        tools.write(os.path.join(options.data, "clusters-mill-fragments.csv"), tools.read(fragments))


def run_variants(tools, options):
    rows = []
    for name, (strength, radius) in mill_variants.items():
        whole = os.path.join(options.data, "clusters-mill.csv")
        if name == as_in_the_case and os.path.exists(whole):
            series = [r for r in tools.read(whole) if r["time_s"] <= options.variant_time + 1e-6]
        else:
            out = tools.run(options, "clusters-mill-" + name.replace(" ", "-"), "huang-ball-mill.toml",
                            ["output.frames_every=0", f"run.time={options.variant_time:g}"] + mill_sets(strength, radius))
            series = tools.read(os.path.join(out, "series.csv"))
        for r in thinned(series, short_every):
            rows.append({"run": name, "strength_Pa": strength, "radius_m": radius, **chosen([r], ["time_s", "bonds_whole", "bonds_broken"] + energies[-2:])[0]})
    tools.write(os.path.join(options.data, "clusters-mill-variants.csv"), rows)


def run_hopper(tools, options):
    rows, edges, tracks = [], [], []
    for name, (sliding, rolling) in readings.items():
        out = tools.run(options, "clusters-hopper-" + name.replace(" ", "-"), "huang-hopper.toml",
                        ["output.frames_every=0", f"materials.pmma.friction={sliding}", f"materials.pmma.rolling_friction={rolling}"])
        found = pile.measure(pile.balls_of(os.path.join(out, "state.h5")))
        last = tools.read(os.path.join(out, "series.csv"))[-1]
        rows.append({"reading": name, "sliding": sliding, "rolling": rolling, "angle": found["angle"], "spread": found["spread"], "radial": found["radial"],
                     "height_m": found["height"], "balls": found["balls"], "bonds_broken": last["bonds_broken"], "kinetic_J": last["kinetic_energy_J"]})
        edges += [{"reading": name, "distance_m": a, "height_m": b} for a, b in found["edge"]]
        tracks += speeds(name, tools.read(os.path.join(out, "track-edge.csv")))
    tools.write(os.path.join(options.data, "clusters-hopper.csv"), rows)
    tools.write(os.path.join(options.data, "clusters-hopper-edge.csv"), edges)
    tools.write(os.path.join(options.data, "clusters-hopper-speeds.csv"), tracks)


def speeds(name, rows):
    """Speeds of the two tracked bodies."""
    columns = list(rows[0])
    bodies = list(dict.fromkeys(c.split(":", 1)[1] for c in columns if ":" in c))
    found = []
    for r in rows:
        line = {"reading": name, "time_s": r["time_s"] - rows[0]["time_s"]}
        for k, b in enumerate(bodies[:2]):
            v = [r[f"velocity_{axis}_m_per_s:{b}"] for axis in "xyz"]
            line[f"speed_{k + 1}_m_per_s"] = math.sqrt(sum(c * c for c in v)) if not any(math.isnan(c) for c in v) else ""
        found.append(line)
    return found


def run_crushing(tools, options):
    out = tools.run(options, "clusters-crushing", "grain-crushing.toml", ["output.frames_every=0"])
    rows = tools.read(os.path.join(out, "series.csv"))
    tools.write(os.path.join(options.data, "clusters-crushing.csv"),
                [{"displacement_m": 0.1 * r["time_s"], "force_N": r["force_z_N:press"], **chosen([r], bond_columns + energies)[0]} for r in rows[::2]])


def run_silo(tools, options):
    out = tools.run(options, "clusters-silo", "breakable-silo.toml", ["output.frames_every=0", "output.energy=true"])
    series = tools.read(os.path.join(out, "series.csv"))
    tools.write(os.path.join(options.data, "clusters-silo.csv"),
                chosen(thinned(series, 0.05), ["time_s", "balls_inserted", "balls_inside", "balls_out"] + bond_columns + energies))
    breaks = read_text(os.path.join(out, "breaks.csv"))
    heights = sorted(float(r["z_m"]) for r in breaks)
    filled = max(r["time_s"] for r in series if r["balls_out"] == 0)
    while_filling = sum(float(r["time_s"]) <= filled for r in breaks)
    quarters = [heights[int(q * (len(heights) - 1))] for q in (0.25, 0.5, 0.75)] if heights else [0, 0, 0]
    tools.write(os.path.join(options.data, "clusters-silo-breaks.csv"),
                [{"breaks": len(heights), "while_filling": while_filling, "quarter_m": quarters[0], "median_m": quarters[1], "three_quarters_m": quarters[2]}])


def read_text(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


steps = {"mill": run_mill, "variants": run_variants, "hopper": run_hopper, "crushing": run_crushing, "silo": run_silo}


def run(tools, options):
    for name, step in steps.items():
        if not options.only or name in options.only:
            step(tools, options)


# ---- Drawings --------------------------------------------------------------------------------------------------------

def share_of(row):
    return row["bonds_broken"] / (row["bonds_whole"] + row["bonds_broken"])


def draw_mill(tools, options):
    rows = tools.read(os.path.join(options.data, "clusters-mill.csv"))
    t = tools.column(rows, "time_s")
    figure, (left, right) = tools.plt.subplots(1, 2, figsize=(9.5, 3.4))
    left.plot(t, tools.column(rows, "bonds_broken"), label="all")
    for cause in ("tension", "shear", "bending"):
        left.plot(t, tools.column(rows, "bonds_broken:" + cause), lw=1, label=cause)
    left.set(xlabel="time, s", ylabel="broken bonds", title=f"of {rows[0]['bonds_whole']:.0f} bonds", xlim=(0, mill_full))
    left.legend(fontsize=8)
    right.plot(t, tools.column(rows, "pieces"), label="pieces of two elements or more")
    right.plot(t, tools.column(rows, "single_bodies") - rows[0]["single_bodies"], label="single elements")
    right.set(xlabel="time, s", ylabel="number", xlim=(0, mill_full))
    right.legend(fontsize=8)
    text = tools.save(figure, "clusters-mill", "Broken bonds of the mill by cause, and what the cubes have become, over time")
    moments = [m for m in figure_16 if m <= t[-1] + 1e-6]
    at = lambda m: rows[int(np.argmin(np.abs(t - m)))]
    if moments:
        text += tools.table(["time", *[f"{m:g} s" for m in moments]],
                            [["broken bonds", *[f"{100 * share_of(at(m)):.1f} %" for m in moments]],
                             ["pieces", *[f"{at(m)['pieces']:.0f}" for m in moments]],
                             ["single elements of 2700", *[f"{at(m)['single_bodies'] - rows[0]['single_bodies']:.0f}" for m in moments]]]) + "\n"
    text += fragments_table(tools, options)
    broken = tools.column(rows, "bonds_broken")
    # A jump would be a piece of the curve that is much steeper than the whole.
    step = max(np.diff(broken)) / broken[-1]
    text += tools.judged(f"the number of broken bonds never falls, and rises by at most {100 * step:.1f} % of its last value within {t[1] - t[0]:.2g} s", bool(np.all(np.diff(broken) >= 0)))
    worst = worst_residual(rows)
    text += tools.judged(f"energy residual at most {100 * worst:.2f} % of the energy turned over at any time; required below 1 %", worst < 0.01)
    done = t[-1] >= 0.999 * mill_full
    text += tools.judged(f"run of {t[-1]:.2f} s; the paper's lasts {mill_full:g} s", done)
    if done:
        text += tools.judged(f"most bonds are broken at the end, as in figure 16: {100 * share_of(rows[-1]):.0f} %", share_of(rows[-1]) > 0.5)
    return text


def fragments_table(tools, options):
    path = os.path.join(options.data, "clusters-mill-fragments.csv")
    if not os.path.exists(path):
        return ""
    rows = tools.read(path)
    last = rows[-1]["time_s"]
    some = [r for r in rows if r["time_s"] == last and r["pieces"] > 0]
    return f"Fragments by the diameter of a ball of their mass, at {last:.2f} s; the largest are the steel balls:\n\n" + tools.table(
        ["diameter, mm", "pieces", "elements", "share of the mass"],
        [[f"{1e3 * r['from_m']:.2f} to {1e3 * r['to_m']:.2f}", f"{r['pieces']:.0f}", f"{r['bodies']:.0f}", f"{100 * r['mass_share']:.1f} %"] for r in some]) + "\n"


def draw_variants(tools, options):
    rows = tools.read(os.path.join(options.data, "clusters-mill-variants.csv"))
    names = list(dict.fromkeys(r["run"] for r in rows))
    end = min(max(r["time_s"] for r in rows if r["run"] == n) for n in names)
    figure, axes = tools.plt.subplots(figsize=(6, 3.2))
    lines, shares = [], {}
    for n in names:
        some = [r for r in rows if r["run"] == n and r["time_s"] <= end + 1e-6]
        axes.plot(tools.column(some, "time_s"), [100 * share_of(r) for r in some], label=n)
        shares[n] = share_of(some[-1])
        lines.append([n, f"{some[0]['strength_Pa'] / 1e6:g} MPa", f"{1e3 * some[0]['radius_m']:g} mm", f"{100 * shares[n]:.1f} %", f"{100 * worst_residual(some):.2f} %"])
    axes.set(xlabel="time, s", ylabel="broken bonds, %", xlim=0, ylim=0)
    axes.legend(fontsize=8)
    text = tools.save(figure, "clusters-mill-variants", "Broken bonds with other strengths and balls")
    text += tools.table(["run", "strengths", "steel balls", f"broken at {end:.2f} s", "largest energy residual"], lines)
    strengths = [shares[n] for n in ("1 MPa", "2 MPa", "4 MPa") if n in shares]
    text += "\n" + tools.judged("the stronger the bonds, the fewer break", all(a > b for a, b in zip(strengths, strengths[1:])))
    return text


def draw_hopper(tools, options):
    load = lambda name: tools.read(os.path.join(options.data, name))
    rows, edges, tracks = load("clusters-hopper.csv"), load("clusters-hopper-edge.csv"), load("clusters-hopper-speeds.csv")
    figure, (left, right) = tools.plt.subplots(1, 2, figsize=(10, 3))
    for r in rows:
        some = [e for e in edges if e["reading"] == r["reading"]]
        left.plot(1e3 * tools.column(some, "distance_m"), 1e3 * tools.column(some, "height_m"), label=f"table 2 {r['reading']}: {r['angle']:.1f}°")
    height = max(e["height_m"] for e in edges)
    left.plot([0, 1e3 * height / np.tan(np.radians(21))], [1e3 * height, 0], "k:", lw=1, label="21° (Huang 2020)")
    left.set(xlabel="distance from the axis, mm", ylabel="upper edge, mm", xlim=0, ylim=0)
    left.legend(fontsize=8)
    for k in (1, 2):
        some = [r for r in tracks if r["reading"] == rows[0]["reading"] and isinstance(r[f"speed_{k}_m_per_s"], float)]
        right.plot(tools.column(some, "time_s"), tools.column(some, f"speed_{k}_m_per_s"), lw=0.8, label=f"grain {k}")
    right.set(xlabel="time since the lift begins, s", ylabel="speed, m/s", title=f"two tracked grains, table 2 {rows[0]['reading']}", xlim=0, ylim=0)
    right.legend(fontsize=8)
    text = tools.save(figure, "clusters-hopper", "Upper edges of the piles of balls and clusters, and the speed of two grains at the upper edge")
    text += tools.table(["table 2", "sliding friction", "rolling friction", "angle of the upper edge", "slope over the radius", "height, mm", "elements in the pile", "broken bonds"],
                        [[r["reading"], f"{r['sliding']:g}", f"{r['rolling']:g}", f"{r['angle']:.1f} ± {r['spread']:.1f}°", f"{r['radial']:.1f}°", f"{1e3 * r['height_m']:.0f}",
                          f"{r['balls']:.0f}", f"{r['bonds_broken']:.0f}"] for r in rows])
    off = {r["reading"]: abs(r["angle"] - 21) for r in rows}
    near = min(off, key=off.get)
    text += "\n" + tools.judged(f"nearest to the paper's 21° is table 2 {near}, {off[near]:.1f}° off; required within 3°", off[near] <= 3)
    lines, as_in_paper = [], True
    for r in rows:
        for k in (1, 2):
            some = [(t["time_s"], t[f"speed_{k}_m_per_s"]) for t in tracks if t["reading"] == r["reading"] and isinstance(t[f"speed_{k}_m_per_s"], float)]
            ride = float(np.median([v for t, v in some if 0.1 <= t <= 1]))
            top_at, top = max(some, key=lambda p: p[1])
            fast, last = min(t for t, v in some if v > 4 * lift_speed), max(t for t, v in some if v > 0.01)
            lines.append([r["reading"], f"{k}", f"{ride:.3f}", f"{fast:.2f}", f"{top:.2f} at {top_at:.2f} s", f"{last:.2f}", f"{some[-1][1]:.1g}"])
            as_in_paper &= r["reading"] != near or (ride < 2 * lift_speed and 1 < fast < top_at and last - top_at < 0.5)
    text += "\n" + tools.table(["table 2", "grain", "median speed of 0.1 to 1 s, m/s", f"first above {4 * lift_speed:g} m/s, s", "largest speed, m/s", "last above 1 cm/s, s",
                                "at the end of the lift, m/s"], lines)
    text += "\n" + tools.judged(f"table 2 {near}: both tracked grains move slowly for more than a second, then are suddenly fast, and lie still within half a second of their largest speed",
                                as_in_paper)
    return text


def draw_crushing(tools, options):
    rows = tools.read(os.path.join(options.data, "clusters-crushing.csv"))
    x, force = 1e3 * tools.column(rows, "displacement_m"), tools.column(rows, "force_N")
    figure, axes = tools.plt.subplots(figsize=(7, 3))
    axes.plot(x, np.abs(force), lw=0.9, label="force on the press")
    axes.set(xlabel="displacement of the press, mm", ylabel="N", xlim=0, ylim=0)
    other = axes.twinx()
    other.plot(x, tools.column(rows, "bonds_broken"), "C1", lw=1)
    other.set(ylabel="broken bonds", ylim=0)
    text = tools.save(figure, "clusters-crushing", "Force on the press (blue) and broken bonds (orange) over its displacement")
    first = next(k for k, r in enumerate(rows) if r["bonds_broken"] > 0)
    peak = int(np.argmax(np.abs(force)))
    last = rows[-1]
    text += tools.table(["first break at", "force then", "largest force", "at", "broken bonds at the end", "by tension, shear, bending", "pieces", "single elements"],
                        [[f"{x[first]:.2f} mm", f"{abs(force[first]):.0f} N", f"{abs(force[peak]):.0f} N", f"{x[peak]:.2f} mm",
                          f"{last['bonds_broken']:.0f} of {rows[0]['bonds_whole']:.0f}", ", ".join(f"{last['bonds_broken:' + c]:.0f}" for c in ("tension", "shear", "bending")),
                          f"{last['pieces']:.0f}", f"{last['single_bodies']:.0f}"]])
    worst = worst_residual(rows)
    text += "\n" + tools.judged(f"energy residual at most {100 * worst:.2f} % of the energy turned over at any time; required below 1 %", worst < 0.01)
    return text


def draw_silo(tools, options):
    rows = tools.read(os.path.join(options.data, "clusters-silo.csv"))
    (of_breaks,) = tools.read(os.path.join(options.data, "clusters-silo-breaks.csv"))
    t = tools.column(rows, "time_s")
    figure, axes = tools.plt.subplots(figsize=(7, 2.8))
    for key, label in (("bonds_broken", "bonds broken"), ("bonds_cut", "bonds cut at the outlet"), ("balls_out", "elements out")):
        axes.plot(t, tools.column(rows, key), lw=1.2, label=label)
    axes.set(xlabel="time, s", xlim=0, ylim=0)
    axes.legend(fontsize=8)
    text = tools.save(figure, "clusters-silo", "Silo with grain that breaks: bonds broken and cut, and elements that have left")
    last = rows[-1]
    text += tools.table(["elements in", "out", "inside", "bonds at first", "broken", "of these before the discharge", "cut at the outlet", "height of breaks: quartiles"],
                        [[f"{last['balls_inserted']:.0f}", f"{last['balls_out']:.0f}", f"{last['balls_inside']:.0f}",
                          f"{last['bonds_whole'] + last['bonds_broken'] + last['bonds_cut']:.0f}", f"{last['bonds_broken']:.0f}", f"{of_breaks['while_filling']:.0f}",
                          f"{last['bonds_cut']:.0f}", ", ".join(f"{1e3 * of_breaks[q]:.0f}" for q in ("quarter_m", "median_m", "three_quarters_m")) + " mm"]])
    worst = worst_residual(rows)
    text += "\n" + tools.judged(f"run of {t[-1]:.2f} s, over filling, settling and discharge", last["balls_out"] > 0.5 * last["balls_inserted"])
    text += tools.judged("elements in are elements out and inside", last["balls_inserted"] == last["balls_out"] + last["balls_inside"])
    text += tools.judged(f"energy residual at most {100 * worst:.2f} % of the energy turned over at any time; required below 1 %", worst < 0.01)
    return text


parts = {"mill": (draw_mill, "clusters-mill.csv"), "variants": (draw_variants, "clusters-mill-variants.csv"), "hopper": (draw_hopper, "clusters-hopper.csv"),
         "crushing": (draw_crushing, "clusters-crushing.csv"), "silo": (draw_silo, "clusters-silo.csv")}


def draw(tools, options):
    there = lambda needed: os.path.exists(os.path.join(options.data, needed))
    return {name: step(tools, options) if there(needed) else f"No run is kept yet: `jobs/validation clusters --only {name}`.\n" for name, (step, needed) in parts.items()}
