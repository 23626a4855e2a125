"""Draws one frame of a run; started by jobs/picture, which explains the options."""
import argparse
import math
import os
import re

DARK = [0.15, 0.15, 0.18]
# From grain at rest to the fastest, ever darker, so that it can be read without colours, too.
COLOURS = [(0.0, (0.93, 0.85, 0.66)), (0.3, (0.93, 0.58, 0.27)), (0.65, (0.74, 0.18, 0.22)), (1.0, (0.25, 0.04, 0.30))]
FINER = 2  # drawn so many times larger and then shrunk, which smooths the edges of balls and letters


def refuse(text):
    os.write(2, f"jobs/picture: {text}\n".encode())
    os._exit(2)


def balls_in(path):
    """Number of balls, from the head of a frame: without reading the frame."""
    with open(path, "rb") as file:
        found = re.search(rb'NumberOfPoints="(\d+)"', file.read(4096))
    return int(found.group(1)) if found else 0


def frames_of(folder):
    """(time, file) of each frame, in the order of time."""
    series = os.path.join(folder, "frames.pvd")
    if not os.path.isfile(series):
        refuse(f"{folder} contains no frames.pvd; does the case set [output] frames_every?")
    with open(series, encoding="utf-8") as file:
        entries = re.findall(r'timestep="([^"]+)"[^>]* file="([^"]+)"', file.read())
    if not entries:
        refuse(f"{series} lists no frames")
    return [(float(time), os.path.join(folder, name)) for time, name in entries]


def chosen(frames, time):
    if time is not None:
        return min((t for t, _ in frames), key=lambda t: abs(t - time))
    counts = [balls_in(path) for _, path in frames]
    return max(t for (t, _), n in zip(frames, counts) if 2 * n >= max(counts))


def title_of(folder):
    """The title in as-run.toml, where every key stands on a line of its own."""
    try:
        with open(os.path.join(folder, "as-run.toml"), encoding="utf-8") as file:
            found = re.search(r'^title = "(.*)"$', file.read(), re.MULTILINE)
    except OSError:
        found = None
    return found.group(1) if found and found.group(1) else os.path.basename(os.path.abspath(folder))


def round_above(x):
    """The next round number, as the upper end of a scale."""
    ten = 10.0 ** math.floor(math.log10(max(x, 1e-9)))
    return next(m * ten for m in (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10) if m * ten >= 0.999 * x)


def shrunk(large, path, width, height):
    from vtkmodules.vtkIOImage import vtkPNGReader, vtkPNGWriter
    from vtkmodules.vtkImagingCore import vtkImageResize

    reader = vtkPNGReader()
    reader.SetFileName(large)
    resize = vtkImageResize()
    resize.SetInputConnection(reader.GetOutputPort())
    resize.SetOutputDimensions(width, height, 1)
    resize.InterpolateOn()
    writer = vtkPNGWriter()
    writer.SetInputConnection(resize.GetOutputPort())
    writer.SetFileName(path)
    writer.SetCompressionLevel(9)
    writer.Write()
    os.remove(large)


def opened(folder, name, time):
    reader = simple.OpenDataFile(os.path.join(folder, name))
    reader.UpdatePipeline(time)
    return reader


def half(source, middle):
    """What lies behind the plane y = middle, seen from the front; of the balls those whose centre does."""
    cut = simple.Clip(Input=source, ClipType="Plane")
    cut.ClipType.Origin = [0, middle, 0]
    cut.ClipType.Normal = [0, 1, 0]
    cut.Invert = 0
    return cut


def as_balls(balls):
    """With the radius 0 for bodies of other shapes, which are drawn as surfaces."""
    return simple.Calculator(Input=balls, ResultArrayName="radius", Function="radius*(1-min(shape,1))")


