# A quasi-2D hopper: a periodic slice of 2.5 diameters. The same digest on any number of ranks, over a stop and with any detector; and the
# energies of half a slice of twice the depth in which every ball stands twice.
source "$2/tests/support/program.bash"
limit=100
cat >head.toml <<'TOML'
[run]
dt = 2e-5
time = 0.06
rebalance_every = 1
[law]
rolling = "spring"
[[walls]]
name = "left"
type = "plane"
point = [-0.015, 0.0, 0.0]
normal = [1.0, 0.0, 1.0]
material = "grain"
[[walls]]
name = "right"
type = "plane"
point = [0.015, 0.0, 0.0]
normal = [-1.0, 0.0, 1.0]
material = "grain"
[[outlets]]
name = "slot"
point = [0.0, 0.0, -0.01]
normal = [0.0, 0.0, 1.0]
[output]
energy = true
series_every = 0.005
TOML
{ cat "$grain"; echo 'rolling_friction = 0.1'; } >>head.toml
# Two layers of balls across the depth, shaken a little out of their places; of the second file every ball stands again one depth farther.
awk 'BEGIN { srand(5); d = 0.01; depth = 2.5 * d
    print "x,y,z,r,vx,vy,vz" >"once.csv"; print "x,y,z,r,vx,vy,vz" >"twice.csv"
    for (row = 0; row < 6; row++) for (k = -2 - int(row / 2); k <= 2 + int(row / 2); k++) for (j = 0; j < 2; j++) {
        x = 1.08 * d * k + 0.0005 * (rand() - 0.5); y = depth * (0.25 + 0.5 * j) + 0.002 * (rand() - 0.5); z = 0.045 + 1.08 * d * row
        rest = sprintf("%.6f,%.6f,%.3f,%.3f,-0.5", z, 0.0047 + 0.0003 * rand(), 0.2 * (rand() - 0.5), 0.6 * (rand() - 0.5))
        printf "%.6f,%.6f,%s\n", x, y, rest >"once.csv"
        printf "%.6f,%.6f,%s\n%.6f,%.6f,%s\n", x, y, rest, x, y + depth, rest >"twice.csv" } }'
make() {   # file, depth
    { cat head.toml
      printf '[domain]\nlower = [-0.1, 0.0, -0.02]\nupper = [0.1, %s, 0.15]\nperiodic = ["y"]\n' "$2"
      printf '[[bodies]]\nsource = "file"\nfile = "%s.csv"\nmaterial = "grain"\n' "$1"; } >"$1.toml"
}
make once 0.025
make twice 0.05
alone run once.toml --out once
expect_code 0
expect_text out ' x 2 x [0-9]+ cells of'
once="$(digest)"
for n in 2 3 4; do
    on $n run once.toml --out "on-$n" --quiet
    expect_equal "digest on $n ranks" "$(digest)" "$once"
done
for detector in mr mmr fixed-cubes all-pairs; do
    alone run once.toml --out "by-$detector" --quiet --set run.detector=$detector
    expect_equal "digest by $detector" "$(digest)" "$once"
done
# With the slabs along the depth: two layers, for one, two and more ranks. Other axes, other bits.
alone run once.toml --out along --quiet --set run.slab_axis=y
expect_code 0
along="$(digest)"
for n in 2 3; do
    on $n run once.toml --out "along-$n" --quiet --set run.slab_axis=y
    expect_equal "digest on $n ranks, slabs along the depth" "$(digest)" "$along"
done
alone run once.toml --out stopped --quiet --steps 1700 --set output.checkpoint_every=0.01
expect_code 0
on 2 resume stopped --steps 3000 --quiet
expect_code 0
expect_equal "digest after a stop" "$(digest)" "$once"

alone run twice.toml --out twice --quiet
expect_code 0
check "half of a slice of twice the depth" awk -F, '
    FNR == 1 { file++; for (k = 1; k <= NF; k++) at[file, $k] = k; next }
    file == 1 { row[FNR] = $0; next }
    { split(row[FNR], a, ",")
      split("kinetic_energy_J,mass_inside_kg,mass_out_kg,energy_lost_friction_J,energy_lost_damping_J,energy_lost_rolling_J", names, ",")
      for (k in names) { two = $at[2, names[k]]; one = 2 * a[at[1, names[k]]]; d = two - one; if (d < 0) d = -d
          if (d > 1e-4 * two + 1e-12) { print names[k], FNR, one, two; bad = 1 } }
      friction = $at[2, "energy_lost_friction_J"]; rows++ }
    END { exit bad || rows < 8 || friction <= 0 }' once/series.csv twice/series.csv
# Thinner ones are refused, with the reason.
sed 's/^upper = .*/upper = [0.1, 0.0202, 0.15]/' once.toml >thin.toml
alone run thin.toml --out thin
expect_code 2
expect_text err 'at least two cubes of .* could touch another one on both sides'
finish
