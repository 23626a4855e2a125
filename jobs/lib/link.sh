# One link of a chain of jobs: begins a run or goes on with it until it is done, has gone wrong, or the job's time is up. Sourced by the
# batch scripts in jobs/slurm and jobs/pbs, and by jobs/submit --scheduler local.

# A value of status.json in a run's folder; nothing if there is none.
status_value() {
    [[ -r "$1/status.json" ]] || return 0
    sed -n "s/.*\"$2\": *\"\{0,1\}\([^\",}]*\).*/\1/p" "$1/status.json" | head -n 1
}

chain_say() { printf '%s chain: %s\n' "$(date '+%F %T')" "$*"; }

# granary_link OUT PROGRAM SECONDS -- LAUNCHER... -- CASE [options of granary run]
#   OUT       folder of the run;  PROGRAM  granary;  SECONDS  after which the run saves itself and stops (0: no limit)
# Gives 0: the case is done; 85: there is more to do; anything else: it went wrong, going on is of no use.
# A run is begun if OUT has none, else resumed. USR1, TERM and INT at this shell are passed on as USR1, at which the run saves itself and stops;
# told_to_stop is then not empty.
granary_link() {
    local out="$1" program="$2" seconds="$3" launcher=() state step_before step code=0 pid
    shift 4
    while [[ $1 != -- ]]; do launcher+=("$1"); shift; done
    shift
    local command=()
    state="$(status_value "$out" status)"
    step_before="$(status_value "$out" step)"
    case "$state" in
        finished) chain_say "$out is finished already"; return 0 ;;
        failed) chain_say "$out has failed: $(status_value "$out" message)"; return 3 ;;
        "") command=(run "$@" --out "$out") ;;
        *)
            if [[ "$(status_value "$out" checkpoint)" == *.h5 ]]; then
                command=(resume "$out")
            else
                # Ended by force before its first checkpoint: from the beginning, nothing is lost that was saved.
                command=(run "$@" --out "$out" --overwrite)
            fi
            ;;
    esac
    [[ "$seconds" -eq 0 ]] || command+=(--wall-time "$(printf '%02d:%02d:%02d' $((seconds / 3600)) $((seconds / 60 % 60)) $((seconds % 60)))")
    chain_say "${launcher[*]} $program ${command[*]}"

    "${launcher[@]}" "$program" "${command[@]}" &
    pid=$!
    told_to_stop=
    trap 'told_to_stop=yes; chain_say "stop requested: the run saves a checkpoint"; kill -USR1 $pid 2>/dev/null' USR1 TERM INT
    # wait ends at every signal that is trapped; the run may need a while after it.
    while kill -0 $pid 2>/dev/null; do
        code=0
        wait $pid || code=$?
    done
    trap - USR1 TERM INT

    # Refused before it began: the folder is in use by another job, or the case is wrong. Another link would be refused, too.
    [[ $code -ne 2 ]] || { chain_say "granary refused to run in $out, see above"; return 2; }
    state="$(status_value "$out" status)"
    step="$(status_value "$out" step)"
    printf '%s\t%s\t%s\tstep %s\tcode %s\n' "$(date '+%F %T')" "${SLURM_JOB_ID:-${PBS_JOBID:-local}}" "$state" "$step" "$code" >>"$out/chain.tsv"
    case "$state" in
        finished) chain_say "done"; return 0 ;;
        resume-me | running)
            # The same step twice: the time of a job is too short for a single checkpoint, or something is wrong.
            if [[ -n "$step_before" && "$step" == "$step_before" ]]; then
                chain_say "given up: no progress since the previous job (step $step). Is the time limit too short, or the disk full?"
                return 4
            fi
            chain_say "to be continued from step ${step:-0}"
            return 85
            ;;
        *) chain_say "failed (code $code): $(status_value "$out" message)"; return $((code == 0 || code == 85 ? 3 : code)) ;;
    esac
}

# The k-th run of a sweep: sets run_name and run_options from DIR/sweep.tsv (see granary sweep).
sweep_run() {
    local folder="$1" k="$2" line set
    IFS=$'\t' read -r _ case_file < <(head -n 1 "$folder/sweep.tsv")
    line="$(sed -n "$((k + 1))p" "$folder/sweep.tsv")"
    [[ -n "$line" ]] || { echo "sweep: $folder/sweep.tsv has no run number $k" >&2; return 2; }
    local words
    IFS=$'\t' read -r -a words <<<"$line"
    run_name="${words[0]}"
    run_options=("$case_file")
    for set in "${words[@]:1}"; do run_options+=(--set "$set"); done
}
