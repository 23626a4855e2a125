# A silo of triangles through its stages: the same bits on 1 to 4 ranks and by every detector, after a stop, the file in either form, what `check` tells of it,
# and what it says about a mesh that looks wrong.
source "$2/tests/support/program.bash"
silo="$cases/silo-mesh.toml"

# To the middle of the discharge.
alone run "$silo" --steps 16500 --out one
expect_code 0
expect_text out 'filled: 400 of 400 balls'
expect_text out '^balls inserted 400 = inside [1-9][0-9]* \+ left by outlet [1-9][0-9]*$'
expect_no_text out 'warning: the mesh'
first="$(digest)"
for n in 2 3 4; do
    on "$n" run "$silo" --steps 16500 --out "on-$n" --quiet --set output.checkpoint_every=0.1 --set output.checkpoints_kept=10
    expect_equal "digest on $n ranks" "$(digest)" "$first"
    check "state on $n ranks as on 1" cmp one/state.h5 "on-$n/state.h5"
done
for detector in mmr fixed-cubes all-pairs; do
    alone run "$silo" --steps 16500 --set "run.detector=$detector" --out other --overwrite --quiet
    expect_equal "digest by $detector" "$(digest)" "$first"
done
alone run one/as-run.toml --steps 16500 --out again --quiet
expect_equal "digest of the case beside the results" "$(digest)" "$first"

