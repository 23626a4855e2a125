# tests/validation/README.md, CLUSTERS.md and SHAPES.md are what jobs/validation draws from the data beside them, and its verdicts look at the data: with other numbers they
# are others. Wants matplotlib; without it only the message is looked at.
source "$2/tests/support/program.bash"
top="$2"
limit=120
mkdir page
cp -r "$top/tests/validation/README.md" "$top/tests/validation/CLUSTERS.md" "$top/tests/validation/SHAPES.md" "$top/tests/validation/data" page/
start "$top/jobs/validation" --page page
if grep -q 'matplotlib is missing' err; then
    expect_code 1
    finish
fi
expect_code 0
for name in README.md CLUSTERS.md SHAPES.md; do check "$name is up to date: run jobs/validation" cmp "page/$name" "$top/tests/validation/$name"; done
for name in $(sed -n 's/^!\[.*\](\(.*\.png\))$/\1/p' page/README.md page/CLUSTERS.md page/SHAPES.md); do
    expect_file "page/$name"
    expect_file "$top/tests/validation/$name"
done
for part in beverloo janssen hopper contacts bodies walls integrators energy-tests energy gas; do
    expect_equal "lines drawn of $part" "$(awk -v part="$part" '$0 == "<!-- generated: " part " -->" { on = 1; next } /^<!-- end -->/ { on = 0 } on && NF { n++ } END { print (n > 1 ? "some" : n + 0) }' page/README.md)" some
done

# An exponent that is off: its estimate does not hold. One that is uncertain: it says how far its error reaches.
expect_text page/README.md 'required 2.5 ± 0.15: the estimate \*\*holds\*\*; one standard error reaches from 2.46 to 2.76, 0.11 beyond the band'
awk -F, -v OFS=, 'NR == 1 { for (k = 1; k <= NF; ++k) if ($k == "flow_kg_per_s") c = k; print; next } { $c *= ($2 / 10) ^ 0.5; print }' "$top/tests/validation/data/beverloo.csv" >page/data/beverloo.csv
awk -F, -v OFS=, 'NR == 1 { for (k = 1; k <= NF; ++k) if ($k == "energy_residual_J") c = k; print; next } { $c *= 5; print }' "$top/tests/validation/data/energy-demo.csv" >page/data/energy-demo.csv
start "$top/jobs/validation" --page page
expect_code 0
expect_text page/README.md 'exponent with k = 1.4 of the literature: .* required 2.5 ± 0.15: the estimate \*\*does NOT hold\*\*; one standard error reaches from .* beyond the band'
awk -F, -v OFS=, 'NR == 1 { for (k = 1; k <= NF; ++k) if ($k == "energy_residual_J") c = k; print; next } { $c *= 50; print }' "$top/tests/validation/data/clusters-crushing.csv" >page/data/clusters-crushing.csv
start "$top/jobs/validation" --page page
expect_text page/CLUSTERS.md 'energy residual at most .* required below 1 %: \*\*does NOT hold\*\*'
expect_text page/README.md 'the residual is at most .* of the energy input at any time, .* required below 1 %: \*\*does NOT hold\*\*'
finish
