# Balls that come in by a rate, through a disc or a box, with sizes of every distribution and mixed materials; dense packings; the same on
# any number of ranks; and what `check` says about sizes.
source "$2/tests/support/program.bash"
limit=150

cat >bin.toml <<'TOML'
[domain]
lower = [-0.08, -0.08, 0.0]
upper = [0.08, 0.08, 0.3]
[run]
dt = 1e-4
time = 0.3
[[materials]]
name = "grain"
density = 1300.0
young = 1e6
poisson = 0.3
restitution = 0.3
friction = 0.3
[[materials]]
name = "stone"
density = 2600.0
young = 1e6
poisson = 0.3
restitution = 0.3
friction = 0.3
[[walls]]
name = "floor"
type = "plane"
point = [0.0, 0.0, 0.0]
normal = [0.0, 0.0, 1.0]
material = "stone"
[[walls]]
name = "shell"
type = "cylinder"
bottom = [0.0, 0.0, 0.0]
top = [0.0, 0.0, 0.3]
radius = 0.07
material = "stone"
[output]
series_every = 0.01
log_every = 0.1
TOML
column() { head -n 1 "$1/series.csv" | tr ',' '\n' | grep -nxF -- "$2" | cut -d: -f1; }
at_time() { awk -F, -v t="$2" -v n="$(column "$1" "$3")" 'NR > 1 && $1 > t - 1e-6 { print $n; exit }' "$1/series.csv"; }
last_of() { tail -n 1 "$1/series.csv" | cut -d, -f"$(column "$1" "$2")"; }
number_holds() { awk -v v="$1" "BEGIN { exit !($2) }"; }
same_on_ranks() {   # case, name; the last run was the one to compare with
    local expected; expected="$(digest)"
    on 3 run "$1" --out "$2-3" --quiet; expect_equal "$2 on 3 ranks" "$(digest)" "$expected"
    on 2 run "$1" --out "$2-2" --quiet; expect_equal "$2 on 2 ranks" "$(digest)" "$expected"
    on 4 run "$1" --out "$2-4" --quiet; expect_equal "$2 on 4 ranks" "$(digest)" "$expected"
}

# Through a disc, 1500 balls a second: event after event exactly what is due.
{ cat bin.toml; cat <<'TOML'
[[insert]]
name = "spout"
material = "grain"
inlet = "disc"
centre = [0.01, 0.0, 0.27]
inlet_radius = 0.05
rate = 1500.0
interval = 0.01
total = 300
sizes = "list"
radii = [0.004, 0.005]
shares = [3, 1]
velocity = [0.0, 0.0, -1.0]
TOML
} >disc.toml
alone run disc.toml --out disc
expect_code 0
expect_equal "balls at the start" "$(at_time disc 0 balls_inserted)" 15
expect_equal "balls at 0.1 s" "$(at_time disc 0.1 balls_inserted)" 165
expect_equal "balls at the end" "$(last_of disc balls_inserted)" 300
expect_no_text out 'warning: insert'
same_on_ranks disc.toml disc
# Too many for the place: what is missing is told.
alone run disc.toml --out crowded --set insert.spout.rate=60000 --set insert.spout.total=9000 --set run.time=0.05
expect_code 0
expect_text out '^warning: insert spout: [0-9]+ of 3600 balls inserted, no room for the rest'

# By mass, with a sieve curve and stones mixed in: the mass is met to rounding, and so is the rate.
{ cat bin.toml; cat <<'TOML'
[[insert]]
name = "rain"
material = "grain"
mixed_with = ["stone"]
mixed_shares = [0.25]
lower = [-0.045, -0.045, 0.2]
upper = [0.045, 0.045, 0.28]
mass_rate = 0.8
mass = 0.2
sizes = "sieve"
sieve_sizes = [0.006, 0.009, 0.012]
passing = [0.0, 0.4, 1.0]
velocity = [0.0, 0.0, -2.0]
TOML
} >sieve.toml
alone run sieve.toml --out sieve
expect_code 0
check "a mass of 0.2 kg, got $(last_of sieve mass_in_kg)" number_holds "$(last_of sieve mass_in_kg)" 'v > 0.2 - 1e-9 && v < 0.2 + 1e-9'
half="$(at_time sieve 0.1 mass_in_kg)"
check "about 0.08 kg after 0.1 s, got $half" number_holds "$half" 'v > 0.078 && v < 0.1'
same_on_ranks sieve.toml sieve
alone check sieve.toml --no-measure
expect_code 0
expect_text out '^sizes +rain: a sieve curve of 3 points, by mass; mean radius 4\.08[0-9]* mm, half of the mass is in balls up to 4\.[0-9]+ mm, largest over smallest 2$'
expect_text out '^detector '
sed 's/^sizes = "sieve"/sizes = "normal"\nradius_mean = 0.004\nradius_deviation = 0.0005\nradius_min = 0.003\nradius_max = 0.005/; /^sieve_sizes/d; /^passing/d' \
    sieve.toml >normal.toml
