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

# Its state as the start of another case in the same plane, with the shapes in another order: a plate whose gain is left open comes to its force, and a field of
# the probe sums up to the mass of all. The same on any number of ranks; the plane of another case is refused.
{
    sed -n '1,/^\[\[shapes\]\]/{/^\[\[shapes\]\]/!p}' plane.toml
    cat <<'TOML'
[start]
from = "one/state.h5"
[[shapes]]
name = "wedge"
type = "polygon"
corners = [[0.0, 0.0], [2.0, 0.0], [1.2, 1.5]]
equivalent_diameter = 0.008
[[shapes]]
name = "tile"
type = "polygon"
corners = [[0.0, 0.0], [0.01, 0.0], [0.01, 0.007], [0.0, 0.007]]
TOML
    sed -n '/^\[\[walls\]\]/,/^name = "post"/p' plane.toml | sed '$d' | sed '$d'
    cat <<'TOML'
[[walls]]
name = "plate"
type = "rectangle"
corner = [-0.045, -0.03, 0.11]
edge_a = [0.09, 0.0, 0.0]
edge_b = [0.0, 0.06, 0.0]
material = "grain"
motion = "press"
[[motions]]
name = "press"
type = "servo"
direction = [0.0, 0.0, -1.0]
force = 2.0
speed = 0.4
[[probes]]
type = "field"
name = "bed"
lower = [-0.07, -0.02, -0.02]
upper = [0.07, 0.02, 0.16]
counts = [7, 2, 9]
every = 0.3
average = 0.0
[[stages]]
type = "run"
time = 0.3
[output]
series_every = 0.001
TOML
} >press.toml
for ranks in 1 2 3; do
    on "$ranks" run press.toml --out "press-$ranks" --quiet
    expect_code 0
    expect_equal "digest of the pressed bed on $ranks ranks" "$(digest)" "${press:=$(digest)}"
done
column() { awk -F, -v name="$2" 'NR == 1 { for (k = 1; k <= NF; ++k) if ($k == name) c = k; next } { last = $c } END { print last }' "$1"; }
check "the plate came down" awk -v z="$(column press-1/series.csv position_m:press)" 'BEGIN { exit !(z > 0.02) }'
check "the mass on the grid is that of the bed" test "$(column press-1/field-bed.csv mass_kg | cut -c1-12)" = "$(column press-1/series.csv mass_inside_kg | cut -c1-12)"
# A servo whose gain is left open, on discs: to its force and holding it.
sed '/^\[start\]/,/^\[\[walls\]\]/{/^\[\[walls\]\]/!d}' press.toml | sed 's/^corner = .-0.045, -0.03, 0.11./corner = [-0.045, -0.03, 0.0395]/' >discs.toml
printf '[[bodies]]\nsource = "lattice"\nmaterial = "grain"\nradius = 0.004\ncounts = [11, 1, 5]\nlower = [-0.044, -0.004, 0.0]\nupper = [0.044, 0.004, 0.04]\n' >>discs.toml
alone run discs.toml --out discs
expect_code 0
expect_no_text out 'does not hold its force|has not reached its force'
check "the plate presses with 2 N on discs, got $(column discs/series.csv press_N:press)" awk -v f="$(column discs/series.csv press_N:press)" 'BEGIN { exit !(f > 1.96 && f < 2.04) }'
for ranks in 2 3; do check "field on $ranks ranks" cmp press-1/field-bed.csv "press-$ranks/field-bed.csv"; done
alone check press.toml --set domain.normal=x
expect_code 2
sed 's/^upper = \[0.06, 0.03, 0.2\]/upper = [0.06, 0.04, 0.2]/' press.toml >beside.toml
alone check beside.toml
expect_code 2
expect_text err 'start.from: ball [0-9]+ does not move in the plane y = 0.005 of this case'

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
