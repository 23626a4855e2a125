# A file of many balls: each of two ranks reads its own part and holds its own balls, so it takes about half of the memory that one rank alone takes. Beyond what a
# few balls take, so that libraries do not count.
source "$2/tests/support/program.bash"
need python3
limit=150
bed() {   # layers; balls in a cubic lattice that touch all their neighbours
    awk -v layers="$1" 'BEGIN { for (z = 0; z < layers; z++) for (y = 0; y < 50; y++) for (x = 0; x < 50; x++)
        printf "%.5f %.5f %.5f 0.001\n", 0.00199 * x + 0.001, 0.00199 * y + 0.001, 0.00199 * z + 0.000995 }' >"balls-$1.txt"
    cat <<TOML
gravity = [0.0, 0.0, -9.81]

[run]
steps = 2
dt = "auto"

[domain]
lower = [0.0, 0.0, -0.01]
upper = [0.1, 0.1, 0.6]
periodic = ["x", "y"]

[[materials]]
name = "grain"
density = 2500.0
young = 5e6
poisson = 0.3
restitution = 0.5
friction = 0.5

[[walls]]
name = "floor"
type = "plane"
point = [0.0, 0.0, 0.0]
normal = [0.0, 0.0, 1.0]
material = "grain"

[[bodies]]
source = "file"
file = "balls-$1.txt"
material = "grain"

[output]
frames_every = 0.0
TOML
}
# The greatest memory of each rank, kB, in the files peak-<rank>.
cat >measured.py <<'PY'
import os, resource, subprocess, sys
code = subprocess.run(sys.argv[1:]).returncode
rank = os.environ.get("OMPI_COMM_WORLD_RANK", "0")
open("peak-" + rank, "w").write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
sys.exit(code)
PY
most() {   # ranks, case: the greatest memory of any rank, kB
    rm -f peak-*
    start mpirun -n "$1" python3 measured.py "$granary" run "$2" --quiet --out "out-$1-$2"
    expect_code 0
    expect_equal "ranks measured" "$(ls peak-* | wc -l)" "$1"
    peak="$(for file in peak-*; do cat "$file"; echo; done | sort -n | tail -n 1)"
}
bed 2 >few.toml
bed 80 >many.toml
most 1 few.toml; few1="$peak"
most 2 few.toml; few2="$peak"
most 1 many.toml; one="$peak"
alone_digest="$(digest)"
most 2 many.toml; two="$peak"
expect_equal "digest on two ranks" "$(digest)" "$alone_digest"
echo "few balls: $few1 kB alone, $few2 kB on two ranks; 200000 balls: $one kB alone, $two kB on two ranks"
check "enough balls to tell" test $((one - few1)) -gt 40000
check "a rank of two takes less than 0.65 of one" test $((100 * (two - few2))) -lt $((65 * (one - few1)))
finish
