# What `granary check` says: no shipped case gives reason for a warning, costs are told for the ranks asked for, and without a measurement
# the same is said every time.
source "$2/tests/support/program.bash"

for case in "$cases"/*.toml; do
    smaller=()   # it needs more memory than some machines have, and that is worth a warning
    [[ "${case##*/}" != silo-20m.toml ]] || smaller=(--set stages.fill.count=1000000)
    alone check "$case" --no-measure ${smaller[@]+"${smaller[@]}"}
    expect_code 0
    check "no warnings about ${case##*/}: $(grep '^warning' out)" grep -q '^no warnings$' out
done

demo="$cases/silo-demo.toml"
alone check "$demo" --no-measure
cp out first
alone check "$demo" --no-measure
check "the same words again" cmp -s out first
expect_text out '^wall time +about [0-9.]+ (s|min) on 1 rank, '
expect_text out 'a typical value, not measured'
expect_text out '^estimate +the stage "discharge": about [0-9.]+ kg/s through 100 mm; Beverloo \(1961\)'
alone check "$demo" --ranks 4 --no-measure
expect_text out '^wall time +about [0-9.]+ (s|min) on 4 ranks, '
on 2 check "$demo" --no-measure
expect_text out '^wall time +about [0-9.]+ (s|min) on 2 ranks, '
alone check "$demo" --ranks 500 --no-measure
expect_text out '^warning: 500 ranks are too many for this case: use at most [0-9]+$'
alone check "$demo" --ranks 0
expect_code 2

# Measured: another speed, nothing else.
on 2 check "$demo"
expect_code 0
expect_text out 'core-hours at [0-9.e+]+ ball-steps/s per core, measured on one core with a bed of [0-9 ]+ balls without walls$'

# A discharge without a time is estimated from its gate, one without a gate that is known has no limit; neither counts as nothing.
sed '/^time = 10.0/d' "$demo" >open.toml
alone check open.toml --no-measure
expect_text out '^  discharge +about [0-9.]+ s +30 us +about [0-9 ]+ +14 000 to 0$'
cat >hole.toml <<'END_OF_CASE'
[domain]
lower = [-0.1, -0.1, -0.1]
upper = [0.1, 0.1, 0.3]
[run]
[[materials]]
name = "grain"
density = 1.3
young = 5e6
poisson = 0.3
restitution = 0.4
friction = 0.4
[[walls]]
name = "floor"
type = "plane"
point = [0.0, 0.0, 0.0]
normal = [0.0, 0.0, 1.0]
material = "grain"
[[outlets]]
name = "side"
point = [0.09, 0.0, 0.0]
normal = [-1.0, 0.0, 0.0]
[[stages]]
type = "fill"
material = "grain"
count = 100
radius = 0.005
lower = [-0.05, -0.05, 0.1]
upper = [0.05, 0.05, 0.2]
[[stages]]
type = "discharge"
END_OF_CASE
alone check hole.toml --no-measure
expect_code 0
expect_text out '^  discharge +no limit +[0-9.]+ us +no limit +100 to 0$'
expect_text out 'the stage "discharge" has no time limit and is not included: [0-9 ]+ steps, [0-9.e-]+ core-hours per simulated second$'
expect_text out '^warning: the density of "grain" is 1.3 kg/m\^3, less than that of cork or foam: is it in g/cm\^3\? \(density = 1300\)$'
expect_text out '^dt +[0-9.e-]+ s \(chosen by dt = "auto"\)$'

# Nothing said of step, rate and output: it runs, and shows something.
alone run hole.toml --set materials.grain.density=1300 --set 'stages.discharge.time=0.2' --out shown
expect_code 0
frames="$(ls shown/frames | grep -c 'frame.*vtp$')"
rows="$(wc -l <shown/series.csv)"
check "about 50 frames, got $frames" test "$frames" -ge 20 -a "$frames" -le 120
check "about 500 rows, got $rows" test "$rows" -ge 200 -a "$rows" -le 1200
expect_text shown/as-run.toml '^frames_every = 0\.'
expect_text shown/as-run.toml '^rate = [0-9]'

# Balls that fall beside the silo are no outflow.
alone run "$cases/silo-tiny.toml" --out beside \
    --set 'insert=[{material="grain", lower=[0.06, -0.02, 0.1], upper=[0.08, 0.02, 0.16], total=3, per_event=3, interval=0.1, radius=0.005}]'
expect_code 0
expect_text out '^warning: balls have left by the outlet "outlet" before any gate opened: .* at worst 3 balls'
expect_text beside/report.html 'before any gate opened'
alone run "$cases/silo-tiny.toml" --out tiny
expect_no_text out 'before any gate opened'
finish
