# SIGUSR1 and SIGTERM at the ranks, at one of them, and through mpirun: the run saves itself and ends with 85; a second one ends it at once.
source "$2/tests/support/program.bash"
source "$2/tests/support/faults.bash"
limit=100
hurt_case
endless=("$cases/rain-box.toml" --steps 1000000000 --set output.checkpoint_every=1e-2)
alone run "${hurt[@]}" --out undisturbed --quiet
undisturbed="$(digest)"

# One rank of three hears the signal, all stop after the same step.
signal() {   # signal, to whom: all, one, mpirun
    rm -rf "$folder"
    begin 3 run "${hurt[@]}" --set output.checkpoint_every=1.2e-2 --out "$folder"
    started() { [[ -n "$(checkpoint_of "$folder")" ]] || ! kill -0 "$job" 2>/dev/null; }
    check "a run under way" wait_until 30 started
    case "$2" in
        all) kill -"$1" "${pids[@]}" ;;
        one) kill -"$1" "${pids[1]}" ;;
        mpirun) kill -"$1" "$job" ;;
    esac
    await
}
signalled() {   # likewise
    local folder="on-$1-$2"
    in_time signal "$1" "$2"
    expect_code 85
    expect_text "$folder/status.json" '"status": "resume-me"'
    expect_text "$folder/log.txt" 'stopped: signal received'
    on 2 resume "$folder" --quiet
    expect_code 0
    expect_equal "digest after $1 at $2" "$(digest)" "$undisturbed"
}
signalled USR1 one
signalled TERM all
signalled USR1 mpirun

# Alone, without mpirun.
"$granary" run "${endless[@]}" --out alone >out 2>err </dev/null &
job=$! pids=() call="granary alone, USR1"
check "a run under way" wait_until 30 test -s alone/status.json
wait_until 30 grep -q 'checkpoints/' alone/status.json
kill -USR1 "$job"
await
expect_code 85
expect_equal "errors" "$(cat err)" ""

# A rank that sleeps cannot answer: the second signal, a while after the first, does not wait for it.
begin 2 run "${endless[@]}" --out twice
check "a run under way" wait_until 30 grep -qs 'checkpoints/' twice/status.json
kill -STOP "${pids[1]}"
kill -USR1 "${pids[0]}"
sleep 2.5
check "the first signal waits" kill -0 "${pids[0]}"
kill -USR1 "${pids[0]}"
wait_until 10 gone "${pids[0]}"
check "the second does not" gone "${pids[0]}"
kill -CONT "${pids[1]}" 2>/dev/null
await
check "an exit code other than 0 and 85" test "$code" -ne 0 -a "$code" -ne 85
expect_text twice/status.json '"status": "running"'

# A rank that sleeps for a while and wakes up again has only cost time.
stopped=no
for ((k = 0; k < 5; ++k)); do   # again, if it was faster
    rm -rf slept
    begin 3 run "${hurt[@]}" "${often[@]}" --out slept
    check "a run under way" wait_until 30 grep -qs 'checkpoints/' slept/status.json
    kill -STOP "${pids[2]}"
    sleep 2
    grep -qs '"status": "running"' slept/status.json && stopped=yes
    kill -CONT "${pids[2]}"
    await
    expect_code 0
    [[ $stopped == no ]] || break
done
expect_equal "a rank that sleeps" "$stopped" yes
expect_equal "digest after a sleep" "$(digest)" "$undisturbed"
finish
