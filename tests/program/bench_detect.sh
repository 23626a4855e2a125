# `granary bench detect`: every experiment at a small size. Pair counts are checked by the benchmark itself; here it is seen that it
# does, and that the rows have what the figures need. Speeds are not judged.
source "$2/tests/support/program.bash"
limit=170

alone bench detect --experiment magic
expect_code 2
expect_one_message 'magic'
alone bench detect --detectors mr,magic
expect_code 2
expect_one_message 'magic'
alone bench detect --largest -5
expect_code 2
expect_one_message '--largest: expected a whole number'
on 2 bench detect --experiment munjiza-1 --largest 1000 --repeats 1
expect_code 2
expect_one_message 'without mpirun'
alone bench detect --help
expect_code 0
for option in --experiment --detectors --largest --smallest --repeats --ratio --csv --json; do expect_text out "^ *$option "; done

# column <name> of the rows of out that match a pattern, one a line
column() {
    awk -F, -v name="$1" -v pattern="$2" 'NR == 1 { for (k = 1; k <= NF; ++k) if ($k == name) c = k; next } $0 ~ pattern { print $c }' out
}
all_equal() { test -n "$1" && test "$(sort -u <<<"$1")" = "$2"; }
has_columns() { for name in "$@"; do expect_text out "(^|,)$name(,|\$)"; done; }
times="sort_cpu_best sort_wall_median move_cpu_best search_cpu_best search_cpu_median total_cpu_best total_cpu_median total_wall_best total_wall_median"
run() {
    alone bench detect --repeats 1 "$@"
    expect_code 0
    expect_no_text out 'nan|inf'
    # shellcheck disable=SC2086
    has_columns experiment detector mode bodies detections repeats $times pairs integers_per_body load
    expect_equal "fields of all lines" "$(awk -F, '{ print NF }' out | sort -u | wc -l)" 1
}

# Example I: 3 n^2 (n - 1) touching pairs, whoever looks; 5 integers a body in the list as printed (and the list head's five).
run --experiment munjiza-1 --largest 1000
for detector in mr mmr fixed-cubes mr-as-printed quick-mr quick-binary; do
    expect_equal "touching pairs of 10^3 by $detector" "$(column pairs ",$detector,rest,")" 2700
    check "$detector in motion" test -n "$(column pairs ",$detector,moved,")"
done
check "the same pairs in motion" test "$(column pairs ',moved,' | sort -u | wc -l)" -eq 1
check "motion changes cells" awk -v x="$(column changed_share ',mr,moved,')" 'BEGIN { exit !(x > 0.02 && x < 0.5) }'
expect_equal "integers as printed" "$(column integers_per_body ',mr-as-printed,rest,')" 5.005
expect_equal "integers of mr" "$(column integers_per_body ',mr,rest,')" 5
expect_equal "paper's integers" "$(column paper_integers ',mr,rest,')" 5

# Examples II to IV: touching pairs at spacing d only, and memory that does not know the spacing. 9^3 bodies.
for example in 2 3 4; do
    run --experiment munjiza-$example --largest 800
    expect_equal bodies "$(column bodies ',mr,rest,' | sort -u)" 729
    expect_equal "touching pairs at d" "$(column pairs ',rest,729,1,' | sort -u)" "$((648 * (example - 1)))"
    check "none above" all_equal "$(column pairs ',rest,729,([1-9][0-9]+|[2-9]|1[.]5),')" 0
    check "memory of mr" all_equal "$(column integers_per_body ',mr,rest,')" 5
    expect_equal "spacings" "$(column spacing ',mr,rest,' | tail -n 1)" 200
done

run --experiment mmr-sizes --largest 2000 --ratio 4
for sizes in equal by-number by-mass; do
    check "$sizes: mmr" test -n "$(column pairs "^mmr-sizes,mmr,rest,[0-9]*,$sizes,")"
    check "$sizes: pairs are found" test "$(column pairs ",mr,rest,[0-9]*,$sizes,")" -gt 100
done
check "no overlap left in packs" all_equal "$(column pack_largest_overlap ^mmr)" 0
check "eq. (34) told" test "$(column t_over_n_t_mr ,mmr, | grep -c '[0-9]')" -eq 3

run --experiment lazarevic-5 --largest 1000
for system in dense sparse; do
    check "all pairs, $system" test -n "$(column pairs ",all-pairs,$system,1000,")"
    check "cubes a ball" awk -v x="$(column cubes_per_ball ",fixed-cubes,$system,1000,")" 'BEGIN { exit !(x > 5 && x < 6.5) }'
    check "examinations" awk -v x="$(column examinations_per_ball ",fixed-cubes,$system,1000,")" 'BEGIN { exit !(x >= 6 && x <= 10) }'
done
check "dense is denser" awk -v a="$(column balls_per_cube ,fixed-cubes,dense,1000,)" -v b="$(column balls_per_cube ,fixed-cubes,sparse,1000,)" \
    'BEGIN { exit !(a > 5 * b) }'

run --experiment delta-sweep --largest 1000
check "larger cubes, fewer a ball" awk -v a="$(column cubes_per_ball ,fixed-cubes, | head -n 1)" -v b="$(column cubes_per_ball ,fixed-cubes, | tail -n 1)" \
    'BEGIN { exit !(a > 2 * b && b > 1) }'
run --experiment resort --largest 2000
for sort in mr-sort std-sort radix-sort; do expect_equal "rows of $sort" "$(column bodies ",$sort," | wc -l)" 3; done

alone bench detect --experiment munjiza-1 --smallest 2000 --largest 8000 --repeats 1 --detectors mr
expect_equal "sizes from smallest to largest" "$(column bodies munjiza | sort -u)" 8000

# Files instead of standard output; a detector by name.
alone bench detect --experiment munjiza-1 --largest 1000 --repeats 2 --detectors mr --csv rows.csv --json rows.json
expect_code 0
expect_equal "standard output" "$(cat out)" ""
expect_equal "lines of CSV" "$(wc -l <rows.csv)" 4
expect_text rows.json '"benchmark": "detect"'
if have python3; then check "valid JSON" python3 -m json.tool rows.json /dev/null; fi
finish
