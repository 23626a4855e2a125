# Filling by number and by mass, by rain and by packing; what cannot be placed is said; steps that differ from stage to
# stage; and starting from the state of another run.
source "$2/tests/support/program.bash"

cat >silo.toml <<'TOML'
[silo]
d_c = 0.10
h_c = 0.12
d_h = 0.05
h_h = 0.04
material = "steel"
[run]
dt = 1e-4
[[materials]]
name = "grain"
density = 1300.0
young = 1e6
poisson = 0.3
restitution = 0.3
friction = 0.3
[[materials]]
name = "steel"
young = 1e9
poisson = 0.3
restitution = 0.3
friction = 0.3
[[stages]]
type = "fill"
material = "grain"
count = 100
rate = 2000.0
radius_min = 0.004
radius_max = 0.005
[output]
series_every = 1e-4
log_every = 0.05
TOML
fill="--set stages.fill"
sed 's/^rate.*/method = "pack"/' silo.toml >packed.toml
column() { head -n 1 "$1/series.csv" | tr ',' '\n' | grep -nxF -- "$2" | cut -d: -f1; }
last_of() { tail -n 1 "$1/series.csv" | cut -d, -f"$(column "$1" "$2")"; }
largest_of() {
    awk -F, -v n="$(column "$1" "$2")" 'NR > 1 && $n + 0 > most { most = $n + 0 } END { print most + 0 }' "$1/series.csv"
}
number_holds() { awk -v v="$1" "BEGIN { exit !($2) }"; }

# By mass: met to rounding, because the last ball is made to fit.
alone run silo.toml --out mass $fill.mass=0.05
expect_code 0
expect_text out ': filled: 0.05 of 0.05 kg in [0-9]+ balls$'
check "a mass of 0.05 kg, got $(last_of mass mass_in_kg)" number_holds "$(last_of mass mass_in_kg)" 'v > 0.05 - 1e-12 && v < 0.05 + 1e-12'
mass="$(digest)"
on 3 run silo.toml --out mass-3 --quiet $fill.mass=0.05
expect_equal "digest on 3 ranks" "$(digest)" "$mass"
# Equal balls cannot meet any mass: the nearest number below it.
alone run silo.toml --out equal $fill.mass=0.05 $fill.radius=0.005
expect_code 0
expect_text out ': filled: 0.0496895 of 0.05 kg in 73 balls$'     # a ball is 0.000680678 kg
alone run silo.toml --out mass-rate $fill.mass_rate=0.7 $fill.mass=0.05
expect_code 0
expect_text out ': filled: 0.05 of 0.05 kg'

# Packed: all at once, at the first step, without overlap, from below.
alone run packed.toml --out pack $fill.count=300 --steps 1
expect_code 0
expect_text out '^balls inserted 300 = inside 300 '
expect_equal "largest overlap" "$(largest_of pack largest_overlap_share)" 0
pack="$(digest)"
on 3 run packed.toml --out pack-3 --quiet $fill.count=300 --steps 1
expect_equal "digest on 3 ranks" "$(digest)" "$pack"
alone run packed.toml --out pack-x $fill.count=300 --steps 1 --set run.slab_axis=x --set output.frames_every=1e-4
expect_code 0
expect_text out '^balls inserted 300 = inside 300 '
# The round bin holds fewer than its box: the rest is told.
alone run packed.toml --out full $fill.count=1100
expect_code 0
expect_text out ': not filled: [0-9]+ of 1100 balls, [0-9.]+ kg; the rest could not be placed without overlap: enlarge the region'
placed="$(sed -n 's/.*: not filled: \([0-9]*\) of.*/\1/p' out)"
check "some 11 x 9 x 9 less the corners, got $placed" number_holds "$placed" 'v > 500 && v < 1100'
alone run packed.toml --out pack-mass $fill.mass=0.05 --steps 1
expect_code 0
check "a mass of 0.05 kg" number_holds "$(last_of pack-mass mass_in_kg)" 'v > 0.05 - 1e-12 && v < 0.05 + 1e-12'

# Closer than touching, as far as allowed: the same number in cells that are smaller by as much.
alone run packed.toml --out close $fill.count=700 $fill.max_overlap=0.2 --steps 1
expect_code 0
expect_text out '^balls inserted 700 = inside 700 '
share="$(largest_of close largest_overlap_share)"
check "an overlap of up to a fifth of the smallest radius, got $share" number_holds "$share" 'v > 0.02 && v <= 0.2 + 1e-9'
alone run silo.toml --out close-rain $fill.count=300 $fill.rate=1e5 $fill.max_overlap=0.2 --steps 1
expect_code 0
share="$(largest_of close-rain largest_overlap_share)"
check "an overlap of up to a fifth of the smallest radius, got $share" number_holds "$share" 'v > 0.02 && v <= 0.2 + 1e-9'

