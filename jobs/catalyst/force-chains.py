"""The silo cut in half, contacts that are pressed harder than the mean as rods between the centres: the harder, the thicker and the darker."""
import os
import sys

sys.path.insert(0, os.environ["GRANARY_SCRIPTS"])
from paraview import catalyst, simple

import granary_facts as facts
import granary_scene

scene = granary_scene.Scene("force-chains")
contacts = simple.TrivialProducer(registrationName="contacts")
walls = simple.TrivialProducer(registrationName="walls")
strong = simple.Threshold(registrationName="strong contacts", Input=scene.half(contacts, "contacts"))
strong.Scalars = ["POINTS", "force"]
strong.ThresholdMethod = "Above Upper Threshold"
lines = simple.ExtractSurface(registrationName="strong lines", Input=strong)
thick = simple.Calculator(registrationName="thickness", Input=lines, ResultArrayName="thickness", Function="force")
rods = simple.Tube(registrationName="rods", Input=thick)
rods.Scalars = ["POINTS", "thickness"]
rods.Vectors = ["POINTS", ""]
rods.VaryRadius = "By Absolute Scalar"
rods.NumberofSides = 6
shown = simple.Show(rods, scene.view)
shown.SetRepresentationType("Surface")
scene.show_walls(walls)
colours = scene.colour(shown, "force", "contact force, N")
options = catalyst.Options()


def catalyst_execute(info):
    top = scene.scale(colours, max(8 * facts.mean_force, 1e-9))  # few are stronger
    strong.UpperThreshold = max(facts.mean_force, 1e-30)
    thick.Function = f"{0.7 * facts.largest_radius:.6g}*sqrt(min(force/{top:.6g},1))"
    scene.ready()
