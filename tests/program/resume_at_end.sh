# A checkpoint may fall on the last step of a stage or of the run: rows and frames that were written after it, at the same time, are there once
# in a run that is taken up from it. And walls that move keep the numbers of their files.
source "$2/tests/support/program.bash"
cat >bin.toml <<'END'
[run]
dt = 1e-4
[domain]
lower = [-0.05, -0.05, -0.01]
upper = [0.05, 0.05, 0.12]
[[materials]]
name = "grain"
density = 2500.0
young = 2e5
poisson = 0.3
restitution = 0.5
friction = 0.5
[[bodies]]
source = "lattice"
lower = [-0.02, -0.02, 0.005]
upper = [0.02, 0.02, 0.03]
spacing = 0.01
radius = 0.004
jitter = 1.0
material = "grain"
[[motions]]
name = "shake"
type = "vibrate"
amplitude = [0.0, 0.0, 0.001]
frequency = 10.0
stage = "two"
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
bottom = [0.0, 0.0, 0.0]
top = [0.0, 0.0, 0.12]
radius = 0.04
material = "grain"
[[stages]]
type = "run"
name = "one"
time = 0.04
[[stages]]
type = "run"
name = "two"
time = 0.04
[[probes]]
type = "pressure"
wall = "shell"
bins = 2
every = 0.002
average = 0.03
[[probes]]
type = "field"
name = "bed"
lower = [-0.03, -0.03, 0.0]
upper = [0.03, 0.03, 0.03]
counts = [2, 2, 1]
every = 0.003
average = 0.03
[[probes]]
type = "bands"
name = "layers"
stage = "two"
bands = 3
every = 0.007
[output]
series_every = 0.007
frames_every = 0.015
checkpoint_every = 0.01
checkpoints_kept = 100
END
alone run bin.toml --out whole --quiet
expect_code 0
whole="$(digest)"
expect_equal "checkpoints" "$(ls whole/checkpoints | tr -d '\n')" "$(printf 'step-%012d.h5' 100 200 300 400 500 600 700 800)"
columns="$(head -n 1 whole/series.csv | tr ',' '\n' | wc -l)"
rows() { cut -d, -f"1-$((columns - 2))" "$1/series.csv"; }   # the last two are of the machine: speed and balance
for step in 200 400 600 800; do
    again="from-$step"
    cp -r whole "$again"
    alone resume "$again/checkpoints/step-$(printf %012d "$step").h5" --quiet
    expect_code 0
    expect_equal "digest from step $step" "$(digest)" "$whole"
    for file in pressure-shell.csv field-bed.csv field-bed.pvd bands-layers.csv frames.pvd walls.pvd; do
        expect_file "$again/$file"
        check "$file from step $step" cmp "whole/$file" "$again/$file"
    done
    check "fields from step $step" diff -rq whole/field-bed "$again/field-bed"
    check "frames from step $step" diff -rq whole/frames "$again/frames"
    expect_equal "series from step $step" "$(rows "$again" | md5sum)" "$(rows whole | md5sum)"
done
expect_equal "averages" "$(awk -F, 'NR > 1 { printf "%.6g ", $1 }' whole/field-bed.csv)" "0.03 0.04 0.06 0.08 "
check "walls were seen in several places" test "$(ls whole/frames/walls_*.vtp | wc -l)" -gt 2

# A run of so many steps ends in the middle: what it wrote at its end is no part of the longer run.
alone run bin.toml --out short --steps 500 --quiet
expect_code 0
alone resume short/checkpoints/step-000000000500.h5 --steps 800 --quiet
expect_code 0
expect_equal "digest of the run that was first short" "$(digest)" "$whole"
for file in pressure-shell.csv field-bed.csv frames.pvd walls.pvd; do
    check "$file of the run that was first short" cmp "whole/$file" "short/$file"
done
expect_equal "series of the run that was first short" "$(rows short | md5sum)" "$(rows whole | md5sum)"

# Layers of all stages are cut once, in the first stage that begins with grain; a ball keeps its number.
sed '/^stage = "two"$/d' bin.toml | sed 's/^type = "vibrate"$/&\nstage = "two"/' >all.toml
alone run all.toml --out all --quiet
expect_code 0
check "rows of layers" test "$(wc -l <all/bands-layers.csv)" -gt 10
expect_equal "layers that were seen" "$(cut -d, -f2- all/bands-layers.csv | sed 1d | sort -u | wc -l)" 1
expect_equal "their rows at the end of stage one" "$(grep -c '^0.04,' all/bands-layers.csv)" 0
cp -r all all-again
alone resume all-again/checkpoints/step-000000000400.h5 --quiet
expect_code 0
check "layers of a run taken up again" cmp all/bands-layers.csv all-again/bands-layers.csv
sed -e 's/^\[\[bodies\]\]/[[insert]]\nname = "rain"\ntotal = 40\nrate = 1600.0\nstart = 0.005/' -e '/^source/d' -e '/^spacing/d' -e '/^jitter/d' all.toml >rain.toml
alone run rain.toml --out rain --quiet
expect_code 0
expect_equal "no layers before there is grain" "$(sed -n 2p rain/bands-layers.csv | cut -d, -f1,5)" "0.04,0"
finish
