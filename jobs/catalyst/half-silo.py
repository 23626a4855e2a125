"""The silo cut in half, balls coloured by their speed (as figures 6 and 7 of Lazarević 2002)."""
import os
import sys

sys.path.insert(0, os.environ["GRANARY_SCRIPTS"])
from paraview import catalyst, simple

import granary_facts as facts
import granary_scene

scene = granary_scene.Scene("half-silo")
balls = simple.TrivialProducer(registrationName="balls")
walls = simple.TrivialProducer(registrationName="walls")
shown = scene.show_balls(scene.half(balls, "balls"))
scene.show_grains()
scene.show_walls(walls)
colours = scene.colour(shown, "velocity", "speed, m/s", magnitude=True)
options = catalyst.Options()


def catalyst_execute(info):
    scene.scale(colours, max(facts.fastest, 0.01))
    scene.ready()
