# A run that stops is taken up again from its checkpoint as if it had never stopped: states, series and frames, on any number of ranks.
source "$2/tests/support/program.bash"

# Fill, settle and discharge, short; a checkpoint every 0.02 s, all of them kept.
small=(--set stages.fill.count=60 --set stages.fill.rate=600.0 --set run.dt=8e-5 --set stages.settle.dt=7e-5 --set stages.settle.time=0.05 --set stages.settle.energy=1e-12
       --set stages.discharge.time=0.15 --set output.series_every=5e-3 --set output.frames_every=0.02)
often=(--set output.checkpoint_every=0.02 --set output.checkpoints_kept=1000)
silo="$cases/silo-tiny.toml"
step_of() { local name="${1##*/step-}"; name="${name%.h5}"; echo $((10#$name)); }

alone run "$silo" --out whole --quiet "${small[@]}"
expect_code 0
whole="$(digest)"
columns="$(head -n 1 whole/series.csv | tr ',' '\n' | wc -l)"
rows() { cut -d, -f"1-$((columns - 2))" "$1/series.csv"; }   # the last two are of the machine: speed and balance
frames() { sed 's/.*timestep="\([^"]*\)".*file="\([^"]*\)".*/\1 \2/' "$1/frames.pvd"; }
same_files() {   # folder
    expect_equal "series of $1" "$(rows "$1" | md5sum)" "$(rows whole | md5sum)"
    expect_equal "frames of $1" "$(frames "$1")" "$(frames whole)"
    check "last state of $1" cmp "$1/state.h5" whole/state.h5
    check "frames of $1" diff -rq whole/frames "$1/frames"
    check "walls of $1" cmp "$1/walls.pvd" whole/walls.pvd
}

# Writing checkpoints changes nothing.
on 2 run "$silo" --out a --quiet "${small[@]}" "${often[@]}"
expect_code 0
expect_equal "digest with checkpoints" "$(digest)" "$whole"
same_files a
list=(a/checkpoints/step-*.h5)
check "more than ten checkpoints, got ${#list[@]}" test "${#list[@]}" -gt 10
expect_text a/status.json '"status": "finished"'

# Back to ten of them, in all stages, and on to the next one on another number of ranks: the state that the straight run had there.
ranks=(1 3 2 4)
stages="$(sed -n 's/^t = .*step \([0-9]*\):.*/\1/p' a/log.txt | tr '\n' ' ')"
for k in 0 1 2 3 4 5 6 7 8 9; do
    at=$((k * (${#list[@]} - 1) / 10))
    from="${list[$at]}"; to="${list[$((at + 1))]}"
    on "${ranks[$((k % 4))]}" resume "$from" --out "part-$k" --steps "$(step_of "$to")" --quiet
    expect_code 0
    part="$(digest)"
    alone digest "$to"
    expect_equal "digest after step $(step_of "$from"), at step $(step_of "$to") (stages end at $stages)" "$part" "$(cat out)"
done
read -r filled settled _ <<<"$stages"
check "a stop in filling" test "$(step_of "${list[0]}")" -lt "$filled"
check "a stop in settling" test -n "$(for f in "${list[@]}"; do s=$(step_of "$f"); ((s < filled || s > settled)) || echo "$s"; done)"
check "a stop in discharge" test "$(step_of "${list[$((${#list[@]} - 2))]}")" -gt "$settled"

# A chain 1 -> 3 -> 2 -> 4 by the clock: each part is stopped by its wall time, the rest goes on in place.
alone run "$silo" --out chain --quiet "${small[@]}" --wall-time 0
expect_code 85
expect_equal "nothing but a stop" "$(digest)" ""
expect_text chain/status.json '"status": "resume-me"'
expect_text chain/status.json '"checkpoint": "checkpoints/step-[0-9]*.h5"'
alone run "$silo" --out chain --quiet "${small[@]}"
expect_code 2
expect_one_message 'chain contains a run that has not finished. `granary resume chain` continues it'
for n in 3 2; do
    on "$n" resume chain --wall-time 0
    check "stopped or done" test "$code" -eq 85 -o "$code" -eq 0
    expect_text out '^resumed at step [0-9]+, t = [0-9.e-]+ s, from checkpoints/step-[0-9]+.h5: [0-9]+ balls, '"$n"' ranks$'
    [[ $code -eq 0 ]] || expect_text out '^`granary resume .*chain/` continues from checkpoints/step-'
done
on 4 resume chain --quiet
expect_code 0
if [[ -n "$(digest)" ]]; then expect_equal "digest of the chain" "$(digest)" "$whole"; fi
same_files chain
expect_text chain/status.json '"status": "finished"'
expect_equal "headers in the log" "$(grep -c '^ *step  *time' chain/log.txt)" 1
alone resume chain
expect_code 0
expect_text out 'the run in .*/chain is finished: there is nothing to resume'

# From an older checkpoint in place: what is later is cut off, nothing is doubled.
cp -r a again
middle="${list[$((${#list[@]} / 2))]}"
alone resume "again/checkpoints/${middle##*/}"
expect_code 0
expect_equal "digest" "$(digest)" "$whole"
expect_text out 'step-[0-9]+.h5 is later and was removed'
same_files again
expect_equal "checkpoints" "$(ls again/checkpoints)" "$(ls a/checkpoints)"

# Nothing but the checkpoint is needed: neither the case nor the files that it names.
mkdir -p elsewhere/inputs
sed -e '/^\[\[bodies\]\]/,$d' "$cases/two-balls.toml" >elsewhere/inputs/balls.toml
printf '[[bodies]]\nsource = "file"\nfile = "balls.txt"\nmaterial = "grain"\n[output]\ncheckpoint_every = 1e-4\n' >>elsewhere/inputs/balls.toml
printf '0 0 0 0.005\n0.0099 0 0 0.005\n' >elsewhere/inputs/balls.txt
(cd elsewhere && "$granary" run inputs/balls.toml --steps 400 --out run --quiet) >out 2>err
from_file="$(digest)"
rm -r elsewhere/inputs
first="$(ls elsewhere/run/checkpoints/*.h5 | head -n 1)"
alone resume "$first" --out moved --quiet
expect_code 0
expect_equal "digest without the case" "$(digest)" "$from_file"
check "a digest" test -n "$from_file"

# What is no checkpoint.
alone resume nowhere
expect_code 2
expect_one_message 'nowhere: no such file or folder'
alone resume whole
expect_code 2
expect_one_message 'there is no checkpoint in .*whole/checkpoints: the run has finished or has saved none. To start the case again use `granary run \.\.\. --overwrite`$'
alone resume whole/state.h5
expect_code 2
expect_one_message 'whole/state.h5: is a state, not a checkpoint'
alone resume a --wall-time soon
expect_code 2
expect_one_message 'expected a time as 01:55:00 or seconds, got soon'
finish
