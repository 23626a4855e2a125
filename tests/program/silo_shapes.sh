# Silos of every shape are filled, come to rest, open and discharge. All balls come in, none leaves before the gate opens,
# and all that leave do so through the opening: a tray under the rest of the silo would catch the others and feel them.
source "$2/tests/support/program.bash"

# What all cases have in common: 150 balls of 5 mm, soft, with a large step. The silo follows, then the stages.
common='
[run]
dt = 1e-4
[[materials]]
name = "grain"
density = 1300.0
young = 1e6
poisson = 0.3
restitution = 0.3
friction = 0.3
[output]
series_every = 5e-3
log_every = 0.1
'
stages='
[[stages]]
type = "fill"
material = "grain"
count = 150
rate = 1500.0
radius_min = 0.0045
radius_max = 0.005
[[stages]]
type = "settle"
time = 0.2
[[stages]]
type = "discharge"
time = 3.0
stall_time = 0.25
'

# A frame of four rectangles around the hole from (x0, y0) to (x1, y1), 11 mm below the outlet, which is at z = 0.
tray() {
    local x0="$1" y0="$2" x1="$3" y1="$4" far=0.2
    piece() { printf '[[walls]]\nname = "%s"\ntype = "rectangle"\nmaterial = "grain"\ncorner = [%s, %s, -0.011]\n' "$1" "$2" "$3"
              awk -v a="$4" -v b="$2" -v c="$5" -v d="$3" \
                  'BEGIN { printf "edge_a = [%.9f, 0.0, 0.0]\nedge_b = [0.0, %.9f, 0.0]\n", a - b, c - d }'; }
    piece tray-left "-$far" "-$far" "$x0" "$far"
    piece tray-right "$x1" "-$far" "$far" "$far"
    piece tray-front "$x0" "-$far" "$x1" "$y0"
    piece tray-back "$x0" "$y1" "$x1" "$far"
}

column() { head -n 1 "$1/series.csv" | tr ',' '\n' | grep -nxF -- "$2" | cut -d: -f1; }
# Rows of the series for which an expression of awk over $<name of a column> holds.
rows() {   # folder, name of the column, condition on v
    local number; number="$(column "$1" "$2")"
    check "a column $2" test -n "$number"
    awk -F, -v n="$number" "NR > 1 { v = \$n + 0; if ($3) ++count } END { print count + 0 }" "$1/series.csv"
}
stage_end() { sed -n "s/^t = \([0-9.e+-]*\) s, step [0-9]*: \($1.*\)/\1 \2/p" out; }

# Fills, settles, discharges; then looks at the tray and the ledger.
discharge() {   # name, options of run...
    local name="$1" left inside opened piece axis; shift
    "${runner[@]}" run "$name.toml" --out "$name" "$@"
    expect_code 0
    expect_text out 'filled: 150 of 150 balls'
    read -r inside left < <(sed -n 's/^balls inserted 150 = inside \([0-9]*\) + left by outlet \([0-9]*\)$/\1 \2/p' out)
    check "a ledger of 150 balls" test "$((inside + left))" -eq 150
    check "balls that leave, got $left" test "$left" -ge 20
    opened="$(stage_end 'settled|time is up' | head -n 1 | cut -d' ' -f1)"
    expect_equal "rows with balls out before the gate opens" \
        "$(awk -F, -v t="$opened" -v n="$(column "$name" balls_out)" 'NR > 1 && $1 < t && $n > 0' "$name/series.csv" | wc -l)" 0
    for piece in left right front back; do
        expect_equal "rows in which tray-$piece feels a ball" "$(rows "$name" "force_z_N:tray-$piece" 'v != 0')" 0
    done
    expect_equal "rows with a negative mass flow" "$(rows "$name" mass_flow_kg_per_s 'v < -1e-9')" 0
    balls_inside="$inside"
}
make() {   # name, hole of the tray (four numbers); the silo comes from stdin
    local name="$1"; shift
    { printf 'title = "%s"\n[silo]\nmaterial = "grain"\n' "$name"; cat; echo "$common"; tray "$@"; echo "$stages"; } >"$name.toml"
}
runner=(alone)

