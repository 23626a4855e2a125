"""The silo cut in half. Balls are coloured by the layer in which they were when a probe of type bands began, or, without such a probe, by
the order in which they were inserted. The shape of the layers shows how the grain flows."""
import os
import sys

sys.path.insert(0, os.environ["GRANARY_SCRIPTS"])
from paraview import catalyst, simple

import granary_facts as facts
import granary_scene

N_LAYERS = 16  # of balls without bands
MOST_LABELS = 12
scene = granary_scene.Scene("layers")
balls = simple.TrivialProducer(registrationName="balls")
walls = simple.TrivialProducer(registrationName="walls")
shown = scene.show_balls(scene.half(balls, "balls"))
scene.show_grains()
scene.show_walls(walls)
options = catalyst.Options()
by, colours, bar = "", None, None
n_bands = 0


def colour_by(array):
    """One legend at a time: the bar of the array before is removed."""
    global by, colours, bar
    if bar:
        bar.Visibility = 0
    by = array
    colours = scene.colour(shown, by, "layer")
    bar = simple.GetScalarBar(colours, scene.view)
    bar.DrawTickLabels, bar.DrawTickMarks, bar.AddRangeLabels, bar.DrawAnnotations = 0, 0, 0, 1


colour_by("band" if facts.bands > 0 else "id")


def catalyst_execute(info):
    global n_bands
    n_bands = max(n_bands, facts.bands)  # 0 again when all balls have left
    if by == "id" and n_bands > 0:  # the probe has begun since the last picture
        colour_by("band")
    n = n_bands if by == "band" else N_LAYERS
    thick = 1.0 if by == "band" else max(1.0, facts.ids / N_LAYERS)
    steps = [granary_scene.layer_colour(k, n) for k in range(n)]
    every = (n + MOST_LABELS - 1) // MOST_LABELS
    labels = [(k, str(k + 1)) for k in range(0, n, every)]  # the lowest layer is 1
    if by == "band":  # balls that were inserted later have the band 65535, above all others
        steps.append(granary_scene.STEEL)
        labels.append((n, "later"))
    # Layer k holds the numbers from k * thick to less than (k + 1) * thick. Each has two points of one colour, so that none are mixed.
    ends = lambda k: ((k + 0.001) * thick - 0.5, (k + 0.999) * thick - 0.5)
    colours.RGBPoints = [x for k, rgb in enumerate(steps) for end in ends(k) for x in (end, *rgb)]
    colours.Annotations = [text for k, label in labels for text in (f"{(k + 0.5) * thick - 0.5:g}", label)]
    scene.ready(f", {n} layers" + ("" if by == "band" else " by order of insertion"))
