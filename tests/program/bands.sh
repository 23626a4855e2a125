# Bands: given out when the discharge begins, kept by the balls over migrations, rebuilds and states; the same on any number of ranks, and
# the run does not feel them.
source "$2/tests/support/program.bash"
limit=100
alone run "$cases/silo-tiny.toml" --steps 15000 --out plain --quiet
expect_code 0
plain="$(digest)"
cp "$cases/silo-tiny.toml" silo.toml
cat >>silo.toml <<'END'
frames_every = 0.2
fields = ["id", "band"]
[[probes]]
type = "bands"
name = "layers"
stage = "discharge"
bands = 5
every = 0.02
END
for ranks in 1 2 3; do
    on "$ranks" run silo.toml --steps 15000 --out "ranks-$ranks" --quiet
    expect_code 0
    expect_equal "digest on $ranks ranks" "$(digest)" "$plain"
    for file in bands-layers.csv state.h5 frames/frame_000003.vtp; do
        expect_file "ranks-$ranks/$file"
        check "$file on $ranks ranks" cmp "ranks-1/$file" "ranks-$ranks/$file"
    done
done
expect_text ranks-1/bands-layers.csv '^time_s,balls:band 0,balls:band 1,.*,balls:band 4,balls:other$'
check "at first every ball has a band" awk -F, 'NR == 2 { exit !($2 > 0 && $6 > 0 && $2 + $3 + $4 + $5 + $6 == 400 && $7 == 0) }' ranks-1/bands-layers.csv
check "no band gains" awk -F, 'NR > 2 { for (k = 2; k <= 7; ++k) if ($k > last[k]) bad = 1 } { for (k = 2; k <= 7; ++k) last[k] = $k } END { exit bad }' ranks-1/bands-layers.csv
check "the lowest leaves first" awk -F, 'NR == 2 { low = $2; high = $6 } END { exit !($2 / low < 0.9 && $6 / high > $2 / low) }' ranks-1/bands-layers.csv

# A run that starts from the state knows the bands; one that does not ask for them does not have them.
cat >start.toml <<'END'
[start]
from = "ranks-2/state.h5"
END
sed -e '/^\[silo\]/,/^$/d' -e '/^\[\[stages\]\]/,/^$/d' -e '/^\[\[probes\]\]/,$d' silo.toml | cat - >rest.toml
sed -i 's/^\[run\]/&\nsteps = 0/' rest.toml
sed -n "/^\[domain\]/,/^\$/p" ranks-1/as-run.toml >>rest.toml   # the same box: without stages no ball says how far below the gate it reaches
cat start.toml >>rest.toml
alone run rest.toml --out again --quiet
expect_code 0
bands() { h5dump -d /bodies/band "$1" | sed -n 's/^ *([0-9]*): \([0-9, ]*\)$/\1/p'; }   # in the order of the bodies
how_many() { bands "$1" | tr -d ' ' | tr ',' '\n' | sed '/^$/d' | sort -n | uniq -c | tr '\n' ' '; }   # of each band
if have h5dump; then
    check "bands of the state" test "$(bands ranks-2/state.h5 | wc -l)" -gt 3
    expect_equal "bands after a start" "$(how_many again/state.h5)" "$(how_many ranks-2/state.h5)"
    check "no bands unless asked for" not h5dump -d /bodies/band plain/state.h5
fi
finish
