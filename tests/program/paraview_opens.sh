# ParaView opens the frames and walls of a silo that two ranks have filled and begun to empty, and finds in them the balls, times
# and steps that the time series tells of.
source "$2/tests/support/program.bash"
limit=170
need pvpython
# A clean environment: what MPI is told for tests, pvpython would believe as well.
clean=(env -i "PATH=$PATH" "HOME=$HOME")
pvpython() { start "${clean[@]}" $(command -v xvfb-run >/dev/null && echo xvfb-run -a) pvpython "$@"; }

# Rows of the series and frames at the same times.
every=0.05
on 2 run "$cases/silo-tiny.toml" --steps 13000 --out silo --set output.frames_every=$every \
    --set output.series_every=$every --set output.log_every=$every --set 'output.fields=["id","radius","velocity","speed"]'
expect_code 0
outlet="$(sed -n '/^\[\[outlets\]\]/,/^$/s/^point = \[.*, \(.*\)\]$/\1/p' silo/as-run.toml)"
check "a height of the outlet, got '$outlet'" test -n "$outlet"

# Column of series.csv as a list of JSON.
column() {
    awk -F, -v name="$1" 'NR == 1 { for (k = 1; k <= NF; ++k) if ($k == name) c = k; next }
                          { printf "%s%s", (NR > 2 ? ", " : ""), $c }' silo/series.csv
}
n_frames="$(($(wc -l <silo/series.csv) - 1))"
n_flowing="$(awk -F, 'NR > 1 && $5 > 0' silo/series.csv | wc -l)"   # balls_out
check "frames before and after the first ball has left" test "$n_flowing" -gt 2 -a "$n_frames" -gt "$((n_flowing + 4))"
cat >expected.json <<END
{"times": [$(column time_s | sed -E 's/(^|, )0(,|$)/\10.0\2/')], "above_outlet": [$(column balls_inside)],
 "steps": [$(column step)], "fields": ["id", "radius", "speed", "velocity"],
 "types": {"id": "long long", "radius": "float", "velocity": "float", "speed": "float"},
 "units": {"radius": "m", "velocity": "m/s", "speed": "m/s"}}
END
pvpython "$2/tests/paraview/what_paraview_sees.py" silo --outlet="$outlet" --expect expected.json
expect_code 0
cp out seen.json

# Balls that have crossed the outlet may stay in a frame, but no ball is missing, and none is there twice.
list() { tr -d ' \n' <seen.json | sed -E "s/.*\"$1\":\[([^]]*)\].*/\1/" | tr ',' '\n'; }
expect_equal "balls of the fullest frame" "$(list balls | sort -n | tail -n 1)" 400
expect_equal "their largest id" "$(list largest_id | grep -v null | sort -n | tail -n 1)" 399
check "never fewer balls than above the outlet" \
    awk '{ exit $1 < $2 }' <(paste <(list balls) <(list above_outlet))

# The gate stands until it opens.
lists() { tr -d ' \n' <seen.json | sed -E "s/.*\"$1\":\[([]0-9a-z\",[]*\])\],\".*/\1/; s/\],\[/]\n[/g"; }
expect_equal "names of walls" "$(lists wall_names | sort -u)" '["cylinder","cone","gate"]'
expect_equal "walls at first" "$(lists wall_numbers | head -n 1)" '[0,1,2]'
expect_equal "walls at last, without the gate" "$(lists wall_numbers | tail -n 1)" '[0,1]'
expect_equal "lists of walls" "$(lists wall_numbers | grep -c .)" "$n_frames"

# The picture of the README is made this way.
if have xvfb-run; then
    start "${clean[@]}" bash "$2/jobs/picture" silo --out silo.png --size 200x260
    expect_code 0
    expect_text out '^silo.png: t = [0-9.]+ s, [0-9]+ balls$'
    expect_equal "picture" "$(head -c 24 silo.png | od -An -tx1 | tr -d ' \n')" \
        89504e470d0a1a0a0000000d49484452000000c800000104   # PNG, 200 x 260
    start "${clean[@]}" bash "$2/jobs/picture" silo --size large
    expect_code 2
    expect_text err 'jobs/picture: --size large: expected'
    start "${clean[@]}" bash "$2/jobs/picture" .
    expect_code 2
    expect_text err 'contains no frames.pvd'
fi
finish
