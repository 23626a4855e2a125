# Probes of a silo through fill, rest and discharge: files, their heads, and that they are the same on any number of ranks, with any slab
# axis, and whatever else is written; the run does not feel them.
source "$2/tests/support/program.bash"
limit=100
cp "$cases/silo-tiny.toml" plain.toml
cat plain.toml - >probed.toml <<'END'
[[probes]]
type = "pressure"
wall = "cylinder"
bins = 6
sectors = 3
every = 0.005
average = 0.1
[[probes]]
type = "pressure"
wall = "cone"
bins = 3
every = 0.005
stage = "settle"
[[probes]]
type = "loads"
name = "all"
every = 0.01
average = 0.05
[[probes]]
type = "field"
name = "bed"
every = 0.02
average = 0.2
lower = [-0.06, -0.06, 0.0]
upper = [0.06, 0.06, 0.2]
spacing = 0.02
END
alone run plain.toml --steps 9000 --out plain --quiet
expect_code 0
plain="$(digest)"
files="pressure-cylinder.csv pressure-cone.csv loads-all.csv field-bed.csv field-bed.pvd field-bed/bed_000000.vti field-bed/bed_000001.vti"
for ranks in 1 2 3 4; do
    extra=""
    ((ranks % 2)) || extra="--set output.series_every=0.003 --set output.frames_every=0.07"   # other output, the same averages
    on "$ranks" run probed.toml --steps 9000 --out "ranks-$ranks" --quiet $extra
    expect_code 0
    expect_equal "digest on $ranks ranks" "$(digest)" "$plain"
    for file in $files; do
        expect_file "ranks-$ranks/$file"
        check "$file on $ranks ranks" cmp "ranks-1/$file" "ranks-$ranks/$file"
    done
done
expect_equal "rows of the cylinder" "$(awk -F, 'NR > 1 { n[$1]++ } END { for (t in n) if (n[t] != 18) bad = 1; print bad + 0 }' ranks-1/pressure-cylinder.csv)" 0
expect_text ranks-1/pressure-cylinder.csv '^time_s,from_s,samples,bin,sector,position_m,height_m,angle_deg,area_m2,normal_Pa,normal_least_Pa,normal_most_Pa,shear_Pa,'
expect_text ranks-1/pressure-cone.csv ',cross_Pa$'
expect_equal "averages of the settling" "$(wc -l <ranks-1/pressure-cone.csv)" 4
expect_text ranks-1/loads-all.csv 'weight_N,carried_N,inertia_N,rest_share,force_x_N:cylinder'
expect_text ranks-1/field-bed.pvd 'file="field-bed/bed_000001.vti"'

# A run that is taken up again in the middle of averages, on another number of ranks, writes the same files.
alone run probed.toml --steps 9000 --out stopped --quiet --set output.checkpoint_every=0.07 --set output.checkpoints_kept=100
expect_code 0
kept=(stopped/checkpoints/step-*.h5)
check "some checkpoints, got ${#kept[@]}" test "${#kept[@]}" -ge 4
for k in 1 3; do
    on 2 resume "${kept[$k]}" --quiet
    expect_code 0
    for file in $files; do check "$file after a stop" cmp "ranks-1/$file" "stopped/$file"; done
done

# Slabs along another axis: other bits, the same silo, filled by the same rain: a little other balls find room.
on 2 run probed.toml --steps 9000 --out along-x --quiet --set run.slab_axis=x
expect_code 0
near() { paste -d, <(cut -d, -f"$1" "ranks-1/$2") <(cut -d, -f"$1" "along-x/$2") |
    awk -F, -v by="$3" 'NR > 1 && NR <= 4 { if (($1 - $2) ^ 2 > (by * ($1 + $2)) ^ 2) bad = 1 } END { exit bad }'; }
check "bins stand at the same heights" near 7 pressure-cylinder.csv 1e-12
check "weight" near 4 loads-all.csv 1e-2
check "mass on the grid" near 4 field-bed.csv 1e-2
finish
