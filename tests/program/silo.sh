# A silo through all its stages: the same digest on 1 to 4 ranks, the exact number of balls, and a case that runs itself again.
source "$2/tests/support/program.bash"
tiny="$cases/silo-tiny.toml"

# To the middle of the discharge, where balls flow, touch and leave.
alone run "$tiny" --steps 11000 --out one
expect_code 0
expect_text out 'filled: 400 of 400 balls'
expect_text out '^balls inserted 400 = inside [1-9][0-9]* \+ left by outlet [1-9][0-9]*$'
digest_of_one="$(digest)"
for n in 2 3 4; do
    on "$n" run "$tiny" --steps 11000 --out "on-$n" --quiet
    expect_equal "digest on $n ranks" "$(digest)" "$digest_of_one"
done
alone run one/as-run.toml --steps 11000 --out again --quiet
expect_equal "digest of the case beside the results" "$(digest)" "$digest_of_one"

# To the end: nothing is left inside.
on 2 run "$tiny" --out whole --set output.frames_every=0.1
expect_code 0
expect_text out ': empty$'
expect_text out '^balls inserted 400 = inside 0 \+ left by outlet 400$'
for file in frames.pvd walls.pvd series.csv phases.json state.h5; do expect_file "whole/$file"; done
expect_equal "columns of every row" "$(awk -F, '{ print NF }' whole/series.csv | sort -u | wc -l)" 1

# Another run from the state of this one: the filled silo, without filling it again.
alone run "$tiny" --steps 8000 --out filled --quiet
expect_code 0
cat >later.toml <<TOML
title = "Later"
[start]
from = "filled/state.h5"
$(sed -n '/^\[silo\]/,/^\[\[stages\]\]/p' "$tiny" | sed '$d')
[[stages]]
type = "run"
time = 0.01
TOML
alone run later.toml --quiet
expect_code 0
later="$(digest)"
on 3 run later.toml --overwrite --quiet
expect_equal "digest of the later run on 3 ranks" "$(digest)" "$later"

alone check "$tiny" --no-measure
expect_code 0
expect_text out '^balls +400 of radius 5 mm to 6 mm'
expect_nothing silo-tiny
finish