def show_grains(grains, view, middle, time):
    """Grains that are no balls, true to shape; middle: only those whose centre lies behind that plane; None: all are shown. Their
    colours are those of the balls: by speed, on the same scale."""
    if middle is not None:
        depth = simple.Calculator(Input=grains, ResultArrayName="depth", Function=f"centre_Y-({middle:.9g})")
        behind = simple.Threshold(Input=depth)
        behind.Scalars = ["POINTS", "depth"]
        behind.ThresholdMethod = "Above Upper Threshold"
        behind.UpperThreshold = 0.0
        grains = simple.ExtractSurface(Input=behind)
    grains.UpdatePipeline(time)
    shown = simple.Show(grains, view)
    shown.SetRepresentationType("Surface")
    shown.Specular = 0.15
    return shown


def show_balls(balls, view, fastest, grains=None):
    shown = simple.Show(balls, view)
    shown.SetRepresentationType("Point Gaussian")
    shown.ShaderPreset = "Sphere"
    shown.ScaleByArray = 1
    shown.SetScaleArray = ["POINTS", "radius"]
    shown.UseScaleFunction = 0  # the array is the radius itself
    shown.GaussianRadius = 1.0
    arrays = balls.PointData.keys()
    if "speed" in arrays:
        simple.ColorBy(shown, ("POINTS", "speed"))
        field, low_high = "speed", balls.PointData["speed"].GetRange()
    elif "velocity" in arrays:
        simple.ColorBy(shown, ("POINTS", "velocity", "Magnitude"))
        field, low_high = "velocity", balls.PointData["velocity"].GetRange(-1)
    else:
        simple.ColorBy(shown, None)
        return
    colours = simple.GetColorTransferFunction(field)
    fastest = fastest or round_above(low_high[1])
    colours.ColorSpace = "RGB"
    colours.RGBPoints = [x for share, rgb in COLOURS for x in (share * fastest, *rgb)]
    bar = simple.GetScalarBar(colours, view)
    bar.Title, bar.ComponentTitle, bar.HorizontalTitle = "speed, m/s", "", 1
    bar.AutomaticLabelFormat, bar.LabelFormat, bar.RangeLabelFormat = 0, "%.3g", "%.3g"
    bar.TitleColor = bar.LabelColor = DARK
    bar.TitleFontSize = bar.LabelFontSize = 13 * FINER
    bar.ScalarBarThickness, bar.ScalarBarLength = 13 * FINER, 0.35
    bar.WindowLocation, bar.Position = "Any Location", [0.80, 0.33]
    bar.Visibility = 1
    shown.SetScalarBarVisibility(view, True)
    if grains:
        simple.ColorBy(grains, ("POINTS", field, "Magnitude") if field == "velocity" else ("POINTS", field))
        grains.LookupTable = colours


def show_wall_balls(balls, view):
    shown = simple.Show(balls, view)
    shown.SetRepresentationType("Point Gaussian")
    shown.ShaderPreset = "Sphere"
    shown.ScaleByArray = 1
    shown.SetScaleArray = ["POINTS", "radius"]
    shown.UseScaleFunction = 0
    shown.GaussianRadius = 1.0
    simple.ColorBy(shown, None)
    shown.AmbientColor = shown.DiffuseColor = [0.62, 0.66, 0.70]


def show_walls(walls, view):
    shown = simple.Show(walls, view)
    shown.SetRepresentationType("Surface")
    simple.ColorBy(shown, None)
    shown.AmbientColor = shown.DiffuseColor = [0.45, 0.5, 0.55]
    shown.Opacity = 0.3


def show_text(text, view, place, size):
    shown = simple.Show(simple.Text(Text=text), view)
    shown.Color, shown.FontSize, shown.WindowLocation = DARK, size * FINER, place


