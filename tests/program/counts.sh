# What a step costs, counted and not timed: instructions of Simulation::step a ball and step (callgrind), and bytes of the heap a ball, of five
# scenes. They stand in counts/counts.txt. The test fails where one has grown by more than 3 %. Whoever means it writes them down anew, so that
# the change is seen in review:  jobs/test --renew-counts
# Counts depend on compiler, flags and C library: those of a build that is not in the file are not judged, and the test is skipped.
# Counted is the program of the preset threads-ci, because valgrind 3.19 does not know AVX-512.
source "$2/tests/support/program.bash"
here="$2/tests/program/counts"
limit=300
most=1.03
renew="${GRANARY_RENEW_COUNTS:-}"
need valgrind g++

alone --version
version="$(cat out)"
[[ $version == *"-O3 "*"-march=x86-64-v3"*"running x86-64-v3" ]] ||
    skip "this program is not the one whose instructions are counted, of the preset threads-ci (jobs/test --threads): $version"
alone run "$cases/rain-box.toml" --steps 1 --quiet --threads 2 --out threads
threads=without; [[ $code -ne 0 ]] || threads=with
build="$(sed 's/^[^)]*), //; s/; running.*//' <<<"$version"); $(getconf GNU_LIBC_VERSION); Kokkos $threads threads"
recorded() { awk -v build="$build" '/^build: / { on = substr($0, 8) == build; next } on && /^[a-z]/' "$here/counts.txt"; }
[[ -n $renew || -n "$(recorded)" ]] ||
    skip "counts.txt has no counts of this build, '$build'; jobs/test --renew-counts adds them"

# The steps alone: neither start nor files.
instructions() {   # name, balls, steps, then what to run
    local name="$1" balls="$2" steps="$3"; shift 3
    start valgrind --tool=callgrind --toggle-collect='granary::Simulation::step()' --callgrind-out-file="$name.callgrind" "$granary" "$@"
    expect_code 0
    cost[$name]="$(awk -v n="$balls" -v s="$steps" '/^totals:/ { printf "%.1f", $2 / n / s }' "$name.callgrind")"
}
# From a state in which the balls lie on each other; it has the same bits in every build.
resumed() {   # name, balls, seconds and step of the state, steps to count, case
    local name="$1" balls="$2" seconds="$3" from="$4" steps="$5" state
    alone run "$6" --steps $((from + steps)) --set output.checkpoint_every="$seconds" --set output.checkpoints_kept=1 --quiet --out "$name"
    expect_code 0
    state="$name/checkpoints/step-$(printf '%012d' "$from").h5"
    expect_file "$state"
    instructions "$name" "$balls" "$steps" resume "$state" --steps $((from + steps)) --quiet --out "$name-counted"
}
# The difference of two runs, so that only what grows with the balls remains. They are so large that the start takes less than the steps.
bytes() {   # name, case, then two settings and their numbers of balls
    local name="$1" case="$2" setting heap=(); shift 2
    for setting in "$1" "$3"; do
        start env GRANARY_HEAP="$PWD/heap" LD_PRELOAD="$PWD/count_heap.so" "$granary" run "$case" --set "$setting" --steps 25 --quiet --out "$name-heap" --overwrite
        expect_code 0
        heap+=("$(cat heap)"); rm -f heap
    done
    room[$name]="$(awk -v a="${heap[0]}" -v b="${heap[1]}" -v n="$2" -v m="$4" 'BEGIN { printf "%.1f", (b - a) / (m - n) }')"
}

declare -A cost room
alone bench bed --balls 6272 --steps 1 --cache .   # settles the column
expect_code 0
instructions bed 6272 80 bench bed --balls 6272 --steps 60 --rebuild-every 20 --cache .
resumed silo 400 0.43 9600 400 "$cases/silo-tiny.toml"
resumed mesh 400 0.43 9075 400 "$cases/silo-mesh.toml"
resumed bonds 477 0.04 4000 400 "$cases/bond-demo.toml"
resumed shapes 400 0.3 5085 200 "$cases/polyhedra-drum.toml"

g++ -std=c++20 -O1 -shared -fPIC -o count_heap.so "$2/tests/program/count_heap.cpp" || exit 1
cp "$cases/silo-mesh.stl" "$here/mesh.toml" .
sed 's/^h_c = .*/h_c = 1.4/' "$cases/dense-silo.toml" >silo.toml
top=bodies.grain.upper
bytes bed "$here/bed.toml" "$top=[0.12,0.12,0.6]" 69120 "$top=[0.12,0.12,1.2]" 138240
bytes silo silo.toml stages.fill.count=150000 150000 stages.fill.count=250000 250000
bytes mesh mesh.toml "$top=[0.035,0.035,0.12]" 76950 "$top=[0.035,0.035,0.18]" 155925
bytes bonds "$here/bonds.toml" "$top=[0.2,0.2,0.8]" 38367 "$top=[0.2,0.2,1.6]" 78057
bytes shapes "$here/shapes.toml" "$top=[0.2,0.2,0.5]" 38750 "$top=[0.2,0.2,1.0]" 78125

found="$(for name in bed silo mesh bonds shapes; do echo "$name ${cost[$name]} ${room[$name]}"; done)"
printf 'build: %s\nscene, instructions a ball and step, bytes a ball; as recorded\n%s\n' "$build" "$(join -j 1 <(sort <<<"$found") <(recorded | sort))"
grown() { awk -v now="$1" -v then="$2" -v most="$3" 'BEGIN { exit !(now > then * most) }'; }   # now then most
judge() {   # scene, what, now, recorded
    check "$1: $3 $2, at most 3 % more than the $4 of counts.txt; if that is meant: jobs/test --renew-counts" not grown "$3" "$4" "$most"
    ! grown "$4" "$3" "$most" || echo "$1: $3 $2, less than the $4 of counts.txt; jobs/test --renew-counts keeps that"
}
if [[ -n $renew ]]; then
    awk -v build="$build" '/^build: / { on = substr($0, 8) == build } !on' "$here/counts.txt" >others
    { cat others; printf 'build: %s\n%s\n' "$build" "$found"; } >"$here/counts.txt"
    echo "written down in $here/counts.txt"
fi
while read -r name instructions bytes; do
    judge "$name" "instructions a ball and step" "${cost[$name]}" "$instructions"
    judge "$name" "bytes a ball" "${room[$name]}" "$bytes"
done < <(recorded)
finish
