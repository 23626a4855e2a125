"""What the scripts in this folder share: the channels, the colours, the camera, the words in the picture. The run tells what a picture should be by
its environment (GRANARY_TITLE, GRANARY_IMAGE_SIZE) and by the module granary_facts, which is up to date at every picture."""
import math
import os

import granary_facts as facts
from paraview import simple

INK = [0.15, 0.15, 0.18]
GROUND = [0.95, 0.95, 0.94]
STEEL = [0.74, 0.76, 0.78]
# From little to much, ever darker, so that it can be read without colours, too.
WARM = [(0.0, (0.93, 0.85, 0.66)), (0.3, (0.93, 0.58, 0.27)), (0.65, (0.74, 0.18, 0.22)), (1.0, (0.25, 0.04, 0.30))]
# The same from the colour of a wall that nothing presses.
PRESSED = [(0.0, (0.86, 0.87, 0.88)), (0.25, (0.62, 0.74, 0.84)), (0.6, (0.22, 0.45, 0.70)), (1.0, (0.05, 0.12, 0.36))]
# Layers of grain, from the lowest to the highest: a ramp, each second one lighter so that neighbours differ. The same colours stand in the
# report (io/report/palette.hpp).
RAMP = [(62, 38, 115), (43, 92, 158), (32, 144, 140), (104, 168, 66), (232, 190, 60), (205, 82, 38)]


def layer_colour(k, n):
    at = k / (n - 1) * (len(RAMP) - 1) if n > 1 else 0
    low = min(int(at), len(RAMP) - 2)
    rgb = [a + (at - low) * (b - a) for a, b in zip(RAMP[low], RAMP[low + 1])]
    return [int(c if k % 2 == 0 else c + 0.28 * (255 - c)) / 255 for c in rgb]


def round_above(x):
    """The next round number, as the upper end of a scale."""
    ten = 10.0 ** math.floor(math.log10(max(x, 1e-9)))
    return next(m * ten for m in (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10) if m * ten >= 0.999 * x)


def axis(k, sign=1.0):
    return [sign if i == k else 0.0 for i in range(3)]


def directions():
    """Up, against gravity, and towards the eye, along axes; without gravity z is up."""
    strongest = max(range(3), key=lambda k: abs(facts.gravity[k]))
    if facts.gravity[strongest] == 0:
        return axis(2), axis(1, -1.0)
    up = axis(strongest, -math.copysign(1.0, facts.gravity[strongest]))
    return up, (axis(2) if strongest == 1 else axis(1, -1.0))


