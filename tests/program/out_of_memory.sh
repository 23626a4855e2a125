# One rank runs out of memory when balls come in: all ranks end within seconds, with one message, and the run is resumed where there is more.
source "$2/tests/support/program.bash"
limit=60
sed '/^\[run\]/,$d' "$cases/rain-box.toml" | sed 's/^title.*/gravity = [0.0, 0.0, 0.0]/' >many.toml
cat >>many.toml <<'TOML'
[run]
dt = 1e-6
skin = 1e-5

[domain]
lower = [0.0, 0.0, -0.01]
upper = [0.06, 0.06, 0.06]
periodic = ["x", "y"]

[[materials]]
name = "grain"
density = 2500.0
young = 5e6
poisson = 0.3
restitution = 0.5
friction = 0.5

[[bodies]]
source = "lattice"
lower = [0.0, 0.0, -0.009]
upper = [0.06, 0.06, -0.006]
spacing = 2e-3
radius = 2e-4
material = "grain"

[[stages]]
type = "run"
time = 3e-5

[[stages]]
type = "fill"
method = "pack"       # three million at once: more than a gigabyte
material = "grain"
count = 3000000
radius = 1.9e-4
lower = [0.0, 0.0, 0.0]
upper = [0.06, 0.06, 0.06]

[output]
checkpoint_every = 1e-5
TOML
alone run many.toml --steps 30 --out few --quiet
expect_code 0
few="$(digest)"
start mpirun -n 1 "$granary" run many.toml --out many : -n 1 bash -c "ulimit -v 450000; exec '$granary' run many.toml --out many"
expect_code 3
expect_one_message 'out of memory: use fewer balls, or more ranks on more machines'
expect_file many/checkpoints/step-000000000030.h5
on 2 resume many --steps 30 --quiet
expect_code 0
expect_equal "digest of what was saved" "$(digest)" "$few"
finish
