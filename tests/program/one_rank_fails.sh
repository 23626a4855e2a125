# Trouble on one rank ends all ranks within seconds, with one message and an exit code that is not 0.
source "$2/tests/support/program.bash"
source "$2/tests/support/faults.bash"
two="$cases/two-balls.toml"
limit=40

# Files that only some ranks see: rank 2 works in another folder.
sed -e '/^\[\[bodies\]\]/,$d' "$two" >here.toml
printf '[[bodies]]\nsource = "file"\nfile = "balls.txt"\nmaterial = "grain"\n' >>here.toml
echo '0 0 0 0.005' >balls.txt
mkdir elsewhere
start mpirun -n 2 "$granary" run here.toml : -n 1 --wdir elsewhere "$granary" run here.toml
expect_code 2
expect_one_message 'balls.txt: .*No such file.* \(on rank 2\)'
expect_nothing here
on 3 run here.toml --steps 10 --quiet
expect_code 0

# Ranks started with different words: the others are already waiting when rank 2 stumbles.
start mpirun -n 2 "$granary" run "$two" : -n 1 "$granary" run "$two" --stpes 5
expect_code 2
expect_one_message '--stpes'
start mpirun -n 2 "$granary" run "$two" : -n 1 "$granary" run "$two" --set run.dt=-1
expect_code 2
expect_one_message '--set run.dt=-1'

# Work that only rank 0 does.
on 3 digest nowhere.h5
expect_code 2
expect_one_message 'nowhere.h5: cannot read the state'
on 3 bench bed --cache balls.txt/below
expect_code 2
expect_one_message 'cannot create the folder balls.txt/below .*--cache'

# A rank that is killed takes the others along.
call='kill -9 of one rank'
mpirun -n 3 "$granary" run "$cases/rain-box.toml" --steps 1000000000 --set output.log_every=1e-3 --out endless \
    >out 2>err </dev/null &
job=$!
check "a run under way" wait_until 30 grep -qs '^ *1000 ' endless/log.txt
ranks=($(children "$job"))
expect_equal "ranks" "${#ranks[@]}" 3
kill -9 "${ranks[1]}"
if check "the end of all ranks" wait_until 20 gone "$job" "${ranks[@]}"; then :; fi
kill -9 "$job" "${ranks[@]}" 2>/dev/null   # whatever is left of them
wait "$job"
code=$?
check "an exit code other than 0" test "$code" -ne 0
expect_nothing endless/state.h5
finish
