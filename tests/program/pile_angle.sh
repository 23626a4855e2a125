# jobs/pile-angle measures the angle of an ideal cone of balls, and refuses what is not a pile.
source "$2/tests/support/program.bash"
if ! command -v h5dump >/dev/null || ! command -v python3 >/dev/null; then
    echo "skipped: h5dump (hdf5-tools) or python3 is missing"
    exit 77
fi
tool="$2/jobs/pile-angle"

cone() {   # angle in degrees -> balls on a square lattice below the surface of a cone of radius 0.1 m
    python3 - "$1" <<'PY'
import math, sys
slope, r, d = math.tan(math.radians(float(sys.argv[1]))), 0.0015, 0.003
for i in range(-40, 41):
    for j in range(-40, 41):
        x, y = (i + 0.25) * d, (j + 0.25) * d
        top = slope * (0.1 - math.hypot(x, y))       # the highest ball of each column touches the surface
        k = 0
        while top - k * d > 2 * r:
            print(x, y, top - k * d - r, r)
            k += 1
PY
}
cat >pile.toml <<'TOML'
[run]
dt = 1e-6
steps = 0
[domain]
lower = [-0.15, -0.15, -0.01]
upper = [0.15, 0.15, 0.15]
[[bodies]]
source = "file"
file = "cone.txt"
material = "grain"
TOML
cat "$grain" >>pile.toml
for angle in 15 25 35; do
    cone $angle >cone.txt
    alone run pile.toml --out pile-$angle --quiet
    expect_code 0
    start python3 "$tool" --short pile-$angle/state.h5
    expect_code 0
    # The edge is taken in strips of one diameter: half a diameter over a flank of 60 mm is 1.4 degrees.
    check "an angle of $angle degrees, got $(cat out)" awk -v a="$(cat out)" -v b=$angle 'BEGIN { exit !(a > b - 1.4 && a < b + 1.4) }'
done
start python3 "$tool" pile-25/state.h5
expect_text out '^pile-25/state.h5: angle 2[0-9.]+ degrees \(spread [0-9.]+ over the directions\), .* [0-9]+ balls$'

start python3 "$tool"
expect_code 2
start python3 "$tool" cone.txt
expect_code 2
expect_text err 'cone.txt is not a state file'
start python3 "$tool" --steep pile-25/state.h5
expect_code 2
expect_text err 'unknown option --steep'
finish
