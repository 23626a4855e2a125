"""The walls cut in half, seen from within, coloured by the pressure of the grain at this moment."""
import os
import sys

sys.path.insert(0, os.environ["GRANARY_SCRIPTS"])
from paraview import catalyst, simple

import granary_facts as facts
import granary_scene

scene = granary_scene.Scene("wall-pressure")
walls = simple.TrivialProducer(registrationName="walls")
shown = simple.Show(scene.half(walls, "walls"), scene.view)
shown.SetRepresentationType("Surface")
colours = scene.colour(shown, "pressure", "pressure, Pa")
shown.Ambient, shown.Diffuse = 0.55, 0.45
options = catalyst.Options()


def catalyst_execute(info):
    scene.scale(colours, max(facts.most_pressure, 1.0), granary_scene.PRESSED)
    scene.ready()
