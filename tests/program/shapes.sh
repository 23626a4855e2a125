# Grains that are not balls from outside: balls, ellipsoids, polyhedra, clumps and breakable clusters in one small box give the same digest, frames and
# outflow on any number of ranks and over a stop; `check` says what shapes need; bad shapes are refused with their name; pictures show them.
source "$2/tests/support/program.bash"
limit=200
cat >mixed.toml <<'TOML'
title = "All kinds of grain"
[run]
dt = "auto"
time = 0.06
seed = 3
[domain]
lower = [-0.05, -0.05, -0.03]
upper = [0.05, 0.05, 0.12]
[[materials]]
name = "grain"
density = 1300.0
young = 2e6
poisson = 0.3
restitution = 0.4
friction = 0.4
[[bonds]]
name = "binder"
young = 2e6
poisson = 0.3
damping = 0.1
tensile_strength = 1e3
shear_strength = 1e3
[[clusters]]
name = "pellet"
shape = "huang"
fit = "a"
radius = 0.007
bond = "binder"
[[shapes]]
name = "bean"
type = "ellipsoid"
diameters = [0.014, 0.009, 0.007]
[[shapes]]
name = "pebble"
type = "dodecahedron"
equivalent_diameter = 0.010
[[shapes]]
name = "kernel"
type = "maize"
equivalent_diameter = 0.009
[[bodies]]
source = "random"
material = "grain"
count = 20
radius_min = 0.003
radius_max = 0.004
lower = [-0.03, -0.03, 0.0]
upper = [0.03, 0.03, 0.012]
velocity = [0.0, 0.0, -0.3]
[[bodies]]
source = "random"
material = "grain"
shape = "bean"
count = 20
lower = [-0.03, -0.03, 0.012]
upper = [0.03, 0.03, 0.042]
velocity = [0.0, 0.0, -0.6]
[[bodies]]
source = "random"
material = "grain"
shape = "pebble"
count = 15
lower = [-0.03, -0.03, 0.042]
upper = [0.03, 0.03, 0.072]
velocity = [0.0, 0.0, -0.9]
[[bodies]]
source = "random"
material = "grain"
shape = "kernel"
count = 9
lower = [-0.03, -0.03, 0.072]
upper = [0.03, 0.03, 0.1]
velocity = [0.0, 0.0, -1.2]
[[insert]]
material = "grain"
cluster = "pellet"
total = 4
per_event = 2
interval = 0.01
lower = [-0.03, -0.03, 0.1]
upper = [0.03, 0.03, 0.119]
velocity = [0.0, 0.0, -1.5]
[[insert]]
material = "grain"
shape = "bean"
shape_share = 0.5
radius = 0.003
total = 6
per_event = 3
interval = 0.02
start = 0.01
lower = [-0.03, -0.03, 0.1]
upper = [0.03, 0.03, 0.119]
velocity = [0.0, 0.0, -1.5]
[[walls]]
type = "cylinder"
name = "shell"
material = "grain"
bottom = [0.0, 0.0, -0.01]
top = [0.0, 0.0, 0.13]
radius = 0.048
[[walls]]
type = "annulus"
name = "floor"
material = "grain"
centre = [0.0, 0.0, -0.005]
normal = [0.0, 0.0, 1.0]
inner_radius = 0.015
outer_radius = 0.048
[[outlets]]
name = "hole"
point = [0.0, 0.0, -0.02]
normal = [0.0, 0.0, 1.0]
[output]
frames_every = 0.02
outflow = true
checkpoint_every = 0.02
checkpoints_kept = 100
TOML
alone check mixed.toml
expect_code 0
expect_text out '^shape +"bean": ellipsoid of semi-axes 7 mm, 4.5 mm, 3.5 mm, .*; 23 grains$'
expect_text out '^shape +"pebble": polyhedron of 20 corners and 12 faces'
expect_text out '^shape +"kernel": clump of 6 balls'
alone run mixed.toml --out one
expect_code 0
one="$(digest)"
expect_text one/grains.pvd 'frames/grains_000003.vtp'
for ranks in 2 3; do
    on "$ranks" run mixed.toml --out "ranks-$ranks" --quiet --set run.rebalance_every=1
    expect_code 0
    expect_equal "digest on $ranks ranks" "$(digest)" "$one"
    for file in outflow.csv grains.pvd frames/grains_000000.vtp frames/grains_000003.vtp frames/frame_000003.vtp; do
        check "$file on $ranks ranks" cmp "one/$file" "ranks-$ranks/$file"
    done
