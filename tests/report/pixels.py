"""The colours of the palette that a screenshot must hold: python3 pixels.py shot.png day|night palette.hpp."""
import re
import sys

from png import rows_of


def count_colours(path):
    counts = {}
    for row in rows_of(path):
        for pixel in row:
            counts[pixel] = counts.get(pixel, 0) + 1
    return counts


def main():
    path, theme, palette = sys.argv[1:]
    found = dict()
    for name, day, night in re.findall(r'Colour(?: page_ground| card_ground)?\{"(\w+)", "(#\w+)", "(#\w+)"\}', open(palette).read()):
        text = day if theme == "day" else night
        found[name] = tuple(int(text[k:k + 2], 16) for k in (1, 3, 5))
    counts = count_colours(path)
    least = {"page": 50000, "card": 200000, "c0": 100, "c1": 100, "c2": 100, "c3": 50, "c4": 100, "ink": 200}
    bad = [f"{theme}: {counts.get(found[name], 0)} pixels of {name} {found[name]}, expected {n}" for name, n in least.items()
           if counts.get(found[name], 0) < n]
    print("\n".join(bad) or "all is well")
    sys.exit(bool(bad))


main()
