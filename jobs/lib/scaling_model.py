"""Tables of tests/benchmarks/SCALING.md: what the measured costs of one core and of a message predict for many.

    python3 jobs/lib/scaling_model.py            prints the tables
    python3 jobs/lib/scaling_model.py PAGE       puts them into the page

Time of a step, in seconds, of the rank that is last:
    s = ceil(layers / ranks)                     layers of the thickest slab
    w = (1 - q) (ceil(s / t) + e / t) + q (s + e) layers that one core works on; e = 0 on one rank, else pairs across
                                                 a face, which both sides evaluate
    T = n c w  +  (1 - h) 2 (m a + n b / B)  +  a log2(ranks) / k
"""
import math
import sys

# Measured or counted; SCALING.md says how.
c = 80e-9             # s, a step of a ball on one core, rebuilds among it
e = 0.34              # layers: 0.457 of the contacts cross a layer's end, and pairs are 3/4 of a step
q = 0.05              # share of a rank's work that runs on one thread
m = 1                 # messages each way at a face
b = 96                # bytes a ghost
k = 20                # steps between rebuilds, each with a collective call
h = 0.0               # share of the messages' time that is hidden: none, as bench halo found
# Of a network, not measured here.
a = 2e-6              # s, latency
B = 5e9               # bytes/s
volume = 1.095e-7     # m^3 a ball of the dense bed, pores included
thick = 5.6e-3        # m, a layer of it


def best(cores, layers, n, threads):
    """Fewest seconds a step, with ranks x threads up to the cores; threads: the most of a rank."""
    least = None
    for t in (x for x in (1, 2, 4, 8, 16, 32, 64) if x <= threads):
        ranks = min(cores // t, max(1, layers // 2))
        if ranks < 1:
            continue
        s = math.ceil(layers / ranks)
        t = min(t, s)
        both = e if ranks > 1 else 0
        w = (1 - q) * (math.ceil(s / t) + both / t) + q * (s + both)
        seconds = n * c * w
        if ranks > 1:
            seconds += (1 - h) * 2 * (m * a + n * b / B) + a * math.log2(ranks) / k
        if least is None or seconds < least[0]:
            least = (seconds, ranks, t)
    return least


def shape(balls, aspect):
    """Layers, and balls of each, of a box that is `aspect` times as high as wide."""
    side = (balls * volume / aspect) ** (1 / 3)
    layers = max(1, int(side * aspect / thick))
    return layers, balls / layers


def table(header, rows):
    return "\n".join("| " + " | ".join(row) + " |" for row in [header, ["---"] * len(header), *rows])


def strong():
    rows = []
    for name, balls, aspect in (("1 M, cube", 1e6, 1), ("5.1 M, cube", 5.1e6, 1), ("5.1 M, 4 times as high as wide", 5.1e6, 4),
                                ("20 M, 4 times as high as wide", 20e6, 4)):
        layers, n = shape(balls, aspect)
        alone = balls * c
        for cores in (2, 16, 64, 256, 1000, 2048):
            cells = [name, str(layers), f"{n:.0f}", str(cores)]
            for threads in (1, 64):
                seconds, ranks, t = best(cores, layers, n, threads)
                cells += [f"{ranks} x {t}", f"{alone / seconds / cores:.2f}", f"{2 / math.ceil(layers / ranks) if ranks > 1 else 0:.2f}"]
            rows.append(cells)
    return table(["balls", "layers", "of", "cores", "ranks alone", "efficiency", "ghost share", "ranks x threads", "efficiency", "ghost share"], rows)


def weak():
    rows = []
    for per_rank, layers in ((1e5, 4), (1e5, 16), (1e6, 4), (1e6, 16)):
        cells = [f"{per_rank:.0f}", str(layers)]
        for ranks in (2, 16, 128, 1000):
            seconds = best(ranks, layers * ranks, per_rank / layers, 1)[0]
            cells.append(f"{per_rank * c / seconds:.2f}")
        rows.append(cells)
    return table(["balls a rank", "layers a rank", "2 ranks", "16", "128", "1000"], rows)


def fill(text, name, body):
    begin, end = f"<!-- generated: {name} -->", "<!-- end -->"
    head, rest = text.split(begin, 1)
    return head + begin + "\n\n" + body + "\n\n" + end + rest.split(end, 1)[1]


if __name__ == "__main__":
    if len(sys.argv) == 1:
        print(strong(), weak(), sep="\n\n")
    else:
        with open(sys.argv[1], encoding="utf-8") as page:
            text = page.read()
        text = fill(fill(text, "strong", strong()), "weak", weak())
        with open(sys.argv[1], "w", encoding="utf-8") as page:
            page.write(text)
