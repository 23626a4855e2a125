"""What ParaView finds in the fields of a probe: opens field-NAME.pvd as a user would, prints what is there, one line a time:

    time, cells, mass on the grid (density times volume), largest packing fraction, names of the arrays with their components

    pvpython what_paraview_sees_of_fields.py FOLDER/field-NAME.pvd
"""
import os
import sys

from paraview import servermanager, simple
from vtk.util.numpy_support import vtk_to_numpy


def main(path):
    reader = simple.OpenDataFile(path)
    if reader is None:
        sys.exit(f"{path}: ParaView finds no reader for it")
    with open(1, "w", encoding="utf-8", closefd=False) as out:  # pvpython's own stdout keeps the end back
        for time in reader.TimestepValues:
            reader.UpdatePipeline(time)
            data = servermanager.Fetch(reader)
            if data.GetClassName() != "vtkImageData":
                sys.exit(f"expected vtkImageData at time {time}, found {data.GetClassName()}")
            cells = data.GetCellData()
            arrays = {cells.GetArray(k).GetName(): cells.GetArray(k) for k in range(cells.GetNumberOfArrays())}
            dx, dy, dz = data.GetSpacing()
            mass = float(vtk_to_numpy(arrays["density"]).sum()) * dx * dy * dz
            packing = float(vtk_to_numpy(arrays["packing_fraction"]).max())
            names = " ".join(f"{name}:{array.GetNumberOfComponents()}" for name, array in sorted(arrays.items()))
            out.write(f"{time!r}, {data.GetNumberOfCells()}, {mass!r}, {packing!r}, {names}\n")


main(sys.argv[1])
sys.stdout.flush()
os._exit(0)  # taking down a view fails under xvfb, after everything is done
