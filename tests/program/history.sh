# jobs/history makes a row of what `granary bench bed` prints: medians, in the order of the table's head. Here of a stand-in that prints known numbers.
source "$2/tests/support/program.bash"
cat >stand-in <<'END'
#!/bin/bash
if [[ $1 == --version ]]; then
    echo "granary 0.1.0 (0123456789ab), GNU 12.2.0, -O3 -DNDEBUG -march=native; running x86-64-v4"
    exit
fi
if [[ -n ${OMPI_COMM_WORLD_RANK:-} && $OMPI_COMM_WORLD_RANK != 0 ]]; then exit; fi
counter="${0%/*}/calls"   # beside itself: it is called in the folder of the sources
calls="$(cat "$counter" 2>/dev/null || echo 0)"; echo $((calls + 1)) >"$counter"
bytes=345.6; [[ -z ${OMPI_COMM_WORLD_RANK:-} ]] || bytes=396.4
case "$*" in
    *1000000*) speed=$((calls + 1))e6 ;;
    *) speed=1${calls}.25e6 ;;
esac
echo "{\"ball_steps_per_second\": 1, \"ball_steps_per_cpu_second\": $speed, \"bytes_per_ball\": $bytes, \"rebuild_ns_per_ball\": 250.4, \"load_before\": 1}"
END
chmod +x stand-in
start bash "$2/jobs/history" --program "$PWD/stand-in" --runs 1 --dry
expect_code 0
expect_text out '^\| 20[0-9-]* \| 0123456789ab \| .*; GNU 12\.2\.0, x86-64-v4; load [0-9.]+ \| [0-9.]+, [0-9.]+ \| 250 \| 346, 396 \| [0-9, ]* \|$'
expect_equal "columns" "$(tr -cd '|' <out)" "$(grep '^| date' "$2/tests/benchmarks/HISTORY.md" | tr -cd '|')"
start bash "$2/jobs/history" --nonsense
expect_code 2
finish
