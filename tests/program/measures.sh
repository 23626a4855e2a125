# What is measured is what is there: overlap at walls of every kind, contacts of balls that stick over a gap, mass on a grid over periodic
# faces, pressures on a cylinder given with either end first. The same on any number of ranks.
source "$2/tests/support/program.bash"
of() { awk -F, -v name="$2" -v how="${3:-last}" 'NR == 1 { for (k = 1; k <= NF; ++k) if ($k == name) c = k; next }
    how == "most" { if (n++ == 0 || $c > x) x = $c; next } how == "line" { print $c; next } { x = $c } END { if (how != "line") print x }' "$1"; }   # file, column
near() { awk -v a="$1" -v b="$2" -v by="$3" 'BEGIN { exit !((a - b) ^ 2 <= (by * b) ^ 2) }'; }   # got, expected, share
within() { awk -v a="$1" -v b="$2" -v c="$3" 'BEGIN { exit !(a >= b && a <= c) }'; }
everywhere() {   # case, a file of its folder, numbers of ranks: the same bytes on all of them; the run on one is in the folder `one`
    alone run "$1" --out one --overwrite --quiet
    expect_code 0
    for ranks in ${*:3}; do
        on "$ranks" run "$1" --out other --overwrite --quiet
        expect_code 0
        check "$2 of $1 on $ranks ranks" same_numbers "one/$2" "other/$2"
    done
}
same_numbers() {   # all columns but those that tell of clocks and ranks
    cmp <(head -n 1 "$1" | tr , '\n' | grep -c . ; without_clock "$1") <(head -n 1 "$2" | tr , '\n' | grep -c . ; without_clock "$2")
}
without_clock() { awk -F, 'NR == 1 { for (k = 1; k <= NF; ++k) skip[k] = $k ~ /^(steps_per_second|imbalance)$/ }
    { for (k = 1; k <= NF; ++k) if (!skip[k]) printf "%s,", $k; print "" }' "$1"; }

# ---- Soft balls that sink into the floor: a plane, triangles, wall balls -------------------------------------------------------

cat >soft.toml <<'END_OF_CASE'
[run]
dt = 2e-5
time = 0.1
allow_large_dt = true
[domain]
lower = [-0.05, -0.05, -0.02]
upper = [0.05, 0.05, 0.15]
[law]
type = "linear"
[[materials]]
name = "grain"
density = 2500.0
stiffness = 60.0
restitution = 0.3
friction = 0.5
[[bodies]]
source = "lattice"
lower = [-0.02, -0.02, 0.0]
upper = [0.02, 0.02, 0.02]
counts = [2, 2, 1]
radius = 0.0099
material = "grain"
[[walls]]
name = "ceiling"
type = "plane"
point = [0.0, 0.0, 0.1]
normal = [0.0, 0.0, -1.0]
material = "grain"
[[walls]]
name = "floor"
type = "plane"
point = [0.0, 0.0, 0.0]
normal = [0.0, 0.0, 1.0]
material = "grain"
[output]
series_every = 0.02
END_OF_CASE
cat >floor.stl <<'END_OF_MESH'
solid floor
facet normal 0 0 1
outer loop
vertex -0.05 -0.05 0
vertex 0.05 -0.05 0
vertex 0.05 0.05 0
endloop
endfacet
facet normal 0 0 1
outer loop
vertex -0.05 -0.05 0
vertex 0.05 0.05 0
vertex -0.05 0.05 0
endloop
endfacet
endsolid floor
END_OF_MESH
sed '/name = "floor"/,/^normal/c\name = "floor"\ntype = "mesh"\nfile = "floor.stl"' soft.toml >soft-mesh.toml
everywhere soft.toml series.csv 3
sunk="$(of one/series.csv largest_overlap_share most)"
check "balls have sunk into the plane, got $sunk" within "$sunk" 0.1 0.9
expect_equal "no pair touches" "$(of one/series.csv contacts most)" 0
alone run soft.toml --out loud
expect_text out '^warning: balls overlap with the wall "floor" by more than [0-9.]+ % of a radius; use a stiffer material, with a smaller step \('
expect_no_text out 'the wall "ceiling"|balls overlap by'
everywhere soft-mesh.toml series.csv 2
sunk_there="$(of one/series.csv largest_overlap_share most)"
check "the same in triangles: $sunk_there" near "$sunk_there" "$sunk" 1e-9

cat >rough.toml <<'END_OF_CASE'
[silo]
hopper = "flat"
d_c = 0.1
h_c = 0.1
d_h = 0.05
material = "grain"
wall = "balls"
wall_spacing = 0.018
wall_radius_min = 0.01
wall_radius_max = 0.01
[law]
type = "kelvin-voigt"
[[materials]]
name = "grain"
density = 2500.0
stiffness = 40.0
damping = 0.1
[run]
dt = 2e-5
time = 0.1
allow_large_dt = true
[[bodies]]
source = "lattice"
lower = [-0.01, -0.01, 0.0]
upper = [0.01, 0.01, 0.02]
counts = [1, 1, 1]
radius = 0.0095
material = "grain"
[output]
series_every = 0.02
END_OF_CASE
everywhere rough.toml series.csv 3
sunk="$(of one/series.csv largest_overlap_share most)"
check "a ball has sunk into wall balls, got $sunk" within "$sunk" 0.1 1.5
expect_text one/log.txt 'warning: balls overlap with the wall "gate" by more than'

# ---- A lattice with gaps of 1 %, within the reach of cohesion: nothing touches ----------------------------------------------------

cat >gaps.toml <<'END_OF_CASE'
gravity = [0.0, 0.0, 0.0]
[run]
dt = 1e-5
time = 0.001
[domain]
lower = [0.0, 0.0, 0.0]
upper = [0.1, 0.1, 0.1]
[law]
type = "kelvin-voigt"
[[materials]]
name = "grain"
density = 2500.0
stiffness = 1e3
damping = 0.01
cohesion = 0.2
[[bodies]]
source = "lattice"
lower = [0.02, 0.02, 0.02]
upper = [0.08, 0.08, 0.08]
spacing = 0.01
radius = 0.00495
material = "grain"
[[walls]]
name = "floor"
type = "plane"
point = [0.0, 0.0, 0.02]
normal = [0.0, 0.0, 1.0]
material = "grain"
[[probes]]
type = "field"
name = "bed"
lower = [0.0, 0.0, 0.0]
upper = [0.1, 0.1, 0.1]
counts = [1, 1, 1]
every = 0.0005
kernel = "cell"
[output]
series_every = 0.0005
END_OF_CASE
everywhere gaps.toml field-bed.csv 2
expect_equal "coordination over gaps" "$(of one/field-bed.csv coordination)" 0
expect_equal "contacts over gaps" "$(of one/series.csv contacts most)" 0
# The same closer together, 6 x 6 x 6: 540 pairs, 36 balls at the floor.
awk 'BEGIN { for (k = 0; k < 216; ++k) print 0.025 + k % 6 * 0.00999, 0.025 + int(k / 6) % 6 * 0.00999, 0.02499 + int(k / 36) * 0.00999, 0.005 }' >balls.txt
sed '/^source/,/^radius/c\source = "file"\nfile = "balls.txt"' gaps.toml | sed 's/^time = .*/time = 0.0005/' >closed.toml
alone run closed.toml --out closed --quiet
expect_code 0
expect_equal "contacts without gaps" "$(of closed/series.csv contacts most)" 540
expect_equal "coordination without gaps: (2 x 540 + 36)/216" "$(of closed/field-bed.csv coordination | cut -c 1-6)" 5.1666

# ---- A box full of balls, periodic all around: the grid holds all of the mass --------------------------------------------------------

cat >periodic.toml <<'END_OF_CASE'
gravity = [0.0, 0.0, 0.0]
[run]
dt = 2e-5
time = 0.02
[domain]
lower = [0.0, 0.0, 0.0]
upper = [0.06, 0.06, 0.06]
periodic = ["x", "y", "z"]
[[materials]]
name = "grain"
density = 2500.0
young = 5e6
poisson = 0.3
restitution = 0.9
friction = 0.3
[[bodies]]
source = "lattice"
lower = [0.0, 0.0, 0.0]
upper = [0.06, 0.06, 0.03]
spacing = 0.01
radius_min = 0.0044
radius_max = 0.0048
jitter = 1.0
velocity = [1.0, 0.3, 0.5]
material = "grain"
[[bodies]]
source = "lattice"
lower = [0.0, 0.0, 0.03]
upper = [0.06, 0.06, 0.06]
spacing = 0.01
radius_min = 0.0044
radius_max = 0.0048
jitter = 1.0
velocity = [-0.5, 0.7, -0.6]
material = "grain"
[[probes]]
type = "field"
name = "smooth"
lower = [0.0, 0.0, 0.0]
upper = [0.06, 0.06, 0.06]
spacing = 0.01
every = 0.005
[[probes]]
type = "field"
name = "sharp"
lower = [0.0, 0.0, 0.0]
upper = [0.06, 0.06, 0.06]
spacing = 0.01
every = 0.005
kernel = "cell"
[[probes]]
type = "field"
name = "shifted"
lower = [-0.03, 0.01, 0.0]
upper = [0.03, 0.07, 0.06]
spacing = 0.01
every = 0.005
[output]
series_every = 0.01
END_OF_CASE
everywhere periodic.toml field-smooth.csv 2 3 4
mass="$(of one/series.csv mass_inside_kg)"
for field in smooth sharp shifted; do
    got="$(of one/field-$field.csv mass_kg)"
    check "mass on the $field grid: $got of $mass" near "$got" "$mass" 1e-12
done
for part in xx yy zz xy; do
    a="$(of one/field-smooth.csv stress_${part}_Pa)" b="$(of one/field-sharp.csv stress_${part}_Pa)"
    check "stress_$part by both kernels: $a, $b" near "$a" "$b" 1e-9
    check "some stress_$part" not near "$b" 0 0
done

# ---- A cylinder with either end first -------------------------------------------------------------------------------------------------

cat >cylinder.toml <<'END_OF_CASE'
[run]
dt = 5e-5
time = 0.3
[domain]
lower = [-0.03, -0.03, -0.01]
upper = [0.03, 0.03, 0.15]
[[materials]]
name = "grain"
density = 2500.0
young = 2e6
poisson = 0.3
restitution = 0.3
friction = 0.5
[[bodies]]
source = "lattice"
lower = [-0.0156, -0.0156, 0.004]
upper = [0.0156, 0.0156, 0.1366]
spacing = 0.0078
radius_min = 0.0034
radius_max = 0.0038
jitter = 1.0
material = "grain"
[[walls]]
name = "floor"
type = "disc"
centre = [0.0, 0.0, 0.0]
normal = [0.0, 0.0, 1.0]
radius = 0.021
material = "grain"
[[walls]]
name = "shell"
type = "cylinder"
bottom = [0.0, 0.0, 0.0]
top = [0.0, 0.0, 0.14]
radius = 0.021
material = "grain"
[[probes]]
type = "pressure"
wall = "shell"
bins = 4
every = 0.001
average = 0.1
END_OF_CASE
sed 's/^bottom = .*/bottom = [0.0, 0.0, 0.14]/; s/^top = .*/top = [0.0, 0.0, 0.0]/' cylinder.toml >upturned.toml
alone run cylinder.toml --out up --quiet
expect_code 0
alone run upturned.toml --out down --quiet
expect_code 0
alike() {   # folder, column, share of its largest number: the last profile of the shell as in `up`
    check "$2 in $1: $(of "$1/pressure-shell.csv" "$2" line | tail -n "$rows" | tr '\n' ' ')" awk -v by="$3" '
        { a[NR] = $1; b[NR] = $2; most = $1 > most ? $1 : -$1 > most ? -$1 : most }
        END { for (k in a) if ((a[k] - b[k]) ^ 2 > (by * most) ^ 2) bad = 1; exit bad || !(most > 0) }' \
        <(paste <(of up/pressure-shell.csv "$2" line | tail -n "$rows") <(of "$1/pressure-shell.csv" "$2" line | tail -n "$rows"))
}
rows=4
for name in normal_Pa shear_Pa depth_m vertical_Pa janssen_normal_Pa en_fill_shear_Pa; do alike down $name 0.1; done
check "grain hangs on the wall" within "$(of up/pressure-shell.csv shear_Pa line | tail -n 4 | awk '{ s += $1 } END { print s }')" 1 1e4

# ---- The same cylinder as triangles: the same profile, and the curves, since it is round ------------------------------------------------

# Balls that fly against the wall all at once: a bed would find another rest on facets.
sed '/^source/,/^jitter/c\source = "lattice"\nlower = [-0.0156, -0.0156, 0.004]\nupper = [0.0156, 0.0156, 0.0664]\nspacing = 0.0104\nradius = 0.003\nvelocity = [1.0, 0.5, -0.5]' cylinder.toml |
    sed 's/^time = .*/time = 0.006/; s/^every = .*/every = 5e-5\nsectors = 3/; s/^average.*//' >hits.toml
tube() {   # sides: a pipe of radius 21 mm, 140 mm high, in mm
    awk -v n="$1" 'function p(k, z) { printf "vertex %.9g %.9g %.9g\n", 21 * cos(k % n * 6.283185307179586 / n), 21 * sin(k % n * 6.283185307179586 / n), z }
        function facet(a, za, b, zb, c, zc) { print "facet normal 0 0 0\nouter loop"; p(a, za); p(b, zb); p(c, zc); print "endloop\nendfacet" }
        BEGIN { print "solid tube"; for (k = 0; k < n; ++k) { facet(k, 0, k + 1, 0, k + 1, 140); facet(k, 0, k + 1, 140, k, 140) } print "endsolid tube" }'
}
tube 1440 >tube.stl
sed '/name = "shell"/,/^radius/c\name = "shell"\ntype = "mesh"\nfile = "tube.stl"\nscale = 0.001' hits.toml >tube.toml
alone run hits.toml --out up --overwrite --quiet
expect_code 0
everywhere tube.toml pressure-shell.csv 2 3 4
expect_equal "columns of a round mesh" "$(head -n 1 one/pressure-shell.csv)" "$(head -n 1 up/pressure-shell.csv)"
rows=12
for name in height_m angle_deg area_m2 depth_m bulk_density_kg_per_m3 janssen_normal_Pa; do alike one $name 1e-4; done
for name in normal_Pa normal_most_Pa shear_Pa cross_Pa vertical_Pa; do alike one $name 0.01; done
# Of what is no upright bin, and of one whose diameter is told.
sed 's/scale = 0.001/&\nrotation = [2.0, 0.0, 0.0]/; s/^time = .*/time = 0.001/' tube.toml >leaning.toml
alone run leaning.toml --out leaning --quiet
expect_code 0
expect_text leaning/pressure-shell.csv ',cross_Pa$'
sed 's/^sectors.*/&\ndiameter = 0.042\naxis_point = [0.0, 0.0, 0.0]/' leaning.toml >told.toml
alone run told.toml --out told --quiet
expect_code 0
expect_text told/pressure-shell.csv ',en_discharge_shear_Pa$'
finish