make cone -0.035 -0.035 0.035 0.035 <<<'
d_c = 0.09
h_c = 0.12
d_h = 0.055
h_h = 0.05'
discharge cone
expect_text out ': empty$'
expect_equal "balls left inside" "$balls_inside" 0

make flat -0.035 -0.035 0.035 0.035 <<<'
hopper = "flat"
d_c = 0.10
h_c = 0.12
d_h = 0.05'
discharge flat
expect_text out ': (stalled: no ball has left for 0.2[0-9]* s, [0-9]+ are inside|time is up after 3 s)'
check "grain stays on a flat floor" test "$balls_inside" -gt 0

make eccentric -0.010 -0.030 0.055 0.030 <<<'
hopper = "flat"
outlet_offset = [0.022, 0.0]
d_c = 0.10
h_c = 0.12
d_h = 0.045
centre = [0.0, 0.0]'
discharge eccentric

make wedge -0.032 -0.045 0.032 0.045 <<<'
bin = "rectangle"
hopper = "wedge"
outlet = "slot"
width = 0.10
depth = 0.07
h_c = 0.12
outlet_width = 0.045
h_h = 0.06'
discharge wedge
expect_text out ': empty$'
expect_equal "balls left inside" "$balls_inside" 0
wedge="$(digest)"
runner=(on 3)
discharge wedge --overwrite --set output.log_every=0.05
expect_equal "digest on 3 ranks" "$(digest)" "$wedge"
runner=(alone)

make slot-in-box -0.040 -0.045 0.020 0.030 <<<'
bin = "rectangle"
hopper = "flat"
outlet = "slot"
width = 0.10
depth = 0.08
h_c = 0.12
outlet_width = 0.04
outlet_length = 0.055
outlet_offset = [-0.01, -0.0075]'
discharge slot-in-box

make circle-in-box -0.033 -0.033 0.033 0.033 <<<'
bin = "rectangle"
hopper = "flat"
width = 0.10
depth = 0.08
h_c = 0.12
d_h = 0.045'
discharge circle-in-box

make slot-in-cylinder -0.030 -0.040 0.030 0.040 <<<'
hopper = "flat"
outlet = "slot"
d_c = 0.10
h_c = 0.12
outlet_width = 0.04
outlet_length = 0.06'
discharge slot-in-cylinder

# An opening of one and a half balls: an arch forms at once, or after a few balls.
make arch -0.035 -0.035 0.035 0.035 <<<'
d_c = 0.09
h_c = 0.12
d_h = 0.014
h_h = 0.05'
alone run arch.toml --out arch --set materials.grain.friction=0.8
expect_code 0
expect_text out ': stalled: no ball has left for 0.2[0-9]* s, [0-9]+ are inside \(an arch, or grain at rest beside the outlet\)$'

# A settling that ends because all is at rest, a discharge that ends on time, and a gate that opens at a time of its own.
alone run cone.toml --out timed --set stages.settle.time=5 --set stages.discharge.time=0.05
expect_code 0
expect_text out '^t = [0-9.]+ s, step [0-9]+: settled: [0-9.e-]+ J per ball$'
expect_text out '^t = [0-9.]+ s, step [0-9]+: time is up after 0.05 s$'
expect_text out '^balls inserted 150 = inside [1-9]'
sed 's/^d_h/opens_at = 0.42\n&/; s/^type = "discharge"/type = "run"/; s/^time = 3.0/time = 0.3/; /^stall_time/d' cone.toml >late.toml
alone run late.toml --out late
expect_code 0
first_out="$(awk -F, -v n="$(column late balls_out)" 'NR > 1 && $n > 0 { print $1; exit }' late/series.csv)"
# From the gate a ball falls four diameters to the outlet: 0.09 s.
check "the first ball leaves at 0.42 + 0.09 s, got $first_out" \
    awk -v t="$first_out" 'BEGIN { exit !(t > 0.45 && t < 0.53) }'
finish
