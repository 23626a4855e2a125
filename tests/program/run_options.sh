# What `granary run` writes and prints, and what its options change.
source "$2/tests/support/program.bash"
two="$cases/two-balls.toml"
last_step() { sed -n 's/^ *\([0-9]\+\) .*%.*/\1/p' "$1" | tail -n 1; }

# The default folder is named after the case and made where the user stands.
alone run "$two"
expect_code 0
for file in state.h5 log.txt as-run.toml; do expect_file "two-balls/$file"; done
expect_equal "files" "$(ls two-balls | tr '\n' ' ')" "as-run.toml frames frames.pvd log.txt phases.json report.html series.csv state.h5 status.json "
whole="$(digest)"
check "log as printed" cmp out two-balls/log.txt
alone digest two-balls/state.h5
expect_equal "digest of the state" "$(cat out)" "$whole"

# The case beside the results gives them again, also in place.
alone run two-balls/as-run.toml --out two-balls --overwrite --quiet
expect_code 0
expect_equal "quiet output" "$(cat out)" "digest $whole"
expect_equal "errors" "$(cat err)" ""
expect_text two-balls/log.txt '^Two balls: 2 balls, 1 rank'

alone run "$two" --out deep/er --steps 100 --set run.seed=3 --set 'title="Another name"'
expect_code 0
expect_file deep/er/state.h5
expect_equal "last step" "$(last_step out)" 100
expect_text out '^Another name: 2 balls'
expect_text deep/er/as-run.toml "^# granary run .*two-balls.toml --set 'run.seed=3' --set 'title=\"Another name\"' --steps 100\$"
check "a run of 100 steps is another state" test "$(digest)" != "$whole"

# Overrides act as if written in the case.
sed 's/^dt = .*/dt = 2e-6/' "$two" >changed.toml
alone run changed.toml --quiet
changed="$(digest)"
alone run "$two" --set run.dt=2e-6 --overwrite --quiet
expect_equal "digest with --set" "$(digest)" "$changed"

alone run "$two" --steps 0 --out none
expect_code 0
expect_equal "last step" "$(last_step out)" 0
expect_file none/state.h5

# States on the way.
on 2 run "$two" --out often --steps 1000 --set output.every=4e-4 --set output.state=end.h5 --quiet
expect_equal "files" "$(ls often | tr '\n' ' ')" "as-run.toml end.h5 frames frames.pvd log.txt phases.json report.html series.csv state-000000400.h5 state-000000800.h5 status.json "

# No ball is there at first, then they rain in: on more ranks than have anything to do.
sed -e 's/^interval = .*/interval = 0.02\nstart = 0.002/' "$cases/rain-box.toml" >late.toml
alone run late.toml --steps 3000
expect_code 0
expect_text out ' 400 balls, 1 rank,'
expect_text out '^balls inserted 40 = inside 40 \+ left by hole 0$'
late="$(digest)"
on 4 run late.toml --steps 3000 --overwrite --quiet
expect_equal "digest on 4 ranks" "$(digest)" "$late"
on 3 run late.toml --steps 100 --out still-empty
expect_code 0
expect_text out '^balls inserted 0 = inside 0 '

# The time step beside the physics: pi r sqrt(rho/G)/(0.1631 nu + 0.8766), and pi sqrt(m*/k) for the linear law.
alone run late.toml --steps 1 --overwrite
expect_text out '^dt 1e-05 s is 3.31 % of the Rayleigh time, 0.000302 s$'
expect_no_text out warning
alone run late.toml --steps 1 --overwrite --set run.dt=1e-4 --set run.allow_large_dt=true
expect_text out '^warning: run.dt = 0.0001 s is 0.33 of the Rayleigh time'
alone run late.toml --steps 1 --set run.dt=2e-4
expect_code 2
expect_one_message 'run.dt = 0.0002 s is too large, 0.66 of the Rayleigh time'
alone run "$cases/periodic-gas.toml" --steps 1
expect_text out '^dt 1e-06 s is 0.[0-9]* % of the shortest contact time, 0.0001[0-9]* s$'

# Balls that find no room are told about.
expect_no_text still-empty/log.txt warning
alone run "$cases/rain-box.toml" --steps 1 --set insert.rain.per_event=400 --set insert.rain.trials=1
expect_code 0
expect_text out '^warning: insert rain: [0-9]+ of 400 balls inserted'
finish