alone run normal.toml --out normal --quiet
expect_code 0
check "a mass of 0.2 kg" number_holds "$(last_of normal mass_in_kg)" 'v > 0.2 - 1e-9 && v < 0.2 + 1e-9'
alone run normal/as-run.toml --out again --quiet     # the written case is the same case
expect_code 0
cmp -s normal/state.h5 again/state.h5 || { alone digest normal/state.h5; a="$(cat out)"; alone digest again/state.h5; expect_equal "state" "$(cat out)" "$a"; }

# An inlet that belongs to a stage, while the silo discharges.
sed 's/^time = 0.3$//' bin.toml >staged.toml
cat >>staged.toml <<'TOML'
[[insert]]
name = "feed"
stage = "flow"
material = "grain"
lower = [-0.04, -0.04, 0.2]
upper = [0.04, 0.04, 0.28]
rate = 1000.0
total = 1000
radius = 0.004
start = 0.02
[[outlets]]
name = "drain"
point = [0.0, 0.0, 0.02]
normal = [0.0, 0.0, 1.0]
[[bodies]]
source = "lattice"
material = "grain"
lower = [-0.03, -0.03, 0.1]
upper = [0.03, 0.03, 0.12]
spacing = 0.01
radius = 0.004
[[stages]]
type = "run"
time = 0.05
[[stages]]
type = "discharge"
name = "flow"
time = 0.2
TOML
alone run staged.toml --out staged
expect_code 0
expect_equal "balls before its stage" "$(at_time staged 0.06 balls_inserted)" 72
expect_text out 'time is up after 0.2 s; insert feed: (1[78][0-9]|19[0-9]|20[0-9]) of (1[78][0-9]|19[0-9]|20[0-9]) balls inserted$'
same_on_ranks staged.toml staged
# A flow goes on where it stopped.
alone run staged.toml --out stops --quiet --set output.checkpoint_every=0.07
whole="$(digest)"
alone resume "$(ls stops/checkpoints/step-*.h5 | head -n 1)" --out goes-on --quiet
expect_code 0
expect_equal "digest after a resume" "$(digest)" "$whole"

# A dense packing fills bin and hopper from the gate upwards, without overlap, and is at rest within half a second.
cat >dense.toml <<'TOML'
[silo]
d_c = 0.12
h_c = 0.16
d_h = 0.05
h_h = 0.06
material = "grain"
[run]
dt = 1e-4
[[materials]]
name = "grain"
density = 1300.0
young = 1e6
poisson = 0.3
restitution = 0.3
friction = 0.4
[[stages]]
type = "fill"
method = "dense"
material = "grain"
count = 2600
sizes = "normal"
radius_mean = 0.004
radius_deviation = 0.0004
radius_min = 0.0032
radius_max = 0.0048
[[stages]]
type = "settle"
time = 0.5
[output]
series_every = 1e-4
log_every = 0.1
TOML
alone run dense.toml --out dense
expect_code 0
expect_text out 'filled: 2600 of 2600 balls'
expect_text out 'settled: '
expect_equal "overlap at the start" "$(sed -n 3p dense/series.csv | cut -d, -f"$(column dense largest_overlap_share)" | awk '{ print ($1 < 1e-3) }')" 1
alone run dense.toml --out brief --quiet --set stages.settle.time=0.02
sed 's/^time = 0.5$/time = 0.02/' dense.toml >brief.toml
same_on_ranks brief.toml brief
alone run dense.toml --out full --set stages.fill.count=4400 --set stages.settle.time=0.001
expect_code 0
expect_text out 'not filled: 3[0-9]+ of 4400 balls, .* could not be placed without overlap'
alone run dense.toml --out tight --set stages.fill.solid_fraction=0.69
expect_code 2
expect_one_message 'the stage "fill": balls of these sizes cannot be packed as densely as 0.69 \(expected a smaller solid_fraction, or max_overlap'
finish
