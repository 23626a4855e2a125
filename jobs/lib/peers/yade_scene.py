"""Run by Yade: the scene of a file scene.json, and what became of it into result.json. Yade runs in threads, not in ranks."""
import json
import math
import os
import time

from yade import ymport, utils

with open("scene.json") as file:
    scene = json.load(file)
lift = scene["lift"]   # the cell of a periodic scene begins at zero
material = O.materials.append(FrictMat(density=scene["density"], young=scene["young"], poisson=scene["poisson"],
                                       frictionAngle=math.atan(scene["friction"]), label="grain"))
shapes, grids = [Bo1_Sphere_Aabb()], [Ig2_Sphere_Sphere_ScGeom()]
if scene["periodic"]:
    size = scene["size"]
    O.periodic = True
    O.cell.setBox(*size)
    shapes.append(Bo1_Wall_Aabb())
    grids.append(Ig2_Wall_Sphere_ScGeom())
    # At a wall Yade puts half the radius of the ball for R*. A stiffer floor makes up for it: E* sqrt(R*) is then that of the others.
    O.materials.append(FrictMat(density=scene["density"], young=scene["young"] / (math.sqrt(2) - 1), poisson=scene["poisson"],
                                frictionAngle=math.atan(scene["friction"]), label="floor"))
    floor = O.bodies.append(utils.wall(lift, axis=2, sense=1, material="floor"))
else:
    shapes.append(Bo1_Facet_Aabb())
    grids.append(Ig2_Facet_Sphere_ScGeom())
    O.bodies.append(ymport.stl(scene["stl"], scale=0.001, material="grain"))
with open("balls.txt") as file:
    for line in file:
        x, y, z, r = (float(word) for word in line.split())
        O.bodies.append(utils.sphere((x, y, z + lift), r, material="grain"))
# Shares of critical damping of the tangent stiffnesses, not `en`, which would give the tangential damper the factor of the normal one.
damper = MatchMaker(algo="val", val=scene["damping"])
collider = InsertionSortCollider(shapes, verletDist=scene["skin"], allowBiggerThanPeriod=True)
O.engines = [
    ForceResetter(), collider,
    InteractionLoop(grids, [Ip2_FrictMat_FrictMat_MindlinPhys(betan=damper, betas=damper)], [Law2_ScGeom_MindlinPhys_Mindlin()]),
    NewtonIntegrator(gravity=(0, 0, -scene["gravity"]), damping=0)]
O.dt = scene["dt"]
O.timingEnabled = True
O.run(1, True)                     # the first search sorts everything
first_time, first_sort = sum(engine.execTime for engine in O.engines), collider.execTime
os.system("sh mark .")
begin = time.time()
O.run(scene["steps"] - 1, True)
wall = time.time() - begin
os.system("sh mark .")
total = sum(engine.execTime for engine in O.engines) - first_time
touching = [i for i in O.interactions if i.isReal and i.geom.penetrationDepth > 0
            and isinstance(O.bodies[i.id1].shape, Sphere) and isinstance(O.bodies[i.id2].shape, Sphere)]
result = {"wall": wall, "steps": scene["steps"] - 1, "neighbour": (collider.execTime - first_sort) / total, "contacts": len(touching),
          "kinetic": utils.kineticEnergy(), "rebuilds": collider.numAction if hasattr(collider, "numAction") else None}
if scene["periodic"]:
    result["floor_force"] = -O.forces.f(floor)[2]
with open("result.json", "w") as file:
    json.dump(result, file)
