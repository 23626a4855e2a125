"""Tables of jobs/compare-peers: speeds, and what must agree before speeds may be compared."""
import statistics

law_names = {"hertz": "Hertz", "linear": "linear"}
lammps_names = {"hertz": "`gran/hertz/history`", "linear": "`gran/hooke/history`", "mindlin": "`granular`, Mindlin"}
own_law = {"hertz": "hertz", "linear": "linear", "mindlin": "hertz"}   # law of Granary beside it


class Entry:
    """All repeats of one program, law and number of ranks."""

    def __init__(self, scene, code, law, ranks):
        self.scene, self.code, self.law, self.ranks = scene, code, law, ranks
        self.results = []

    @property
    def last(self):
        return self.results[-1]

    def median(self, what):
        return statistics.median(getattr(r, what) for r in self.results)


def law_name(entry):
    return (lammps_names if entry.code.startswith("lammps") else law_names)[entry.law]


def counted(ranks):
    return f"{ranks} rank" + ("s" if ranks > 1 else "")


def reference(entries, entry):
    return next((e for e in entries if e.code == "granary" and e.scene == entry.scene and e.ranks == entry.ranks
                 and e.law == own_law[entry.law] and e.results), None)


def grouped(n):
    return f"{n:,}".replace(",", " ")


def speed_rows(entries, labels):
    head = ["case", "program", "law", "ranks", "balls", "steps", "M ball-steps/s", "the same per CPU second", "least to most", "bytes a ball",
            "contacts a ball", "neighbour work", "searches", "Granary over it, by CPU time", "by wall clock"]
    rows = []
    for e in entries:
        if not e.results:
            continue
        r, own = e.last, reference(entries, e)
        cpu = [1e-6 * x.cpu_rate for x in e.results]
        rows.append([
            e.scene, labels[e.code], law_name(e), f"{e.ranks}" + (" threads" if e.code == "yade" and e.ranks > 1 else ""),
            grouped(r.balls), grouped(r.steps), f"{1e-6 * e.median('wall_rate'):.3g}", f"{1e-6 * e.median('cpu_rate'):.3g}",
            f"{min(cpu):.3g} to {max(cpu):.3g}", f"{r.bytes / r.balls:.0f}", f"{2 * r.contacts / r.balls:.2f}", f"{100 * r.neighbour:.1f} %",
            "" if r.rebuilds is None else f"{r.rebuilds:.0f}",
            "1" if own is e else f"{own.median('cpu_rate') / e.median('cpu_rate'):.2f}" if own else "",
            "1" if own is e else f"{own.median('wall_rate') / e.median('wall_rate'):.2f}" if own else ""])
    return head, rows


class Limits:
    """How far a peer may be from Granary, as a share. In the bed all start from the same balls and laws agree up to the damper, so the results
    agree closely; a discharge is chaotic, and a facet or round wall takes part in it."""
    contacts, kinetic, floor, out = 0.005, 0.10, 0.01, 0.05


def deviation(value, own):
    return value / own - 1 if own else 0.0


def kinetic_at(own, step):
    """Kinetic energy of Granary at the step that a slower program has reached, between rows of its series."""
    for (s0, e0), (s1, e1) in zip(own.series, own.series[1:]):
        if s0 <= step <= s1:
            return e0 + (e1 - e0) * (step - s0) / (s1 - s0)
    return own.kinetic


def check_rows(entries, labels, limits):
    """Header, rows, and the complaints about what does not agree."""
    head = ["case", "program", "law", "ranks", "contacts a ball", "kinetic energy a ball, J", "force on the floor / weight", "discharged",
            "beside Granary"]
    rows, complaints = [], []
    for e in entries:
        own = reference(entries, e)
        if not e.results or own is None:
            continue
        r, o = e.last, own.last
        partial = e.code == "yade" and e.scene == "silo"   # fewer steps: only the kinetic energy at that step can be compared
        texts, bad = [], []

        def compare(what, difference, limit):
            texts.append(f"{what} {100 * difference:+.2g} %")
            if not abs(difference) <= limit:
                bad.append(f"{what} differs by {100 * difference:+.2g} %, more than {100 * limit:g} %")

        if e is not own:
            own_kinetic = kinetic_at(o, r.steps + 1) if partial else o.kinetic
            if not partial and e.scene == "bed":
                compare("contacts", deviation(r.contacts / r.balls, o.contacts / o.balls), limits.contacts)
            compare("energy", deviation(r.kinetic / r.balls, own_kinetic / o.balls), limits.kinetic)
            if r.floor is not None:
                compare("floor", deviation(r.floor, o.floor), limits.floor)
            if r.out is not None:
                compare("discharged", deviation(r.out, o.out), limits.out)
        rows.append([e.scene, labels[e.code], law_name(e), str(e.ranks), f"{2 * r.contacts / r.balls:.3f}", f"{r.kinetic / r.balls:.4g}",
                     "" if r.floor is None else f"{r.floor:.4f}", "" if r.out is None else f"{100 * r.out:.2f} %",
                     "" if e is own else ("DIFFERS: " if bad else "agrees: ") + ", ".join(texts)])
        complaints += [f"{labels[e.code]}, {e.scene}, {law_name(e)}, {counted(e.ranks)}: {b}" for b in bad]
    return head, rows, complaints


def plain(head, rows):
    rows = [[c.replace("`", "") for c in row] for row in rows]
    # A header stands in as many lines as it needs to be no wider than its column.
    widths = [max(max((len(row[k]) for row in rows), default=0), max(len(w) for w in head[k].split())) for k in range(len(head))]
    heads = []
    for text, width in zip(head, widths):
        lines = [""]
        for word in text.split():
            if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
                lines.append(word)
            else:
                lines[-1] = (lines[-1] + " " + word).strip()
        heads.append(lines)
    depth = max(len(lines) for lines in heads)
    out = [[(lines[k] if k < len(lines) else "") for lines in heads] for k in range(depth)] + rows
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in out)


def markdown(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(row) + " |" for row in lines)


def fill_region(path, name, text):
    """Between `<!-- generated: NAME -->` and `<!-- end -->` of a page."""
    with open(path) as file:
        page = file.read()
    mark, end = f"<!-- generated: {name} -->", "<!-- end -->"
    if mark not in page or end not in page[page.index(mark):]:
        raise ValueError(f"{path}: no region '{mark}' ... '{end}'")
    begin = page.index(mark) + len(mark)
    with open(path, "w") as file:
        file.write(page[:begin] + "\n\n" + text + "\n\n" + page[page.index(end, begin):])
