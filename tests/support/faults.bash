# For tests that hurt a run:   source "$2/tests/support/faults.bash"   after program.bash.
children() { grep -lE "^PPid:[[:space:]]+$1\$" /proc/[0-9]*/status 2>/dev/null | cut -d/ -f3; }
wait_until() {   # seconds on an idle machine, command...
    local tries=$(($1 * patience * 20)); shift
    until "$@"; do
        ((tries-- > 0)) || return 1
        sleep 0.05
    done
}
gone() { local pid; for pid in "$@"; do ! kill -0 "$pid" 2>/dev/null || return 1; done; }
checkpoint_of() { sed -n 's/.*"checkpoint": "\(.*\)".*/\1/p' "$1/status.json" 2>/dev/null; }

# begin RANKS ARGUMENTS...: starts granary under mpirun in the background; job is mpirun, pids its ranks.
begin() {
    local n="$1"; shift
    call="mpirun -n $n granary $*"
    mpirun -n "$n" "$granary" "$@" >out 2>err </dev/null &
    job=$!
    have_ranks() { pids=($(children "$job")); [[ ${#pids[@]} -eq $n ]] || ! kill -0 "$job" 2>/dev/null; }
    wait_until 30 have_ranks
}
# The job's exit code, after it has ended by itself; after $limit seconds it counts as hung.
await() {
    if ! wait_until "$limit" gone "$job"; then
        complain "hung for $((limit * patience)) s"
        kill -9 "$job" "${pids[@]}" 2>/dev/null
    fi
    wait "$job"
    code=$?
}

# in_time COMMAND...: begins a run and hurts it; again, if it had come to its end before (code 0): on a busy machine a short run may be
# faster than this script. The command removes what it left.
in_time() {
    local tries
    for ((tries = 0; tries < 5; ++tries)); do
        "$@"
        [[ $code -eq 0 ]] || return 0
    done
}

# A run that saves itself all the time: 60 balls that fill, settle and flow out of a small silo.
hurt_case() {
    hurt=("$cases/silo-tiny.toml" --set stages.fill.count=60 --set run.dt=8e-5 --set stages.settle.dt=7e-5
          --set stages.settle.time=0.05 --set stages.discharge.time=0.15 --set output.series_every=5e-3 --set output.frames_every=0)
    often=(--set output.checkpoint_every=1.2e-2 --set output.checkpoints_kept=3)
}

# killed_run RANKS KILLS FOLDER: kill -9 of a random rank at a random moment, again and again, each time after at least one new
# checkpoint; then to the end.
killed_run() {
    local n="$1" kills="$2" folder="$3" k before
    local how=(run "${hurt[@]}" "${often[@]}" --out "$folder")
    rm -rf "$folder"
    for ((k = 0; k < kills; ++k)); do
        before="$(checkpoint_of "$folder")"
        begin "$n" "${how[@]}"
        newer() { local now; now="$(checkpoint_of "$folder")"; [[ -n $now && $now != "$before" ]] || ! kill -0 "$job" 2>/dev/null; }
        check "a new checkpoint" wait_until "$limit" newer
        sleep "0.$((RANDOM % 25 + 100))"
        kill -9 "${pids[$((RANDOM % n))]}" 2>/dev/null
        await
        n_killed=$((n_killed + (code != 0)))
        how=(resume "$folder")
        n=$((n % 3 + 1))
        if [[ $code -eq 0 ]]; then break; fi   # it was faster
    done
    on "$n" "${how[@]}" --quiet
    expect_code 0
}
