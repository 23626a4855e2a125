# Walls that move: what `check` says, gates that slide, frames and series, a motion from a file, and the same digest on 1 to 3 ranks.
source "$2/tests/support/program.bash"
limit=240

cat >box.toml <<'TOML'
title = "A plate that presses, a stirrer, a gate"
[run]
dt = 2e-5
[domain]
lower = [-0.05, -0.05, -0.03]
upper = [0.05, 0.05, 0.12]
[[materials]]
name = "grain"
density = 2500.0
young = 5e6
poisson = 0.3
restitution = 0.5
friction = 0.5
[[bodies]]
source = "lattice"
material = "grain"
lower = [-0.02135, -0.02135, 0.0085]
upper = [0.02135, 0.02135, 0.0512]
counts = [7, 7, 7]
radius = 0.003
jitter = 1.0
[[walls]]
name = "left"
type = "plane"
point = [-0.0215, 0.0, 0.0]
normal = [1.0, 0.0, 0.0]
material = "grain"
[[walls]]
name = "right"
type = "plane"
point = [0.0215, 0.0, 0.0]
normal = [-1.0, 0.0, 0.0]
material = "grain"
[[walls]]
name = "front"
type = "plane"
point = [0.0, -0.0215, 0.0]
normal = [0.0, 1.0, 0.0]
material = "grain"
[[walls]]
name = "back"
type = "plane"
point = [0.0, 0.0215, 0.0]
normal = [0.0, -1.0, 0.0]
material = "grain"
[[walls]]
name = "floor"
type = "annulus"
centre = [0.0, 0.0, 0.0]
normal = [0.0, 0.0, 1.0]
inner_radius = 0.012
outer_radius = 0.04
material = "grain"
[[walls]]
name = "gate"
type = "disc"
centre = [0.0, 0.0, 0.0]
normal = [0.0, 0.0, 1.0]
radius = 0.012
material = "grain"
opens = "out"
slides = [0.03, 0.0, 0.0]
slide_time = 0.03
[[walls]]
name = "plate"
type = "rectangle"
corner = [-0.0214, -0.0214, 0.055]
edge_a = [0.0428, 0.0, 0.0]
edge_b = [0.0, 0.0428, 0.0]
material = "grain"
motion = "press"
[[walls]]
name = "stirrer"
type = "rectangle"
corner = [-0.01, 0.0, 0.002]
edge_a = [0.02, 0.0, 0.0]
edge_b = [0.0, 0.0, 0.006]
material = "grain"
motion = "stir"
[[motions]]
name = "press"
type = "servo"
direction = [0.0, 0.0, -2.0]
force = 0.3
speed = 0.1
gain = 0.3
[[motions]]
name = "stir"
type = "angle-table"
point = [0.0, 0.0, 0.0]
axis = [0.0, 0.0, 1.0]
file = "turn.csv"
stage = "out"
[[outlets]]
name = "below"
point = [0.0, 0.0, -0.02]
normal = [0.0, 0.0, 1.0]
[[stages]]
type = "run"
name = "wait"
time = 0.25
[[stages]]
type = "run"
name = "out"
time = 0.1
[output]
frames_every = 0.02
series_every = 0.01
TOML
printf '# time, angle\n0, 0\n0.05, 1.0\n0.1, 0.5\n' >turn.csv

alone check box.toml --no-measure
expect_code 0
expect_text out '^motion +press: presses with 0.3 N along \(0, 0, -2\), at most 0.1 m/s, gain 0.3 m/s/N, from 0 s; .*walls: plate$'
expect_text out '^motion +stir: table of angles in turn.csv about the axis .*, from the stage "out"; surfaces at most .* m/s; walls: stirrer$'
expect_text out '^motion +gate: slides by \(0.03, 0, 0\) m within 0.03 s, from the stage "out"$'

alone run box.toml --out one
expect_code 0
expect_text out '^balls inserted [0-9]+ = inside [1-9][0-9]* \+ left by below [1-9][0-9]*$'
expect_no_text out 'warning: a ball or wall'
digest_of_one="$(digest)"
short="--quiet --set stages.wait.time=0.01 --set stages.out.time=0.01 --set walls.plate.corner=[-0.0214,-0.0214,0.0515]"
alone run box.toml --out short $short
digest_of_short="$(digest)"
on 3 run box.toml --out on-3 $short
expect_equal "digest on 3 ranks" "$(digest)" "$digest_of_short"
alone run one/as-run.toml --out again --quiet --set output.frames_every=0
expect_equal "digest of the case beside the results, without frames" "$(digest)" "$digest_of_one"
alone run box.toml --out turned --quiet --set run.slab_axis=x --steps 1000
expect_code 0

# The press comes down and holds its force before the gate slides, at 0.25 s.
column() { awk -F, -v name="$1" -v row="$2" 'NR == 1 { for (k = 1; k <= NF; ++k) if ($k == name) c = k } NR == row { print $c }' one/series.csv; }
expect_text one/series.csv 'power_W:press,position_m:press,press_N:press,power_W:stir,power_W:gate'
check "the plate has come down" awk -v z="$(column position_m:press 27)" 'BEGIN { exit !(z > 0.004) }'
check "the plate presses with 0.3 N, within a fifth" awk -v f="$(column press_N:press 27)" 'BEGIN { exit !(f > 0.24 && f < 0.36) }'
check "the stirrer rests before its stage" test "$(column power_W:stir 26)" = 0
check "the stirrer works in it" awk -v p="$(column power_W:stir 29)" 'BEGIN { exit !(p > 0) }'

# Frames: the plate is somewhere else each time, so each has walls of its own; the gate is beside the hole at the end.
expect_equal "files of walls" "$(ls one/frames/walls_*.vtp | wc -l)" "$(ls one/frames/frame_*.vtp | wc -l)"

# A gate that slides at a time of its own, without a stage.
sed -e 's/^opens = "out"/opens_at = 0.25/' box.toml >timed.toml
alone run timed.toml
expect_code 0
expect_text out 'left by below [1-9][0-9]*$'

# A run that is resumed keeps the table that it began with, whatever has become of the file; so does one that is resumed again.
alone run box.toml --out stops $short --set output.checkpoint_every=0.004 --set output.checkpoints_kept=9
expect_equal "digest with checkpoints" "$(digest)" "$digest_of_short"
stops=(stops/checkpoints/step-*.h5)
printf '0, 0\n0.05, -1.0\n0.1, 0.5\n' >turn.csv
alone run box.toml --out other $short
check "another table is another run" test "$(digest)" != "$digest_of_short"
on 2 resume "${stops[0]}" --out resumed --quiet
expect_code 0
expect_equal "digest of the resumed run" "$(digest)" "$digest_of_short"
rm turn.csv
on 2 resume "${stops[-2]}" --out stopped --quiet --wall-time 0
expect_code 85
alone resume stopped --quiet
expect_code 0
expect_equal "digest of the run that was resumed twice" "$(digest)" "$digest_of_short"

# A table that is none.
printf '0, 0\n0.05, one\n' >turn.csv
alone check box.toml --no-measure
expect_code 2
expect_one_message 'turn.csv:2: "one" is not a number'
printf '0 0 0 0\n' >turn.csv
alone check box.toml --no-measure
expect_one_message 'turn.csv:1: 4 numbers \(expected 2: time, angle\)'
rm turn.csv
alone check box.toml --no-measure
expect_one_message 'turn.csv: the motion table cannot be read'
finish