class Scene:
    """One series of pictures: a view with a title above and time and number of balls below."""

    def __init__(self, name):
        width, height = (int(n) for n in os.environ.get("GRANARY_IMAGE_SIZE", "800x1000").split("x"))
        self.share = min(width / 800, height / 1000)  # what is written grows with the picture
        self.view = view = simple.CreateView("RenderView")
        view.ViewSize = [width, height]
        view.UseColorPaletteForBackground = 0
        view.BackgroundColorMode = "Single Color"
        view.Background = GROUND
        view.OrientationAxesVisibility = 0
        self.name = name
        self.up, self.eye = directions()
        self.bar_shown = False
        self.top = 0.0  # of the scale of colours
        self.grains = None
        self.write(os.environ.get("GRANARY_TITLE", ""), "Upper Center", 22)
        self.stamp = self.write("", "Lower Center", 17)
        png = simple.CreateExtractor("PNG", view, registrationName=name)
        png.Trigger = "TimeStep"
        png.Writer.FileName = name + "_{timestep:09d}{camera}.png"
        png.Writer.ImageResolution = view.ViewSize
        png.Writer.Format = "PNG"

    def points(self, size):
        return max(6, round(size * self.share))

    def write(self, text, place, size):
        source = simple.Text(registrationName=f"{self.name}: {place}", Text=text)
        shown = simple.Show(source, self.view)
        shown.Color, shown.FontSize, shown.WindowLocation = INK, self.points(size), place
        return source

    def half(self, source, what):
        """What lies behind the plane through the middle; of the balls those whose centre does."""
        cut = simple.Clip(registrationName=f"{self.name}: half of the {what}", Input=source, ClipType="Plane")
        cut.ClipType.Origin = [0.5 * (a + b) for a, b in zip(facts.low, facts.high)]
        cut.ClipType.Normal = [-x for x in self.eye]
        cut.Invert = 0
        return cut

    def show_balls(self, balls):
        """As impostor spheres, which even software draws by the million."""
        shown = simple.Show(balls, self.view)
        shown.SetRepresentationType("Point Gaussian")
        shown.ShaderPreset = "Sphere"
        shown.ScaleByArray = 1
        shown.SetScaleArray = ["POINTS", "radius"]
        shown.UseScaleFunction = 0
        shown.GaussianRadius = 1.0
        return shown

    def show_grains(self, cut=True):
        """Grains that are no balls, true to shape (the channel `grains`; among the balls they have the radius 0). With cut: those whose centre lies
        behind the plane through the middle. They get the colours of what is coloured next. Nothing in a run without shapes."""
        if not facts.shapes:
            return None
        grains = simple.TrivialProducer(registrationName="grains")
        if cut:
            origin = [0.5 * (a + b) for a, b in zip(facts.low, facts.high)]
            terms = [f"({-e:g})*(centre_{x}-({o:.9g}))" for e, x, o in zip(self.eye, "XYZ", origin) if e]
            depth = simple.Calculator(registrationName=f"{self.name}: depth of grains", Input=grains)
            depth.ResultArrayName, depth.Function = "depth", "+".join(terms)
            behind = simple.Threshold(registrationName=f"{self.name}: grains behind the cut", Input=depth)
            behind.Scalars = ["POINTS", "depth"]
            behind.ThresholdMethod = "Above Upper Threshold"
            behind.UpperThreshold = 0.0
            grains = simple.ExtractSurface(registrationName=f"{self.name}: surfaces of grains", Input=behind)
        shown = simple.Show(grains, self.view)
        shown.SetRepresentationType("Surface")
        shown.Specular = 0.15
        self.grains = shown
        return shown

    def show_plain(self, source, colour, kind="Surface"):
        shown = simple.Show(source, self.view)
        shown.SetRepresentationType(kind)
        shown.ColorArrayName = ["POINTS", ""]
        shown.AmbientColor = shown.DiffuseColor = colour
        return shown

    def show_walls(self, walls):
        """Cut in half, lit as round where they are; those of balls as balls."""
        bumps = self.show_balls(self.half(simple.TrivialProducer(registrationName="wall_balls"), "balls of walls"))
        bumps.ColorArrayName = ["POINTS", ""]
        bumps.AmbientColor = bumps.DiffuseColor = STEEL
        joined = simple.Clean(registrationName=f"{self.name}: walls in one", Input=walls)
        rounded = simple.GenerateSurfaceNormals(registrationName=f"{self.name}: normals of the walls", Input=joined)
        rounded.FeatureAngle = 30.0
        shown = self.show_plain(self.half(rounded, "walls"), STEEL)
        shown.Ambient, shown.Diffuse = 0.35, 0.65
        return shown

    def colour(self, shown, array, title="", magnitude=False):
        """By an array of the points; with a title there is a bar of colours beside the picture."""
        simple.ColorBy(shown, ("POINTS", array, "Magnitude") if magnitude else ("POINTS", array))
        colours = simple.GetColorTransferFunction(array, shown, separate=True)
        shown.UseSeparateColorMap = 1
        shown.LookupTable = colours
        if self.grains is not None:
            simple.ColorBy(self.grains, ("POINTS", array, "Magnitude") if magnitude else ("POINTS", array))
            self.grains.UseSeparateColorMap = 1
            self.grains.LookupTable = colours
            self.grains.SetScalarBarVisibility(self.view, False)
        colours.AutomaticRescaleRangeMode = "Never"
        colours.Discretize = 0
        colours.ColorSpace = "RGB"
        shown.SetScalarBarVisibility(self.view, False)
        if not title:
            return colours
        bar = simple.GetScalarBar(colours, self.view)
        bar.Title, bar.ComponentTitle, bar.HorizontalTitle = title, "", 1
        bar.AutomaticLabelFormat, bar.LabelFormat, bar.RangeLabelFormat = 0, "%g", "%g"
        bar.TitleColor = bar.LabelColor = INK
        bar.TitleFontSize = bar.LabelFontSize = self.points(16)
        bar.ScalarBarThickness, bar.ScalarBarLength = self.points(16), 0.35
        bar.WindowLocation, bar.Position = "Any Location", [0.80, 0.33]
        bar.Visibility = 1
        self.bar_shown = True
        return colours

    def scale(self, colours, most, stops=WARM):
        """From 0 to a round number above the most. It grows at once, but shrinks only when most of it is of no more use: so pictures that
        follow each other can be compared. Returns its end."""
        if not 0.35 * self.top <= most <= self.top:
            self.top = round_above(most)
        colours.RGBPoints = [x for share, rgb in stops for x in (share * self.top, *rgb)]
        return self.top

    def ready(self, more=""):
        """Before each picture: the words below it, and a camera that sees all there is, from the front and a little above."""
        self.stamp.Text = f"t = {facts.time:.4g} s, {facts.balls} balls{more}"
        view, (width, height) = self.view, self.view.ViewSize
        left, right, bottom, top = -0.94, (0.52 if self.bar_shown else 0.94), -0.88, 0.86  # of the picture, from -1 to 1
        tilt = math.radians(14)
        back = [math.cos(tilt) * e + math.sin(tilt) * u for e, u in zip(self.eye, self.up)]
        above = [math.cos(tilt) * u - math.sin(tilt) * e for e, u in zip(self.eye, self.up)]
        beside = [above[1] * back[2] - above[2] * back[1], above[2] * back[0] - above[0] * back[2], above[0] * back[1] - above[1] * back[0]]
        along = lambda p, d: sum(a * b for a, b in zip(p, d))
        middle = [0.5 * (a + b) for a, b in zip(facts.low, facts.high)]
        corners = [[(facts.low, facts.high)[k >> i & 1][i] - middle[i] for i in range(3)] for k in range(8)]
        tangent = math.tan(math.radians(12.5))
        # As far away as the corner that wants it farthest.
        half_high, half_wide = tangent * (top - bottom) / 2, tangent * width / height * (right - left) / 2
        away = max(along(c, back) + max(abs(along(c, above)) / half_high, abs(along(c, beside)) / half_wide) for c in corners)
        sideways, upwards = away * tangent * width / height * (left + right) / 2, away * tangent * (bottom + top) / 2
        focus = [m - sideways * b - upwards * a for m, b, a in zip(middle, beside, above)]
        view.CameraParallelProjection = 0
        view.CameraViewAngle = 25
        view.CameraFocalPoint = focus
        view.CameraPosition = [f + away * b for f, b in zip(focus, back)]
        view.CameraViewUp = self.up
