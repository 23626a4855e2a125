# Beverloo's law in small: two holes of 6 and 9 grains in bins of some thousand grains, softer than those of jobs/validation. Judged:
# flow against 0.58 rho_b sqrt(g) (D0 - 1.4 d)^(5/2) to 25 % (constants of the literature spread by 20 %), the ratio of the two flows
# against the law to 12 % (a flow through so small a hole fluctuates by some per cent), and the same run on 3 ranks.
source "$2/tests/support/program.bash"
limit=280
case="$cases/beverloo.toml"
d=0.01

# bin HOLE WIDTH COUNT TIME: lengths in grains; the bin is filled to about 1.2 widths; some more than 80 % leave in the time.
bin() {
    awk -v hole="$1" -v width="$2" -v count="$3" -v time="$4" -v d="$d" 'BEGIN {
        printf "--set silo.d_c=%g --set silo.d_h=%g --set silo.h_c=%g --set stages.fill.count=%d", width * d, hole * d, 2.4 * width * d, count
        printf " --set materials.grain.young=1e6 --set stages.settle.time=0.4 --set stages.discharge.time=%g", time }'
}
cell() { awk -F, -v name="$2" 'NR == 1 { for (k = 1; k <= NF; ++k) if ($k == name) c = k } NR == 2 { print $c }' "$1"; }   # file, column: first row

# Slope of the mass that has left, between 20 and 80 % of the filling.
flow() {
    awk -F, 'NR == 1 { for (k = 1; k <= NF; ++k) c[$k] = k; next } { t[NR] = $c["time_s"]; m[NR] = $c["mass_out_kg"]; all = $c["mass_in_kg"]; last = m[NR] }
        END { for (k in t) if (m[k] > 0.2 * all && m[k] < 0.8 * all) { n++; x += t[k]; y += m[k]; xx += t[k] ^ 2; xy += t[k] * m[k] }
              if (last < 0.8 * all) print "only", last, "of", all, "kg have left"
              else print (n * xy - x * y) / (n * xx - x ^ 2) }' "$1/series.csv"
}

for run in "6 14 2600 3" "9 17 4600 1.5"; do
    read -r hole width count time <<<"$run"
    alone run "$case" --out "hole-$hole" $(bin $run)
    expect_code 0
    cp out "log-$hole"
    expect_text "log-$hole" "filled: $count of $count balls"
    expect_equal "$hole: balls" "$(sed -n 's/^balls inserted \([0-9]*\) = .*/\1/p' "log-$hole")" "$count"
    q="$(flow "hole-$hole")" rho="$(cell "hole-$hole/pressure-cylinder.csv" bulk_density_kg_per_m3)"
    echo "hole of $hole d: $q kg/s, bulk density $rho kg/m^3"
    check "bulk density $rho between 1350 and 1650" awk -v r="$rho" 'BEGIN { exit !(r > 1350 && r < 1650) }'
    check "flow $q as Beverloo says, to 25 %" awk -v q="$q" -v r="$rho" -v h="$hole" -v d="$d" \
        'BEGIN { law = 0.58 * r * sqrt(9.81) * ((h - 1.4) * d) ^ 2.5; print "  over the law:", q / law; exit !(q / law > 0.75 && q / law < 1.25) }'
done
check "ratio of the flows to 12 %" awk -v a="$(flow hole-9)" -v b="$(flow hole-6)" \
    'BEGIN { law = ((9 - 1.4) / (6 - 1.4)) ^ 2.5; print "  ratio", a / b, "law", law; exit !(a / b / law > 0.88 && a / b / law < 1.12) }'

# The same bits on other numbers of ranks, up to a while after the hole has opened.
steps="$(awk '/settled|time is up/ { gsub(":", ""); for (k = 1; k <= NF; ++k) if ($k == "step") print $(k + 1) + 300; exit }' log-6)"
check "a step of the opening, got '$steps'" test -n "$steps"
for ranks in 1 2 3 4; do
    on "$ranks" run "$case" --out "ranks-$ranks" --steps "$steps" $(bin 6 14 2600 3) --set probes.cylinder.average=0.02
    expect_code 0
    digest >"digest-$ranks"
    expect_file "digest-$ranks"
    check "digest on $ranks ranks" cmp digest-1 "digest-$ranks"
    check "pressures on $ranks ranks" cmp ranks-1/pressure-cylinder.csv "ranks-$ranks/pressure-cylinder.csv"
done
finish
