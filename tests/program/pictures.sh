# Pictures during a run, by ParaView without a screen: balls of every rank are in them and no seam, the run is the same with and without, and
# what goes wrong with them is one warning.
source "$2/tests/support/program.bash"
module="$(dirname "$granary")/granary_catalyst.so"
need "$module" Xvfb python3
limit=120
unset DISPLAY
steps=4400
pixels() { start python3 "$src/tests/catalyst/check_pixels.py" "$@"; expect_code 0; }
src="$2"
# A packed silo that has just been opened: balls on every rank, and forces.
with() { cp "$cases/silo-tiny.toml" "$1.toml"; printf '\n[insitu]\nwidth = 240\nheight = 300\n%s\n' "$2" >>"$1.toml"; }
with all 'scripts = ["half-silo", "layers", "wall-pressure", "force-chains"]
every_steps = 4400'
with ranks 'scripts = ["ranks", "half-silo"]
every_steps = 4400'

alone run "$cases/silo-tiny.toml" --steps $steps --quiet --out none
expect_code 0
plain="$(digest)"
expect_equal "length of the digest" "${#plain}" 32
alone run all.toml --steps $steps --out all
expect_code 0
expect_equal "digest with pictures" "$(digest)" "$plain"
expect_no_text out '^warning: pictures are off'
expect_text out '^pictures  '
expect_text out '^2 pictures, .* s each, in all/insitu'
expect_text all/phases.json '"pictures"'
expect_equal "pictures" "$(ls all/insitu | tr '\n' ' ')" \
    "$(for s in force-chains half-silo layers wall-pressure; do printf "${s}_%09d.png " 0 $steps; done)"
pixels colours 8 all/insitu/half-silo_000004400.png
pixels colours 8 all/insitu/layers_000004400.png
# The legend of layers: by order of insertion 16 fields; with a probe one for each band and one for balls that were inserted later.
cp "$cases/silo-tiny.toml" layers.toml
printf '\n[insitu]\nscripts = ["layers"]\nevery_steps = %s\n[[probes]]\ntype = "bands"\nname = "layers"\nbands = 6\nevery = 0.1\n' $steps >>layers.toml
alone run layers.toml --steps $steps --quiet --out layers
expect_code 0
pixels legend 16 layers/insitu/layers_000000000.png
pixels legend 7 layers/insitu/layers_000004400.png
pixels colours 4 all/insitu/wall-pressure_000004400.png
pixels colours 4 all/insitu/force-chains_000004400.png
if ! /usr/bin/python3 -c 'import PIL' 2>/dev/null; then
    leave_out "the film: python3-pil is not installed (jobs/setup installs it)"
else
    start bash "$src/jobs/movie" all --name half-silo --out film.gif
    expect_code 0
    expect_text out '^film.gif: 2 pictures$'
    expect_equal "a film" "$(head -c 6 film.gif)" GIF89a
fi
# Bonds as rods, with their number below the picture; the run does not feel it.
cp "$cases/bond-demo.toml" bonds.toml
printf '\n[insitu]\nwidth = 240\nheight = 300\nscripts = ["broken-bonds"]\nevery_steps = 2000\n' >>bonds.toml
alone run "$cases/bond-demo.toml" --steps 2000 --quiet --out bonds-none
bonded="$(digest)"
for n in 1 2; do
    on $n run bonds.toml --steps 2000 --out bonds-$n
    expect_code 0
    expect_no_text out '^warning: pictures are off'
    expect_equal "digest with pictures of bonds" "$(digest)" "$bonded"
    pixels colours 6 bonds-$n/insitu/broken-bonds_000002000.png
done
pixels same bonds-1/insitu/broken-bonds_000002000.png bonds-2/insitu/broken-bonds_000002000.png
expect_text all/report.html '<img src="data:image/png'
for n in 2 3; do
    on $n run ranks.toml --steps $steps --quiet --out ranks-$n
    expect_code 0
    expect_equal "digest with pictures on $n ranks" "$(digest)" "$plain"
    pixels ranks $n ranks-$n/insitu/ranks_000004400.png
    pixels same all/insitu/half-silo_000004400.png ranks-$n/insitu/half-silo_000004400.png
done
on 4 run ranks.toml --steps 20 --quiet --overwrite --out ranks-4
expect_code 0
many="$(digest)"
check "four ranks: two pictures" test -s ranks-4/insitu/ranks_000000020.png
check "the first picture is not the last" not cmp -s ranks-2/insitu/ranks_000000000.png ranks-2/insitu/ranks_000004400.png

# What goes wrong is one warning, and the run is the same.
alone run "$cases/silo-tiny.toml" --steps 20 --quiet --overwrite --out none
short="$(digest)"
expect_equal "digest with pictures on four ranks" "$many" "$short"
harmless() {   # what the warning holds
    expect_code 0
    expect_equal "digest" "$(digest)" "$short"
    expect_equal "warnings" "$(grep -c '^warning: pictures are off: ' out)" 1
    expect_text out "^warning: pictures are off: .*$1"
}
with bad 'scripts = ["nonesuch"]'
on 2 run bad.toml --steps 20 --overwrite --out bad
harmless 'there is no script .*/nonesuch.py'
GRANARY_CATALYST_MODULE=/none on 2 run ranks.toml --steps 20 --overwrite --out bad
harmless 'granary_catalyst.so is missing: jobs/setup installs ParaView'
mkdir empty-path   # no Xvfb there
start mpirun -n 2 "$(command -v env)" "PATH=$PWD/empty-path" "$granary" run ranks.toml --steps 20 --overwrite --out bad
harmless 'Xvfb, the virtual display, does not start'
printf 'from paraview import catalyst\noptions = catalyst.Options()\ndef catalyst_execute(info):\n    raise RuntimeError("no good")\n' >broken.py
with broken 'scripts = ["broken.py"]'
alone run broken.toml --steps 20 --overwrite --out bad
harmless 'broken.py, line 4: RuntimeError: no good'

# The renderer brings the run down: the checkpoint before the first picture has it all, and the run goes on without pictures.
printf 'import os\nfrom paraview import catalyst\noptions = catalyst.Options()\nos.abort()\n' >crash.py
with crash 'scripts = ["crash.py"]'
alone run crash.toml --steps 20 --out crash
check "the run was killed" test "$code" -ne 0
expect_file crash/checkpoints/step-000000000000.h5
alone resume crash
harmless 'the resumed run had ended while it drew one'
finish
