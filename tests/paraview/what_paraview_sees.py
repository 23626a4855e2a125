"""What ParaView finds in a folder of results: opens frames.pvd and walls.pvd as a user would, prints what is there.

    pvpython what_paraview_sees.py FOLDER [--expect FILE.json] [--picture FILE.png] [--outlet Z]

Prints JSON. Without a display: xvfb-run -a pvpython ... With --expect, every entry of the JSON file must be found as
it stands there (numbers to a relative 1e-5, float32 being what frames hold); a difference ends the program with exit
code 1. --picture also draws the last frame, the balls as points of their radius, the walls half transparent. --outlet
also counts the balls above a height: below it they are counted out, but stay in the frames until the next rebuild.
"""
import argparse
import json
import math
import os
import sys

from paraview import servermanager, simple
from vtk.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkDataArray


def opened(path):
    reader = simple.OpenDataFile(path)
    if reader is None:
        sys.exit(f"{path}: ParaView finds no reader for it")
    return reader, [float(t) for t in reader.TimestepValues]


def data_at(reader, time):
    reader.UpdatePipeline(time)
    data = servermanager.Fetch(reader)
    if data.GetClassName() != "vtkPolyData":
        sys.exit(f"expected vtkPolyData at time {time}, found {data.GetClassName()}")
    return data


def look_at_frames(path, outlet):
    reader, times = opened(path)
    found = {"times": times, "balls": [], "cells": [], "cell_points": [], "time_values": [], "steps": [],
             "largest_id": [], "above_outlet": [], "sums": {}}
    for time in times:
        data = data_at(reader, time)
        points = data.GetPointData()
        found["balls"].append(data.GetNumberOfPoints())
        found["cells"].append(data.GetNumberOfVerts())
        found["cell_points"].append(data.GetCell(0).GetNumberOfPoints() if data.GetNumberOfCells() else 0)
        found["time_values"].append(data.GetFieldData().GetArray("TimeValue").GetValue(0))
        found["steps"].append(int(data.GetFieldData().GetArray("step").GetValue(0)))
        arrays = {points.GetArray(k).GetName(): points.GetArray(k) for k in range(points.GetNumberOfArrays())}
        found["fields"] = sorted(arrays)
        found["types"] = {name: array.GetDataTypeAsString() for name, array in arrays.items()}
        found["units"] = {name: array.GetInformation().Get(vtkDataArray.UNITS_LABEL()) for name, array in arrays.items()
                          if array.GetInformation().Has(vtkDataArray.UNITS_LABEL())}
        if data.GetPoints():
            arrays["position"] = data.GetPoints().GetData()
            heights = vtk_to_numpy(arrays["position"])[:, 2]
            found["above_outlet"].append(int((heights >= outlet).sum()))
        else:
            found["above_outlet"].append(0)
        for name, array in arrays.items():
            values = vtk_to_numpy(array).astype(float).reshape(-1, array.GetNumberOfComponents())
            found["sums"].setdefault(name, []).append(values.sum(axis=0).tolist())
        if "id" in arrays:
            ids = vtk_to_numpy(arrays["id"])
            found["largest_id"].append(int(ids.max()) if len(ids) else None)
    return found, reader


def look_at_walls(path):
    reader, times = opened(path)
    found = {"wall_times": times, "wall_cells": [], "wall_names": [], "wall_numbers": [], "wall_bounds": []}
    for time in times:
        data = data_at(reader, time)
        names = data.GetFieldData().GetAbstractArray("wall_name")
        numbers = data.GetCellData().GetArray("wall")
        found["wall_cells"].append(data.GetNumberOfPolys())
        found["wall_names"].append([names.GetValue(k) for k in range(names.GetNumberOfValues())])
        found["wall_numbers"].append(sorted({int(n) for n in vtk_to_numpy(numbers)}) if numbers else [])
        found["wall_bounds"].append(list(data.GetBounds()))
    return found, reader


def same(expected, found):
    if isinstance(expected, list):
        return isinstance(found, list) and len(expected) == len(found) and all(map(same, expected, found))
    if isinstance(expected, dict):
        return isinstance(found, dict) and all(key in found and same(expected[key], found[key]) for key in expected)
    if isinstance(expected, float):
        return isinstance(found, (int, float)) and math.isclose(expected, found, rel_tol=1e-5, abs_tol=1e-6)
    return expected == found


def draw(frames, walls, time, path):
    view = simple.CreateRenderView(ViewSize=[900, 900])
    balls = simple.Show(frames, view)
    balls.SetRepresentationType("Point Gaussian")
    balls.ShaderPreset = "Sphere"
    balls.ScaleByArray = 1
    balls.SetScaleArray = ["POINTS", "radius"]
    balls.UseScaleFunction = 0  # the array is the radius itself
    balls.GaussianRadius = 1.0
    simple.ColorBy(balls, ("POINTS", "velocity", "Magnitude"))
    if walls:
        surface = simple.Show(walls, view)
        surface.Opacity = 0.2
        simple.ColorBy(surface, None)
    view.ViewTime = time
    view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = [1, -4, 1.5], [0, 0, 0], [0, 0, 1]
    simple.ResetCamera(view)
    balls.RescaleTransferFunctionToDataRange()
    simple.SaveScreenshot(path, view)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder")
    parser.add_argument("--expect", metavar="FILE.json")
    parser.add_argument("--picture", metavar="FILE.png")
    parser.add_argument("--outlet", metavar="Z", type=float, default=-math.inf)
    given = parser.parse_args()

    found, frames = look_at_frames(os.path.join(given.folder, "frames.pvd"), given.outlet)
    walls = None
    if os.path.exists(os.path.join(given.folder, "walls.pvd")):
        of_walls, walls = look_at_walls(os.path.join(given.folder, "walls.pvd"))
        found.update(of_walls)
    with open(1, "w", encoding="utf-8", closefd=False) as out:  # pvpython's own stdout keeps the end back
        out.write(json.dumps(found, indent=1) + "\n")
    if given.picture:
        draw(frames, walls, found["times"][-1], given.picture)
    if not given.expect:
        return 0
    with open(given.expect, encoding="utf-8") as file:
        expected = json.load(file)
    wrong = [key for key in expected if key not in found or not same(expected[key], found[key])]
    for key in wrong:
        print(f"{key}: expected {expected[key]}, ParaView finds {found.get(key)}", file=sys.stderr)
    return 1 if wrong else 0


code = main()
sys.stdout.flush()
sys.stderr.flush()
os._exit(code)  # taking down a view fails under xvfb (GLXBadContext), after everything is done
