# The detector is a matter of speed: chosen by the sizes of the balls, said so, kept in as-run.toml, and the same digest
# from every one of them.
source "$2/tests/support/program.bash"

cat >mixed.toml <<'END'
title = "Sand falls on pebbles"
[run]
dt = 2e-6
steps = 800
[domain]
lower = [0.0, 0.0, 0.0]
upper = [0.04, 0.04, 0.06]
periodic = ["x", "y"]
[[materials]]
name = "grain"
density = 2500.0
young = 5e7
poisson = 0.3
restitution = 0.6
friction = 0.5
[[bodies]]
source = "random"
lower = [0.0, 0.0, 0.001]
upper = [0.04, 0.04, 0.02]
count = 15
radius = 0.004
material = "grain"
[[bodies]]
source = "random"
lower = [0.0, 0.0, 0.018]
upper = [0.04, 0.04, 0.026]
count = 2000
radius_min = 0.0004
radius_max = 0.0005
material = "grain"
velocity = [0.0, 0.0, -3.0]
[[walls]]
name = "floor"
type = "plane"
point = [0.0, 0.0, 0.0]
normal = [0.0, 0.0, 1.0]
material = "grain"
END

alone check mixed.toml --no-measure
expect_code 0
expect_text out '^detector +mmr with alpha = 2 \(chosen by detector = "auto": size ratio 10, mr would test about [0-9]+'
alone check "$cases/rain-box.toml" --no-measure
expect_text out '^detector +mr \(chosen by detector = "auto"'
expect_text out '^memory .*\(320 and 350 bytes per ball\)'
alone check mixed.toml --no-measure --set run.detector=fixed-cubes
expect_text out '^detector +fixed-cubes$'
expect_text out '^memory .*\(460 and 490 bytes per ball\)'  # its lists are kept between rebuilds

alone run mixed.toml --out auto
expect_code 0
expect_equal "lines about the detector" "$(grep -c '^detector mmr' out)" 1
expect_equal "lines about it in the log" "$(grep -c '^detector mmr' auto/log.txt)" 1
expect_text auto/as-run.toml '^detector = "mmr"$'
expect_text auto/as-run.toml '^alpha = 2.0$'
check "many contacts at the end" awk -F, 'END { exit !($12 > 20) }' auto/series.csv
all="$(digest)"

alone run auto/as-run.toml --out again --quiet
expect_equal "digest of as-run.toml" "$(digest)" "$all"
check "as-run.toml of as-run.toml" cmp <(grep -v '^#' auto/as-run.toml) <(grep -v '^#' again/as-run.toml)
alone run mixed.toml --out like --set run.detector=mr
expect_no_text out '^detector'
expect_no_text like/as-run.toml '^alpha'
for d in mr mmr fixed-cubes all-pairs; do
    on 2 run mixed.toml --out "$d" --set "run.detector=$d" --quiet
    expect_code 0
    expect_equal "digest by $d on 2 ranks" "$(digest)" "$all"
done
on 3 run mixed.toml --out third --set run.detector=mmr --set run.alpha=1.25 --quiet
expect_equal "digest by mmr with another alpha on 3 ranks" "$(digest)" "$all"

# Clusters of many elements: the search in two levels, by rule; the same digest from every detector, while bonds break.
sed "s/^cluster_share = .*/cluster_share = 1.0/" "$cases/bond-demo.toml" >clusters.toml
alone check clusters.toml --no-measure
expect_text out '^detector +two-level \(chosen by detector = "auto": .*, [0-9.]+ bodies per cluster or single ball\)'
alone run clusters.toml --out clusters
expect_code 0
expect_equal "lines about the detector" "$(grep -c '^detector two-level' out)" 1
expect_text clusters/as-run.toml '^detector = "two-level"$'
all="$(digest)"
for d in mr mmr all-pairs two-level; do
    on 2 run clusters.toml --out "clusters-$d" --set "run.detector=$d" --quiet
    expect_equal "digest of clusters by $d on 2 ranks" "$(digest)" "$all"
done

# What cannot be meant is refused.
alone check mixed.toml --no-measure --set run.alpha=1.0
expect_code 2
expect_text err 'run\.alpha .*1\.1'
alone check mixed.toml --no-measure --set run.detector=mr --set run.alpha=2.0
expect_code 2
expect_text err 'run\.alpha'
alone check mixed.toml --no-measure --set run.detector=mmm
expect_code 2
expect_text err '"auto", "mr", "mmr", "fixed-cubes", "all-pairs" or "two-level"'
finish
