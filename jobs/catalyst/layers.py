"""The silo cut in half, balls in the layers where they resided when a probe of type bands looked, or, without one, in the order in which they came in: how the
layers bend shows how the grain flows."""
import os
import sys

sys.path.insert(0, os.environ["GRANARY_SCRIPTS"])
from paraview import catalyst, simple

import granary_facts as facts
import granary_scene

N_LAYERS = 16  # of balls without bands
scene = granary_scene.Scene("layers")
balls = simple.TrivialProducer(registrationName="balls")
walls = simple.TrivialProducer(registrationName="walls")
shown = scene.show_balls(scene.half(balls, "balls"))
scene.show_walls(walls)
by = "band" if facts.bands > 0 else "id"
colours = scene.colour(shown, by, "layer")
colours.ColorSpace = "Step"
options = catalyst.Options()


def catalyst_execute(info):
    global by, colours
    if by == "id" and facts.bands > 0:  # a probe has looked since
        by = "band"
        colours = scene.colour(shown, by, "layer")
        colours.ColorSpace = "Step"
    n = facts.bands if by == "band" else N_LAYERS
    thick = 1.0 if by == "band" else max(1.0, facts.ids / N_LAYERS)
    colours.RGBPoints = [x for k in range(n + 1) for x in (k * thick, *granary_scene.layer_colour(min(k, n - 1), n))]
    # The legend names the layers, not the numbers of balls: the lowest is 1.
    bar = simple.GetScalarBar(colours, scene.view)
    every = 1 if n <= 10 else (n + 9) // 10
    colours.Annotations = [text for k in range(0, n, every) for text in (f"{(k + 0.5) * thick:g}", str(k + 1))]
    bar.DrawTickLabels, bar.DrawTickMarks, bar.AddRangeLabels, bar.DrawAnnotations = 0, 0, 0, 1
    colours.UseAboveRangeColor, colours.AboveRangeColor = 1, granary_scene.STEEL  # balls that came later have no band
    scene.ready(f" in {n} layers" + (", as they lay" if by == "band" else ", as they came in"))
