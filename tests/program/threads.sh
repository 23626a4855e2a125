# Ranks and threads: the same digest with any of both. A build whose Kokkos has no threads refuses them with a message.
source "$2/tests/support/program.bash"

alone run "$cases/rain-box.toml" --steps 3000 --quiet --out one
expect_code 0
one="$(digest)"
export OMP_WAIT_POLICY=passive   # more threads than cores: those that wait give way
alone run "$cases/rain-box.toml" --steps 3000 --quiet --out two --threads 2
if [[ $code -ne 0 ]]; then
    expect_code 2
    expect_text err '^granary: --threads 2: the Kokkos that this program was built with has no threads\..*jobs/setup --threads'
    finish
fi
expect_equal "digest of two threads" "$(digest)" "$one"
for both in "2 2" "3 3"; do
    on "${both% *}" run "$cases/rain-box.toml" --steps 3000 --quiet --out many --overwrite --threads "${both#* }"
    expect_code 0
    expect_equal "digest of $both ranks and threads" "$(digest)" "$one"
done
alone run "$cases/rain-box.toml" --threads 0 --out none
expect_code 2
expect_text err 'whole number, at least 1'
finish
