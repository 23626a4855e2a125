# The same case on 1, 2, 3 and 4 ranks: the same digest, and the same state file byte for byte.
source "$2/tests/support/program.bash"

ranks="1 2 3 4"
same_on_all() {   # name, further options...
    local name="$1" n first; shift
    for n in $ranks; do
        on "$n" run "$cases/$name.toml" --out "$name-$n" "$@"
        expect_code 0
        expect_text out '^digest [0-9a-f]{32}$'
        [[ $n -gt 1 ]] || first="$(digest)"
        expect_equal "digest on $n ranks" "$(digest)" "$first"
        check "state on $n ranks as on 1" cmp "$name-1/state.h5" "$name-$n/state.h5"
    done
}

# Balls rain in, go from rank to rank and leave.
same_on_all rain-box --steps 21000
expect_text out '^balls inserted 220 = inside [1-9][0-9]* \+ left by hole [1-9][0-9]*$'
expect_text out '[1-9][0-9]* balls changed rank, slab boundaries moved [1-9]'
rain="$(digest)"
same_on_all periodic-gas --steps 4000
expect_text out '[1-9][0-9]* balls changed rank'
same_on_all two-balls

# Nothing but the way to the pairs differs.
alone run "$cases/rain-box.toml" --set run.detector=all-pairs --steps 21000 --quiet
expect_equal "digest with all-pairs" "$(digest)" "$rain"
# Another axis gives other sums, so other bits; but again the same on any number of ranks.
rm -r rain-box-*
ranks="1 4"
same_on_all rain-box --set run.slab_axis=x --steps 20000

alone digest rain-box-4/state.h5
expect_code 0
expect_equal "digest of the file" "$(cat out)" "$(sed -n 's/^digest //p' rain-box-1/log.txt)"
on 3 digest rain-box-1/state.h5
expect_equal "digest of the file, on 3 ranks" "$(cat out)" "$(sed -n 's/^digest //p' rain-box-1/log.txt)"
finish
