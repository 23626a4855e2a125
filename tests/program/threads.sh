# Ranks and threads: the same digests, rows and probes with any of both. A build whose Kokkos has no threads refuses them with a message.
source "$2/tests/support/program.bash"
export OMP_WAIT_POLICY=passive   # more threads than cores: those that wait give way

alone run "$cases/rain-box.toml" --threads 0 --out none
expect_code 2
expect_text err 'whole number, at least 1'
alone run "$cases/rain-box.toml" --steps 10 --quiet --out two --threads 2
if [[ $code -ne 0 && -z ${GRANARY_EXPECT_THREADS:-} ]]; then
    expect_code 2
    expect_text err '^granary: --threads 2: the Kokkos that this program was built with has no threads\..*jobs/setup --threads'
    finish
fi
expect_code 0

# Runs whose numbers are written down: energies, walls that move, meshes, periods.
GRANARY_SHARES="1x1 1x2 2x1 2x2 3x3" GRANARY_RUNS="silo drum mesh periodic" bash "$2/tests/program/recorded_runs.sh" "$1" "$2" >recorded 2>&1
check "recorded runs with threads: $(grep -c FAILED recorded) failed" grep -q ' 0 failures$' recorded

# The predictor-corrector, bonds that break, shapes, both in one silo.
same_with_threads() {   # name, arguments of granary run
    local name="$1" one= both; shift
    for both in 1x1 1x3 2x2; do
        on "${both%x*}" run "$@" --quiet --out "$name-$both" --threads "${both#*x}"
        expect_code 0
        [[ -n $one ]] || one="$(digest)"
        expect_equal "digest of $name on $both ranks x threads" "$(digest)" "$one"
    done
}
same_with_threads gear "$cases/rain-box.toml" --steps 6000 --set run.integrator=gear --set law.rolling=spring \
    --set materials.grain.rolling_friction=0.1 --set materials.steel.rolling_friction=0.1
same_with_threads bonds "$cases/bond-demo.toml" --steps 2000
same_with_threads mixed "$cases/mixed-silo.toml" --steps 1000
same_with_threads polyhedra "$cases/polyhedra-drum.toml" --steps 600
finish
