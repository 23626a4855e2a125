# The commands and the case that the READMEs show do what they say. Links: tests/structure/guides.sh.
source "$2/tests/support/program.bash"
readme="$2/README.md"
guide="$2/jobs/guide"
mkdir build
ln -s "$granary" build/granary
ln -s "$2/jobs" jobs

# All lines of the README that run a case, as they stand there.
while read -r line; do
    start bash -c "$line"
    expect_code 0
    echo "$(digest)" >>digests
done < <(sed -n '/^    .*build\/granary run /p' "$readme" | sed 's/ #.*//')
check "three commands" test "$(wc -l <digests)" -eq 3
expect_equal "different digests" "$(sort -u digests | wc -l)" 1
check "equal files" cmp one/state.h5 two/state.h5
expect_text rain-box/log.txt '^balls inserted 400 = inside [0-9]+ \+ left by hole [1-9]'

# The case of the guide: balls come to rest, and the walls carry their weight.
sed -n '/^    title = "My first bin"/,/^[^ ]/s/^    //p' "$guide/start.md" >bin.toml
alone run bin.toml
expect_code 0
expect_text out '^My first bin: 1215 balls'
weight() {   # on the walls, N, upwards
    sed -n 's/^wall .*: force ([^,]*, [^,]*, \([^)]*\)) N.*/\1/p' out | awk '{ sum -= $1 } END { print sum }'
}
# 1215 balls of <r^3> = (2.8^4 - 2.2^4)/(4 0.6) mm^3: 1.66e-4 kg each. A tenth is left to the last shaking.
check "a weight of 1.98 N, got $(weight)" awk -v w="$(weight)" 'BEGIN { exit !(w > 1.78 && w < 2.18) }'
n_sets=0
while read -r set; do
    n_sets=$((n_sets + 1))
    alone run jobs/cases/rain-box.toml --steps 1 --overwrite --set "$set"
    expect_code 0
done < <(grep -E '^    --set run.dt' "$guide/case.md" | grep -oE -- "--set ('[^']+'|[^ ]+)" | sed "s/--set //; s/'//g")
check "four examples of --set" test "$n_sets" -eq 4
finish
