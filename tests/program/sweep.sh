# Many runs of one case: granary sweep makes them, jobs/submit runs them here, --gather puts them in one table.
source "$2/tests/support/program.bash"
submit="$2/jobs/submit"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

alone sweep "$cases/rain-box.toml" --vary run.seed=1,2 --vary "gravity=[0, 0, -9.81],[0, 0, -1.62]" --set run.time=0.02 --out study
expect_code 0
expect_text out '^4 runs in study/sweep.tsv:$'
expect_equal "runs" "$(cut -f1 study/sweep.tsv | tr '\n' ' ')" "case 001 002 003 004 "
expect_equal "options of the third" "$(sed -n 4p study/sweep.tsv | cut -f2-)" "$(printf 'run.time=0.02\trun.seed=2\tgravity=[0, 0, -9.81]')"

# What has not begun is told so.
alone sweep study --gather
expect_code 0
expect_text out '^study/results.csv: 4 runs, 0 finished, 0 begun$'
expect_text study/results.csv '^001,0.02,1,"\[0, 0, -9.81\]",not-started'

bash "$submit" --sweep study --ranks 2 --scheduler local --bind none --program "$granary" >out 2>err
expect_equal "code of jobs/submit" $? 0
expect_text out 'study/results.csv: 4 runs, 4 finished, 4 begun$'
expect_text study/results.csv '^run,run.time,run.seed,gravity,status,time_s,'
for k in 001 002 003 004; do
    expect_text study/results.csv "^$k,.*,finished,0.02,"
    expect_equal "digest of $k" "$(sed -n "s/^$k,.*,//p" study/results.csv)" "$(sed -n 's/^digest //p' study/$k/log.txt)"
done
check "other seeds, other runs" test "$(cut -d, -f5- study/results.csv | sort -u | wc -l)" -eq 5
alone run "$cases/rain-box.toml" --set run.time=0.02 --set run.seed=2 --out by-hand --quiet
expect_equal "the third by hand" "$(digest)" "$(sed -n 's/^digest //p' study/003/log.txt)"

# Nothing is made if anything is wrong; what is there is left alone.
alone sweep "$cases/rain-box.toml" --vary run.dt=1e-5,-1,2 --out bad
expect_code 2
expect_text err '2 of 3 runs would not start; nothing was made'
expect_text err 'with run.dt=-1:'
check "no folder" test ! -e bad
alone sweep "$cases/rain-box.toml" --vary run.seed=1,2 --out study
expect_code 2
expect_text err 'study is there already'
alone sweep "$cases/rain-box.toml" --vary run.seed --out bad
expect_code 2
expect_text err 'sweep: --vary run.seed \(expected key=value,value,\.\.\., none of them empty\)'
alone sweep "$cases/rain-box.toml" --out bad
expect_code 2
expect_text err 'nothing to vary'
alone sweep "$cases/rain-box.toml" --vary run.seed=1,2 --vary run.seed=3 --out bad
expect_code 2
expect_text err 'run.seed is varied twice'
alone sweep nowhere --gather
expect_code 2
expect_text err 'nowhere/sweep.tsv cannot be read'
finish