# Stopped while it fills and while it flows out, and taken up on another number of ranks: the run that never stopped.
stops=(on-2/checkpoints/step-*.h5)
step_of() { local name="${1##*/step-}"; name="${name%.h5}"; echo $((10#$name)); }
on 3 resume "${stops[0]}" --out resumed-3 --quiet --steps "$(step_of "${stops[1]}")"
expect_code 0
resumed="$(digest)"
alone digest "${stops[1]}"
expect_equal "digest of the resumed run on 3 ranks" "$resumed" "$(cat out)"
alone resume "${stops[-1]}" --out resumed-1 --quiet
expect_code 0
expect_equal "digest of the resumed run" "$(digest)" "$first"
check "state of the resumed run" cmp one/state.h5 resumed-1/state.h5

# Its drawing must be there, and as it was: the numbers of the triangles are what the springs are kept by.
cp "$cases/silo-mesh.stl" own.stl
sed 's/silo-mesh.stl/own.stl/' "$silo" >own.toml
alone run own.toml --steps 600 --out own --quiet --set output.checkpoint_every=0.01
own="$(digest)"
last="$(ls own/checkpoints/step-*.h5 | tail -n 1)"
sed '0,/vertex 30 0 0/s//vertex 30 0 0.001/' "$cases/silo-mesh.stl" >own.stl
on 2 resume "$last" --out changed
expect_code 2
expect_one_message 'own.toml:32:8: walls\[0\].file: .*own.stl has changed since the run began: its triangles have another checksum'
expect_nothing changed
rm own.stl
alone resume "$last" --out changed
expect_code 2
expect_one_message 'own.toml:32:8: walls\[0\].file: .*own.stl: '
cp "$cases/silo-mesh.stl" own.stl
alone resume "$last" --out back --quiet
expect_code 0
expect_equal "digest with the drawing put back" "$(digest)" "$own"

# Another axis for the slabs: other sums, but again the same on any number of ranks.
alone run "$silo" --steps 6000 --set run.slab_axis=x --out x-1 --quiet
expect_code 0
x="$(digest)"
on 3 run "$silo" --steps 6000 --set run.slab_axis=x --out x-3 --quiet
expect_equal "digest along x on 3 ranks" "$(digest)" "$x"

# From a state on: springs at triangles find their way.
alone run "$silo" --steps 7500 --out filled --quiet
{ sed '/^\[\[stages\]\]/,/^time = 1.0/d' "$silo"; printf '[[stages]]\ntype = "discharge"\ntime = 0.5\n[start]\nfrom = "filled/state.h5"\n'; } |
    sed "s|silo-mesh.stl|$cases/silo-mesh.stl|" >later.toml
alone run later.toml --steps 300 --out later-1
expect_code 0
expect_no_text out 'friction there starts from zero'
later="$(digest)"
on 3 run later.toml --steps 300 --quiet --out later-3
expect_equal "digest of the later run on 3 ranks" "$(digest)" "$later"

# To the end: nothing is left inside, and the frames show the triangles.
on 2 run "$silo" --out whole --set output.frames_every=0.2
expect_code 0
expect_text out ': empty$'
expect_text out '^balls inserted 400 = inside 0 \+ left by outlet 400$'
expect_text whole/frames/walls_000000.vtp 'NumberOfPolys="[1-9][0-9]*"'

alone check "$silo" --no-measure
expect_code 0
expect_text out '^mesh +"hopper": 96 triangles in one piece, 72 corners, 168 edges, 48 of them open; x -0.05 to 0.05 m, y -0.05 to 0.05 m, z 0 to 0.2 m$'
expect_no_text out 'warning: the mesh'

# A finer hopper, made by the script; metres taken for millimetres and the other way round; an offset out of sight.
bash "$2/jobs/hopper-stl" --sides 64 --rings 8 >fine.stl
sed 's/silo-mesh.stl/fine.stl/' "$silo" >fine.toml
alone check fine.toml --no-measure
expect_code 0
expect_text out '^mesh +"hopper": 2 048 triangles'
alone check fine.toml --no-measure --set walls.hopper.scale=1.0
expect_code 0
expect_text out '^warning: the mesh "hopper" measures 200 m, but the domain only 320 mm: is its file in mm\? \(scale = 0.001\)$'
alone check fine.toml --no-measure --set walls.hopper.scale=1e-6
expect_text out '^warning: the mesh "hopper" measures only 200 um, less than the largest ball \(12 mm\): is its file in m\? \(scale = 0.001\)$'
# A silo of 15 mm beside balls of 12 mm: larger than a ball, but nothing that a domain of 320 mm is drawn around.
alone check fine.toml --no-measure --set walls.hopper.scale=7.5e-5
expect_text out '^warning: the mesh "hopper" measures only 15 mm, less than a twentieth of the domain \(320 mm\): is its file in m\? \(scale = 0.075\)$'
# Ten times too small or too large; as a part of something larger it may be small.
alone check fine.toml --no-measure --set walls.hopper.scale=1e-4
expect_text out '^warning: the mesh "hopper" measures only 20 mm, less than an eighth of the domain \(320 mm\), and no other wall would hold the balls: is its file in another unit\? \(scale = 0.001\)$'
alone check fine.toml --no-measure --set walls.hopper.scale=1e-2
expect_text out '^warning: the mesh "hopper" measures 2 m, but the domain only 320 mm: is its file in another unit\? \(scale = 0.001\)$'
{ cat fine.toml; printf '[[walls]]\nname = "shell"\ntype = "cylinder"\nbottom = [0, 0, 0]\ntop = [0, 0, 0.2]\nradius = 0.05\nmaterial = "steel"\n'; } >part.toml
alone check part.toml --no-measure --set walls.hopper.scale=1e-4
expect_no_text out 'warning: the mesh "hopper" is only'
alone check fine.toml --no-measure --set 'walls.hopper.offset=[1.0, 0.0, 0.0]'
expect_text out '^warning: the mesh "hopper" is outside the domain: along x it extends from 0.95 to 1.05 m, the domain from -0.06 to 0.06 m$'
# Upside down and back is where it was: turned by 180 degrees about x and shifted up.
alone check fine.toml --no-measure --set 'walls.hopper.rotation=[180.0, 0.0, 0.0]' --set 'walls.hopper.offset=[0.0, 0.0, 0.2]'
expect_text out '"hopper": .* x -0.05 to 0.05 m, y -0.05 to 0.05 m, z 0 to 0.2 m$'

# Balls that begin in the mesh are found at the start.
alone check fine.toml --no-measure --set 'bodies=[{source="lattice", material="grain", lower=[0.04, -0.02, 0.1], upper=[0.06, 0.02, 0.12], spacing=0.02, radius=0.005}]'
expect_code 2
expect_text err 'at the start ball 0 of radius 0.005 m at \(0.05, -0.01, 0.11\) m reaches [0-9.]+ % of its radius into the wall "hopper"'
finish
