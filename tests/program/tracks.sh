# Probes that follow single balls and count balls in a box: closed forms of a thrown ball, a silo on any number of ranks and over a stop.
source "$2/tests/support/program.bash"
limit=100
value() { awk -F, -v name="$2" -v row="$3" 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == name) c = k } NR == row + 1 { print $c }' "$1"; }
close() { awk -v a="$2" -v b="$3" -v t="$4" 'BEGIN { d = a - b; exit !(d <= t && -d <= t) }' || complain "$1: $2, expected $3"; n_checks=$((n_checks + 1)); }

# A ball that flies, with velocities of the row's own time, and one that lies on the floor and feels its weight.
cat >throw.toml <<'TOML'
gravity = [0.0, 0.0, -10.0]
[run]
dt = 1e-5
time = 0.1
[domain]
lower = [-1.0, -1.0, -0.1]
upper = [1.0, 1.0, 1.0]
[[bodies]]
source = "ball"
position = [0.0, 0.0, 0.5]
radius = 0.01
material = "grain"
velocity = [1.0, -2.0, 0.5]
spin = [0.0, 30.0, 0.0]
[[bodies]]
source = "ball"
position = [0.5, 0.5, 0.01]
radius = 0.01
material = "grain"
[[walls]]
name = "floor"
type = "plane"
point = [0.0, 0.0, 0.0]
normal = [0.0, 0.0, 1.0]
material = "grain"
[[probes]]
type = "track"
name = "both"
ids = [0, 1, 7]
every = 0.02
[[probes]]
type = "track"
name = "near"
near = [[0.4, 0.4, 0.0]]
every = 0.05
TOML
cat "$grain" >>throw.toml
alone run throw.toml --out throw --quiet
expect_code 0
expect_equal "rows, the first and the last included" "$(wc -l <throw/track-both.csv)" 7
file=throw/track-both.csv
for row in 1 3 6; do
    t="$(value $file time_s $row)"
    close "time of row $row" "$t" "$(awk -v r=$row 'BEGIN { print 0.02 * (r - 1) }')" 1e-9
    close "x" "$(value $file 'x_m:ball 0' $row)" "$t" 1e-9
    close "y" "$(value $file 'y_m:ball 0' $row)" "$(awk -v t="$t" 'BEGIN { print -2 * t }')" 1e-9
    close "z" "$(value $file 'z_m:ball 0' $row)" "$(awk -v t="$t" 'BEGIN { print 0.5 + 0.5 * t - 5 * t * t }')" 1e-9
    close "velocity" "$(value $file 'velocity_z_m_per_s:ball 0' $row)" "$(awk -v t="$t" 'BEGIN { print 0.5 - 10 * t }')" 1e-12
    close "spin" "$(value $file 'spin_y_rad_per_s:ball 0' $row)" 30 0
    close "torque in the air" "$(value $file 'torque_y_N_m:ball 0' $row)" 0 0
    close "force in the air" "$(value $file 'force_z_N:ball 0' $row)" 0 0
done
weight="$(awk 'BEGIN { printf "%.15g", 4 / 3 * 3.14159265358979 * 2500 * 1e-6 * 10 }')"
close "force on the ball that lies" "$(value $file 'force_z_N:ball 1' 6)" "$weight" "$(awk -v w="$weight" 'BEGIN { print 0.01 * w }')"
expect_equal "a ball that is not there" "$(value $file 'x_m:ball 7' 3)" nan
expect_equal "the ball near the point" "$(value throw/track-near.csv 'id:near 1' 2)" 1

# In a silo: the run does not feel them, and files have the same bytes on any number of ranks and over a stop.
cp "$cases/silo-tiny.toml" silo.toml
cat >>silo.toml <<'TOML'
[[probes]]
type = "track"
name = "some"
ids = [3, 200]
every = 0.01
[[probes]]
type = "track"
name = "middle"
near = [[0.0, 0.0, 0.1], [0.03, 0.0, 0.12]]
every = 0.007
stage = "discharge"
[[probes]]
type = "count"
name = "upper"
lower = [-1.0, -1.0, 0.08]
upper = [1.0, 1.0, 1.0]
size_edges = [0.0105, 0.0115]
every = 0.01
[[probes]]
type = "count"
name = "lower"
lower = [-1.0, -1.0, -1.0]
upper = [1.0, 1.0, 0.08]
size_edges = [0.0105, 0.0115]
every = 0.01
TOML
alone check silo.toml
expect_code 0
expect_text out 'some: track of 2 balls, every 10 ms: at most .* -> track-some.csv'
expect_text out 'upper: balls in a box, by size and material, every 10 ms.* -> count-upper.csv'
alone run "$cases/silo-tiny.toml" --steps 15000 --out plain --quiet
expect_code 0
plain="$(digest)"
files="track-some.csv track-middle.csv count-upper.csv count-lower.csv"
for ranks in 1 2 3 4; do
    on "$ranks" run silo.toml --steps 15000 --out "ranks-$ranks" --quiet
    expect_code 0
    expect_equal "digest on $ranks ranks" "$(digest)" "$plain"
    for file in $files; do
        expect_file "ranks-$ranks/$file"
        check "$file on $ranks ranks" cmp "ranks-1/$file" "ranks-$ranks/$file"
    done
done
expect_text ranks-1/count-upper.csv '^time_s,balls,mass_kg,balls:grain below 0.0105 m,mass_kg:grain below 0.0105 m,balls:grain 0.0105 to 0.0115 m,'
check "both boxes hold all balls, class by class" awk -F, 'FNR == 1 { next } FNR == NR { at[$1] = $0; next }
    { split(at[$1], a, ","); n = $2 + a[2]; if (n != $4 + $6 + $8 + a[4] + a[6] + a[8]) bad = 1; if (n > most) most = n; last = n }
    END { exit !(!bad && most == 400 && last < 400) }' ranks-1/count-upper.csv ranks-1/count-lower.csv
check "a ball goes down while the silo empties" awk -F, 'NR == 2 { z = $5 } END { exit !($5 < z - 0.01 || $5 == "nan") }' ranks-1/track-middle.csv
expect_equal "no time twice" "$(cut -d, -f1 ranks-1/track-some.csv | sort | uniq -d)" ""

alone run silo.toml --steps 15000 --out stopped --quiet --set output.checkpoint_every=0.11 --set output.checkpoints_kept=100
expect_code 0
kept=(stopped/checkpoints/step-*.h5)
check "some checkpoints, got ${#kept[@]}" test "${#kept[@]}" -ge 5
for k in 1 $((${#kept[@]} - 2)); do
    on 2 resume "${kept[$k]}" --quiet
    expect_code 0
    expect_equal "digest after a stop" "$(digest)" "$plain"
    for file in $files; do check "$file after a stop" cmp "ranks-1/$file" "stopped/$file"; done
done
finish
