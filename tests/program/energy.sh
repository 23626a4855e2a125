# The energy balance of a shaken bin: closed at a fine step; a step that is too large is warned of, in the log and in the report.
source "$2/tests/support/program.bash"
cat >bin.toml <<'END'
[run]
dt = 2e-5
time = 0.2
[domain]
lower = [-0.05, -0.05, -0.02]
upper = [0.05, 0.05, 0.12]
[[materials]]
name = "grain"
density = 2500.0
young = 2e6
poisson = 0.3
restitution = 0.7
friction = 0.3
[[bodies]]
source = "lattice"
lower = [-0.025, -0.025, 0.005]
upper = [0.025, 0.025, 0.055]
spacing = 0.01
radius = 0.004
jitter = 1.0
material = "grain"
[[motions]]
name = "shake"
type = "vibrate"
amplitude = [0.0, 0.0, 0.004]
frequency = 25.0
[[walls]]
name = "floor"
type = "disc"
centre = [0.0, 0.0, 0.0]
normal = [0.0, 0.0, 1.0]
radius = 0.04
material = "grain"
motion = "shake"
[[walls]]
name = "shell"
type = "cylinder"
bottom = [0.0, 0.0, -0.01]
top = [0.0, 0.0, 0.12]
radius = 0.04
material = "grain"
[output]
series_every = 0.01
energy = true
END
last() { awk -F, -v name="$2" 'NR == 1 { for (k = 1; k <= NF; ++k) if ($k == name) c = k } { x = $c } END { print x }' "$1/series.csv"; }
share() { awk -v r="$(last "$1" energy_residual_J)" -v t="$(last "$1" energy_turned_over_J)" 'BEGIN { print 100 * (r < 0 ? -r : r) / t }'; }
alone run bin.toml --out fine --quiet
expect_code 0
check "residual of $(share fine) % below 1 %" awk -v s="$(share fine)" 'BEGIN { exit !(s < 1) }'
expect_no_text fine/log.txt 'energy balance'
alone run bin.toml --out coarse --quiet --set run.dt=2.5e-4 --set run.allow_large_dt=true
expect_code 0
check "residual of $(share coarse) % above 1 %" awk -v s="$(share coarse)" 'BEGIN { exit !(s > 1) }'
for file in log.txt report.html; do
    expect_text "coarse/$file" 'the energy balance does not close: energy_residual is more than 1 % of the energy turned over; use a smaller step'
done
finish
