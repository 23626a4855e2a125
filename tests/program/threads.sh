# Ranks and threads: the same digests, rows and probes with any of both. A build whose Kokkos has no threads refuses them with a message.
source "$2/tests/support/program.bash"
export OMP_WAIT_POLICY=passive   # more threads than cores: those that wait give way

alone run "$cases/rain-box.toml" --threads 0 --out none
expect_code 2
expect_text err 'whole number, at least 1'
alone run "$cases/rain-box.toml" --steps 10 --quiet --out two --threads 2
if [[ $code -ne 0 ]]; then
    expect_code 2
    expect_text err '^granary: --threads 2: the Kokkos that this program was built with has no threads\..*jobs/setup --threads'
    finish
fi

# Runs whose numbers are written down: energies, walls, meshes, walls that move, periods, probes.
GRANARY_SHARES="1x1 1x2 2x1 2x2 3x3" GRANARY_RUNS="silo gear drum mesh periodic probes" bash "$2/tests/program/recorded_runs.sh" "$1" "$2" >recorded 2>&1
check "recorded runs with threads: $(grep -c FAILED recorded) failed" grep -q ' 0 failures$' recorded

# Bonds that break, shapes, both in one silo.
for run in "bond-demo 3000" "mixed-silo 1500" "polyhedra-drum 600" "clump-silo 1500"; do
    name="${run% *}"
    one=
    for both in 1x1 1x3 2x2; do
        on "${both%x*}" run "$cases/$name.toml" --steps "${run#* }" --quiet --out "$name-$both" --threads "${both#*x}"
        expect_code 0
        [[ -n $one ]] || one="$(digest)"
        expect_equal "digest of $name on $both ranks x threads" "$(digest)" "$one"
    done
done
finish
