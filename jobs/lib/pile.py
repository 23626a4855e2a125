"""The pile in a state file and its angle, for jobs/validation hopper.

The upper edge is the highest point of any ball, seen from the side, in strips one diameter wide, as on the photograph of Huang (2020),
figure 12; seen from 18 directions around, and averaged. A straight line is fitted to it between 20 and 80 % of the way from the axis to
where the edge comes down to two diameters (of a lower heap: to its end). Beside it the slope of the mean height over the radius, which is lower: the photograph sees the
highest ball along each line of sight. Needs h5dump (hdf5-tools).
"""
import math
import re
import subprocess


def column(path, name):
    text = subprocess.run(["h5dump", "-y", "-w", "0", "-d", name, path], check=True, capture_output=True, text=True).stdout
    begin = text.index("DATA {") + 6
    return [float(x) for x in re.findall(r"[^\s,]+", text[begin:text.index("}", begin)])]  # attributes come after


def balls_of(path):
    x, r = column(path, "/bodies/position"), column(path, "/bodies/radius")
    return [(x[3 * k], x[3 * k + 1], x[3 * k + 2], r[k]) for k in range(len(r))]


def slope_of(points):
    n = len(points)
    mx, my = sum(p[0] for p in points) / n, sum(p[1] for p in points) / n
    return sum((p[0] - mx) * (p[1] - my) for p in points) / sum((p[0] - mx) ** 2 for p in points)


def flank(edge, floor):
    """Angle of the edge [(distance, height)] between 20 and 80 % of the way to where it comes down to `floor`; of a heap that is nowhere
    that high, to its end."""
    foot = next((s for s, z in edge[3:] if z <= floor), 0)
    part = [(s, z) for s, z in edge if 0.2 * foot <= s <= 0.8 * foot]
    if len(part) < 3:
        part = [(s, z) for s, z in edge if 0.2 * edge[-1][0] <= s <= 0.8 * edge[-1][0]]
    return math.degrees(math.atan(-slope_of(part)))


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
    m = sum(angles) / len(angles)
    spread = math.sqrt(sum((x - m) ** 2 for x in angles) / len(angles))
    return {"angle": m, "spread": spread, "radial": flank(radial, 1.5 * d), "height": max(b[2] + b[3] for b in balls),
            "edge": mean, "balls": len(balls)}
