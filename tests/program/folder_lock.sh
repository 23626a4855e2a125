# A results folder belongs to one run at a time: a second one is refused with host, pid and job of the first; a run that was killed leaves no lock.
source "$2/tests/support/program.bash"
source "$2/tests/support/faults.bash"
limit=100
hurt_case
endless=("$cases/rain-box.toml" --steps 1000000000 --set output.checkpoint_every=1e-2 --set output.checkpoints_kept=3)
in_use="is in use by .granary run .*rain-box.toml., pid [0-9]+ on $(hostname), Slurm job 4711, since [-0-9]+ [0-9:]+ UTC\\..*--out"

# Two runs, a resume and a branch beside one that lives: only the first goes on, and nothing of it is touched.
export SLURM_JOB_ID=4711
begin 2 run "${endless[@]}" --out busy
unset SLURM_JOB_ID
check "a run under way" wait_until 60 grep -qs 'checkpoints/' busy/status.json
expect_text busy/run.lock "^host $(hostname)\$"
expect_text busy/run.lock "^pid ${pids[0]}\$"
first=$job ranks=("${pids[@]}")
cp err err.busy
for how in "run $cases/two-balls.toml --out busy" "run $cases/two-balls.toml --out ./busy/" "resume busy" "resume busy/checkpoints" "sweep $cases/rain-box.toml --vary run.seed=1,2 --out busy"; do
    for n in 1 3; do
        on "$n" $how
        expect_code 2
        expect_one_message "$in_use"
    done
done
check "the first goes on" kill -0 "$first"
expect_equal "title" "$(head -n 1 busy/log.txt | cut -d: -f1)" "$(sed -n 's/^title = "\(.*\)"/\1/p' "$cases/rain-box.toml")"
expect_equal "steps in order, no row of another" "$(tail -n +2 busy/series.csv | cut -d, -f2 | sort -nu | wc -l)" "$(tail -n +2 busy/series.csv | wc -l)"
# Reading is free: the report, and a branch into another folder, which leaves the first one's checkpoints alone.
alone report busy
expect_code 0
expect_file busy/report.html
for ((k = 0; k < 5; ++k)); do   # the newest may go while it is read
    alone resume busy --steps 10 --out branch --quiet
    [[ $code -ne 0 ]] || break
done
expect_code 0
check "the first goes on" kill -0 "$first"
kill -USR1 "${ranks[@]}"
job=$first pids=("${ranks[@]}")
await
expect_code 85
expect_nothing busy/run.lock
expect_nothing branch/run.lock
on 2 resume busy --wall-time 0 --quiet
expect_code 85

# Killed by force: the lock is left behind, and the next one finds that nobody holds it.
begin 2 run "${hurt[@]}" "${often[@]}" --out killed
check "a run under way" wait_until 60 grep -qs 'checkpoints/' killed/status.json
kill -9 "${pids[@]}" "$job"
wait "$job" 2>/dev/null
wait_until 10 gone "${pids[@]}"
expect_file killed/run.lock
alone resume killed
expect_code 0
expect_text out "the lock of .granary run .*, pid ${pids[0]} on $(hostname), since .* is taken over: that process is gone"
expect_nothing killed/run.lock
alone run "${hurt[@]}" --out undisturbed --quiet
undisturbed="$(digest)"
alone digest killed/state.h5
expect_equal "digest" "$(cat out)" "$undisturbed"

# A file left by a process of this machine whose pid somebody else has now.
mkdir reused
printf 'host %s\npid %s\njob \ncommand run x.toml\nsince 2026-01-01 00:00:00 UTC\nprocess_start 1\nsystem %s %s\n' \
    "$(hostname)" "$$" "$(cat /proc/sys/kernel/random/boot_id)" "$(readlink /proc/self/ns/pid)" >reused/run.lock
alone run "$cases/two-balls.toml" --out reused --steps 10
expect_code 0
expect_nothing reused/run.lock

# Another machine that lives: its file is renewed every few seconds.
mkdir far
printf 'host far-away\npid 12\njob PBS job 9\ncommand run x.toml\nsince 2026-01-01 00:00:00 UTC\nprocess_start 1\nsystem other\n' >far/run.lock
(while [[ -e far/run.lock ]]; do touch far/run.lock; sleep 0.3; done) &
beat=$!
on 2 run "$cases/two-balls.toml" --out far --steps 10
expect_code 2
expect_one_message 'far is in use by `granary run x.toml`, pid 12 on far-away, PBS job 9, .*another machine\. Its last sign of life was [0-9]+ s ago. If it is certainly gone, remove far/run.lock'
rm far/run.lock
wait "$beat"
on 2 run "$cases/two-balls.toml" --out far --steps 10
expect_code 0

# A job of a chain that finds its folder in use ends, and no other follows.
source "$2/jobs/lib/link.sh"
"$granary" run "${endless[@]}" --out chain >chain.out 2>&1 </dev/null &
job=$! pids=()
check "a run under way" wait_until 60 grep -qs 'checkpoints/' chain/status.json
call=granary_link
granary_link "$PWD/chain" "$granary" 0 -- env -- "${endless[@]}" >out 2>err
code=$?
expect_code 2
expect_text out 'granary refused to run in .*/chain'
kill -USR1 "$job"
await
expect_code 85
finish
