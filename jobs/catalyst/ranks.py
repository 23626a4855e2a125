"""Who computes what: all balls coloured by their rank, and the boundaries between the ranks."""
import os
import sys

sys.path.insert(0, os.environ["GRANARY_SCRIPTS"])
from paraview import catalyst, simple

import granary_facts as facts
import granary_scene

RANKS = [(0.11, 0.37, 0.66), (0.85, 0.45, 0.15), (0.20, 0.60, 0.33), (0.62, 0.25, 0.62), (0.80, 0.70, 0.20), (0.30, 0.65, 0.72)]
N_COLOURS = 60  # ranks beyond have the last one
scene = granary_scene.Scene("ranks")
balls = simple.TrivialProducer(registrationName="balls")
slabs = simple.TrivialProducer(registrationName="slabs")
shown = scene.show_balls(balls)
scene.show_grains(cut=False)
scene.show_plain(slabs, granary_scene.INK, "Wireframe")
colours = scene.colour(shown, "rank")
colours.ColorSpace = "Step"
colours.RGBPoints = [x for k in range(N_COLOURS + 1) for x in (k, *RANKS[k % len(RANKS)])]
options = catalyst.Options()


def catalyst_execute(info):
    scene.ready(" by rank")