def main():
    parser = argparse.ArgumentParser(prog="jobs/picture", add_help=False)
    parser.add_argument("folder", metavar="DIR")
    parser.add_argument("--time", type=float)
    parser.add_argument("--out")
    parser.add_argument("--title")
    parser.add_argument("--size", default="500x660")
    parser.add_argument("--fastest", type=float)
    parser.add_argument("--whole", action="store_true")
    given = parser.parse_args()
    size = re.fullmatch(r"([1-9]\d{1,3})x([1-9]\d{1,3})", given.size)
    if not size:
        refuse(f"--size {given.size}: expected something like 500x660")
    width, height = int(size.group(1)), int(size.group(2))
    path = given.out or os.path.join(given.folder, "picture.png")
    if not path.endswith(".png") or not os.path.isdir(os.path.dirname(os.path.abspath(path))):
        refuse(f"--out {path}: expected a file that ends in .png, in an existing folder")

    frames = frames_of(given.folder)
    time = chosen(frames, given.time)
    global simple  # loaded only now: it takes seconds, which a mistyped option need not wait for
    from paraview import simple

    balls = opened(given.folder, "frames.pvd", time)
    n_balls = balls.GetDataInformation().GetNumberOfPoints()
    walls = opened(given.folder, "walls.pvd", time) if os.path.isfile(os.path.join(given.folder, "walls.pvd")) else None
    has_net = os.path.isfile(os.path.join(given.folder, "wall_balls.pvd"))
    wall_balls = opened(given.folder, "wall_balls.pvd", time) if has_net else None
    if walls and not walls.GetDataInformation().GetNumberOfCells():  # all of them are made of balls
        walls = None
    bounds = list((walls or wall_balls or balls).GetDataInformation().GetBounds())
    if walls and wall_balls:
        net = wall_balls.GetDataInformation().GetBounds()
        bounds = [(min, max)[k % 2](bounds[k], net[k]) for k in range(6)]
    if n_balls:  # some may be below the outlet
        bounds[4] = min(bounds[4], balls.GetDataInformation().GetBounds()[4])

    view = simple.CreateRenderView(ViewSize=[width * FINER, height * FINER])
    view.UseColorPaletteForBackground = 0
    view.BackgroundColorMode = "Single Color"
    view.Background = [0.94, 0.94, 0.93]
    view.OrientationAxesVisibility = 0
    view.ViewTime = time  # first of all: whatever is shown is brought to the time of its view
    if n_balls:
        middle_y = None if given.whole else 0.5 * (bounds[2] + bounds[3])
        grains = None
        if os.path.isfile(os.path.join(given.folder, "grains.pvd")):
            grains = show_grains(opened(given.folder, "grains.pvd", time), view, middle_y, time)
        if grains:
            balls = as_balls(balls)
        part = balls if given.whole else half(balls, middle_y)
        part.UpdatePipeline(time)
        show_balls(part, view, given.fastest, grains)
    if walls:
        part = walls if given.whole else half(walls, 0.5 * (bounds[2] + bounds[3]))
        part.UpdatePipeline(time)
        show_walls(part, view)
    if wall_balls:
        part = wall_balls if given.whole else half(wall_balls, 0.5 * (bounds[2] + bounds[3]))
        part.UpdatePipeline(time)
        show_wall_balls(part, view)
    show_text(given.title or title_of(given.folder), view, "Upper Center", 17)
    show_text(f"t = {time:.4g} s, {n_balls} balls", view, "Lower Center", 14)

    middle = [0.5 * (bounds[2 * k] + bounds[2 * k + 1]) for k in range(3)]
    tall = bounds[5] - bounds[4]
    wide = max(bounds[1] - bounds[0], bounds[3] - bounds[2])
    # From the front and a little above; room for the title, and on the right for the bar of colours.
    view.CameraParallelProjection = 0
    view.CameraViewAngle = 25
    away = 2.6 * max(tall, 1.35 * wide * height / width)
    view.CameraFocalPoint = [middle[0] + 0.1 * wide, middle[1], middle[2]]
    view.CameraPosition = [middle[0] + 0.1 * wide, middle[1] - away, middle[2] + 0.2 * away]
    view.CameraViewUp = [0, 0, 1]
    large = os.path.splitext(path)[0] + ".large.png"
    simple.SaveScreenshot(large, view, ImageResolution=[width * FINER, height * FINER])
    shrunk(large, path, width, height)
    if not os.path.isfile(path):
        refuse(f"{path} could not be written")
    return f"{path}: t = {time:g} s, {n_balls} balls\n"


os.write(1, main().encode())  # not by print: pvpython's own stdout would keep it back, and never say it
os._exit(0)  # taking down a view fails under xvfb (GLXBadContext), after everything is done
