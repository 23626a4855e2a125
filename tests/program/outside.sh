# Balls that leave the domain other than by an outlet: the run stops, or with domain.outside = "delete" they are counted and told about.
source "$2/tests/support/program.bash"
limit=100
# Rain without its shell and its outlet: most balls leave the box sideways or below.
leak=(--set 'domain.outside="delete"' --steps 25000 --set output.series_every=0.01)
awk '/^\[\[(walls|outlets)\]\]/ { skip = 1 } /^\[/ && !/^\[\[(walls|outlets)\]\]/ { skip = 0 } !skip' "$cases/rain-box.toml" >leak.toml
alone run leak.toml --steps 25000 --out stop
expect_code 3
expect_one_message 'lost: ball [0-9]+ .* has left the domain along z .* or delete such balls with domain.outside = "delete"'
alone run leak.toml "${leak[@]}" --out one
expect_code 0
whole="$(digest)"
read -r inserted inside deleted < <(sed -n 's/^balls inserted \([0-9]*\) = inside \([0-9]*\) + deleted \([0-9]*\)$/\1 \2 \3/p' out)
check "many are deleted, got ${deleted:-none}" test "${deleted:-0}" -gt 50
expect_equal "ledger" "$inserted" "$((inside + deleted))"
expect_text out "^warning: $deleted balls \([0-9.]+ kg\) left the domain other than by an outlet and were deleted; the first: ball [0-9]+ of radius [0-9.]+ m at \(.*\) m, speed [0-9.]+ m/s, step [0-9]+ \(t = [0-9.]+ s\)$"
column() { awk -F, -v name="$2" 'NR == 1 { for (k = 1; k <= NF; ++k) if ($k == name) at = k } END { print $at }' "$1/series.csv"; }
expect_equal "last row" "$(column one balls_deleted)" "$deleted"
expect_equal "none left by an outlet" "$(column one balls_out)" 0
check "mass in = inside + deleted" awk -v a="$(column one mass_in_kg)" -v b="$(column one mass_inside_kg)" -v c="$(column one mass_deleted_kg)" \
    'BEGIN { d = a - b - c; exit !(d < 1e-8 && d > -1e-8 && c > 0) }'
expect_text one/report.html 'Balls deleted'
expect_text one/report.html 'left the domain other than by an outlet'
columns="$(head -n 1 one/series.csv | tr ',' '\n' | wc -l)"
rows() { cut -d, -f"1-$((columns - 2))" "$1/series.csv"; }   # the last two are of the machine: speed and balance
for n in 2 3 4; do
    on "$n" run leak.toml "${leak[@]}" --out "ranks-$n" --quiet
    expect_code 0
    expect_equal "digest on $n ranks" "$(digest)" "$whole"
    expect_equal "rows on $n ranks" "$(rows "ranks-$n" | md5sum)" "$(rows one | md5sum)"
    expect_equal "the first on $n ranks" "$(grep '^warning: .* deleted' "ranks-$n/log.txt")" "$(grep '^warning: .* deleted' one/log.txt)"
done

# Stopped and resumed: nothing is forgotten.
on 2 run leak.toml "${leak[@]}" --out stopped --quiet --set output.checkpoint_every=0.05 --set output.checkpoints_kept=99
middle=(stopped/checkpoints/*.h5)
on 3 resume "${middle[$((${#middle[@]} / 2))]}" --quiet
expect_code 0
expect_equal "digest after a stop" "$(digest)" "$whole"
expect_equal "rows after a stop" "$(rows stopped | md5sum)" "$(rows one | md5sum)"

# A run that does not ask for it has no such column; beside a silo the box itself may be left out.
expect_no_text stop/series.csv balls_deleted
alone run "$cases/silo-tiny.toml" --steps 50 --out plain --quiet
plain="$(digest)"
alone run "$cases/silo-tiny.toml" --steps 50 --out silo --set 'domain.outside="delete"'
expect_code 0
expect_equal "a silo whose balls stay inside" "$(digest)" "$plain"
expect_text out '^balls inserted [0-9]+ = inside [0-9]+ \+ left by outlet 0 \+ deleted 0$'
expect_no_text out 'left the domain'
expect_text silo/as-run.toml '^outside = "delete"'
alone run silo/as-run.toml --steps 50 --out again --quiet
expect_equal "digest of the written case" "$(digest)" "$plain"
alone check "$cases/silo-tiny.toml" --set 'domain.lower=[-1, -1, -1]'
expect_code 2
expect_one_message 'domain.upper is missing'
alone check "$cases/rain-box.toml" --set 'domain.outside="forget"'
expect_code 2
expect_one_message 'domain.outside is not known \(expected "stop" or "delete"'
finish
