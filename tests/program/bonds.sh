# Runs with bonds from outside: breaks, fragments, series and frames of bonds are the same bytes on any number of ranks and over a stop; the report
# shows them; `check` says what bonds need.
source "$2/tests/support/program.bash"
limit=100
cat "$cases/bond-demo.toml" - >demo.toml <<'TOML'
energy = true
[[probes]]
type = "fragments"
name = "pieces"
every = 0.01
TOML
sed -i 's/^frames_every = 0.0/frames_every = 0.02/' demo.toml
alone check demo.toml
expect_code 0
expect_text out '^bonds +[0-9 ]+ in [0-9 ]+ clusters; when stretched they span gaps up to .*$'
expect_text out 'breaks: at most .* -> breaks.csv'
expect_text out 'stable step'
alone run demo.toml --out one
expect_code 0
one="$(digest)"
expect_text one/log.txt '^bonds: [0-9]+ whole, [0-9]+ broken \(.*\); [0-9]+ pieces of [0-9]+ bodies, [0-9]+ single bodies$'
expect_text one/log.txt 'ball-steps/s +bonds +broken +pieces$'
expect_text one/breaks.csv '^time_s,id_a,id_b,x_m,y_m,z_m,cause,energy_J$'
broken="$(sed -n 's/^bonds: [0-9]* whole, \([0-9]*\) broken.*/\1/p' one/log.txt)"
check "some bonds have broken, got $broken" test "$broken" -gt 10
expect_equal "a row a break" "$(($(wc -l <one/breaks.csv) - 1))" "$broken"
check "sorted by time, then ids" bash -c "sed 1d one/breaks.csv | sort -t, -k1,1g -k2,2n -k3,3n -c"
expect_text one/bonds.pvd 'frames/bonds_000005.vtp'
for text in 'Broken bonds' 'Pieces' 'Sizes of fragments' 'Bonds whole' 'Bonds broken'; do expect_text one/report.html "$text"; done
expect_no_text one/report.html 'From breaks.csv'
columns() { awk -F, '{ for (k = 1; k <= NF - 2; k++) printf "%s,", $k; print "" }' "$1"; }   # without speed and imbalance

same() {   # folder, why
    for file in breaks.csv fragments-pieces.csv frames/bonds_000000.vtp frames/bonds_000003.vtp frames/bonds_000005.vtp frames/frame_000005.vtp bonds.pvd; do
        check "$file $2" cmp "one/$file" "$1/$file"
    done
    expect_equal "series $2" "$(columns "$1/series.csv")" "$(columns one/series.csv)"
}
for ranks in 2 3; do
    on "$ranks" run demo.toml --out "ranks-$ranks" --quiet
    expect_code 0
    expect_equal "digest on $ranks ranks" "$(digest)" "$one"
    same "ranks-$ranks" "on $ranks ranks"
done
on 3 run demo.toml --out two-level --quiet --set 'run.detector="two-level"'   # two clusters at a face by one of the ranks
expect_code 0
expect_equal "digest in two levels on 3 ranks" "$(digest)" "$one"

# Cut to the checkpoint and written again, wherever the run was stopped.
on 2 run demo.toml --out stopped --quiet --set output.checkpoint_every=0.015 --set output.checkpoints_kept=100
kept=(stopped/checkpoints/step-*.h5)
check "some checkpoints, got ${#kept[@]}" test "${#kept[@]}" -ge 5
for k in 1 3; do
    on 3 resume "${kept[$k]}" --quiet
    expect_code 0
    expect_equal "digest after a stop" "$(digest)" "$one"
    same stopped "after a stop"
done

# Bonds of a state go on, with their age; without their kind they are refused.
sed -e '/^\[\[bodies\]\]/,/^$/d' -e '/^\[\[insert\]\]/,/^$/d' -e '/^\[\[hold\]\]/,/^$/d' -e 's/^time = .*/time = 0.01/' \
    -e 's|^\[run\]|[start]\nfrom = "one/state.h5"\n\n[run]|' demo.toml >later.toml
alone run later.toml --out later --quiet
expect_code 0
whole="$(sed -n 's/^bonds: \([0-9]*\) whole.*/\1/p' one/log.txt)"
expect_equal "bonds of the state" "$(awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == "bonds_whole") c = k } NR == 2 { print $c }' later/series.csv)" "$whole"
# A hold of that case takes bodies of the state, too; a bar that nothing held before falls with its other end only.
first="$(sed -n '2p' one/breaks.csv | cut -d, -f2)"
cat later.toml - >held.toml <<TOML
[[hold]]
ids = [$first]
[[probes]]
type = "track"
name = "held"
ids = [$first]
every = 0.005
TOML
alone run held.toml --out held --quiet
expect_code 0
for axis in x y z; do
    expect_equal "a body of the state is held along $axis" \
        "$(awk -F, -v name="${axis}_m:ball $first" 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == name) c = k } NR > 1 { print $c }' held/track-held.csv | sort -u | wc -l)" 1
done
sed -e '/^\[\[bonds\]\]/,/^$/d' -e '/^\[\[clusters\]\]/,/^$/d' -e '/^\[\[probes\]\]/,$d' later.toml >without.toml
alone run without.toml --out without
expect_code 2
expect_text err 'are bonded by bonds of number [12], and this case has 0 \[\[bonds\]\]'

# Bonds limit the step.
alone check demo.toml --set run.dt=3e-4 --set materials.grain.young=1e4
expect_code 2
expect_text err 'above which bonds become unstable \(at most 2/3\)'
finish
