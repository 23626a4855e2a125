# Settling of balls whose masses differ by 1:32, as whole runs: it ends when all of them are at rest, and not already when their mean energy is little
# beside the weight of the heaviest. The same on 1 to 4 ranks.
source "$2/tests/support/program.bash"

# 100 balls of 4 g fall beside and onto one of 128 g in a round bin, bounce and come to rest.
cat >wide.toml <<'TOML'
[silo]
hopper = "flat"
d_c = 0.2
h_c = 0.3
d_h = 0.08
material = "grain"
[run]
dt = 1e-4
[[materials]]
name = "grain"
density = 1000.0
young = 1e6
poisson = 0.3
restitution = 0.8
friction = 0.2
[[bodies]]
source = "ball"
material = "grain"
position = [0.0, 0.0, 0.05]
radius = 0.0312636
[[bodies]]
source = "lattice"
material = "grain"
lower = [-0.06, -0.06, 0.082]
upper = [0.06, 0.06, 0.17]
counts = [5, 5, 4]
jitter = 0.5
radius = 0.0098475
velocity = [0.1, 0.0, -0.2]
[[stages]]
type = "settle"
time = 20.0
[output]
log_every = 1.0
TOML
weight_times_diameter="$(awk 'BEGIN { m = 4 / 3 * 3.14159265358979 * 1000; a = 0.0098475; b = 0.0312636
    printf "%.9g", 9.81 * m * (100 * a ^ 3 * 2 * a + b ^ 3 * 2 * b) }')"
column() { head -n 1 "$1/series.csv" | tr ',' '\n' | grep -nxF -- "$2" | cut -d: -f1; }
energy_at_end() { tail -n 1 "$1/series.csv" | cut -d, -f"$(column "$1" kinetic_energy_J)"; }
ended() { sed -n 's/^t = [0-9.e+-]* s, step \([0-9]*\): settled: .*/\1/p' out; }
holds() { awk -v a="$1" -v b="$2" "BEGIN { exit !($3) }"; }

alone run wide.toml --out wide
expect_code 0
step="$(ended)" energy="$(energy_at_end wide)"
check "settled, at step ${step:-none}" test -n "$step"
# The default limit, a ten-thousandth of the sum of m g d over the balls; a ball alone with all of it would move at less than 0.1 m/s.
check "energy $energy J below 1e-4 of $weight_times_diameter J" holds "$energy" "$weight_times_diameter" 'a < 1e-4 * b'
# Sooner, with another share, so that ranks that wait for each other on few cores do not take long.
alone run wide.toml --out early --quiet --set stages.settle.energy_share=1e-2
expect_code 0
early="$(digest)"
for n in 2 3 4; do
    on $n run wide.toml --out "early-$n" --quiet --set stages.settle.energy_share=1e-2
    expect_code 0
    expect_equal "digest on $n ranks" "$(digest)" "$early"
done

# What has settled stays so: a ball may still roll into a gap, but no more.
alone run wide.toml --out on --set 'stages=[{type="settle", time=20.0}, {type="run", name="on", time=0.5}]' --quiet
expect_code 0
most="$(awk -F, -v n="$(column on kinetic_energy_J)" -v t="$(tail -n 1 wide/series.csv | cut -d, -f1)" \
    'NR > 1 && $1 >= t && $n > most { most = $n } END { print most + 0 }' on/series.csv)"
check "energy of at most $most J in the half second after" holds "$most" "$weight_times_diameter" 'a > 0 && a < 5e-4 * b'

# With the limit that the heaviest ball would set for the mean of all, the same run ends early, while balls jump: so this scene tells one from the other.
heaviest="$(awk 'BEGIN { m = 4 / 3 * 3.14159265358979 * 1000 * 0.0312636 ^ 3; printf "%.9g", 1e-4 * m * 9.81 * 2 * 0.0312636 }')"
alone run wide.toml --out hasty --set "stages.settle.energy=$heaviest"
expect_code 0
check "ends early: step $(ended) against $step" holds "$(ended)" "$step" 'a > 0 && 1.2 * a < b'
check "in motion: $(energy_at_end hasty) J" holds "$(energy_at_end hasty)" "$weight_times_diameter" 'a > 1e-3 * b'
finish
