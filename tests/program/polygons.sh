# A run in a plane from outside: discs and polygons from a file, a packing, a rain and an inlet, with the same digest on any number of ranks and over a stop;
# `check` says what the plane is; what is not defined there is refused.
source "$2/tests/support/program.bash"
limit=150
printf 'x z y r qw qy qx qz\n0.0 0.02 0.0 0.004 1 1 0 0\n0.02 0.02 0.0 0.004 1 0.2 0 0\n' >tiles.txt
cat >plane.toml <<'TOML'
[run]
dt = "auto"
seed = 3
[domain]
dimension = 2
thickness = 0.008
lower = [-0.06, -0.03, -0.02]
upper = [0.06, 0.03, 0.2]
[[materials]]
name = "grain"
density = 1500.0
young = 2e6
poisson = 0.3
restitution = 0.4
friction = 0.4
[[shapes]]
name = "tile"
type = "polygon"
corners = [[0.0, 0.0], [0.01, 0.0], [0.01, 0.007], [0.0, 0.007]]
[[shapes]]
name = "wedge"
type = "polygon"
corners = [[0.0, 0.0], [2.0, 0.0], [1.2, 1.5]]
equivalent_diameter = 0.008
[[bodies]]
source = "file"
file = "tiles.txt"
material = "grain"
shape = "tile"
[[walls]]
name = "left"
type = "plane"
point = [-0.05, 0.0, 0.0]
normal = [1.0, 0.0, 0.2]
material = "grain"
[[walls]]
name = "right"
type = "plane"
point = [0.05, 0.0, 0.0]
normal = [-1.0, 0.0, 0.2]
material = "grain"
[[walls]]
name = "floor"
type = "rectangle"
corner = [-0.06, -0.03, 0.0]
edge_a = [0.12, 0.0, 0.0]
edge_b = [0.0, 0.06, 0.0]
material = "grain"
[[walls]]
name = "post"
type = "cylinder"
bottom = [0.0, -0.03, 0.05]
top = [0.0, 0.03, 0.05]
radius = 0.006
material = "grain"
[[insert]]
material = "grain"
shape = "wedge"
total = 6
per_event = 3
interval = 0.02
lower = [-0.04, 0.0, 0.16]
upper = [0.04, 0.0, 0.19]
velocity = [0.0, 0.0, -1.0]
[[stages]]
type = "fill"
method = "pack"
material = "grain"
radius_min = 0.003
radius_max = 0.004
count = 30
lower = [-0.045, 0.0, 0.07]
upper = [0.045, 0.0, 0.13]
[[stages]]
type = "fill"
name = "rain"
method = "rain"
material = "grain"
shape = "tile"
shape_share = 0.5
radius = 0.0035
count = 12
lower = [-0.045, 0.0, 0.13]
upper = [0.045, 0.0, 0.19]
time = 0.1
[[stages]]
type = "run"
time = 0.05
[output]
energy = true
frames_every = 0.05
checkpoint_every = 0.05
checkpoints_kept = 100
TOML
alone check plane.toml
expect_code 0
expect_text out 'discs and polygons 8 mm thick that move in the plane y = 0'
expect_text out '^shape +"wedge": polygon of 3 corners, area of a disc of diameter 8 mm'
alone run plane.toml --out one
expect_code 0
one="$(digest)"
for ranks in 2 3 4; do
    on "$ranks" run plane.toml --out "ranks-$ranks" --quiet --set run.rebalance_every=1
    expect_code 0
    expect_equal "digest on $ranks ranks" "$(digest)" "$one"
done
kept=(one/checkpoints/step-*.h5)
on 2 resume "${kept[0]}" --quiet
expect_code 0
expect_equal "digest of the resumed run" "$(digest)" "$one"

refused() {   # setting, text
    alone check plane.toml --set "$1"
    expect_code 2
    expect_text err "$2"
}
refused 'gravity=[0.0, 1.0, -9.81]' 'gravity leaves the plane of the run \(expected 0 along y'
refused 'run.slab_axis=y' 'run.slab_axis is the normal of the plane'
refused 'domain.dimension=3' 'shapes\[0\].type = "polygon" needs a run in a plane'
refused 'walls.floor.edge_b=[0.0, 0.03, 0.0]' 'the wall "floor" is too short along y'
refused 'shapes.tile.corners=[[0.0, 0.0], [1.0, 0.0]]' 'a polygon of 2 corners'
sed -i 's/0.02 0.0 0.004 1 1/0.02 0.001 0.004 1 1/' tiles.txt
alone check plane.toml
expect_code 2
expect_text err 'tiles.txt:2: expected y = 0 in the plane of the run, found 0.001'
finish