done
kept=(one/checkpoints/step-*.h5)
check "some checkpoints, got ${#kept[@]}" test "${#kept[@]}" -ge 2
on 2 resume "${kept[0]}" --quiet
expect_code 0
expect_equal "digest after a stop" "$(digest)" "$one"
check "grains after a stop" cmp one/frames/grains_000003.vtp ranks-2/frames/grains_000003.vtp

# The state as the start of another case: grains that lie on walls, with the spheres around them beyond, are no error and
# no warning; the same on any number of ranks.
{
    sed '/^\[\[bodies\]\]/,/^\[\[walls\]\]/{/^\[\[walls\]\]/!d}' mixed.toml
    printf '[start]\nfrom = "one/state.h5"\n'
} >again.toml
alone run again.toml --out again --set run.time=0.01
expect_code 0
expect_no_text out 'overlap a wall|of its radius into the wall|the shape .* is made by no source'
again="$(digest)"
on 2 run again.toml --out again-2 --quiet --set run.time=0.01
expect_code 0
expect_equal "digest of another case on 2 ranks" "$(digest)" "$again"

# A state names its shapes. Another order of [[shapes]], another shape before them, another name for the same form: the same grains go on in the same
# way on any number of ranks, and the slabs may lie along another axis. (Digests hold the numbers of the shapes, so files are compared.)
shapes_in() {   # file, names in the order wanted
    local file="$1" name; shift
    sed '/^\[\[shapes\]\]/,/^\[\[walls\]\]/{/^\[\[walls\]\]/!d}' again.toml >"$file"
    for name in "$@"; do
        sed -n "/^name = \"$name\"/,/^\[\[/{/^\[\[/!p}" mixed.toml | sed '1i [[shapes]]' >>"$file"
    done
}
shapes_in other-order.toml kernel pebble bean
{ shapes_in more.toml pebble kernel bean; } && printf '[[shapes]]\nname = "twig"\ntype = "rod"\nlength = 0.01\nradius = 0.001\n' | cat more.toml - >renamed.toml
sed -i '0,/^name = "pebble"/s//name = "stone"/' renamed.toml
physics() { sed 's/,[^,]*,[^,]*$//' "$1/series.csv"; }   # without speed and imbalance
for run in "1 other-order" "2 other-order" "3 renamed"; do
    read -r ranks case <<<"$run"
    on "$ranks" run "$case.toml" --out "$case-$ranks" --quiet --set run.time=0.01
    expect_code 0
    check "$case on $ranks ranks: the same series" cmp <(physics again) <(physics "$case-$ranks")
done
alone check other-order.toml --set 'run.slab_axis="x"'   # fingerprints are in the axes of the user
expect_code 0

# What does not fit is refused with what differs, on all ranks alike.
unfit() {   # what to do to the case, the reason
    sed "$1" other-order.toml >unfit.toml
    on 2 run unfit.toml --out unfit --quiet
    expect_code 2
    expect_one_message "unfit.toml:[0-9:]+ start.from: one/state.h5: $2"
}
unfit 's/^diameters = .*/diameters = [0.0140001, 0.009, 0.007]/' 'its grains of the shape "bean" are not those of this case: its semi-axes are 0.007, .* m there and 0.00700005, .* m here'
unfit 's/^type = "dodecahedron"/type = "cube"/' 'its grains of the shape "pebble" .*: it is a polyhedron of 20 corners and 12 faces there and a polyhedron of 8 corners and 6 faces here'
unfit '/^name = "kernel"/{N;N;s/0.009/0.0095/}' 'its grains of the shape "kernel" .*: its volume is '
sed '/^name = "kernel"/{s/kernel/corn/;N;N;s/0.009/0.0095/}' other-order.toml >unfit.toml
alone check unfit.toml
expect_code 2
expect_text err 'it has grains of the shape "kernel" \(clump of 6 balls\), which this case does not have; add it to \[\[shapes\]\]'

