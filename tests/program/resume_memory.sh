# A run is resumed, and a new one begins from its state, in little more memory than the run itself took: the file is read in slices. Beyond what a few balls
# take, so that libraries do not count.
source "$2/tests/support/program.bash"
need python3
limit=150
bed() {   # layers; balls in a cubic lattice that touch all their neighbours, and turn, so that each has six springs
    awk -v layers="$1" 'BEGIN { for (z = 0; z < layers; z++) for (y = 0; y < 50; y++) for (x = 0; x < 50; x++)
        printf "%.5f %.5f %.5f 0.001\n", 0.00199 * x + 0.001, 0.00199 * y + 0.001, 0.00199 * z + 0.000995 }' >"balls-$1.txt"
    cat <<TOML
gravity = [0.0, 0.0, -9.81]

[run]
dt = 2e-6

[domain]
lower = [0.0, 0.0, -0.01]
upper = [0.1, 0.1, 0.6]
periodic = ["x", "y"]

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
spin = [1.0, 0.5, 0.7]

[[stages]]
type = "run"
time = 4e-5

[output]
checkpoint_every = 2e-5

TOML
    cat "$grain"
}
# The greatest memory of one process, kB.
peak() {
    call="granary $*"
    python3 -c '
import resource, subprocess, sys
code = subprocess.run([sys.argv[1]] + sys.argv[2:], stdout=open("out", "w"), stderr=open("err", "w")).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(code)' "$granary" "$@" >peak
    code=$?
    expect_code 0
}
bed 1 >few.toml
bed 45 >many.toml
peak run few.toml --quiet
few="$(cat peak)"
peak run many.toml --quiet
run="$(cat peak)"
echo "contacts: $(grep -oE 'contacts [0-9]+' many/log.txt | tail -n 1)"
peak resume many/checkpoints/step-000000000010.h5 --out resumed --quiet
resumed="$(cat peak)"
sed '/^\[\[bodies\]\]/,/^spin/d' many.toml >again.toml
printf '\n[start]\nfrom = "many/state.h5"\n' >>again.toml
peak run again.toml --quiet
started="$(cat peak)"
echo "few balls $few kB, run $run kB, resumed $resumed kB, started from its state $started kB"
check "enough balls to tell" test $((run - few)) -gt 20000
check "resumed within 1.1 times the memory of the run" test $((10 * (resumed - few))) -le $((11 * (run - few)))
check "begun from a state within 1.1 times" test $((10 * (started - few))) -le $((11 * (run - few)))
finish
