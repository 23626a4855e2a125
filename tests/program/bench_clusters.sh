# granary bench clusters: rows, the same pairs from all detectors, drums that have settled, searches of several ranks.
source "$2/tests/support/program.bash"
limit=300
column() {   # name, file: of its rows
    awk -F, -v name="$1" 'NR == 1 { for (k = 1; k <= NF; ++k) if ($k == name) c = k; next } { print $c }' "$2"
}

alone bench clusters --packed --distributions 1,2 --clusters A --detectors two-level,mmr,flat-min --repeats 1 --csv packed.csv
expect_code 0
expect_equal "rows" "$(column detector packed.csv | sort | tr '\n' ' ')" "flat-min flat-min mmr mmr two-level two-level "
expect_equal "one number of pairs a drum" "$(column pairs packed.csv | sort -u | wc -l)" 2
expect_equal "bodies" "$(column bodies packed.csv | sort -u)" 16000

alone bench clusters --distributions 1 --clusters A --detectors two-level --repeats 1 --csv settled.csv
expect_code 0
check "at rest: $(column kinetic_energy_over_mgr settled.csv)" awk -v x="$(column kinetic_energy_over_mgr settled.csv)" 'BEGIN { exit !(x > 0 && x < 0.01) }'
check "settled clusters touch more than packed ones" test "$(column pairs settled.csv)" -gt "$(column pairs packed.csv | head -n 1)"
expect_text err 'distribution 1, cluster A: settled within'

on 2 bench clusters --distributions 3 --clusters C --repeats 2 --csv ranks.csv
expect_code 0
expect_equal "ways" "$(column detector ranks.csv | tr '\n' ' ')" "two-level two-level-alone mr mmr "
expect_equal "the same pairs" "$(column pairs ranks.csv | sort -u | wc -l)" 1
expect_equal "one message a face" "$(column messages_a_search ranks.csv | head -n 1)" 1
finish
