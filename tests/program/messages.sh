# What ranks send each other, counted from outside (tests/program/count_mpi.cpp), beside the model of tests/benchmarks/SCALING.md:
#   a step      per face of two slabs one layer each way, 96 bytes a ball, in one message; nobody waits for all ranks
#   a rebuild   four messages per face more, and one collective call
# More numbers of ranks: GRANARY_RANKS="1 2 4 8 16" bash messages.sh GRANARY SOURCES
source "$2/tests/support/program.bash"
need mpicxx
mpicxx -std=c++20 -O1 -shared -fPIC -o count.so "$2/tests/program/count_mpi.cpp" || exit 1

# Balls at rest, 100 in each of 64 layers.
layer=100
cat >rest.toml <<'END'
gravity = [0.0, 0.0, 0.0]
[run]
dt = 1e-6
time = 1.0
seed = 7
rebalance_every = 0
[domain]
lower = [0.0, 0.0, 0.0]
upper = [0.0511, 0.0511, 0.32704]
[law]
type = "linear"
stiffness_mixing = "mean"
[[materials]]
name = "grain"
density = 2500.0
stiffness = 2e4
restitution = 0.9
friction = 0.3
[[bodies]]
name = "rest"
source = "lattice"
lower = [0.0, 0.0, 0.0]
upper = [0.0511, 0.0511, 0.32704]
spacing = 0.00511
radius_min = 0.0025
radius_max = 0.0025
material = "grain"
END

count() {   # ranks steps rebuild-every: sets counts (messages bytes waiting travelling, sums over the ranks)
    rm -f counts
    export GRANARY_COUNTS="$PWD/counts"
    start mpirun -n "$1" -x GRANARY_COUNTS -x LD_PRELOAD="$PWD/count.so" \
          "$granary" run rest.toml --steps "$2" --set run.rebuild_every="$3" --quiet --out rest --overwrite
    expect_code 0
    read -r -a counts <counts
}
per() {   # name of array, steps between
    local -n to="$1"
    local k
    to=()
    for k in 0 1 2; do to+=($(((counts[k] - before[k]) / $2))); done
}

printf '%5s %22s %22s %30s\n' ranks "messages a step" "bytes a step" "more at a rebuild: messages, bytes, collectives"
per_face=
for ranks in ${GRANARY_RANKS:-1 2 4}; do
    faces=$((ranks - 1))
    count "$ranks" 20 100000; before=("${counts[@]}")
    count "$ranks" 40 100000; per step 20
    count "$ranks" 20 10; before=("${counts[@]}")
    count "$ranks" 40 10; per two 2   # ten steps and a rebuild
    more=($((two[0] - 10 * step[0])) $((two[1] - 10 * step[1])) "${two[2]}")
    printf '%5s %22s %22s %30s\n' "$ranks" "${step[0]}" "${step[1]}" "${more[*]}"
    expect_equal "bytes a step on $ranks ranks" "${step[1]}" "$((2 * faces * layer * 96))"
    expect_equal "blocking collective calls in a step" "${step[2]}" 0
    if [[ $faces -eq 0 ]]; then
        expect_equal "messages of one rank" "${step[0]} ${more[0]}" "0 0"
        continue
    fi
    [[ -n $per_face ]] || { per_face=$((step[0] / faces)); collectives="${more[2]}"; more_per_face=$((more[0] / faces)); }
    expect_equal "messages a step on $ranks ranks" "${step[0]}" "$((faces * per_face))"
    expect_equal "messages a face, one each way" "$per_face" 2
    expect_equal "messages of a rebuild" "${more[0]}" "$((faces * more_per_face))"
    check "at most 4 more messages a face" test "$more_per_face" -le 4
    expect_equal "collective calls of a rebuild" "${more[2]}" "$collectives"
    check "at most one of them" test "${more[2]}" -le 1
done
finish
