# Small versions of the validation runs are bitwise the same on 1, 2, 3 and 4 ranks: the lifted hopper, a silo that is filled and emptied with its
# energy balance, the elastic gas, the drum, and a box with walls that vibrate, swing, slide and press. Compared are the digest of all balls
# and springs at the end, and the series without its last two columns, which are of the machine (speed, balance).
# Beverloo and Janssen do the same in scripts of their own.
source "$2/tests/support/program.bash"
limit=120

cat >box.toml <<'TOML'
title = "A floor that vibrates, a paddle that swings, a gate that slides, a plate that presses"
[run]
dt = 2e-5
[domain]
lower = [-0.04, -0.04, -0.03]
upper = [0.04, 0.04, 0.09]
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
lower = [-0.0183, -0.0183, 0.0155]
upper = [0.0183, 0.0183, 0.0575]
counts = [5, 5, 6]
radius = 0.003
jitter = 1.0
[[walls]]
name = "shell"
type = "cylinder"
bottom = [0.0, 0.0, -0.02]
top = [0.0, 0.0, 0.08]
radius = 0.027
material = "grain"
[[walls]]
name = "floor"
type = "annulus"
centre = [0.0, 0.0, 0.0]
normal = [0.0, 0.0, 1.0]
inner_radius = 0.012
outer_radius = 0.028
material = "grain"
motion = "shake"
[[walls]]
name = "gate"
type = "disc"
centre = [0.0, 0.0, 0.0]
normal = [0.0, 0.0, 1.0]
radius = 0.012
material = "grain"
opens_at = 0.16
slides = [0.03, 0.0, 0.0]
slide_time = 0.02
[[walls]]
name = "paddle"
type = "rectangle"
corner = [-0.01, 0.0, 0.006]
edge_a = [0.02, 0.0, 0.0]
edge_b = [0.0, 0.0, 0.008]
material = "grain"
motion = "paddle"
[[walls]]
name = "plate"
type = "disc"
centre = [0.0, 0.0, 0.06]
normal = [0.0, 0.0, 1.0]
radius = 0.026
material = "grain"
motion = "press"
[[motions]]
name = "shake"
type = "vibrate"
amplitude = [0.0, 0.0, 0.0005]
frequency = 60.0
ramp = 0.01
[[motions]]
name = "paddle"
type = "swing"
point = [0.0, 0.0, 0.0]
axis = [0.0, 0.0, 1.0]
angle = 0.5
frequency = 10.0
[[motions]]
name = "press"
type = "servo"
direction = [0.0, 0.0, -1.0]
force = 0.5
speed = 0.5
[[outlets]]
name = "below"
point = [0.0, 0.0, -0.02]
normal = [0.0, 0.0, 1.0]
[output]
energy = true
series_every = 0.002
TOML

rows() { awk -F, 'NF > 2 { NF -= 2 } { print }' OFS=, "$1/series.csv"; }
same() {   # name, case and its settings...; the run alone is kept in out-NAME
    local name="$1"; shift
    for ranks in 1 2 3 4; do
        on "$ranks" run "$@" --quiet --out "$name-$ranks" --set output.frames_every=0
        expect_code 0
        digest >"$name-$ranks.digest"
        expect_file "$name-$ranks.digest"
        check "$name: digest on $ranks ranks" cmp "$name-1.digest" "$name-$ranks.digest"
        expect_equal "$name: series on $ranks ranks" "$(rows "$name-$ranks" | md5sum)" "$(rows "$name-1" | md5sum)"
        [[ $ranks -eq 1 ]] || check "$name: balls changed rank on $ranks ranks" grep -qE ' rebuilds, [1-9][0-9]* balls changed rank' "$name-$ranks/log.txt"
    done
    check "$name: ten rows or more" test "$(wc -l <"$name-1/series.csv")" -gt 10
}
# last FOLDER COLUMN: its value in the last row
last() { awk -F, -v name="$2" 'NR == 1 { for (k = 1; k <= NF; ++k) if ($k == name) c = k; next } { v = $c } END { print v }' "$1/series.csv"; }
holds() { check "$1" awk "BEGIN { exit !($2) }"; }

same hopper "$cases/hopper-lift.toml" --set materials.pmma.young=3.2e5 --set output.series_every=0.02 --set stages.fill.count=250 --set stages.fill.rate=5000.0 \
     --set stages.settle.time=0.1 --set stages.lift.time=0.3 --set stages.pile.time=0.05
expect_text hopper-1/log.txt '^balls inserted 250 = inside '
same silo "$cases/silo-tiny.toml" --set stages.fill.count=120 --set stages.settle.time=0.05 --set stages.discharge.time=0.3 --set output.energy=true --set output.series_every=0.01
holds "silo: balls have left" "$(last silo-1 balls_out) > 20"
holds "silo: energy closes to 1 %" "sqrt(($(last silo-1 energy_residual_J) / $(last silo-1 energy_in_J)) ^ 2) < 0.01"
same gas "$cases/periodic-gas.toml" --set run.dt=2e-6 --set run.time=0.006 --set output.energy=true --set output.series_every=0.0005
holds "gas: energy closes" "sqrt(($(last gas-1 energy_residual_J) / $(last gas-1 energy_in_J)) ^ 2) < 1e-4"
same drum "$cases/drum.toml" --set materials.steel.young=2e7 --set run.time=0.2 --set output.series_every=0.01
same box box.toml --set run.time=0.28
holds "box: the plate has pressed" "$(awk -F, 'NR == 1 { for (k = 1; k <= NF; ++k) if ($k == "press_N:press") c = k; next } $c > m { m = $c } END { print m + 0 }' box-1/series.csv) > 0.02"
holds "box: balls have left" "$(last box-1 balls_out) > 0"
finish
