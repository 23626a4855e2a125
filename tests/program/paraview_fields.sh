# ParaView opens the fields of a probe and finds in them the times and the mass that the probe's table tells of.
source "$2/tests/support/program.bash"
limit=170
need pvpython
cp "$cases/silo-tiny.toml" silo.toml
cat >>silo.toml <<'END'
[[probes]]
type = "field"
name = "bed"
every = 0.02
average = 0.1
lower = [-0.08, -0.08, -0.04]
upper = [0.08, 0.08, 0.24]
counts = [8, 8, 14]
END
on 2 run silo.toml --steps 7000 --out silo --quiet
expect_code 0
start env -i "PATH=$PATH" "HOME=$HOME" $(command -v xvfb-run >/dev/null && echo xvfb-run -a) \
    pvpython "$2/tests/paraview/what_paraview_sees_of_fields.py" silo/field-bed.pvd
expect_code 0
cp out seen
awk -F, 'NR > 1' silo/field-bed.csv >table
expect_equal "times" "$(wc -l <seen)" "$(wc -l <table)"
check "at least three times" test "$(wc -l <seen)" -ge 3
check "time, mass to rounding, and a packing that balls can have" awk -F, 'NR == FNR { t[FNR] = $1; m[FNR] = $3; cells[FNR] = $2; p[FNR] = $4; next }
    { if (t[FNR] != $1 || cells[FNR] != 896 || (m[FNR] - $4) ^ 2 > (1e-12 * $4) ^ 2 || p[FNR] > 0.8) bad = 1 } END { exit bad }' seen table
check "the last look holds 400 balls of some 0.9 g" awk -F, 'END { exit !($4 > 0.33 && $4 < 0.4) }' table
expect_text seen 'contact_stress:6 coordination:1 density:1 packing_fraction:1 pressure:1 temperature:1 velocity:3$'
finish
