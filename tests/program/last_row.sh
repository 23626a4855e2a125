# Forces on walls belong to the step of their row, wherever a run ends and whatever else it writes: between two rows, on any number of ranks while
# cuts move, after a stop. An empty silo carries nothing.
source "$2/tests/support/program.bash"
tiny="$cases/silo-tiny.toml"
steps=10007   # grain flows; no row is due at such a step

walls() { sed -n 's/^\(wall .*\)$/\1/p' "$1/log.txt"; }
# Step, and all columns of walls, of the last row.
last_forces() {
    awk -F, 'NR == 1 { for (k = 1; k <= NF; ++k) if ($k ~ /^(step$|force_)/) use[++n] = k }
             { row = ""; for (k = 1; k <= n; ++k) row = row " " $use[k] } END { print row }' "$1/series.csv"
}
# All but the last two columns, which are of the machine: speed and balance.
rows() { rev "$1/series.csv" | cut -d, -f3- | rev; }

alone run "$tiny" --steps $steps --out seldom --set output.log_every=0.4 --quiet
expect_code 0
seldom="$(digest)"
expect_equal "walls in the log" "$(walls seldom | wc -l)" 3
expect_equal "step of the last row" "$(last_forces seldom | awk '{ print $1 }')" $steps
check "the cone is pressed" awk '{ exit !($7 < -0.01 || $10 < -0.01) }' <(last_forces seldom)
for every in 0.1 0.013; do
    alone run "$tiny" --steps $steps --out "often-$every" --set output.log_every=$every --quiet
    expect_equal "digest" "$(digest)" "$seldom"
    expect_equal "last forces, rows every $every s" "$(last_forces "often-$every")" "$(last_forces seldom)"
    expect_equal "last loads in the log, rows every $every s" "$(walls "often-$every")" "$(walls seldom)"
done
for n in 2 3 4; do
    on $n run "$tiny" --steps $steps --out "on-$n" --set output.log_every=0.4 --quiet
    expect_equal "rows on $n ranks" "$(rows "on-$n")" "$(rows seldom)"
    expect_equal "last loads in the log on $n ranks" "$(walls "on-$n")" "$(walls seldom)"
done

# A run that stops is a run that goes on, on other ranks; one that is to end where it stopped has the forces of that step, too.
for forces in moment mean; do
    set="--set output.log_every=0.4 --set output.forces=$forces --set output.checkpoint_every=0.0713 --set output.checkpoints_kept=100"
    alone run "$tiny" --steps $steps --out "whole-$forces" $set --quiet
    expect_code 0
    middle="$(ls "whole-$forces"/checkpoints | sed -n 5p)"
    cp -r "whole-$forces" "again-$forces"
    on 3 resume "again-$forces/checkpoints/$middle" --quiet
    expect_code 0
    expect_equal "rows of the run taken up ($forces)" "$(rows "again-$forces")" "$(rows "whole-$forces")"
    step=$((10#$(tr -dc 0-9 <<<"${middle%.h5}")))
    alone run "$tiny" --steps $step --out "until-$forces" $set --quiet
    on 2 resume "whole-$forces/checkpoints/$middle" --steps $step --out "from-$forces" --quiet
    expect_code 0
    expect_equal "last forces of a run that ends at its checkpoint ($forces)" "$(last_forces "from-$forces")" "$(last_forces "until-$forces")"
    expect_equal "last loads in its log ($forces)" "$(walls "from-$forces")" "$(walls "until-$forces")"
done
check "means are no moments" not test "$(last_forces whole-mean)" = "$(last_forces whole-moment)"
expect_equal "the run does not feel them" "$(rows whole-mean | cut -d, -f1-13)" "$(rows whole-moment | cut -d, -f1-13)"

# The first row of a run from a state has the forces of that state.
alone run "$tiny" --steps 8000 --out filled --quiet
cat >later.toml <<TOML
[start]
from = "filled/state.h5"
$(sed -n '/^\[silo\]/,/^\[\[stages\]\]/p' "$tiny" | sed '$d')
[[stages]]
type = "run"
time = 0.001
TOML
alone run later.toml --quiet
expect_code 0
check "the first row has forces" awk -F, 'NR == 1 { for (k = 1; k <= NF; ++k) if ($k == "force_z_N:gate") gate = k }
    NR == 2 { exit !($2 == 0 && $gate < -0.01) }' later/series.csv

# To the end.
alone run "$tiny" --out empty --quiet
expect_code 0
expect_equal "forces on an empty silo" "$(last_forces empty | cut -d' ' -f3- | tr ' ' '\n' | sort -u)" 0
expect_equal "loads in its log" "$(walls empty | sed 's/^wall [a-z]*: //' | sort -u)" \
    "force (0, 0, 0) N, torque about the origin (0, 0, 0) N m"
finish
