# A run that goes wrong: exit code 3, one message with ball, place, step, rank and likely cause, and no state.
source "$2/tests/support/program.bash"

fails() {   # what the message must hold, then the options of `granary run`
    local text="$1" n; shift
    for n in 1 3; do
        on "$n" run "$@" --set output.frames_every=0 --out "failed-$n"
        expect_code 3
        expect_one_message "$text"
        expect_text "failed-$n/log.txt" "^$text"
        expect_equal "files" "$(ls "failed-$n" | tr '\n' ' ')" "as-run.toml log.txt report.html series.csv status.json "
    done
    # The same fate on any number of ranks; only the rank that saw it differs.
    expect_equal "fate" "$(tail -n 1 failed-1/log.txt | sed 's/rank [0-9]*//')" \
                        "$(tail -n 1 failed-3/log.txt | sed 's/rank [0-9]*//')"
    rm -r failed-*
}

ball='ball [0-9]+ of radius [0-9.]+ m at \(.*\) m, speed [0-9.]+ m/s, step [0-9]+ \(t = [0-9.]+ s\), rank [0-9]+'
fails "too fast: $ball moves .* Likely cause: a time step too large .* try dt below" \
    "$cases/rain-box.toml" --set run.dt=5e-4 --set run.allow_large_dt=true
fails "lost: $ball has left the domain along z without crossing an outlet. Likely cause: .*enlarge \[domain\]" \
    "$cases/two-balls.toml" --set 'bodies.upper.velocity=[0.0,0.0,30.0]'
fails "lost: $ball has left the domain along x " \
    "$cases/two-balls.toml" --set 'bodies.lower.velocity=[30.0,0.0,0.0]' --set run.slab_axis=x
finish
