"""What a picture must hold. Hues survive the shading of the balls.
    check_pixels.py ranks N picture.png     balls of each of N ranks are there, in the colours of jobs/catalyst/ranks.py
    check_pixels.py colours N picture.png   it is not blank, and at least N different colours are there
    check_pixels.py legend N picture.png    the bar of colours has N fields, each of one colour and all of one height
    check_pixels.py same a.png b.png        but for a few pixels they are the same: no seam where ranks meet"""
import colorsys
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "report"))
from png import rows_of

RANKS = [(0.11, 0.37, 0.66), (0.85, 0.45, 0.15), (0.20, 0.60, 0.33), (0.62, 0.25, 0.62)]


def pixels_of(path):
    return [pixel for row in rows_of(path) for pixel in row]


def coloured(pixels):
    hsv = [colorsys.rgb_to_hsv(*(c / 255 for c in p)) for p in pixels]
    return [p for p in hsv if p[1] >= 0.25 and p[2] >= 0.12]


def fields_of(path):
    """(height, colour) of each field of the bar of colours: what has one colour along a line down the middle of the bar."""
    rows = rows_of(path)
    line = [row[round(0.80 * len(row)) + round(0.01 * len(row))] for row in rows]
    ground, fields = line[0], []
    for pixel in line:
        if fields and max(abs(a - b) for a, b in zip(pixel, fields[-1][1])) <= 3:
            fields[-1][0] += 1
        else:
            fields.append([1, pixel])
    return [(n, p) for n, p in fields if n > 3 and max(abs(a - b) for a, b in zip(p, ground)) > 12]


def main():
    kind, bad = sys.argv[1], []
    if kind == "same":
        a, b = (pixels_of(path) for path in sys.argv[2:4])
        different = sum(max(abs(x - y) for x, y in zip(p, q)) > 24 for p, q in zip(a, b))
        if len(a) != len(b) or different > 0.002 * len(a):
            bad.append(f"{different} of {len(a)} pixels differ")
        found = f"{different} of {len(a)} pixels differ"
    elif kind == "legend":
        fields = fields_of(sys.argv[3])
        heights = [n for n, _ in fields]
        if len(fields) != int(sys.argv[2]) or max(heights, default=0) > min(heights, default=0) + 2:
            bad.append(f"{len(fields)} fields of heights {heights}: {[p for _, p in fields]}")
        found = f"{len(fields)} fields of heights {heights}"
    else:
        n, pixels = int(sys.argv[2]), pixels_of(sys.argv[3])
        seen = coloured(pixels)
        hits = []
        for rgb in RANKS:
            hue = colorsys.rgb_to_hsv(*rgb)[0]
            hits.append(sum(min(abs(h - hue), 1 - abs(h - hue)) < 0.04 for h, _, _ in seen))
        kinds = len({(round(h, 2), round(v, 1)) for h, _, v in seen})
        if len(seen) < 0.01 * len(pixels):
            bad.append(f"only {len(seen)} of {len(pixels)} pixels are coloured")
        if kind == "ranks" and (min(hits[:n]) < 20 or max(hits[n:], default=0) > 20):
            bad.append(f"pixels by rank: {hits}")
        if kind == "colours" and kinds < n:
            bad.append(f"only {kinds} colours")
        found = f"{len(seen)} of {len(pixels)} pixels are coloured, {kinds} colours, by rank {hits}"
    print("\n".join(bad) or f"all is well: {found}")
    sys.exit(bool(bad))


main()
