"""Figures 19 to 21 and the tables of tests/benchmarks/CLUSTERS.md, from the rows of `granary bench clusters`. Used by jobs/figures."""
import matplotlib.pyplot as plt

names = "ABCDEF"
distributions = (1, 2, 3, 4)
density = {1: "10 000 balls, 1 000 clusters, tight", 2: "10 000 balls, 1 000 clusters, loose", 3: "5 500 balls, 5 500 clusters, tight",
           4: "5 500 balls, 5 500 clusters, loose"}
styles = {"two-level": ("C0", "-", "two-level"), "mr": ("C1", "-", "flat, MR"), "mmr": ("C2", "-", "flat, MMR"),
          "flat-max": ("C3", "-", "paper's flat grid, largest diameter (8)"), "flat-min": ("C4", "-", "paper's flat grid, smallest diameter (10), (11)"),
          "two-level-grid": ("C5", "--", "two-level, a secondary grid always"),
          "two-level-local": ("C6", ":", "the same in the local frame (18), (19)")}
ours = ("two-level", "mr", "mmr")


def one(rows, distribution, cluster, detector):
    return next((r for r in rows if r["distribution"] == distribution and r["cluster"] == cluster and r["detector"] == detector), None)


def best_flat(rows, distribution, cluster):
    return min((one(rows, distribution, cluster, d) for d in ("mr", "mmr")), key=lambda r: r["total_ms"])


def figure_19(rows):
    """Time by cluster, one panel a distribution; the paper's own as thin lines."""
    figure, panels = plt.subplots(1, 4, figsize=(12, 3.4), sharey=True)
    for axes, d in zip(panels, distributions):
        for detector, (colour, line, label) in styles.items():
            axes.plot(list(names), [one(rows, d, c, detector)["total_ms"] for c in names], color=colour, ls=line, marker="o", label=label)
        for detector, column, label in [("two-level", "C0", "paper, table 9"), ("flat-max", "C3", "paper, table 10")]:
            axes.plot(list(names), [one(rows, d, c, detector)["paper_total_ms"] for c in names], color=column, lw=0.7, ls="-.", label=label)
        axes.set(title=f"Figure 19: distribution {d}", xlabel="cluster", yscale="log")
    panels[0].set_ylabel("time of a search, ms")
    return figure, panels[0]


def figure_20(rows):
    """Cluster F by distribution, the parts stacked."""
    shown = ("two-level", "mr", "mmr", "flat-max", "flat-min")
    figure, panels = plt.subplots(1, len(shown), figsize=(12, 2.9))
    for axes, detector in zip(panels, shown):
        found = [one(rows, d, "F", detector) for d in distributions]
        grid = [r["subdivision_ms"] for r in found]
        axes.bar([str(d) for d in distributions], grid, color="C7", label="grid subdivision")
        axes.bar([str(d) for d in distributions], [r["resolution_ms"] for r in found], bottom=grid, color=styles[detector][0], label="contact resolution")
        axes.set(title=f"Figure 20: {detector}, cluster F", xlabel="distribution")
        axes.legend()
    panels[0].set_ylabel("time, ms")
    return figure, None


def figure_21(rows):
    """Total time in all cases, side by side."""
    figure, axes = plt.subplots(figsize=(10, 3.3))
    cases = [(d, c) for d in distributions for c in names]
    shown = ("two-level", "mr", "mmr", "flat-max", "flat-min")
    for k, detector in enumerate(shown):
        axes.bar([i + 0.16 * (k - 2) for i in range(len(cases))], [one(rows, d, c, detector)["total_ms"] for d, c in cases], 0.15,
                 color=styles[detector][0], label=styles[detector][2])
    axes.set_xticks(range(len(cases)), [f"{d}{c}" for d, c in cases])
    axes.set(title="Figure 21: total time of a search", ylabel="time, ms", yscale="log")
    axes.legend(ncol=3)
    return figure, None


def times_text(rows, table, big):
    lines = []
    for d in distributions:
        for c in names:
            two = one(rows, d, c, "two-level")
            line = [f"{d}{c}", big(two["bodies"]), f"{two['bodies'] / (two['singles'] + two['clusters']):.1f}"]
            line += [f"{two['subdivision_ms']:.2f} + {two['resolution_ms']:.2f} = **{two['total_ms']:.2f}**"]
            line += [f"{one(rows, d, c, x)['total_ms']:.2f}" for x in ("mr", "mmr")]
            line += ["{subdivision_ms:.2f} + {resolution_ms:.1f} = {total_ms:.1f}".format(**one(rows, d, c, x)) for x in ("flat-max", "flat-min")]
            line += [f"{best_flat(rows, d, c)['total_ms'] / two['total_ms']:.2f}", f"{one(rows, d, c, 'flat-max')['total_ms'] / two['total_ms']:.1f}",
                     f"{one(rows, d, c, 'flat-max')['paper_total_ms'] / two['paper_total_ms']:.1f}"]
            lines.append(line)
    return table(["case", "bodies", "bodies a unit", "two-level, ms: subdivision + resolution", "mr, ms", "mmr, ms", "flat-max, ms", "flat-min, ms",
                  "better of mr, mmr / two-level", "flat-max / two-level", "the same in the paper"], lines)


