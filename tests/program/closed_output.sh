# Standard output that is full, closed or a pipe that nobody reads does not end a run: the log says so once.
source "$2/tests/support/program.bash"
rain=("$cases/rain-box.toml" --steps 2000 --set output.log_every=1e-3)
alone run "${rain[@]}" --out plain
whole="$(digest)"
check "lines in between" test "$(wc -l <out)" -gt 20
ran() {   # folder, number of warnings
    expect_code 0
    expect_text "$1/status.json" '"status": "finished"'
    expect_text "$1/log.txt" "^digest $whole\$"
    expect_equal "warnings" "$(grep -c '^warning: standard output cannot be written' "$1/log.txt")" "$2"
    alone digest "$1/state.h5"
    expect_equal "digest in $1" "$(cat out)" "$whole"
}

call='granary run | head -1'
{ timeout -k 5 $((limit * patience)) "$granary" run "${rain[@]}" --out head 2>err; echo $? >code; } | head -n 1 >out
for ((k = 0; k < 600 * patience; ++k)); do [[ -s code ]] && break; sleep 0.1; done
code="$(cat code)"
expect_equal "lines" "$(wc -l <out)" 1
expect_equal "errors" "$(cat err)" ""
ran head 1
expect_text head/log.txt '^warning: standard output cannot be written \(Broken pipe\): the run continues'

call='granary run >/dev/full'
timeout -k 5 $((limit * patience)) "$granary" run "${rain[@]}" --out full >/dev/full 2>err
code=$?
ran full 1
expect_text full/log.txt '\(No space left on device\)'
expect_equal "errors" "$(cat err)" ""
timeout -k 5 $((limit * patience)) "$granary" run "${rain[@]}" --out full-quiet --quiet >/dev/full 2>err
code=$?
ran full-quiet 1

# Closed: nothing is printed into a file that the run has opened.
call='granary run >&-'
timeout -k 5 $((limit * patience)) "$granary" run "${rain[@]}" --out closed <&- >&- 2>&-
code=$?
ran closed 0
check "the log of a plain run" test "$(sed '/seconds\|steps\/s\|[0-9]%\|\/s$/d' closed/log.txt | grep -c '^balls inserted')" -eq 1
# A pipe of each rank, since mpirun ends all ranks when its own breaks.
call='mpirun granary run | head -1'
timeout -k 5 $((limit * patience)) mpirun -n 2 bash -c '"$0" "$@" | head -n 1; exit ${PIPESTATUS[0]}' "$granary" run "${rain[@]}" --out ranks >out 2>err
code=$?
ran ranks 1
expect_equal "errors" "$(cat err)" ""

# Whoever only asks is told.
"$granary" keys >/dev/full 2>err
expect_equal "code of keys >/dev/full" $? 3
expect_text err '^granary: cannot write to standard output: No space left on device$'
"$granary" keys 2>err | head -n 1 >out
expect_equal "errors of keys | head" "$(cat err)" ""
finish