# A rain that has no time, and one whose region is full.
alone run silo.toml --out hurry $fill.count=400 $fill.time=0.05
expect_code 0
expect_text out ': not filled: [0-9]+ of 400 balls, [0-9.]+ kg; the rest could not be placed in time: allow more time or a higher rate$'
alone run silo.toml --out flood $fill.count=700 $fill.time=0.5 $fill.lower=[-0.02,-0.02,0.04] $fill.upper=[0.02,0.02,0.06]
expect_code 0
expect_text out ': not filled: [0-9]+ of 700 balls'

# [[insert]] keeps its times whatever the steps of the stages are: 5 balls every 0.02 s from 0.01 s on.
{
    sed '/^\[\[stages\]\]/,$d' silo.toml
    printf '[[insert]]\nname = "drip"\nmaterial = "grain"\nlower = [-0.03, -0.03, 0.1]\nupper = [0.03, 0.03, 0.15]\n'
    printf 'total = 40\nper_event = 5\nstart = 0.01\ninterval = 0.02\nradius = 0.004\n'
    for dt in 5e-5 1e-4 2.5e-5; do printf '[[stages]]\ntype = "run"\nname = "at %s"\ntime = 0.035\ndt = %s\n' $dt $dt; done
    printf '[output]\nseries_every = 5e-3\nlog_every = 0.01\n'
} >drip.toml
alone run drip.toml --out drip
expect_code 0
came="$(awk -F, -v n="$(column drip balls_inserted)" 'NR > 1 { t = int($1 * 1000 + 0.5); if (t % 20 == 5 || t % 20 == 15) printf "%d:%d ", t, $n }' drip/series.csv)"
expect_equal "balls at 5, 15, 25, ... ms" "$came" "5:0 15:5 25:5 35:10 45:10 55:15 65:15 75:20 85:20 95:25 105:25 "
drip="$(digest)"
on 2 run drip.toml --out drip-2 --quiet
expect_equal "digest on 2 ranks" "$(digest)" "$drip"

# A state holds what the ledger counts as inside, also while balls are on their way out of it.
sed -e 's/^h_h.*/&\nopens_at = 0.0/' -e '$a every = 2e-3' silo.toml >running.toml
printf '[[stages]]\ntype = "run"\ntime = 0.3\n' >>running.toml
alone run running.toml --out running
expect_code 0
expect_text out '^balls inserted 100 = inside [0-9]+ \+ left by outlet [1-9]'
balls_of() { h5dump -H -d /bodies/id "$1" | sed -n 's/.*SIMPLE { ( \([0-9]*\) ).*/\1/p'; }
left_of() { h5dump -y -d /left_by_outlet "$1" | sed -n 's/^ *\([0-9][0-9]*\)$/\1/p' | head -n 1; }
inserted_of() { h5dump -a /inserted "$1" | sed -n 's/^ *(0): \([0-9]*\)$/\1/p'; }
if have h5dump; then
    for state in running/state*.h5; do
        expect_equal "$state: inside + left" "$(($(balls_of "$state") + $(left_of "$state")))" "$(inserted_of "$state")"
    done
fi

# From the state of another run: what does not match is said, what matches is kept.
sed -e '/^\[\[stages\]\]/,/^radius_max/d' silo.toml >again.toml
printf '[[stages]]\ntype = "run"\ntime = 0.01\n[start]\nfrom = "mass/state.h5"\n' >>again.toml
alone run again.toml --out again
expect_code 0
expect_text out '^balls inserted [0-9]+ = inside [0-9]+ \+ left by outlet 0$'
expect_no_text out warning
expect_equal "balls of both" "$(last_of again balls_inserted)" "$(last_of mass balls_inserted)"
alone run again.toml --out lower --set silo.d_c=0.09 --set silo.h_h=0.045
expect_code 2
expect_one_message 'again.toml: at the start ball [0-9]+ .* (reaches [0-9.]+ % of its radius into|is behind) the wall "cylinder"'
sed -e 's/^name = "steel"/name = "iron"/; s/"steel"/"iron"/' -e 's/^\[silo\]/&\nhopper = "flat"/; /^h_h/d; s/^d_h/bottom = 0.04\n&/' again.toml >other.toml
alone run other.toml --out other
expect_code 0
expect_text out "^warning: the wall 'cone' of mass/state.h5 is not in this case: friction there starts from zero$"
alone run again.toml --out on --set start.time_zero=false
expect_code 0
check "the clock goes on" number_holds "$(last_of on time_s)" 'v > 0.015'

# What the command line changes stands in the log and beside the results.
alone run silo.toml --out set --steps 5 --set run.seed=7 $fill.count=50
expect_code 0
for text in '^set run.seed=7$' '^set stages.fill.count=50$' '^steps 5$'; do expect_text set/log.txt "$text"; done
expect_text set/as-run.toml "^# granary run silo.toml --set 'run.seed=7' --set 'stages.fill.count=50' --steps 5$"
expect_text set/as-run.toml '^seed = 7$'

# A run of no step is no run for ever.
alone run "$cases/two-balls.toml" --set run.steps=0 --out none
expect_code 0
finish
