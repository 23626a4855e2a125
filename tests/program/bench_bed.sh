# `granary bench bed` prints one line of JSON with everything a comparison needs. Speeds are not judged here.
source "$2/tests/support/program.bash"
limit=170

alone bench bed --balls 0
expect_code 2
expect_one_message '--balls: expected a whole number, at least 1, got 0'
alone bench bed --help
expect_code 0
for option in --balls --steps --law --rebuild-every --skin --cache; do expect_text out "^ *$option "; done

alone --version
if ! grep -q -- ' -O3 ' out; then
    echo "a build without -O3 would settle the column for minutes: the bed itself is left to the release build"
    finish
fi

value() { sed -n "s/.*\"$1\": \"\{0,1\}\([^,\"}]*\).*/\1/p" out; }
between() { awk -v x="$(value "$1")" -v a="$2" -v b="$3" 'BEGIN { exit !(x != "" && x + 0 >= a && x + 0 <= b) }'; }
expect_between() { check "$1 from $2 to $3, got '$(value "$1")'" between "$@"; }
json() {
    expect_code 0
    expect_equal "lines" "$(wc -l <out)" 1
    if have python3; then check "valid JSON" python3 -m json.tool out /dev/null; fi
    expect_text out '^\{.*\}$'
    expect_no_text out 'nan|inf'
    for phase in integrate halo_wait walls pairs check migrate sort ghosts search carry; do
        expect_text out "\"ns_per_ball_step\": \{[^}]*\"$phase\": [0-9.]+"
    done
    expect_equal balls "$(value balls)" 6272
    expect_between ball_steps_per_second 1 1e12
    expect_between ball_steps_per_cpu_second 1 1e12
    expect_between contacts_per_ball 4.5 6.5       # a dense bed with friction, at rest
    expect_between candidates_per_ball 2.5 6       # counted once a pair
    expect_between bytes_per_ball 100 1e6          # small bed: mostly the libraries
    expect_between load_before 0 1e4
    expect_between kinetic_energy_per_ball 0 1e-7  # J; a ball of 0.16 g
}

alone bench bed --balls 6272 --steps 20 --cache . --rebuild-every 5
json
expect_equal law "$(value law)" hertz-mindlin
expect_equal ranks "$(value ranks)" 1
expect_equal steps "$(value steps)" 20
expect_equal rebuilds "$(value rebuilds)" 4
expect_between rebuild_ns_per_ball 1 1e6
expect_text err 'settling a column of 6272 balls'

on 2 bench bed --balls 6272 --steps 20 --cache . --law linear
json
expect_equal law "$(value law)" linear
expect_equal ranks "$(value ranks)" 2
expect_equal "the column settled again" "$(cat err)" ""
finish
