# Balls one by one: entries of the case, and a file with columns for material, velocity and spin. The same balls give the same run.
source "$2/tests/support/program.bash"
two="$cases/two-balls.toml"
alone run "$two" --out entries --quiet
expect_code 0
entries="$(digest)"
sed '/^\[\[bodies\]\]/,$d' "$two" >head.toml

# The same two balls from a file, in another order of columns.
printf 'vz, z, x, y, diameter\n1, -10, 0, 0, 10\n-1, 10, 0, 0, 10\n' | sed 's/^\(-\?1\),/\1000,/' >two.csv
{ cat head.toml; printf '[[bodies]]\nsource = "file"\nfile = "two.csv"\nscale = 1e-3\nmaterial = "grain"\n'; } >file.toml
alone run file.toml --out file --quiet
expect_equal "digest of the balls from a file" "$(digest)" "$entries"

# A mixture, ball by ball: what it weighs and what energy it has are closed forms.
cat >mixed.csv <<'CSV'
x      y     z     r      material vx   vy   vz   wx  wy    wz
0      0    -0.03  0.005  grain    1.0  0.0  2.0  0.0 100.0 0.0
0.01   0     0.03  0.004  clay     0.0 -3.0 -2.0  0.0 0.0   -50.0
-0.01  0.01  0.00  0.003  clay     0.0  0.0  0.0  0.0 0.0   0.0
CSV
cat head.toml - >mixed.toml <<'TOML'
[[materials]]
name = "clay"
density = 2000.0
young = 5e6
poisson = 0.45
restitution = 0.5
friction = 0.5
[[bodies]]
source = "file"
file = "mixed.csv"
material = "grain"
mixed_with = ["clay"]
[output]
series_every = 0.001
TOML
alone run mixed.toml --out mixed --quiet
expect_code 0
mixed="$(digest)"
value() { awk -F, -v name="$2" -v row="$3" 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == name) c = k } NR == row + 1 { print $c }' "$1"; }
close() { awk -v a="$2" -v b="$3" -v t="$4" 'BEGIN { d = a - b; if (d < 0) d = -d; exit !(d <= t * b) }' || complain "$1: $2, expected $3"; n_checks=$((n_checks + 1)); }
pi=3.14159265358979
mass="$(awk -v pi=$pi 'BEGIN { printf "%.15g", 4 / 3 * pi * (2500 * 0.005^3 + 2000 * (0.004^3 + 0.003^3)) }')"
energy="$(awk -v pi=$pi 'BEGIN { a = 4 / 3 * pi * 2500 * 0.005^3; b = 4 / 3 * pi * 2000 * 0.004^3
    printf "%.15g", 0.5 * (a * 5 + b * 13) + 0.2 * (a * 0.005^2 * 100^2 + b * 0.004^2 * 50^2) }')"
close "mass" "$(value mixed/series.csv mass_inside_kg 1)" "$mass" 1e-12
close "energy" "$(value mixed/series.csv kinetic_energy_J 1)" "$energy" 1e-12
for n in 2 3 4; do
    on $n run mixed.toml --out "mixed-$n" --quiet
    expect_equal "digest on $n ranks" "$(digest)" "$mixed"
done

# The file is not needed to go on.
alone run mixed.toml --out stopped --quiet --steps 9000 --set output.checkpoint_every=0.005
expect_code 0
mv mixed.csv gone.csv
on 2 resume stopped --steps 20000 --quiet
expect_code 0
expect_equal "digest of the run that was stopped" "$(digest)" "$mixed"
finish
