# Outflow ball by ball: every ball that leaves has its row, the same bytes on any number of ranks and over a stop; residence time and composition
# in series and report are what the rows say; the run does not feel it.
source "$2/tests/support/program.bash"
limit=100
sed -e 's/^velocity = \[0.0, 0.0, -0.5\]/&\nmixed_with = ["chaff, dry"]\nmixed_shares = [0.3]/' "$cases/silo-tiny.toml" >plain.toml
cat >>plain.toml <<'TOML'
series_every = 0.02
[[materials]]
name = "chaff, dry"
density = 400.0
young = 5e6
poisson = 0.3
restitution = 0.4
friction = 0.4
TOML
sed 's/^\[output\]/&\noutflow = true/' plain.toml >silo.toml
alone run plain.toml --steps 18000 --out plain --quiet
expect_code 0
expect_nothing plain/outflow.csv
plain="$(digest)"
alone check silo.toml
expect_text out 'outflow: at most 400 rows, .* -> outflow.csv'
alone run silo.toml --steps 18000 --out one --quiet
expect_code 0
expect_equal "digest" "$(digest)" "$plain"
rows=one/outflow.csv
expect_text $rows '^time_s,id,radius_m,mass_kg,material,outlet,entry_time_s$'
expect_text $rows ',grain,outlet,'
expect_text $rows ',"chaff, dry",outlet,'
out="$(sed -n 's/.*left by outlet \([0-9]*\)$/\1/p' one/log.txt)"
check "some hundred balls have left, got $out" test "$out" -gt 100
expect_equal "a row a ball" "$(($(wc -l <$rows) - 1))" "$out"
expect_equal "each ball once" "$(sed 1d $rows | cut -d, -f2 | sort -u | wc -l)" "$out"
check "sorted by time, then id" bash -c "sed 1d $rows | sort -t, -k1,1g -k2,2n -c"

# What the rows of the series say is what the rows of the balls say: mass, residence time and shares.
sed 1d $rows | sed 's/"chaff, dry"/chaff/' >balls.csv
check "means of the series" awk -F, '
    FNR == NR { if (FNR == 1) { for (k = 1; k <= NF; k++) at[$k] = k; next }
        n = ++rows; t[n] = $at["time_s"]; r[n] = $at["residence_time_s"]; m[n] = $at["mass_out_kg"]; g[n] = $at["outflow_share:grain"]; next }
    { for (k = last ? last : 1; k < rows && t[k] < $1 - 1e-12; k++); last = k
      sum[k] += $4; time[k] += $4 * ($1 - $7); if ($5 == "grain") grain[k] += $4 }
    END { for (k = 2; k <= rows; k++) {
              d = m[k] - m[k - 1] - sum[k]; if (d > 1e-9 || d < -1e-9) { print "mass", k, d; bad = 1 }
              if (!sum[k]) { if (r[k] != "nan") { print "not nan", k; bad = 1 }; continue }
              d = r[k] - time[k] / sum[k]; if (d > 1e-9 || d < -1e-9) { print "time", k, d; bad = 1 }
              d = g[k] - grain[k] / sum[k]; if (d > 1e-9 || d < -1e-9) { print "share", k, d; bad = 1 }
              some++ }
          exit bad || some < 5 }' <(sed 's/"[^"]*"/quoted/g' one/series.csv) balls.csv
check "shares add up to one" awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) if ($k ~ /outflow_share/) c[++n] = k; next }
    $c[1] != "nan" { s = 0; for (k = 1; k <= n; k++) s += $c[k]; if (s < 1 - 1e-12 || s > 1 + 1e-12) bad = 1; seen = 1 } END { exit bad || !seen || n != 2 }' <(sed 's/"[^"]*"/outflow_share/g' one/series.csv)
check "nobody leaves before it came in" awk -F, '$7 < 0 || $7 > $1 { bad = 1 } END { exit bad }' balls.csv
check "they came in over the time of the filling" awk -F, '{ n += !seen[$7]++; if ($7 > most) most = $7 } END { exit !(n >= 4 && most > 0.1) }' balls.csv
for text in 'Residence time' 'Composition of the outflow' 'Mean residence time' 'chaff, dry'; do expect_text one/report.html "$text"; done
expect_no_text one/report.html 'From outflow.csv'
expect_no_text plain/report.html 'esidence time'

for ranks in 2 3 4; do
    on "$ranks" run silo.toml --steps 18000 --out "ranks-$ranks" --quiet
    expect_equal "digest on $ranks ranks" "$(digest)" "$plain"
    check "outflow on $ranks ranks" cmp $rows "ranks-$ranks/outflow.csv"
done

# Cut to the checkpoint and written again, wherever the run was stopped.
on 2 run silo.toml --steps 18000 --out stopped --quiet --set output.checkpoint_every=0.07 --set output.checkpoints_kept=100
expect_code 0
columns() { awk -F, 'NR == 1 { n = NF } { for (k = 1; k <= n - 2; k++) printf "%s,", $k; print "" }' <(sed 's/"[^"]*"/quoted/g' "$1"); }   # without speed and imbalance
kept=(stopped/checkpoints/step-*.h5)
check "some checkpoints, got ${#kept[@]}" test "${#kept[@]}" -ge 8
for k in $((${#kept[@]} - 5)) $((${#kept[@]} - 2)); do
    check "before" cmp $rows stopped/outflow.csv
    on 3 resume "${kept[$k]}" --quiet
    expect_code 0
    check "outflow after a stop" cmp $rows stopped/outflow.csv
    expect_equal "series after a stop" "$(columns stopped/series.csv)" "$(columns one/series.csv)"
done

# Entry times go on in a run that starts from a state: times before its own start.
cat >later.toml <<TOML
[start]
from = "one/state.h5"
$(sed -e '/^\[\[stages\]\]/,/^$/d' -e '/^title/d' -e 's/^rebalance_every.*/time = 0.05/' silo.toml)
TOML
sed -n "/^\[domain\]/,/^\$/p" one/as-run.toml >>later.toml
alone run later.toml --out later --quiet --set silo.opens_at=0
expect_code 0
check "came in before the start" awk -F, 'NR > 1 { n++; if ($NF >= 0) bad = 1 } END { exit bad || n < 5 }' later/outflow.csv

# Without an outlet there is nothing to write.
alone run "$cases/two-balls.toml" --set output.outflow=true --out none
expect_code 2
expect_text err 'output.outflow has nothing to write'
finish
