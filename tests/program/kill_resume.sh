# Ranks are killed at random moments, also while a checkpoint is written: what is resumed ends with the digest of the undisturbed run.
source "$2/tests/support/program.bash"
source "$2/tests/support/faults.bash"
kills="${3:-5}"
hurt_case
limit=120   # a busy disk takes its time to bring a file home
alone run "${hurt[@]}" --out undisturbed --quiet
expect_code 0
undisturbed="$(digest)"
check "a digest" test -n "$undisturbed"
columns="$(head -n 1 undisturbed/series.csv | tr ',' '\n' | wc -l)"
rows() { cut -d, -f"1-$((columns - 2))" "$1/series.csv"; }   # the last two are of the machine: speed and balance

n_killed=0
while ((n_killed < kills)); do
    killed_run 2 $((kills - n_killed < 10 ? kills - n_killed : 10)) killed
    alone digest killed/state.h5
    expect_equal "digest after $n_killed kills" "$(cat out)" "$undisturbed"
    expect_text killed/status.json '"status": "finished"'
    expect_equal "rows of the series, none lost or doubled" "$(rows killed)" "$(rows undisturbed)"
done
echo "$n_killed kills"
finish
