#!/usr/bin/env python3
"""The pile of a lifted hopper after Huang (2020), section 4.2: its angle beside the paper's 21 degrees.

    tests/validation/lifted_hopper.py GRANARY OUT [--ranks N] [--set key=value]...

runs jobs/cases/hopper-lift.toml into OUT for both readings of the paper's table 2 (sliding friction 0.3 and 0.1), each with the
rolling friction that the other column then gives if the program knows it, measures the piles, prints a table and draws
OUT/lifted_hopper.svg. Needs Python 3 and h5dump (hdf5-tools).

How the angle is measured: the upper edge is the highest point of any ball, seen from the side, in strips one diameter wide, as on the
paper's photograph; seen from 18 directions around, and averaged. A straight line is fitted to it between 20 and 80 % of the way from
the axis to where the edge comes down to two diameters. Beside it the slope of the mean height over the radius, which is lower: the photograph sees
the highest ball along each line of sight.
"""
import argparse, math, os, re, subprocess, sys

here = os.path.dirname(os.path.abspath(__file__))
case = os.path.join(here, "..", "..", "jobs", "cases", "hopper-lift.toml")
paper = 21.0


def column(path, name):
    text = subprocess.run(["h5dump", "-y", "-w", "0", "-d", name, path], check=True, capture_output=True, text=True).stdout
    data = text[text.index("DATA {") + 6:text.rindex("}")]
    return [float(x) for x in re.findall(r"[-+0-9.eEinfa]+", data)]


def balls_of(path):
    x, r = column(path, "/bodies/position"), column(path, "/bodies/radius")
    return [(x[3 * k], x[3 * k + 1], x[3 * k + 2], r[k]) for k in range(len(r))]


def slope_of(points):
    n = len(points)
    mx, my = sum(p[0] for p in points) / n, sum(p[1] for p in points) / n
    return sum((p[0] - mx) * (p[1] - my) for p in points) / sum((p[0] - mx) ** 2 for p in points)


def flank(edge, floor):
    """Angle of the edge [(distance, height)] between 20 and 80 % of the way to where it comes down to `floor`."""
    foot = next((s for s, z in edge if z <= floor), edge[-1][0])
    part = [(s, z) for s, z in edge if 0.2 * foot <= s <= 0.8 * foot]
    return math.degrees(math.atan(-slope_of(part))) if len(part) > 2 else float("nan")


def measure(balls, views=18):
    d = 2 * balls[0][3]
    cx, cy = sum(b[0] for b in balls) / len(balls), sum(b[1] for b in balls) / len(balls)
    angles, edges = [], []
    for v in range(views):
        a = math.pi * v / views
        for side in (1, -1):
            top = {}
            for x, y, z, r in balls:
                s = side * ((x - cx) * math.cos(a) + (y - cy) * math.sin(a))
                if s >= 0:
                    top[int(s / d)] = max(top.get(int(s / d), 0), z + r)
            edge = [((k + 0.5) * d, top.get(k, 0)) for k in range(max(top) + 1)]
            angles.append(flank(edge, 2 * d))
            edges.append(edge)
    n = max(len(e) for e in edges)
    mean = [((k + 0.5) * d, sum(e[k][1] if k < len(e) else 0 for e in edges) / len(edges)) for k in range(n)]
    # Mean height over the radius: highest ball in each of 24 sectors of a ring.
    rings = {}
    for x, y, z, r in balls:
        k, sector = int(math.hypot(x - cx, y - cy) / d), int((math.atan2(y - cy, x - cx) + math.pi) / (2 * math.pi) * 24)
        rings.setdefault(k, {})[sector] = max(rings.get(k, {}).get(sector, 0), z + r)
    radial = [((k + 0.5) * d, sum(rings[k].values()) / min(24, max(1, len(rings[k])))) for k in sorted(rings)]
    good = [x for x in angles if not math.isnan(x)]
    m = sum(good) / len(good)
    spread = math.sqrt(sum((x - m) ** 2 for x in good) / len(good))
    return {"angle": m, "spread": spread, "radial": flank(radial, 1.5 * d), "height": max(b[2] + b[3] for b in balls),
            "edge": mean, "balls": len(balls)}


def draw(path, results):
    w, h, scale, x0, y0 = 760, 300, 3200, 40, 260
    s = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" font-family="sans-serif" font-size="12">',
         f'<rect width="{w}" height="{h}" fill="white"/><line x1="{x0}" y1="{y0}" x2="{w - 20}" y2="{y0}" stroke="black"/>']
    for k in range(0, 21, 5):
        s.append(f'<text x="{x0 + k * scale / 100}" y="{y0 + 16}" text-anchor="middle">{10 * k} mm</text>')
    colours = ["#1f77b4", "#d62728", "#2ca02c", "#9467bd"]
    for (name, r), colour in zip(results, colours):
        points = " ".join(f"{x0 + scale * a:.1f},{y0 - scale * b:.1f}" for a, b in r["edge"])
        s.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        y = 20 + 18 * results.index((name, r))
        s.append(f'<text x="{w - 330}" y="{y}" fill="{colour}">{name}: {r["angle"]:.1f} degrees</text>')
    top = max(r["edge"][0][1] for _, r in results)
    foot = top / math.tan(math.radians(paper))
    s.append(f'<line x1="{x0}" y1="{y0 - scale * top}" x2="{x0 + scale * foot}" y2="{y0}" stroke="grey" stroke-dasharray="6 4"/>')
    s.append(f'<text x="{w - 330}" y="{20 + 18 * len(results)}" fill="grey">21 degrees (Huang 2020, figure 12)</text></svg>')
    with open(path, "w") as f:
        f.write("\n".join(s) + "\n")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("granary"), p.add_argument("out")
    p.add_argument("--ranks", type=int, default=1)
    p.add_argument("--set", action="append", default=[])
    a = p.parse_args()
    os.makedirs(a.out, exist_ok=True)
    rolls = "rolling_friction" in subprocess.run([a.granary, "keys"], capture_output=True, text=True, check=True).stdout
    readings = [("sliding 0.3, rolling 0.1 (swapped)", 0.3, 0.1), ("sliding 0.1, rolling 0.3 (as printed)", 0.1, 0.3)]
    if not rolls:
        readings = [("sliding 0.3, no rolling friction", 0.3, None), ("sliding 0.1, no rolling friction", 0.1, None)]
    results = []
    for name, slide, roll in readings:
        folder = os.path.join(a.out, f"sliding-{slide}")
        command = (["mpirun", "-n", str(a.ranks)] if a.ranks > 1 else []) + [
            a.granary, "run", case, "--out", folder, "--quiet", "--set", f"materials.pmma.friction={slide}"]
        if roll is not None:
            command += ["--set", "law.rolling=constant", "--set", f"materials.pmma.rolling_friction={roll}"]
        for s in a.set:
            command += ["--set", s]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        results.append((name, measure(balls_of(os.path.join(folder, "state.h5")))))
    print("| reading of table 2 | angle of the upper edge | over the radius | height, mm | balls |\n|---|---|---|---|---|")
    for name, r in results:
        print(f"| {name} | {r['angle']:.1f} ± {r['spread']:.1f} degrees | {r['radial']:.1f} degrees | {1000 * r['height']:.0f} | {r['balls']} |")
    print(f"| Huang (2020), experiment and simulation | {paper:.0f} degrees | | | 3000 |")
    draw(os.path.join(a.out, "lifted_hopper.svg"), results)


if __name__ == "__main__":
    sys.exit(main())
