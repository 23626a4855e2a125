"""Whole bonds as rods between the centres of their bodies, coloured by the share of their strength that they bear: those near 1 break next. Balls are
small, so that a crack shows as a gap between rods."""
import os
import sys

sys.path.insert(0, os.environ["GRANARY_SCRIPTS"])
from paraview import catalyst, simple

import granary_facts as facts
import granary_scene

THIN = 0.35  # of the radius of a ball
scene = granary_scene.Scene("broken-bonds")
balls = simple.TrivialProducer(registrationName="balls")
bonds = simple.TrivialProducer(registrationName="bonds")
walls = simple.TrivialProducer(registrationName="walls")
small = scene.show_balls(scene.half(balls, "balls"))
small.GaussianRadius = THIN
small.ColorArrayName = ["POINTS", ""]
small.AmbientColor = small.DiffuseColor = [0.62, 0.63, 0.66]
rods = simple.Tube(registrationName="rods of bonds", Input=scene.half(bonds, "bonds"))
rods.Scalars = ["POINTS", "share"]
rods.Vectors = ["POINTS", ""]
rods.VaryRadius = "Off"
rods.NumberofSides = 6
shown = simple.Show(rods, scene.view)
shown.SetRepresentationType("Surface")
scene.show_walls(walls)
colours = scene.colour(shown, "share", "share of strength")
options = catalyst.Options()


def catalyst_execute(info):
    scene.scale(colours, 1.0)
    rods.Radius = 0.25 * facts.largest_radius
    scene.ready(f", {facts.bonds} bonds, {facts.broken} broken")
