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
expect_text study/results.csv '^001,"seed=1, gravity=\[0, 0, -9.81\]",0.02,1,"\[0, 0, -9.81\]",not-started'

bash "$submit" --sweep study --ranks 2 --scheduler local --bind none --program "$granary" >out 2>err
expect_equal "code of jobs/submit" $? 0
expect_text out 'study/results.csv: 4 runs, 4 finished, 4 begun$'
expect_text study/results.csv '^run,label,run.time,run.seed,gravity,status,stages_ended,mean_outflow_kg_per_s,.*,peak_load_N,.*,time_s,.*,digest$'
for k in 001 002 003 004; do
    expect_text study/results.csv "^$k,\"seed=[12], gravity=.*\",.*,finished,time is up,.*,0.02,"
    expect_equal "digest of $k" "$(sed -n "s/^$k,.*,//p" study/results.csv)" "$(sed -n 's/^digest //p' study/$k/log.txt)"
done
check "other seeds, other runs" test "$(sed 's/.*,//' study/results.csv | sort -u | wc -l)" -eq 5
# Key numbers are those of the run's own series, and the page has the labels.
largest() { awk -F, -v name="$2" 'NR == 1 { for (k = 1; k <= NF; ++k) if ($k == name) c = k } NR > 1 && $c + 0 > most { most = $c } END { print most }' "$1"; }
of_run() { awk -F'"' -v run="$2" 'NR == 1 || $1 == run "," { print $NF }' "$1" >one; awk -F, -v name="$3" 'NR == 1 { n = NF; for (k = 1; k <= NF; ++k) if ($k == name) c = NF - k } NR == 2 { print $(NF - c) }' one; }
expect_equal "largest kinetic energy of the third" "$(of_run study/results.csv 003 peak_kinetic_energy_J)" "$(largest study/003/series.csv kinetic_energy_J)"
check "which is some" test -n "$(largest study/003/series.csv kinetic_energy_J)"
expect_equal "how it ended" "$(of_run study/results.csv 003 stages_ended)" "time is up"
expect_text study/compare.html '<strong>seed=2, gravity=\[0, 0, -9.81\]</strong>'
alone run "$cases/rain-box.toml" --set run.time=0.02 --set run.seed=2 --out by-hand --quiet
expect_equal "the third by hand" "$(digest)" "$(sed -n 's/^digest //p' study/003/log.txt)"

# Nothing is made if anything is wrong; what is there is left alone.
alone sweep "$cases/rain-box.toml" --vary run.dt=1e-5,-1,2 --out bad
expect_code 2
expect_text err '2 of 3 runs would not start; nothing was written'
expect_text err 'with run.dt=-1:'
check "no folder" test ! -e bad
alone sweep "$cases/rain-box.toml" --vary run.seed=1,2 --out study
expect_code 2
expect_text err 'study exists already'
alone sweep "$cases/rain-box.toml" --vary run.seed --out bad
expect_code 2
expect_text err 'sweep: --vary run.seed \(expected key=value,value,\.\.\., none of them empty\)'
alone sweep "$cases/rain-box.toml" --vary run.seed=1:3:0 --out bad
expect_code 2
expect_text err 'sweep: --vary run.seed=1:3:0: 1:3:0 \(expected first:last:step, at most 10000 values, a step that leads from first to last\)'
alone sweep "$cases/rain-box.toml" --vary materials.grain.friction=0.1:0.3:0.1 --out range
expect_code 0
expect_text out '^  003  friction=0.3$'
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