# A shape in a file: the run that is resumed has it from its checkpoint, bit for bit, whatever has become of the file.
cat >chip.stl <<'STL'
solid s
facet normal 0 0 0 outer loop vertex 0 0 0 vertex 0 1 0 vertex 1 0 0 endloop endfacet
facet normal 0 0 0 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0.1 0.2 1.1 endloop endfacet
facet normal 0 0 0 outer loop vertex 0 0 0 vertex 0.1 0.2 1.1 vertex 0 1 0 endloop endfacet
facet normal 0 0 0 outer loop vertex 1 0 0 vertex 0 1 0 vertex 0.1 0.2 1.1 endloop endfacet
endsolid s
STL
sed 's|^type = "dodecahedron"|type = "polyhedron"|; s|^equivalent_diameter = 0.010|file = "chip.stl"\nscale = 0.006|' mixed.toml >chips.toml
alone run chips.toml --out chips --quiet --set run.time=0.02 --set output.checkpoint_every=0.01 --set 'run.slab_axis="y"'
expect_code 0
chips="$(digest)"
kept=(chips/checkpoints/step-*.h5)
sed -i 's/1.1/1.4/' chip.stl
on 2 resume "${kept[0]}" --quiet
expect_code 0
expect_equal "digest after a stop, with another file in its place" "$(digest)" "$chips"
rm chip.stl
alone resume "${kept[0]}" --quiet
expect_code 0
expect_equal "digest after a stop, without the file" "$(digest)" "$chips"

# Bad shapes, with file, name and reason.
refused() {   # what follows the name of shapes.bean, the reason
    sed "s|^diameters = .*|$1|" mixed.toml >bad.toml
    alone check bad.toml
    expect_code 2
    expect_text err "$2"
}
refused 'diameters = [0.014, -0.009, 0.007]' 'bad.toml:[0-9:]+ shapes\[0\].diameters is out of range'
refused 'diameters = [2.0, 0.009, 0.007]' 'bad.toml:[0-9:]+ shapes\[0\].diameters: .*bean'
sed 's|^type = "dodecahedron"|type = "polyhedron"|; s|^equivalent_diameter = 0.010|vertices = [[0,0,0],[0.01,0,0],[0,0.01,0],[0.01,0.01,0]]|' mixed.toml >bad.toml
alone check bad.toml
expect_code 2
expect_text err 'bad.toml:[0-9:]+ shapes\[1\].vertices: .*pebble'
cat >open.stl <<'STL'
solid s
facet normal 0 0 0 outer loop vertex 0 0 0 vertex 0 1 0 vertex 1 0 0 endloop endfacet
facet normal 0 0 0 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 0 1 endloop endfacet
facet normal 0 0 0 outer loop vertex 0 0 0 vertex 0 0 1 vertex 0 1 0 endloop endfacet
endsolid s
STL
sed 's|^type = "dodecahedron"|type = "polyhedron"|; s|^equivalent_diameter = 0.010|file = "open.stl"\nscale = 0.01|' mixed.toml >bad.toml
alone check bad.toml
expect_code 2
expect_text err 'shapes\[1\].file: .*open.stl: .*open'

# A picture of one frame, where ParaView is there.
if have pvpython && have xvfb-run; then
    start "$2/jobs/picture" one --time 0.02 --out one/picture.png
    expect_code 0
    expect_file one/picture.png
fi
finish
