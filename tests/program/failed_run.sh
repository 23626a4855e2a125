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

ball='ball [0-9]+ of radius [0-9.]+ m at \(.*\) m, speed [0-9.]+ m/s, step [0-9]+ \(t = [0-9.]+ s, rank [0-9]+\)'
fails "too fast: $ball moves .* Likely cause: a time step too large .* try dt below" \
    "$cases/rain-box.toml" --set run.dt=5e-4 --set run.allow_large_dt=true
fails "lost: $ball has left the domain along z without crossing an outlet. Likely cause: .*enlarge \[domain\]" \
    "$cases/two-balls.toml" --set 'bodies.upper.velocity=[0.0,0.0,30.0]'
fails "lost: $ball has left the domain along x " \
    "$cases/two-balls.toml" --set 'bodies.lower.velocity=[30.0,0.0,0.0]' --set run.slab_axis=x

# Balls that are pressed through a wall: the overlap is named by the warnings, in log and report, though the ball is lost elsewhere and later.
sed -e '/^\[\[bodies\]\]/,$d' "$cases/two-balls.toml" >crush.toml
cat >>crush.toml <<'TOML'
[[bodies]]
source = "lattice"
lower = [-0.01, -0.01, 0.0]
upper = [0.01, 0.01, 0.02]
counts = [1, 1, 1]
radius = 0.005
material = "grain"
velocity = [0.0, 0.0, -40.0]
[[walls]]
name = "floor"
type = "rectangle"
corner = [-0.05, -0.05, 0.0]
edge_a = [0.1, 0.0, 0.0]
edge_b = [0.0, 0.1, 0.0]
material = "grain"
TOML
for n in 1 3; do
    on "$n" run crush.toml --set output.series_every=1e-5 --out "crush-$n"
    expect_code 3
    expect_one_message 'lost: ball'
    expect_text "crush-$n/log.txt" '^warning: balls overlap with the wall "floor" by more than [0-9.]+ % of a radius; .*at worst [0-9]{2,3}(\.[0-9]+)? %'
    expect_text "crush-$n/report.html" 'balls overlap with the wall'
    expect_text out '^warning: balls overlap with the wall "floor"'
    expect_equal "what comes last" "$(tail -n 1 "crush-$n/log.txt" | cut -c1-10)" "lost: ball"
done

# A ball that is too fast where others overlap: the message says by how much.
on 3 run "$cases/rain-box.toml" --set run.dt=5e-4 --set run.allow_large_dt=true --out fast
expect_code 3
expect_one_message 'too fast: .* At this step balls overlap.* by [0-9.]+ % of a radius'

# A report that takes long (here: until somebody reads it) does not make other ranks speak.
mkdir slow
mkfifo slow/report.html.part
(sleep 5; exec cat slow/report.html.part >/dev/null) &
reader=$!
on 3 run "$cases/two-balls.toml" --set 'bodies.upper.velocity=[0.0,0.0,30.0]' --out slow
expect_code 3
expect_one_message 'lost: ball'
expect_text slow/status.json '"status": "failed"'
kill "$reader" 2>/dev/null
finish
