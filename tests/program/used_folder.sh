# A folder that an earlier run has used: a new run refuses it, or with --overwrite removes what a run writes, and nothing else.
source "$2/tests/support/program.bash"
limit=100
two="$cases/two-balls.toml"
list() { (cd "$1" && find . ! -type d | sort); }

# One of each kind of file that a run can write.
cp "$cases/silo-tiny.toml" all.toml
cat >>all.toml <<'END'
state = "end.h5"
every = 0.1
frames_every = 0.1
checkpoint_every = 0.1
[[probes]]
type = "pressure"
wall = "cylinder"
bins = 6
every = 0.005
average = 0.1
[[probes]]
type = "loads"
name = "all"
every = 0.01
average = 0.05
[[probes]]
type = "bands"
name = "layers"
bands = 5
every = 0.02
[[probes]]
type = "field"
name = "bed"
every = 0.02
average = 0.1
lower = [-0.06, -0.06, 0.0]
upper = [0.06, 0.06, 0.2]
spacing = 0.02
END
on 2 run all.toml --steps 4000 --out used --quiet
expect_code 0
for kind in end.h5 'state-*.h5' frames.pvd walls.pvd 'frames/*.vtp' 'checkpoints/*.h5' 'pressure-*.csv' 'loads-*.csv' 'bands-*.csv' 'field-*.csv' 'field-*/*.vti'; do
    check "a file $kind" compgen -G "used/$kind" >/dev/null
done
mkdir -p used/insitu used/frames used/mine/checkpoints used/checkpoints
touch used/insitu/layers_000000001.png used/series.csv.part used/checkpoints/step-000000000007.h5.bad   # as a picture or a crash leaves them
touch used/outflow.csv used/count-box.csv used/track-ball.csv used/breaks.csv used/fragments-ore.csv used/bonds.pvd used/frames/bonds_000003.vtp   # as runs with these outputs leave them

# Files of others.
foreign="README case.toml frames/notes.txt insitu/film.mp4 checkpoints/keep.h5 mine/series.csv mine/checkpoints/step-000000000001.h5 other.csv state-of-mind.h5 pressure.csv job.sbatch chain.tsv"
for file in $foreign; do echo "$file" >"used/$file"; done
list used >before

# Refused, on any number of ranks, and nothing is touched.
for n in 1 3; do
    on "$n" run "$two" --out used
    expect_code 2
    expect_one_message 'used contains the results of an earlier run \(as-run.toml, bands-layers.csv, bonds.pvd and [0-9]+ more\)\. Choose another folder with --out, or add --overwrite'
    expect_equal "output" "$(cat out)" ""
    expect_equal "files" "$(list used)" "$(cat before)"
done
alone run "$two" --steps 10 --out new --quiet
two_steps="$(digest)"
on 2 run "$two" --steps 10 --out used --overwrite
expect_code 0
expect_equal "digest" "$(digest)" "$two_steps"
expect_text out '^overwrite: [0-9]+ files of an earlier run in used were removed$'
expect_equal "files" "$(list used)" "$( (list new; printf './%s\n' $foreign) | sort)"
for file in $foreign; do expect_equal "content" "$(cat "used/$file")" "$file"; done
check "no empty folder is left" test ! -e used/field-bed

# Foreign files alone are no reason to refuse, and --overwrite in a new folder is none to complain.
mkdir fresh
echo mine >fresh/notes.txt
alone run "$two" --steps 10 --out fresh --overwrite
expect_code 0
expect_no_text out overwrite
expect_file fresh/notes.txt

# A run that has not finished: what would go is said.
alone run "$cases/rain-box.toml" --out stopped --quiet --wall-time 0
expect_code 85
alone run "$two" --out stopped
expect_code 2
expect_one_message 'stopped contains a run that has not finished. `granary resume stopped` continues it. To start again, choose another folder with --out, or add --overwrite, which removes its results and its 1 checkpoint$'
expect_file stopped/checkpoints/step-*.h5

# A run goes on in another folder: the same rules.
alone resume stopped --out used --steps 20
expect_code 2
expect_one_message 'used contains the results of an earlier run'
alone resume stopped --out used --steps 20 --overwrite
expect_code 0
expect_no_text used/log.txt 'Two balls'
expect_equal "content" "$(cat used/README)" README
expect_file stopped/checkpoints/step-*.h5

alone run "$two" --steps 10 --out stopped --overwrite
expect_code 0
expect_nothing stopped/checkpoints

# A report of the new run shows nothing of the old one.
alone report used
expect_no_text used/report.html 'Pressure on|pressure-|bands-'

# A chain of jobs begins anew where a run was ended before its first checkpoint.
source "$2/jobs/lib/link.sh"
sed -i 's/finished/running/' new/status.json
call=granary_link
granary_link "$PWD/new" "$granary" 0 -- env -- "$two" --steps 10 >out 2>err
code=$?
expect_code 0
expect_text out '^digest '
finish
