# Ctrl-C saves a run like SIGTERM: alone, at one rank, through mpirun; a second one ends it at once.
source "$2/tests/support/program.bash"
source "$2/tests/support/faults.bash"
limit=100
hurt_case
endless=("$cases/rain-box.toml" --steps 1000000000 --set output.checkpoint_every=1e-2)
alone run "${hurt[@]}" --out undisturbed --quiet
undisturbed="$(digest)"
under_way() { [[ -n "$(checkpoint_of "$folder")" ]] || ! kill -0 "$job" 2>/dev/null; }
resumes() {
    expect_code 85
    expect_text "$folder/status.json" '"status": "resume-me"'
    expect_nothing "$folder/run.lock"
    on 2 resume "$folder" --quiet
    expect_code 0
    expect_equal "digest after Ctrl-C in $folder" "$(digest)" "$undisturbed"
}

# A shell starts what is in the background with Ctrl-C ignored; env puts it back as on a terminal.
folder=alone call="granary alone, INT"
interrupted() {
    rm -rf alone
    env --default-signal=INT "$granary" run "${hurt[@]}" --set output.checkpoint_every=1.2e-2 --out alone >out 2>err </dev/null &
    job=$! pids=()
    check "a run under way" wait_until 60 under_way
    kill -INT "$job"
    await
}
in_time interrupted
expect_text out '^Ctrl-C: the run saves a checkpoint and stops; press it again to end at once$'
expect_text out '^`granary resume alone/` continues from checkpoints/step-'
expect_equal "errors" "$(cat err)" ""
resumes

# One rank of three hears it.
folder=one
one_interrupted() {
    rm -rf one
    begin 3 run "${hurt[@]}" --set output.checkpoint_every=1.2e-2 --out one
    check "a run under way" wait_until 60 under_way
    kill -INT "${pids[1]}"
    await
}
in_time one_interrupted
resumes

# mpirun hears it: after so many seconds it sends its ranks SIGTERM, and after as many again it kills them.
folder=mpirun
export OMPI_MCA_odls_base_sigkill_timeout=15
call="mpirun, INT"
env --default-signal=INT mpirun -n 2 "$granary" run "${endless[@]}" --out mpirun >out 2>err </dev/null &
job=$!
have_ranks() { pids=($(children "$job")); [[ ${#pids[@]} -eq 2 ]] || ! kill -0 "$job" 2>/dev/null; }
wait_until 30 have_ranks
check "a run under way" wait_until 60 under_way
kill -INT "$job"
await
wait_until 20 gone "${pids[@]}"
check "an exit code other than 0" test "$code" -ne 0
expect_text mpirun/status.json '"status": "resume-me"'
expect_nothing mpirun/run.lock
unset OMPI_MCA_odls_base_sigkill_timeout

# A rank that sleeps cannot answer: the second Ctrl-C does not wait for it.
begin 2 run "${endless[@]}" --out twice
check "a run under way" wait_until 60 grep -qs 'checkpoints/' twice/status.json
kill -STOP "${pids[1]}"
kill -INT "${pids[0]}"
sleep 0.6
check "the first one waits" kill -0 "${pids[0]}"
kill -INT "${pids[0]}"
wait_until 10 gone "${pids[0]}"
check "the second does not" gone "${pids[0]}"
kill -CONT "${pids[1]}" 2>/dev/null
await
check "an exit code other than 0 and 85" test "$code" -ne 0 -a "$code" -ne 85

# What was told to ignore Ctrl-C goes on.
folder=deaf call="granary with INT ignored"
env --ignore-signal=INT "$granary" run "${endless[@]}" --out deaf >out 2>err </dev/null &
job=$! pids=()
check "a run under way" wait_until 60 under_way
kill -INT "$job"
sleep 1
check "it goes on" kill -0 "$job"
kill -USR1 "$job"
await
expect_code 85
expect_no_text out Ctrl-C
finish
