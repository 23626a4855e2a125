# ParaView clients on loopback receive the right number of balls at several steps, hold the run and let it go, come and go; a run whose
# client is not there is not harmed.
source "$2/tests/support/program.bash"
module="$(dirname "$granary")/granary_catalyst.so"
need "$module" pvpython
limit=120
unset DISPLAY
port=$((20000 + RANDOM % 20000))
cp "$cases/silo-tiny.toml" live.toml
printf '\n[insitu]\nscripts = []\nlive = "localhost:%s"\nevery_steps = 100\n' "$port" >>live.toml
alone run "$cases/silo-tiny.toml" --steps 4000 --quiet --out none --set output.series_every=0.001
plain="$(digest)"

# Nobody listens.
on 2 run live.toml --steps 4000 --out alone
expect_code 0
expect_equal "digest without a listener" "$(digest)" "$plain"
expect_text out '^41 pictures'
expect_no_text out '^warning: pictures are off'

listen() { env -i "PATH=$PATH" "HOME=$HOME" pvpython "$src/tests/catalyst/live_client.py" "$port" 100 $2 >"$1" 2>"$1-err" & }
listens() { for _ in {1..3000}; do grep -qs listening "$1" && return; sleep 0.1; done; }
src="$2"
listen one first
one=$!
listens one
on 2 run live.toml --steps 4000 --out live &
run=$!
for _ in {1..3000}; do grep -qs connected one && break; sleep 0.1; done   # the port is free again: the first has its run
listen two
two=$!
listens two
touch second-listens
wait $run
wait $one
wait $two
code=0   # of the run, seen by its digest
expect_equal "digest with listeners" "$(digest)" "$plain"
expect_text one '^held after 1 pictures$'
n_right=0
while read -r time balls; do
    inside="$(awk -F, -v t="$time" 'NR > 1 && ($1 - t < 1e-9) && (t - $1 < 1e-9) { print $4 }' none/series.csv)"
    expect_equal "balls at $time s" "$balls" "$inside"
    n_right=$((n_right + 1))
done < <(grep -hE '^[0-9.e-]+ [0-9]+$' one two | sort -u)
check "at least five times arrived, got $n_right" test "$n_right" -ge 5
check "the second client saw some" grep -Eqs '^[0-9.e-]+ [0-9]+$' two
finish