def counts_text(rows, table, big):
    lines = []
    for d in distributions:
        for c in names:
            two = one(rows, d, c, "two-level")
            line = [f"{d}{c}"] + [big(two[x]) for x in ("sphere_tests", "single_single", "single_cluster", "cluster_cluster", "k", "element_tests")]
            line += [big(one(rows, d, c, "two-level-grid")["element_tests"]), big(one(rows, d, c, "two-level-local")["element_tests"])]
            line += [big(one(rows, d, c, x)["element_tests"]) for x in ("mr", "flat-max", "flat-min")] + [big(two["pairs"])]
            lines.append(line)
    return table(["case", "sphere tests", "ball–ball", "ball–cluster", "cluster–cluster", "k", "element tests: two-level", "with grids", "with grids, local frame",
                  "mr", "flat-max", "flat-min", "pairs found"], lines)


def frame_text(rows, table, big):
    lines = []
    for d in distributions:
        for c in names:
            along, turned = one(rows, d, c, "two-level-grid"), one(rows, d, c, "two-level-local")
            lines.append([f"{d}{c}", f"{one(rows, d, c, 'two-level')['total_ms']:.2f}", f"{along['total_ms']:.2f}", f"{turned['total_ms']:.2f}",
                          f"{turned['total_ms'] / along['total_ms']:.3f}", f"{turned['element_tests'] / along['element_tests']:.4f}"])
    return table(["case", "side by side, ms", "grid along the global axes, ms", "grid in the local frame, ms", "time, local / global",
                  "element tests, local / global"], lines)


def ratios_text(rows, table, big):
    """What the paper's conclusions speak of."""
    def ratio(detector, over, under, column="total_ms"):
        a, b = one(rows, *over, detector), one(rows, *under, detector)
        return a[column] / b[column] if a and b and column in a else None
    lines = []
    questions = [("F over A, distribution 3", (3, "F"), (3, "A")), ("F over A, distribution 1", (1, "F"), (1, "A")),
                 ("distribution 3 over 1, F", (3, "F"), (1, "F")), ("distribution 4 over 2, F", (4, "F"), (2, "F")),
                 ("tight over loose: 1 over 2, F", (1, "F"), (2, "F")), ("tight over loose: 3 over 4, F", (3, "F"), (4, "F"))]
    for text, over, under in questions:
        line = [text] + [f"{ratio(x, over, under):.2f}" for x in (*ours, "flat-max", "flat-min")]
        line += [f"{ratio(x, over, under, 'paper_total_ms'):.2f}" for x in ("two-level", "flat-max")]
        lines.append(line)
    return table(["ratio of total times", *ours, "flat-max", "flat-min", "paper, multi-level", "paper, single-level"], lines)


def goal_text(rows):
    two, flat = one(rows, 3, "F", "two-level"), best_flat(rows, 3, "F")
    least = min(two["total_ms"], flat["total_ms"])
    return (f"- one search of distribution 3, cluster F, {two['bodies']:.0f} bodies: two-level {two['total_ms']:.1f} ms, the better flat detector "
            f"({flat['detector']}) {flat['total_ms']:.1f} ms; the paper's multi-level grid {two['paper_total_ms']:.0f} ms.\n"
            f"- the better of the two takes 1/{two['paper_total_ms'] / least:.1f} of the paper's time (wanted: at most 1/20, {two['paper_total_ms'] / 20:.1f} ms): "
            f"{'holds' if least <= two['paper_total_ms'] / 20 else 'does NOT hold'}.\n")


def draw(rows, out, legend_below):
    for name, make in [("huang-19", figure_19), ("huang-20", figure_20), ("huang-21", figure_21)]:
        figure, axes = make(rows)
        if axes is not None:
            legend_below(figure, axes)
        out.save(figure, name)


def texts(rows, table, big):
    return {"cluster-times": times_text(rows, table, big), "cluster-counts": counts_text(rows, table, big),
            "cluster-frame": frame_text(rows, table, big), "cluster-ratios": ratios_text(rows, table, big), "cluster-goal": goal_text(rows)}
