# A silo whose walls are made of balls, after Lazarević (2002): filled, at rest, discharged; the same on 1 to 4 ranks, and with every
# detector; loads on its parts; frames that show it. The case of the paper is checked, and run for a few steps.
source "$2/tests/support/program.bash"
limit=120

# The paper's silo at a fifth of its lengths and with larger balls: 300 balls, 400 wall balls, the same law and stiffness ratio.
cat >small.toml <<'TOML'
[silo]
d_c = 2.6
h_c = 2.6
d_h = 1.6
h_h = 1.0
material = "wall"
wall = "balls"
wall_spacing = 0.42
wall_radius_min = 0.215
wall_radius_max = 0.225
[law]
type = "kelvin-voigt"
damper_may_pull = false
[[materials]]
name = "contents"
density = 1250.0
stiffness = 1e7
damping = 1.2e4
[[materials]]
name = "wall"
stiffness = 1e9
damping = 1.7e5
[run]
dt = 5e-5
skin = 0.05
detector = "fixed-cubes"
[[stages]]
type = "fill"
material = "contents"
count = 150
rate = 400.0
radius_min = 0.215
radius_max = 0.225
velocity = [0.0, 0.0, -3.0]
[[stages]]
type = "settle"
time = 1.0
energy = 5.0
[[stages]]
type = "discharge"
time = 6.0
dt = 2.5e-5
stall_time = 2.0
[output]
series_every = 0.02
frames_every = 0.5
log_every = 1.0
TOML
column() { head -n 1 "$1/series.csv" | tr ',' '\n' | grep -nxF -- "$2" | cut -d: -f1; }
alone run small.toml --out small
expect_code 0
expect_text out 'filled: 150 of 150 balls'
expect_text out ': (empty|stalled: .*)$'
left="$(sed -n 's/^balls inserted 150 = inside [0-9]* + left by outlet \([0-9]*\)$/\1/p' out)"
check "nearly all balls leave, got $left" test "$left" -ge 130
# At rest the three parts carry the weight, to what still moves.
rested="$(sed -n 's/^t = \([0-9.]*\) s, step [0-9]*: \(settled\|time is up\).*/\1/p' out | head -n 1)"
share="$(awk -F, -v t="$rested" -v a="$(column small force_z_N:cylinder)" -v b="$(column small force_z_N:cone)" -v c="$(column small force_z_N:gate)" \
    -v m="$(column small mass_inside_kg)" 'NR > 1 && $1 > t - 0.3 && $1 < t { f += $a + $b + $c; w -= 9.81 * $m } END { print f / w }' small/series.csv)"
check "the walls carry the weight, got $share of it" awk -v s="$share" 'BEGIN { exit !(s > 0.9 && s < 1.1) }'
# Frames: wall balls as points with radius, the gate's gone in the last ones; the smooth walls have no cells.
expect_file small/wall_balls.pvd
count_of() { sed -n 's/.*NumberOfPoints="\([0-9]*\)".*/\1/p' "$1" | head -n 1; }
closed="$(count_of small/frames/wall_balls_000000.vtp)" opened="$(count_of small/frames/wall_balls_000001.vtp)"
check "wall balls vanish with the gate, got $closed and $opened" test "$opened" -lt "$closed" -a "$opened" -gt 200
expect_text small/frames/walls_000000.vtp 'NumberOfPolys="0"'
# The same bits on 2, 3 and 4 ranks and with another detector: fewer balls, thrown in, until the discharge has begun.
short="--set stages.fill.count=60 --set stages.fill.velocity=[0.0,0.0,-8.0] --set stages.settle.time=0.1 --set stages.discharge.time=0.1
    --set stages.discharge.dt=5e-5 --set output.frames_every=0"
alone run small.toml --out one --quiet $short
expected="$(digest)"
check "a digest" test -n "$expected"
for ranks in 2 3 4; do
    on "$ranks" run small.toml --out "on-$ranks" --quiet $short
    expect_code 0
    expect_equal "digest on $ranks ranks" "$(digest)" "$expected"
done
alone run small.toml --out mr --quiet $short --set run.detector=mr
expect_equal "digest with detector mr" "$(digest)" "$expected"
# Friction and rolling friction, their springs at wall balls included, and slabs along x.
cat >friction.sed <<'SED'
s/^type = "kelvin-voigt"/type = "linear"\nrolling = "spring"/
/^damper_may_pull/d
s/^damping = .*/restitution = 0.3\nfriction = 0.4\nrolling_friction = 0.1/
SED
sed -f friction.sed small.toml >friction.toml
alone run friction.toml --out friction --quiet $short --set output.checkpoint_every=0.1
expected="$(digest)"
on 3 run friction.toml --out friction-3 --quiet $short --set run.slab_axis=z
expect_equal "digest with friction on 3 ranks" "$(digest)" "$expected"
# A run that stopped goes on with them.
on 2 resume "$(ls friction/checkpoints/step-*.h5 | head -n 1)" --out resumed --quiet
expect_code 0
expect_equal "digest after a resume" "$(digest)" "$expected"
alone run friction.toml --out friction-x --quiet $short --set run.slab_axis=x
expected="$(digest)"
on 2 run friction.toml --out friction-x2 --quiet $short --set run.slab_axis=x
expect_equal "digest with slabs along x on 2 ranks" "$(digest)" "$expected"
# A start from a state keeps the springs at wall balls: the ledger and the check at the start accept it.
sed '0,/^velocity/{/^\[\[stages\]\]/,/^velocity/d}' friction.toml >again.toml
sed -i 's/^stall_time.*/stall_time = 0.0/; s/^time = 6.0/time = 0.1/' again.toml
printf '[start]\nfrom = "friction-stop/state.h5"\n' >>again.toml
alone run friction.toml --out friction-stop --quiet $short --set stages.discharge.time=0.001
alone run again.toml --out again
expect_code 0
expect_no_text out 'friction there starts from zero'
alone run again.toml --out anew --steps 1 --set run.seed=8
expect_code 0
expect_text out "^warning: the wall 'cone' has other triangles or wall balls than in .*state.h5: friction there starts from zero\$"

# The paper's own case: its numbers of balls, its cubes, and its first steps.
alone check "$cases/lazarevic-2002.toml" --no-measure
expect_code 0
expect_text out '^balls +22 741 of radius 215 mm to 225 mm'
expect_text out '^walls +4 with 3 821 wall balls, which never move'
expect_text out ' of 500 mm, skin 50 mm'
expect_text out '^detector +fixed-cubes'
alone run "$cases/lazarevic-2002.toml" --out paper --steps 300 --quiet
expect_code 0
expected="$(digest)"
on 2 run "$cases/lazarevic-2002.toml" --out paper-2 --steps 300 --quiet
expect_equal "digest of the paper's case on 2 ranks" "$(digest)" "$expected"
finish
